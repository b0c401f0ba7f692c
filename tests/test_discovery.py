"""Which files are found, and which are refused with a reason."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from recipelint import discovery
from recipelint.discovery import DiscoveredFile, Discovery, UnreadableFile, discover, matcher
from recipelint.discovery.globs import MAX_PATTERNS
from recipelint.discovery.reading import SIZE_CAP, is_shell_shebang
from recipelint.settings import Settings

RUN_BY_ROOT = os.geteuid() == 0


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lay_out(root: Path, *paths: str, text: str = "echo\n") -> None:
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def found(*paths: str, **settings: object) -> list[str]:
    files, unreadable, _ = discover(Settings(paths=paths or (".",), **settings))  # type: ignore[arg-type]
    assert unreadable == []
    return [file.path for file in files]


def test_extensions_and_shebangs_in_the_order_of_names(tree: Path) -> None:
    lay_out(tree, "b.sh", "a/z.bash", "a/b.slurm", "a/b/c.sbatch", "a.sh", "c.job", "d.pbs", "e.py", "f.sh.txt", "g")
    lay_out(tree, "run", "x.y", ".hidden", text="#!/usr/bin/env bash\n")
    assert found() == ["a/b/c.sbatch", "a/b.slurm", "a/z.bash", "a.sh", "b.sh", "c.job", "d.pbs", "e.py", "run"]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"#!/bin/sh", True),
        (b"#!/bin/bash -l\necho", True),
        (b"#! /usr/bin/env bash\n", True),
        (b"#!/usr/bin/env -S A=1 bash -e\n", True),
        (b"#!/usr/bin/env\n", False),
        (b"#!/usr/bin/env python3\n", False),
        (b"#!/bin/zsh\n", False),
        (b"#!/usr/bin/python3 bash\n", False),
        (b"#!\n/bin/bash", False),
        (b" #!/bin/bash", False),
        (b"", False),
    ],
)
def test_shebangs(head: bytes, expected: bool) -> None:
    assert is_shell_shebang(head) is expected


def test_paths_are_as_the_user_writes_them(tree: Path) -> None:
    lay_out(tree, "s/a.sh")
    assert found(".") == ["s/a.sh"]
    assert found("./") == ["s/a.sh"]
    assert found("s") == found("s/") == ["s/a.sh"]
    assert found("./s") == ["./s/a.sh"]
    assert found(str(tree)) == [str(tree / "s/a.sh")]


def test_a_file_is_found_once_and_counts_as_named_if_it_is(tree: Path) -> None:
    lay_out(tree, "s/a.sh", "s/b.sh")
    files, _, _ = discover(Settings(paths=("s", "s/../s/a.sh", "./s/b.sh", "s/b.sh")))
    assert files == [DiscoveredFile("s/../s/a.sh", True), DiscoveredFile("s/b.sh", True)]


def test_a_named_file_is_read_whatever_it_is_called_and_standard_input_is_none(tree: Path) -> None:
    lay_out(tree, "notes.txt", ".gitignore", text="*\n")
    assert discover(Settings(paths=("notes.txt", "-"))) == Discovery([DiscoveredFile("notes.txt", True)], [], [])


@pytest.mark.parametrize("name", ["x.yaml", "x.yml", "x.json", "x.toml", "x.md", "x.ipynb", "X.YAML"])
def test_a_named_file_of_another_language_is_refused_unless_it_has_a_shebang(tree: Path, name: str) -> None:
    lay_out(tree, name)
    assert discover(Settings(paths=(name,))) == Discovery([], [(name, "is neither a shell script nor Python")], [])
    lay_out(tree, name, text="#!/bin/bash\n")
    (tree / "link.md").symlink_to(name)
    assert found(name) == [name]
    assert found("link.md") == ["link.md"]


def test_what_is_excluded_is_told(tree: Path) -> None:
    lay_out(tree, "a.sh", "old/b.sh", "c.sh", "c.txt", "named.sh")
    exclude = ("old/", "c.*", "named.sh")
    assert discover(Settings(exclude=exclude)).excluded == ["c.sh", "named.sh", "old/"]
    assert discover(Settings(paths=("named.sh",), exclude=exclude)).excluded == []
    forced = Settings(paths=("named.sh", "old", "c.txt"), exclude=exclude, force_exclude=True)
    assert discover(forced) == Discovery([], [], ["named.sh", "old/", "c.txt"])


def test_gitignore(tree: Path) -> None:
    (tree / ".git" / "info").mkdir(parents=True)
    lay_out(tree, ".git/hooks.sh", "a.sh", "old/b.sh", "deep/old/c.sh", "deep/keep.sh", "deep/x1.sh", "deep/x2.sh")
    lay_out(tree, "out/d.sh", "out/in/e.sh", "mine.sh", "# odd.sh")
    (tree / ".gitignore").write_text("# comment\n\n/old/\nx*.sh\nout\n\\# odd.sh\n")
    (tree / "deep" / ".gitignore").write_text("!x2.sh\n/keep.sh\n")
    (tree / ".git" / "info" / "exclude").write_text("mine.sh\n")
    assert found() == ["a.sh", "deep/old/c.sh", "deep/x2.sh"]
    assert found("deep") == ["deep/old/c.sh", "deep/x2.sh"]


def test_gitignore_agrees_with_git(tree: Path) -> None:
    subprocess.run(["git", "init", "-q"], check=True)
    lay_out(tree, *(f"{folder}{name}.sh" for folder in ("", "a/", "a/b/", "b/", "build/", "b/a/") for name in "xyz"))
    (tree / ".gitignore").write_text("/x.sh\na/y.sh\n**/z.sh\n!b/z.sh\nbuild/*\n!build/y.sh\n")
    (tree / "a" / ".gitignore").write_text("*\n!b/\n!x.sh\n!.gitignore\n")
    (tree / "b" / ".gitignore").write_text("a/\n!a/x.sh\n")
    listed = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard"], check=True, capture_output=True, text=True
    )
    assert sorted(found()) == sorted(path for path in listed.stdout.split() if path.endswith(".sh"))


@pytest.mark.parametrize("seed", range(12))
def test_any_gitignore_agrees_with_git(tree: Path, seed: int) -> None:
    chance = random.Random(seed)
    names = ("a", "b", "ab")
    atoms = (
        *names,
        "*",
        "?",
        "a*",
        "*b",
        "[ab]",
        "[!a]",
        "[^b]",
        "**",
        "\\a",
        "a**b",
        "*.sh",
        "\\*",
        "[a-b]*",
        " a",
        "# a",
    )
    for _ in range(25):
        lay_out(tree, "/".join([*chance.choices(names, k=chance.randint(0, 3)), chance.choice("xyab") + ".sh"]))
    folders = [folder for folder, _, _ in os.walk(tree)]
    subprocess.run(["git", "init", "-q"], check=True)
    for folder in chance.sample(folders, k=min(3, len(folders))):
        lines = [
            chance.choice(("", "", "!"))
            + chance.choice(("", "/"))
            + "/".join(chance.choices(atoms, k=chance.randint(1, 3)))
            + chance.choice(("", "/", " ", "\r"))
            for _ in range(4)
        ]
        (Path(folder) / ".gitignore").write_text("\n".join(lines), newline="")
    listed = subprocess.run(
        ["git", "ls-files", "-oz", "--exclude-standard"], check=True, capture_output=True, text=True
    )
    assert sorted(found()) == sorted(path for path in listed.stdout.split("\0") if path.endswith(".sh"))


def test_a_hostile_pattern_takes_no_time(tree: Path) -> None:
    lay_out(tree, "a/" * 60 + "a" * 200 + ".sh")
    (tree / ".gitignore").write_text("*a" * 40 + "b\n" + "**/a/" * 40 + "b\n")
    began = time.perf_counter()
    assert len(found()) == 1
    assert time.perf_counter() - began < 1


def test_patterns_are_bounded(tree: Path) -> None:
    """Those that count are counted; one more, and one that nobody would write, leave nothing out."""
    rows = [f"x{at}*y" for at in range(MAX_PATTERNS - 1)]
    (tree / ".gitignore").write_text("\n".join(["#", "", *rows, "a.sh", "b.sh"]), "utf-8")
    for name in ("a.sh", "b.sh"):
        (tree / name).write_text("")
    assert [name for name in found(".") if name in ("a.sh", "b.sh")] == ["b.sh"]
    (tree / ".gitignore").write_text(f"{'*a' * 300_000}*\na{' ' * 300_000}x\n{'[ab]' + '*' * 2000}.sh\n")
    assert [name for name in found(".") if name in ("a.sh", "b.sh")] == ["a.sh", "b.sh"]
    (tree / ".gitignore").write_text("a.sh   \nb.sh\\  \n")
    assert [name for name in found(".") if name in ("a.sh", "b.sh")] == ["b.sh"]


def test_a_folder_that_is_ignored_is_walked_where_it_is_named(tree: Path) -> None:
    (tree / ".git").mkdir()
    lay_out(tree, "out/a.sh")
    (tree / ".gitignore").write_text("out/\n")
    assert found() == []
    assert found("out") == ["out/a.sh"]


def test_a_gitignore_counts_outside_a_repository_too_and_a_wrong_line_does_no_harm(tree: Path) -> None:
    lay_out(tree, "a.sh", "b.sh")
    (tree / ".gitignore").write_text("!\n/\nb.sh\n")
    assert found() == ["a.sh"]


def test_symbolic_links_are_left_alone_where_they_are_not_named(tree: Path) -> None:
    lay_out(tree, "real/a.sh")
    (tree / "real" / "loop").symlink_to("..")
    (tree / "link").symlink_to("real")
    (tree / "b.sh").symlink_to("real/a.sh")
    (tree / "dead.sh").symlink_to("nowhere")
    assert found() == ["real/a.sh"]
    assert found("link") == ["link/a.sh"]
    assert found("b.sh") == ["b.sh"]


def test_exclude(tree: Path) -> None:
    lay_out(tree, "a.sh", "old/b.sh", "s/old/c.sh", "s/d.sh")
    root = str(tree)
    assert found(exclude=("old/",), root=root) == ["a.sh", "s/d.sh"]
    assert found(exclude=("/old", "s/d.sh"), root=root) == ["a.sh", "s/old/c.sh"]
    assert found("old/b.sh", "old", exclude=("/old/b.sh",), root=root) == ["old/b.sh"]
    assert found("old/b.sh", "s", exclude=("/old/b.sh", "s/"), root=root, force_exclude=True) == []


def test_matcher_knows_its_root(tree: Path) -> None:
    matches = matcher(["scripts/*.sh"], str(tree / "sub"))
    assert matches("sub/scripts/a.sh")
    assert matches(str(tree / "sub/scripts/a.sh"))
    assert not matches("scripts/a.sh")
    assert not matches("sub/scripts/a.py")
    assert not matcher([], ".")("a.sh")
    assert not matcher(["# only a comment"], ".")("a.sh")


def test_what_cannot_be_read_has_a_reason_and_the_rest_is_found(tree: Path) -> None:
    lay_out(tree, "ok.sh", "name.sh/inner.sh", "file/x")
    os.mkfifo(tree / "pipe.sh")
    os.mkfifo(tree / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("sock.sh")
        files, unreadable, _ = discover(Settings(paths=(".", "gone.sh", "pipe", "/dev/null", "ok.sh/x", "nul\0")))
    assert [file.path for file in files] == ["name.sh/inner.sh", "ok.sh"]
    assert unreadable == [
        ("pipe.sh", "is a FIFO, not a file"),
        ("sock.sh", "is a socket, not a file"),
        ("gone.sh", "no such file or folder"),
        ("pipe", "is a FIFO, not a file"),
        ("/dev/null", "is a device, not a file"),
        ("ok.sh/x", "not a directory"),
        ("nul\0", "embedded null byte"),
    ]


@pytest.mark.skipif(RUN_BY_ROOT, reason="root may read everything")
def test_a_folder_that_may_not_be_read(tree: Path) -> None:
    lay_out(tree, "shut/a.sh", "b.sh")
    (tree / "shut").chmod(0)
    try:
        files, unreadable, _ = discover(Settings())
    finally:
        (tree / "shut").chmod(0o700)
    assert ([file.path for file in files], unreadable) == (["b.sh"], [("shut", "permission denied")])


def test_a_folder_that_cannot_be_opened(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert discover(Settings()) == Discovery([], [(".", "permission denied")], [])


def test_an_extensionless_file_that_cannot_be_opened_is_none_of_ours(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(tree, "run", text="#!/bin/bash\n")
    assert found() == ["run"]

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    assert found() == []


def test_a_path_as_deep_as_paths_can_be(tree: Path) -> None:
    here = os.open(".", os.O_RDONLY)
    try:
        for _ in range(1900):
            os.mkdir("d")
            os.chdir("d")
        Path("deep.sh").write_text("echo\n")
        os.fchdir(here)
        assert sys.getrecursionlimit() < 1900
        assert found() == ["d/" * 1900 + "deep.sh"]
    finally:
        os.fchdir(here)
        os.close(here)
        subprocess.run(["rm", "-rf", "d"], check=True)


def test_a_thousand_files_take_little_time(tree: Path) -> None:
    (tree / ".git").mkdir()
    (tree / ".gitignore").write_text("\n".join(f"pattern{n}/" for n in range(50)))
    for number in range(100):
        lay_out(tree, *(f"d{number}/{name}{end}" for name in "abcde" for end in (".sh", ".py")))
        lay_out(tree, f"d{number}/run", text="#!/bin/bash\n")
    began = time.perf_counter()
    assert len(found()) == 1100
    assert time.perf_counter() - began < 2


def test_read(tree: Path) -> None:
    (tree / "x").write_bytes(b"\xef\xbb\xbfecho\r\n\xff\n")
    assert discovery.read("x") == b"\xef\xbb\xbfecho\r\n\xff\n"


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"a" * (SIZE_CAP + 1), "is larger than 2 MiB"), (b"echo\0", "is binary"), (b"a" * SIZE_CAP, None)],
)
def test_read_refuses_what_no_shell_would_run(tree: Path, data: bytes, reason: str | None) -> None:
    (tree / "x").write_bytes(data)
    if reason is None:
        assert discovery.read("x") == data
        return
    with pytest.raises(UnreadableFile) as caught:
        discovery.read("x")
    assert caught.value.reason == str(caught.value) == reason


def test_read_does_not_wait_for_a_fifo_and_reads_no_device_or_folder(tree: Path) -> None:
    os.mkfifo("pipe")
    for path, reason in (("pipe", "is a FIFO, not a file"), ("/dev/zero", "is a device, not a file")):
        with pytest.raises(UnreadableFile, match=reason):
            discovery.read(path)
    with pytest.raises((UnreadableFile, IsADirectoryError)):
        discovery.read(".")
    with pytest.raises(FileNotFoundError):
        discovery.read("gone")

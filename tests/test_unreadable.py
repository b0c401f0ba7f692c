"""Every kind of thing that a path can lead to and that is no launcher: a line for each, a 2, and the rest is read."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from recipelint import run
from recipelint.discovery import DiscoveredFile, discover
from recipelint.keys import OUTPUT_FORMATS
from recipelint.settings import Settings

PROGRAM = Path(sys.executable).with_name("recipelint")
WRONG = b"torchrun -m molt.cli.train_sft --fsdp.ep_size 8\n"
ELF = b"\x7fELF\x02\x01\x01\x00\x00"
LATIN = b"# caf\xe9, na\xefve\n" + WRONG + b"echo \xe9\n"

REASONS = {
    "binary.sh": "is binary",
    "broken.sh": "is a symbolic link that leads nowhere",
    "denied.sh": "permission denied",
    "fifo.sh": "is a FIFO, not a file",
    "gone.sh": "no such file or folder",
    "huge.sh": "is larger than 2 MiB",
    "loop.sh": "too many levels of symbolic links",
    "shut": "permission denied",
    "shut/a.sh": "permission denied",
    "socket.sh": "is a socket, not a file",
    "utf16.sh": "is UTF-16; save it as UTF-8",
    "utf16be.sh": "is UTF-16; save it as UTF-8",
    "utf32.sh": "is UTF-32; save it as UTF-8",
    "/dev/null": "is a device, not a file",
    "good.sh/x": "not a directory",
    "x" * 300: "file name too long",
}
"""What is named, and what is said of it."""
FOUND_IN_A_WALK = REASONS.keys() - {"broken.sh", "gone.sh", "loop.sh", "shut/a.sh", "/dev/null", "good.sh/x", "x" * 300}
"""Symbolic links are passed by where they are not named."""
LINTED = [b"a folder.sh/inner.sh", b"bom.sh", b"esc\x1b[31m::error::.sh", b"good.sh", b"inv\xff.sh", b"latin1.sh"]
LINTED += [b"new\nline.sh", b"payload.sh"]
SHOWN = [
    "a folder.sh/inner.sh:1:1",
    "bom.sh:2:1",
    "esc\\x1b[31m:\\x3aerror:\\x3a.sh:1:1",
    "good.sh:1:1",
    "inv\\xff.sh:1:1",
    "latin1.sh:2:1",
    "new\\nline.sh:1:1",
    "payload.sh:1:1",
]


@pytest.fixture
def zoo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with all of them, and with launchers that are odd but can be read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "a folder.sh").mkdir()
    for path in map(Path, map(os.fsdecode, LINTED)):
        path.write_bytes(WRONG)
    Path("bom.sh").write_bytes(b"\xef\xbb\xbf#!/bin/bash\n" + WRONG)
    Path("latin1.sh").write_bytes(LATIN)
    Path("payload.sh").write_bytes(WRONG + b"exit\n" + b"#" * 9000 + b"\n" + ELF * 100)  # as of makeself
    Path("binary.sh").write_bytes(ELF * 100)
    for name, encoding, mark in (
        ("utf16.sh", "utf-16-le", b"\xff\xfe"),
        ("utf16be.sh", "utf-16-be", b"\xfe\xff"),
        ("utf32.sh", "utf-32-le", b"\xff\xfe\0\0"),
    ):
        Path(name).write_bytes(mark + WRONG.decode().encode(encoding))
    with Path("huge.sh").open("wb") as file:
        file.truncate(100 << 20)
    os.mkfifo("fifo.sh")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.sh")
    Path("broken.sh").symlink_to("nowhere")
    Path("loop.sh").symlink_to("loop.sh")
    Path("shut").mkdir()
    for path in (Path("denied.sh"), Path("shut/a.sh")):
        path.write_bytes(WRONG)
        path.chmod(0)
    Path("shut").chmod(0)
    return tmp_path


def recipelint(*args: str | bytes, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The program, as somebody whom the modes of files bind: root is started without the right to pass them by."""
    prefix: list[str] = []
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root may read everything, and setpriv is not installed")
        rights = "-dac_override,-dac_read_search"
        prefix = ["setpriv", f"--bounding-set={rights}", f"--inh-caps={rights}"]
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    return subprocess.run(
        [*prefix, PROGRAM, *args], env=env, input=stdin, capture_output=True, check=False, timeout=100
    )


def said(done: subprocess.CompletedProcess[bytes]) -> dict[str, str]:
    """The lines on standard error: a path, and what is said of it."""
    lines = done.stderr.decode().splitlines()
    assert all(line.startswith("recipelint: ") for line in lines), lines
    return dict(line.removeprefix("recipelint: ").rsplit(": ", 1) for line in lines)


def test_in_a_walk(zoo: Path) -> None:
    done = recipelint("--output-format", "concise")
    assert done.returncode == 2
    assert said(done) == {name: REASONS[name] for name in FOUND_IN_A_WALK}
    lines = done.stdout.decode().splitlines()
    assert [line.partition(": EP001 [error]")[0] for line in lines[:-1]] == SHOWN
    assert lines[-1].startswith("Found 8 errors in 8 files")


@pytest.mark.parametrize(
    "args",
    [
        ["check", "--output-format", "full"],
        ["check", "--output-format", "concise"],
        ["check", "--diff"],
        ["show"],
        ["table"],
        ["table", "--format", "markdown"],
        ["table", "--format", "csv"],
    ],
    ids=" ".join,
)
def test_where_they_are_named(zoo: Path, args: list[str]) -> None:
    done = recipelint(*args, *REASONS, *LINTED)
    assert done.returncode == 2
    stderr = done.stderr
    if "--diff" in args:  # the report is there, before these lines
        done.stderr = stderr[stderr.index(b"recipelint: ") :]
    assert said(done) == REASONS
    if "--diff" in args:
        assert done.stdout.count(b"\n+++ ") == len(LINTED)
        return
    text = done.stdout.decode()
    assert all(place.partition(":")[0] in text for place in SHOWN if "\\" not in place)
    if "check" in args:
        assert all(place in text for place in SHOWN)
    assert "\x1b" not in text
    assert "::" not in text


@pytest.mark.parametrize("name", OUTPUT_FORMATS)
def test_in_every_format(zoo: Path, name: str) -> None:
    """It is said in every format, and in those that have a place for it in the report as well."""
    done = recipelint("--output-format", name, *REASONS, *LINTED)
    assert (done.returncode, said(done)) == (2, REASONS)
    binary = next(path for path, reason in REASONS.items() if reason == "is binary")
    assert (binary.encode() in done.stdout) == (name in ("json", "github", "sarif", "junit", "checkstyle", "markdown"))
    clean = recipelint("--output-format", name, "--ignore", "ALL", "good.sh")
    assert (clean.returncode, clean.stderr) == (0, b"")


@pytest.mark.parametrize(("command", "key"), [("check", "diagnostics"), ("show", "files")])
def test_for_programs(zoo: Path, command: str, key: str) -> None:
    done = recipelint(command, "--output-format", "json", *REASONS, *LINTED)
    assert done.returncode == 2
    assert said(done) == REASONS
    made = json.loads(done.stdout)
    assert {one["path"]: one["reason"] for one in made["unreadable"]} == REASONS
    assert len(made[key]) == len(LINTED)


def test_the_rest_is_fixed_and_every_other_byte_kept(zoo: Path) -> None:
    done = recipelint("--fix", *REASONS, *LINTED)
    assert (done.returncode, done.stdout.count(b"fixed ")) == (2, len(LINTED))
    assert said(done) == REASONS
    fixed = Path("latin1.sh").read_bytes()
    assert fixed.startswith(b"# caf\xe9, na\xefve\n")
    assert fixed.endswith(b"--fsdp.ep_size 8 --model.gradient_checkpoint none\necho \xe9\n")
    assert Path("bom.sh").read_bytes().startswith(b"\xef\xbb\xbf#!/bin/bash\n")
    assert Path("payload.sh").read_bytes().endswith(ELF * 100)
    assert Path("denied.sh").stat().st_mode & 0o777 == 0
    assert recipelint(*LINTED).returncode == 0


@pytest.mark.parametrize(
    ("data", "reason"),
    [(ELF, "is binary"), (b"#\n" * (2 << 20), "is larger than 2 MiB"), ("x".encode("utf-16"), "is UTF-16;")],
)
def test_standard_input(zoo: Path, data: bytes, reason: str) -> None:
    done = recipelint("--output-format", "concise", "-", "good.sh", stdin=data)
    assert done.returncode == 2
    assert done.stdout.startswith(b"good.sh:1:1: EP001")
    assert done.stderr.decode().startswith(f"recipelint: <stdin>: {reason}")


def test_a_log_that_may_not_be_read(zoo: Path) -> None:
    done = recipelint("diagnose", "denied.sh", "good.sh")
    assert (done.returncode, said(done)) == (2, {"denied.sh": "Permission denied"})
    assert done.stdout == b"No known failure in 1 log\n"


def test_one_that_vanishes_or_changes_after_it_was_listed(zoo: Path) -> None:
    found = [DiscoveredFile(name, explicit=True) for name in ("good.sh", "bom.sh", "a folder.sh/inner.sh", "latin1.sh")]
    Path("good.sh").unlink()
    Path("bom.sh").unlink()
    Path("bom.sh").mkdir()
    shutil.rmtree("a folder.sh")
    outcome = run.check(Settings(), found)
    assert [(one.path, one.reason) for one in outcome.unreadable] == [
        ("good.sh", "no such file or folder"),
        ("bom.sh", "is a folder"),
        ("a folder.sh/inner.sh", "no such file or folder"),
    ]
    assert [one.location.path for one in outcome.diagnostics] == ["latin1.sh"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes devices")
def test_a_device_in_a_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        os.mknod("dev.sh", 0o020600, os.makedev(1, 5))  # zeroes without end
    except PermissionError:
        pytest.skip("no devices in this container")
    assert discover(Settings()).unreadable == [("dev.sh", "is a device, not a file")]

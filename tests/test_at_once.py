"""Several runs with --fix at the same time on the same tree, and editors beside them: no change of anybody is lost."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import pytest

from recipelint import alone, run, writing
from recipelint.discovery import DiscoveredFile
from recipelint.outcome import Change, Outcome
from recipelint.settings import Settings
from recipelint.writing import Overtaken, Refused, replace_file, replace_files

PROGRAM = Path(sys.executable).with_name("recipelint")
LAUNCHER = b"""#!/bin/bash
torchrun --nproc_per_node=8 -m molt.cli.train_sft \\
  --model.model_name_or_path /models/base \\
  # --adam.lr 5e-6 \\
  --adam.lr 1e-6
torchrun --nproc_per_node=8 -m molt.cli.train_sft --model.model_name_or_path /m --fsdp.ep_size 8 \\
  --model.gradient_checkpoint full
"""
JOINED, NONE = b"/models/base \\\n  --adam.lr 1e-6\n", b"--model.gradient_checkpoint none"
"""What SH003 and EP001 put into it."""
HELD = """import fcntl, os, sys
descriptor = os.open(sys.argv[1], os.O_RDONLY)
fcntl.flock(descriptor, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fix(*paths: str, **settings: object) -> Outcome:
    return run.check(Settings(fix=True, **settings), [DiscoveredFile(path, True) for path in paths])  # type: ignore[arg-type]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# --- runs beside each other --------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", range(4))
def test_two_runs_make_the_fixes_of_both(tree: Path, start: int) -> None:
    """Each fixes other findings of the same files, in a small tree often enough that they meet."""
    files = [tree / f"{number:02}.sh" for number in range(8)]
    for file in files:
        file.write_bytes(LAUNCHER)
    runs: list[subprocess.Popen[bytes]] = []
    for code in ("EP001", "SH003"):
        words = [str(PROGRAM), "--fix", "--isolated", "--select", code, "--fail-level", "error", "."]
        runs.append(subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        time.sleep(start * 0.03)
    said = [one.communicate() for one in runs]
    assert [one.returncode for one in runs] == [0, 0], said
    assert all(JOINED in file.read_bytes() and NONE in file.read_bytes() for file in files), said
    assert names(tree) == [".git", *(file.name for file in files)]


def test_a_run_that_another_overtakes_starts_over(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one writes after this one has read, and before it writes."""
    (tree / "a.sh").write_bytes(LAUNCHER)
    (tree / "b.sh").write_bytes(LAUNCHER)

    def other() -> None:
        subprocess.run([PROGRAM, "--fix", "--isolated", "--select", "SH003", "a.sh"], check=True, capture_output=True)

    before(monkeypatch, writing, "_beside", other)
    outcome = fix("a.sh", "b.sh", select=("EP001",))
    assert not outcome.unreadable
    text = (tree / "a.sh").read_bytes()
    assert JOINED in text
    assert NONE in text
    assert JOINED not in (tree / "b.sh").read_bytes()
    assert sorted({(one.path, one.code) for one in outcome.fixed}) == [("a.sh", "EP001"), ("b.sh", "EP001")]
    assert [change.path for change in outcome.changes] == ["a.sh", "b.sh"]


def test_a_run_of_the_same_fixes_finds_them_made(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "a.sh").write_bytes(LAUNCHER)
    before(monkeypatch, writing, "_beside", lambda: subprocess.run([PROGRAM, "--fix", "a.sh"], capture_output=True))
    outcome = fix("a.sh")
    assert not outcome.unreadable
    assert (tree / "a.sh").read_bytes().count(NONE) == 1
    assert (tree / "a.sh").read_bytes().count(b"Automodel#3325") == 1


def test_what_changes_again_and_again_is_left_alone(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever writes it is an editor, at each attempt just before the file is put in place."""
    (tree / "a.sh").write_bytes(LAUNCHER)
    (tree / "b.sh").write_bytes(LAUNCHER)
    written: list[bytes] = []

    def edited(folders: Iterable[str]) -> AbstractContextManager[None]:
        written.append(LAUNCHER + b"# %d\n" % len(written))
        (tree / "a.sh").write_bytes(written[-1])
        return alone.alone(folders)

    monkeypatch.setattr(writing, "alone", edited)
    outcome = fix("a.sh", "b.sh")
    assert [(one.path, one.reason) for one in outcome.unreadable] == [("a.sh", "not written: it has changed meanwhile")]
    assert (tree / "a.sh").read_bytes() == written[-1]
    assert NONE in (tree / "b.sh").read_bytes()
    assert {one.path for one in outcome.fixed} == {"b.sh"}
    assert names(tree) == [".git", "a.sh", "b.sh"]


def before(monkeypatch: pytest.MonkeyPatch, module: object, name: str, what: Callable[[], object]) -> None:
    """Let something else happen once, before a function is first called."""
    real = getattr(module, name)

    def called(*words: object) -> object:
        monkeypatch.setattr(module, name, real)
        what()
        return real(*words)

    monkeypatch.setattr(module, name, called)


# --- the lock ----------------------------------------------------------------------------------------------------


def test_a_run_waits_for_another_in_the_same_folder(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "a.sh").write_bytes(b"old\n")
    with subprocess.Popen(
        [sys.executable, "-c", HELD, str(tree)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        seen: list[bytes] = []

        def slept(_seconds: float) -> None:
            seen.append((tree / "a.sh").read_bytes())
            other.communicate()

        monkeypatch.setattr(time, "sleep", slept)
        replace_file(Change("a.sh", b"old\n", b"new\n"), str(tree))
    assert seen == [b"old\n"]
    assert (tree / "a.sh").read_bytes() == b"new\n"


def test_nobody_waits_for_ever(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alone, "PATIENCE", 0)
    (tree / "a.sh").write_bytes(b"old\n")
    with alone.alone([str(tree)]), pytest.raises(Refused, match="another program keeps its folder locked"):
        replace_file(Change("a.sh", b"old\n", b"new\n"), str(tree))
    assert (tree / "a.sh").read_bytes() == b"old\n"
    assert names(tree) == [".git", "a.sh"]


def test_a_file_system_without_locks(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As NFS, which locks no folder: a file among the temporary ones stands for it, and none in the tree."""
    import fcntl

    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    real = fcntl.flock

    def flock(descriptor: int, operation: int) -> None:
        if os.path.isdir(f"/proc/self/fd/{descriptor}"):
            raise OSError(9, "Bad file descriptor")
        real(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", flock)
    monkeypatch.setattr(alone, "PATIENCE", 0)
    (tree / "a.sh").write_bytes(b"old\n")
    with alone.alone([str(tree)]), pytest.raises(Refused, match="locked"):
        replace_file(Change("a.sh", b"old\n", b"new\n"), str(tree))
    replace_file(Change("a.sh", b"old\n", b"new\n"), str(tree))
    assert (tree / "a.sh").read_bytes() == b"new\n"
    assert len(names(temporary)) == 1
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    replace_file(Change("a.sh", b"new\n", b"old\n"), str(tree))
    assert (tree / "a.sh").read_bytes() == b"old\n"


def test_nobody_is_held_up_by_what_somebody_else_put_among_the_temporary_files(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any user can make a file of that name there, and keep it locked."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setattr(alone, "PATIENCE", 0)
    other, us = os.getuid(), os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: us)
    locked = os.stat(tree)
    squatted = temporary / f"recipelint-{us}-{locked.st_dev:x}-{locked.st_ino:x}.lock"
    squatted.touch(0o666)
    assert squatted.stat().st_uid == other
    process = subprocess.Popen(
        [sys.executable, "-c", HELD, squatted], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process, ExitStack() as held:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        alone._instead(str(tree), held)  # it would raise Taken
        monkeypatch.setattr(os, "getuid", lambda: other)
        squatted.rename(temporary / squatted.name.replace(f"-{us}-", f"-{other}-"))
        with pytest.raises(alone.Taken):
            alone._instead(str(tree), held)
        assert process.stdin is not None
        process.stdin.close()


# --- files of one fix --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", ["a.py", "b.py", "c.py"])
def test_files_that_belong_together_are_written_together_or_not_at_all(tree: Path, wrong: str) -> None:
    changes = []
    for name in ("a.py", "b.py", "c.py"):
        (tree / name).write_bytes(b"old\n")
        changes.append(Change(name, b"old\n", b"new\n"))
    (tree / wrong).write_bytes(b"other\n")
    with pytest.raises(Overtaken):
        replace_files(changes, lambda _: str(tree))
    assert [(tree / name).read_bytes() for name in ("a.py", "b.py", "c.py")].count(b"old\n") == 2
    (tree / wrong).write_bytes(b"new\n")  # another run was quicker
    replace_files(changes, lambda _: str(tree))
    assert {(tree / name).read_bytes() for name in ("a.py", "b.py", "c.py")} == {b"new\n"}
    assert names(tree) == [".git", "a.py", "b.py", "c.py"]


def test_what_fails_half_way_is_put_back(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changes = [Change(name, b"old\n", b"new\n") for name in ("a.py", "b.py", "c.py")]
    for change in changes:
        (tree / change.path).write_bytes(b"old\n")
        (tree / change.path).chmod(0o751)
    real = os.replace

    def replace(source: str, target: str) -> None:
        if target == "c.py":
            raise OSError(5, "Input/output error")
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(OSError, match="Input/output error"):
        replace_files(changes, lambda _: str(tree))
    assert {(tree / change.path).read_bytes() for change in changes} == {b"old\n"}
    assert {(tree / change.path).stat().st_mode & 0o777 for change in changes} == {0o751}
    assert names(tree) == [".git", "a.py", "b.py", "c.py"]


def test_a_guard_is_not_called_where_it_was_not_written(molt: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fix of GUARD001 changes the shared module and the entry points; one of them changes meanwhile."""
    monkeypatch.chdir(molt)
    monkeypatch.setattr(run, "AGAIN", 0)
    shared = molt / "molt" / "cli" / "common_args.py"
    texts = {path: path.read_bytes() for path in (molt / "molt").rglob("*.py")}
    before(monkeypatch, writing, "_beside", lambda: shared.write_bytes(texts[shared] + b"# mine\n"))
    done = guarded()
    reasons = {one.path: one.reason for one in done.unreadable}
    changed = {path.name for path, text in texts.items() if path.read_bytes() != text}
    assert changed == {"common_args.py"}
    assert shared.read_bytes() == texts[shared] + b"# mine\n"
    assert reasons["molt/cli/common_args.py"] == "not written: it has changed meanwhile"
    assert set(reasons.values()) == {
        "not written: it has changed meanwhile",
        "not written: a fix changes molt/cli/common_args.py as well, which is not",
    }
    assert not done.fixed


def guarded() -> Outcome:
    from recipelint.discovery import discover

    settings = Settings(fix=True, unsafe_fixes=True, select=("GUARD001",), paths=("molt",))
    return run.check(settings, discover(settings).files)

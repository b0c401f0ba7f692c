"""A signal, or a full disk, in the middle of --fix: each file is the old one or the new one, and there is no other."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recipelint.holding import held
from tests.test_unreadable import recipelint

OLD = b"torchrun -m molt.cli.train_sft --fsdp.ep_size 8 --model.gradient_checkpoint full\n"
NEW = b"--model.gradient_checkpoint none\n"
PROGRAM = """
import os, sys
seen = 0
wanted, at, number = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
def hook(event, arguments):
    global seen
    if event == wanted and ".recipelint-" in str(arguments):
        seen += 1
        if seen == at:
            os.kill(os.getpid(), number)
sys.addaudithook(hook)
del sys.argv[1:4]
from recipelint.cli import main
main()
"""
"""recipelint, which gets a signal as it is about to do something to its temporary files for the nth time."""
EVENTS = {"making one": "open", "putting one in place": "os.rename", "taking one away": "os.remove"}
STATUS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}


def launchers(tree: Path, count: int) -> list[Path]:
    (tree / ".git").mkdir()
    files = [tree / f"{number:04}.sh" for number in range(count)]
    for file in files:
        file.write_bytes(OLD)
    return files


def stopped(tree: Path, event: str, at: int, number: int) -> tuple[int, bytes]:
    """The exit status that a shell sees, and what is said."""
    words = [sys.executable, "-c", PROGRAM, event, str(at), str(number), "--fix", "--isolated", "."]
    done = subprocess.run(
        ["bash", "-c", '"$@"; exit $?', "bash", *words], cwd=tree, capture_output=True, check=False, timeout=600
    )
    return done.returncode, done.stderr


def fixed(files: list[Path]) -> int:
    """How many files are the new ones; the others are the old ones."""
    texts = [file.read_bytes() for file in files]
    assert all(text == OLD or (text.endswith(NEW) and text.startswith(b"# Full activation")) for text in texts)
    return sum(text != OLD for text in texts)


@pytest.mark.parametrize("number", STATUS, ids=lambda number: number.name)
@pytest.mark.parametrize("event", EVENTS)
def test_a_signal_in_the_middle(tmp_path: Path, event: str, number: signal.Signals) -> None:
    """The file under way is finished, and none after it is begun."""
    files = launchers(tmp_path, 9)
    status, said = stopped(tmp_path, EVENTS[event], 5, number)
    assert (status, b"Traceback" in said) == (STATUS[number], False), said
    assert fixed(files) == 5
    assert sorted(os.listdir(tmp_path)) == [".git", *(file.name for file in files)]


def test_a_signal_in_the_middle_of_a_thousand(tmp_path: Path) -> None:
    files = launchers(tmp_path, 1000)
    assert stopped(tmp_path, "os.rename", 500, signal.SIGTERM)[0] == 143
    assert fixed(files) == 500
    assert sorted(os.listdir(tmp_path)) == [".git", *(file.name for file in files)]
    again = subprocess.run(
        [sys.executable, "-m", "recipelint", "--fix", "--isolated", "."], cwd=tmp_path, capture_output=True, check=False
    )
    assert again.returncode == 0, again.stderr
    assert fixed(files) == 1000


def test_a_signal_is_held_until_it_is_asked_for() -> None:
    seen: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: seen.append(number))
    try:
        with held() as deliver:
            signal.raise_signal(signal.SIGTERM)
            assert seen == []
            deliver()
            assert seen == [signal.SIGTERM]
            signal.raise_signal(signal.SIGTERM)
            assert seen == [signal.SIGTERM]
        assert seen == [signal.SIGTERM] * 2
        signal.raise_signal(signal.SIGTERM)
        assert seen == [signal.SIGTERM] * 3
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_signal_that_is_ignored_stays_so() -> None:
    """As SIGHUP under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with held():
            signal.raise_signal(signal.SIGHUP)
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


# --- where nothing can be written --------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 kB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount, umount = shutil.which("mount"), shutil.which("umount")
    if mount is None or umount is None or os.geteuid() != 0:
        pytest.skip("only root mounts a file system")
    words = [mount, "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("no file systems are mounted in this container")
    try:
        yield disk
    finally:
        subprocess.run([umount, "--lazy", str(disk)], check=True)


def refused(done: subprocess.CompletedProcess[bytes], reason: str) -> None:
    """The finding is told, the reason too, and no fix."""
    assert done.returncode == 2
    assert done.stderr.decode() == f"recipelint: a.sh: not written: {reason}\n"
    assert b"a.sh:1:" in done.stdout
    assert b"fixed" not in done.stdout


def test_a_full_disk(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(small_disk)
    (small_disk / "a.sh").write_bytes(OLD)
    with pytest.raises(OSError, match="No space"):
        (small_disk / "filler").write_bytes(b"x" * (1 << 20))
    names = sorted(os.listdir(small_disk))
    refused(recipelint("--fix", "--isolated", "a.sh"), "No space left on device")
    assert (small_disk / "a.sh").read_bytes() == OLD
    assert sorted(os.listdir(small_disk)) == names


def test_a_limit_to_the_size_of_files(tmp_path: Path) -> None:
    """The first bytes of the new file can be written, the others not."""
    (tmp_path / "a.sh").write_bytes(OLD + b"# more\n" * 100)
    limit: Callable[[], None] = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))  # noqa: E731
    done = subprocess.run(
        [Path(sys.executable).with_name("recipelint"), "--fix", "--isolated", "--output-format", "concise", "a.sh"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        preexec_fn=limit,
    )
    refused(done, "File too large")
    assert (tmp_path / "a.sh").read_bytes() == OLD + b"# more\n" * 100
    assert os.listdir(tmp_path) == ["a.sh"]


def test_a_folder_that_may_not_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.sh").write_bytes(OLD)
    tmp_path.chmod(0o555)
    try:
        refused(recipelint("--fix", "--isolated", "--output-format", "concise", "a.sh"), "Permission denied")
    finally:
        tmp_path.chmod(0o755)
    assert (tmp_path / "a.sh").read_bytes() == OLD
    assert os.listdir(tmp_path) == ["a.sh"]


# --- what is in the place of a file when it is written -----------------------------------------------------------


REPLACED: dict[str, Callable[[Path], object]] = {
    "nothing": lambda path: None,
    "a folder": lambda path: path.mkdir(),
    "a FIFO": lambda path: os.mkfifo(path),
    "a link": lambda path: path.symlink_to("elsewhere.sh"),
    "an endless one": lambda path: path.symlink_to("/dev/zero"),
    "another text": lambda path: path.write_bytes(OLD + b"# mine\n"),
    "a longer text": lambda path: path.write_bytes(OLD * 1000),
}


@pytest.mark.parametrize("kind", REPLACED)
@pytest.mark.parametrize("when", ["read", "checked"])
def test_what_was_replaced_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, when: str) -> None:
    """After it was read, and after it was looked at again with the temporary file there."""
    from recipelint import run, writing
    from recipelint.discovery import DiscoveredFile
    from recipelint.settings import Settings

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run, "AGAIN", 0)
    path = tmp_path / "a.sh"
    path.write_bytes(OLD)
    (tmp_path / "elsewhere.sh").write_bytes(OLD)
    name = "replace_files" if when == "read" else "alone"
    real = getattr(writing, name)

    def later(*words: object) -> object:
        path.unlink()
        REPLACED[kind](path)
        return real(*words)

    monkeypatch.setattr(writing, name, later)
    outcome = run.check(Settings(fix=True), [DiscoveredFile("a.sh", True)])
    (told,) = outcome.unreadable
    assert told.reason.startswith("not written: ")
    assert not outcome.fixed
    assert (tmp_path / "elsewhere.sh").read_bytes() == OLD
    assert path.is_file() == (kind in ("a link", "another text", "a longer text"))
    assert [one for one in os.listdir(tmp_path) if one.startswith(".recipelint-")] == []

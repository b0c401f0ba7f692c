"""What is wrong with how recipelint takes one input: it must say something, in little time, and do nothing else.

To be asked in a process of its own: it changes the working directory, and puts a hook that stays.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from tests.fuzz.jail import jailed
from tests.fuzz.kinds import KINDS, text

CPU_S = 20
"""Seconds of processor time for one command: no measure of speed, what is quadratic or worse takes minutes."""
INTERNAL = b"an internal error, "


class TooLong(BaseException):
    """The processor time is used up."""


class Taster:
    """A tree in a temporary folder, in which one input after another is tasted."""

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="recipelint-fuzz-")).resolve()
        self.cache = self.root / "cache"
        self.tree = self.root / "tree"
        self.temporary = self.root / "temporary"
        self.temporary.mkdir()
        tempfile.tempdir = str(self.temporary)  # where rules are tried, and nothing may be left
        os.environ["XDG_CACHE_HOME"] = str(self.cache)

    def verdict(self, kind: str, data: bytes) -> str:
        """What is wrong, in one line; nothing where all is well."""
        made = KINDS[kind]
        shutil.rmtree(self.tree, ignore_errors=True)
        for name, content in {**made.others, made.file: text(kind, data)}.items():
            path = self.tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        (self.tree / ".git").mkdir()
        os.chdir(self.tree)
        for words in made.commands:
            names = set(everything(self.tree))
            if wrong := self.command(words, data) or self.litter(words, names):
                return f"{' '.join(words)}: {wrong}"
        return ""

    def command(self, words: tuple[str, ...], data: bytes) -> str:
        """What is wrong with one command."""
        from recipelint.cli.commands import app
        from recipelint.cli.terminal import run

        before = sys.stdout, sys.stderr
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
        with jailed([str(self.tree), str(self.cache), str(self.temporary)]) as seen:
            sys.stdout, sys.stderr = out, err
            try:
                with bounded():
                    status = run(app, words)
            except (Exception, TooLong, RecursionError) as error:
                return place(error)
            finally:
                sys.stdout, sys.stderr = before
        if seen:
            return seen[0]
        printed = out.buffer.getvalue() + err.buffer.getvalue()
        if INTERNAL in printed and INTERNAL not in data:
            return printed[printed.index(INTERNAL) :][:200].decode("utf-8", "replace")
        if status not in (0, 1, 2):
            return f"exit status {status}"
        if "json" in words and status != 2:
            try:
                json.loads(out.buffer.getvalue())
            except ValueError as error:
                return f"no JSON: {error}"
        return ""

    def litter(self, words: tuple[str, ...], names: set[str]) -> str:
        """What a command left in the tree, or took from it."""
        changed = (names ^ set(everything(self.tree))) - {"known.json"} | set(everything(self.temporary))
        return f"left or took {sorted(changed)}" if changed else ""


@contextmanager
def bounded() -> Iterator[None]:
    """Raises TooLong when the processor time is used up."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TooLong(f"more than {CPU_S} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, CPU_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def everything(folder: Path) -> Iterator[str]:
    return (str(path.relative_to(folder)) for path in folder.rglob("*"))


def place(error: BaseException) -> str:
    """An exception, and where in recipelint it comes from."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f"{os.sep}recipelint{os.sep}" in f.filename]
    where = " < ".join(f"{Path(f.filename).stem}:{f.lineno}" for f in reversed(frames[-3:]))
    return f"{type(error).__name__}: {str(error)[:200]} ({where})"

"""Times two commands against each other, fairly: interleaved (A B, B A, …), whole processes, wall time.

The figure to trust is the median of the paired ratios: what slows the machine slows both halves of a pair.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Command:
    """A command line, and what to call it. `statuses`: the exit statuses that mean it did its work."""

    name: str
    argv: tuple[str, ...]
    statuses: tuple[int, ...] = (0,)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The medians of one paired run, in seconds; `ratio` is the median of ours over theirs, pair by pair."""

    what: str
    ours: str
    theirs: str
    pairs: int
    ours_seconds: float
    theirs_seconds: float
    ratio: float
    lowest: float
    highest: float

    def as_dict(self) -> dict[str, str | int | float]:
        return asdict(self)


def compare(what: str, ours: Command, theirs: Command, pairs: int) -> Comparison:
    """Run both once unmeasured, then PAIRS times each, the first of a pair in turns."""
    measure(ours)
    measure(theirs)
    times: list[tuple[float, float]] = []
    for turn in range(pairs):
        if turn % 2 == 0:
            first = measure(ours)
            times.append((first, measure(theirs)))
        else:
            first = measure(theirs)
            times.append((measure(ours), first))
    ratios = [mine / other for mine, other in times]
    return Comparison(
        what=what,
        ours=ours.name,
        theirs=theirs.name,
        pairs=pairs,
        ours_seconds=statistics.median(mine for mine, _ in times),
        theirs_seconds=statistics.median(other for _, other in times),
        ratio=statistics.median(ratios),
        lowest=min(ratios),
        highest=max(ratios),
    )


def measure(command: Command) -> float:
    """The wall time of one run in seconds.

    Raises CalledProcessError when the exit status says that the command did not do its work: a crash is fast.
    """
    start = time.perf_counter()
    status = run(command.argv)
    seconds = time.perf_counter() - start
    if status not in command.statuses:
        raise subprocess.CalledProcessError(status, command.argv)
    return seconds


class Measured(NamedTuple):
    """One run: wall time, and the most memory that one of its processes had."""

    seconds: float
    mebibytes: float


def measured(command: Command) -> Measured:
    """One run with its memory. Raises CalledProcessError as `measure` does."""
    start = time.perf_counter()
    # Only a process that was spawned starts from nothing: one that was forked has had the memory of this one.
    quiet = [(os.POSIX_SPAWN_OPEN, end, os.devnull, os.O_RDWR, 0) for end in (0, 1, 2)]
    pid = os.posix_spawn(command.argv[0], command.argv, os.environ, file_actions=quiet)
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    status = os.waitstatus_to_exitcode(status)
    if status not in command.statuses:
        raise subprocess.CalledProcessError(status, command.argv)
    return Measured(seconds, usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10))


def run(argv: Sequence[str]) -> int:
    """Run a command with no input, its output thrown away; its exit status."""
    return subprocess.run(
        argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    ).returncode

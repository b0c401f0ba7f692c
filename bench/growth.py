"""What twice as much costs: in time over the start, and in memory, for many launchers and for a long one."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path

from bench.corpus import long, many
from bench.paired import Command, Measured, measured


def growth(recipelint: str, models: Sequence[str], count: int, folder: Path) -> list[tuple[str, ...]]:
    """A row for each of n, 2n and 4n files and lines: seconds, times what half of it took, MiB."""
    files = [(f"{n} launchers", many(models, n, folder / f"many{n}")) for n in (count, 2 * count, 4 * count)]
    lines = [(f"{n} lines", long(models, n, folder / f"long{n}.sh")) for n in (12 * count, 24 * count, 48 * count)]
    start = measured(Command("start", (recipelint, "rule", "EP001")))
    rows: list[tuple[str, ...]] = []
    for made in (files, lines):
        commands = [Command(name, (recipelint, "--no-cache", "check", "-q", str(path)), (0, 1)) for name, path in made]
        rounds = [[measured(command) for command in commands] for _ in range(3)]
        rows += doublings([name for name, _ in made], rounds, start.seconds)
    return rows


def doublings(names: Sequence[str], rounds: Sequence[Sequence[Measured]], start: float) -> list[tuple[str, ...]]:
    """The medians; what a doubling costs is told of each round by itself, as what slows the machine slows all of it."""
    rows: list[tuple[str, ...]] = []
    for at, name in enumerate(names):
        seconds = statistics.median(turn[at].seconds for turn in rounds)
        mebibytes = max(turn[at].mebibytes for turn in rounds)
        ratio = ""
        if at:
            over = [[max(one.seconds - start, 0.005) for one in turn] for turn in rounds]
            ratio = f"{statistics.median(turn[at] / turn[at - 1] for turn in over):.2f}"
        rows.append((name, f"{seconds:.2f}", ratio, f"{mebibytes:.0f}"))
    return rows

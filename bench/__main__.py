"""`python -m bench [PATH…]`: one paired run of every case, as a table and, if asked for, as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.cases import FIXTURES, cases, crowd, launchers
from bench.growth import growth
from bench.paired import Comparison, compare

HEADINGS = ("what", "ours", "ms", "theirs", "ms", "ratio", "lowest to highest")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, default=[FIXTURES], help="launchers, or folders of them")
    parser.add_argument("--pairs", type=int, default=11, help="how often each comparison is made (default: 11)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE too")
    parser.add_argument("--crowd", type=int, default=1000, help="how many launchers are many (default: 1000)")
    parser.add_argument("--profile", action="store_true", help="tell where the time goes, and compare nothing")
    options = parser.parse_args()
    files = launchers(options.paths)
    if not files:
        parser.error("no launcher is among the paths")
    if options.profile:
        profile(files)
        return
    with TemporaryDirectory() as folder:
        made = Path(folder)
        results = [compare(*case, options.pairs) for case in cases(files)]
        results += [compare(*case, min(3, options.pairs)) for case in crowd(files, options.crowd, made)]
        print(
            f"Medians of {options.pairs} interleaved pairs, wall time; the ratio is ours over theirs, pair by pair.\n"
        )
        print(table([HEADINGS, *map(row, results)]))
        models = [Path(file).read_text("utf-8") for file in files]
        recipelint = str(Path(sys.executable).parent / "recipelint")
        print("\nGrowth: what twice as much costs, the start left out, and the most memory that a process has.\n")
        grown = growth(recipelint, models, max(1, options.crowd // 4), made)
        print(table([("what", "s", "times half of it", "MiB"), *grown]))
    if options.json:
        options.json.write_text(json.dumps([result.as_dict() for result in results], indent=2) + "\n", "utf-8")


def profile(files: Sequence[str]) -> None:
    """Print where the time of a run goes."""
    from bench.profile import loading, shares, steps

    recipelint = str(Path(sys.executable).parent / "recipelint")
    start = loading([recipelint, "check", "--no-cache", files[0]])
    print("What one launcher waits for until its modules are loaded, in milliseconds.\n")
    print(table([(name, f"{value:.0f}") for name, value in start.items()]))
    print(f"\nWhat {len(files)} launchers then wait for.\n")
    print(table(shares(steps(files))))


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows in aligned columns, one a line."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in rows)


def row(result: Comparison) -> tuple[str, ...]:
    return (
        result.what,
        result.ours,
        f"{result.ours_seconds * 1000:.0f}",
        result.theirs,
        f"{result.theirs_seconds * 1000:.0f}",
        f"{result.ratio:.3f}",
        f"{result.lowest:.3f} to {result.highest:.3f}",
    )


if __name__ == "__main__":
    main()

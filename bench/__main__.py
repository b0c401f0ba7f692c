"""`python -m bench [PATH…]`: one paired run of every case, as a table and, if asked for, as JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from bench.cases import FIXTURES, cases, launchers
from bench.paired import Comparison, compare

HEADINGS = ("what", "ours", "ms", "theirs", "ms", "ratio", "lowest to highest")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, default=[FIXTURES], help="launchers, or folders of them")
    parser.add_argument("--pairs", type=int, default=11, help="how often each comparison is made (default: 11)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE too")
    options = parser.parse_args()
    files = launchers(options.paths)
    if not files:
        parser.error("no launcher is among the paths")
    results = [compare(*case, options.pairs) for case in cases(files)]
    print(f"Medians of {options.pairs} interleaved pairs, wall time; the ratio is ours over theirs, pair by pair.\n")
    print(table(results))
    if options.json:
        options.json.write_text(json.dumps([result.as_dict() for result in results], indent=2) + "\n", "utf-8")


def table(results: Sequence[Comparison]) -> str:
    """The comparisons in aligned columns, one a line."""
    rows = [HEADINGS, *(row(result) for result in results)]
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

"""`python -m tests.fuzz [PART…]`: each part in turn; exit status 1 if one of them found something."""

from __future__ import annotations

import argparse
import hashlib
import importlib
import sys
from pathlib import Path

from tests.fuzz.budget import Budget, Failure, Outcome

PARTS = ("agreement", "hostile")
"""Modules of this package, in the order in which they run."""
FOLDER = Path(__file__).parent.parent.parent / ".fuzz"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"which of {', '.join(PARTS)} (default: all)")
    parser.add_argument("--examples", type=int, default=100_000, help="for parts that count (default: 100,000)")
    parser.add_argument("--minutes", type=float, default=10, help="for parts that go on for a time (default: 10)")
    parser.add_argument("--seed", type=int, default=0, help="where chance starts (default: 0)")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="what is kept from run to run (default: .fuzz)")
    options = parser.parse_args()
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    found = 0
    for name in options.parts or PARTS:
        folder = options.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        budget = Budget(options.examples, options.minutes * 60, options.seed, folder)
        outcome: Outcome = importlib.import_module(f"tests.fuzz.{name}").fuzz(budget)
        print(f"{name}: {outcome.tried} tried, {len(outcome.failures)} failed", flush=True)
        for failure in outcome.failures:
            print(f"  {kept(folder, failure)}: {ascii(failure.reason)[1:-1]}", flush=True)
        found += len(outcome.failures)
    return 1 if found else 0


def kept(folder: Path, failure: Failure) -> Path:
    """Where a failure is kept."""
    path = folder / "failures" / hashlib.sha256(failure.text).hexdigest()[:16]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(failure.text)
    return path


if __name__ == "__main__":
    sys.exit(main())

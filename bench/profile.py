"""Where the time of a run goes: what is loaded, and then each step, in shares of one run under a profile.

A profile makes calls dearer than they are, so the shares tell where to look, and not how long anything takes.
"""

from __future__ import annotations

import cProfile
import os
import pstats
import subprocess
import sys
from collections.abc import Mapping, Sequence

STEPS = (
    ("parsing the shell", "/recipelint/shell/parse"),
    ("evaluating it", "/recipelint/shell/"),
    ("reading trainers", "/recipelint/python/"),
    ("reading pins", "/recipelint/packages/"),
    ("putting launches together", "/recipelint/recipe/"),
    ("comments and prose", "/recipelint/prose/"),
    ("checks, fixes and places of comments", "/recipelint/"),
    ("Python's own", ""),
)
"""The first whose part of a path a function's file has, has its time."""


def shares(seconds: Mapping[str, float]) -> list[tuple[str, ...]]:
    """The steps with their share, in their order."""
    total = sum(seconds.values()) or 1.0
    return [(name, f"{100 * value / total:.0f} %") for name, value in seconds.items()]


def step_of(file: str) -> str:
    return next(name for name, part in STEPS if part in file.replace("\\", "/"))


def steps(files: Sequence[str]) -> dict[str, float]:
    """The seconds that each step took, in one process; built-in functions count with those that call them."""
    os.environ["RECIPELINT_DEBUG"] = "1"
    from recipelint.discovery import DiscoveredFile
    from recipelint.run import check
    from recipelint.settings import Settings

    given = [DiscoveredFile(path, True) for path in files]
    check(Settings(), given[:1])  # what is loaded and compiled once is no step
    profile = cProfile.Profile(builtins=False)
    profile.runcall(check, Settings(), given)
    found = {name: 0.0 for name, _ in STEPS}
    for (file, _, _), (_, _, own, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        found[step_of(file)] += own
    return found


def loading(command: Sequence[str], turns: int = 5) -> dict[str, float]:
    """Milliseconds that loading takes, by who is loaded: the least of some runs."""
    least: dict[str, float] = {}
    for _ in range(turns):
        done = subprocess.run(
            [sys.executable, "-X", "importtime", *command], capture_output=True, text=True, check=False
        )
        for line in done.stderr.splitlines():
            own, _, rest = line.removeprefix("import time:").partition("|")
            name = rest.rpartition("|")[2].strip()
            if own.strip().isdigit():
                least[name] = min(float(own) / 1000, least.get(name, float("inf")))
    found = dict.fromkeys(("Python's library", "click", "recipelint"), 0.0)
    for name, own in least.items():
        top = name.partition(".")[0]
        found[top if top in ("recipelint", "click") else "Python's library"] += own
    return found

"""Generated launchers under bash and under recipelint: every word and every exported variable that is known is equal."""

from __future__ import annotations

import random
import subprocess

from tests.fuzz.budget import Budget, Failure, Outcome
from tests.fuzz.shrink import shrunk
from tests.properties.both import Undecided, box, resolved
from tests.properties.grammar import written

ENOUGH = 20
"""So many failures are plenty to work on."""


def fuzz(budget: Budget) -> Outcome:
    """Try launchers until there are enough of them, or enough failures."""
    failures: list[Failure] = []
    for number in range(budget.examples):
        chance = random.Random(f"{budget.seed}/{number}")
        text = written(chance.choice, "launcher")
        if difference(text):
            text = shrunk(text, lambda smaller: bool(difference(smaller)))
            failures.append(Failure(text.encode(), difference(text)))
            if len(failures) == ENOUGH:
                return Outcome(number + 1, tuple(failures))
    return Outcome(budget.examples, tuple(failures))


def difference(text: str) -> str:
    """What differs, in one line; nothing where bash refuses a command, or does not end: what follows is then no matter."""
    try:
        real, complaints = box().launches(text.encode())
    except subprocess.TimeoutExpired:
        return ""
    if complaints:
        return ""
    try:
        ours = resolved(text.encode())
    except Undecided as error:
        return f"undecided: {error}"
    if len(ours) != len(real):
        return f"{len(ours)} launches, bash makes {len(real)}"
    return next((f"{a} where bash has {b}" for a, b in zip(ours, real, strict=True) if a != b), "")

"""Generated launchers under bash and under recipelint: every word and every exported variable is equal."""

from __future__ import annotations

import random

from tests.fuzz.budget import Budget, Failure, Outcome
from tests.fuzz.shrink import shrunk
from tests.properties.both import box
from tests.properties.grammar import Tree, grown
from tests.properties.verdict import verdict

ENOUGH = 20
"""So many failures are plenty to work on."""


def fuzz(budget: Budget) -> Outcome:
    """Try launchers until there are enough of them, or enough failures."""
    failures: list[Failure] = []
    for number in range(budget.examples):
        tree = grown(random.Random(f"{budget.seed}/{number}").choice, "launcher")
        found = verdict(tree.text)
        if found.bad:
            small = smallest(tree, found.kind)
            failures.append(Failure(small.encode(), f"{found.kind}: {verdict(small).detail}"))
            if len(failures) == ENOUGH:
                return Outcome(number + 1, tuple(failures))
    return Outcome(budget.examples, tuple(failures))


def smallest(tree: Tree, kind: str) -> str:
    """A smaller launcher with a verdict of the same KIND, one that bash can parse."""

    def fails(smaller: str) -> bool:
        launcher = smaller.partition("#@ ")[0]
        return verdict(smaller).kind == kind and box().run("-n", text=launcher.encode())[0] == 0

    return shrunk(tree, fails).text

"""What the arguments of a launcher would do to a launch: found by giving it some that nothing else could be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from recipelint.recipe.build import Resolved

MARK = "--recipelint-mark-"
MOST = 3
"""How many arguments are given at most."""


class Given(NamedTuple):
    """The arguments that reach the words of a launch.

    passed   the index of the first word that is an argument; the words before it can be said again by one
    by       for the index of a word, the number of the argument that would take its place
    """

    passed: int = 0
    by: Mapping[int, int] = {}


NOTHING = Given()


def marks(given: int, count: int) -> tuple[str, ...]:
    """COUNT more arguments, after GIVEN others."""
    return tuple(f"{MARK}{given + number}-" for number in range(1, count + 1))


def reached(before: Resolved, others: Sequence[Resolved]) -> Given:
    """What the arguments do to a launch; OTHERS are the same launch under one argument more, and under several."""
    passed = 0
    by: dict[int, int] = {}
    for other in others:
        words = [argument.text for argument in other.launch.argv]
        whole = [at for at, word in enumerate(words) if word.startswith(MARK) and word.endswith("-")]
        if len(words) > len(before.launch.argv) and whole:
            passed = passed or whole[0]
        elif len(words) == len(before.launch.argv):
            for at, word in enumerate(words):
                number = word.partition(MARK)[2].partition("-")[0]
                if number.isdecimal():
                    by.setdefault(at, int(number))
    return Given(passed, by)

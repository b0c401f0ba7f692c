"""The order in which Python looks through the bases of a class (C3), bounded."""

from __future__ import annotations

from typing import Any

LENGTH_CAP = 2000


def merged(lines: list[list[Any]]) -> list[Any]:
    """The lines of several bases as one, a class after all that come before it in any of them (C3)."""
    if len(lines) == 1:
        return lines[0]
    left = [list(line) for line in lines if line]
    made: list[Any] = []
    while left and len(made) < LENGTH_CAP:
        firsts = [line[0] for line in left]
        free = (one for one in firsts if not any(_is_in(one, line[1:]) for line in left))
        chosen = next(free, firsts[0])
        made.append(chosen)
        left = [[one for one in line if one is not chosen and one != chosen] for line in left]
        left = [line for line in left if line]
    return made


def _is_in(one: Any, line: list[Any]) -> bool:
    return any(one is other or one == other for other in line)

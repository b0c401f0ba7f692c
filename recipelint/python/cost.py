"""What work on a value costs before it is done: its parts and characters, shared ones each time they come up.

One unit is about a microsecond; measuring costs no more than what it measures, and stops at a cap.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from recipelint.python.values import LENGTH_CAP, PARTS_CAP, DictValue, ListValue, Value

CHARACTERS = 16
"""Characters that cost as much as one part."""
MARK_CAP = 200_000
"""Marks of a program: each may become nodes of a tree that take a kilobyte together."""
_SPELLED = 8
_WORDS = bytes(byte for byte in range(256) if byte >= 128 or chr(byte).isalnum() or byte in b" \t\r_\\\"'#")


def weight(value: Value) -> int:
    """The parts of a value, however deep, and its characters; no more than PARTS_CAP."""
    total = 0
    left = [value]
    while left and total < PARTS_CAP:
        one = left.pop()
        total += 1
        if isinstance(one, str):
            total += len(one) // CHARACTERS
        elif type(one) is tuple:
            left += one[:PARTS_CAP]
        elif isinstance(one, ListValue):
            left += one.items[:PARTS_CAP]
        elif isinstance(one, DictValue):
            left += list(one.items)[:PARTS_CAP]
            left += list(one.items.values())[:PARTS_CAP]
        elif isinstance(one, range):
            total += len_of(one)
    return min(total, PARTS_CAP)


def operation(kind: ast.operator, left: Value, right: Value) -> int:
    """What an operator costs: one that repeats, or fills in a text, as often as that may be."""
    both = weight(left) + weight(right)
    if isinstance(kind, ast.Mult):
        times = [value for value in (left, right) if isinstance(value, int) and 0 < value <= LENGTH_CAP]
        return both * max(times, default=1)
    if isinstance(kind, ast.Mod) and isinstance(left, str):
        return both * (1 + left[:LENGTH_CAP].count("%"))
    return both


def method(receiver: Value, name: str, given: Iterable[Value]) -> int:
    """What a method of a text or a sequence costs, with all that it is given."""
    both = weight(receiver) + sum(map(weight, given))
    text = receiver[:LENGTH_CAP] if isinstance(receiver, str) else ""
    if name == "format":
        return both * (1 + text.count("{"))
    if name in ("replace", "join"):
        return both * (1 + len(text) // CHARACTERS)
    return both + len(text) // 4


def spelling(node: ast.AST) -> int:
    """What it costs to write out a piece of source."""
    return _SPELLED * sum(1 for _ in ast.walk(node))


def marks(data: bytes) -> int:
    """How much there is in a source that makes nodes, found without parsing: signs, ends of statements, words."""
    ends = data.count(b"\n") + data.count(b";")
    return len(data.translate(None, _WORDS)) + ends + sum(1 for _ in re.finditer(rb"[ \t]\b", data))


def len_of(value: Value) -> int:
    """The entries of what a loop can go over; 0 for anything else."""
    if isinstance(value, ListValue | DictValue):
        return len(value.items)
    if isinstance(value, range):  # `len` fails on the longest
        return min(max(0, (value.stop - value.start) // value.step), LENGTH_CAP)
    return len(value) if isinstance(value, str) or type(value) is tuple else 0

"""Conditions on settings: the closed vocabulary of a rule's `when`, and how its checked YAML is read.

No expression is evaluated and no code is loaded: a condition is a tree of comparisons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

OPERATORS: Mapping[str, str] = {
    "equals": "is",
    "one_of": "is",
    "greater_than": "is greater than",
    "less_than": "is less than",
    "at_least": "is at least",
    "at_most": "is at most",
    "divides": "divides",
    "present": "is given",
    "absent": "is not given",
    "overridable": "is a default that the environment overrides",
}
"""Each with the words for it. `overridable`: a default of the launcher, in whose place a variable would put
another value."""

ORDER = ("greater_than", "less_than", "at_least", "at_most", "divides")
"""Those for numbers."""

FLAGS = ("present", "absent", "overridable")
"""Those that have `true` for an operand."""

Operand = int | str | bool | tuple[int | str, ...]


class Reference(NamedTuple):
    """The value of another setting, as an operand."""

    setting: str


class Comparison(NamedTuple):
    """A setting compared to an operand."""

    setting: str
    operator: str
    operand: Operand | Reference


class AllOf(NamedTuple):
    parts: tuple[Condition, ...]


class AnyOf(NamedTuple):
    parts: tuple[Condition, ...]


class Not(NamedTuple):
    part: Condition


Condition = Comparison | AllOf | AnyOf | Not


def condition_from(plain: Mapping[str, Any]) -> Condition:
    """The condition of a checked `when`: its members must all hold."""
    parts: list[Condition] = []
    for key, value in plain.items():
        if key == "all":
            parts.extend(condition_from(part) for part in value)
        elif key == "any":
            parts.append(AnyOf(tuple(condition_from(part) for part in value)))
        elif key == "not":
            parts.append(Not(condition_from(value)))
        else:
            parts.append(_tests(key, value))
    return _all(parts)


def plain_of(condition: Condition) -> dict[str, Any]:
    """A condition as plain values, of which `condition_from` makes an equal one."""
    if isinstance(condition, Comparison):
        operand: Any = condition.operand
        if isinstance(operand, Reference):
            operand = {"setting": operand.setting}
        return {condition.setting: {condition.operator: list(operand) if isinstance(operand, tuple) else operand}}
    if isinstance(condition, Not):
        return {"not": plain_of(condition.part)}
    return {"any" if isinstance(condition, AnyOf) else "all": [plain_of(part) for part in condition.parts]}


def _tests(setting: str, plain: Any) -> Condition:
    """What is asked of one setting: a bare value, or operators."""
    if not isinstance(plain, Mapping):
        return Comparison(setting, "equals", plain)
    parts: list[Condition] = []
    for operator, operand in plain.items():
        if operator == "not":
            parts.append(Not(_tests(setting, operand)))
        elif isinstance(operand, Mapping):
            parts.append(Comparison(setting, operator, Reference(operand["setting"])))
        elif isinstance(operand, list):
            parts.append(Comparison(setting, operator, tuple(operand)))
        else:
            parts.append(Comparison(setting, operator, operand))
    return _all(parts)


def _all(parts: Sequence[Condition]) -> Condition:
    return parts[0] if len(parts) == 1 else AllOf(tuple(parts))

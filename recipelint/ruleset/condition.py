"""Conditions on settings: the closed vocabulary of a rule's `when`, and how its checked YAML is read.

No expression is evaluated and no code is loaded: a condition is a tree of comparisons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recipelint.record import NamedTuple

OPERATORS: Mapping[str, str] = {
    "equals": "is",
    "one_of": "is",
    "greater_than": "is greater than",
    "less_than": "is less than",
    "at_least": "is at least",
    "at_most": "is at most",
    "divides": "divides",
    "divisible_by": "is a multiple of",
    "not_divisible_by": "is no multiple of",
    "present": "is given",
    "absent": "is not given",
    "overridable": "is a default that the environment overrides",
}
"""Each with the words for it. `overridable`: a default of the launcher, in whose place a variable would put
another value."""

ORDER = ("greater_than", "less_than", "at_least", "at_most", "divides", "divisible_by", "not_divisible_by")
"""Those for numbers."""

FLAGS = ("present", "absent", "overridable")
"""Those that have `true` for an operand."""

Operand = int | str | bool | tuple[int | str, ...]


FORMULAS: Mapping[str, str] = {"product": "*", "quotient": "/"}
"""What can be computed of several settings, each with its sign in texts. A quotient that is not whole is unknown."""


class Reference(NamedTuple):
    """The value of another setting, as an operand."""

    setting: str


class Formula(NamedTuple):
    """The product of settings, or the quotient of the first by all others, as an operand."""

    kind: str
    settings: tuple[str, ...]


def named(operand: Operand | Reference | Formula) -> tuple[str, ...]:
    """The settings that an operand names, in its order."""
    if isinstance(operand, Reference):
        return (operand.setting,)
    return operand.settings if isinstance(operand, Formula) else ()


class Comparison(NamedTuple):
    """A setting compared to an operand."""

    setting: str
    operator: str
    operand: Operand | Reference | Formula


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
        elif isinstance(operand, Formula):
            return {condition.setting: {condition.operator: {operand.kind: list(operand.settings)}}}
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
            parts.append(Comparison(setting, operator, _other(operand)))
        elif isinstance(operand, list) and operator in ORDER:
            parts.append(Comparison(setting, operator, Formula("product", tuple(operand))))
        elif isinstance(operand, list):
            parts.append(Comparison(setting, operator, tuple(operand)))
        else:
            parts.append(Comparison(setting, operator, operand))
    return _all(parts)


def _other(plain: Mapping[str, Any]) -> Reference | Formula:
    """Another setting, or what follows from several."""
    (kind, named), *_ = plain.items()
    return Reference(named) if kind == "setting" else Formula(kind, tuple(named))


def _all(parts: Sequence[Condition]) -> Condition:
    return parts[0] if len(parts) == 1 else AllOf(tuple(parts))

"""Settings that follow from others: products and quotients, each with its operands.

Known only where every operand is; where one is several known values, each combination counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product as combinations
from math import prod
from typing import Any

from recipelint.recipe.model import Setting, SettingValue

MAX_CHOICES = 64


def derived(settings: Mapping[str, Setting], vocabulary: Mapping[str, Mapping[str, Any]]) -> dict[str, Setting]:
    """The settings of the VOCABULARY that follow from SETTINGS, and that nobody gives."""
    found: dict[str, Setting] = {}
    for name, facts in vocabulary.items():
        if "derived" not in facts or name in settings:
            continue
        known = {**settings, **found}
        (kind, names), *_ = facts["derived"].items()
        if all(one in known and not absent(known[one]) for one in names):
            found[name] = computed(name, kind, [known[one] for one in names])
    return found


def computed(name: str, kind: str, operands: Sequence[Setting]) -> Setting:
    """The `product` of settings, or the `quotient` of the first by all others."""
    values = [one.choices or (one.value,) for one in operands]
    choices: dict[SettingValue, None] = {}
    if prod(map(len, values)) <= MAX_CHOICES:
        choices = dict.fromkeys(arithmetic(kind, combination) for combination in combinations(*values))
    made = Setting(name, None, "unknown", operands=tuple(operands), detail=words(kind, operands))
    if len(choices) != 1:
        return made._replace(choices=tuple(choices))
    value = next(iter(choices))
    return made if value is None else made._replace(value=value, source="derived")


def arithmetic(kind: str, values: Sequence[SettingValue]) -> int | None:
    """The product or the quotient of numbers; None for what is no number, or not whole."""
    if not all(isinstance(value, int) for value in values):
        return None
    first, *others = [value for value in values if isinstance(value, int)]
    divisor = prod(others)
    if kind == "product":
        return first * divisor
    return first // divisor if divisor and not first % divisor else None


def words(kind: str, operands: Sequence[Setting]) -> str:
    """`nodes × processes_per_node`, `world_size / (tensor_parallel_size · …)`."""
    first, *others = [one.name for one in operands]
    if kind == "product":
        return " × ".join((first, *others))
    return f"{first} / ({' · '.join(others)})" if len(others) > 1 else f"{first} / {others[0]}"


def absent(setting: Setting) -> bool:
    """Whether a setting has no value at all, not even an unknown one."""
    return setting.value is None and not setting.choices and setting.source != "unknown"

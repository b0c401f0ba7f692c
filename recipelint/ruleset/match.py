"""Whether a rule holds for the settings of a launch.

An operand that is wholly unknown matches nothing, nor does its opposite. A setting that is one of several known
values is tried with each: all match is YES, some is MAYBE.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import product
from math import prod

from recipelint.diagnostic import several, shortened
from recipelint.recipe.derived import arithmetic, computed
from recipelint.recipe.model import Setting, SettingValue
from recipelint.ruleset.condition import (
    FORMULAS,
    AnyOf,
    Comparison,
    Condition,
    Formula,
    Not,
    Operand,
    Reference,
    named,
)
from recipelint.ruleset.schema import Rule

MAX_COMBINATIONS = 4096
"""Of the values of one launch's settings that one rule is tried with."""
MAX_TRIED = 200_000
"""Those that all rules are tried with for all launches of one launcher."""
FEW = 16
"""Combinations that are tried as they are."""
LONGEST = 200
"""Characters of a value in a sentence."""

_UNKNOWN, _ABSENT = object(), object()
Values = Mapping[str, object]
"""One value for each setting: an int, a str, _UNKNOWN, or _ABSENT."""


class Verdict(Enum):
    NO = "no"
    MAYBE = "maybe"
    YES = "yes"


class Patience:
    """How many combinations may still be tried for a launcher.

    cut     the last time there were more of them than were tried
    short   there were at some time, so that something is not judged
    """

    def __init__(self) -> None:
        self.left = MAX_TRIED
        self.cut = self.short = False

    def take(self, combinations: Iterable[Values]) -> Iterator[Values]:
        """The combinations, as long as there is patience left."""
        self.cut = False
        for at, values in enumerate(combinations):
            if at == MAX_COMBINATIONS or self.left <= 0:
                self.cut = self.short = True
                return
            self.left -= 1
            yield values


def judge(rule: Rule, settings: Mapping[str, Setting], patience: Patience | None = None) -> tuple[Rule, Verdict]:
    """The rule in the variant that holds, and whether its `when` does; a builtin rule holds for no settings.

    Where several known values lead to several variants, the gravest one counts, and is only possible. So is what was
    not tried with all values.
    """
    if rule.when is None:
        return rule, Verdict.NO
    patience = patience or Patience()
    conditions = [rule.when, *(variant.when for variant in rule.variants)]
    wanted = frozenset().union(*(names(one) for one in conditions))
    knobs = _knobs(wanted, settings)
    seen: dict[int | None, None] = {}
    for values in patience.take(_combinations(sorted(wanted), settings, conditions)):
        seen[_chosen(rule, values, knobs) if _holds(rule.when, values, knobs) else None] = None
    if patience.cut:
        seen[None] = None
    found = [rule if at == len(rule.variants) else rule.variants[at].of(rule) for at in seen if at is not None]
    if not found:
        return rule, Verdict.NO
    gravest = max(found, key=lambda one: one.severity)
    safest = min((one.fix.applicability for one in found if one.fix is not None), default=None)
    if gravest.fix is not None and safest is not None:
        gravest = gravest._replace(fix=gravest.fix._replace(applicability=safest))
    same = None not in seen and len({one.severity for one in found}) == 1
    return gravest, Verdict.YES if same else Verdict.MAYBE


def _chosen(rule: Rule, values: Values, knobs: frozenset[str]) -> int | None:
    """The index of the first variant that holds, that of the last and one for none; None for a silent one."""
    for at, variant in enumerate(rule.variants):
        if _holds(variant.when, values, knobs):
            return None if variant.silent else at
    return len(rule.variants)


def match(rule: Rule, settings: Mapping[str, Setting]) -> Verdict:
    """Whether the rule holds, in any of its variants."""
    return judge(rule, settings)[1]


def undecided(rule: Rule, settings: Mapping[str, Setting], patience: Patience | None = None) -> tuple[str, ...]:
    """The unknown settings that alone keep the rule from a verdict; none where it holds, or could not hold anyway."""
    patience = patience or Patience()
    if rule.when is None:
        return ()
    wanted = sorted(names(rule.when))
    if not any(_UNKNOWN in _choices(settings.get(name)) for name in wanted):
        return ()
    if judge(rule, settings, patience)[1] is not Verdict.NO:
        return ()
    knobs = _knobs(wanted, settings)
    tried = patience.take(_combinations(wanted, settings, [rule.when]))
    if all(_holds(rule.when, values, knobs) is not None for values in tried):
        return ()
    return tuple(name for name in wanted if _UNKNOWN in _choices(settings.get(name)))


def names(condition: Condition) -> frozenset[str]:
    """The settings that a condition reads."""
    if isinstance(condition, Comparison):
        return frozenset({condition.setting, *named(condition.operand)})
    if isinstance(condition, Not):
        return names(condition.part)
    return frozenset().union(*(names(part) for part in condition.parts))


def _combinations(
    wanted: list[str], settings: Mapping[str, Setting], conditions: Sequence[Condition]
) -> Iterator[Values]:
    """Every way that the settings can be, as far as the conditions tell one from another."""
    choices = [_choices(settings.get(name)) for name in wanted]
    if prod(map(len, choices)) > FEW:
        tests = [test for condition in conditions for test in _tests_of(condition)]
        choices = [_telling(name, some, tests) for name, some in zip(wanted, choices, strict=True)]
    for values in product(*choices):
        yield dict(zip(wanted, values, strict=True))


def _telling(name: str, choices: list[object], tests: Sequence[Comparison]) -> list[object]:
    """One of the values of a setting for each way in which the tests take them; all, if it is held against another."""
    mine = [test for test in tests if name == test.setting]
    if any(named(test.operand) and name in names(test) for test in tests):
        return choices
    return list({tuple(_test(test, {name: value}, frozenset()) for test in mine): value for value in choices}.values())


def _tests_of(condition: Condition) -> Iterator[Comparison]:
    """The comparisons in a condition."""
    if isinstance(condition, Comparison):
        yield condition
    elif isinstance(condition, Not):
        yield from _tests_of(condition.part)
    else:
        for part in condition.parts:
            yield from _tests_of(part)


def _knobs(wanted: Collection[str], settings: Mapping[str, Setting]) -> frozenset[str]:
    """The settings whose value is a default of the launcher that an environment variable would replace."""
    found = {name: settings[name] for name in wanted if name in settings}
    return frozenset(name for name, setting in found.items() if setting.source == "default" and setting.override)


def _choices(setting: Setting | None) -> list[object]:
    if setting is None:
        return [_ABSENT]
    if setting.choices:
        return [_UNKNOWN if value is None else value for value in setting.choices]
    if setting.value is None:
        return [_UNKNOWN if setting.source == "unknown" else _ABSENT]
    return [setting.value]


def _holds(condition: Condition, values: Values, knobs: frozenset[str]) -> bool | None:
    """True, False, or None where an unknown value decides."""
    if isinstance(condition, Comparison):
        return _test(condition, values, knobs)
    if isinstance(condition, Not):
        held = _holds(condition.part, values, knobs)
        return None if held is None else not held
    parts = [_holds(part, values, knobs) for part in condition.parts]
    decisive = isinstance(condition, AnyOf)
    if decisive in parts:
        return decisive
    return None if None in parts else not decisive


def _test(test: Comparison, values: Values, knobs: frozenset[str]) -> bool | None:
    if test.operator == "overridable":
        return test.setting in knobs
    left = values[test.setting]
    right = _operand(test.operand, values)
    if test.operator in ("divisible_by", "not_divisible_by") and right == 1 and left is not _ABSENT:
        return test.operator == "divisible_by"
    if left is _UNKNOWN or right is _UNKNOWN:
        return None
    if test.operator in ("present", "absent"):
        return (left is _ABSENT) == (test.operator == "absent")
    if left is _ABSENT or right is _ABSENT:
        return False
    if test.operator == "equals":
        return left == right
    if test.operator == "one_of":
        return isinstance(right, tuple) and left in right
    if not isinstance(left, int) or not isinstance(right, int):
        return None  # a number that cannot be read as one
    return _compare(test.operator, left, right)


def _compare(operator: str, left: int, right: int) -> bool | None:
    if operator == "greater_than":
        return left > right
    if operator == "less_than":
        return left < right
    if operator == "at_least":
        return left >= right
    if operator == "at_most":
        return left <= right
    if operator == "divides":
        return right % left == 0 if left else None
    if not right:
        return None
    return (left % right == 0) is (operator == "divisible_by")


def _operand(operand: Operand | Reference | Formula, values: Values) -> object:
    """The value of an operand; what has an absent part is absent."""
    if isinstance(operand, Reference):
        return values[operand.setting]
    if not isinstance(operand, Formula):
        return operand
    parts = [values[name] for name in operand.settings]
    if _ABSENT in parts:
        return _ABSENT
    numbers = [part for part in parts if isinstance(part, int)]
    found = arithmetic(operand.kind, numbers) if len(numbers) == len(parts) else None
    return _UNKNOWN if found is None else found


def render(template: str, settings: Mapping[str, Setting]) -> str:
    """A message, help or label with its placeholders filled: `{name}` is a value, `{name:node}` that many nodes,
    `{name_origin}` who gives it,
    `{name_place}` the path and line where it stands, `{name_name}` how the trainer spells it,
    `{name_arithmetic}` how a derived one comes about, and
    `{name*other}` and `{name/other}` what several come to."""
    return template.format_map(_Fields(settings))


class _Counted(str):
    """A value that a noun may follow, one or several."""

    __slots__ = ()

    def __format__(self, noun: str) -> str:
        return f"{self!s} {noun if self == '1' else several(noun)}" if noun else str(self)


class _Fields(dict[str, str]):
    def __init__(self, settings: Mapping[str, Setting]) -> None:
        super().__init__()
        self.settings = settings

    def __missing__(self, key: str) -> str:
        return _Counted(shortened(self.words(key), LONGEST))

    def words(self, key: str) -> str:
        if key.endswith("_origin") and key not in self.settings:
            return origin_words(self.settings.get(key.removesuffix("_origin")))
        if key.endswith("_place") and key not in self.settings:
            return place_words(self.settings.get(key.removesuffix("_place")))
        if key.endswith("_name") and key not in self.settings:
            named = self.settings.get(key.removesuffix("_name"))
            return named.spelled if named is not None and named.spelled else key.removesuffix("_name")
        if key.endswith("_arithmetic") and key not in self.settings:
            return arithmetic_words(self.settings.get(key.removesuffix("_arithmetic")))
        for kind, sign in FORMULAS.items():
            if sign in key:
                operands = [self.settings.get(name) or Setting(name, None, "unknown") for name in key.split(sign)]
                return value_words(computed(key, kind, operands))
        setting = self.settings.get(key)
        return "unknown" if setting is None else value_words(setting)


def arithmetic_words(setting: Setting | None) -> str:
    """`4 nodes × 8 = 32`; only the value of what is not computed."""
    if setting is None:
        return "unknown"
    if not setting.operands:
        return value_words(setting)
    first, *others = setting.operands
    if {one.name for one in setting.operands} == {"nodes", "processes_per_node"}:
        said = f"{value_words(first)} node{'s' * (first.value != 1)} × {value_words(others[0])}"
    elif setting.detail.startswith(f"{first.name} /"):
        said = f"{value_words(first)} / ({' · '.join(map(value_words, others))})"
    else:
        said = " × ".join(map(value_words, setting.operands))
    return f"{said} = {value_words(setting)}"


def place_words(setting: Setting | None) -> str:
    """The path and line of the text that decides a setting; without one, where its value comes from."""
    if setting is None or setting.location is None:
        return origin_words(setting)
    return f"{' '.join(setting.location.path.splitlines())}:{setting.location.start.line}"


def value_words(setting: Setting) -> str:
    """A setting's value for a sentence, on one line."""
    return " or ".join(_word(value) for value in setting.choices or (setting.value,))


def _word(value: SettingValue) -> str:
    if value is None:
        return "unknown"
    return " ".join(str(value).split()) or "empty"


def origin_words(setting: Setting | None) -> str:
    """Where a setting's value comes from, for a sentence."""
    if setting is None:
        return "not set"
    if setting.detail:
        return setting.detail
    if setting.source == "default" and setting.override:
        return f"the default of {setting.override}"
    if setting.source == "environment":
        return f"from {setting.override}" if setting.override else "from the environment"
    return {"trainer-default": "the trainer's default", "unknown": "unknown"}.get(setting.source, "set in the launcher")

"""Whether a rule holds for the settings of a launch.

An operand that is wholly unknown matches nothing, nor does its opposite. A setting that is one of several known
values is tried with each: all match is YES, some is MAYBE.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from enum import Enum
from itertools import islice, product

from recipelint.diagnostic import shortened
from recipelint.recipe.model import Setting, SettingValue
from recipelint.ruleset.condition import AnyOf, Comparison, Condition, Not, Reference
from recipelint.ruleset.schema import Rule

MAX_COMBINATIONS = 4096
LONGEST = 200
"""Characters of a value in a sentence."""

_UNKNOWN, _ABSENT = object(), object()
Values = Mapping[str, object]
"""One value for each setting: an int, a str, _UNKNOWN, or _ABSENT."""


class Verdict(Enum):
    NO = "no"
    MAYBE = "maybe"
    YES = "yes"


def judge(rule: Rule, settings: Mapping[str, Setting]) -> tuple[Rule, Verdict]:
    """The rule in the variant that holds, and whether its `when` does; a builtin rule holds for no settings.

    Where several known values lead to several variants, the gravest one counts, and is only possible.
    """
    if rule.when is None:
        return rule, Verdict.NO
    wanted = names(rule.when).union(*(names(variant.when) for variant in rule.variants))
    knobs = _knobs(wanted, settings)
    seen: dict[int | None, None] = {}
    for values in _combinations(sorted(wanted), settings):
        seen[_chosen(rule, values, knobs) if _holds(rule.when, values, knobs) else None] = None
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


def undecided(rule: Rule, settings: Mapping[str, Setting]) -> tuple[str, ...]:
    """The unknown settings that alone keep the rule from a verdict; none where it holds, or could not hold anyway."""
    if rule.when is None or match(rule, settings) is not Verdict.NO:
        return ()
    wanted = sorted(names(rule.when))
    knobs = _knobs(wanted, settings)
    if all(_holds(rule.when, values, knobs) is not None for values in _combinations(wanted, settings)):
        return ()
    return tuple(name for name in wanted if _UNKNOWN in _choices(settings.get(name)))


def names(condition: Condition) -> frozenset[str]:
    """The settings that a condition reads."""
    if isinstance(condition, Comparison):
        other = {condition.operand.setting} if isinstance(condition.operand, Reference) else set()
        return frozenset({condition.setting} | other)
    if isinstance(condition, Not):
        return names(condition.part)
    return frozenset().union(*(names(part) for part in condition.parts))


def _combinations(wanted: list[str], settings: Mapping[str, Setting]) -> Iterator[Values]:
    choices = [_choices(settings.get(name)) for name in wanted]
    for values in islice(product(*choices), MAX_COMBINATIONS):
        yield dict(zip(wanted, values, strict=True))


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
    right = values[test.operand.setting] if isinstance(test.operand, Reference) else test.operand
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
    return right % left == 0 if left else None  # divides


def render(template: str, settings: Mapping[str, Setting]) -> str:
    """A message, help or label with its placeholders filled: `{name}` is a value, `{name_origin}` who gives it,
    `{name_place}` the path and line where it stands, `{name_name}` how the trainer spells it."""
    return template.format_map(_Fields(settings))


class _Fields(dict[str, str]):
    def __init__(self, settings: Mapping[str, Setting]) -> None:
        super().__init__()
        self.settings = settings

    def __missing__(self, key: str) -> str:
        return shortened(self.words(key), LONGEST)

    def words(self, key: str) -> str:
        if key.endswith("_origin") and key not in self.settings:
            return origin_words(self.settings.get(key.removesuffix("_origin")))
        if key.endswith("_place") and key not in self.settings:
            return place_words(self.settings.get(key.removesuffix("_place")))
        if key.endswith("_name") and key not in self.settings:
            named = self.settings.get(key.removesuffix("_name"))
            return named.spelled if named is not None and named.spelled else key.removesuffix("_name")
        setting = self.settings.get(key)
        return "unknown" if setting is None else value_words(setting)


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

"""Conditions over known, absent, unknown and undecided settings, and the sentences made of them."""

from __future__ import annotations

from typing import Any

import pytest

from recipelint.recipe.model import Setting, SettingValue
from recipelint.ruleset import match as matching
from recipelint.ruleset.load import load
from recipelint.ruleset.match import Patience, Verdict, judge, match, origin_words, render, undecided
from recipelint.ruleset.schema import Rule, rule_from

YES, MAYBE, NO = Verdict.YES, Verdict.MAYBE, Verdict.NO
UNKNOWN = object()


def rule(when: Any) -> Rule:
    head = dict.fromkeys(("name", "family", "status", "since", "summary", "message", "help", "why"), "x")
    return rule_from({**head, "code": "XX001", "severity": "error", "when": when})


def setting(name: str, value: object) -> Setting:
    if value is UNKNOWN:
        return Setting(name, None, "unknown")
    if isinstance(value, tuple):
        return Setting(name, None, "literal", choices=value)
    assert value is None or isinstance(value, int | str)
    return Setting(name, value, "literal")


@pytest.mark.parametrize(
    ("when", "settings", "verdict"),
    [
        ({"a": 2}, {"a": 2}, YES),
        ({"a": 2}, {"a": 1}, NO),
        ({"a": 2}, {}, NO),
        ({"a": 2}, {"a": UNKNOWN}, NO),
        ({"a": 2}, {"a": (1, 2)}, MAYBE),
        ({"a": 2}, {"a": (None, 2)}, MAYBE),
        ({"a": 2}, {"a": (2, 2)}, YES),
        ({"a": "full"}, {"a": "full"}, YES),
        ({"a": {"equals": "full"}}, {"a": "none"}, NO),
        ({"a": {"one_of": ["x", "y"]}}, {"a": "y"}, YES),
        ({"a": {"one_of": ["x", "y"]}}, {"a": ("x", "y")}, YES),
        ({"a": {"one_of": ["x", "y"]}}, {"a": ("x", "z")}, MAYBE),
        ({"a": {"greater_than": 1}}, {"a": 2}, YES),
        ({"a": {"greater_than": 1}}, {"a": 1}, NO),
        ({"a": {"greater_than": 1}}, {"a": "many"}, NO),
        ({"a": {"less_than": 1}}, {"a": 0}, YES),
        ({"a": {"at_least": 2, "at_most": 3}}, {"a": 3}, YES),
        ({"a": {"at_least": 2, "at_most": 3}}, {"a": 4}, NO),
        ({"a": {"divides": 8}}, {"a": 4}, YES),
        ({"a": {"divides": 8}}, {"a": 3}, NO),
        ({"a": {"divides": 8}}, {"a": 0}, NO),
        ({"a": {"not": {"divides": 8}}}, {"a": 3}, YES),
        ({"a": {"not": {"divides": 8}}}, {"a": 0}, NO),
        ({"a": {"present": True}}, {"a": ""}, YES),
        ({"a": {"present": True}}, {}, NO),
        ({"a": {"present": True}}, {"a": UNKNOWN}, NO),
        ({"a": {"absent": True}}, {"a": None}, YES),
        ({"a": {"absent": True}}, {}, YES),
        ({"a": {"absent": True}}, {"a": UNKNOWN}, NO),
        ({"a": {"absent": True}}, {"a": "x"}, NO),
        ({"a": {"equals": {"setting": "b"}}}, {"a": 1, "b": 1}, YES),
        ({"a": {"equals": {"setting": "b"}}}, {"a": 1, "b": UNKNOWN}, NO),
        ({"a": {"greater_than": {"setting": "b"}}}, {"a": 2, "b": (1, 2)}, MAYBE),
        ({"a": {"less_than": {"setting": "b"}}}, {"a": 2}, NO),
        # The opposite of an unknown matches nothing either; a known part can still decide.
        ({"a": {"not": 2}}, {"a": UNKNOWN}, NO),
        ({"a": {"not": 2}}, {"a": 1}, YES),
        ({"not": {"a": 2}}, {"a": UNKNOWN}, NO),
        ({"not": {"a": 2, "b": 1}}, {"a": UNKNOWN, "b": 0}, YES),
        ({"any": [{"a": 2}, {"b": 1}]}, {"a": UNKNOWN, "b": 1}, YES),
        ({"any": [{"a": 2}, {"b": 1}]}, {"a": UNKNOWN, "b": 0}, NO),
        ({"any": [{"a": 1}, {"a": 2}]}, {"a": (1, 2)}, YES),
        ({"all": [{"a": 1}, {"b": 1}]}, {"a": 1, "b": 1}, YES),
        ({"all": [{"a": 1}, {"b": 1}]}, {"a": 1, "b": UNKNOWN}, NO),
        ({"a": 1, "b": 1}, {"a": (1, 2), "b": (1, 2)}, MAYBE),
        ("builtin", {"a": 1}, NO),
    ],
)
def test_match(when: Any, settings: dict[str, object], verdict: Verdict) -> None:
    assert match(rule(when), {name: setting(name, value) for name, value in settings.items()}) is verdict


def recipe(
    size: SettingValue, mode: SettingValue = "full", dispatcher: SettingValue = "hybridep"
) -> dict[str, Setting]:
    return {
        "expert_parallel_size": Setting("expert_parallel_size", size, "default", "EP_SIZE"),
        "activation_checkpointing": Setting("activation_checkpointing", mode, "literal"),
        "moe_dispatcher": Setting(
            "moe_dispatcher", dispatcher, "trainer-default", detail="molt's default when MOLT_MOE_DISPATCHER is unset"
        ),
    }


@pytest.mark.parametrize(
    ("settings", "verdict"),
    [
        (recipe(8), YES),
        (recipe(2, "full", "deepep"), YES),
        (recipe(1), NO),
        (recipe(8, "none"), NO),
        (recipe(8, "selective"), NO),
        (recipe(8, "full", "torch"), NO),
        (recipe(8, "full", ""), NO),
    ],
)
def test_ep001(settings: dict[str, Setting], verdict: Verdict) -> None:
    assert match(load().rules["EP001"], settings) is verdict


def test_the_message_of_ep001() -> None:
    assert render(load().rules["EP001"].message, recipe(8)) == (
        "expert_parallel_size 8 with activation_checkpointing full under hybridep (molt's default "
        "when MOLT_MOE_DISPATCHER is unset): the first backward pass fails with CheckpointError"
    )


@pytest.mark.parametrize(
    ("one", "value", "origin"),
    [
        (Setting("a", "x", "literal"), "x", "set in the launcher"),
        (Setting("a", "x\n{b}  y", "assigned"), "x {b} y", "set in the launcher"),
        (Setting("a", "", "literal"), "empty", "set in the launcher"),
        (Setting("a", 3, "default", "KNOB"), "3", "the default of KNOB"),
        (Setting("a", 3, "environment", "KNOB"), "3", "from KNOB"),
        (Setting("a", 3, "environment"), "3", "from the environment"),
        (Setting("a", 3, "trainer-default"), "3", "the trainer's default"),
        (Setting("a", 3, "trainer-default", detail="said so"), "3", "said so"),
        (Setting("a", None, "unknown"), "unknown", "unknown"),
        (Setting("a", None, "assigned", choices=(1, None)), "1 or unknown", "set in the launcher"),
    ],
)
def test_render(one: Setting, value: str, origin: str) -> None:
    assert render("{a} ({a_origin})", {"a": one}) == f"{value} ({origin})"


def test_render_what_is_not_there() -> None:
    assert render("{a} ({a_origin})", {}) == "unknown (not set)"
    assert origin_words(None) == "not set"


def test_a_huge_value_is_cut_where_it_is_said() -> None:
    """A team's rule may say it twenty times, in each of hundreds of rules."""
    huge = Setting("model", "a" + "x" * 1_000_000 + "z", "literal")
    said = render("{model} {model_origin} {model}", {"model": huge})
    assert len(said) < 500
    assert said.startswith("axxx")
    assert said.endswith("xxxz")
    exact = Setting("model", "x" * 200, "literal")
    assert render("{model}", {"model": exact}) == "x" * 200


MANY = tuple(range(1, 101))


def judged(when: Any, values: dict[str, object]) -> tuple[Verdict, int, bool]:
    """The verdict, how many combinations it took, and whether there were more of them."""
    patience = Patience()
    found = judge(rule(when), {name: setting(name, value) for name, value in values.items()}, patience)[1]
    return found, matching.MAX_TRIED - patience.left, patience.short


def test_values_that_a_rule_does_not_tell_apart_are_tried_once() -> None:
    when = {name: {"greater_than": 50} for name in "abcdef"}
    assert judged(when, dict.fromkeys("abcdef", MANY)) == (MAYBE, 2**6, False)
    assert judged(when, dict.fromkeys("abcdef", MANY[60:])) == (YES, 1, False)
    assert judged(when, {**dict.fromkeys("abcde", MANY[60:]), "f": MANY[:50]}) == (NO, 1, False)
    assert judged(when, {**dict.fromkeys("abcde", MANY[60:]), "f": (*MANY[:50], None)}) == (NO, 2, False)
    assert judged({"a": {"one_of": [1, 2]}, "b": {"not": 3}}, {"a": MANY, "b": MANY}) == (MAYBE, 4, False)


@pytest.mark.parametrize(
    ("operand", "values", "verdict"),
    [
        ({"setting": "b"}, {"a": MANY[50:], "b": MANY[:50]}, YES),
        ({"setting": "b"}, {"a": MANY[:50], "b": MANY[:50]}, MAYBE),
        ({"setting": "b"}, {"a": MANY[:50], "b": MANY[50:]}, NO),
        ({"product": ["b", "c"]}, {"a": MANY[90:], "b": MANY[:9], "c": MANY[:9]}, YES),
        ({"product": ["b", "c"]}, {"a": MANY[80:], "b": MANY[:9], "c": MANY[:9]}, MAYBE),
        ({"product": ["b", "c"]}, {"a": MANY[:3], "b": MANY[3:9], "c": MANY[:9]}, NO),
    ],
)
def test_settings_that_are_held_against_each_other_keep_their_values(
    operand: Any, values: dict[str, object], verdict: Verdict
) -> None:
    tried = 1
    for some in values.values():
        assert isinstance(some, tuple)
        tried *= len(some)
    assert judged({"a": {"greater_than": operand}}, values) == (verdict, tried, False)


def test_what_is_not_tried_to_its_end_is_only_possible(monkeypatch: pytest.MonkeyPatch) -> None:
    when = {"a": {"greater_than": {"setting": "b"}}}
    assert judged(when, {"a": MANY[50:], "b": MANY[:50]}) == (YES, 2500, False)
    monkeypatch.setattr(matching, "MAX_COMBINATIONS", 100)
    assert judged(when, {"a": MANY[50:], "b": MANY[:50]}) == (MAYBE, 100, True)
    monkeypatch.setattr(matching, "MAX_TRIED", 10)
    assert judged(when, {"a": MANY[50:], "b": MANY[:50]}) == (MAYBE, 10, True)


def test_patience_is_that_of_all_rules() -> None:
    patience = Patience()
    patience.left = 1
    settings = {"a": setting("a", 2), "b": setting("b", UNKNOWN)}
    assert judge(rule({"a": 2}), settings, patience)[1] is YES
    assert judge(rule({"a": 2}), settings, patience)[1] is NO
    assert undecided(rule({"a": 2, "b": 1}), settings, patience) == ()
    assert patience.short
    assert undecided(rule({"a": 2, "b": 1}), settings) == ("b",)

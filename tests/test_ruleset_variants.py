"""Which variant of a rule holds, and what becomes of its severity, its words and its fix."""

from __future__ import annotations

from typing import Any

import pytest

from recipelint.fix import Applicability
from recipelint.recipe.model import Setting
from recipelint.ruleset.match import Verdict, judge, match, render, undecided
from recipelint.ruleset.schema import Rule, rule_from
from recipelint.source import Location, SourceFile, Span

YES, MAYBE, NO = Verdict.YES, Verdict.MAYBE, Verdict.NO
FIX = {"title": "t", "applicability": "safe", "set": {"a": 1}, "comment": "c\n"}
VARIANTS = [
    {"when": {"v": "fixed"}, "severity": "off"},
    {
        "when": {"v": {"one_of": ["better", "fixed"]}},
        "severity": "warning",
        "message": "less",
        "applicability": "unsafe",
        "comment": "another\n",
    },
    {"when": {"v": {"present": True}}, "note": "named"},
]


def rule(variants: Any = VARIANTS, when: Any = None) -> Rule:
    head = dict.fromkeys(("name", "family", "status", "since", "summary", "message", "help", "why"), "x")
    head |= {"code": "XX001", "severity": "error"}
    return rule_from({**head, "when": when or {"a": 2}, "variants": variants, "fix": FIX})


def settings(version: object, a: object = 2) -> dict[str, Setting]:
    out = {"a": Setting("a", None, "literal", choices=a)} if isinstance(a, tuple) else {"a": Setting("a", 2, "literal")}
    if isinstance(version, tuple):
        out["v"] = Setting("v", None, "unknown", choices=version)
    elif version is not None:
        assert isinstance(version, str)
        out["v"] = Setting("v", version or None, "literal" if version else "unknown")
    return out


@pytest.mark.parametrize(
    ("version", "verdict", "severity", "message", "note", "applicability"),
    [
        (None, YES, "error", "x", "", Applicability.SAFE),
        ("", YES, "error", "x", "", Applicability.SAFE),
        ("old", YES, "error", "x", "named", Applicability.SAFE),
        ("better", YES, "warning", "less", "", Applicability.UNSAFE),
        (("old", None), YES, "error", "x", "named", Applicability.SAFE),
        (("better", None), MAYBE, "error", "x", "", Applicability.UNSAFE),
        (("fixed", None), MAYBE, "error", "x", "", Applicability.SAFE),
        (("fixed", "better"), MAYBE, "warning", "less", "", Applicability.UNSAFE),
    ],
)
def test_the_variant_that_holds(
    version: object, verdict: Verdict, severity: str, message: str, note: str, applicability: Applicability
) -> None:
    found, held = judge(rule(), settings(version))
    assert held is verdict
    assert (found.severity.word, found.message, found.note) == (severity, message, note)
    assert found.fix is not None
    assert found.fix.applicability is applicability
    assert found.fix.comment == ("another" if message == "less" else "c")


def test_a_silent_variant_holds_for_nothing_and_is_not_undecided() -> None:
    assert match(rule(), settings("fixed")) is NO
    assert undecided(rule(), settings("fixed")) == ()


def test_a_variant_does_not_make_a_rule_hold() -> None:
    assert judge(rule(when={"a": 3}), settings("better")) == (rule(when={"a": 3}), NO)
    assert match(rule(), settings("better", a=(1, 2))) is MAYBE


@pytest.mark.parametrize(
    ("source", "override", "verdict"),
    [("default", "KNOB", YES), ("literal", None, NO), ("trainer-default", "KNOB", NO), ("environment", "KNOB", NO)],
)
def test_overridable(source: str, override: str | None, verdict: Verdict) -> None:
    asked = rule([], {"a": {"equals": 2, "overridable": True}})
    assert match(asked, {"a": Setting("a", 2, source, override)}) is verdict
    opposite = rule([], {"a": {"equals": 2, "not": {"overridable": True}}})
    assert match(opposite, {"a": Setting("a", 2, source, override)}) is (NO if verdict is YES else YES)


def test_the_place_of_a_setting() -> None:
    file = SourceFile("dir/requirements.txt", b"x\ny==1\n")
    placed = Setting("v", "1", "literal", None, Location(file, Span(2, 6)), (), "pinned")
    assert render("{v} ({v_place})", {"v": placed}) == "1 (dir/requirements.txt:2)"
    assert render("{v_place}", {"v": placed._replace(location=None)}) == "pinned"
    assert render("{v_place}", {}) == "not set"

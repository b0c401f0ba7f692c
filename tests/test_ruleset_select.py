"""Selectors: codes, names, prefixes, families and ALL; the more exact one wins."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from recipelint.ruleset.load import Ruleset, load
from recipelint.ruleset.select import SelectError, active, best, find, fixable, idle, matching
from recipelint.settings import Choice, Settings

EP, OFF = {"EP001", "EP002", "EP003", "EP004"}, {"EP003"}
SH = {"SH001", "SH002", "SH003", "SH004"}
ALL = set(load().rules)
NAME = "full-checkpointing-under-ep-dispatcher"


def select(rules: Ruleset, wanted: Sequence[str] = (), unwanted: Sequence[str] = ()) -> frozenset[str]:
    return active(rules, Settings(select=tuple(wanted), ignore=tuple(unwanted)))


@pytest.mark.parametrize(
    ("wanted", "unwanted", "codes"),
    [
        ([], [], ALL - OFF),
        (["ALL"], [], ALL),
        (["EP001"], [], {"EP001"}),
        ([NAME], [], {"EP001"}),
        (["moe"], [], EP),
        (["SH"], [], SH),
        (["SH00", "lint"], [], {*SH, "RL001"}),
        ([], ["SH"], ALL - OFF - SH),
        ([], [NAME], ALL - OFF - {"EP001"}),
        ([], ["ALL"], set()),
        (["SH"], ["SH002"], {"SH001", "SH003", "SH004"}),
        (["SH002"], ["SH"], {"SH002"}),
        (["SH002"], ["SH002"], set()),
        (["ALL"], ["shell"], ALL - SH),
        (["SH001"], ["ALL"], {"SH001"}),
    ],
)
def test_select(wanted: list[str], unwanted: list[str], codes: set[str]) -> None:
    assert select(load(), wanted, unwanted) == codes


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        ("EP01", 'unknown rule selector "EP01"; did you mean "EP001"?'),
        ("ep001", 'unknown rule selector "ep001"; did you mean "EP001"?'),
        ("mo", 'unknown rule selector "mo"; did you mean "moe"?'),
        ("unused-ignores", 'unknown rule selector "unused-ignores"; did you mean "unused-ignore"?'),
        ("", 'unknown rule selector ""'),
        ("QQ", 'unknown rule selector "QQ"'),
    ],
)
def test_a_selector_of_nothing(selector: str, message: str) -> None:
    for wanted, unwanted in (([selector], []), ([], [selector])):
        with pytest.raises(SelectError) as caught:
            select(load(), wanted, unwanted)
        assert str(caught.value) == message


def changed(**changes: object) -> Ruleset:
    rules = load()
    return rules._replace(rules={**rules.rules, "EP001": rules.rules["EP001"]._replace(**changes)})  # type: ignore[arg-type]


def test_a_preview_rule_is_on_only_by_its_code_or_name() -> None:
    rules = changed(status="preview")
    assert "EP001" not in select(rules)
    assert "EP001" not in select(rules, ["ALL", "EP", "moe"])
    assert "EP001" in select(rules, ["EP001"])
    assert "EP001" in select(rules, [NAME])
    assert matching(rules, "EP") == EP


def test_with_preview_a_preview_rule_is_as_any_other() -> None:
    rules = changed(status="preview")
    assert "EP001" in active(rules, Settings(preview=True))
    assert "EP001" in active(rules, Settings(preview=True, select=("EP",)))
    assert "EP001" not in active(rules, Settings(preview=True, ignore=("EP001",)))
    off = changed(status="preview", default=False)
    assert "EP001" not in active(off, Settings(preview=True))


def test_a_selector_of_preview_rules_alone_is_idle() -> None:
    rules = changed(status="preview")
    given = Settings(select=("EP00", NAME), extend_select=("EP001",))
    assert idle(rules, given) == ()
    alone = rules._replace(rules={**rules.rules, "QQ001": rules.rules["EP001"]._replace(code="QQ001", name="q")})
    assert idle(alone, Settings(select=("QQ",), extend_select=("QQ001", "EP"))) == ("QQ",)
    assert idle(alone, Settings(select=("QQ",), preview=True)) == ()
    assert idle(alone, Settings(over_selection=Choice((), ("QQ0",), ("QQ",)))) == ("QQ0",)


def test_what_is_added_to_the_default() -> None:
    assert active(load(), Settings(extend_select=("EP003",))) == ALL
    assert active(load(), Settings(extend_select=("EP003",), ignore=("moe",))) == ALL - EP | {"EP003"}
    assert active(load(), Settings(select=("SH",), extend_select=("EP001",), ignore=("SH001",))) == SH - {"SH001"} | {
        "EP001"
    }


def test_the_upper_layer_wins_however_exact_the_lower_one_is() -> None:
    lower = Settings(select=("EP001", "SH"), ignore=("SH001",))
    for over, codes in {
        Choice(): {"EP001", *SH} - {"SH001"},
        Choice((), (), ("EP",)): SH - {"SH001"},
        Choice((), ("SH",), ()): {"EP001", *SH},
        Choice((), ("EP",), ("EP002",)): {"EP001", "EP003", "EP004", *SH} - {"SH001"},
    }.items():
        assert active(load(), lower._replace(over_selection=over)) == codes


def test_fixable() -> None:
    assert fixable(load(), Settings()) == ALL
    assert fixable(load(), Settings(fixable=("EP",), unfixable=("EP001",))) == EP - {"EP001"}
    assert fixable(load(), Settings(fixable=("EP",), extend_fixable=("SH003",))) == EP | {"SH003"}
    assert fixable(load(), Settings(unfixable=("ALL",))) == frozenset()
    assert fixable(load(), Settings(unfixable=("ALL",), extend_fixable=("EP001",))) == {"EP001"}
    assert "EP001" in fixable(changed(status="preview"), Settings(fixable=("EP",)))
    with pytest.raises(SelectError):
        fixable(load(), Settings(unfixable=("QQ",)))


def test_the_most_exact_selector_of_a_rule() -> None:
    rule = load().rules["EP001"]
    assert best(rule, ["ALL", "EP00", "moe", "EP"]) == "EP00"
    assert best(rule, ["EP001", "ALL"]) == "EP001"
    assert best(rule, ["EP001", NAME]) == NAME
    assert best(rule, ["SH", "EP002"]) is None


def test_a_rule_that_is_off_by_default() -> None:
    rules = changed(default=False)
    assert "EP001" not in select(rules)
    assert "EP001" in select(rules, ["EP"])


def test_find() -> None:
    assert find(load(), "ep001").code == find(load(), NAME).code == "EP001"
    with pytest.raises(SelectError, match='unknown rule "EP9"'):
        find(load(), "EP9")

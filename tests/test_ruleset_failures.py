"""The files of failures and of logs are checked when they are loaded; those of this project are sound."""

from __future__ import annotations

from pathlib import Path

import pytest

from recipelint.ruleset.check_failures import CERTAINTIES, check_expression
from recipelint.ruleset.compile import build_index
from recipelint.ruleset.document import Node, RuleError
from recipelint.ruleset.failures import failure_from, logs_from
from recipelint.ruleset.load import load


def refused(rules: Path, file: str, old: str, new: str) -> str:
    """The message about a file in which a text was replaced."""
    path = rules / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(RuleError) as error:
        build_index(rules)
    assert error.value.path == f"rules/{file}"
    return error.value.message


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("name: first-step-timeout", "name: First", "is not of the form"),
        ("name: first-step-timeout", "name: other-name", "the file must be other-name.yaml"),
        ("certainty: possible", "certainty: sure", "not one of certain, likely, possible"),
        ("found: line", "found: recompute", '"signatures" are for what is found in a line'),
        ("found: line", "found: word", "not one of line, recompute"),
        ("when: first_step", "when: always", "not one of first_step"),
        ("{dispatcher: [torch]}", "{dispatchers: [torch]}", 'unknown fact dispatchers; did you mean "dispatcher"?'),
        ("yields_to: [expert", "yields_to: [other", "other-token-drift"),
        ("rule: EP001", "rule: EP999", "EP999"),
        ("summary:", "sumary:", 'unknown key "sumary"'),
        ("https://github.com/NVIDIA-NeMo/Automodel", "http://example.org", "must be an https link"),
        ("needle: Watchdog caught", "needle: Wat", "must have 5 ASCII characters or more"),
        (r"\d{1,12}", r"\d+", "repeats without a bound"),
        (r"\d{1,12}", r"\d{1,}", "repeats without a bound"),
        (r"(?P<operation>\w{1,40})", r"(\w{1,40}){2,3}", "repeats a group"),
        (r"(?P<operation>\w{1,40})", r"\w{1,4000}", "can match in too many ways"),
        (r"(?P<operation>\w{1,40})", r"(\w", "is no regular expression"),
    ],
)
def test_a_wrong_failure_is_refused(rules: Path, old: str, new: str, said: str) -> None:
    assert said in refused(rules, "failures/first-step-timeout.yaml", old, new)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (r"(\d{1,6})\b", r"\d{1,6}\b", "must have one group"),
        ("then:", "that:", 'unknown key "that"'),
        ("means: the rank", "mean: the rank", 'unknown key "mean"'),
        ("progress:", "progres:", 'unknown key "progres"'),
    ],
)
def test_wrong_knowledge_of_logs_is_refused(rules: Path, old: str, new: str, said: str) -> None:
    assert said in refused(rules, "logs.yaml", old, new)


@pytest.mark.parametrize("text", [r"a\+b\*c", r"[+*]{1,3}x?", r"\d{4}", r"a.{0,300}b", r"(?:ab)?c", r"[]+]"])
def test_bounded_expressions_are_accepted(text: str) -> None:
    assert check_expression(Node("f", (), text, {(): 1})).pattern == text


def test_the_failures_of_this_project_say_all_that_is_needed() -> None:
    ruleset = load()
    failures = [failure_from(plain) for plain in ruleset.failures.values()]
    assert {one.found for one in failures} == {"line", "recompute"}
    assert {one.certainty for one in failures} <= set(CERTAINTIES)
    assert {one.rule for one in failures} - {""} <= set(ruleset.rules)
    assert all(one.cures and one.references for one in failures)
    assert {fact.name for fact in logs_from(ruleset.logs).facts} >= {
        fact for one in failures for fact in (*one.confirmed_by, *one.contradicted_by)
    }

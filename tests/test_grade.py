"""Severities of the configuration: every kind of finding has them, and they change what is reported alone."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from recipelint import run
from recipelint.commandline import judge
from recipelint.diagnostic import Severity
from recipelint.outcome import Outcome
from recipelint.ruleset.grade import graded, grades
from recipelint.ruleset.load import load
from recipelint.ruleset.select import SelectError
from recipelint.settings import Settings
from recipelint.source import SourceFile

LAUNCH = (
    "torchrun -m molt.cli.train_sft --model.model_name_or_path /m --fsdp.ep_size 8 --model.gradient_checkpoint full\n"
)
BROKEN = "if then fi\n"
IDLE = "# recipelint: ignore[EP002]\necho\n"
CUT = "torchrun -m molt.cli.train_sft --model.model_name_or_path /m \\\n# note\n  --fsdp.ep_size 1\n"
INFO, WARNING, ERROR = Severity


def check(text: str, *severity: tuple[str, Severity], **settings: Any) -> Outcome:
    return run.check(Settings(severity=severity, **settings), [SourceFile("a.sh", text.encode())])


def severities(outcome: Outcome) -> set[tuple[str, str]]:
    return {(one.code, one.severity.word) for one in outcome.diagnostics}


@pytest.mark.parametrize(
    ("text", "code", "own", "settings"),
    [
        pytest.param(LAUNCH, "EP001", "error", {}, id="a rule"),
        pytest.param(CUT, "SH003", "error", {}, id="a check of the program"),
        pytest.param(BROKEN, "SH001", "warning", {}, id="what cannot be read"),
        pytest.param(IDLE, "RL001", "warning", {"select": ("EP002", "RL001")}, id="an idle comment"),
    ],
)
def test_every_kind_of_finding(text: str, code: str, own: str, settings: dict[str, Any]) -> None:
    assert (code, own) in severities(check(text, **settings))
    outcome = check(text, (code, INFO), **settings)
    assert (code, "info") in severities(outcome)
    assert {one.severity for one in outcome.launchers[0].diagnostics if one.code == code} <= {INFO}


def test_show_and_command_lines_have_them_too() -> None:
    given = Settings(severity=(("SH001", INFO), ("EP001", INFO)))
    shown = run.resolve(given, [SourceFile("a.sh", BROKEN.encode())])
    assert {one.severity for one in (*shown.diagnostics, *shown.launchers[0].diagnostics)} == {INFO}
    judged = judge(LAUNCH.split(), {}, given)
    assert severities(judged.outcome) == {("EP001", "info")}
    assert judged.cure


def test_what_is_hidden_has_them() -> None:
    outcome = check(f"# recipelint: ignore[EP001]\n{LAUNCH}", ("EP001", INFO))
    assert [one.severity for one in outcome.hidden] == [INFO]
    assert outcome.commented[0] is outcome.hidden[0], "reports tell comments from the configuration by it"


def test_the_most_exact_selector_counts() -> None:
    table = (("EP001", INFO), ("ALL", ERROR), ("moe", WARNING))
    found = grades(load(), Settings(severity=table))
    assert (found["EP001"], found["EP002"], found["SH004"]) == (INFO, WARNING, ERROR)
    with pytest.raises(SelectError):
        grades(load(), Settings(severity=(("QQ", INFO),)))


@pytest.mark.parametrize(
    ("own", "found", "given", "becomes"),
    [
        (ERROR, ERROR, WARNING, WARNING),
        (ERROR, ERROR, INFO, INFO),
        (ERROR, WARNING, WARNING, WARNING),
        (ERROR, WARNING, INFO, INFO),
        (ERROR, WARNING, ERROR, WARNING),
        (WARNING, WARNING, ERROR, ERROR),
        (WARNING, INFO, ERROR, INFO),
        (WARNING, ERROR, INFO, INFO),
        (INFO, WARNING, ERROR, ERROR),
        (INFO, ERROR, WARNING, ERROR),
    ],
)
def test_a_variant_that_is_milder_is_never_lifted(
    own: Severity, found: Severity, given: Severity, becomes: Severity
) -> None:
    assert graded(found, own, given) == becomes


def test_no_finding_is_lifted_above_both() -> None:
    for own, found, given in itertools.product(Severity, repeat=3):
        assert min(found, given) <= graded(found, own, given) <= max(found, given)


def test_a_variant_of_a_real_rule() -> None:
    """With AutoModel 0.7.0 EP001 is a warning; an override to error is for the cases that are errors."""
    known = {"automodel": "0.7.0"}
    assert severities(check(LAUNCH, **known)) == {("EP001", "warning")}
    assert severities(check(LAUNCH, ("EP001", ERROR), **known)) == {("EP001", "warning")}
    assert severities(check(LAUNCH, ("EP001", INFO), **known)) == {("EP001", "info")}


def test_a_fix_is_checked_as_ever() -> None:
    outcome = check(LAUNCH, ("ALL", INFO), fix=True)
    assert ([one.code for one in outcome.fixed], outcome.diagnostics) == (["EP001"], ())

"""JUnit's XML, read by junitparser."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from junitparser import Error, Failure, JUnitXml, TestSuite

from recipelint.diagnostic import Severity
from recipelint.outcome import Outcome, Unreadable
from recipelint.report.junit import render
from recipelint.report.report import Report
from tests.hostile import repository
from tests.outcomes import at, diagnostic, launcher, source, wrong
from tests.reports import report


def suites(given: Report) -> dict[str, TestSuite]:
    """The suites by name; the counts of each, and of all, are those of its cases."""
    everything = JUnitXml.fromstring(render(given).encode())
    for one in (everything, *everything):
        cases = list(one) if isinstance(one, TestSuite) else [case for suite in one for case in suite]
        results = [result for case in cases for result in case.result]
        assert one.tests == len(cases)
        assert one.failures == sum(isinstance(result, Failure) for result in results)
        assert one.errors == sum(isinstance(result, Error) for result in results)
    return {suite.name: suite for suite in everything}


def given(outcome: Outcome) -> Report:
    return Report(outcome, os.path.realpath("."))


def test_findings_files_without_any_and_files_that_cannot_be_read() -> None:
    file, clean = source(), source("true\n", "clean.sh")
    found = (
        diagnostic(at(file, "full"), help="do", severity=Severity.WARNING),
        diagnostic(at(file, "full"), message="two"),
    )
    outcome = wrong(file)._replace(diagnostics=found, unreadable=(Unreadable("x.sh", "is binary"),))
    shown = suites(given(outcome._replace(launchers=(*outcome.launchers, launcher(clean)))))
    assert list(shown) == ["clean.sh", "slurm/sft.sh", "x.sh"]
    (passed,) = shown["clean.sh"]
    assert (passed.name, passed.classname, passed.is_passed) == ("no problems", "clean.sh", True)
    first, second = shown["slurm/sft.sh"]
    assert first.name == "EP001 full-checkpointing-under-ep-dispatcher"
    assert second.name == "EP001 full-checkpointing-under-ep-dispatcher (2)"
    (failure,) = first.result
    assert (failure.message, failure.type) == ("full under hybridep", "warning")
    assert failure.text == ("slurm/sft.sh:6:31: EP001 [warning] full under hybridep\nhelp: do")
    assert first._elem.get("line") == "6"
    (unread,) = shown["x.sh"]
    (error,) = unread.result
    assert (error.message, error.text) == ("is binary", "x.sh: is binary")


def test_a_file_that_was_not_written_has_its_findings_too() -> None:
    outcome = wrong()._replace(unreadable=(Unreadable("slurm/sft.sh", "not written: it has changed meanwhile"),))
    shown = suites(given(outcome))
    assert [case.name for case in shown["slurm/sft.sh"]] == [
        "can be checked",
        "EP001 full-checkpointing-under-ep-dispatcher",
    ]


def test_nothing_read_is_an_empty_document() -> None:
    assert suites(given(Outcome())) == {}


def test_the_fixtures_and_hostile_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository(tmp_path))
    made = report()
    shown = suites(made)
    assert sum(suite.failures for suite in shown.values()) == len(made.outcome.diagnostics) > 40
    assert shown["examples/scripts/docker_run.sh"].failures == 0
    names = {name.removeprefix("hostile/") for name in shown if name.startswith("hostile/")}
    assert {"new\nline.sh", "carriage\rreturn.sh", "::error::pwned.sh", "<b onclick='x'>&amp;]]>.sh"} <= names
    assert {"bidi-\u202ehs.gnp.sh", "训练 🚀.sh", "##[command]pwned.sh", " leading and trailing .sh"} <= names
    assert "\\x1b[31mansi\\x1b]0;pwn\\x07.sh" in names  # no XML may hold these characters
    assert "not-utf8-\\xff\\xfe.sh" in names
    said = "".join(result.message for suite in shown.values() for case in suite for result in case.result)
    assert said.isprintable()
    assert "has no flag --x\\n:\\x3aerror:\\x3apwned" in said

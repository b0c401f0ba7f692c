"""Checkstyle's XML, read as its readers do: files with errors, each with a line, a severity, a message and a source."""

from __future__ import annotations

import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

from recipelint.diagnostic import Confidence, Severity
from recipelint.outcome import Outcome, Unreadable
from recipelint.report.checkstyle import render
from recipelint.report.report import Report
from tests.hostile import repository
from tests.outcomes import at, diagnostic, launcher, source, wrong
from tests.reports import report

SEVERITIES = {"ignore", "info", "warning", "error"}


def files(given: Report) -> dict[str, list[dict[str, str]]]:
    """The errors of each file, in the structure that Checkstyle's XMLLogger writes."""
    root = ElementTree.fromstring(render(given).encode())
    assert (root.tag, set(root.attrib)) == ("checkstyle", {"version"})
    found: dict[str, list[dict[str, str]]] = {}
    for file in root:
        assert (file.tag, set(file.attrib)) == ("file", {"name"})
        assert file.attrib["name"] not in found
        for error in file:
            assert (error.tag, len(error)) == ("error", 0)
            assert {"line", "severity", "message", "source"} <= set(error.attrib)
            assert set(error.attrib) <= {"line", "column", "severity", "message", "source"}
            assert int(error.attrib["line"]) >= 1
            assert error.attrib["severity"] in SEVERITIES
        found[file.attrib["name"]] = [dict(error.attrib) for error in file]
    return found


def test_findings_files_without_any_and_files_that_cannot_be_read() -> None:
    file, clean = source(), source("true\n", "clean.sh")
    found = (
        diagnostic(at(file, "8")),
        diagnostic(at(file, "full"), severity=Severity.INFO, confidence=Confidence.POSSIBLE),
    )
    outcome = wrong(file)._replace(diagnostics=found, unreadable=(Unreadable("x.sh", "is binary"),))
    shown = files(Report(outcome._replace(launchers=(*outcome.launchers, launcher(clean))), os.path.realpath(".")))
    assert shown == {
        "clean.sh": [],
        "slurm/sft.sh": [
            {
                "line": "2",
                "column": "21",
                "severity": "error",
                "message": "full under hybridep",
                "source": "recipelint.EP001",
            },
            {
                "line": "6",
                "column": "31",
                "severity": "info",
                "message": "possible: full under hybridep",
                "source": "recipelint.EP001",
            },
        ],
        "x.sh": [{"line": "1", "severity": "error", "message": "is binary", "source": "recipelint.unreadable"}],
    }


def test_nothing_read_is_an_empty_document() -> None:
    assert files(Report(Outcome())) == {}


def test_the_fixtures_and_hostile_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository(tmp_path))
    made = report()
    shown = files(made)
    assert sum(map(len, shown.values())) == len(made.outcome.diagnostics) > 40
    assert {"hostile/::error::pwned.sh", "hostile/new\nline.sh", "hostile/quote\"'`$(id).sh"} <= set(shown)
    assert all(error["message"].isprintable() for errors in shown.values() for error in errors)

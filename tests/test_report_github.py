"""Workflow commands as the runner of GitHub Actions reads them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from recipelint.diagnostic import Confidence, Severity
from recipelint.outcome import Outcome, Unreadable
from recipelint.report.github import LONGEST, render
from recipelint.report.report import Report
from tests.hostile import NAMES, Command, read_back, repository
from tests.outcomes import at, between, diagnostic, safe_fix, source, wrong
from tests.reports import report


def shown(outcome: Outcome, *, quiet: bool = False) -> list[Command]:
    text = render(Report(outcome, os.path.realpath("."), quiet=quiet))
    found = read_back(text)
    assert len(found) == text.count("\n")  # every line is a command
    return found


def test_a_finding() -> None:
    file = source()
    one = diagnostic(at(file, "full"), help="set it to none", fix=safe_fix(at(file, "full")))
    assert render(Report(Outcome(diagnostics=(one,)), os.path.realpath("."))) == (
        "::error file=slurm/sft.sh,line=6,col=31,endLine=6,endColumn=35,"
        "title=EP001 full-checkpointing-under-ep-dispatcher::"
        "full under hybridep%0Ahelp: set it to none%0Afix (safe): set activation_checkpointing to none\n"
    )


def test_nothing_found_is_no_line() -> None:
    assert render(Report(Outcome())) == ""


def test_columns_are_given_within_one_line_only() -> None:
    file = source()
    (one,) = shown(Outcome(diagnostics=(diagnostic(between(file, "torchrun", "full")),)))
    assert one.properties == {
        "file": "slurm/sft.sh",
        "line": "4",
        "endLine": "6",
        "title": "EP001 full-checkpointing-under-ep-dispatcher",
    }


def test_text_that_no_file_holds_has_no_place() -> None:
    file = source("full\n", "<command line>")
    outcome = Outcome(diagnostics=(diagnostic(at(file, "full")),), unreadable=(Unreadable("<stdin>", "is binary"),))
    unread, one = shown(outcome)
    assert set(one.properties) == set(unread.properties) == {"title"}
    assert unread.message == "<stdin>: is binary"


def test_errors_come_first_and_what_github_leaves_out_is_counted() -> None:
    file = source("full\n" * 40)
    severities = [Severity.INFO] * 2 + [Severity.WARNING] * 11 + [Severity.ERROR] * 12
    found = tuple(
        diagnostic(at(file, "full", number + 1), severity=severity) for number, severity in enumerate(severities)
    )
    *findings, last = shown(Outcome(diagnostics=found, unreadable=(Unreadable("x.sh", "is binary"),)))
    assert [one.name for one in findings] == ["error"] * 13 + ["warning"] * 11 + ["notice"] * 2
    assert [int(one.properties["line"]) for one in findings[1:]] == [*range(14, 26), *range(3, 14), 1, 2]
    assert last == Command(
        "notice",
        {"title": "recipelint"},
        "GitHub shows 10 annotations of a kind for a step. Not among them: 3 errors, 1 warning; see the log",
    )
    assert len(shown(Outcome(diagnostics=found), quiet=True)) == 25
    assert [one.name for one in shown(Outcome(diagnostics=found[2:12]))] == ["warning"] * 10


def test_possible_findings_and_files_that_were_not_read_are_told() -> None:
    file = source()
    found = diagnostic(at(file, "full"), confidence=Confidence.POSSIBLE)
    unread, one = shown(Outcome(diagnostics=(found,), unreadable=(Unreadable("a,b.sh", "is\nbinary"),)))
    assert one.properties["title"].endswith(" (possible)")
    assert unread == Command("error", {"file": "a,b.sh", "title": "recipelint"}, "a,b.sh: is\\nbinary")


def test_percent_signs_colons_and_commas_come_back() -> None:
    file = source("full\n", "100%0A,a:b=c.sh")
    found = diagnostic(at(file, "full"), message="100%0A%25, a: b", name="a:b,c%d")
    (one,) = shown(Outcome(diagnostics=(found,)))
    assert (one.properties["file"], one.properties["title"], one.message) == (
        file.path,
        "EP001 a:b,c%d",
        "100%0A%25, a: b",
    )


def test_a_message_is_as_long_as_the_runner_takes() -> None:
    (one,) = shown(wrong()._replace(diagnostics=(diagnostic(at(source(), "full"), message="%" * 9999),)))
    assert one.message == "%" * LONGEST


def test_hostile_names_come_back_but_for_what_no_log_may_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository(tmp_path))
    found = shown(report("hostile").outcome)
    files = {one.properties["file"] for one in found if "file" in one.properties}
    exact = {f"hostile/{os.fsdecode(name)}" for name in NAMES} & files
    assert {os.fsdecode(name) for name in NAMES} - {name.removeprefix("hostile/") for name in exact} == {
        "not-utf8-\udcff\udcfe.sh",
        "\x1b[31mansi\x1b]0;pwn\x07.sh",
        "bidi-\u202ehs.gnp.sh",
        "##[command]pwned.sh",
        "##vso[task.setvariable]x.sh",
    }
    assert "hostile/not-utf8-\\xff\\xfe.sh" in files
    assert "hostile/#\\x23[command]pwned.sh" in files
    assert len(files) == len(NAMES)
    assert {one.properties.get("title", "").split()[0] for one in found} == {"EP001", "ARG001", "ARG004", "recipelint"}

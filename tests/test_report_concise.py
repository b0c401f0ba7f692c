"""One diagnostic a line."""

from __future__ import annotations

from recipelint.diagnostic import Confidence, Severity
from recipelint.outcome import Outcome
from recipelint.report.concise import render
from recipelint.report.style import Stream
from tests.outcomes import at, diagnostic, source, wrong


def test_a_line() -> None:
    assert render(wrong(), Stream()) == "slurm/sft.sh:6:31: EP001 [error] full under hybridep\n"


def test_a_possible_warning() -> None:
    found = diagnostic(at(source(), "8"), severity=Severity.WARNING, confidence=Confidence.POSSIBLE)
    assert render(Outcome((), (found,)), Stream()) == (
        "slurm/sft.sh:2:21: EP001 [possible warning] full under hybridep\n"
    )


def test_no_line_is_a_workflow_command() -> None:
    found = diagnostic(at(source("full\n", ":"), "full"), message="a\n::error::x\x1b[0m")
    assert render(Outcome((), (found,)), Stream()) == ":\\x3a1:1: EP001 [error] a\\n:\\x3aerror:\\x3ax\\x1b[0m\n"

"""The reports for people: what was fixed, the findings, and the totals."""

from __future__ import annotations

from collections.abc import Callable

from recipelint.outcome import Outcome
from recipelint.report import totals
from recipelint.report.report import Report
from recipelint.report.style import Stream


def full(report: Report) -> str:
    """Each finding with its source."""
    from recipelint.report import full as findings

    return _report(report, findings.render)


def concise(report: Report) -> str:
    """A finding a line."""
    from recipelint.report import concise as findings

    return _report(report, findings.render)


def grouped(report: Report) -> str:
    """The findings of each file below its name."""
    from recipelint.report import grouped as findings

    return _report(report, findings.render)


def _report(report: Report, findings: Callable[[Outcome, Stream], str]) -> str:
    outcome, stream = report.outcome, report.stream
    text = ""
    if outcome.fixed and not report.quiet:
        text += totals.fixes(outcome, stream, made=report.made) + "\n"
    if outcome.ignored and not report.quiet:
        text += totals.ignores(outcome, stream) + "\n"
    if report.statistics:
        from recipelint.report import statistics

        text += statistics.text(outcome, stream, unsafe=report.unsafe)
    else:
        text += findings(outcome, stream)
    text += totals.stale(outcome, report.baseline, stream)
    if outcome.written is not None:
        text += totals.written(outcome.written)
        if report.unnamed is not None and not report.quiet:
            text += totals.next_step(outcome.written, report.unnamed)
    elif not report.quiet:
        text += totals.totals(outcome, stream, made=report.made, unsafe=report.unsafe)
    return text

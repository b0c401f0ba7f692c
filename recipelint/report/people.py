"""The reports for people: what was fixed, the findings, and the totals."""

from __future__ import annotations

from recipelint.report import totals
from recipelint.report.report import Report


def full(report: Report) -> str:
    """Each finding with its source."""
    from recipelint.report import full as findings

    return _report(report, findings.render(report.outcome, report.stream))


def concise(report: Report) -> str:
    """A finding a line."""
    from recipelint.report import concise as findings

    return _report(report, findings.render(report.outcome, report.stream))


def grouped(report: Report) -> str:
    """The findings of each file below its name."""
    from recipelint.report import grouped as findings

    return _report(report, findings.render(report.outcome, report.stream))


def _report(report: Report, findings: str) -> str:
    outcome, stream = report.outcome, report.stream
    if report.quiet:
        return findings
    fixes = totals.fixes(outcome, stream, made=report.made) + "\n" if outcome.fixed else ""
    return fixes + findings + totals.totals(outcome, stream, made=report.made, unsafe=report.unsafe)

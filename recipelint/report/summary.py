"""A report in Markdown, for the summary of a CI job or a comment: totals, and a table of what was fixed and found."""

from __future__ import annotations

from collections.abc import Iterator

from recipelint.diagnostic import Confidence, Diagnostic, Severity
from recipelint.report.markdown import cell
from recipelint.report.report import Report
from recipelint.report.style import Stream
from recipelint.report.totals import totals

HEAD = ("", "rule", "place", "what", "fix")


def render(report: Report) -> str:
    """Errors first, then the other findings, then what was fixed."""
    outcome = report.outcome
    text = "### recipelint\n\n"
    if not report.quiet:
        text += totals(outcome, Stream(), made=report.made, unsafe=report.unsafe).strip().replace("\n", "  \n") + "\n\n"
    rows = list(_rows(report))
    if rows:
        text += "".join(f"| {' | '.join(row)} |\n" for row in (HEAD, ["---"] * len(HEAD), *rows)) + "\n"
    for one in outcome.unreadable:
        text += f"{cell(f'{report.place(one.path)}: {one.reason}')} (not read)\n\n"
    return text


def _rows(report: Report) -> Iterator[tuple[str, ...]]:
    for severity in reversed(Severity):
        yield from (_found(one, report) for one in report.outcome.diagnostics if one.severity is severity)
    word = "fixed" if report.made else "would be fixed"
    for fix in report.outcome.fixed:
        yield word, cell(fix.code), cell(f"{report.place(fix.path)}:{fix.line}"), cell(fix.title), cell(fix.note)


def _found(one: Diagnostic, report: Report) -> tuple[str, ...]:
    possible = "possible " if one.confidence is Confidence.POSSIBLE else ""
    start = one.location.start
    return (
        f"{possible}{one.severity.word}",
        cell(one.code),
        cell(f"{report.place(one.location.path)}:{start.line}:{start.column}"),
        cell(one.message),
        cell(f"{one.fix.applicability.word}: {one.fix.title}") if one.fix else "",
    )

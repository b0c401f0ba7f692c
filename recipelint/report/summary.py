"""A report in Markdown, for the summary of a CI job or a comment: totals, and a table of what was fixed and found."""

from __future__ import annotations

from collections.abc import Iterator

from recipelint.diagnostic import Confidence, Diagnostic, Severity
from recipelint.outcome import Outcome
from recipelint.report.markup import cell, code
from recipelint.report.style import Stream
from recipelint.report.totals import totals

HEAD = ("", "rule", "place", "what", "fix")


def render(outcome: Outcome, *, made: bool, unsafe: bool) -> str:
    """Errors first; MADE and UNSAFE tell whether fixes were written, and whether unsafe ones were asked for."""
    text = "### recipelint\n\n"
    text += totals(outcome, Stream(), made=made, unsafe=unsafe).strip().replace("\n", "  \n") + "\n"
    rows = list(_rows(outcome, made))
    if rows:
        table = [HEAD, ["---"] * len(HEAD), *rows]
        text += "\n" + "".join(f"| {' | '.join(row)} |\n" for row in table)
    for one in outcome.unreadable:
        text += f"\n{code(one.path)} was not read: {cell(one.reason)}\n"
    return text


def _rows(outcome: Outcome, made: bool) -> Iterator[tuple[str, ...]]:
    for severity in sorted(Severity, reverse=True):
        yield from (_found(one) for one in outcome.diagnostics if one.severity is severity)
    for fix in outcome.fixed:
        word = "fixed" if made else "would be fixed"
        yield word, cell(fix.code), code(f"{fix.path}:{fix.line}"), cell(fix.title), cell(fix.note)


def _found(one: Diagnostic) -> tuple[str, ...]:
    possible = "possible " if one.confidence is Confidence.POSSIBLE else ""
    start = one.location.start
    fix = f"{one.fix.applicability.word}: {one.fix.title}" if one.fix else ""
    return (
        f"{possible}{one.severity.word}",
        cell(one.code),
        code(f"{one.location.path}:{start.line}:{start.column}"),
        cell(one.message),
        cell(fix),
    )

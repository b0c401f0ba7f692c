"""Reviewdog's diagnostic format: findings with suggestions that a reviewer applies with a click.

Reviewdog makes one comment of a finding, for the lines of its first suggestion, and refuses suggestions of other
lines; so a fix is one suggestion of whole lines. It shows the message as Markdown. Columns are bytes of UTF-8.
https://github.com/reviewdog/reviewdog/tree/master/proto/rdf
"""

from __future__ import annotations

from recipelint.diagnostic import Diagnostic, Severity
from recipelint.report.concise import line
from recipelint.report.json_ import Json, dump
from recipelint.report.markdown import ends_fence, harmless, target
from recipelint.report.plain import neutralise
from recipelint.report.report import Report
from recipelint.report.style import Stream
from recipelint.report.suggestion import suggestion
from recipelint.report.unicode import decodable
from recipelint.source import Location, SourceFile

SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.INFO: "INFO"}


def render(report: Report) -> str:
    """All findings as one DiagnosticResult."""
    found = [_finding(one, report) for one in report.outcome.diagnostics]
    return dump({"source": {"name": "recipelint"}, "diagnostics": found})


def _finding(one: Diagnostic, report: Report) -> Json:
    suggested = _suggestion(one, report)
    result: Json = {
        "message": "\n\n".join(_message(one, report, suggested=bool(suggested))),
        "location": _location(one.location, report),
        "severity": SEVERITIES[one.severity],
        "code": {"value": one.code, "url": target(one.url)} if one.url else {"value": one.code},
    }
    if suggested:
        result["suggestions"] = [suggested]
    related = [
        {"message": harmless(neutralise(label.text)), "location": _location(label.location, report)}
        for label in one.related
    ]
    if related:
        result["related_locations"] = related
    result["original_output"] = line(one, Stream(), report.place(one.location.path))
    return result


def _message(one: Diagnostic, report: Report, *, suggested: bool) -> list[str]:
    """What is found, how to go on, and, where a fix cannot be suggested, what it is and how to make it."""
    rows = [neutralise(one.message)]
    if one.help.strip():
        rows.append(f"help: {neutralise(one.help.strip())}")
    fix = report.offered(one)
    if fix is not None and not suggested:
        others = [neutralise(report.place(path)) for path in fix.paths if path != one.location.path]
        why = f", as it changes {' and '.join(others)}" if others else ""
        rows.append(f"fix ({fix.applicability.word}): {neutralise(fix.title)}; make it with recipelint --fix{why}")
    return [harmless(row) for row in rows]


def _suggestion(one: Diagnostic, report: Report) -> Json | None:
    """The fix as one suggestion; a fix that also changes another file cannot be one."""
    fix = report.offered(one)
    if fix is None or fix.paths != (one.location.path,):
        return None
    made = suggestion(one.location.source, fix.edits)
    if made is None or ends_fence(made.text):
        return None
    return {"range": {"start": {"line": made.first}, "end": {"line": made.last}}, "text": made.text}


def _location(location: Location, report: Report) -> Json:
    source, span = location
    return {
        "path": decodable(report.place(source.path)),
        "range": {"start": _position(source, span.start), "end": _position(source, span.end)},
    }


def _position(source: SourceFile, offset: int) -> Json:
    number = source.line_number(offset)
    return {"line": number, "column": offset - source.line_starts[number - 1] + 1}

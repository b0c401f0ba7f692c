"""Workflow commands of GitHub Actions: an annotation for each finding, errors first.

The runner reads a line from its first `::`; `%0A` and the like are all that it decodes, and only in what a command
says. So text from files is made harmless first, and then escaped as the runner asks.
https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
"""

from __future__ import annotations

from collections.abc import Iterator

from recipelint.diagnostic import Confidence, Diagnostic, Severity
from recipelint.outcome import Unreadable
from recipelint.report.plain import neutralise, visible
from recipelint.report.report import NO_FILES, Report
from recipelint.report.style import plural

SHOWN = 10
"""How many annotations of a kind GitHub shows for a step."""
LONGEST = 4000
"""Characters of a message: the runner cuts it at 4096."""
COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(report: Report) -> str:
    """A line for each file that could not be read and each finding, and what GitHub will not show."""
    outcome = report.outcome
    unread = [_unreadable(one, report) for one in outcome.unreadable]
    rows = [*unread]
    hidden = []
    for severity in reversed(Severity):
        found = [_finding(one, report) for one in outcome.diagnostics if one.severity is severity]
        rows += found
        count = len(found) + (len(unread) if severity is Severity.ERROR else 0)
        if count > SHOWN:
            hidden.append(plural(count - SHOWN, COMMANDS[severity]))
    if hidden and not report.quiet:
        what = f"GitHub shows {SHOWN} annotations of a kind for a step. Not among them: {', '.join(hidden)}"
        rows.append(_command("notice", {"title": "recipelint"}, f"{what}; see the log"))
    return "".join(f"{row}\n" for row in rows)


def _finding(one: Diagnostic, report: Report) -> str:
    start, end = one.location.start, one.location.end
    properties: dict[str, object] = {}
    if one.location.path not in NO_FILES:
        within = start.line == end.line  # GitHub takes columns only within one line
        properties.update(file=report.place(one.location.path), line=start.line)
        properties.update({"col": start.column} if within else {}, endLine=end.line)
        properties.update({"endColumn": end.column} if within else {})
    possible = " (possible)" if one.confidence is Confidence.POSSIBLE else ""
    properties["title"] = f"{one.code} {one.name}{possible}"
    return _command(COMMANDS[one.severity], properties, "\n".join(_said(one, report)))


def _said(one: Diagnostic, report: Report) -> Iterator[str]:
    yield neutralise(one.message)
    if one.help.strip():
        yield f"help: {neutralise(one.help.strip())}"
    if one.fix:
        yield f"fix ({one.fix.applicability.word}): {neutralise(one.fix.title)}"


def _unreadable(one: Unreadable, report: Report) -> str:
    place = {} if one.path in NO_FILES else {"file": report.place(one.path)}
    said = neutralise(f"{report.place(one.path)}: {one.reason}")
    return _command("error", {**place, "title": "recipelint"}, said)


def _command(name: str, properties: dict[str, object], message: str) -> str:
    given = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{name} {given}::{_data(message[:LONGEST])}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """A value of which the runner gets every character back, but for those that no log should hold."""
    text = "".join(char if char in "\r\n" else visible(char) for char in text)
    return _data(text).replace(":", "%3A").replace(",", "%2C").replace("##", "#\\x23")

"""Diagnostics one a line: `path:line:column: CODE [severity] message`."""

from __future__ import annotations

from recipelint.diagnostic import Confidence, Diagnostic
from recipelint.outcome import Outcome
from recipelint.report.plain import inert, neutralise
from recipelint.report.style import BOLD, SEVERITY_COLOURS, Stream


def render(outcome: Outcome, stream: Stream) -> str:
    """Every diagnostic, one a line."""
    return "".join(line(diagnostic, stream) + "\n" for diagnostic in outcome.diagnostics)


def line(diagnostic: Diagnostic, stream: Stream, path: str = "") -> str:
    """One diagnostic, without a newline; PATH stands for that of its file."""
    start = diagnostic.location.start
    file = diagnostic.location.path
    place = stream.place(f"{neutralise(path or file)}:{start.line}:{start.column}", file, start.line)
    possible = "possible " if diagnostic.confidence is Confidence.POSSIBLE else ""
    severity = stream.paint(f"[{possible}{diagnostic.severity.word}]", SEVERITY_COLOURS[diagnostic.severity])
    code = stream.link(neutralise(diagnostic.code), diagnostic.url)
    return inert(f"{stream.paint(f'{place}:', BOLD)} {code} {severity} {neutralise(diagnostic.message)}")

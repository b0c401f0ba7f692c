"""Diagnostics below the name of their file, one a line: `line:column CODE [severity] message`."""

from __future__ import annotations

from itertools import groupby

from recipelint.diagnostic import Confidence, Diagnostic
from recipelint.outcome import Outcome
from recipelint.report.plain import inert, neutralise
from recipelint.report.style import BOLD, SEVERITY_COLOURS, Stream


def render(outcome: Outcome, stream: Stream) -> str:
    """Every file with its findings, an empty line after each."""
    return "".join(
        group(path, list(found), stream) + "\n"
        for path, found in groupby(outcome.diagnostics, key=lambda one: one.location.path)
    )


def group(path: str, diagnostics: list[Diagnostic], stream: Stream) -> str:
    """The name of a file and its findings, the messages below each other."""
    rows = [(_place(one), neutralise(one.code), _severity(one), one) for one in diagnostics]
    places, codes, words = (max(len(row[at]) for row in rows) for at in range(3))
    lines = [stream.paint(neutralise(path), BOLD) + ":"]
    for place, code, word, one in rows:
        severity = stream.paint(word, SEVERITY_COLOURS[one.severity]) + " " * (words - len(word))
        lines.append(f"  {place:{places}}  {code:{codes}}  {severity}  {neutralise(one.message)}")
    return inert("\n".join(lines)) + "\n"


def _place(diagnostic: Diagnostic) -> str:
    start = diagnostic.location.start
    return f"{start.line}:{start.column}"


def _severity(diagnostic: Diagnostic) -> str:
    possible = "possible " if diagnostic.confidence is Confidence.POSSIBLE else ""
    return f"[{possible}{diagnostic.severity.word}]"

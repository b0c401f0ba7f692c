"""Diagnostics for a person: each with its source, the places that make it underlined, and the ways out."""

from __future__ import annotations

from collections.abc import Iterator

from recipelint.diagnostic import Confidence, Diagnostic
from recipelint.outcome import Outcome
from recipelint.report.excerpt import Place, excerpt, last_line
from recipelint.report.plain import inert, neutralise
from recipelint.report.style import BLUE, BOLD, SEVERITY_COLOURS, Stream
from recipelint.source import SourceFile


def render(outcome: Outcome, stream: Stream) -> str:
    """Every diagnostic, an empty line after each."""
    return "".join(diagnostic_text(diagnostic, stream) + "\n" for diagnostic in outcome.diagnostics)


def diagnostic_text(diagnostic: Diagnostic, stream: Stream) -> str:
    """One diagnostic, ended by a newline."""
    colour = SEVERITY_COLOURS[diagnostic.severity]
    groups = _places(diagnostic)
    gutter = len(str(max(last_line(source, places) for source, places in groups)))
    rows = [_header(diagnostic, stream, colour)]
    for source, places in groups:
        start = source.position(next((place for place in places if place.primary), places[0]).span.start)
        arrow = stream.paint(" " * gutter + "-->", BLUE)
        rows.append(f"{arrow} {neutralise(source.path)}:{start.line}:{start.column}")
        rows += excerpt(source, places, gutter, stream, colour)
    remarks = list(_remarks(diagnostic))
    if not remarks:
        rows.pop()
    equals = stream.paint(" " * gutter + " =", BLUE)
    for title, text in remarks:
        first, *others = text.strip().split("\n")
        rows.append(f"{equals} {stream.paint(title + ':', BOLD)} {neutralise(first)}".rstrip())
        indent = " " * (gutter + len(title) + 5)
        rows += [(indent + neutralise(other)).rstrip() for other in others]
    return inert("\n".join(rows)) + "\n"


def _header(diagnostic: Diagnostic, stream: Stream, colour: str) -> str:
    possible = "possible " if diagnostic.confidence is Confidence.POSSIBLE else ""
    head = stream.paint(f"{possible}{diagnostic.severity.word}[{neutralise(diagnostic.code)}]", colour)
    return f"{head} {neutralise(diagnostic.name)}: {stream.paint(neutralise(diagnostic.message), BOLD)}"


def _places(diagnostic: Diagnostic) -> list[tuple[SourceFile, list[Place]]]:
    """The places to show, by file, that of the diagnostic first; the same place is shown once."""
    primary = diagnostic.location
    said = {(primary.key, diagnostic.label)}
    by_path: dict[str, tuple[SourceFile, list[Place]]] = {
        primary.path: (primary.source, [Place(primary.span, diagnostic.label, primary=True)])
    }
    for label in diagnostic.related:
        if (label.location.key, label.text) not in said:
            said.add((label.location.key, label.text))
            group = by_path.setdefault(label.location.path, (label.location.source, []))
            group[1].append(Place(label.location.span, label.text))
    return list(by_path.values())


def _remarks(diagnostic: Diagnostic) -> Iterator[tuple[str, str]]:
    if diagnostic.help.strip():
        yield "help", diagnostic.help
    if diagnostic.fix:
        yield f"fix ({diagnostic.fix.applicability.word})", diagnostic.fix.title
    if diagnostic.note.strip():
        yield "note", diagnostic.note
    if diagnostic.url:
        yield "see", diagnostic.url

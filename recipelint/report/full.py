"""Diagnostics for a person: each with its source, the places that make it underlined, and the ways out."""

from __future__ import annotations

from collections.abc import Iterator

from recipelint.diagnostic import Confidence, Diagnostic
from recipelint.outcome import Outcome
from recipelint.report.excerpt import Place, excerpt, last_line
from recipelint.report.plain import inert, neutralise
from recipelint.report.style import BLUE, BOLD, SEVERITY_COLOURS, Stream
from recipelint.report.wrap import paragraph
from recipelint.source import SourceFile

HANGING = "    "


def render(outcome: Outcome, stream: Stream) -> str:
    """Every diagnostic, an empty line after each."""
    return "".join(diagnostic_text(diagnostic, stream) + "\n" for diagnostic in outcome.diagnostics)


def diagnostic_text(diagnostic: Diagnostic, stream: Stream) -> str:
    """One diagnostic, ended by a newline."""
    colour = SEVERITY_COLOURS[diagnostic.severity]
    groups = _places(diagnostic)
    gutter = len(str(max(last_line(source, places) for source, places in groups)))
    rows = _header(diagnostic, stream, colour)
    for source, places in groups:
        start = source.position(next((place for place in places if place.primary), places[0]).span.start)
        arrow = stream.paint(" " * gutter + "-->", BLUE)
        place = f"{neutralise(source.path)}:{start.line}:{start.column}"
        rows.append(f"{arrow} {stream.place(place, source.path, start.line)}")
        rows += excerpt(source, places, gutter, stream, colour)
    remarks = list(_remarks(diagnostic))
    if not remarks:
        rows.pop()
    for title, text in remarks:
        head = " " * gutter + f" = {title}: "
        indent = " " * len(head)
        lines = [
            line
            for at, part in enumerate(text.strip().split("\n"))
            for line in paragraph(neutralise(part), stream.width, indent if at else head, indent)
        ]
        equals, bold = stream.paint(" " * gutter + " =", BLUE), stream.paint(title + ":", BOLD)
        lines[0] = f"{equals} {bold} {lines[0][len(head) :]}"
        rows += [line.rstrip() for line in lines]
    return inert("\n".join(rows)) + "\n"


def _header(diagnostic: Diagnostic, stream: Stream, colour: str) -> list[str]:
    """What is found, in a line or, on a terminal, as many as it takes."""
    possible = "possible " if diagnostic.confidence is Confidence.POSSIBLE else ""
    kind, code = f"{possible}{diagnostic.severity.word}", neutralise(diagnostic.code)
    head = f"{kind}[{code}]"
    start = f"{head} {neutralise(diagnostic.name)}: "
    indent = " " * (len(head) + 1)
    if stream.width is not None and len(start) > stream.width - len(indent):
        indent = HANGING
    first, *others = paragraph(neutralise(diagnostic.message), stream.width, start, indent)
    shown = f"{kind}[{stream.link(code, diagnostic.url)}]"
    painted = f"{stream.paint(shown, colour)}{start[len(head) :]}{stream.paint(first[len(start) :], BOLD)}".rstrip()
    return [painted, *(f"{indent}{stream.paint(line[len(indent) :], BOLD)}" for line in others)]


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

"""The lines of a file that matter, with a gutter, the places underlined and labelled, and the rest left out.

Of a place of several lines the first is underlined, and the label says how far it goes; but a primary one of up to
four lines is underlined on each of them, and labelled on its last. Of one that has others in it only the first word is.
"""

from __future__ import annotations

from collections.abc import Sequence

from recipelint.record import NamedTuple
from recipelint.report.cellline import ELISION, CellLine, lay_out
from recipelint.report.plain import neutralise
from recipelint.report.style import BLUE, Stream
from recipelint.report.underline import Mark, rows
from recipelint.source import Position, SourceFile, Span

WHOLE_LINES = 4
MARGIN = 20
NARROWEST = 40
WIDEST = 160
HUGE = 20_000


class Place(NamedTuple):
    """A span of a file, and what to say of it; one of a diagnostic's places is the primary one."""

    span: Span
    text: str
    primary: bool = False


class _Part(NamedTuple):
    """What one line shows of a place: 1-based columns, half-open."""

    start: int
    end: int
    text: str
    primary: bool


def last_line(source: SourceFile, places: Sequence[Place]) -> int:
    """The highest line number that an excerpt shows, for the width of the gutter."""
    return max(line for place in places for line, _ in _parts(source, place))


def excerpt(source: SourceFile, places: Sequence[Place], gutter: int, stream: Stream, colour: str) -> list[str]:
    """The rows of an excerpt, between two empty ones; GUTTER is how many digits line numbers take."""
    by_line: dict[int, list[_Part]] = {}
    for place in places:
        for number, part in _parts(source, place):
            by_line.setdefault(number, []).append(part)
    bar = stream.paint(" " * gutter + " |", BLUE)
    result = [bar]
    previous = 0
    for number in sorted(by_line):
        if previous and number == previous + 2:
            result += _line_rows(source, number - 1, [], gutter, stream, colour)
        elif previous and number > previous + 2:
            result.append(stream.paint("...", BLUE))
        result += _line_rows(source, number, by_line[number], gutter, stream, colour)
        previous = number
    return [*result, bar]


def _parts(source: SourceFile, place: Place) -> list[tuple[int, _Part]]:
    """What each line shows of a place."""
    start, end = source.position(place.span.start), source.position(place.span.end)
    if end.line > start.line and end.column == 1:
        before = end.line - 1
        end = Position(before, len(source.line_text(before)) + 1)
    text = neutralise(place.text)
    if end.line == start.line:
        return [(start.line, _Part(start.column, end.column, text, place.primary))]
    if place.primary and end.line - start.line < WHOLE_LINES:
        numbers = range(start.line, end.line + 1)
    else:
        numbers = range(start.line, start.line + 1)
        text = f"{text} (lines {start.line}-{end.line})".strip()
    parts = []
    for number in numbers:
        line = source.line_text(number)
        low = start.column if number == start.line else len(line) - len(line.lstrip()) + 1
        high = end.column if number == end.line else len(line.rstrip(" \t\\")) + 1
        if high > low or number == start.line:
            parts.append((number, _Part(low, high, "", place.primary)))
    number, part = parts[-1]
    parts[-1] = number, _Part(part.start, part.end, text, part.primary)
    return parts


def _line_rows(
    source: SourceFile, number: int, parts: Sequence[_Part], gutter: int, stream: Stream, colour: str
) -> list[str]:
    """A line and the rows below it; a line too long is shown once for each group of parts that fit together."""
    room = max(NARROWEST, (stream.width or WIDEST) - gutter - 3)
    head = stream.paint(f"{number:>{gutter}} |", BLUE)
    bar = stream.paint(" " * gutter + " |", BLUE)
    result = []
    text = source.line_text(number)
    for stretch, group in _stretches(text, [_apart(text, part, parts) for part in parts]):
        line = lay_out(stretch)
        marks = sorted((_mark(line, part) for part in group), key=lambda mark: (mark.start, mark.end))
        for shown, low, high in _windows(line, marks, room):
            text, moved = line.window(low, high)
            result.append(f"{head} {text}".rstrip())
            if shown:
                moved_marks = [_moved(mark, moved, low, high) for mark in shown]
                result += [f"{bar} {row}" for row in rows(moved_marks, stream, colour)]
    return result


def _apart(text: str, part: _Part, parts: Sequence[_Part]) -> _Part:
    """A part that is not the primary one, without what would hide others like it in one underline."""
    inside = [one for one in parts if not one.primary and _within(one, part)]
    if part.primary or not inside:
        return part
    words = text[part.start - 1 : part.end - 1].split(maxsplit=1)
    ends = [part.start + len(words[0]) if words else part.end, *(one.start for one in inside if one.start > part.start)]
    return part._replace(end=max(part.start + 1, min(ends)))


def _within(one: _Part, part: _Part) -> bool:
    return part.start <= one.start and one.end <= part.end and one.end - one.start < part.end - part.start


def _stretches(text: str, parts: Sequence[_Part]) -> list[tuple[str, list[_Part]]]:
    """The line with its parts; of a huge one, that laying out would take long, the stretch around each part."""
    if len(text) <= HUGE:
        return [(text, list(parts))]
    result = []
    for part in parts or [_Part(1, 1, "", primary=False)]:
        low = max(0, part.start - 1 - WIDEST)
        high = low + 4 * WIDEST
        head = ELISION if low else ""
        stretch = head + text[low:high] + (ELISION if high < len(text) else "")
        moved = low - len(head)
        group = [_Part(part.start - moved, min(part.end, high) - moved, part.text, part.primary)] if parts else []
        result.append((stretch, group))
    return result


def _mark(line: CellLine, part: _Part) -> Mark:
    start = line.cell(part.start)
    return Mark(start, max(start + 1, line.cell(part.end)), part.text, part.primary)


def _moved(mark: Mark, moved: int, low: int, high: int) -> Mark:
    """A mark as it stands in a window: clipped to it, and moved left with its text."""
    start = max(mark.start, low) - moved
    return Mark(start, max(start + 1, min(mark.end, high) - moved), mark.text, mark.primary)


def _windows(line: CellLine, marks: Sequence[Mark], room: int) -> list[tuple[list[Mark], int, int]]:
    """Groups of marks, each with the cells [low, high) of the line to show around it."""
    if line.width <= room:
        return [(list(marks), 0, line.width)]
    if not marks:
        return [([], 0, room - MARGIN)]
    room -= 2 * len(ELISION)
    groups: list[list[Mark]] = []
    for mark in marks:
        if groups and max(mark.end, *(one.end for one in groups[-1])) - groups[-1][0].start <= room - 2 * MARGIN:
            groups[-1].append(mark)
        else:
            groups.append([mark])
    result = []
    for group in groups:
        end = max(mark.end for mark in group)
        low = 0 if end + MARGIN <= room else max(0, group[0].start - MARGIN)
        result.append((group, low, min(line.width, low + room)))
    return result

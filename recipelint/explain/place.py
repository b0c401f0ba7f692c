"""A place of which something is asked, and the bytes of it."""

from __future__ import annotations

from typing import NamedTuple

from recipelint.explain.users import NoSuchPlace
from recipelint.source import SourceFile, Span


class Place(NamedTuple):
    """A line of a file, and a column in it, 0 for all of the line."""

    path: str
    line: int
    column: int = 0


def span_of(source: SourceFile, place: Place) -> Span:
    """The bytes of a place. Raises NoSuchPlace."""
    count = len(source.line_starts) - (source.data.endswith(b"\n") or not source.data)
    if not 1 <= place.line <= count:
        raise NoSuchPlace(f"there is no line {place.line}; the last is {count}")
    line = source.line_span(place.line)
    if not place.column:
        return line
    text = source.data[line.start : line.end].decode("utf-8", "surrogateescape")
    if place.column > len(text):
        raise NoSuchPlace(f"line {place.line} has no column {place.column}; the last is {len(text)}")
    start = line.start + len(text[: place.column - 1].encode("utf-8", "surrogateescape"))
    return Span(start, min(line.end, start + len(text[place.column - 1].encode("utf-8", "surrogateescape"))))

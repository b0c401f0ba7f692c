"""Byte offsets of a text, and positions as an editor counts them: the only place where one becomes the other.

A line ends in `\n`, `\r\n` or a lone `\r`, as the protocol has it; a character counts in units of UTF-8, UTF-16 or
UTF-32, as was agreed with the client. A position behind the end of its line means that end.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from lsprotocol import types

from recipelint.source import Location, SourceFile, Span

Encoding = types.PositionEncodingKind | str
ENDING = re.compile(rb"\r\n|\n|\r")


class Lines:
    """The lines of one text, in UTF-8, for one way of counting."""

    def __init__(self, data: bytes, encoding: Encoding) -> None:
        self.data = data
        self.encoding = encoding

    @cached_property
    def _ends(self) -> list[Span]:
        """The line ends."""
        return [Span(*match.span()) for match in ENDING.finditer(self.data)]

    @cached_property
    def _starts(self) -> list[int]:
        """The byte offset at which each line starts."""
        return [0, *(end.end for end in self._ends)]

    def position(self, offset: int) -> types.Position:
        """The position of a byte offset; one inside of a line end is its line's end."""
        offset = max(0, min(offset, len(self.data)))
        line = bisect_right(self._starts, offset) - 1
        end = self._ends[line].start if line < len(self._ends) else len(self.data)
        return types.Position(line, self._units(self.data[self._starts[line] : min(offset, end)]))

    def range(self, span: Span) -> types.Range:
        """The range of a span of bytes."""
        return types.Range(self.position(span.start), self.position(span.end))

    def offset(self, position: types.Position) -> int:
        """The byte offset of a position; one inside of a character is its start."""
        if position.line >= len(self._starts):
            return len(self.data)
        start = self._starts[position.line]
        end = self._ends[position.line].start if position.line < len(self._ends) else len(self.data)
        return start + self._bytes(self.data[start:end], position.character)

    def span(self, range: types.Range) -> Span:
        """The bytes of a range."""
        start = self.offset(range.start)
        return Span(start, max(start, self.offset(range.end)))

    def _units(self, line: bytes) -> int:
        if line.isascii() or self.encoding == types.PositionEncodingKind.Utf8:
            return len(line)
        return sum(self._width(char) for char in line.decode("utf-8", "surrogateescape"))

    def _bytes(self, line: bytes, units: int) -> int:
        if line.isascii():
            return min(units, len(line))
        at = 0
        for char in line.decode("utf-8", "surrogateescape"):
            size = encoded_size(char)
            units -= size if self.encoding == types.PositionEncodingKind.Utf8 else self._width(char)
            if units < 0:
                break
            at += size
        return at

    def _width(self, char: str) -> int:
        """How many units a character is, where that is not its bytes."""
        return 2 if ord(char) > 0xFFFF and self.encoding != types.PositionEncodingKind.Utf32 else 1


def encoded_size(char: str) -> int:
    """How many bytes a character of `surrogateescape` text is."""
    return len(char.encode("utf-8", "surrogateescape"))


def encoded(text: str) -> bytes:
    """The bytes of a text from a client. Half of a surrogate pair, which no file can hold, is replaced."""
    return text.encode("utf-8", "replace")


class Positions:
    """The lines of several source files, each counted once."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self._lines: dict[int, tuple[SourceFile, Lines]] = {}

    def of(self, source: SourceFile) -> Lines:
        """The lines of one file."""
        found = self._lines.get(id(source))
        if found is None:
            found = self._lines[id(source)] = (source, Lines(source.data, self.encoding))
        return found[1]

    def range(self, location: Location) -> types.Range:
        """The range of a location in its file."""
        return self.of(location.source).range(location.span)

"""Source files as bytes, and places in them.

Offsets are bytes, half-open. Lines and columns are 1-based; columns count characters. Nothing here reads the disk.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from recipelint.record import NamedTuple


class Span(NamedTuple):
    """A half-open range of byte offsets."""

    start: int
    end: int


class Position(NamedTuple):
    """A 1-based line, and a 1-based column in characters."""

    line: int
    column: int


class SourceFile:
    """A file as it was read: its path as the user would write it, and its bytes. Two are equal only if they are one."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = data

    @cached_property
    def text(self) -> str:
        """One character a byte (latin-1), so that an index into it is a byte offset."""
        return self.data.decode("latin-1")

    @cached_property
    def line_starts(self) -> list[int]:
        """The byte offset at which each line starts."""
        starts, at = [0], self.data.find(b"\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.data.find(b"\n", at + 1)
        return starts

    def forget(self) -> None:
        """Give back the memory of what can be worked out again."""
        self.__dict__.pop("text", None)
        self.__dict__.pop("line_starts", None)

    @property
    def newline(self) -> bytes:
        """The line end to write: that of the first line."""
        at = self.data.find(b"\n")
        return b"\r\n" if at > 0 and self.data[at - 1 : at] == b"\r" else b"\n"

    def line_number(self, offset: int) -> int:
        """The 1-based line of a byte offset."""
        return bisect_right(self.line_starts, offset)

    def line_span(self, number: int) -> Span:
        """The span of a 1-based line, without its line end."""
        start = self.line_starts[number - 1]
        end = self.line_starts[number] - 1 if number < len(self.line_starts) else len(self.data)
        if end > start and self.data[end - 1 : end] == b"\r":
            end -= 1
        return Span(start, max(start, end))

    def line_text(self, number: int) -> str:
        """A 1-based line as text, without its line end; bytes that are not UTF-8 are replaced."""
        span = self.line_span(number)
        return self.data[span.start : span.end].decode("utf-8", "replace")

    def position(self, offset: int) -> Position:
        """The line and column of a byte offset."""
        number = self.line_number(offset)
        before = self.data[self.line_starts[number - 1] : offset]
        return Position(number, len(before.decode("utf-8", "replace")) + 1)


class Location(NamedTuple):
    """A span of a source file."""

    source: SourceFile
    span: Span

    @property
    def path(self) -> str:
        return self.source.path

    @property
    def start(self) -> Position:
        return self.source.position(self.span.start)

    @property
    def end(self) -> Position:
        return self.source.position(self.span.end)

    @property
    def key(self) -> tuple[str, int, int]:
        """What makes two locations the same place."""
        return self.source.path, self.span.start, self.span.end

"""Where a comment that ignores a finding can stand: in one that covers it already, or on a line of its own above it.

A place is only proposed where bash, or Python, reads a comment; whether it covers the finding is for `silencer` to see.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from recipelint.commenting import Layouts
from recipelint.diagnostic import Diagnostic
from recipelint.fix import Edit
from recipelint.ignoring import shell_extent
from recipelint.prose.directives import COOKIE
from recipelint.python.comments import BOM
from recipelint.python.comments import Layout as PythonLayout
from recipelint.python.comments import layout as python_layout
from recipelint.python.files import IGNORES, is_python
from recipelint.source import SourceFile
from recipelint.suppress import UNUSED, Extent, Suppression, covers, find

HIGHEST = 4
"""How many lines are tried above a finding, each above the command that the one before is part of."""
_BLANKS = re.compile(r"[ \t]*")


class Spot(NamedTuple):
    """A place in a file: before the byte `at`, or in the comment that starts there."""

    path: str
    at: int
    known: Suppression | None = None


class Places:
    """The places of one run's files, as they were read."""

    def __init__(self, sources: Mapping[str, SourceFile]) -> None:
        self.sources = sources
        self.layouts = Layouts()
        self.python: dict[str, PythonLayout] = {}
        self.comments: dict[str, tuple[Suppression, ...]] = {}

    def of(self, diagnostic: Diagnostic) -> list[Spot]:
        """The spots for a finding, the best first: at its own place, else at the launches that it is about."""
        out: dict[Spot, None] = {}
        location = diagnostic.location
        if location.path in self.sources:
            if diagnostic.code == UNUSED:
                mine = [one for one in self.known(location.source) if one.span == location.span]
                return [Spot(location.path, one.span.start, one) for one in mine]
            out.update(dict.fromkeys(self.at(location.source, location.span.start)))
        started = set(diagnostic.launches)
        if len(started) == 1:
            path, start = started.pop()
            if path in self.sources:
                out.update(dict.fromkeys(self.at(self.sources[path], start)))
        return list(out)

    def at(self, source: SourceFile, offset: int) -> Iterator[Spot]:
        for one in self.known(source):
            if not one.file_wide and covers(source, one, self.extent(source), offset):
                yield Spot(source.path, one.span.start, one)
        for place in self.above(source, offset):
            if place == 0 and source.data.startswith(BOM):
                if not is_python(source.path, source.data):
                    return  # bash reads the mark as a part of the first word
                place = len(BOM)
            yield Spot(source.path, place)

    def above(self, source: SourceFile, offset: int) -> Iterator[int]:
        """The starts of lines that may take a comment above them, upwards from the comment block or the command."""
        line = source.line_number(offset)
        while line > 1 and _comment_line(source, line) and _comment_line(source, line - 1):
            line -= 1
        while line <= len(source.line_starts) and _bound_to_the_top(source, line):
            line += 1
        if line > len(source.line_starts):
            return
        start = source.line_starts[line - 1]
        if is_python(source.path, source.data):
            logical = [span for span in self.layout(source).logical if span.start <= offset <= span.end]
            start = source.line_starts[source.line_number(logical[0].start) - 1] if logical else start
            if self.layout(source).logical and not _bound_to_the_top(source, source.line_number(start)):
                yield start
            return
        layout = self.layouts.of(source)
        for _ in range(HIGHEST):
            place = layout.comment_place(start)
            if _bound_to_the_top(source, source.line_number(place)):
                return
            yield place
            if place == 0:
                return
            start = place - 1

    def known(self, source: SourceFile) -> tuple[Suppression, ...]:
        """The comments of a file that ignore."""
        if IGNORES not in source.data:
            return ()
        if source.path not in self.comments:
            shell = not is_python(source.path, source.data)
            is_comment = self.layouts.of(source).is_comment if shell else self.layout(source).comment_at
            self.comments[source.path] = find(source, is_comment)
        return self.comments[source.path]

    def extent(self, source: SourceFile) -> Extent:
        if is_python(source.path, source.data):
            return self.layout(source).statement(source)
        return shell_extent(source, self.layouts)

    def layout(self, source: SourceFile) -> PythonLayout:
        if source.path not in self.python:
            self.python[source.path] = python_layout(source)
        return self.python[source.path]


def edit(source: SourceFile, spot: Spot, codes: tuple[str, ...], reason: bytes) -> Edit:
    """Writes some codes at a spot."""
    named = ", ".join(codes)
    text = source.text
    if spot.known is None:
        blanks = _BLANKS.match(text, spot.at)
        indent = blanks[0].encode("latin-1") if blanks else b""
        said = b"# recipelint: ignore[%s]%s" % (named.encode(), b" " + reason if reason else b"")
        return Edit(source.path, spot.at, spot.at, indent + said + source.newline)
    start, end = spot.known.span
    comment = text[start:end]
    opening, closing = comment.find("["), comment.find("]")
    if spot.known.codes:
        inside = comment[opening + 1 : closing].rstrip(" \t,")
        return Edit(source.path, start + opening + 1 + len(inside), start + closing, f", {named}".encode())
    if re.search(r"ignore(?:-file)?[ \t]*\[[ \t,]*\]", comment):
        return Edit(source.path, start + opening + 1, start + closing, named.encode())
    word = re.search(r"ignore(?:-file)?", comment)
    at = start + (word.end() if word else len(comment))
    return Edit(source.path, at, at, f"[{named}]".encode())


def _comment_line(source: SourceFile, line: int) -> bool:
    return source.line_text(line).lstrip("\ufeff \t").startswith("#") and not _bound_to_the_top(source, line)


def _bound_to_the_top(source: SourceFile, line: int) -> bool:
    """Whether a line means what it does because nothing stands above it: a shebang, an encoding."""
    text = source.line_text(line).removeprefix("\ufeff")
    if line == 1 and text.startswith("#!"):
        return True
    return line <= 2 and is_python(source.path, source.data) and COOKIE.match(text) is not None

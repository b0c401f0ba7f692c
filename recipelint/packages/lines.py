"""Requirements files as pip reads them: continued lines, comments, options, and other files that they include."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from recipelint.lazily import regex
from recipelint.packages.model import Package, Reader, Requirement
from recipelint.packages.requirement import read
from recipelint.source import Location, SourceFile, Span

MAX_FILES = 32
_LINE = regex(rb"(?:\\\r\n|\\[\s\S]|[^\\\r\n])+")
_INCLUDE = regex(r"(?:-r|--requirement)(?:[ \t]*=[ \t]*|[ \t]+|(?<=-r))(\S+)")
_EDITABLE = regex(r"(?:-e|--editable)(?:[ \t]*=[ \t]*|[ \t]+)")
_COMMENT = regex(rb"(?:^|[ \t])#[^\r\n]*")


def requirements(path: str, source: SourceFile, package: Package, open_file: Reader) -> list[Requirement]:
    """Every requirement for the package in a file and in those that it includes, in their order."""
    found: list[Requirement] = []
    seen = {path}
    waiting = [(path, source)]
    for path, source in waiting:
        for span in logical_lines(source):
            text = plain(source.data[span.start : span.end])
            include = _INCLUDE.match(text)
            if include is not None:
                other = posixpath.normpath(posixpath.join(posixpath.dirname(path), include[1].strip("'\"")))
                if other not in seen and len(seen) < MAX_FILES and not other.startswith(("../", "/")):
                    seen.add(other)
                    opened = open_file(other)
                    waiting += [] if opened is None else [(other, opened)]
                continue
            editable = _EDITABLE.match(text)
            pin = read(text[editable.end() :] if editable else text, package)
            if pin is not None:
                found.append(Requirement(pin, Location(source, span)))
    return found


def logical_lines(source: SourceFile) -> Iterator[Span]:
    """The lines with something on them, continued ones as one, without blanks and comments at their ends."""
    for line in _LINE.finditer(source.data, 3 if source.data.startswith(b"\xef\xbb\xbf") else 0):
        text = _COMMENT.split(line[0], maxsplit=1)[0]
        stripped = text.strip(b" \t\r\n\\")
        if stripped:
            start = line.start() + text.index(stripped)
            yield Span(start, start + len(stripped))


def plain(data: bytes) -> str:
    """A logical line as text, continued lines joined."""
    return re.sub(r"\\\r?\n", " ", data.decode("utf-8", "replace"))

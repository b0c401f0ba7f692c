"""The prose of a Python file, its comments and docstrings, in sentences that know where they stand.

A sentence is a stretch of whole words of one block; its start and end are byte offsets. A bullet, the name of a
documented parameter, and what else opens a line of prose, belong to the line and not to a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from recipelint.prose.directives import is_licence, plain
from recipelint.python.comments import Layout
from recipelint.source import SourceFile, Span

ERRORS = "surrogateescape"
"""Bytes that are no UTF-8 keep their places."""
LONGEST = 2000
"""Characters of a line at most: what is longer is no prose."""
_HASH = re.compile(r"#+:?[ \t]*")
_BULLET = re.compile(r"(?:[-*\u2022]|\d{1,3}[.)])[ \t]+")
_ENTRY = re.compile(r"\w{1,80}(?:[ ]\([^()]{0,80}\))?:[ \t]+")
_ITEM = re.compile(r"\w{0,60}_\w{0,60}(?:[ ]\([^()]{0,80}\))?[ \t]*[:=\u2192]")
_END = re.compile(r"[.!?][)\"'\u201d]*(?=\s|\Z)")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|etc|approx|resp|no)|\.\.)\.\Z", re.IGNORECASE)
_IGNORE = "recipelint:"
_WORD = re.compile(r"\w")


class Line(NamedTuple):
    """A line of prose: its text and where that starts, what stands before it up to the line's start, and where the
    comment starts."""

    text: str
    start: int
    opening: str
    mark: int


class Sentence(NamedTuple):
    """Some words, from the byte `start` to `end`; `lines`: the first and the last line of its block that it is on."""

    text: str
    start: int
    end: int
    lines: tuple[int, int]


class Block(NamedTuple):
    """Lines of prose that stand together. `own`: nothing but prose is on them; `docstring`: they are a string's."""

    lines: tuple[Line, ...]
    paragraphs: tuple[tuple[Sentence, ...], ...]
    own: bool
    docstring: bool

    @property
    def span(self) -> Span:
        last = self.lines[-1]
        return Span(self.lines[0].start, last.start + len(last.text.encode(errors=ERRORS)))


def comment_blocks(source: SourceFile, layout: Layout) -> Iterator[Block]:
    """The comments: those on their own lines, line by line below each other, as one; others each for itself.

    What in them speaks to a tool divides, and is no part of any; so is a licence, up to a line without words.
    """
    together: list[Line] = []
    last = 0
    licence = ended = False
    for span in layout.comments:
        number = source.line_number(span.start)
        text = source.data[span.start : span.end].decode("utf-8", ERRORS)
        before = source.data[source.line_starts[number - 1] : span.start].decode("utf-8", ERRORS)
        before = before.removeprefix("\ufeff")
        own = not before.strip()
        goes_on = licence and own and number == last + 1 and bool(_WORD.search(text))
        licence = goes_on or is_licence(text, 0, len(text))
        piece = None if licence or _IGNORE in text else plain(text, 0, len(text), head=number <= 2)
        foreign = piece is None or (own and piece[0] > 0)
        if together and (number != last + 1 or not own or ended or foreign):
            yield block(together, own=True)
            together = []
        last = number if own else last
        if piece is None or foreign:
            continue
        start, end = piece
        at = span.start + len(text[:start].encode(errors=ERRORS))
        line = _opened(text[start:end], at, before + text[:start], _HASH)
        ended = end < len(text)
        if own:
            together.append(line)
        else:
            yield block([line], own=False)
    if together:
        yield block(together, own=True)


def docstring_block(source: SourceFile, span: Span) -> Block | None:
    """The lines of a plain triple-quoted string that stands on its own; None for another one."""
    raw = source.data[span.start : span.end]
    prefix = re.match(rb"[rRuU]?(\"\"\"|''')", raw)
    if prefix is None or not raw.endswith(prefix[1]) or len(raw) < prefix.end() + 3:
        return None
    lines: list[Line] = []
    at, end = span.start + prefix.end(), span.end - 3
    before = source.data[source.line_starts[source.line_number(span.start) - 1] : span.start]
    indent = before[: len(before) - len(before.lstrip())].decode()
    while True:
        stop = source.data.find(b"\n", at, end)
        text = source.data[at : end if stop < 0 else stop].decode("utf-8", ERRORS).rstrip("\r")
        blanks = len(text) - len(text.lstrip())
        opening = text[:blanks] if lines else indent
        lines.append(_opened(text[blanks:], at + blanks, opening, _ENTRY))
        if stop < 0:
            return block(lines, own=True, docstring=True)
        at = stop + 1


def _opened(text: str, start: int, before: str, opening: re.Pattern[str]) -> Line:
    """A line without what opens it."""
    mark = start
    for pattern in (opening, _BULLET):
        if found := pattern.match(text):
            before, text = before + found[0], text[found.end() :]
            start += len(found[0].encode(errors=ERRORS))
    return Line(text.rstrip() if len(text) <= LONGEST else "", start, before, mark)


def block(lines: Sequence[Line], *, own: bool, docstring: bool = False) -> Block:
    """A block of some lines, taken apart into paragraphs and sentences."""
    paragraphs: list[tuple[Sentence, ...]] = []
    first = 0
    for at in range(len(lines) + 1):
        if at == len(lines) or not lines[at].text or _begins(lines[at]):
            if first < at:
                paragraphs.append(tuple(_sentences(lines, first, at)))
            first = at if at < len(lines) and lines[at].text else at + 1
    return Block(tuple(lines), tuple(paragraphs), own, docstring)


def _begins(line: Line) -> bool:
    """Whether a line begins something new: an entry, a bullet, a note on a setting."""
    opening = line.opening.lstrip()
    return bool(_BULLET.search(opening) or _ENTRY.match(opening) or _ITEM.match(line.text))


def _sentences(lines: Sequence[Line], first: int, last: int) -> Iterator[Sentence]:
    """The sentences of the lines [first, last)."""
    words: list[str] = []
    begun: tuple[int, int] | None = None
    for number in range(first, last):
        text = lines[number].text
        at = 0
        while at < len(text):
            if text[at].isspace():
                at += 1
                continue
            begun = begun or (number, at)
            stop = next(
                (
                    m.end()
                    for m in _END.finditer(text, at)
                    if not _ABBREVIATION.search(text[max(0, m.end() - 8) : m.end()])
                ),
                None,
            )
            words.append(text[at:stop])
            if stop is None:
                break
            yield _sentence(lines, words, begun, (number, stop))
            words, begun, at = [], None, stop
    if begun:
        yield _sentence(lines, words, begun, (last - 1, len(lines[last - 1].text)))


def _sentence(lines: Sequence[Line], words: list[str], begun: tuple[int, int], ended: tuple[int, int]) -> Sentence:
    return Sentence(" ".join(words), _offset(lines, *begun), _offset(lines, *ended), (begun[0], ended[0]))


def _offset(lines: Sequence[Line], number: int, column: int) -> int:
    return lines[number].start + len(lines[number].text[:column].encode(errors=ERRORS))

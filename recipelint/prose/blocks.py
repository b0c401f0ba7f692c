"""The comments of a launcher as blocks, paragraphs and sentences that know their bytes.

A block is a run of comment lines of equal indentation, or the one comment behind a command. Only what bash reads as a
comment is one: who asks says so.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence

from recipelint.lazily import regex
from recipelint.prose.directives import is_licence, plain
from recipelint.record import NamedTuple
from recipelint.source import SourceFile, Span

MAX_PARAGRAPH = 20_000
"""A longer paragraph is no prose; it is left out."""
SLACK = 12
"""Lines of prose are ragged by less than this."""

_START = regex(r"(?:^|(?<=[ \t;&|()\n]))#")
_PREFIX = regex(r"#+[ \t]*")
_BULLET = regex(r"(?:[-*+]|\d{1,2}[.)])[ \t]+")
_RULE = regex(r"([-=~*_#])\1\1")
"""What starts a line that only divides, with a title or without."""
_WORD = regex(r"\w")
_END = regex(r"[.!?][)\"'`]*(?=[ \t]|$)")
ABBREVIATIONS = frozenset(["e.g", "i.e", "etc", "vs", "cf", "approx", "incl", "resp", "fig", "sec", ""])
"""What a dot may follow without an end of the sentence."""


class Line(NamedTuple):
    """A comment: its `#`, where its text starts, its end, and whether a command stands before it."""

    hash: int
    text: int
    end: int
    behind: bool


class Sentence(NamedTuple):
    """A sentence: its words as one line, and where they stand, from the first to the last."""

    text: str
    span: Span
    places: tuple[tuple[int, int], ...]
    """For each of its lines, where that starts in `text`, and in the file."""

    def offset(self, at: int) -> int:
        """The byte offset of the character AT of `text`."""
        start, offset = self.places[bisect_right(self.places, (at, len(self.text) + (1 << 62))) - 1]
        return offset + at - start


class Paragraph(NamedTuple):
    """Lines that read on, and their sentences."""

    lines: tuple[Line, ...]
    sentences: tuple[Sentence, ...]


Block = tuple[Paragraph, ...]


def blocks(source: SourceFile, comments: Sequence[Line | None], foreign: Collection[str] = ()) -> Iterator[Block]:
    """The blocks of a file with these COMMENTS.

    Lines with a text of FOREIGN, such as the comments that fixes put there, divide like blank ones.
    """
    run: list[Line] = []
    column = number = -1
    for line, found in enumerate(comments):
        if found is None or found.behind:
            if run:
                yield _block(source, run, foreign)
                run = []
            if found is not None:
                yield _block(source, [found], foreign)
            continue
        here = found.hash - source.line_starts[line]
        if run and (here != column or line != number + 1):
            yield _block(source, run, foreign)
            run = []
        run.append(found)
        column, number = here, line
    if run:
        yield _block(source, run, foreign)


def comments_of(source: SourceFile, is_comment: Callable[[int], bool]) -> list[Line | None]:
    """For each line its comment, if it has one; IS_COMMENT tells of a byte offset whether a comment starts there."""
    text, out = source.text, list[Line | None]()
    for number in range(1, len(source.line_starts) + 1):
        span = source.line_span(number)
        found = None
        if "#" in text[span.start : span.end]:
            hashes = (match.start() for match in _START.finditer(text, span.start, span.end))
            found = next((at for at in hashes if is_comment(at)), None)
            if span.start == 0 and text.startswith("#!"):
                found = None
        if found is None:
            out.append(None)
            continue
        prefix = _PREFIX.match(text, found, span.end)
        start = prefix.end() if prefix else found + 1
        end = start + len(text[start : span.end].rstrip(" \t\r"))
        out.append(Line(found, start, end, bool(text[span.start : found].strip())))
    return out


def _block(source: SourceFile, lines: list[Line], foreign: Collection[str]) -> Block:
    """The paragraphs of a block: a blank line, a rule, a bullet, a licence and what speaks to a tool end one."""
    out: list[list[Line]] = [[]]
    licence = False
    for whole in lines:
        text = source.text[whole.text : whole.end]
        words = bool(_WORD.search(text))
        licence = words and (licence or is_licence(source.text, whole.hash, whole.end))
        line = None if licence else _prose(source, whole)
        if line is None or not words or _RULE.match(text) or text in foreign:
            out.append([])
            continue
        if _BULLET.match(text):
            out.append([])
        out[-1].append(line)
        if line.end < whole.end:
            out.append([])
    return tuple(Paragraph(tuple(one), tuple(_sentences(source, one))) for one in out if one)


def _prose(source: SourceFile, line: Line) -> Line | None:
    """A comment without what in it speaks to a tool; None where that is all, or first on a line of its own."""
    piece = plain(source.text, line.hash, line.end)
    if piece is None or (piece[0] > line.hash and not line.behind):
        return None
    prefix = _PREFIX.match(source.text, *piece)
    assert prefix is not None
    return Line(piece[0], prefix.end(), piece[1], line.behind)


def _sentences(source: SourceFile, lines: list[Line]) -> Iterator[Sentence]:
    """The sentences of a paragraph; what stands in brackets or backticks is not cut.

    A line that ends early, and is followed by one that starts with a capital, ends a sentence without a full stop too.
    """
    places: list[tuple[int, int]] = []
    parts: list[str] = []
    length = 0
    for line in lines:
        bullet = _BULLET.match(source.text, line.text, line.end) if line is lines[0] else None
        start = bullet.end() if bullet else line.text
        places.append((length, start))
        parts.append(source.text[start : line.end])
        length += len(parts[-1]) + 1
    text = " ".join(parts)
    if len(text) > MAX_PARAGRAPH:
        return
    open_at = _enclosed(text)
    start = 0
    ends = {match.end() for match in _END.finditer(text) if not _abbreviated(text, match.start())}
    for end in sorted({*ends, *_broken_off(lines, parts, places), len(text)}):
        if end < len(text) and open_at[end - 1]:
            continue
        first = start + len(text[start:end]) - len(text[start:end].lstrip())
        if first < end:
            yield _sentence(text[first:end].rstrip(), first, places)
        start = end


def _abbreviated(text: str, dot: int) -> bool:
    """Whether the dot at DOT ends a word that is short for another, or stands alone, or is one of several."""
    word = text[max(0, dot - 8) : dot].rpartition(" ")[2].lstrip("(").lower()
    return text[dot] == "." and (word in ABBREVIATIONS or word.endswith("."))


def _broken_off(lines: list[Line], parts: list[str], places: list[tuple[int, int]]) -> Iterator[int]:
    """Where lines end although the next one's first word, a capital one, would well have fitted."""
    widest = max(line.end - line.hash for line in lines)
    for at, line in enumerate(lines[:-1]):
        word = parts[at + 1].split(" ", 1)[0]
        if word[:1].isupper() and line.end - line.hash + len(word) + SLACK < widest:
            yield places[at + 1][0] - 1


def _sentence(text: str, at: int, places: list[tuple[int, int]]) -> Sentence:
    inside: list[tuple[int, int]] = []
    for start, offset in places:
        if start <= at:
            inside = [(0, offset + at - start)]
        elif start < at + len(text):
            inside.append((start - at, offset))
    made = Sentence(text, Span(0, 0), tuple(inside))
    return made._replace(span=Span(inside[0][1], made.offset(len(text) - 1) + 1))


def _enclosed(text: str) -> bytearray:
    """For each character whether it stands in brackets or backticks; nothing does where they are not balanced."""
    inside = bytearray(len(text))
    depth = 0
    ticks = text.count("`") % 2 == 0
    quoted = False
    for at, character in enumerate(text):
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
            if depth < 0:
                return bytearray(len(text))
        elif character == "`" and ticks:
            quoted = not quoted
        inside[at] = depth > 0 or quoted
    return inside if not depth else bytearray(len(text))

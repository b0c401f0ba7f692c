"""The comments and the logical lines of a Python file, by byte offsets, as Python's own tokenizer takes it apart."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from recipelint.lazily import regex
from recipelint.record import NamedTuple
from recipelint.source import SourceFile, Span

BOM = b"\xef\xbb\xbf"
ENCODINGS = {"utf-8": "utf-8", "utf8": "utf-8", "ascii": "ascii", "us-ascii": "ascii", "latin-1": "latin-1"}
ENCODINGS |= dict.fromkeys(("iso-8859-1", "latin1", "iso8859-1"), "latin-1")
"""Those in which an ASCII text is written as everywhere; a file in another encoding is left alone."""
_FAR = 1 << 62
_COOKIE = regex(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = regex(rb"[ \t\f]*(?:#.*)?\r?\Z")


class Layout(NamedTuple):
    """The spans of comments, without the line end, and of logical lines, from their first token to their last."""

    comments: tuple[Span, ...]
    logical: tuple[Span, ...]

    def comment_at(self, offset: int) -> bool:
        """Whether a byte is part of a comment."""
        return _within(self.comments, offset) is not None

    def statement(self, source: SourceFile) -> Callable[[int], tuple[int, int]]:
        """The first and last line of the logical line that a line belongs to, the comments right above it included."""
        starts = [source.line_number(span.start) for span in self.logical]
        ends = [source.line_number(span.end) for span in self.logical]
        alone = {source.line_number(c.start) for c in self.comments if _alone(source, c)}

        def extent(line: int) -> tuple[int, int]:
            at = bisect_right(starts, line) - 1
            first, last = (starts[at], ends[at]) if at >= 0 and line <= ends[at] else (line, line)
            while first - 1 in alone:
                first -= 1
            return first, last

        return extent


def _alone(source: SourceFile, comment: Span) -> bool:
    """Whether nothing stands before a comment on its line."""
    line = source.line_span(source.line_number(comment.start))
    return not source.data[line.start : comment.start].removeprefix(BOM).strip()


NOTHING = Layout((), ())


def layout(source: SourceFile) -> Layout:
    """The comments and logical lines; none where the file is no Python that can be read."""
    import tokenize

    encoding = encoding_of(source.data)
    if encoding is None:
        return NOTHING
    comments: list[Span] = []
    logical: list[Span] = []
    start: int | None = None
    try:
        place = Places(source, encoding)
        for token in tokenize.generate_tokens(iter(place.lines).__next__):
            if token.type == tokenize.COMMENT:
                comments.append(Span(place.offset(*token.start), place.offset(*token.end)))
            elif token.type == tokenize.NEWLINE:
                if start is not None:
                    logical.append(Span(start, place.offset(*token.start)))
                start = None
            elif token.type not in (tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER):
                start = place.offset(*token.start) if start is None else start
    except (tokenize.TokenError, SyntaxError, UnicodeDecodeError, ValueError, IndexError, RecursionError):
        return NOTHING
    return Layout(tuple(comments), tuple(logical))


class Places:
    """Byte offsets of a line and a column in characters."""

    def __init__(self, source: SourceFile, encoding: str) -> None:
        self.encoding = encoding
        self.starts = source.line_starts
        self.bom = len(BOM) if source.data.startswith(BOM) else 0
        data = source.data[self.bom :]
        self.lines = [line.decode(encoding) for line in data.splitlines(keepends=True)] if _plain(data) else []
        if not self.lines and data:
            raise ValueError("a line end that is none of Python's")

    def offset(self, line: int, column: int) -> int:
        if line > len(self.lines):
            return self.starts[-1]
        before = len(self.lines[line - 1][:column].encode(self.encoding))
        return self.starts[line - 1] + before + (self.bom if line == 1 else 0)


def _plain(data: bytes) -> bool:
    """Whether each line ends in a newline: a lone carriage return, which Python takes for one, nobody else does."""
    return b"\r" not in data.replace(b"\r\n", b"")


def encoding_of(data: bytes) -> str | None:
    """The encoding that a file declares (PEP 263), utf-8 without; None for one that is not of ENCODINGS."""
    if data.startswith(BOM):
        return "utf-8"
    for line in data.split(b"\n", 2)[:2]:
        found = _COOKIE.match(line)
        if found:
            return ENCODINGS.get(found[1].decode("ascii", "replace").lower().replace("_", "-"))
        if not _BLANK.match(line):
            break
    return "utf-8"


def _within(spans: tuple[Span, ...], offset: int) -> Span | None:
    at = bisect_right(spans, Span(offset, _FAR)) - 1
    return spans[at] if at >= 0 and spans[at].start <= offset <= spans[at].end else None

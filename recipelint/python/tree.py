"""The syntax tree of a Python file, for reading, and the byte offsets of its nodes."""

from __future__ import annotations

import ast
import warnings

from recipelint.python.comments import BOM, encoding_of
from recipelint.python.cost import MARK_CAP, marks
from recipelint.source import SourceFile, Span


def parsed(source: SourceFile) -> ast.Module | None:
    """The tree; None for what this Python cannot parse, and for texts whose lines or columns others count otherwise."""
    data = source.data
    if marks(data) > MARK_CAP or encoding_of(data) is None or b"\r" in data.replace(b"\r\n", b"") or b"\0" in data:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class Trees:
    """The trees of files, each parsed when it is first asked for."""

    def __init__(self) -> None:
        self._trees: dict[int, tuple[SourceFile, ast.Module | None]] = {}

    def of(self, source: SourceFile) -> ast.Module | None:
        if id(source) not in self._trees:
            self._trees[id(source)] = (source, parsed(source))
        return self._trees[id(source)][1]


def span(source: SourceFile, node: ast.stmt | ast.expr | ast.alias | ast.arg | ast.keyword) -> Span:
    """The bytes of a node."""
    end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return Span(offset(source, node.lineno, node.col_offset), offset(source, end_line, end_column))


def offset(source: SourceFile, line: int, column: int) -> int:
    """The byte offset of a line and a column as `ast` counts them: bytes of UTF-8, without a byte order mark."""
    if encoding_of(source.data) == "latin-1":
        column = len(source.text[source.line_starts[line - 1] :][:column].encode()[:column].decode(errors="ignore"))
    mark = len(BOM) if line == 1 and source.data.startswith(BOM) else 0
    return source.line_starts[line - 1] + column + mark

"""A page of Markdown fitted to a terminal: paragraphs and tables are wrapped, code is left as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from recipelint.report import grid
from recipelint.report.style import BOLD, DIM, Stream
from recipelint.report.wrap import paragraph

FENCE = "```"
_RULER = re.compile(r"\|(?:\s*:?-+:?\s*\|)+\Z")


def for_terminal(text: str, stream: Stream, width: int) -> str:
    """TEXT, harmless already, in lines of at most WIDTH cells, but for code and long words."""
    lines: list[str] = []
    for kind, block in _blocks(text.split("\n")):
        if kind == "code":
            lines += [stream.paint(line, DIM) if line.startswith(FENCE) else line for line in block]
        elif kind == "heading":
            lines += [stream.paint(line, BOLD) for line in block]
        elif kind == "table":
            rows = [_row(line) for line in block if not _RULER.match(line)]
            head, *body = grid.lay_out(rows, width)
            lines += [stream.paint(head, BOLD), *body]
        elif kind == "item":
            lines += paragraph(_joined(block)[2:], width, "- ", "  ")
        else:
            lines += paragraph(_joined(block), width) if block[0] else block
    return "\n".join(lines)


def _blocks(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """The page in blocks: code, a heading, a table, an item of a list, a paragraph, or empty lines."""
    number, fenced, kind = 0, False, "blank"
    marked: list[tuple[int, str, str]] = []
    for line in lines:
        before = kind
        if line.startswith(FENCE) or fenced:
            kind = "code"
            fenced ^= line.startswith(FENCE)
        elif line.startswith("#"):
            kind = "heading"
        elif line.startswith("|"):
            kind = "table"
        elif line.startswith("- "):
            kind = "item"
        elif not line:
            kind = "blank"
        elif before != "item":
            kind = "paragraph"
        number += kind != before or line.startswith("- ")
        marked.append((number, kind, line))
    for _, group in groupby(marked, key=lambda one: one[0]):
        block = list(group)
        yield block[0][1], [line for _, _, line in block]


def _joined(block: list[str]) -> str:
    return " ".join(line.strip() for line in block)


def _row(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]

"""Rows of texts in aligned columns, as wide as they need; where there is less room, the texts are wrapped.

The room that is missing is taken a cell at a time where it costs the fewest lines; a word is broken only when nothing
else is left to take, and then only if that makes the rows fit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from recipelint.report.style import cells
from recipelint.report.wrap import pieces, wrap

GAP = "  "
NARROWEST = 8
Paint = Callable[[int, str, str], str]


def natural(rows: Sequence[Sequence[str]]) -> list[int]:
    """The width that each column needs."""
    return [max(map(cells, column)) for column in zip(*rows, strict=True)]


def fits(rows: Sequence[Sequence[str]], width: int | None) -> bool:
    """Whether no text has to be wrapped for the rows to be no wider than WIDTH."""
    return width is None or sum(natural(rows)) + len(GAP) * (len(rows[0]) - 1) <= width


def lay_out(
    rows: Sequence[Sequence[str]], width: int | None, paint: Paint = lambda column, whole, text: text
) -> list[str]:
    """Each row, without a newline at its end; PAINT colours a line of a cell, given its column and its whole text."""
    widths = natural(rows)
    if width is not None:
        _shrink(widths, rows, width - len(GAP) * (len(widths) - 1))
    return [_row(row, widths, paint) for row in rows]


def _shrink(widths: list[int], rows: Sequence[Sequence[str]], limit: int) -> None:
    columns = list(zip(*rows, strict=True))
    widths[:] = [min(width, max(NARROWEST, limit)) for width in widths]
    lines = cache(lambda text, width: len(wrap(text, width)))
    steps = [_longest(columns, 0), _longest(columns, 1)]
    if sum(min(width, NARROWEST) for width in widths) <= limit:
        steps.append([NARROWEST] * len(widths))
    for least in steps:
        while sum(widths) > limit:
            heights = [max(lines(text, width) for text, width in zip(row, widths, strict=True)) for row in rows]

            def cost(at: int, heights: Sequence[int] = heights) -> tuple[int, int, int]:
                """The lines that the table grows by, and the column, when it loses a cell; then the widest first."""
                after = [lines(text, widths[at] - 1) for text in columns[at]]
                before = [lines(text, widths[at]) for text in columns[at]]
                grown = sum(max(0, new - height) for new, height in zip(after, heights, strict=True))
                return grown, sum(after) - sum(before), -widths[at]

            open_columns = [at for at, width in enumerate(widths) if width > least[at]]
            if not open_columns:
                break
            widths[min(open_columns, key=cost)] -= 1


def _longest(columns: Sequence[Sequence[str]], width: int) -> list[int]:
    """The widest piece of each column, and no less than the narrowest that a column may be."""
    return [
        max(NARROWEST, *(cells(piece.rstrip()) for text in column for piece in pieces(text, width)))
        for column in columns
    ]


def _row(texts: Sequence[str], widths: Sequence[int], paint: Paint) -> str:
    wrapped = [wrap(text, width) for text, width in zip(texts, widths, strict=True)]
    lines = []
    for index in range(max(map(len, wrapped))):
        parts = [part[index] if index < len(part) else "" for part in wrapped]
        ends = [" " * (width - cells(part)) for part, width in zip(parts, widths, strict=True)]
        painted = [paint(at, texts[at], part) if part else "" for at, part in enumerate(parts)]
        lines.append(GAP.join(part + end for part, end in zip(painted, ends, strict=True)).rstrip())
    return "\n".join(lines)

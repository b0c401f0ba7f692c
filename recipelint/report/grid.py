"""Rows of texts in aligned columns, as wide as they need; where there is less room, the texts are wrapped.

The room that is missing is taken a cell at a time: where the rows grow by the fewest lines, then where the column does,
then where it is widest. A word is broken only when nothing else is left to take, and if that makes the rows fit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import zip_longest

from recipelint.report.style import cells
from recipelint.report.wrap import pieces, wrap

GAP = "  "
NARROWEST = 8
SAMPLE = 200
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
        limit = width - len(GAP) * (len(widths) - 1)
        widths = _narrowed(rows, widths, limit)
        widths = natural([line for row in rows for line in _lines(row, widths)])
        for at, whole in enumerate(natural(rows)):
            if sum(widths) - widths[at] + whole <= limit:
                widths[at] = whole
    return [_row(row, widths, paint) for row in rows]


def _narrowed(rows: Sequence[Sequence[str]], widths: Sequence[int], limit: int) -> list[int]:
    """Widths that come to LIMIT, as far as words allow; the first rows stand for all in what a width costs."""
    columns = list(zip(*rows, strict=True))
    steps = [_longest(columns, 0), _longest(columns, 1)]
    if sum(min(width, NARROWEST) for width in widths) <= limit:
        steps.append([NARROWEST] * len(widths))
    count = cache(lambda text, width: len(wrap(text, width)))
    widths = [min(width, max(NARROWEST, limit)) for width in widths]
    heights = [[count(text, width) for text in column[:SAMPLE]] for column, width in zip(columns, widths, strict=True)]
    for least in steps:
        while sum(widths) > limit:
            rest = [at for at, width in enumerate(widths) if width > least[at]]
            if not rest:
                break
            narrower = {at: [count(text, widths[at] - 1) for text in columns[at][:SAMPLE]] for at in rest}
            tops = [max(row) for row in zip(*heights, strict=True)]
            costs = {
                at: (
                    sum(max(0, new - top) for new, top in zip(lines, tops, strict=True)),
                    sum(lines) - sum(heights[at]),
                    -widths[at],
                )
                for at, lines in narrower.items()
            }
            chosen = min(rest, key=costs.__getitem__)
            widths[chosen] -= 1
            heights[chosen] = narrower[chosen]
    return widths


def _longest(columns: Sequence[Sequence[str]], width: int) -> list[int]:
    """The widest piece of each column, and no less than the narrowest that a column may be."""
    return [
        max([NARROWEST, *(cells(piece.rstrip()) for text in column for piece in pieces(text, width))])
        for column in columns
    ]


def _lines(texts: Sequence[str], widths: Sequence[int]) -> list[tuple[str, ...]]:
    """The lines of a row, each a text a column."""
    return list(zip_longest(*(wrap(text, width) for text, width in zip(texts, widths, strict=True)), fillvalue=""))


def _row(texts: Sequence[str], widths: Sequence[int], paint: Paint) -> str:
    lines = []
    for parts in _lines(texts, widths):
        ends = [" " * (width - cells(part)) for part, width in zip(parts, widths, strict=True)]
        painted = [paint(at, texts[at], part) if part else "" for at, part in enumerate(parts)]
        lines.append(GAP.join(part + end for part, end in zip(painted, ends, strict=True)).rstrip())
    return "\n".join(lines)

"""The marks of one source line and what is said of them, as rows below it.

    --model.gradient_checkpoint full --fsdp.ep_size 8
                                ^^^^                - expert_parallel_size is 8
                                |
                                activation_checkpointing is full

The mark that ends last has its text beside it; the others hang below, the rightmost first.
"""

from __future__ import annotations

from collections.abc import Sequence

from recipelint.record import NamedTuple
from recipelint.report.style import BLUE, Stream


class Mark(NamedTuple):
    """The cells [start, end) of a line, at least one, and what to say of them."""

    start: int
    end: int
    text: str
    primary: bool


def rows(marks: Sequence[Mark], stream: Stream, colour: str) -> list[str]:
    """The rows below a line; COLOUR is that of a primary mark."""
    inline = max(marks, key=lambda mark: (mark.end, mark.start, not mark.primary))
    hanging = sorted((mark for mark in marks if mark is not inline and mark.text), key=_order)
    first = _underlines(marks, stream, colour)
    if inline.text:
        first += " " + stream.paint(inline.text, _colour(inline, colour))
    result = [first]
    if hanging:
        result.append(_hung(hanging, None, stream, colour))
    while hanging:
        last = hanging.pop()
        result.append(_hung(hanging, last, stream, colour))
    return result


def _order(mark: Mark) -> tuple[int, bool, int]:
    return mark.start, not mark.primary, mark.end


def _colour(mark: Mark, colour: str) -> str:
    return colour if mark.primary else BLUE


def _underlines(marks: Sequence[Mark], stream: Stream, colour: str) -> str:
    """`^^^^` below a primary mark, `----` below the others; what lies inside a mark is not hidden by it."""
    width = max(mark.end for mark in marks)
    row = [" "] * width
    primary = [mark for mark in marks if mark.primary]
    for mark in sorted(marks, key=lambda mark: 1 if mark.primary else 2 * any(_within(mark, one) for one in primary)):
        row[mark.start : mark.end] = ("^" if mark.primary else "-") * (mark.end - mark.start)
    return _paint_runs("".join(row), stream, colour)


def _within(mark: Mark, other: Mark) -> bool:
    return other.start <= mark.start and mark.end <= other.end and mark.end - mark.start < other.end - other.start


def _paint_runs(row: str, stream: Stream, colour: str) -> str:
    if not stream.colour:
        return row
    result, at = "", 0
    for index in range(1, len(row) + 1):
        if index == len(row) or row[index] != row[at]:
            code = {"^": colour, "-": BLUE}.get(row[at])
            result += stream.paint(row[at:index], code) if code else row[at:index]
            at = index
    return result


def _hung(connected: Sequence[Mark], said: Mark | None, stream: Stream, colour: str) -> str:
    """A `|` below each of the CONNECTED marks that are left of SAID, and its text."""
    row, at = "", 0
    for mark in connected:
        if at <= mark.start and (said is None or mark.start < said.start):
            row += " " * (mark.start - at) + stream.paint("|", _colour(mark, colour))
            at = mark.start + 1
    if said is not None:
        row += " " * (said.start - at) + stream.paint(said.text, _colour(said, colour))
    return row

"""A source line laid out in terminal cells: tabs expanded, wide characters counted, dangerous ones escaped."""

from __future__ import annotations

from recipelint.record import NamedTuple
from recipelint.report.plain import escape, marker_indexes, visible
from recipelint.report.style import cells

TAB = 4
ELISION = "..."


class CellLine(NamedTuple):
    """The printable pieces of a line, one a character, and the cell at which each starts (and the last one ends)."""

    pieces: tuple[str, ...]
    starts: tuple[int, ...]

    def cell(self, column: int) -> int:
        """The cell of a 1-based column; past the end, the cell after the last character."""
        return self.starts[min(max(column - 1, 0), len(self.pieces))]

    @property
    def width(self) -> int:
        return self.starts[-1]

    def window(self, low: int, high: int) -> tuple[str, int]:
        """The text of the cells [low, high), cut ends marked by `...`, and the cells that the rest moves left."""
        if low <= 0 and high >= self.width:
            return "".join(self.pieces), 0
        shown = [i for i, at in enumerate(self.starts[:-1]) if at >= low and self.starts[i + 1] <= high]
        if not shown:
            return "", low
        head = ELISION if shown[0] else ""
        tail = ELISION if shown[-1] < len(self.pieces) - 1 else ""
        text = "".join(self.pieces[shown[0] : shown[-1] + 1])
        return head + text + tail, self.starts[shown[0]] - len(head)


def lay_out(text: str) -> CellLine:
    """TEXT, a line without its end, in cells. A byte order mark at its start takes none."""
    marked = marker_indexes(text)
    pieces: list[str] = []
    starts = [0]
    for index, char in enumerate(text):
        if char == "\t":
            piece = " " * (TAB - starts[-1] % TAB)
        elif index == 0 and char == "\ufeff":
            piece = ""
        else:
            piece = escape(char) if index in marked else visible(char)
        pieces.append(piece)
        starts.append(starts[-1] + cells(piece))
    return CellLine(tuple(pieces), tuple(starts))

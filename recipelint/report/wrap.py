"""Text broken into lines of so many terminal cells: paragraphs between words, names also after their separators.

A word is broken inside only where it is longer than a whole line, and never in a paragraph.
"""

from __future__ import annotations

from recipelint.lazily import regex
from recipelint.report.style import cells, char_cells

_PIECE = regex(r"[^\s/_]*(?:[/_]+|\s+(?:[0-9]+\)\s*)?)|[^\s/_]+")
_DOTTED = regex(r"[^.]*\.+|[^.]+")


def paragraph(text: str, width: int | None, first: str = "", rest: str = "") -> list[str]:
    """The words of TEXT in lines of at most WIDTH cells, the first one after FIRST, the others after REST.

    Without a WIDTH, one line, as it is.
    """
    if width is None:
        return [first + text]
    lines = []
    line, used = first, cells(first)
    empty = True
    for word in text.split():
        if used + (not empty) + cells(word) > width and (not empty or used > cells(rest)):
            lines.append(line)
            line, used, empty = rest, cells(rest), True
        gap = "" if empty else " "
        line += gap + word
        used += len(gap) + cells(word)
        empty = False
    return [*lines, line]


def pieces(text: str, width: int = 0) -> list[str]:
    """TEXT in pieces between which a line may end: after spaces, but not in `(line 9)`, and after `/` and `_`.

    What is wider than WIDTH, if that is given, is also divided after each full stop.
    """
    found = [piece for piece in _PIECE.findall(text) if piece]
    if not width:
        return found
    parted = (_DOTTED.findall(piece) if cells(piece.rstrip()) > width else [piece] for piece in found)
    return [piece for parts in parted for piece in parts]


def wrap(text: str, width: int) -> list[str]:
    """TEXT in lines of at most WIDTH cells, as few as the pieces allow."""
    lines = []
    line = ""
    for piece in pieces(text, width):
        if line and cells(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece
        while cells(line.rstrip()) > width:
            end = _fitting(line, width)
            lines.append(line[:end].rstrip())
            line = line[end:].lstrip()
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _fitting(text: str, width: int) -> int:
    """How many characters of TEXT, at least one, fit into WIDTH cells."""
    used = 0
    for index, char in enumerate(text):
        used += char_cells(char)
        if used > width:
            return max(index, 1)
    return len(text)

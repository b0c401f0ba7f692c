"""How output looks where it goes: colour, width, and the width of text in terminal cells."""

from __future__ import annotations

from recipelint.diagnostic import Severity, several
from recipelint.record import NamedTuple

RED, YELLOW, CYAN, GREEN, BLUE, BOLD, DIM = "1;31", "1;33", "1;36", "1;32", "1;34", "1", "2"
SEVERITY_COLOURS = {Severity.ERROR: RED, Severity.WARNING: YELLOW, Severity.INFO: CYAN}


class Stream(NamedTuple):
    """Where a report goes.

    width   None where lines may be as long as they need to be
    host    of the files that hyperlinks lead to; None where there are to be no hyperlinks
    """

    colour: bool = False
    width: int | None = None
    host: str | None = None

    def paint(self, text: str, code: str) -> str:
        """TEXT in the colour of an SGR code, where colour is wanted; an empty code paints nothing."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text and code else text

    def link(self, text: str, url: str) -> str:
        """TEXT that leads to a page on the web, where hyperlinks are wanted. Measure before, wrap before."""
        if self.host is None:
            return text
        from recipelint.report.links import linked, web

        return linked(text, web(url))

    def place(self, text: str, path: str, line: int) -> str:
        """TEXT that leads to a line of a file, where hyperlinks are wanted. Measure before, wrap before."""
        if self.host is None:
            return text
        from recipelint.report.links import file, linked

        return linked(text, file(path, line, self.host))


def cells(text: str) -> int:
    """How many terminal cells printable TEXT takes: two for a wide character, none for a combining one."""
    return len(text) if text.isascii() else sum(map(char_cells, text))


def char_cells(char: str) -> int:
    """How many terminal cells one printable character takes."""
    if char < "\u0300":
        return 1
    from unicodedata import category, east_asian_width

    if category(char) in ("Mn", "Me"):
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def pad(text: str, width: int) -> str:
    """TEXT followed by as many spaces as fill WIDTH cells."""
    return text + " " * (width - cells(text))


def plural(count: int, noun: str) -> str:
    """`1 file`, `2 files`, `3 launches`."""
    return f"{count} {noun if count == 1 else several(noun)}"

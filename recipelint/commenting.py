"""Where an explaining comment goes: above the line it explains, or above the command that the line is part of.

A comment between continued lines would cut the command in two, and inside a quoted string it would be text, unless that
string is itself run as a program.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recipelint.fix import Edit
from recipelint.lazily import regex
from recipelint.shell.layout import Layout
from recipelint.shell.nodes import Unit
from recipelint.shell.parse import parse
from recipelint.source import SourceFile

BLANKS = regex(r"[ \t]*")


class Layouts:
    """The layout of each file; made when first asked for, of a unit that has been parsed where there is one."""

    def __init__(self, units: Iterable[Unit] = ()) -> None:
        self._layouts: dict[int, tuple[SourceFile, Layout]] = {}
        self._units = {
            id(unit.source): unit
            for unit in units
            if unit.source is not None and unit.program is not None and unit.text.s == unit.source.text
        }

    def of(self, source: SourceFile) -> Layout:
        found = self._layouts.get(id(source))
        if found is None:
            unit = self._units.get(id(source)) or Unit.of(source)
            found = self._layouts[id(source)] = (source, Layout(parse(unit), source.text))
        return found[1]


class Commenter:
    """Places comments in the files of one launcher; UNITS are the texts that it runs as programs."""

    def __init__(self, layouts: Layouts, units: Sequence[Unit]) -> None:
        self.layouts = layouts
        self.units = units

    def comment(self, source: SourceFile, at: int, lines: tuple[str, ...]) -> tuple[Edit, ...]:
        """The explanation above the line of an edit at AT, or above the command that it is part of."""
        if not lines:
            return ()
        place = self.comment_place(source, at)
        text = source.text
        blanks = BLANKS.match(text, place)
        indent = blanks[0] if blanks else ""
        newline = source.newline.decode()
        block = "".join(f"{indent}{line}{newline}" for line in lines)
        if text[max(0, place - len(block)) : place] == block:
            return ()
        return (Edit(source.path, place, place, block.encode("latin-1")),)

    def comment_place(self, source: SourceFile, at: int) -> int:
        """Inside a text that is run as a program, a line of that program may do; else the file's own lines decide."""
        layout = self.layouts.of(source)
        line = layout.line_start(at)
        if not layout.takes_comment(line):
            for unit in self.units:
                place = self.inner_place(unit, source, at)
                if place is not None:
                    return place
        return layout.comment_place(at)

    def inner_place(self, unit: Unit, source: SourceFile, at: int) -> int | None:
        """The start of a line of a nested program's text, in the file, above which a comment may stand."""
        if unit.source is not None:
            return None
        inner = position(unit, source, at)
        if inner is None or "\n" not in unit.text.s[:inner]:
            return None
        layout = Layout(parse(unit), unit.text.s)
        place = layout.comment_place(inner)
        while place > 0:
            found = offset(unit, source, place)
            if found is not None and source.text[found - 1 : found] == "\n":
                return found
            place = layout.comment_place(place - 1)
        return None


def position(unit: Unit, source: SourceFile, at: int) -> int | None:
    """Where the byte AT of a file stands in a unit's text; None if it does not."""
    start = 0
    for n, origin in unit.text.runs:
        if origin.source is source and origin.start <= at < origin.end and origin.end - origin.start == n:
            return start + at - origin.start
        start += n
    return None


def offset(unit: Unit, source: SourceFile, at: int) -> int | None:
    """Where the character AT of a unit's text stands in a file; None if it is from elsewhere."""
    start = 0
    for n, origin in unit.text.runs:
        if start <= at < start + n:
            exact = origin.source is source and origin.end - origin.start == n
            return origin.start + at - start if exact else None
        start += n
    return None

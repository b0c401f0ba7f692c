"""The nodes of words: what stands between blanks before expansion, with assignments and redirections.

A node is made once by the parser and not changed afterwards. Offsets are characters of the unit that it is from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recipelint.shell.text import Text

if TYPE_CHECKING:
    from recipelint.shell.nodes import Sequence, Unit


class Literal:
    """Text that stands for itself."""

    __slots__ = ("quoted", "text")

    def __init__(self, text: Text, quoted: bool) -> None:
        self.text = text
        self.quoted = quoted


class Parameter:
    """`$NAME`, `${NAME[index] op argument}`. `prefix` is `#` (length), `!` (indirect) or empty."""

    __slots__ = ("argument", "end", "index", "name", "op", "prefix", "quoted", "replacement", "start", "unit")

    def __init__(
        self,
        name: str,
        quoted: bool,
        unit: Unit,
        start: int,
        end: int,
        prefix: str = "",
        index: list[Part] | None = None,
        op: str = "",
        argument: list[Part] | None = None,
        replacement: list[Part] | None = None,
    ) -> None:
        self.name = name
        self.quoted = quoted
        self.unit = unit
        self.start = start
        self.end = end
        self.prefix = prefix
        self.index = index
        self.op = op
        self.argument = argument
        self.replacement = replacement


class CommandSubstitution:
    """`$(…)` or backticks. A body in backticks is of a unit of its own."""

    __slots__ = ("body", "end", "quoted", "start", "unit")

    def __init__(self, body: Sequence, quoted: bool, unit: Unit, start: int, end: int) -> None:
        self.body = body
        self.quoted = quoted
        self.unit = unit
        self.start = start
        self.end = end


class ArithmeticExpansion:
    """`$((…))`."""

    __slots__ = ("end", "expression", "quoted", "start", "unit")

    def __init__(self, expression: list[Part], quoted: bool, unit: Unit, start: int, end: int) -> None:
        self.expression = expression
        self.quoted = quoted
        self.unit = unit
        self.start = start
        self.end = end


class ProcessSubstitution:
    """`<(…)` or `>(…)`: its name cannot be known, its commands run."""

    __slots__ = ("body", "end", "quoted", "start", "unit")

    def __init__(self, body: Sequence, quoted: bool, unit: Unit, start: int, end: int) -> None:
        self.body = body
        self.quoted = quoted
        self.unit = unit
        self.start = start
        self.end = end


Part = Literal | Parameter | CommandSubstitution | ArithmeticExpansion | ProcessSubstitution


class Word:
    """A word before expansion. `literal` is its text where nothing in it expands."""

    __slots__ = ("end", "literal", "parts", "start", "unit")

    def __init__(self, parts: list[Part], unit: Unit, start: int, end: int, literal: Text | None = None) -> None:
        self.parts = parts
        self.unit = unit
        self.start = start
        self.end = end
        self.literal = literal


class Array:
    """`(a b [2]=c)`: elements, each with its subscript or None."""

    __slots__ = ("elements", "end", "start", "unit")

    def __init__(self, elements: list[tuple[list[Part] | None, Word]], unit: Unit, start: int, end: int) -> None:
        self.elements = elements
        self.unit = unit
        self.start = start
        self.end = end


class Assignment:
    """`NAME[index]=value`, `NAME+=value`, `NAME=(…)`."""

    __slots__ = ("append", "end", "index", "name", "start", "value")

    def __init__(
        self, name: str, index: list[Part] | None, append: bool, value: Word | Array, start: int, end: int
    ) -> None:
        self.name = name
        self.index = index
        self.append = append
        self.value = value
        self.start = start
        self.end = end


class Redirection:
    """`2>&1`, `< file`, `<<EOF`. For a heredoc `body` holds its parts, `target` is unused."""

    __slots__ = ("body", "fd", "op", "target")

    def __init__(self, fd: str, op: str, target: Word | None, body: list[Part] | None = None) -> None:
        self.fd = fd
        self.op = op
        self.target = target
        self.body = body

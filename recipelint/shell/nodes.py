"""The nodes of simple commands, lists and programs, and the unit that they were parsed from.

Offsets are characters of the unit. A tree is never changed after parsing, so that worlds and turns of a loop share it.
"""

from __future__ import annotations

from recipelint.shell.compounds import Compound
from recipelint.shell.text import Origin, Text
from recipelint.shell.words import Assignment, Redirection, Word
from recipelint.source import SourceFile


class Unit:
    """A program text: a file, or a string that some command gives to a shell."""

    __slots__ = ("program", "source", "text")

    def __init__(self, text: Text, source: SourceFile | None = None) -> None:
        self.text = text
        self.source = source
        self.program: Program | None = None

    @classmethod
    def of(cls, source: SourceFile) -> Unit:
        """The unit of a whole file."""
        return cls(Text(source.text, ()), source)

    def slice(self, start: int, end: int) -> Text:
        """The characters [start, end) with their origins."""
        if self.source is not None:
            return Text(self.text.s[start:end], ((end - start, Origin(self.source, start, end)),))
        return self.text.slice(start, end)

    def origin(self, start: int, end: int) -> Origin | None:
        """A stretch of source text for [start, end), for pointing at; None where no text is known."""
        if self.source is not None:
            return Origin(self.source, start, end)
        found = [o for n, o in self.text.slice(start, max(end, start + 1)).runs if o.source]
        if not found:
            return None
        first = found[0]
        ends = [o.end for o in found if o.source is first.source and o.end >= first.end]
        return Origin(first.source, first.start, max(ends))


class Program:
    """A parsed unit. `assigned`: every name that it sets somewhere."""

    __slots__ = ("assigned", "body", "unit")

    def __init__(self, body: Sequence, unit: Unit, assigned: set[str]) -> None:
        self.body = body
        self.unit = unit
        self.assigned = assigned


class Simple:
    """Assignments, words and redirections; after `export` and its kin an assignment is a word."""

    __slots__ = ("assignments", "end", "redirections", "start", "unit", "words")

    def __init__(
        self,
        assignments: list[Assignment],
        words: list[Word | Assignment],
        redirections: list[Redirection],
        unit: Unit,
        start: int,
        end: int,
    ) -> None:
        self.assignments = assignments
        self.words = words
        self.redirections = redirections
        self.unit = unit
        self.start = start
        self.end = end


class Pipeline:
    """`a | b`, or one command after `!`."""

    __slots__ = ("commands", "end", "negated", "start")

    def __init__(self, commands: list[Command], negated: bool, start: int, end: int) -> None:
        self.commands = commands
        self.negated = negated
        self.start = start
        self.end = end


class AndOr:
    """`first && second || third`: the operator before each command but the first."""

    __slots__ = ("end", "first", "rest", "start")

    def __init__(self, first: Command, rest: list[tuple[str, Command]], start: int, end: int) -> None:
        self.first = first
        self.rest = rest
        self.start = start
        self.end = end


class Background:
    """`command &`, or a coprocess."""

    __slots__ = ("command", "end", "start")

    def __init__(self, command: Command, start: int, end: int) -> None:
        self.command = command
        self.start = start
        self.end = end


class Sequence:
    """Commands one after the other."""

    __slots__ = ("commands", "end", "start")

    def __init__(self, commands: list[Command], start: int, end: int) -> None:
        self.commands = commands
        self.start = start
        self.end = end


class Function:
    """The definition of a function."""

    __slots__ = ("body", "end", "name", "start", "unit")

    def __init__(self, name: str, body: Command, unit: Unit, start: int, end: int) -> None:
        self.name = name
        self.body = body
        self.unit = unit
        self.start = start
        self.end = end


class Unreadable:
    """Where the program stops making sense to a shell: what is before it runs, what is after it does not.

    `recovered`: what follows in the tree is without the statement that is broken, as it would run once that is mended.
    """

    __slots__ = ("end", "reason", "recovered", "start", "unit")

    def __init__(self, reason: str, unit: Unit, start: int, end: int, recovered: bool = False) -> None:
        self.reason = reason
        self.unit = unit
        self.start = start
        self.end = end
        self.recovered = recovered


Command = Simple | Pipeline | AndOr | Background | Sequence | Function | Unreadable | Compound

"""The cursor over a program text, and the literal text that it passes.

The cursor only goes forward, except where a reader says that it gives it back.
"""

from __future__ import annotations

from recipelint.lazily import regex
from recipelint.shell.nodes import Unit
from recipelint.shell.text import NOWHERE, Text
from recipelint.shell.words import Literal, Part

MAX_NESTING = 60
"""How deep quotes, substitutions and compound commands may nest. Nobody writes ten."""
MAX_NODES = 200_000
"""Commands, words, quotes and expansions in one text. A launcher of a thousand lines has some ten thousand."""
BLANKS = regex(r"(?:[ \t]+|\\\n)+")


class ShellSyntaxError(Exception):
    """Bash would refuse the text: `at` is a character of the unit."""

    def __init__(self, at: int, reason: str) -> None:
        super().__init__(reason)
        self.at = at
        self.reason = reason


class UnclosedError(ShellSyntaxError):
    """What is opened at `at` has no end: all that follows belongs to it."""


class EndlessError(UnclosedError):
    """The text ends within a list of commands that `at` begins."""


class BudgetError(ShellSyntaxError):
    """The text nests deeper, or has more in it, than the budget allows."""


class Scanner:
    """The state of one pass over a unit."""

    def __init__(self, unit: Unit, depth: int = 0) -> None:
        self.unit = unit
        self.s = unit.text.s
        self.n = len(self.s)
        self.i = 0
        self.depth = depth
        self.nodes = 0

    def count(self, nodes: int = 1) -> None:
        """Count what was read; raises BudgetError past the cap."""
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            raise BudgetError(self.i, f"more than {MAX_NODES} words and expansions")

    def enter(self) -> None:
        """One level deeper; raises BudgetError past the cap."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise BudgetError(self.i, f"more than {MAX_NESTING} levels of nesting")

    def blanks(self) -> None:
        """Skip spaces, tabs and continued line ends."""
        c = self.s[self.i : self.i + 1]
        if c == " " or c == "\t" or c == "\\":
            m = BLANKS.match(self.s, self.i)
            if m:
                self.i = m.end()

    def skip_comment(self) -> None:
        """Over a comment, to the end of its line."""
        end = self.s.find("\n", self.i)
        self.i = self.n if end < 0 else end

    def add(self, parts: list[Part], start: int, end: int, quoted: bool = False) -> None:
        """Add the characters [start, end) as literal text, to the last part if that is its neighbour."""
        if parts:
            last = parts[-1]
            if isinstance(last, Literal) and last.quoted == quoted and self.unit.source is not None:
                runs = last.text.runs
                if len(runs) == 1 and runs[0][1].end == start and runs[0][0] == start - runs[0][1].start:
                    last.text = self.unit.slice(runs[0][1].start, end)
                    return
        parts.append(Literal(self.unit.slice(start, end), quoted))

    def escaped(self, parts: list[Part], start: int) -> None:
        """`\\x` at START: the character x, quoted; its origin is both characters."""
        self.mapped(parts, self.s[start + 1 : self.i], start, self.i)

    def mapped(self, parts: list[Part], text: str, start: int, end: int) -> None:
        """TEXT as quoted literal, standing for the characters [start, end)."""
        self.count()
        if not text.isascii() and max(text) > "\xff":
            parts.append(Literal(self.unit.slice(end - len(text), end), True))
            return
        origin = self.unit.origin(start, end) or NOWHERE
        parts.append(Literal(Text(text, ((len(text), origin),)), True))

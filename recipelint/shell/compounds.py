"""The nodes of compound commands, which hold lists of commands, and may carry redirections of their own.

A node is made once by the parser and not changed afterwards. Offsets are characters of the unit that it is from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recipelint.shell.words import Part, Redirection, Word

if TYPE_CHECKING:
    from recipelint.shell.nodes import Sequence, Unit


class Group:
    """`{ …; }`, or `( … )` where `subshell`."""

    __slots__ = ("body", "end", "redirections", "start", "subshell")

    def __init__(self, body: Sequence, subshell: bool, redirections: list[Redirection], start: int, end: int) -> None:
        self.body = body
        self.subshell = subshell
        self.redirections = redirections
        self.start = start
        self.end = end


class If:
    """`if`: each arm a condition and its commands; `otherwise` is the `else`."""

    __slots__ = ("arms", "end", "otherwise", "redirections", "start", "unit")

    def __init__(
        self,
        arms: list[tuple[Sequence, Sequence]],
        otherwise: Sequence | None,
        redirections: list[Redirection],
        unit: Unit,
        start: int,
        end: int,
    ) -> None:
        self.arms = arms
        self.otherwise = otherwise
        self.redirections = redirections
        self.unit = unit
        self.start = start
        self.end = end


class While:
    """`while`, or `until`."""

    __slots__ = ("body", "condition", "end", "redirections", "start", "unit", "until")

    def __init__(
        self,
        condition: Sequence,
        until: bool,
        body: Sequence,
        redirections: list[Redirection],
        unit: Unit,
        start: int,
        end: int,
    ) -> None:
        self.condition = condition
        self.until = until
        self.body = body
        self.redirections = redirections
        self.unit = unit
        self.start = start
        self.end = end


class For:
    """`for NAME in words`; `words` is None for `for NAME`, which takes the arguments."""

    __slots__ = ("body", "end", "name", "redirections", "start", "unit", "words")

    def __init__(
        self,
        name: str,
        words: list[Word] | None,
        body: Sequence,
        redirections: list[Redirection],
        unit: Unit,
        start: int,
        end: int,
    ) -> None:
        self.name = name
        self.words = words
        self.body = body
        self.redirections = redirections
        self.unit = unit
        self.start = start
        self.end = end


class ForArithmetic:
    """`for ((first; condition; step))`; each may be empty."""

    __slots__ = ("body", "condition", "end", "first", "redirections", "start", "step", "unit")

    def __init__(
        self,
        first: list[Part],
        condition: list[Part],
        step: list[Part],
        body: Sequence,
        redirections: list[Redirection],
        unit: Unit,
        start: int,
        end: int,
    ) -> None:
        self.first = first
        self.condition = condition
        self.step = step
        self.body = body
        self.redirections = redirections
        self.unit = unit
        self.start = start
        self.end = end


class Case:
    """Each arm: its patterns, its commands, its terminator (`;;`, `;&`, `;;&`)."""

    __slots__ = ("arms", "end", "redirections", "start", "unit", "word")

    def __init__(
        self,
        word: Word,
        arms: list[tuple[list[Word], Sequence, str]],
        redirections: list[Redirection],
        unit: Unit,
        start: int,
        end: int,
    ) -> None:
        self.word = word
        self.arms = arms
        self.redirections = redirections
        self.unit = unit
        self.start = start
        self.end = end


class ArithmeticCommand:
    """`((…))`."""

    __slots__ = ("end", "expression", "redirections", "start", "unit")

    def __init__(
        self, expression: list[Part], redirections: list[Redirection], unit: Unit, start: int, end: int
    ) -> None:
        self.expression = expression
        self.redirections = redirections
        self.unit = unit
        self.start = start
        self.end = end


class Test:
    """A primary or a combination inside `[[ ]]`: op is `and`, `or`, `not`, a unary or a binary operator, or `word`."""

    __slots__ = ("op", "operands")

    def __init__(self, op: str, operands: list[Test | Word]) -> None:
        self.op = op
        self.operands = operands


class Conditional:
    """`[[ … ]]`."""

    __slots__ = ("end", "redirections", "start", "test", "unit")

    def __init__(self, test: Test, redirections: list[Redirection], unit: Unit, start: int, end: int) -> None:
        self.test = test
        self.redirections = redirections
        self.unit = unit
        self.start = start
        self.end = end


Compound = Group | If | While | For | ForArithmetic | Case | ArithmeticCommand | Conditional

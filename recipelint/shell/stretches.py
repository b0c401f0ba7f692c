"""The stretches of a launcher's text: words in their rows, statements, and what is closed to comments.

Offsets are those of the unit, for a file its bytes. Here-document bodies and quoted texts are words like others: no
comment may stand in them, unless they are run as a program, which is a unit of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from recipelint.record import NamedTuple
from recipelint.shell.compounds import Case, Compound, Conditional, For, ForArithmetic, Group, If, Test, While
from recipelint.shell.nodes import AndOr, Background, Command, Function, Pipeline, Program, Sequence, Simple, Unreadable
from recipelint.shell.spans import Spanned
from recipelint.shell.words import (
    ArithmeticExpansion,
    Array,
    Assignment,
    CommandSubstitution,
    Literal,
    Parameter,
    Part,
    ProcessSubstitution,
    Redirection,
    Word,
)


class Slot(NamedTuple):
    """A word in its row: the words of a command, or the elements of an array."""

    word: Word
    row: tuple[Word, ...]
    at: int
    array: Array | None
    command: Simple | None

    def after(self, count: int) -> Word | None:
        """The word COUNT places on."""
        at = self.at + count
        return self.row[at] if at < len(self.row) else None


class Stretches:
    """A walk over one parsed program that notes where its parts stand."""

    def __init__(self, program: Program, text: str) -> None:
        self.text = text
        self.words: list[Slot] = []
        self.closed: list[Spanned] = []
        """Stretches without a place for a comment: words, here-documents, commands between their words."""
        self.open: list[Spanned] = []
        """Stretches inside of closed ones that have places again: arrays, command substitutions."""
        self.statements: list[Spanned] = []
        self.quoted: list[Spanned] = []
        """Words and here-documents alone: where a `#` starts no comment."""
        self.neighbours: list[tuple[Command, Command]] = []
        """The commands that stand after each other in a list."""
        self.assignments: list[tuple[Assignment, Simple]] = []
        self.sequence(program.body)
        self.words.sort(key=lambda slot: (slot.word.start, -slot.word.end))

    def sequence(self, body: Sequence) -> None:
        self.neighbours += pairwise(body.commands)
        for command in body.commands:
            self.command(command, statement=True)

    def command(self, command: Command, statement: bool = False) -> None:
        """STATEMENT: it stands in a list, not as a part of another command."""
        if isinstance(command, Sequence):
            self.sequence(command)
            return
        if isinstance(command, Unreadable):
            return
        if isinstance(command, (Simple, AndOr, Pipeline, Background)) and statement:
            self.statements.append((command.start, command.end))
        if isinstance(command, Simple):
            self.simple(command)
        elif isinstance(command, AndOr):
            for one in (command.first, *(one for _, one in command.rest)):
                self.command(one)
        elif isinstance(command, Pipeline):
            for one in command.commands:
                self.command(one)
        elif isinstance(command, Background):
            self.command(command.command)
        elif isinstance(command, Function):
            self.command(command.body)
        elif isinstance(command, Group):
            self.sequence(command.body)
            self.redirections(command.redirections)
        elif isinstance(command, If):
            for condition, body in command.arms:
                self.sequence(condition)
                self.sequence(body)
            if command.otherwise is not None:
                self.sequence(command.otherwise)
            self.redirections(command.redirections)
        else:
            self.other(command)

    def other(self, command: Compound) -> None:
        """Loops, case, `[[ ]]` and `(( ))`."""
        if isinstance(command, While):
            self.sequence(command.condition)
            self.sequence(command.body)
        elif isinstance(command, For):
            self.row(tuple(command.words or ()), None, None)
            if command.words:
                self.closed.append((command.start, command.words[-1].end))
            self.sequence(command.body)
        elif isinstance(command, Case):
            self.row((command.word,), None, None)
            for patterns, body, _ in command.arms:
                self.row(tuple(patterns), None, None)
                self.sequence(body)
        elif isinstance(command, ForArithmetic):
            self.sequence(command.body)
        else:
            self.closed.append((command.start, command.end))
            self.quoted.append((command.start, command.end))
            if isinstance(command, Conditional):
                for word in test_words(command.test):
                    self.row((word,), None, None)
        self.redirections(command.redirections)

    def simple(self, command: Simple) -> None:
        self.closed.append((command.start, command.end))
        for one in (*command.assignments, *(w for w in command.words if isinstance(w, Assignment))):
            self.assignment(one, command)
        self.row(tuple(word for word in command.words if isinstance(word, Word)), None, command)
        self.redirections(command.redirections)

    def assignment(self, one: Assignment, command: Simple) -> None:
        self.assignments.append((one, command))
        if isinstance(one.value, Array):
            self.open.append((one.value.start, one.value.end))
            self.row(tuple(word for _, word in one.value.elements), one.value, command)
        else:
            self.row((one.value,), None, command)

    def row(self, words: tuple[Word, ...], array: Array | None, command: Simple | None) -> None:
        for index, word in enumerate(words):
            self.words.append(Slot(word, words, index, array, command))
            self.closed.append((word.start, word.end))
            self.quoted.append((word.start, word.end))
            self.parts(word.parts)

    def parts(self, parts: list[Part]) -> None:
        for part in parts:
            if isinstance(part, Literal):
                continue
            if isinstance(part, (CommandSubstitution, ProcessSubstitution)):
                if part.body.commands and part.unit.text.s[part.start] != "`":
                    self.open.append((part.body.start, part.body.end))
                    self.sequence(part.body)
            elif isinstance(part, Parameter):
                for inner in (part.argument, part.replacement, part.index):
                    self.parts(inner or [])
            elif isinstance(part, ArithmeticExpansion):
                self.parts(part.expression)

    def redirections(self, redirections: list[Redirection]) -> None:
        for one in redirections:
            if one.target is not None:
                self.row((one.target,), None, None)
            if one.body:
                start, end = parts_span(one.body)
                if end > start:
                    self.closed.append((start - 1, end + 1))
                    self.quoted.append((start, end))
                self.parts(one.body)


def parts_span(parts: list[Part]) -> Spanned:
    """From the first to the last place of a here-document's parts, in a file."""
    starts, ends = [], []
    for part in parts:
        if isinstance(part, Literal):
            for n, origin in part.text.runs:
                if n:
                    starts.append(origin.start)
                    ends.append(origin.end)
        else:
            starts.append(part.start)
            ends.append(part.end)
    return (min(starts), max(ends)) if starts else (0, 0)


def test_words(test: Test) -> Iterator[Word]:
    """The words of a `[[ ]]` expression."""
    for operand in test.operands:
        if isinstance(operand, Test):
            yield from test_words(operand)
        else:
            yield operand

"""The syntax tree of a shell program. Offsets are characters of the unit that a node was parsed from."""

from __future__ import annotations

from typing import Union

from recipelint.shell.text import Origin, Text
from recipelint.source import SourceFile


class Unit:
    """A program text: a file, or a string that some command gives to a shell."""

    __slots__ = ("depth", "program", "source", "text")

    def __init__(self, text: Text, source: SourceFile | None = None, depth: int = 0) -> None:
        self.text = text
        self.source = source
        self.depth = depth
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


# --- words -----------------------------------------------------------------------------------------


class Literal:
    """Text that stands for itself."""

    __slots__ = ("quoted", "text")

    def __init__(self, text: Text, quoted: bool) -> None:
        self.text = text
        self.quoted = quoted


class Parameter:
    """`$NAME`, `${NAME[index] op argument}`. `prefix` is `#` (length), `!` (indirect) or empty."""

    __slots__ = ("argument", "end", "index", "name", "op", "prefix", "quoted", "replacement", "start", "unit")

    def __init__(self, name: str, quoted: bool, unit: Unit, start: int, end: int, prefix: str = "", index: list[Part] | None = None, op: str = "", argument: list[Part] | None = None, replacement: list[Part] | None = None) -> None:
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
    """`$(…)` or backticks; `body` is None where the text could not be parsed."""

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


Part = Union[Literal, Parameter, CommandSubstitution, ArithmeticExpansion, ProcessSubstitution]


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

    def __init__(self, name: str, index: list[Part] | None, append: bool, value: Word | Array, start: int, end: int) -> None:
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


# --- commands --------------------------------------------------------------------------------------


class Simple:
    __slots__ = ("assignments", "end", "redirections", "start", "unit", "words")

    def __init__(self, assignments: list[Assignment], words: list[Word | Assignment], redirections: list[Redirection], unit: Unit, start: int, end: int) -> None:
        self.assignments = assignments
        self.words = words
        self.redirections = redirections
        self.unit = unit
        self.start = start
        self.end = end


class Pipeline:
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
    __slots__ = ("command", "end", "start")

    def __init__(self, command: Command, start: int, end: int) -> None:
        self.command = command
        self.start = start
        self.end = end


class Sequence:
    __slots__ = ("commands", "end", "start")

    def __init__(self, commands: list[Command], start: int, end: int) -> None:
        self.commands = commands
        self.start = start
        self.end = end


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
    __slots__ = ("arms", "end", "otherwise", "redirections", "start", "unit")

    def __init__(self, arms: list[tuple[Sequence, Sequence]], otherwise: Sequence | None, redirections: list[Redirection], unit: Unit, start: int, end: int) -> None:
        self.arms = arms
        self.otherwise = otherwise
        self.redirections = redirections
        self.unit = unit
        self.start = start
        self.end = end


class While:
    __slots__ = ("body", "condition", "end", "redirections", "start", "unit", "until")

    def __init__(self, condition: Sequence, until: bool, body: Sequence, redirections: list[Redirection], unit: Unit, start: int, end: int) -> None:
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

    def __init__(self, name: str, words: list[Word] | None, body: Sequence, redirections: list[Redirection], unit: Unit, start: int, end: int) -> None:
        self.name = name
        self.words = words
        self.body = body
        self.redirections = redirections
        self.unit = unit
        self.start = start
        self.end = end


class ForArithmetic:
    __slots__ = ("body", "condition", "end", "first", "redirections", "start", "step", "unit")

    def __init__(self, first: list[Part], condition: list[Part], step: list[Part], body: Sequence, redirections: list[Redirection], unit: Unit, start: int, end: int) -> None:
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

    def __init__(self, word: Word, arms: list[tuple[list[Word], Sequence, str]], redirections: list[Redirection], unit: Unit, start: int, end: int) -> None:
        self.word = word
        self.arms = arms
        self.redirections = redirections
        self.unit = unit
        self.start = start
        self.end = end


class Function:
    __slots__ = ("body", "end", "name", "start", "unit")

    def __init__(self, name: str, body: Command, unit: Unit, start: int, end: int) -> None:
        self.name = name
        self.body = body
        self.unit = unit
        self.start = start
        self.end = end


class ArithmeticCommand:
    """`((…))`."""

    __slots__ = ("end", "expression", "redirections", "start", "unit")

    def __init__(self, expression: list[Part], redirections: list[Redirection], unit: Unit, start: int, end: int) -> None:
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


class Unreadable:
    """Where the program stops making sense to a shell: what is before it runs, what is after it does not."""

    __slots__ = ("end", "reason", "start", "unit")

    def __init__(self, reason: str, unit: Unit, start: int, end: int) -> None:
        self.reason = reason
        self.unit = unit
        self.start = start
        self.end = end


Command = Union[
    Simple,
    Pipeline,
    AndOr,
    Background,
    Sequence,
    Group,
    If,
    While,
    For,
    ForArithmetic,
    Case,
    Function,
    ArithmeticCommand,
    Conditional,
    Unreadable,
]


class Program:
    """A parsed unit. `assigned`: every name that it sets somewhere."""

    __slots__ = ("assigned", "body", "unit")

    def __init__(self, body: Sequence, unit: Unit, assigned: set[str]) -> None:
        self.body = body
        self.unit = unit
        self.assigned = assigned

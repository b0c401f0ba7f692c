"""The syntax tree of a shell program. Offsets are characters of the unit that a node was parsed from."""

from __future__ import annotations

from dataclasses import dataclass, field
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


@dataclass(slots=True)
class Literal:
    """Text that stands for itself."""

    text: Text
    quoted: bool


@dataclass(slots=True)
class Parameter:
    """`$NAME`, `${NAME[index] op argument}`. `prefix` is `#` (length), `!` (indirect) or empty."""

    name: str
    quoted: bool
    unit: Unit
    start: int
    end: int
    prefix: str = ""
    index: list[Part] | None = None
    op: str = ""
    argument: list[Part] | None = None
    replacement: list[Part] | None = None


@dataclass(slots=True)
class CommandSubstitution:
    """`$(…)` or backticks; `body` is None where the text could not be parsed."""

    body: Sequence
    quoted: bool
    unit: Unit
    start: int
    end: int


@dataclass(slots=True)
class ArithmeticExpansion:
    """`$((…))`."""

    expression: list[Part]
    quoted: bool
    unit: Unit
    start: int
    end: int


@dataclass(slots=True)
class ProcessSubstitution:
    """`<(…)` or `>(…)`: its name cannot be known, its commands run."""

    body: Sequence
    quoted: bool
    unit: Unit
    start: int
    end: int


Part = Union[Literal, Parameter, CommandSubstitution, ArithmeticExpansion, ProcessSubstitution]


@dataclass(slots=True)
class Word:
    """A word before expansion. `literal` is its text where nothing in it expands."""

    parts: list[Part]
    unit: Unit
    start: int
    end: int
    literal: Text | None = None


@dataclass(slots=True)
class Array:
    """`(a b [2]=c)`: elements, each with its subscript or None."""

    elements: list[tuple[list[Part] | None, Word]]
    unit: Unit
    start: int
    end: int


@dataclass(slots=True)
class Assignment:
    """`NAME[index]=value`, `NAME+=value`, `NAME=(…)`."""

    name: str
    index: list[Part] | None
    append: bool
    value: Word | Array
    start: int
    end: int


@dataclass(slots=True)
class Redirection:
    """`2>&1`, `< file`, `<<EOF`. For a heredoc `body` holds its parts, `target` is unused."""

    fd: str
    op: str
    target: Word | None
    body: list[Part] | None = None


# --- commands --------------------------------------------------------------------------------------


@dataclass(slots=True)
class Simple:
    assignments: list[Assignment]
    words: list[Word | Assignment]
    redirections: list[Redirection]
    unit: Unit
    start: int
    end: int


@dataclass(slots=True)
class Pipeline:
    commands: list[Command]
    negated: bool
    start: int
    end: int


@dataclass(slots=True)
class AndOr:
    """`first && second || third`: the operator before each command but the first."""

    first: Command
    rest: list[tuple[str, Command]]
    start: int
    end: int


@dataclass(slots=True)
class Background:
    command: Command
    start: int
    end: int


@dataclass(slots=True)
class Sequence:
    commands: list[Command]
    start: int
    end: int


@dataclass(slots=True)
class Group:
    """`{ …; }`, or `( … )` where `subshell`."""

    body: Sequence
    subshell: bool
    redirections: list[Redirection]
    start: int
    end: int


@dataclass(slots=True)
class If:
    arms: list[tuple[Sequence, Sequence]]
    otherwise: Sequence | None
    redirections: list[Redirection]
    unit: Unit
    start: int
    end: int


@dataclass(slots=True)
class While:
    condition: Sequence
    until: bool
    body: Sequence
    redirections: list[Redirection]
    unit: Unit
    start: int
    end: int


@dataclass(slots=True)
class For:
    """`for NAME in words`; `words` is None for `for NAME`, which takes the arguments."""

    name: str
    words: list[Word] | None
    body: Sequence
    redirections: list[Redirection]
    unit: Unit
    start: int
    end: int


@dataclass(slots=True)
class ForArithmetic:
    first: list[Part]
    condition: list[Part]
    step: list[Part]
    body: Sequence
    redirections: list[Redirection]
    unit: Unit
    start: int
    end: int


@dataclass(slots=True)
class Case:
    """Each arm: its patterns, its commands, its terminator (`;;`, `;&`, `;;&`)."""

    word: Word
    arms: list[tuple[list[Word], Sequence, str]]
    redirections: list[Redirection]
    unit: Unit
    start: int
    end: int


@dataclass(slots=True)
class Function:
    name: str
    body: Command
    unit: Unit
    start: int
    end: int


@dataclass(slots=True)
class ArithmeticCommand:
    """`((…))`."""

    expression: list[Part]
    redirections: list[Redirection]
    unit: Unit
    start: int
    end: int


@dataclass(slots=True)
class Test:
    """A primary or a combination inside `[[ ]]`: op is `and`, `or`, `not`, a unary or a binary operator, or `word`."""

    op: str
    operands: list[Test | Word]


@dataclass(slots=True)
class Conditional:
    """`[[ … ]]`."""

    test: Test
    redirections: list[Redirection]
    unit: Unit
    start: int
    end: int


@dataclass(slots=True)
class Unreadable:
    """Where the program stops making sense to a shell: what is before it runs, what is after it does not."""

    reason: str
    unit: Unit
    start: int
    end: int


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


@dataclass(slots=True)
class Program:
    """A parsed unit. `assigned`: every name that it sets somewhere."""

    body: Sequence
    unit: Unit
    assigned: set[str] = field(default_factory=set)

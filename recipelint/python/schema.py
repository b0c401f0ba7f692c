"""The command line that a trainer's parser takes, as read from its source; nothing of it was run.

What could not be read is UNKNOWN, or makes the schema open (`complete` is false): an open schema accuses nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TypeAlias

from recipelint.record import NamedTuple
from recipelint.source import Location, SourceFile


class Unread(Enum):
    """The type of UNKNOWN."""

    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = Unread.UNKNOWN
"""A value that the source has, and that reading alone does not tell."""

Literal: TypeAlias = "str | int | float | bool | Unread | tuple[Literal, ...] | Mapping[str, Literal] | None"

Reader = Callable[[str], SourceFile | None]
"""The file at a path from the tree's root; None for one that is not there, or outside."""

SUPPRESS = "==SUPPRESS=="
"""The default, as argparse spells it, of a flag that leaves nothing behind where it is absent."""


class Flag(NamedTuple):
    """One action of a parser, with what argparse makes of the call: `nargs` is 0 for a flag that takes no value.

    names       the option strings, `--no-…` included; for a positional, its name
    action      store, store_true, store_false, store_const, append, append_const, extend, count, boolean_optional,
                help, version, parsers (the positional that chooses a subcommand), or custom
    type        the callable as the source spells it; None if there is none
    open        whether it takes how many words, or whether it is there at all, is not known
    exclusive   the mutually exclusive group that it is in
    """

    names: tuple[str, ...]
    dest: str
    action: str
    type: str | None
    nargs: int | str | None
    const: Literal
    default: Literal
    choices: tuple[Literal, ...] | Unread | None
    required: bool
    location: Location
    positional: bool = False
    open: bool = False
    exclusive: str | None = None

    @property
    def called(self) -> str:
        """What a message calls it: a choice of subcommand may have no name."""
        return "the subcommand" if self.names[0] == SUPPRESS else self.names[0]

    @property
    def least(self) -> int:
        """How many words must follow it."""
        if self.open or self.nargs in ("?", "*", "...", SUPPRESS):
            return 0
        return self.nargs if isinstance(self.nargs, int) else 1

    @property
    def most(self) -> int | None:
        """How many words may follow it; None: any number."""
        if self.open or self.nargs in ("*", "+", "...", "A..."):
            return None
        if self.nargs == SUPPRESS:
            return 0
        return self.nargs if isinstance(self.nargs, int) else 1


class Schema(NamedTuple):
    """What an entry point takes.

    path          the file of the entry point, from the tree's root
    known_only    unknown flags are tolerated (parse_known_args)
    reasons       why it is open, each one line with a place
    subcommands   by name, aliases too
    sources       every file that was read for it
    """

    entry_point: str
    path: str
    complete: bool
    flags: tuple[Flag, ...]
    allow_abbrev: bool
    known_only: bool
    prefix_chars: str
    reasons: tuple[str, ...]
    subcommands: Mapping[str, Schema]
    sources: tuple[SourceFile, ...]

    @property
    def options(self) -> dict[str, Flag]:
        """The flags by each of their option strings; no positionals."""
        return {name: flag for flag in self.flags if not flag.positional for name in flag.names}

"""Commands that were cut in two or more: the one that bash runs, and the stretches that it runs as commands instead.

The tree says which commands follow each other, the evaluation which of them start with an option.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from recipelint.checks.breaks import Break, find_break
from recipelint.record import NamedTuple
from recipelint.shell.calls import Stray
from recipelint.shell.nodes import AndOr, Background, Command, Pipeline, Simple
from recipelint.shell.simple import OPTION
from recipelint.shell.words import Word


class Cut(NamedTuple):
    """A command, what cuts it and how often, and the stretches that are lost, in order.

    piped   the command is the end of a pipeline: it may not be the one that the words were meant for
    """

    command: Simple
    breaks: list[Break]
    lost: list[Simple]
    piped: bool


def cuts(
    text: str, neighbours: Sequence[tuple[Command, Command]], strays: Mapping[int, Stray], launches: Collection[int]
) -> list[Cut]:
    """The cut commands of one unit. STRAYS and LAUNCHES are commands by where they start."""
    found: dict[int, Cut] = {}
    beginnings: dict[int, int] = {}  # of the cut command, by where its last stretch starts
    for before, after in neighbours:
        command, stretch = last_simple(before), first_simple(after)
        if command is None or stretch is None or not command.words:
            continue
        first = beginnings.get(command.start)
        stray = strays.get(stretch.start)
        if stray is None and first is None and command.start not in launches:
            continue
        literal = opens_literally(stretch)
        if not literal and (stray is None or not opens_by_itself(stretch, stray)):
            continue
        at = find_break(text, command, stretch.start)
        if at is None or (at.kind == "missing" and not literal and not at.certain):
            continue
        if first is None:
            first = command.start
            found[first] = Cut(command, [at], [stretch], isinstance(before, Pipeline))
        else:
            found[first].breaks.append(at)
            found[first].lost.append(stretch)
        beginnings[stretch.start] = first
    return list(found.values())


def opens_literally(command: Simple) -> bool:
    """Whether a command's first word is written as an option."""
    first = command.words[0] if command.words and not command.assignments else None
    return isinstance(first, Word) and bool(OPTION.match(first.unit.text.s, first.start))


def opens_by_itself(command: Simple, stray: Stray) -> bool:
    """Whether the option is what the first word expands to, not a later one after a first that came to nothing."""
    if command.assignments:
        return False
    origin = stray.words[0].first_origin
    later = (word for word in command.words[1:] if isinstance(word, Word))
    starts = {place.start for word in later if (place := word.unit.origin(word.start, word.end)) is not None}
    return origin is None or origin.start not in starts


def last_simple(command: Command) -> Simple | None:
    """The simple command that a command ends with."""
    if isinstance(command, AndOr):
        return last_simple(command.rest[-1][1])
    if isinstance(command, Pipeline):
        return last_simple(command.commands[-1])
    return command if isinstance(command, Simple) else None


def first_simple(command: Command) -> Simple | None:
    """The simple command that a command starts with."""
    if isinstance(command, AndOr):
        return first_simple(command.first)
    if isinstance(command, Pipeline):
        return None if command.negated else first_simple(command.commands[0])
    if isinstance(command, Background):
        return first_simple(command.command)
    return command if isinstance(command, Simple) else None

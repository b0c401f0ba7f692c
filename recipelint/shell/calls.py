"""What an evaluation notes of the commands that it meets: calls of trainers and the way to each, and stray options."""

from __future__ import annotations

from collections.abc import Mapping

from recipelint.record import NamedTuple
from recipelint.shell.decisions import Condition
from recipelint.shell.nodes import Simple, Unit
from recipelint.shell.state import Environment, Variable
from recipelint.shell.text import Origin, Text

Given = tuple[tuple[str, Text | None], ...]
"""The options of a command in order, each with its value."""


class Trainer(NamedTuple):
    """An external command that starts a trainer: what it gets after its entry point.

    launcher   the kind of program that starts its processes, by `rules/launchers.yaml`: torchrun, python
    options    those of that program
    missing   unset variables and arguments that a flag waits for: as shipped it gets none, or the next word
    meant     the trainer that starts once these are given, where it is another one
    only_given   it starts only then
    """

    entry_point: Text
    arguments: tuple[Text, ...]
    program: Text
    wrappers: tuple[str, ...]
    launcher: str = ""
    options: Given = ()
    missing: tuple[Text, ...] = ()
    meant: Trainer | None = None
    only_given: bool = False


class Stray(NamedTuple):
    """A command whose first word is an option: what is left of the command before it, which ended too early."""

    node: Simple
    words: tuple[Text, ...]


class Step(NamedTuple):
    """What a wrapper makes of the environment.

    opaque    what in it adds more than can be known; empty for nothing
    kind      the wrapper by its entry in `rules/launchers.yaml`
    options   those that it is given
    script    for a queue, the batch script, whose head it reads
    """

    wrapper: str
    environment: Environment
    opaque: str
    kind: str = ""
    options: Given = ()
    script: Unit | None = None


class Border(NamedTuple):
    """Where a shell starts a command.

    hidden    the watched variables that the shell has and that do not get through
    filters   whether an exported variable of any name does not
    steps     the wrappers between; the last, without a name where there is none, is what the command gets
    """

    hidden: Mapping[str, Variable]
    filters: bool
    steps: tuple[Step, ...]


class Call(NamedTuple):
    """A trainer as it was called, under one condition.

    node      the command that starts it, whatever wraps it
    borders   one for each shell on the way to it, the outermost first
    ray       the environment of `ray start`, if that was seen before
    script    where the entry point is, if that is a path, from the tree's root; None where that is not known
    folder    the folder that the launcher is in, from the tree's root: "" as shipped, None where that is not known
    replacing the variables that replace a package and are not empty, in this shell or one around it
    beside    in the background, so that others may run at the same time
    """

    trainer: Trainer
    environment: Environment
    removed: frozenset[str]
    condition: Condition
    command: Origin
    wrappers: tuple[str, ...]
    unread: frozenset[str]
    node: Simple
    borders: tuple[Border, ...]
    ray: Environment | None
    script: str | None
    folder: str | None
    replacing: Mapping[str, Text]
    beside: bool = False


def border(watched: frozenset[str], variables: Mapping[str, Variable], steps: tuple[Step, ...]) -> Border:
    """The border of a shell with VARIABLES."""
    passed = steps[-1].environment
    hidden = {
        name: variables[name]
        for name in watched & variables.keys()
        if variables[name].value is not None and passed.get(name) != variables[name].value
    }
    filters = bool(hidden) and any(
        one.exported and one.value is not None and name not in passed for name, one in variables.items()
    )
    return Border(hidden, filters, steps)

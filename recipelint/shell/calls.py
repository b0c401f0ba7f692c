"""What an evaluation notes of the commands that it meets: calls of trainers and the way to each, and stray options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from recipelint.shell.decisions import Condition
from recipelint.shell.nodes import Simple
from recipelint.shell.state import Environment, Variable
from recipelint.shell.text import Origin, Text


class Trainer(NamedTuple):
    """An external command that starts a trainer: what it gets after its entry point."""

    entry_point: Text
    arguments: tuple[Text, ...]
    program: Text
    wrappers: tuple[str, ...]


class Stray(NamedTuple):
    """A command whose first word is an option: what is left of the command before it, which ended too early."""

    node: Simple
    words: tuple[Text, ...]


class Step(NamedTuple):
    """What a wrapper makes of the environment. `opaque`: it adds what cannot be known."""

    wrapper: str
    environment: Environment
    opaque: bool


class Border(NamedTuple):
    """Where a shell starts a command: the variables that it has and that do not get through, and the wrappers between.

    The last step, without a name where there is no wrapper, is what the command gets.
    """

    hidden: Mapping[str, Variable]
    steps: tuple[Step, ...]


class Call(NamedTuple):
    """A trainer as it was called, under one condition.

    node      the command that starts it, whatever wraps it
    borders   one for each shell on the way to it, the outermost first
    ray       the environment of `ray start`, if that was seen before
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


def border(variables: Mapping[str, Variable], steps: tuple[Step, ...]) -> Border:
    """The border of a shell with VARIABLES; the last of STEPS is what the command gets."""
    passed = steps[-1].environment
    hidden = {
        name: variable
        for name, variable in variables.items()
        if variable.value is not None and (name not in passed or passed[name] != variable.value)
    }
    return Border(hidden, steps)

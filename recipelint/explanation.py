"""What there is to say of one line of a launcher: the launches in which it has a say, and where it has none, why.

A line decides what is written there. It has a say in what would be otherwise if the line were: what is computed from
it, passes through it, or is run because of it.
"""

from __future__ import annotations

from typing import NamedTuple

from recipelint.diagnostic import Diagnostic
from recipelint.outcome import Unreadable
from recipelint.recipe.model import Launch

ARGUMENT, VARIABLE, SETTING, LAUNCH, RUN = "argument", "environment", "setting", "launch", "run"


class Part(NamedTuple):
    """Something of a launch.

    kind       argument, environment, setting; launch, the command itself; run, whether and on what conditions it is run
    name       the flag (the word itself where there is none; empty for words that it would get), variable or setting
    words      for arguments, the indexes of the words in the launch's `argv`
    overrides  what would put another value in its place, in words: `EP_SIZE in the environment`
    void       why it does not count although it is passed: a later flag
    """

    kind: str
    name: str
    words: tuple[int, ...] = ()
    overrides: tuple[str, ...] = ()
    void: str = ""


class Say(NamedTuple):
    """A launch, in the launcher at PATH, and what of it a line decides or has a say in."""

    path: str
    launch: Launch
    decides: tuple[Part, ...]
    affects: tuple[Part, ...]


class Explanation(NamedTuple):
    """One line, or one place in it.

    column     where the question named one, else 0
    text       the line
    remarks    what it is, and that it has no say where it has none, and why
    users      the launchers that run the file, itself among them if it launches anything
    findings   diagnostics at the line or about it
    """

    path: str
    line: int
    column: int
    text: str
    says: tuple[Say, ...]
    remarks: tuple[str, ...]
    users: tuple[str, ...]
    findings: tuple[Diagnostic, ...]


class Explanations(NamedTuple):
    """The answers, and what could not be asked."""

    lines: tuple[Explanation, ...]
    unreadable: tuple[Unreadable, ...] = ()

"""What a run comes to: launchers, diagnostics, what was fixed, and what could not be read."""

from __future__ import annotations

from typing import NamedTuple

from recipelint.diagnostic import Diagnostic
from recipelint.recipe.model import Launcher
from recipelint.source import SourceFile


class Fixed(NamedTuple):
    """A fix that was made (or would be, with --diff), at its place in the file as it was; `note`: what is left."""

    path: str
    line: int
    title: str
    code: str
    note: str = ""


class Unreadable(NamedTuple):
    """A path that could not be read, and why; the exit status is 2."""

    path: str
    reason: str


class Change(NamedTuple):
    """A file before and after its fixes."""

    path: str
    before: bytes
    after: bytes


class Outcome(NamedTuple):
    """Everything a report needs. Diagnostics are sorted, and describe the fixed files when fixing.

    hidden      findings that a comment or the configuration ignores
    excluded    files, and folders with a slash at their end, that the configuration leaves out
    python      the Python files that were looked into; `passed` counts those in which no rule has anything to look for
    consulted   the real paths at which other files were looked for, and whether one was there
    undecided   launches (`Launch.key`) that a rule could hold for: its code, and the unknown settings it would take
    """

    launchers: tuple[Launcher, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    fixed: tuple[Fixed, ...] = ()
    changes: tuple[Change, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    hidden: tuple[Diagnostic, ...] = ()
    undecided: tuple[tuple[tuple[object, ...], str, tuple[str, ...]], ...] = ()
    excluded: tuple[str, ...] = ()
    python: tuple[SourceFile, ...] = ()
    passed: int = 0
    consulted: tuple[tuple[str, bool], ...] = ()

    @property
    def files(self) -> int:
        """How many files were read."""
        return len(self.launchers) + len(self.python) + self.passed

    @property
    def judged(self) -> int:
        """How many launches there is something to say of: those of known trainers, and others with a finding."""
        found = {key for one in (*self.diagnostics, *self.hidden) for key in one.about}
        return sum(
            launch.framework is not None or launch.key in found
            for launcher in self.launchers
            for launch in launcher.launches
        )


class Judged(NamedTuple):
    """What a command line comes to.

    text    the words as the line of shell in which the outcome's places are
    cure    its words with the fixes made; empty where none can be
    cured   the codes of what the cure fixes
    guessed whether that takes unsafe fixes: it may be something else than was meant
    """

    words: tuple[str, ...]
    text: str
    outcome: Outcome
    cure: tuple[str, ...] = ()
    cured: tuple[str, ...] = ()
    guessed: bool = False

    @property
    def judged(self) -> bool:
        """Whether the command launches a trainer of which there is something to say."""
        return self.outcome.judged > 0

"""What a run comes to: launchers, diagnostics, what was fixed, and what could not be read."""

from __future__ import annotations

from dataclasses import dataclass

from recipelint.diagnostic import Diagnostic
from recipelint.recipe.model import Launcher


@dataclass(frozen=True, slots=True)
class Fixed:
    """A fix that was made (or would be, with --diff), at its place in the file as it was."""

    path: str
    line: int
    title: str
    code: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A path that could not be read, and why; the exit status is 2."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Change:
    """A file before and after its fixes."""

    path: str
    before: bytes
    after: bytes


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything a report needs. Diagnostics are sorted, and describe the fixed files when fixing."""

    launchers: tuple[Launcher, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    fixed: tuple[Fixed, ...] = ()
    changes: tuple[Change, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()

"""What the baseline of a run keeps quiet, calls stale, and comes to when it is written; nothing where there is none.

What reads a baseline is imported only where the settings name one.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from recipelint.diagnostic import Diagnostic
from recipelint.discovery.tree import enclosing
from recipelint.outcome import Outcome, Stale
from recipelint.record import NamedTuple
from recipelint.settings import Settings

if TYPE_CHECKING:
    from recipelint.baseline import Baseline, Seen


class Looked(NamedTuple):
    """What a run looked at, as the user writes it: files, the folders that it searched, and the rules that were on."""

    files: Collection[str]
    folders: Collection[str]
    codes: frozenset[str]

    def seen(self, root: str) -> Seen:
        """The same as a baseline has it whose paths count from ROOT."""
        from recipelint.baseline import Seen
        from recipelint.fingerprint import place

        real = os.path.realpath(root)
        folders = (os.path.realpath(path) for path in self.folders if os.path.isdir(path))
        return Seen(frozenset(place(path, real) for path in self.files), tuple(folders), self.codes)


class Quiet:
    """The baseline of a run, if there is one. Raises BaselineError for one that cannot be used."""

    def __init__(self, file: str) -> None:
        self.baseline: Baseline | None = None
        if file:
            from recipelint.baseline import read

            self.baseline = read(file)

    def parted(self, found: Sequence[Diagnostic]) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
        """What is to be reported, and what the baseline keeps quiet."""
        marked = self.marked(found)
        return tuple(one for one, known in marked if not known), tuple(one for one, known in marked if known)

    def held(self, found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
        """The findings, the fixes of the quiet ones only shown."""
        return tuple(one.held() if known else one for one, known in self.marked(found))

    def marked(self, found: Sequence[Diagnostic]) -> list[tuple[Diagnostic, bool]]:
        """Each finding, and whether the baseline has it."""
        if self.baseline is None:
            return [(one, False) for one in found]
        from recipelint.baseline import quiet

        return list(zip(found, quiet(self.baseline, found), strict=True))

    def stale(self, found: Sequence[Diagnostic], looked: Looked) -> tuple[Stale, ...]:
        """What the baseline has and a run, which looked there, did not find."""
        if self.baseline is None:
            return ()
        from recipelint.baseline import stale

        return stale(self.baseline, found, looked.seen(self.baseline.root))


def moved(gone: Sequence[Stale], new: Sequence[Diagnostic]) -> int:
    """How many stale entries are found again under another path, as after a file was moved."""
    if not gone or not new:
        return 0
    from recipelint.baseline import moved

    return moved(gone, new)


def written(outcome: Outcome, settings: Settings, looked: Looked) -> Outcome:
    """Write what is found into a baseline; what it has of files that were not looked at stays in it."""
    from recipelint.baseline import renewed

    file = settings.write_baseline
    root = settings.root if settings.configuration else enclosing(os.path.dirname(os.path.abspath(file)))
    done = renewed(file, root, outcome, looked.seen)
    return outcome._replace(diagnostics=(), baselined=outcome.diagnostics, written=done)

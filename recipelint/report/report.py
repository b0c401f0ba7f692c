"""What a report is made of: what a run came to, and how it is to be told. A format is a function from it to text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from recipelint.diagnostic import Diagnostic
from recipelint.fix import Applicability, Fix
from recipelint.outcome import Outcome
from recipelint.record import NamedTuple
from recipelint.report.style import Stream
from recipelint.source import SourceFile

if TYPE_CHECKING:
    from recipelint.ruleset.load import Ruleset

NO_FILES = ("<stdin>", "<command line>")
"""What text is called that no file holds."""


class Report(NamedTuple):
    """An outcome and how to tell it.

    root    the folder, absolute and real, from which the paths of a service count
    made    whether its fixes were made (--fix), and not only looked for (--diff)
    unsafe  whether unsafe fixes were asked for
    quiet   whether to leave totals out
    statistics  whether to tell how often each rule found something, instead of where
    baseline    the file with the findings that stay quiet
    ruleset     the rules of the run; None: those of this program
    unnamed     of a baseline that was written and that the configuration does not name: how that would (empty: cannot)
    """

    outcome: Outcome
    root: str = "."
    stream: Stream = Stream()
    made: bool = False
    unsafe: bool = False
    quiet: bool = False
    statistics: bool = False
    baseline: str = ""
    ruleset: Ruleset | None = None
    unnamed: str | None = None

    def place(self, path: str) -> str:
        """A path from the root, with slashes; one that is outside, or is no file, as it was written."""
        from recipelint.fingerprint import place

        return path if path in NO_FILES else place(path, self.root)

    def offered(self, diagnostic: Diagnostic) -> Fix | None:
        """The fix of a diagnostic that --fix would make, with or without --unsafe-fixes as that was given."""
        least = Applicability.UNSAFE if self.unsafe else Applicability.SAFE
        fix = diagnostic.fix
        return fix if fix is not None and fix.edits and fix.applicability >= least else None

    def fingerprints(self) -> dict[int, str]:
        """The name of each finding, by its `id`: the same with and without a baseline, and those ignored last."""
        from recipelint.fingerprint import fingerprints

        outcome = self.outcome
        found = sorted((*outcome.diagnostics, *outcome.baselined), key=lambda one: one.sort_key)
        found += sorted(outcome.hidden, key=lambda one: one.sort_key)
        return {id(one): name for one, name in zip(found, fingerprints(found, self.root), strict=True)}

    def sources(self) -> dict[str, SourceFile]:
        """Every file that was read, by its path, those with findings among them."""
        return {source.path: source for source in self._sources()}

    def _sources(self) -> Iterator[SourceFile]:
        for launcher in self.outcome.launchers:
            yield from (*launcher.followed, launcher.source)
        yield from self.outcome.python
        for one in (*self.outcome.hidden, *self.outcome.baselined, *self.outcome.diagnostics):
            yield from (one.location.source, *(label.location.source for label in one.related))

    def linted(self) -> list[str]:
        """The files that were looked into, in order, by the paths that they were given with."""
        return sorted({one.source.path for one in self.outcome.launchers} | {one.path for one in self.outcome.python})

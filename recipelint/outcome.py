"""What a run comes to: launchers, diagnostics, what was fixed, and what could not be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from recipelint.diagnostic import Diagnostic
from recipelint.recipe.model import Launcher
from recipelint.record import NamedTuple
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


class Ignored(NamedTuple):
    """A comment that was written, or extended, to ignore findings; its line is that of the new file."""

    path: str
    line: int
    codes: tuple[str, ...]


class Stale(NamedTuple):
    """A finding of the baseline that is no longer there; PATH as the user would write it."""

    code: str
    path: str
    message: str
    fingerprint: str


class Written(NamedTuple):
    """A baseline that was written: how many findings are in it now, how many of them are new, how many are gone."""

    path: str
    findings: int
    added: int
    removed: int


class Outcome(NamedTuple):
    """Everything a report needs. Diagnostics are sorted, and describe the fixed files when fixing.

    hidden      findings that a comment or the configuration ignores, or that nobody selects
    baselined   findings that the baseline keeps quiet, sorted; `stale`: what it has and nobody finds any more
    moved       how many of these say what new findings in other files say
    ignored     the comments that --add-ignore wrote
    written     what --write-baseline wrote
    excluded    files, and folders with a slash at their end, that the configuration leaves out
    python      the Python files that were looked into; `passed` counts those in which no rule has anything to look for
    undecided   launches (`Launch.key`) that a rule could hold for: its code, and the unknown settings it would take
    commented   those of the hidden findings that a comment ignores
    before      when fixing: what the files came to as they were
    unchanged   the launchers that no change reaches, of which nothing is said; None where that was not asked
    unselected  the codes of rules that were looked for and are off, as others are selected; what they find is hidden
    consulted   the real paths at which other files were looked for, and whether one was there
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
    unchanged: tuple[str, ...] | None = None
    commented: tuple[Diagnostic, ...] = ()
    before: Outcome | None = None
    baselined: tuple[Diagnostic, ...] = ()
    stale: tuple[Stale, ...] = ()
    moved: int = 0
    ignored: tuple[Ignored, ...] = ()
    written: Written | None = None
    consulted: tuple[tuple[str, bool], ...] = ()
    unselected: frozenset[str] = frozenset()

    def each(self, change: Callable[[Diagnostic], Diagnostic]) -> Outcome:
        """The outcome with every diagnostic changed; what is listed twice is one as before."""
        changed: dict[int, Diagnostic] = {}

        def all_of(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
            return tuple(changed.setdefault(id(one), change(one)) for one in diagnostics)

        return self._replace(
            launchers=tuple(
                one._replace(diagnostics=all_of(one.diagnostics)) if one.diagnostics else one for one in self.launchers
            ),
            diagnostics=all_of(self.diagnostics),
            hidden=all_of(self.hidden),
            commented=all_of(self.commented),
            baselined=all_of(self.baselined),
        )

    def continued(self, later: Outcome) -> Outcome:
        """What this run and a LATER one of the same files come to: the files as that left them, and what both did."""
        changes = {change.path: change for change in self.changes}
        for change in later.changes:
            first = changes.get(change.path, change)
            changes[change.path] = first._replace(after=change.after)
        return later._replace(
            fixed=(*self.fixed, *later.fixed),
            ignored=(*self.ignored, *later.ignored),
            changes=tuple(changes[path] for path in sorted(changes)),
            before=self.before,
        )

    @property
    def files(self) -> int:
        """How many files were read."""
        return len(self.launchers) + len(self.python) + self.passed

    @property
    def judged(self) -> int:
        """How many launches there is something to say of: those of known trainers, and others with a finding."""
        found = {key for one in (*self.diagnostics, *self.hidden, *self.baselined) for key in one.about}
        return sum(
            launch.framework is not None or launch.key in found
            for launcher in self.launchers
            for launch in launcher.launches
        )

    @property
    def ruleless(self) -> int:
        """How many launches of known trainers no rule about settings is known to hold for."""
        return sum(not launch.rules for launcher in self.launchers for launch in launcher.known)


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

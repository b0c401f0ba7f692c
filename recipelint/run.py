"""Many files: reading them, linting them together, fixing them, and writing what was fixed.

No file is written that was not given; `writing` says how the others are.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from recipelint.discovery import matcher
from recipelint.discovery.tree import enclosing as enclosing
from recipelint.files import MANY, Files, Given, Tree
from recipelint.kept import Kept
from recipelint.linter import File, Linter, Result
from recipelint.outcome import Change, Fixed, Outcome, Unreadable
from recipelint.python.files import PythonFile, is_python
from recipelint.quiet import Looked, Quiet, moved, written
from recipelint.recipe.build import Recipes
from recipelint.ruleset.grade import grading
from recipelint.ruleset.load import Ruleset, load_for
from recipelint.ruleset.select import standard, unselected
from recipelint.settings import Settings
from recipelint.source import SourceFile
from recipelint.suppress import per_file
from recipelint.tracking import Track, untracked

AGAIN = 3
"""How often a run starts over, where another one, or an editor, was quicker to write a file."""


def judge(settings: Settings, files: Given, *, track: Track = untracked) -> Outcome:
    """The same as `check`, and what the rules that the settings turn off would find is among what is hidden."""
    ruleset = load_for(settings)
    run = Run(Linter(ruleset, settings, standard(ruleset, settings)), settings, track=track)
    run.read(files)
    run.narrow()
    return run.outcome(run.lint({}))._replace(unselected=unselected(ruleset, settings))


def check(settings: Settings, files: Given, ruleset: Ruleset | None = None, *, track: Track = untracked) -> Outcome:
    """Lint the files and, as the settings say, fix them, by the rules of the settings if no others are given.

    Raises SelectError for a selector that selects nothing, and RuleError for a team's rule that is wrong.
    """
    used = load_for(settings) if ruleset is None else ruleset
    run = Run(Linter(used, settings), settings, track=track)
    outcome = run.whole(files)
    for _ in range(AGAIN):
        if not run.overtaken:
            break
        run = Run(Linter(used, settings), settings, track=track)
        outcome = outcome.continued(run.whole(files))
    outcome = outcome._replace(consulted=tuple((path, source is not None) for path, source in run.others.items()))
    return written(outcome, settings, run.looked()) if settings.write_baseline else outcome


def resolve(settings: Settings, files: Given, track: Track = untracked) -> Outcome:
    """What each launcher does; the diagnostics are those of reading it."""
    run = Run(Linter(load_for(settings), settings), settings, with_baseline=False, track=track)
    run.read([file for file in files if isinstance(file, SourceFile) or file.explicit or not is_python(file.path, b"")])
    run.narrow()
    launchers = tuple(
        run.linter.launcher(run.linter.resolve(file))
        for file in track("Resolving", run.files({}))
        if not is_python(file.source.path, file.source.data)
    )
    diagnostics = tuple(d for launcher in launchers for d in launcher.diagnostics)
    outcome = Outcome(launchers, diagnostics, (), (), tuple(run.unreadable), unchanged=run.unchanged)
    return outcome.each(run.grade) if run.grade is not None else outcome


def files(settings: Settings, given: Given) -> tuple[list[str], list[Unreadable]]:
    """The files that `check` would look into, and what of them cannot be read."""
    run = Run(Linter(load_for(settings), settings), settings, with_baseline=False)
    run.read(given)
    run.narrow()
    return list(run.originals), run.unreadable


class Run(Files):
    """The files of one run, and what comes of linting them, once or again and again."""

    def __init__(
        self,
        linter: Linter,
        settings: Settings,
        buffers: Mapping[str, bytes] = MappingProxyType({}),
        *,
        with_baseline: bool = True,
        track: Track = untracked,
    ) -> None:
        super().__init__(linter, buffers, track)
        self.settings = settings
        self.lints = 0
        self.again = settings.fix or settings.diff or settings.add_ignore or settings.verify_fixes
        """Whether the files are linted more than once."""
        self.kept = Kept(linter)
        self.ignored = per_file(settings, lambda globs: matcher(globs, settings.root), linter.ruleset)
        """The codes that the configuration ignores in a file."""
        self.grade = grading(linter.ruleset, settings) if settings.severity else None
        self.quiet = Quiet(settings.baseline if with_baseline and not settings.write_baseline else "")
        self.unchanged: tuple[str, ...] | None = None
        """The launchers that no change reaches, where only what changes reach is asked for."""
        self.sharing: dict[str, SourceFile] = {}
        """Those of them that a fix might change by the way."""
        self.overtaken = False
        """Whether a file was not written because it had changed since it was read."""

    def whole(self, files: Given) -> Outcome:
        """Read the files, lint them and, as the settings say, fix them."""
        self.read(files)
        self.narrow()
        if self.settings.add_ignore:
            return self.silenced()
        if self.settings.fix or self.settings.diff:
            return self.fixed()
        return self.verified() if self.settings.verify_fixes else self.outcome(self.checked())

    def narrow(self) -> None:
        """Go on with what changes reach alone, if the settings ask for that; standard input always is."""
        if not self.settings.changed_since:
            return
        from recipelint.changes import Changes
        from recipelint.reached import reach

        folders = (os.path.realpath(path) for path in self.settings.paths if path != "-")
        changes = Changes(
            self.settings.changed_since, (one if os.path.isdir(one) else os.path.dirname(one) for one in folders)
        )
        files = [file for file in self.files({}) if file.source.path in self.on_disk]
        found = reach(self.linter, files, self.root, changes)
        changes.meet()
        self.unchanged = found.others
        self.sharing = {path: self.originals[path] for path in found.sharing}
        self.passed = []
        self.unreadable = [one for one in self.unreadable if changes.file(one.path)]
        self.originals = {
            path: source for path, source in self.originals.items() if path in found.files or path not in self.on_disk
        }
        self.by_real_path = {real: path for real, path in self.by_real_path.items() if path in found.files}

    # --- linting -----------------------------------------------------------------------------------

    def lint(self, changed: Mapping[str, bytes]) -> Result:
        """A lint; the fixes of what the baseline keeps quiet are only shown."""
        files = self.files(changed)
        stage = f"Checking fixes, pass {self.lints}" if self.lints else "Checking"
        self.lints += 1
        linted = frozenset(self.originals)
        result = self.linter.lint(files, linted, self.ignored, self.track, stage, self.resolved)
        self.kept.only({file.source for file in files} | set(self.originals.values()))
        result = result._replace(diagnostics=self.quiet.held(result.diagnostics))
        if not self.sharing or not (self.settings.fix or self.settings.diff):
            return result
        # Nothing is said of these, but a fix that would change what they do does not verify.
        sources = {file.source.path: file.source for file in files}
        others = (self.resolved(self.file(source, sources)) for source in self.sharing.values())
        return result._replace(recipes=(*result.recipes, *others))

    def checked(self) -> Result:
        """The lint of the files as they are, for reports alone: part by part, and with what an earlier run kept."""
        files = self.files({})
        python = [file for file in files if is_python(file.source.path, file.source.data)]
        known = {file.source.path for file in python}
        if not self.store and len(files) - len(python) <= MANY:
            return self.lint({})
        from recipelint.parts import Checking
        from recipelint.portable import joined
        from recipelint.spread import Spread

        checking = Checking(self.linter, frozenset(self.originals), self.ignored, self.root)
        launchers = [file for file in files if file.source.path not in known]
        spread = Spread(checking, launchers, self.opened, self.originals, self.store)
        read = tuple(PythonFile(file.source, file.place, file.reader) for file in python)
        results = [spread.result(self.track, "Checking")]
        if read:
            results.append(self.linter.report((), read, checking.linted, self.ignored, self.track))
        order = {path: number for number, path in enumerate(self.originals)}
        result = joined(results, lambda source: order[source.path])
        return result._replace(diagnostics=self.quiet.held(result.diagnostics))

    def opened(self, root: str, place: str) -> SourceFile | None:
        """The file at a place of a tree, as the files are."""
        return Tree(self, root, self.originals).open(place)

    def resolved(self, file: File) -> Recipes:
        """What a launcher does; as it is known, where it will be asked for again."""
        return self.kept.resolved(file) if self.again else self.linter.resolve(file)

    # --- fixing ------------------------------------------------------------------------------------

    def fixed(self) -> Outcome:
        """Fix what can be fixed, and write it if the settings say so. What fixing needs is loaded only here."""
        from recipelint.fixer import Fixer, disagreeing, with_withdrawn

        originals = {path: source.data for path, source in self.originals.items()}
        outcome = Fixer(self.linter, self.lint, originals, self.settings.unsafe_fixes).run()
        changes = tuple(
            Change(path, originals[path], data)
            for path, data in sorted(outcome.contents.items())
            if data != originals[path]
        )
        refused = self.write(changes, [made.fix.paths for made in outcome.made]) if self.settings.fix else {}
        if refused:
            kept = {path: data for path, data in outcome.contents.items() if path not in refused}
            outcome.result = self.lint(kept)
            changes = tuple(change for change in changes if change.path not in refused)
        result, left = outcome.result, with_withdrawn(outcome.result.diagnostics, outcome.withdrawn)
        made = tuple(
            Fixed(one.location.path, made.line, made.fix.title, one.code, disagreeing(made, left, self.linter.ruleset))
            for made in outcome.made
            for one in (made.diagnostic,)
            if not set(made.fix.paths) & set(refused)
        )
        before = self.verified() if self.settings.verify_fixes else self.outcome(outcome.first)
        return self.outcome(result._replace(diagnostics=left))._replace(fixed=made, changes=changes, before=before)

    def verified(self) -> Outcome:
        """What the files come to as they are; fixes that would not verify are taken from the findings."""
        from recipelint.fixer import Fixer, with_withdrawn

        originals = {path: source.data for path, source in self.originals.items()}
        result, withdrawn = Fixer(self.linter, self.lint, originals, self.settings.unsafe_fixes).tried()
        return self.outcome(result._replace(diagnostics=with_withdrawn(result.diagnostics, withdrawn)))

    def outcome(self, result: Result) -> Outcome:
        """What a lint comes to, with the severities of the configuration."""
        left, known = self.quiet.parted(result.diagnostics)
        gone = self.quiet.stale(result.diagnostics, self.looked())
        outcome = Outcome(
            result.launchers,
            left,
            (),
            (),
            tuple(self.unreadable),
            result.hidden,
            result.undecided,
            (),
            tuple(file.source for file in result.python),
            len(self.passed),
            self.unchanged,
            result.commented,
            baselined=known,
            stale=gone,
            moved=moved(gone, left),
        )
        return outcome.each(self.grade) if self.grade is not None else outcome

    def silenced(self) -> Outcome:
        """Write comments that ignore what is found; the outcome is that of the files with them."""
        from recipelint.silencer import Silencer

        done = Silencer(
            self.linter, self.lint, self.originals, self.settings.reason, lambda found: self.quiet.parted(found)[0]
        ).run()
        changes = tuple(Change(path, self.originals[path].data, data) for path, data in sorted(done.contents.items()))
        refused = self.write(changes)
        kept = {path: data for path, data in done.contents.items() if path not in refused}
        result = self.lint(kept) if refused else done.result
        return self.outcome(result)._replace(
            ignored=tuple(one for one in done.ignored if one.path not in refused),
            changes=tuple(change for change in changes if change.path not in refused),
        )

    def looked(self) -> Looked:
        """What this run looked at; which files are gone is not known where only what changes reach is."""
        folders = () if self.unchanged is not None else self.settings.paths
        return Looked((*self.originals, *self.passed), folders, self.linter.active)

    def write(self, changes: Sequence[Change], shared: Sequence[Sequence[str]] = ()) -> dict[str, str]:
        """Write the changed files; those that may not or cannot be, with the reason, also count as unreadable.

        SHARED are the paths of each fix: those of one are written together, or none of them is.
        """
        from recipelint.holding import held
        from recipelint.together import groups
        from recipelint.writing import Overtaken, Refused, replace_files

        refused: dict[str, str] = {}
        with held() as deliver:
            for group in groups([change for change in changes if change.path in self.on_disk], shared):
                deliver()
                which = group[0].path
                try:
                    replace_files(group, lambda path: enclosing(os.path.dirname(os.path.abspath(path))))
                    continue
                except Refused as error:
                    which, reason = error.path, str(error)
                    self.overtaken |= isinstance(error, Overtaken)
                except OSError as error:
                    reason = f"not written: {error.strerror or error}"
                refused[which] = reason
                for change in group:
                    refused.setdefault(change.path, f"not written: a fix changes {which} as well, which is not")
        self.unreadable += [Unreadable(path, reason) for path, reason in refused.items()]
        return refused

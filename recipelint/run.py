"""Many files: reading them, linting them together, fixing them, and writing what was fixed.

No file is written that was not given; `writing` says how the others are.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from recipelint.discovery import DiscoveredFile, UnreadableFile, matcher, read
from recipelint.discovery.walk import reason
from recipelint.linter import File, Linter, Result
from recipelint.outcome import Change, Fixed, Outcome, Unreadable
from recipelint.python.files import interest, is_python
from recipelint.recipe.trainers import Trainers
from recipelint.ruleset.load import load
from recipelint.settings import Settings
from recipelint.source import SourceFile
from recipelint.suppress import per_file
from recipelint.tracking import Track, untracked

Given = Sequence["SourceFile | DiscoveredFile"]


def check(settings: Settings, files: Given, track: Track = untracked) -> Outcome:
    """Lint the files and, as the settings say, fix them. Raises SelectError for a selector that selects nothing."""
    run = Run(Linter(load(), settings), settings, track)
    run.read(files)
    outcome = run.fixed() if settings.fix or settings.diff else run.outcome(run.lint({}))
    return outcome._replace(consulted=tuple((path, source is not None) for path, source in run.others.items()))


def resolve(settings: Settings, files: Given, track: Track = untracked) -> Outcome:
    """What each launcher does; the diagnostics are those of reading it."""
    run = Run(Linter(load(), settings), settings, track)
    run.read([file for file in files if isinstance(file, SourceFile) or file.explicit or not is_python(file.path, b"")])
    launchers = tuple(
        run.linter.launcher(run.linter.resolve(file))
        for file in track("Resolving", run.files({}))
        if not is_python(file.source.path, file.source.data)
    )
    diagnostics = tuple(d for launcher in launchers for d in launcher.diagnostics)
    return Outcome(launchers, diagnostics, (), (), tuple(run.unreadable))


class Run:
    """The files of one run, as they were read."""

    def __init__(self, linter: Linter, settings: Settings, track: Track = untracked) -> None:
        self.linter = linter
        self.settings = settings
        self.track = track
        self.lints = 0
        self.originals: dict[str, SourceFile] = {}
        self.on_disk: set[str] = set()
        self.by_real_path: dict[str, str] = {}
        self.unreadable: list[Unreadable] = []
        self.roots: dict[str, str] = {}
        self.trainers: dict[str, Trainers] = {}
        """What was read of each tree's trainers; a fix of a launcher does not change them."""
        self.others: dict[str, SourceFile | None] = {}
        self.interest = interest(
            [linter.ruleset.rules[code].facts for code in linter.active], linter.ruleset.frameworks
        )
        self.ignored = per_file(settings, lambda path, globs: matcher(globs, settings.root)(path), linter.ruleset)
        """The codes that the configuration ignores in a file."""
        self.passed = 0

    def read(self, files: Given) -> None:
        """Read what was given; what cannot be read is kept with its reason."""
        for file in self.track("Reading", files):
            if isinstance(file, SourceFile):
                self.originals[file.path] = file
                continue
            real = os.path.realpath(file.path) if file.explicit or not is_python(file.path, b"") else ""
            if real in self.by_real_path and not os.path.islink(file.path):
                continue
            try:
                data = read(file.path)
            except UnreadableFile as error:
                if not real:  # Python that nobody named, huge or no text at all
                    self.passed += 1
                    continue
                self.unreadable.append(Unreadable(file.path, error.reason))
                continue
            except OSError as error:
                self.unreadable.append(Unreadable(file.path, reason(error)))
                continue
            if is_python(file.path, data) and not self.interest.holds(file.path, data):
                self.passed += 1
                continue
            real = real or os.path.realpath(file.path)
            if real in self.by_real_path and not os.path.islink(file.path):
                continue
            self.originals[file.path] = SourceFile(file.path, data)
            self.on_disk.add(file.path)
            self.by_real_path.setdefault(real, file.path)

    # --- trees -------------------------------------------------------------------------------------

    def root(self, path: str) -> str:
        """The tree that a file belongs to: the enclosing git repository, else the working directory."""
        folder = os.path.dirname(os.path.realpath(path))
        found = self.roots.get(folder)
        if found is None:
            found = self.roots[folder] = enclosing(folder)
        return found

    def files(self, changed: Mapping[str, bytes]) -> list[File]:
        """The files to lint, some with new content; each with the reader of its tree."""
        sources = {
            path: SourceFile(path, changed[path]) if path in changed else source
            for path, source in self.originals.items()
        }
        out: list[File] = []
        if any(path.endswith(".py") for path in changed):
            self.trainers.clear()
        for path, source in sources.items():
            root = self.root(path)
            real = os.path.realpath(path)
            inside = real.startswith(root + os.sep)
            place = (
                os.path.relpath(real, root)
                if inside and path in self.on_disk
                else path
                if not os.path.isabs(path)
                else None
            )
            reader = Tree(self, root, sources).open
            if root not in self.trainers:
                self.trainers[root] = Trainers(self.linter.frameworks, reader)
            out.append(File(source, place, reader, self.trainers[root]))
        return out

    def lint(self, changed: Mapping[str, bytes]) -> Result:
        """Lint all files, some with new content: once, and when fixing, again after each try."""
        stage = f"Checking fixes, pass {self.lints}" if self.lints else "Checking"
        self.lints += 1
        return self.linter.lint(self.files(changed), frozenset(self.originals), self.ignored, self.track, stage)

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
        refused = self.write(changes) if self.settings.fix else {}
        if refused:
            kept = {path: data for path, data in outcome.contents.items() if path not in refused}
            outcome.result = self.lint(kept)
            changes = tuple(change for change in changes if change.path not in refused)
            self.unreadable += [Unreadable(path, reason) for path, reason in refused.items()]
        result, left = outcome.result, with_withdrawn(outcome)
        made = tuple(
            Fixed(one.location.path, made.line, made.fix.title, one.code, disagreeing(made, left, self.linter.ruleset))
            for made in outcome.made
            for one in (made.diagnostic,)
            if not set(made.fix.paths) & set(refused)
        )
        return self.outcome(result)._replace(diagnostics=left, fixed=made, changes=changes)

    def outcome(self, result: Result) -> Outcome:
        """What a lint comes to."""
        return Outcome(
            result.launchers,
            result.diagnostics,
            (),
            (),
            tuple(self.unreadable),
            result.hidden,
            result.undecided,
            (),
            tuple(file.source for file in result.python),
            self.passed,
        )

    def write(self, changes: Sequence[Change]) -> dict[str, str]:
        """Write the changed files; those that may not or cannot be written, with the reason."""
        from recipelint.writing import Refused, replace_file, stoppable

        refused: dict[str, str] = {}
        with stoppable():
            for change in changes:
                if change.path not in self.on_disk:
                    continue
                try:
                    replace_file(change, enclosing(os.path.dirname(os.path.abspath(change.path))))
                except Refused as error:
                    refused[change.path] = str(error)
                except OSError as error:
                    refused[change.path] = f"not written: {error.strerror or error}"
        return refused


def enclosing(folder: str) -> str:
    """The git repository around a folder; without one, the working directory if it is around it, else the folder."""
    at = folder
    while True:
        if os.path.exists(os.path.join(at, ".git")):
            return at
        parent = os.path.dirname(at)
        if parent == at:
            break
        at = parent
    here = os.path.realpath(os.getcwd())
    return here if folder == here or folder.startswith(here + os.sep) else folder


class Tree:
    """The files of one tree, for `source` and the like: those of the run as they are now, others from the disk."""

    def __init__(self, run: Run, root: str, sources: Mapping[str, SourceFile]) -> None:
        self.run = run
        self.root = root
        self.sources = sources

    def open(self, place: str) -> SourceFile | None:
        """The file at a path from the root; None if it is not there, leads outside, or is no text."""
        if "\0" in place:
            return None
        full = os.path.join(self.root, place)
        real = os.path.realpath(full)
        given = self.run.by_real_path.get(real)
        if given is not None:
            return self.sources[given]
        if real != self.root and not real.startswith(self.root + os.sep):
            return None
        if real not in self.run.others:
            try:
                data = read(real) if os.path.isfile(real) else None
            except (OSError, UnreadableFile):
                data = None
            shown = os.path.relpath(real)
            self.run.others[real] = SourceFile(shown, data) if data is not None else None
        return self.run.others[real]

"""The open files of one configuration, linted again and again: what did not change is not resolved anew.

What was resolved holds while every file that was read for it is the same. What stands on the disk is read once: whoever
hears that it changed makes a new one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from recipelint.diagnostic import Diagnostic
from recipelint.discovery import UnreadableFile
from recipelint.discovery.reading import accept
from recipelint.kept import Kept
from recipelint.linter import File, Linter, Result
from recipelint.outcome import Unreadable
from recipelint.python.files import is_python
from recipelint.recipe.build import Recipes
from recipelint.recipe.trainers import Trainers
from recipelint.run import Run
from recipelint.settings import Settings
from recipelint.shell.sightings import Sighting
from recipelint.source import SourceFile


class Live(Run):
    """A run whose files are the open ones; `buffers` are the texts of all open files, of other configurations too."""

    def __init__(self, linter: Linter, settings: Settings, *, with_baseline: bool = True) -> None:
        self.open: dict[str, bytes] = {}
        super().__init__(linter, settings, self.open, with_baseline=with_baseline)
        self.again, self.kept = True, Kept(linter, sighted=True)
        self.result: Result | None = None

    def update(self, given: Mapping[str, bytes], buffers: Mapping[str, bytes]) -> None:
        """Take the texts as they are now: of the files to lint, by what they are called, and of all that are open."""
        for real in self.open.keys() | buffers.keys():
            old = self.others.get(real)
            if real in self.others and (old.data if old is not None else None) != buffers.get(real):
                self.others.pop(real)
                self.stir(real)
        self.open.clear()
        self.open.update(buffers)
        for path in self.originals.keys() - given.keys():
            del self.originals[path]
            self.stir(path)
        self.unreadable.clear()
        for path, data in given.items():
            self.take(path, data)
        self.on_disk = set(self.originals)
        self.by_real_path = {self.real(path): path for path in self.originals}

    def take(self, path: str, data: bytes) -> None:
        """One file to lint, if it can be linted, and a rule could find something in it."""
        known = self.originals.get(path)
        if known is not None and known.data == data:
            return
        self.stir(path)
        self.originals.pop(path, None)
        try:
            accept(data)
        except UnreadableFile as error:
            self.unreadable.append(Unreadable(path, error.reason))
            return
        if not is_python(path, data) or self.interest.holds(path, data):
            self.originals[path] = SourceFile(path, data)

    def stir(self, path: str) -> None:
        """A file changed: of a trainer everything is read again."""
        self.result = None
        if path.endswith(".py"):
            self.trainers.clear()

    def real(self, path: str) -> str:
        return os.path.realpath(path)

    # --- linting -----------------------------------------------------------------------------------

    def lint(self, changed: Mapping[str, bytes]) -> Result:
        """As a run does; where nothing CHANGED since the last time, that one counts."""
        if not changed and self.result is not None:
            return self.result
        result = super().lint(changed)
        if not changed:
            self.result = result
        elif any(path.endswith(".py") for path in changed):
            self.trainers.clear()  # they are those of the changed text
        return result

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is to be said: not what a baseline keeps quiet, and with the severities of the configuration."""
        found = self.quiet.parted(self.lint({}).diagnostics)[0]
        return found if self.grade is None else tuple(map(self.grade, found))

    def sightings(self, recipes: Recipes) -> Sequence[Sighting]:
        """What the places of a launcher came to."""
        known = self.kept.known.get(recipes.source)
        return known.sightings.all() if known is not None and known.sightings is not None else ()


class Pathless(Live):
    """Texts that are no files: each stands alone, and nothing that they name is followed."""

    def files(self, changed: Mapping[str, bytes]) -> list[File]:
        trainers = self.trainers.setdefault("", Trainers(self.linter.frameworks, nothing))
        return [
            File(SourceFile(path, changed[path]) if path in changed else source, None, nothing, trainers)
            for path, source in self.originals.items()
        ]

    def real(self, path: str) -> str:
        return path


def nothing(place: str) -> SourceFile | None:
    """The reader of what has no tree."""
    return None

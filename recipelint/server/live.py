"""The open files of one configuration, linted again and again: what did not change is not resolved anew.

What was resolved holds while every file that was read for it is the same. What stands on the disk is read once: whoever
hears that it changed makes a new one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from recipelint.diagnostic import Diagnostic
from recipelint.discovery import UnreadableFile
from recipelint.discovery.reading import accept
from recipelint.linter import File, Linter, Result
from recipelint.outcome import Unreadable
from recipelint.python.files import PythonFile, is_python
from recipelint.recipe.build import Recipes
from recipelint.recipe.trainers import Trainers
from recipelint.run import Run
from recipelint.settings import Settings
from recipelint.shell.session import Reader
from recipelint.shell.sightings import Sighting, Sightings
from recipelint.source import SourceFile


class Known(NamedTuple):
    """What one launcher came to, and what was read for it: the file at each place, None where there was none."""

    source: SourceFile
    trainers: Trainers
    read: Mapping[str, SourceFile | None]
    recipes: Recipes
    sightings: Sightings

    def holds(self, file: File) -> bool:
        """Whether all of it is as it was."""
        return (
            self.source is file.source
            and self.trainers is file.trainers
            and all(file.reader(place) is source for place, source in self.read.items())
        )


class Live(Run):
    """A run whose files are the open ones; `buffers` are the texts of all open files, of other configurations too."""

    def __init__(self, linter: Linter, settings: Settings, *, with_baseline: bool = True) -> None:
        self.open: dict[str, bytes] = {}
        super().__init__(linter, settings, self.open, with_baseline=with_baseline)
        self.known: dict[str, Known] = {}
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
        self.known = {path: one for path, one in self.known.items() if path in self.originals}

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

    def together(self, files: Sequence[File]) -> Result:
        """As a run does, with what is known already."""
        keep = all(self.originals.get(file.source.path) is file.source for file in files)
        python = tuple(
            PythonFile(file.source, file.place, file.reader)
            for file in files
            if is_python(file.source.path, file.source.data)
        )
        shell = (file for file in files if not is_python(file.source.path, file.source.data))
        recipes = tuple(self.resolved(file, keep=keep) for file in shell)
        return self.linter.report(recipes, python, frozenset(self.originals), self.ignored)

    def resolved(self, file: File, *, keep: bool) -> Recipes:
        """What a launcher does: as it is known, or resolved, and then kept, if it is to KEEP."""
        known = self.known.get(file.source.path)
        if known is not None and known.holds(file):
            return known.recipes
        read: dict[str, SourceFile | None] = {}
        reader = recorded(file.reader, read)
        sightings = Sightings()
        recipes = self.linter.resolve(file._replace(reader=reader), sightings=sightings)
        if keep:
            self.known[file.source.path] = Known(file.source, file.trainers, read, recipes, sightings)
        return recipes

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is to be said: not what a baseline keeps quiet, and with the severities of the configuration."""
        found = self.quiet.parted(self.lint({}).diagnostics)[0]
        return found if self.grade is None else tuple(map(self.grade, found))

    def sightings(self, recipes: Recipes) -> Sequence[Sighting]:
        """What the places of a launcher came to."""
        known = self.known.get(recipes.source.path)
        return known.sightings.all() if known is not None and known.recipes is recipes else ()


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


def recorded(reader: Reader, read: dict[str, SourceFile | None]) -> Reader:
    """A reader that notes what it read."""

    def open_(place: str) -> SourceFile | None:
        read[place] = source = reader(place)
        return source

    return open_

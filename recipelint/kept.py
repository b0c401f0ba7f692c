"""What launchers came to, kept while every file that was read for it is the same: for who lints again and again."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from recipelint.linter import File, Linter
from recipelint.recipe.build import Recipes
from recipelint.recipe.trainers import Trainers
from recipelint.record import NamedTuple
from recipelint.shell.session import Reader
from recipelint.shell.sightings import Sightings
from recipelint.source import SourceFile


class Known(NamedTuple):
    """What one launcher came to, and what was read for it: the file at each place, None where there was none."""

    trainers: Trainers
    read: Mapping[str, SourceFile | None]
    recipes: Recipes
    sightings: Sightings | None

    def holds(self, file: File) -> bool:
        """Whether all of it is as it was."""
        return self.trainers is file.trainers and all(
            file.reader(place) is source for place, source in self.read.items()
        )


class Kept:
    """Resolves launchers, each text of one once. SIGHTED: what their places came to is noted as well."""

    def __init__(self, linter: Linter, *, sighted: bool = False) -> None:
        self.linter = linter
        self.sighted = sighted
        self.known: dict[SourceFile, Known] = {}

    def resolved(self, file: File) -> Recipes:
        """What a launcher does: as it is known, or resolved, and then kept."""
        known = self.known.get(file.source)
        if known is not None and known.holds(file):
            return known.recipes
        read: dict[str, SourceFile | None] = {}
        sightings = Sightings() if self.sighted else None
        recipes = self.linter.resolve(file._replace(reader=recorded(file.reader, read)), sightings=sightings)
        self.known[file.source] = Known(file.trainers, read, recipes, sightings)
        return recipes

    def only(self, sources: Collection[SourceFile]) -> None:
        """Forget all other texts."""
        self.known = {source: known for source, known in self.known.items() if source in sources}


def recorded(reader: Reader, read: dict[str, SourceFile | None]) -> Reader:
    """READER, with what it gave to be found in READ."""

    def open_(place: str) -> SourceFile | None:
        read[place] = reader(place)
        return read[place]

    return open_

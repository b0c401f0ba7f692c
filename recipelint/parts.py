"""Launchers that share text are checked together, and all others on their own: how they fall into such parts.

Two launchers are of one part where both run the text of one file, be it the file of one of them, or read settings from
one: a finding there is one, however many launches it reaches. Each part tells which files it hangs on, so that it can
be worked out elsewhere, and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack

from recipelint.linter import File, Linter, Result
from recipelint.reads import Reads
from recipelint.recipe.build import Recipes
from recipelint.record import NamedTuple
from recipelint.source import SourceFile


class Part(NamedTuple):
    """Launchers that were checked together.

    members   their paths, in the order of the run
    touched   the paths of all files whose text they run, their own among them, or that give them settings
    places    what was read for them, from the root of each tree
    """

    members: tuple[str, ...]
    touched: frozenset[str]
    places: frozenset[tuple[str, str]]
    result: Result


class Resolving(NamedTuple):
    """A launcher that was resolved, and the readers that were used for it."""

    file: File
    recipes: Recipes
    root: str
    reads: Reads
    places: set[str]


class Checking(NamedTuple):
    """What checking takes, beside the files: LINTED are the paths whose text may be changed."""

    linter: Linter
    linted: frozenset[str]
    ignores: Callable[[str], frozenset[str]]
    root: Callable[[str], str]


def parts(checking: Checking, files: Iterable[File]) -> Iterator[Part]:
    """The parts of some launchers, each with what it came to, in the order of their first members."""
    resolved = [resolving(checking, file) for file in files]
    touched = [
        frozenset((one.recipes.source.path, *followed(one.recipes), *configurations(one.recipes))) for one in resolved
    ]
    for group in grouped(touched):
        yield part([resolved[n] for n in group], frozenset().union(*(touched[n] for n in group)), checking)


def resolving(checking: Checking, file: File) -> Resolving:
    reads = Reads.of(file.reader)
    with reads.noting() as own, file.trainers.reads.noting() as shared:
        recipes = checking.linter.resolve(file._replace(reader=reads))
    return Resolving(file, recipes, checking.root(file.source.path), reads, own | shared)


def followed(recipes: Recipes) -> Iterator[str]:
    return (source.path for source in recipes.evaluation.session.followed.values())


def configurations(recipes: Recipes) -> Iterator[str]:
    """The files in which settings of trainers stand."""
    for one in recipes.resolved:
        if one.entry is not None and one.entry.configuring is not None:
            for name, setting in one.launch.settings.items():
                if setting.location is not None and name in one.entry.settings:
                    yield setting.location.path


def part(members: Sequence[Resolving], touched: frozenset[str], checking: Checking) -> Part:
    """Check launchers together."""
    places = {(one.root, place) for one in members for place in one.places}
    with ExitStack() as stack:
        notes = [
            (one.root, stack.enter_context(reads.noting()))
            for one in members
            for reads in (one.reads, one.file.trainers.reads)
        ]
        recipes = tuple(one.recipes for one in members)
        result = checking.linter.report(recipes, (), checking.linted, checking.ignores)
    places.update((root, place) for root, noted in notes for place in noted)
    paths = tuple(one.file.source.path for one in members)
    return Part(paths, touched, frozenset(places), result._replace(recipes=()))


def grouped(touched: Sequence[frozenset[str]]) -> list[list[int]]:
    """The numbers of the sets that have something in common, also by way of others, together."""
    leader = list(range(len(touched)))

    def first(number: int) -> int:
        while leader[number] != number:
            leader[number] = leader[leader[number]]
            number = leader[number]
        return number

    owner: dict[str, int] = {}
    for number, paths in enumerate(touched):
        for path in paths:
            one, other = sorted((first(owner.setdefault(path, number)), first(number)))
            leader[other] = one
    groups: dict[int, list[int]] = {}
    for number in range(len(touched)):
        groups.setdefault(first(number), []).append(number)
    return list(groups.values())


Opened = Callable[[str, str], SourceFile | None]
"""The file at a place of the tree of a root."""

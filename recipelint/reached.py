"""Which files a change reaches: those whose own text changed, or any file that was looked for on the way to a verdict.

A file that was looked for and not found counts, so one that is new or gone does as well; and so does what decides all
verdicts alike: the configuration.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from recipelint.changes import Changes
from recipelint.commenting import Layouts
from recipelint.configuration import PYPROJECT, same_table
from recipelint.linter import File, Linter
from recipelint.python.files import PythonFile, is_python
from recipelint.reads import Reads
from recipelint.settings import Settings


class Reach(NamedTuple):
    """What a change reaches.

    files      the paths of the files that it reaches
    others     the launchers that it does not reach
    sharing    those of them that run the text of a file that it reaches: a fix there may not change them
    """

    files: frozenset[str]
    others: tuple[str, ...]
    sharing: tuple[str, ...]


def reach(linter: Linter, files: Sequence[File], root: Callable[[str], str], changes: Changes) -> Reach:
    """What changes reach among FILES; ROOT tells the tree of a path."""
    if any(decides(path, changes) for path in everywhere(linter.settings)):
        return Reach(frozenset(file.source.path for file in files), (), ())
    excused = otherwise_excused(linter.settings.baseline, changes)
    reached: set[str] = set()
    places: dict[str, set[str]] = {}
    for file in files:
        path = file.source.path
        if changes.file(path) or os.path.realpath(path) in excused:
            reached.add(path)
            continue
        tree = root(path)
        asked = asked_for(linter, file)
        if any(changes.place(tree, place) for place in asked):
            reached.add(path)
        elif not is_python(path, file.source.data):
            places[path] = {os.path.realpath(os.path.join(tree, place)) for place in asked}
    real = {os.path.realpath(path) for path in reached}
    return Reach(frozenset(reached), tuple(places), tuple(path for path, asked in places.items() if asked & real))


def asked_for(linter: Linter, file: File) -> frozenset[str]:
    """The places of its tree, beside its own, on which all hangs that there is to say of a file."""
    reads = Reads.of(file.reader)
    with reads.noting() as own, file.trainers.reads.noting() as shared:
        if is_python(file.source.path, file.source.data):
            linter.checked((), (PythonFile(file.source, file.place, reads),), frozenset(), Layouts())
        else:
            for resolved in linter.resolve(file._replace(reader=reads)).resolved:
                resolved.schema()
    return frozenset(own | shared)


def everywhere(settings: Settings) -> Iterable[str]:
    """The files and folders that have a say in every verdict."""
    return (*settings.consulted, *map(os.path.abspath, settings.rules))


def otherwise_excused(file: str, changes: Changes) -> frozenset[str]:
    """The real paths of the files of which a baseline keeps something quiet that it did not, or no longer does."""
    if not file or not changes.knows(file) or not changes.file(file):
        return frozenset()
    from recipelint.baseline import Baseline, BaselineError, parsed, read

    now, before = read(file), changes.before(file)
    try:
        then = parsed(file, before) if before is not None else now._replace(entries=())
    except BaselineError:  # it kept nothing quiet then
        then = Baseline(file, now.root, ())
    return now.differing(then)


def decides(path: str, changes: Changes) -> bool:
    """Whether a file or folder that has a say in every verdict has changed in what it says."""
    if os.path.isdir(path):
        return changes.below(path)
    if not changes.knows(path) or not changes.file(path):
        return False
    return os.path.basename(path) != PYPROJECT or not same_table(changes.before(path), path)

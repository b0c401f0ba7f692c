"""Where a repository says which revision of a package it runs with, in the folder nearest to a launcher.

Of the files of a folder the most binding one counts: uv.lock, then requirements files, pyproject.toml, setup.py. The
others that ask for something else are kept, to be told.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator

from recipelint.packages import lines, lock, pyproject, setup_script
from recipelint.packages.model import Package, Reader, Requirement, merged
from recipelint.reads import Held, Reads
from recipelint.source import SourceFile

MAX_DEPTH = 32
LOCK, PROJECT, SCRIPT = "uv.lock", "pyproject.toml", "setup.py"
REQUIREMENTS = (
    "requirements.txt", "requirements/requirements.txt", "requirements/base.txt", "requirements/common.txt",
    "requirements/main.txt", "requirements/train.txt", "requirements/training.txt", "requirements/cuda.txt",
    "requirements/gpu.txt",
)  # fmt: skip


class Finder:
    """Requirements for one package; what a file asks for is kept as long as it, and what it includes, is the same."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self._read: Held[tuple[str, SourceFile], list[Requirement]] = Held()

    def requirement(self, place: str | None, open_file: Reader) -> Requirement | None:
        """The requirement that governs a launcher at PLACE in its tree; None if no file of the tree has one."""
        reads = Reads.of(open_file)
        for folder in folders(place):
            groups = [found for found in self.groups(folder, reads) if found is not None]
            if groups:
                first = groups[0]
                return first._replace(others=tuple(one for one in groups[1:] if one.pin != first.pin))
        return None

    def groups(self, folder: str, open_file: Reads) -> Iterator[Requirement | None]:
        """What each kind of file of a folder asks for, the most binding first."""
        yield merged(self.of(folder, LOCK, open_file, lambda _, source: lock.requirements(source, self.package)))
        project = open_file(posixpath.join(folder, PROJECT))
        named = list(REQUIREMENTS)
        if project is not None:
            named += [name for name in pyproject.files(project) if name not in named]
        texts: list[Requirement] = []
        for name in named:
            texts += self.of(folder, name, open_file, lambda p, s: lines.requirements(p, s, self.package, open_file))
        yield merged(texts)
        yield merged(self.of(folder, PROJECT, open_file, lambda _, s: pyproject.requirements(s, self.package)))
        yield merged(self.of(folder, SCRIPT, open_file, lambda _, s: setup_script.requirements(s, self.package)))

    def of(
        self, folder: str, name: str, open_file: Reads, reading: Callable[[str, SourceFile], list[Requirement]]
    ) -> list[Requirement]:
        """What one file asks for."""
        path = posixpath.normpath(posixpath.join(folder, name))
        if path.startswith(("../", "/")):
            return []
        source = open_file(path)
        if source is None:
            return []
        return self._read.of((path, source), open_file, lambda: reading(path, source))


def folders(place: str | None) -> Iterator[str]:
    """The folder of a place and those around it, up to the root of the tree; just the root for none."""
    at = posixpath.dirname(place.replace("\\", "/")) if place is not None else ""
    for _ in range(MAX_DEPTH):
        yield at
        if not at or at.startswith(".."):
            return
        at = posixpath.dirname(at)
    yield ""

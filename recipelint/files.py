"""The files of a run as they were read, each with the reader of its tree; some may be given new content.

Nothing is read that was not given, but what is asked for through a tree's reader, which stays inside the tree.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from recipelint.discovery import DiscoveredFile, UnreadableFile, read
from recipelint.discovery.reading import accept
from recipelint.discovery.tree import enclosing
from recipelint.discovery.walk import reason
from recipelint.linter import File, Linter
from recipelint.outcome import Unreadable
from recipelint.python.files import interest, is_python
from recipelint.recipe.trainers import Trainers
from recipelint.source import SourceFile
from recipelint.tracking import Track, untracked

if TYPE_CHECKING:
    from recipelint.python.kept import Schemas
    from recipelint.store import Store

Given = Sequence["SourceFile | DiscoveredFile"]


MANY = 8
"""Launchers up to which all of them are checked in a go; with more, it pays to start a process for each so many."""


class Files:
    """What was given to lint, and what else was read on the way.

    buffers   by real path, the texts that count in the place of the files there: those that an editor has open
    """

    def __init__(
        self, linter: Linter, buffers: Mapping[str, bytes] = MappingProxyType({}), track: Track = untracked
    ) -> None:
        self.linter = linter
        self.buffers = buffers
        self.track = track
        self.originals: dict[str, SourceFile] = {}
        self.rewritten: dict[str, SourceFile] = {}
        """Files with the last new content that they were given."""
        self.code: dict[str, bytes] = {}
        """The Python among it: a trainer of other code is another one."""
        self.on_disk: set[str] = set()
        self.by_real_path: dict[str, str] = {}
        self.reals: dict[str, str] = {}
        """Real paths by the paths that were looked for."""
        self.unreadable: list[Unreadable] = []
        self.passed: list[str] = []
        """The Python files in which no rule has anything to look for."""
        self.interest = interest(
            [linter.ruleset.rules[code].facts for code in linter.active], linter.ruleset.frameworks
        )
        self.roots: dict[str, str] = {}
        self.trainers: dict[str, Trainers] = {}
        """What was read of each tree's trainers; a fix of a launcher does not change them."""
        self.others: dict[str, SourceFile | None] = {}

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
                    self.passed.append(file.path)
                    continue
                self.unreadable.append(Unreadable(file.path, error.reason))
                continue
            except OSError as error:
                self.unreadable.append(Unreadable(file.path, reason(error)))
                continue
            if is_python(file.path, data) and not self.interest.holds(file.path, data):
                self.passed.append(file.path)
                continue
            real = real or os.path.realpath(file.path)
            if real in self.by_real_path and not os.path.islink(file.path):
                continue
            self.originals[file.path] = SourceFile(file.path, data)
            self.on_disk.add(file.path)
            self.by_real_path.setdefault(real, file.path)

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
            path: self.text(path, changed[path]) if path in changed else source
            for path, source in self.originals.items()
        }
        code = {path: data for path, data in changed.items() if path.endswith(".py")}
        if code != self.code:
            self.trainers.clear()
            self.code = code
        return [self.file(source, sources) for source in sources.values()]

    def text(self, path: str, data: bytes) -> SourceFile:
        """A file with new content; the same one for the same content as the last time."""
        known = self.rewritten.get(path)
        if known is None or known.data != data:
            known = self.rewritten[path] = SourceFile(path, data)
        return known

    @cached_property
    def store(self) -> Store | None:
        """Where results are kept between runs, if the settings want that."""
        if self.linter.settings.cache is None:
            return None
        from recipelint.store import Store

        return Store(*self.linter.settings.cache)

    def schemas(self, root: str) -> Schemas | None:
        """What earlier runs read of the trainers of a tree; nothing where files may change on the way."""
        if not self.store or self.linter.settings.fix or self.linter.settings.diff:
            return None
        from recipelint.python.kept import Schemas
        from recipelint.release import stamp

        return Schemas(self.store, stamp(), root)

    def file(self, source: SourceFile, sources: Mapping[str, SourceFile]) -> File:
        """A file with the reader of its tree, in which SOURCES are what they now are."""
        path = source.path
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
            self.trainers[root] = Trainers(self.linter.frameworks, reader, self.schemas(root))
        return File(source, place, reader, self.trainers[root])


class Tree:
    """The files of one tree, for `source` and the like: those of the run as they are now, others from the disk."""

    def __init__(self, run: Files, root: str, sources: Mapping[str, SourceFile]) -> None:
        self.run = run
        self.root = root
        self.sources = sources

    def open(self, place: str) -> SourceFile | None:
        """The file at a path from the root; None if it is not there, leads outside, or is no text."""
        if "\0" in place:
            return None
        full = os.path.join(self.root, place)
        real = self.run.reals.get(full)
        if real is None:
            real = self.run.reals[full] = os.path.realpath(full)
        given = self.run.by_real_path.get(real)
        if given is not None:
            return self.sources[given]
        if real != self.root and not real.startswith(self.root + os.sep):
            return None
        if real not in self.run.others:
            data = self.data(real)
            self.run.others[real] = SourceFile(os.path.relpath(real), data) if data is not None else None
        return self.run.others[real]

    def data(self, real: str) -> bytes | None:
        """The text of a file by its real path: as an editor has it, else as it is on the disk."""
        try:
            if real in self.run.buffers:
                return accept(self.run.buffers[real])
            return read(real) if os.path.isfile(real) else None
        except (OSError, UnreadableFile):
            return None

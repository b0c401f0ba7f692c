"""What a check looked at and looked for, and so which changes of files make it worth another one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from stat import S_ISDIR
from typing import Any, NamedTuple

from recipelint.cli.reading import Read
from recipelint.discovery.walk import EXTENSIONS, PYTHON
from recipelint.outcome import Outcome
from recipelint.settings import FILE, PYPROJECT

_NO_LAUNCHERS = frozenset({"__pycache__"})


class Interest(NamedTuple):
    """Real paths: files, there or not; folders in which a new launcher counts; folders in which every file does.

    `there` are those of the files that the check has read, `passed` the folders that are ignored.
    """

    files: frozenset[str] = frozenset()
    walked: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()
    there: frozenset[str] = frozenset()
    passed: frozenset[str] = frozenset()

    def folders(self) -> set[str]:
        """The folders to watch, without what is below them, so that a large tree costs no more than it is looked at."""
        return {*map(_existing, map(os.path.dirname, self.files)), *filter(os.path.isdir, self.walked | self.whole)}

    def joined(self, other: Interest) -> Interest:
        """What is of interest for one of two reasons."""
        return Interest(*(mine | theirs for mine, theirs in zip(self, other, strict=True)))

    def changed(self, since: int) -> Iterator[str]:
        """What the check has read and is gone, what is younger than a time in nanoseconds, and folders that are new."""
        yield from (path for path in self.there if not os.path.lexists(path))
        for path in self._entries():
            with suppress(OSError):
                found = os.lstat(path)
                known = path in self.walked or path in self.passed
                if not known if S_ISDIR(found.st_mode) else found.st_ctime_ns >= since:
                    yield path

    def _entries(self) -> Iterator[str]:
        """The paths of interest at which there may be something."""
        yield from self.files
        for folder in self.walked | self.whole:
            with suppress(OSError), os.scandir(folder) as entries:
                yield from (entry.path for entry in entries if self._counts(entry.path))

    def meets(self, path: str) -> bool:
        """Whether a change at a path is of interest."""
        return self._counts(path) or any(file.startswith(path + os.sep) for file in self.files)

    def knows(self, path: str) -> bool:
        """Whether it is one of the files or folders that the check met or looked for, or stands above one."""
        return path in self.files | self.walked | self.whole or any(one.startswith(path + os.sep) for one in self.files)

    def _counts(self, path: str) -> bool:
        """Whether it is one of the files, or could be a launcher, a trainer or a folder with some."""
        folder, name = os.path.split(path)
        if path in self.files or folder in self.whole:
            return True
        if folder not in self.walked or path in self.passed or name in _NO_LAUNCHERS:
            return False
        return name.endswith((*EXTENSIONS, PYTHON)) or name == ".gitignore" or "." not in name


def interest_of(read: Read | None, given: Mapping[str, Any]) -> Interest:
    """What a check hung on, as far as it came; None is one that failed at its configuration."""
    files = list(_configurations(given))
    if read is None:
        return Interest(frozenset(map(_real, files)), there=frozenset(filter(os.path.lexists, map(_real, files))))
    outcome = read.outcome or Outcome()
    named = [path for path in (*read.settings.rules, read.settings.baseline) if path]
    there = [
        *(one.source.path for one in outcome.launchers),
        *(one.path for one in outcome.python),
        *(path for path, found in outcome.consulted if found),
        *filter(os.path.lexists, (*files, *named)),
    ]
    files += there
    files += [*read.settings.paths, *(one.path for one in outcome.unreadable), *(path for path, _ in outcome.consulted)]
    whole = [folder for path in named if os.path.isdir(path) for folder, _, _ in os.walk(path)]
    both = {one for path in (*files, *named) for one in (_real(path), os.path.realpath(path))}
    return Interest(
        frozenset(both),
        frozenset(folder for folder, walked in read.folders.items() if walked),
        frozenset(map(os.path.realpath, whole)),
        frozenset(map(_real, there)),
        frozenset(folder for folder, walked in read.folders.items() if not walked),
    )


def _configurations(given: Mapping[str, Any]) -> Iterator[str]:
    """Where a configuration is looked for, whether there is one or not."""
    files = [one for one in given["config"] if "=" not in one or os.path.exists(one)]
    if files:
        yield from files
    elif not given["isolated"]:
        folder = os.path.abspath(next(iter(given["paths"]), "."))
        while True:
            yield from (os.path.join(folder, name) for name in (FILE, PYPROJECT))
            parent = os.path.dirname(folder)
            if parent == folder or os.path.exists(os.path.join(folder, ".git")):
                return
            folder = parent


def _real(path: str) -> str:
    """A path in its real folder: the way in which a change of it is told, also if it is a symbolic link."""
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(folder), name)


def _existing(folder: str) -> str:
    """A folder, or the nearest one above it that there is."""
    while not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    return folder

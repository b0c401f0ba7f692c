"""Patterns as in .gitignore, each asked of one entry: a folder that is ignored is never entered.

A star matches inside one part of a path, `**` any number of parts. Time is linear in the parts of a path for each
pattern, whatever the pattern: it may come from a repository that means harm.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from recipelint.lazily import regex
from recipelint.record import NamedTuple

ANY = "**"
SIZE_CAP = 1024 * 1024
MAX_PATTERNS = 2000
"""Of one .gitignore: each is asked of each file. What further ones would leave out is looked at."""
LONGEST = 1000
"""Characters of a pattern; git itself reads longer ones, and nobody writes them."""
_WILD = regex(r"[*?\[\\]")

Part = Callable[[str], object]


class Glob(NamedTuple):
    """One line: what it says of an entry that it matches, and the parts of the path that it matches; None is `**`."""

    ignores: bool
    folders_only: bool
    parts: tuple[Part | None, ...]

    def matches(self, path: Sequence[str]) -> bool:
        """Whether the parts of a path match; on a mismatch the last `**` takes one part more."""
        at = glob = 0
        retry: tuple[int, int] | None = None
        while at < len(path):
            part = self.parts[glob] if glob < len(self.parts) else _nothing
            if part is None:
                glob += 1
                retry = (glob, at)
            elif part(path[at]):
                glob += 1
                at += 1
            elif retry:
                retry = (retry[0], retry[1] + 1)
                glob, at = retry
            else:
                return False
        return all(part is None for part in self.parts[glob:])


def parse(line: str) -> Glob | None:
    """A line of a .gitignore, without its end; None if it is empty or a comment."""
    text = _without_blanks(line.removesuffix("\r"))
    if not text or text.startswith("#") or len(text) > LONGEST:
        return None
    ignores = not text.startswith("!")
    text = text if ignores else text[1:]
    folders_only = text.endswith("/")
    parts = text.rstrip("/").split("/")
    if not any(parts):
        return None
    if len(parts) == 1:
        parts = [ANY, *parts]
    elif parts[0] == "":
        parts = parts[1:]
    if parts[-1] == ANY:
        parts = [*parts[:-1], "*", ANY]
    return Glob(ignores, folders_only, tuple(None if part == ANY else _part(part) for part in parts))


def _without_blanks(line: str) -> str:
    """A line without the blanks at its end; one behind a backslash stays."""
    text = line.rstrip(" ")
    return f"{text} " if text.endswith("\\") and text != line else text


def _nothing(name: str) -> bool:
    return False


def _part(glob: str) -> Part:
    """A test of one part of a path; fnmatch's expressions do not backtrack without end."""
    if not _WILD.search(glob):
        return glob.__eq__
    from fnmatch import translate

    escaped = re.sub(r"\\(.)", lambda match: f"[{match[1]}]" if match[1] in "*?[" else match[1], glob)
    return re.compile(translate(escaped.replace("[^", "[!"))).match


class Layer(NamedTuple):
    """The patterns of one file, for the entries below its folder; the last that matches decides."""

    folder: str
    globs: tuple[Glob, ...]

    def ignores(self, path: str, *, is_folder: bool) -> bool | None:
        """Whether the entry at an absolute path is ignored; None if no pattern matches it."""
        parts = path[len(self.folder.rstrip("/")) + 1 :].split("/")
        for glob in reversed(self.globs):
            if (is_folder or not glob.folders_only) and glob.matches(parts):
                return glob.ignores
        return None


Layers = tuple[Layer, ...]
"""The innermost last: it decides first."""


def ignored(layers: Layers, path: str, *, is_folder: bool) -> bool:
    """Whether the innermost layer that has a pattern for the entry at PATH, absolute, ignores it."""
    for layer in reversed(layers):
        verdict = layer.ignores(path, is_folder=is_folder)
        if verdict is not None:
            return verdict
    return False


def layer(folder: str, lines: Iterable[str]) -> Layer | None:
    """The patterns of LINES below an absolute FOLDER; None if there are none."""
    globs = tuple(islice((glob for line in lines if (glob := parse(line))), MAX_PATTERNS))
    return Layer(folder, globs) if globs else None


def layer_of_file(folder: str, file: str) -> Layer | None:
    """The patterns of a .gitignore or .git/info/exclude for FOLDER; None if it is not there, or is no file."""
    if not os.path.isfile(file):
        return None
    try:
        with open(file, encoding="utf-8-sig", errors="surrogateescape", newline="") as stream:
            return layer(folder, stream.read(SIZE_CAP).split("\n"))
    except OSError:
        return None


def layers_above(folder: str) -> Layers:
    """What applies to an absolute folder from the repository around it: .git/info/exclude, then each .gitignore."""
    chain = []
    at = folder
    while not os.path.exists(os.path.join(at, ".git")):
        parent = os.path.dirname(at)
        if parent == at:
            return ()
        chain.append(at)
        at = parent
    files = [(at, os.path.join(at, ".git", "info", "exclude"))]
    files += [(one, os.path.join(one, ".gitignore")) for one in [at, *reversed(chain)] if one != folder]
    return tuple(found for one, file in files if (found := layer_of_file(one, file)))


def matcher(globs: Sequence[str], root: str) -> Callable[[str], bool]:
    """A test of files, relative to the working directory or absolute, against globs below ROOT.

    A folder is tested with a slash at its end. What is below a folder that matches matches too.
    """
    root = os.path.abspath(root)
    below = layer(root, globs)
    if below is None:
        return lambda path: False

    def matches(path: str) -> bool:
        full = os.path.abspath(path)
        start = len(root.rstrip("/")) + 1
        if not full.startswith(root.rstrip("/") + "/"):
            return False
        ends = [index for index in range(start, len(full)) if full[index] == "/"]
        return any(below.ignores(full[:end], is_folder=True) for end in ends) or bool(
            below.ignores(full, is_folder=path.endswith("/"))
        )

    return matches

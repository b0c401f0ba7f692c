"""The files of a tree on the disk, by their path from its root: never one outside of it, symbolic links or not."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from recipelint.discovery.reading import UnreadableFile, read
from recipelint.source import SourceFile


def reader(root: str) -> Callable[[str], SourceFile | None]:
    """Opens files below ROOT, a real path; None for one that is not there, leads outside, or is no text."""

    def open_(place: str) -> SourceFile | None:
        if "\0" in place:
            return None
        real = os.path.realpath(os.path.join(root, place))
        if not real.startswith(root.rstrip(os.sep) + os.sep) or not os.path.isfile(real):
            return None
        try:
            return SourceFile(os.path.relpath(real), read(real))
        except (OSError, UnreadableFile):
            return None

    return open_


def enclosing(folder: str) -> str:
    """The git repository around a folder; without one, the working directory if it is around it, else the folder.

    A repository to which a symbolic link leads out of another one is not around what is behind that link.
    """
    found = ""
    at = folder
    while True:
        if os.path.exists(os.path.join(at, ".git")) and not (found and _within(found, at)):
            found = at
        parent = os.path.dirname(at)
        if parent == at:
            break
        at = parent
    if found:
        return found
    here = os.path.realpath(os.getcwd())
    return here if folder == here or folder.startswith(here + os.sep) else folder


def _within(folder: str, root: str) -> bool:
    """Whether a folder is really inside ROOT."""
    return os.path.realpath(folder).startswith(os.path.realpath(root).rstrip(os.sep) + os.sep)


def around(paths: Sequence[str], stdin_filename: str) -> str:
    """The git repository around all the PATHS of a run, as `enclosing` has it; for standard input, around its name."""
    folders = []
    for path in paths or (".",):
        real = os.path.realpath(stdin_filename if path == "-" else path)
        folders.append(real if os.path.isdir(real) else os.path.dirname(real))
    return enclosing(os.path.commonpath(folders))

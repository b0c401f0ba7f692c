"""The files of a tree on the disk, by their path from its root: never one outside of it, symbolic links or not."""

from __future__ import annotations

import os
from collections.abc import Callable

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

"""Opens what is a file: a FIFO in its place holds nobody up, and a device, which may have no end, is not read."""

from __future__ import annotations

import os
import stat
from typing import BinaryIO

KINDS = {
    stat.S_IFDIR: "is a folder",
    stat.S_IFIFO: "is a FIFO, not a file",
    stat.S_IFSOCK: "is a socket, not a file",
    stat.S_IFCHR: "is a device, not a file",
    stat.S_IFBLK: "is a device, not a file",
}


class NotAFile(Exception):
    """Something else than a regular file; the text says what."""


def opened(path: str) -> BinaryIO:
    """A regular file to read, by whatever links. Raises NotAFile or OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise NotAFile(kind(mode))
    return open(descriptor, "rb")


def kind(mode: int) -> str:
    """What a thing that is no regular file is."""
    return KINDS.get(stat.S_IFMT(mode), "is not a file")

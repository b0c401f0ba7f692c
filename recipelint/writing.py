"""Puts fixed files in place of the old ones: whole or not at all, never elsewhere, never over what has changed.

A reader sees the old file or the new one. A temporary file is left behind by nothing that this process can notice.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from recipelint.outcome import Change

PERMISSIONS = 0o777
"""What is kept of a mode: set-user-ID and its kind would lend the file's rights to whoever wrote the fix."""


class Refused(Exception):
    """A file that may not be written."""


def replace_file(change: Change, root: str) -> None:
    """Put the new content in place of the old one, with its mode and, as far as this user may, its owner.

    ROOT is the tree that the path seems to be in: a folder on the way that leads out of it is not followed.
    Raises Refused or OSError.
    """
    path = change.path
    if os.path.islink(path):
        raise Refused("not written: it is a symbolic link")
    if not os.path.realpath(path).startswith(os.path.realpath(root).rstrip(os.sep) + os.sep):
        raise Refused("not written: it is reached through a folder that leads elsewhere")
    with open(path, "rb") as stream:
        found = os.fstat(stream.fileno())
        if stream.read() != change.before:
            raise Refused("not written: it has changed meanwhile")
    if found.st_nlink > 1:
        raise Refused("not written: it has another name (a hard link), which would keep the old text")
    with _beside(path, change.after, found.st_mode & PERMISSIONS, (found.st_uid, found.st_gid)) as temporary:
        os.replace(temporary, path)


def create_file(path: str, data: bytes) -> None:
    """Make a file where nothing is. Raises Refused or OSError."""
    os.umask(mask := os.umask(0o077))
    with _beside(path, data, 0o666 & ~mask, (os.geteuid(), os.getegid())) as temporary:
        try:
            os.link(temporary, path)
        except FileExistsError as error:
            raise Refused("not written: there is something") from error


@contextmanager
def _beside(path: str, data: bytes, mode: int, owner: tuple[int, int]) -> Iterator[str]:
    """A whole file in the folder of PATH, to be given its name; it is gone afterwards."""
    import tempfile

    temporary = ""
    try:
        descriptor, temporary = tempfile.mkstemp(dir=os.path.dirname(path) or ".", prefix=".recipelint-")
        with open(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            if owner != (os.geteuid(), os.getegid()):
                os.fchown(stream.fileno(), *owner)
            os.fchmod(stream.fileno(), mode)
            os.fsync(stream.fileno())
        yield temporary
    finally:
        if temporary:
            with suppress(FileNotFoundError):
                os.unlink(temporary)


@contextmanager
def stoppable() -> Iterator[None]:
    """Inside, a SIGTERM ends the process as Ctrl-C does, so that a file under way is cleaned up."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, stop)
    except ValueError:  # not in the main thread: the caller's affair
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)

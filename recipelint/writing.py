"""Puts fixed files and reports in place: whole or not at all, never elsewhere, no fix over what has changed.

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

NEW = 0o666
"""The mode of a new file, before what this process takes away."""


class Refused(Exception):
    """A file that may not be written."""


def replace_file(change: Change, root: str) -> None:
    """Put the new content in place of the old one, with its mode and, as far as this user may, its owner.

    ROOT is the tree that the path seems to be in: a folder on the way that leads out of it is not followed.
    Raises Refused or OSError.
    """
    path = change.path
    _check_way(path, root)
    with open(path, "rb") as stream:
        found = os.fstat(stream.fileno())
        if stream.read() != change.before:
            raise Refused("not written: it has changed meanwhile")
    if found.st_nlink > 1:
        raise Refused("not written: it has another name (a hard link), which would keep the old text")
    _put(path, change.after, found)


def write_report(path: str, data: bytes, root: str) -> None:
    """Put a report in its place, over an older one or anew; one that is there keeps its mode and owner.

    As with a fix, no symbolic link is written through, and no folder followed that leads out of ROOT. Raises Refused
    or OSError.
    """
    _check_way(path, root)
    try:
        _put(path, data, os.stat(path))
    except FileNotFoundError:
        _put(path, data, None)


def create_file(path: str, data: bytes, root: str) -> None:
    """Make a file where nothing is; as with a fix, no folder is followed that leads out of ROOT.

    Raises Refused or OSError.
    """
    _check_way(path, root)
    with _beside(path, data, None) as temporary:
        try:
            os.link(temporary, path)
        except FileExistsError as error:
            raise Refused("not written: there is something") from error


def _put(path: str, data: bytes, like: os.stat_result | None) -> None:
    with _beside(path, data, like) as temporary:
        os.replace(temporary, path)


@contextmanager
def _beside(path: str, data: bytes, like: os.stat_result | None) -> Iterator[str]:
    """A whole file in the folder of PATH, to be given its name; it is gone afterwards.

    It has the mode and the owner of LIKE, else those of a new file.
    """
    import tempfile

    temporary = ""
    try:
        descriptor, temporary = tempfile.mkstemp(dir=os.path.dirname(path) or ".", prefix=".recipelint-")
        with open(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            if like is None:
                os.fchmod(stream.fileno(), NEW & ~_umask())
            else:
                if (like.st_uid, like.st_gid) != (os.geteuid(), os.getegid()):
                    os.fchown(stream.fileno(), like.st_uid, like.st_gid)
                os.fchmod(stream.fileno(), like.st_mode & PERMISSIONS)
            os.fsync(stream.fileno())
        yield temporary
    finally:
        if temporary:
            with suppress(FileNotFoundError):
                os.unlink(temporary)


def _check_way(path: str, root: str) -> None:
    """Raises Refused where a path is a symbolic link, or leads out of the tree that it seems to be in."""
    if os.path.islink(path):
        raise Refused("not written: it is a symbolic link")
    if not os.path.realpath(path).startswith(os.path.realpath(root).rstrip(os.sep) + os.sep):
        raise Refused("not written: it is reached through a folder that leads elsewhere")


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


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

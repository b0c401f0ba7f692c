"""Puts fixed files and reports in place: whole or not at all, never elsewhere, no fix over what has changed.

A reader sees the old file or the new one. A temporary file is left behind by nothing that this process can notice.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from recipelint.alone import Taken, alone
from recipelint.outcome import Change
from recipelint.regular import NotAFile, opened

PERMISSIONS = 0o777
"""What is kept of a mode: set-user-ID and its kind would lend the file's rights to whoever wrote the fix."""

NEW = 0o666
"""The mode of a new file, before what this process takes away."""


class Refused(Exception):
    """A file that may not be written; PATH says which."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"not written: {reason}")
        self.path = path


class Overtaken(Refused):
    """A file that is no longer what it was when its fix was made."""


def replace_file(change: Change, root: str) -> None:
    """Put the new content in place of the old one; see `replace_files`."""
    replace_files([change], lambda _: root)


def replace_files(changes: Sequence[Change], root_of: Callable[[str], str]) -> None:
    """Put the new contents of files that belong together in place of the old ones: all of them, or none.

    Each keeps its mode and, as far as this user may, its owner. ROOT_OF gives the tree that a path seems to be in: a
    folder on the way that leads out of it is not followed. What is already as it is to be is left alone. Raises
    Refused or OSError.
    """
    with ExitStack() as made:
        like = {change.path: found for change in changes if (found := _old(change, root_of(change.path)))}
        pending = [change for change in changes if change.path in like]
        new, old = {}, {}
        for change in pending:
            new[change.path] = made.enter_context(_beside(change.path, change.after, like[change.path]))
            if len(pending) > 1:
                old[change.path] = made.enter_context(_beside(change.path, change.before, like[change.path]))
        try:
            made.enter_context(alone(os.path.dirname(change.path) or "." for change in pending))
        except Taken as error:
            raise Refused(pending[0].path, "another program keeps its folder locked") from error
        # Again: until here, others could have written them.
        pending = [change for change in pending if _old(change, root_of(change.path))]
        done: list[str] = []
        for change in pending:
            try:
                os.replace(new[change.path], change.path)
            except OSError:
                for path in done:
                    os.replace(old[path], path)
                raise
            done.append(change.path)


def _old(change: Change, root: str) -> os.stat_result | None:
    """What a file is that is as it was; None if it is already as it is to be. Raises Refused or OSError."""
    path = change.path
    _check_way(path, root)
    try:
        with opened(path) as stream:
            found = os.fstat(stream.fileno())
            data = stream.read(max(len(change.before), len(change.after)) + 1)
    except NotAFile as error:
        raise Refused(path, f"it {error}") from error
    if data == change.after:
        return None
    if data != change.before:
        raise Overtaken(path, "it has changed meanwhile")
    if found.st_nlink > 1:
        raise Refused(path, "it has another name (a hard link), which would keep the old text")
    return found


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
            raise Refused(path, "there is something") from error


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
        raise Refused(path, "it is a symbolic link")
    if not os.path.realpath(path).startswith(os.path.realpath(root).rstrip(os.sep) + os.sep):
        raise Refused(path, "it is reached through a folder that leads elsewhere")


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask

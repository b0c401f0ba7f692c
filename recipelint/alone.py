"""Keeps runs apart: of all recipelint processes, one at a time looks at the files of a folder and puts new ones there.

Nothing is written in the tree: the folder itself is what is locked. Where that is not possible, as on NFS, it is a file
among the user's temporary ones, which keeps only the runs of one machine apart.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager

PATIENCE, STEP = 10.0, 0.005
"""Seconds that another run may take at most for what takes milliseconds, and between two looks."""


class Taken(Exception):
    """Another program keeps a folder locked."""


@contextmanager
def alone(folders: Iterable[str]) -> Iterator[None]:
    """Inside, no other run is where this one is. Raises Taken, or OSError for a folder that is not there."""
    try:
        import fcntl  # noqa: F401
    except ImportError:  # not on POSIX
        yield
        return
    with ExitStack() as held:
        for folder in sorted({os.path.realpath(folder) for folder in folders}):  # in one order, or two runs hang
            try:
                descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            except PermissionError:  # it may be written to, but not listed
                _instead(folder, held)
                continue
            held.callback(os.close, descriptor)
            if not _locked(descriptor):
                _instead(folder, held)
        yield


def _locked(descriptor: int) -> bool:
    """Wait for a lock, until the descriptor is closed; False where the file system has none. Raises Taken."""
    import fcntl
    import time

    until = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError as error:
            if time.monotonic() > until:
                raise Taken from error
        except OSError:  # NFS locks only what is open for writing, and others nothing at all
            return False
        time.sleep(STEP)


def _instead(folder: str, held: ExitStack) -> None:
    """Lock a file that stands for a folder; without one, where there is no such place, this run is merely quick.

    Others may write among temporary files too: what is there by the name and is somebody else's holds nobody up.
    """
    import stat
    import tempfile

    found = os.stat(folder)
    name = f"recipelint-{os.getuid()}-{found.st_dev:x}-{found.st_ino:x}.lock"
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(os.path.join(tempfile.gettempdir(), name), flags, 0o600)
    except OSError:
        return
    held.callback(os.close, descriptor)
    made = os.fstat(descriptor)
    if stat.S_ISREG(made.st_mode) and made.st_uid == os.getuid():
        _locked(descriptor)

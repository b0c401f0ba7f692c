"""What a process that reads hostile input does beside reading it: an audit hook sees each attempt, before it happens.

Inside, no process may be started, no socket made, no code of the input run, and nothing written but in given folders.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

STARTS = frozenset("subprocess.Popen os.system os.exec os.posix_spawn os.spawn os.fork os.forkpty pty.spawn".split())
REACHES = ("socket.", "urllib.", "ftplib.", "http.", "smtplib.", "ctypes.", "webbrowser.")
CHANGES = {
    "os.rename": 2,
    "os.link": 2,
    "os.symlink": 2,
    "os.remove": 1,
    "os.rmdir": 1,
    "os.mkdir": 1,
    "os.truncate": 1,
    "os.chmod": 1,
    "os.chown": 1,
    "os.utime": 1,
    "os.setxattr": 1,
    "tempfile.mkstemp": 1,
    "tempfile.mkdtemp": 1,
    "shutil.rmtree": 1,
    "shutil.move": 2,
    "shutil.copyfile": 2,
}
"""Events that change files, and how many of their first arguments are paths."""
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

_folders: list[str] = []
_seen: list[str] = []
_hooked = False


@contextmanager
def jailed(folders: Sequence[str]) -> Iterator[list[str]]:
    """What happens inside that may not happen; an attempt to start something fails, too."""
    global _hooked
    if not _hooked:  # an audit hook cannot be taken away again
        sys.addaudithook(_hook)
        _hooked = True
    _seen.clear()
    _folders[:] = [os.path.realpath(folder) for folder in folders]
    try:
        yield _seen
    finally:
        _folders.clear()


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if not _folders:
        return
    if event in STARTS or event.startswith(REACHES):
        _seen.append(f"{event}: {arguments!r}"[:300])
        raise PermissionError(event)
    if event == "open":
        path, mode, flags = arguments
        if not isinstance(path, int) and (_writing(mode) or (isinstance(flags, int) and flags & WRITES)):
            _path(event, path)
    elif event in CHANGES:
        for path in arguments[: CHANGES[event]]:
            _path(event, path)
    elif event == "import" and isinstance(arguments[1], str) and _inside(os.path.realpath(arguments[1])):
        _seen.append(f"import: {arguments[1]}")


def _writing(mode: object) -> bool:
    return isinstance(mode, str) and any(letter in mode for letter in "wax+")


def _path(event: str, path: object) -> None:
    if isinstance(path, int):  # a descriptor of a file that was opened
        return
    name = os.fsdecode(path) if isinstance(path, str | bytes | os.PathLike) else repr(path)
    real = os.path.join(os.path.realpath(os.path.dirname(name) or "."), os.path.basename(name))
    if not _inside(real) and real != os.devnull:
        _seen.append(f"{event}: {name!r}")


def _inside(real: str) -> bool:
    return any(real == folder or real.startswith(folder + os.sep) for folder in _folders)

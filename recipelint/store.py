"""What a run worked out, kept on the disk for the next one: small values of JSON by name, in one folder.

An entry is taken only if it carries the seal of this user for that very name: what is damaged, half written, or put
there by somebody else is as if it were not there. Nothing here fails: where the folder cannot be used, nothing is kept.
"""

from __future__ import annotations

import os
import stat
import sys
from typing import Any

try:
    from _blake2 import blake2b  # what hashlib has, without loading OpenSSL
except ImportError:  # pragma: no cover
    from hashlib import blake2b

KEY, SWEPT, SUFFIX = "key", "swept", ".entry"
SIZE_CAP = 64 << 20
"""Bytes of an entry."""
DAY = 86_400
KEPT = 14 * DAY
"""Seconds after which an entry that nobody asked for goes."""


def digest(*parts: bytes) -> str:
    """A name for some bytes; the parts are told apart."""
    made = blake2b(digest_size=20)
    for part in parts:
        made.update(b"%d:" % len(part))
        made.update(part)
    return made.hexdigest()


def user_folder() -> str:
    """Where the caches of this user are; empty if nobody knows."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(given):
        return os.path.join(given, "recipelint")
    home = os.environ.get("HOME", "")
    inside = "Library/Caches" if sys.platform == "darwin" else ".cache"
    return os.path.join(home, inside, "recipelint") if os.path.isabs(home) else ""


class Store:
    """The entries of a FOLDER, sealed with a secret that lies in the folder KEPT_IN: one of the user's own."""

    def __init__(self, folder: str, kept_in: str) -> None:
        self.folder = os.path.realpath(folder)
        self.secret = secret(os.path.realpath(kept_in)) if prepared(folder) and prepared(kept_in) else b""
        if self.secret:
            self.sweep()

    def __bool__(self) -> bool:
        return bool(self.secret)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name + SUFFIX)

    def seal(self, name: str, data: bytes) -> bytes:
        return blake2b(name.encode() + b"\0" + data, key=self.secret, digest_size=20).hexdigest().encode()

    def get(self, name: str) -> Any:
        """The value of a name; None if there is none that can be trusted."""
        if not self.secret:
            return None
        try:
            descriptor = os.open(self.path(name), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
            with open(descriptor, "rb") as file:
                state = os.fstat(descriptor)
                if not stat.S_ISREG(state.st_mode) or state.st_size > SIZE_CAP:
                    return None
                seal, _, data = file.read(SIZE_CAP + 1).partition(b"\n")
            if seal != self.seal(name, data):
                return None
            from json import loads

            value = loads(data)
            if now() - state.st_mtime > DAY:
                os.utime(self.path(name))
        except (OSError, ValueError, RecursionError):
            return None
        return value

    def put(self, name: str, value: Any) -> None:
        """Keep a value; who reads at the same time sees the old one or the new one. After a failure nothing is kept."""
        if not self.secret:
            return
        from json import dumps

        temporary = f"{self.path(name)}.{os.getpid()}"
        try:
            data = dumps(value, separators=(",", ":")).encode("ascii")
            if len(data) > SIZE_CAP - 100:
                return
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            try:
                with open(descriptor, "wb") as file:
                    file.write(self.seal(name, data) + b"\n" + data)
                os.replace(temporary, self.path(name))
            except BaseException:
                os.unlink(temporary)
                raise
        except FileExistsError:  # left behind by a run that was killed, and had the same number
            return
        except (OSError, ValueError, RecursionError):
            self.secret = b""

    def sweep(self) -> None:
        """Once a day: take away what nobody asked for in a long time."""
        marker = os.path.join(self.folder, SWEPT)
        try:
            if now() - os.lstat(marker).st_mtime < DAY:
                return
            os.utime(marker, follow_symlinks=False)
            for entry in os.scandir(self.folder):
                if SUFFIX in entry.name and now() - entry.stat(follow_symlinks=False).st_mtime > KEPT:
                    os.unlink(entry.path)
        except FileNotFoundError:
            created(marker, b"")
        except OSError:
            return


def now() -> float:
    from time import time

    return time()


def prepared(folder: str) -> bool:
    """Whether a folder is there and can be written to; it is made, and told from what is worth a backup."""
    try:
        if not os.path.isdir(folder):
            os.makedirs(folder, mode=0o700, exist_ok=True)
            created(os.path.join(folder, "CACHEDIR.TAG"), b"Signature: 8a477f597d28d172789f06886806bc55\n")
            created(os.path.join(folder, ".gitignore"), b"*\n")
    except (OSError, ValueError):
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def created(path: str, data: bytes) -> None:
    """Write a file that is not there yet."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError:
        return
    with open(descriptor, "wb") as file:
        file.write(data)


def secret(folder: str) -> bytes:
    """The secret that lies in a folder, made if need be; empty if it is not this user's alone."""
    path = os.path.join(folder, KEY)
    try:
        if not os.path.lexists(path):
            created(path, os.urandom(32))
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        with open(descriptor, "rb") as file:
            state = os.fstat(descriptor)
            ours = stat.S_ISREG(state.st_mode) and state.st_uid == os.geteuid() and not state.st_mode & 0o077
            found = file.read(33) if ours else b""
    except OSError:
        return b""
    return found if len(found) == 32 else b""

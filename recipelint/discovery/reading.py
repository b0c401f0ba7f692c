"""The bytes of a file, if it is one that a shell could run: regular, not huge, not binary."""

from __future__ import annotations

import codecs
import os

from recipelint.regular import NotAFile, opened

SIZE_CAP = 2 * 1024 * 1024
BINARY_HEAD = 8 * 1024
SHEBANG_HEAD = 128
_SHELLS = (b"sh", b"bash")
_WIDE = (
    (codecs.BOM_UTF32_LE, "UTF-32"),  # begins as UTF-16 does
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


class UnreadableFile(Exception):
    """A file that is no text of a bearable size; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read(path: str, cap: int = SIZE_CAP) -> bytes:
    """The bytes of a file, at most CAP; raises UnreadableFile or OSError. A FIFO cannot hold us up."""
    try:
        with opened(path) as stream:
            return accept(stream.read(cap + 1), cap)
    except NotAFile as error:
        raise UnreadableFile(str(error)) from error


def accept(data: bytes, cap: int = SIZE_CAP) -> bytes:
    """DATA, if it is text of a bearable size; raises UnreadableFile."""
    if len(data) > cap:
        raise UnreadableFile(f"is larger than {cap // (1024 * 1024)} MiB")
    if b"\0" in data[:BINARY_HEAD]:
        wide = next((name for mark, name in _WIDE if data.startswith(mark)), "")
        raise UnreadableFile(f"is {wide}; save it as UTF-8" if wide else "is binary")
    return data


def has_shell_shebang(path: str, *, follow: bool = False) -> bool:
    """Whether a regular file starts as a script of sh or bash; one that cannot be read does not.

    A symbolic link is followed only if FOLLOW says so.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW))
    except OSError:
        return False
    try:
        return is_shell_shebang(os.read(descriptor, SHEBANG_HEAD))
    except OSError:
        return False
    finally:
        os.close(descriptor)


def is_shell_shebang(head: bytes) -> bool:
    """Whether the first bytes of a file name sh or bash: `#!/bin/bash -l`, `#!/usr/bin/env -S bash -e`."""
    if not head.startswith(b"#!"):
        return False
    words = head[2:].split(b"\n", 1)[0].split()
    names = [word.rpartition(b"/")[2] for word in words]
    if names[:1] == [b"env"]:
        names = [
            name for word, name in zip(words, names, strict=True) if not word.startswith(b"-") and b"=" not in word
        ]
        names = names[1:]
    return bool(names) and names[0] in _SHELLS

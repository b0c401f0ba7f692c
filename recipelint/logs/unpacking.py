"""Logs as they come, unpacked if they are gzipped, and no further than the packed log is worth: a few bytes may unpack
to terabytes.
"""

from __future__ import annotations

from typing import BinaryIO

GZIP = b"\x1f\x8b"
LEAST, RATIO, MOST = 64 << 20, 64, 2 << 30
"""Bytes that are unpacked: LEAST and RATIO for each that is packed, at most MOST."""


class Counted:
    """A file, and how many bytes were taken from it."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.taken = 0

    def read(self, size: int = -1) -> bytes:
        data = self.file.read(size)
        self.taken += len(data)
        return data


class Unpacked:
    """What a gzipped file holds, up to a bound; `partial` says so once it is reached."""

    def __init__(self, file: BinaryIO) -> None:
        import gzip

        self.packed = Counted(file)
        self.file = gzip.GzipFile(fileobj=self.packed)  # type: ignore[call-overload]
        self.given = 0
        self.partial = ""

    def read(self, size: int) -> bytes:
        left = min(MOST, LEAST + RATIO * self.packed.taken) - self.given
        if self.partial or left <= 0:
            if not self.partial and self.file.peek(1):
                self.partial = self.said()
            return b""
        data: bytes = self.file.read(min(size, left))
        self.given += len(data)
        return data

    def said(self) -> str:
        return f"only the first {self.given >> 20} MiB were read: it unpacks to much more than what is packed"


class AsItIs:
    """A file that is not packed."""

    partial = ""

    def __init__(self, file: BinaryIO) -> None:
        self.read = file.read


def opened(file: BinaryIO) -> Unpacked | AsItIs:
    """The log in a file."""
    peek = getattr(file, "peek", None)
    return AsItIs(file) if peek is None or peek(2)[:2] != GZIP else Unpacked(file)

"""The lines of a log that may matter, in one pass: whole stretches without any of the wanted words are skipped.

Memory is bounded by the size of a chunk, and time is linear: each chunk is searched for each word once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

CHUNK = 1 << 20
LONGEST = 1 << 14
"""Bytes of a line that are looked at."""


class Line(NamedTuple):
    """A line by its 1-based number, without its end; several where carriage returns part it."""

    number: int
    text: str


def wanted(
    read: Callable[[int], bytes], needles: Callable[[], Sequence[bytes]], every: Callable[[], bool]
) -> Iterator[Line]:
    """The lines that hold one of NEEDLES; while EVERY says so, each line. Both are asked again as the log is read.

    A carriage return ends a line as a line feed does, as progress bars use it; only a line feed counts. Empty lines are
    left out.
    """
    number, carry, last = 1, b"", False
    while not last:
        chunk = read(CHUNK)
        last = not chunk
        data = carry + chunk
        end = len(data) if last else max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
        segment, carry = data[:end], data[end:]
        if len(carry) > CHUNK:
            carry = carry[:LONGEST]
        words = needles()
        if not every() and not any(word in segment for word in words):
            number += segment.count(b"\n")
            continue
        for at, line in enumerate(segment.split(b"\n")):
            if every() or any(word in line for word in words):
                for piece in filter(None, line.split(b"\r")):
                    if every() or any(word in piece for word in words):
                        yield Line(number + at, piece[:LONGEST].decode("utf-8", "replace"))
        number += segment.count(b"\n")

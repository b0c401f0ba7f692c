"""The lines of a log that may matter, in one pass: whole stretches without any of the wanted words are skipped.

Memory is bounded by the size of a chunk, and time is linear: each chunk is searched for each word once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

CHUNK = 1 << 20
LONGEST = 1 << 14
"""Bytes of a line that are looked at."""
_EMPTY = re.compile(rb"\n*")


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
        flat = segment.replace(b"\r", b"\n")
        places: dict[bytes, int] = {}
        at = 0
        while True:
            start = _EMPTY.match(flat, at).end() if every() else found(flat, needles(), places, at)  # type: ignore[union-attr]
            if start >= len(flat):
                break
            number += segment.count(b"\n", at, start)
            end = flat.find(b"\n", start)
            end = len(flat) if end < 0 else end
            yield Line(number, segment[start : min(end, start + LONGEST)].decode("utf-8", "replace"))
            at = end
        number += segment.count(b"\n", at)


def found(text: bytes, words: Sequence[bytes], places: dict[bytes, int], at: int) -> int:
    """Where the next line starts, from AT on, that has one of WORDS; the end of TEXT where none has.

    PLACES keeps where each word was found last, so that no stretch is searched for it twice.
    """
    for word in words:
        if places.get(word, -1) < at:
            place = text.find(word, at)
            places[word] = len(text) if place < 0 else place
    place = min((places[word] for word in words), default=len(text))
    return place if place == len(text) else text.rfind(b"\n", 0, place) + 1

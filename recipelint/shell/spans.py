"""Which of many spans lie around a place: those that start before it, as long as one of them may still reach it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate

Spanned = tuple[int, int]
"""A half-open stretch of a text."""


class Spans:
    """Spans that may nest. Asking costs a search, and a step for each span around or just before the place."""

    def __init__(self, spans: Sequence[Spanned]) -> None:
        self._spans = sorted(spans)
        self._starts = [start for start, _ in self._spans]
        self._reach = list(accumulate((end for _, end in self._spans), max))

    def touching(self, start: int, end: int) -> Iterator[Spanned]:
        """The spans that share a place with [start, end), the last to start first."""
        at = bisect_left(self._starts, end) - 1
        while at >= 0 and self._reach[at] > start:
            if self._spans[at][1] > start:
                yield self._spans[at]
            at -= 1

    def around(self, at: int) -> Iterator[Spanned]:
        """The spans with AT strictly inside."""
        return (span for span in self.touching(at, at + 1) if span[0] < at)

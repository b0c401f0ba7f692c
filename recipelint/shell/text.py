"""Text that knows where each of its characters comes from.

The characters of a launcher are its bytes (latin-1), so an index is a byte offset. A character above 0xFF is
no text: it stands for one piece that cannot be known, and is looked up in `unknown.Unknowns`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate

from recipelint.record import NamedTuple
from recipelint.source import Location, SourceFile, Span

LITERAL = "literal"
DEFAULT = "default"
ASSIGNED = "assigned"
ENVIRONMENT = "environment"
LOOP = "loop"
ARGUMENT = "argument"


class TextTooLarge(Exception):
    """A value would be longer than MAX_LENGTH."""


class Origin(NamedTuple):
    """The source text that decides a run of characters.

    kind   literal, default (of a `${V:-d}`), assigned, environment (--env), loop (a `for` word), argument (--arg)
    knob   the environment variable that would put another text in its place, if any
    A run of n characters with an origin n bytes long maps to it byte by byte.
    """

    source: SourceFile | None
    start: int
    end: int
    kind: str = LITERAL
    knob: str | None = None

    @property
    def location(self) -> Location | None:
        """The place in the file; None where no file decides the text."""
        return Location(self.source, Span(self.start, self.end)) if self.source else None


MAX_LENGTH = 1 << 20
"""Characters in one value; no launcher comes near it."""
NOWHERE = Origin(None, 0, 0)
"""The origin of text that no place in a file decides, such as a computed number."""

Run = tuple[int, Origin]


class Text:
    """A string with the origin of each run of its characters.

    The runs cover the string; a run of no characters is the place of an empty value.
    """

    __slots__ = ("_starts", "runs", "s")

    def __init__(self, s: str, runs: tuple[Run, ...]) -> None:
        self.s = s
        self.runs = runs
        self._starts: list[int] | None = None

    @property
    def starts(self) -> list[int]:
        """The index at which each run starts."""
        if self._starts is None:
            self._starts = [0, *accumulate(n for n, _ in self.runs)][: len(self.runs)]
        return self._starts

    @classmethod
    def of(cls, s: str, origin: Origin = NOWHERE) -> Text:
        """A text with one origin."""
        return cls(s, ((len(s), origin),))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Text) and self.s == other.s and self.runs == other.runs)

    def __hash__(self) -> int:
        return hash(self.s)

    def __repr__(self) -> str:
        return f"Text({self.s!r})"

    @property
    def known(self) -> bool:
        """Whether no piece of it is unknown."""
        return self.s.isascii() or max(self.s) <= "\xff"

    def slice(self, start: int, end: int) -> Text:
        """The characters [start, end), with the origins narrowed to them."""
        if start <= 0 and end >= len(self.s):
            return self
        if len(self.runs) == 1:
            origin = self.runs[0][1]
            exact = origin.end - origin.start == len(self.s)
            return Text(self.s[start:end], ((end - start, narrowed(origin, start, end) if exact else origin),))
        return Text(self.s[start:end], self.slice_runs(start, end))

    def slice_runs(self, start: int, end: int) -> tuple[Run, ...]:
        """The runs of the characters [start, end); a run that is not exact keeps its whole origin."""
        starts, runs = self.starts, self.runs
        if start >= end:
            first, last = bisect_left(starts, start), bisect_right(starts, start)
            return tuple(run for run in runs[first:last] if run[0] == 0)
        first, last = bisect_right(starts, start) - 1, bisect_left(starts, end) - 1
        n, origin = runs[first]
        at = starts[first]
        if first == last:
            if end - start != n and origin.end - origin.start == n:
                origin = narrowed(origin, start - at, end - at)
            return ((end - start, origin),)
        if start > at:
            if origin.end - origin.start == n:
                origin = narrowed(origin, start - at, n)
            n -= start - at
        head = (n, origin)
        n, origin = runs[last]
        if end - starts[last] < n:
            if origin.end - origin.start == n:
                origin = narrowed(origin, 0, end - starts[last])
            n = end - starts[last]
        return (head, *runs[first + 1 : last], (n, origin))

    def with_runs(self, s: str) -> Text:
        """Another text of the same origin, as after `${V,,}`: exact where the length stays the same."""
        if len(s) == len(self.s):
            return Text(s, self.runs)
        sources = {id(o.source) for n, o in self.runs if n}
        if len(sources) != 1:
            return Text.of(s)
        origins = [o for n, o in self.runs if n]
        span = origins[0]._replace(start=min(o.start for o in origins), end=max(o.end for o in origins))
        return Text.of(s, span)

    def replace_kind(self, kind: str) -> Text:
        """The same text, its literal runs of another kind."""
        if all(o.kind != LITERAL for _, o in self.runs):
            return self
        runs = tuple(
            (n, Origin(o.source, o.start, o.end, kind, o.knob) if o.kind == LITERAL else o) for n, o in self.runs
        )
        return Text(self.s, runs)

    def as_default(self, knob: str | None) -> Text:
        """The same text as a default that KNOB overrides."""
        runs = tuple(
            (n, Origin(o.source, o.start, o.end, DEFAULT if o.kind in (LITERAL, ASSIGNED) else o.kind, knob or o.knob))
            for n, o in self.runs
        )
        return Text(self.s, runs)

    @property
    def origin(self) -> Origin | None:
        """The one stretch of source that decides the whole text; None if there are several, or none."""
        runs = [run for run in self.runs if run[0]] or [run for run in self.runs if run[1].source][:1]
        if not runs or (runs[0][1].source is None and runs[0][1].kind == LITERAL):
            return None
        first, last = runs[0][1], runs[-1][1]
        at = first.start
        for n, origin in runs:
            if origin.source is not first.source or origin.start != at or origin.kind != first.kind:
                return None
            if origin.end - origin.start != n and len(runs) > 1:
                return None
            at = origin.end
        return first._replace(end=last.end) if len(runs) > 1 else first

    @property
    def first_origin(self) -> Origin | None:
        """Where its first character that has a place comes from."""
        placed = [(n, o) for n, o in self.runs if o.source]
        return next((o for n, o in placed if n), placed[0][1] if placed else None)


EMPTY = Text("", ())


def narrowed(origin: Origin, start: int, end: int) -> Origin:
    """The characters [start, end) of an exact origin."""
    return Origin(origin.source, origin.start + start, origin.start + end, origin.kind, origin.knob)


def join(pieces: Iterable[Text]) -> Text:
    """The pieces after each other."""
    parts = list(pieces)
    if len(parts) == 1:
        return parts[0]
    if sum(len(part.s) for part in parts) > MAX_LENGTH:
        raise TextTooLarge(f"a value of more than {MAX_LENGTH} characters")
    return Text("".join(p.s for p in parts), tuple(run for p in parts for run in p.runs))

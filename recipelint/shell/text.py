"""Text that knows where each of its characters comes from.

The characters of a launcher are its bytes (latin-1), so an index is a byte offset. A character above 0xFF is
no text: it stands for one piece that cannot be known, and is looked up in `unknown.Unknowns`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from recipelint.source import Location, SourceFile, Span

LITERAL, DEFAULT, ASSIGNED, ENVIRONMENT, LOOP, ARGUMENT = (
    "literal",
    "default",
    "assigned",
    "environment",
    "loop",
    "argument",
)


@dataclass(frozen=True, slots=True)
class Origin:
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
        return Location(self.source, Span(self.start, self.end)) if self.source else None


NOWHERE = Origin(None, 0, 0)
"""The origin of text that no place in a file decides, such as a computed number."""

Run = tuple[int, Origin]


class Text:
    """A string with the origin of each run of its characters: the runs cover it, and an empty run places an empty value."""

    __slots__ = ("runs", "s")

    def __init__(self, s: str, runs: tuple[Run, ...]) -> None:
        self.s = s
        self.runs = runs

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
        return not self.s or max(self.s) <= "\xff"

    def slice(self, start: int, end: int) -> Text:
        """The characters [start, end), with the origins narrowed to them."""
        if start <= 0 and end >= len(self.s):
            return self
        return Text(self.s[start:end], tuple(slice_runs(self.runs, start, end)))

    def with_runs(self, s: str) -> Text:
        """Another text of the same origin, as after `${V,,}`: exact where the length stays the same."""
        if len(s) == len(self.s):
            return Text(s, self.runs)
        sources = {id(o.source) for n, o in self.runs if n}
        if len(sources) != 1:
            return Text.of(s)
        origins = [o for n, o in self.runs if n]
        span = replace(origins[0], start=min(o.start for o in origins), end=max(o.end for o in origins))
        return Text.of(s, span)

    def replace_kind(self, kind: str) -> Text:
        """The same text, its literal runs of another kind."""
        return Text(self.s, tuple((n, replace(o, kind=kind) if o.kind == LITERAL else o) for n, o in self.runs))

    def as_default(self, knob: str | None) -> Text:
        """The same text as a default that KNOB overrides."""
        runs = tuple(
            (n, replace(o, kind=DEFAULT if o.kind in (LITERAL, ASSIGNED) else o.kind, knob=knob or o.knob))
            for n, o in self.runs
        )
        return Text(self.s, runs)

    @property
    def origin(self) -> Origin | None:
        """The one stretch of source that decides the whole text; None if there are several, or none."""
        runs = [run for run in self.runs if run[0]] or [run for run in self.runs if run[1].source][:1]
        if not runs or runs[0][1].source is None and runs[0][1].kind == LITERAL:
            return None
        first, last = runs[0][1], runs[-1][1]
        at = first.start
        for n, origin in runs:
            if origin.source is not first.source or origin.start != at or origin.kind != first.kind:
                return None
            if origin.end - origin.start != n and len(runs) > 1:
                return None
            at = origin.end
        return replace(first, end=last.end) if len(runs) > 1 else first

    @property
    def first_origin(self) -> Origin | None:
        """Where its first character that has a place comes from."""
        placed = [(n, o) for n, o in self.runs if o.source]
        return next((o for n, o in placed if n), placed[0][1] if placed else None)


EMPTY = Text("", ())


def slice_runs(runs: Iterable[Run], start: int, end: int) -> Iterator[Run]:
    """The runs of the characters [start, end); a run that is not exact keeps its whole origin."""
    at = 0
    for n, origin in runs:
        low, high = max(start, at), min(end, at + n)
        if low < high:
            if origin.end - origin.start == n and high - low != n:
                moved = origin.start + low - at
                yield high - low, replace(origin, start=moved, end=moved + high - low)
            else:
                yield high - low, origin
        elif n == 0 and start == end == at:
            yield 0, origin
        at += n
        if at > end:
            break


def join(pieces: Iterable[Text]) -> Text:
    """The pieces after each other."""
    parts = list(pieces)
    if len(parts) == 1:
        return parts[0]
    return Text("".join(p.s for p in parts), tuple(run for p in parts for run in p.runs))

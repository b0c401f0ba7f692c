"""A tree's reader that notes what is asked of it, so that what was worked out knows which files it hangs on.

A place where no file was found counts as one that was. What is kept and answers again is noted again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from recipelint.source import SourceFile

Reader = Callable[[str], SourceFile | None]
Key = TypeVar("Key")
Value = TypeVar("Value")


class Reads:
    """A reader; it may be called like the one that it is made of."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._notes: list[set[str]] = []

    @classmethod
    def of(cls, reader: Reader) -> Reads:
        """READER itself if it notes already."""
        return reader if isinstance(reader, cls) else cls(reader)

    def __call__(self, place: str) -> SourceFile | None:
        if self._notes:
            self._notes[-1].add(place)
        return self.reader(place)

    def again(self, places: Iterable[str]) -> None:
        """Note places that were asked for before, and on which an answer given now hangs."""
        if self._notes:
            self._notes[-1].update(places)

    @contextmanager
    def noting(self) -> Iterator[set[str]]:
        """A set that fills with the places that are asked for meanwhile."""
        note: set[str] = set()
        self._notes.append(note)
        try:
            yield note
        finally:
            self._notes.pop()
            self.again(note)


class Memo(Generic[Key, Value]):
    """What is worked out from files once for each key."""

    def __init__(self) -> None:
        self._known: dict[Key, tuple[Value, frozenset[str]]] = {}

    def of(self, key: Key, reads: Reads, work: Callable[[], Value]) -> Value:
        """The value of a key; WORK reads through READS, and through nothing else."""
        if key in self._known:
            value, places = self._known[key]
            reads.again(places)
            return value
        with reads.noting() as asked:
            value = work()
        self._known[key] = value, frozenset(asked)
        return value


class Held(Generic[Key, Value]):
    """What is worked out from files for each key, as long as each of them is the same."""

    def __init__(self) -> None:
        self._known: dict[Key, tuple[Value, dict[str, SourceFile | None]]] = {}

    def of(self, key: Key, reads: Reads, work: Callable[[], Value]) -> Value:
        """The value of a key; WORK reads through READS, and through nothing else."""
        if key in self._known:
            value, known = self._known[key]
            if all(reads(place) is source for place, source in known.items()):
                return value
        with reads.noting() as asked:
            value = work()
        self._known[key] = value, {place: reads.reader(place) for place in sorted(asked)}
        return value

"""Edits and fixes: byte offsets of the original, applied right to left, all or nothing."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from itertools import pairwise

from recipelint.record import NamedTuple


class Applicability(IntEnum):
    """Who may apply a fix: nobody (display), who asks for unsafe ones, or everybody (safe)."""

    DISPLAY = 0
    UNSAFE = 1
    SAFE = 2

    @property
    def word(self) -> str:
        return self.name.lower()


class OverlappingEdits(ValueError):
    """Two edits of one file touch the same bytes."""


class Edit(NamedTuple):
    """Replace the bytes [start, end) of a file."""

    path: str
    start: int
    end: int
    replacement: bytes


class WordChange(NamedTuple):
    """What a fix declares for a launch (`Launch.key`): its words [at, end) become others.

    unknown   which of the words hold a piece that cannot be known, shown as `${NAME}`
    """

    launch: tuple[object, ...]
    at: int
    end: int
    words: tuple[str, ...]
    unknown: frozenset[int] = frozenset()


class VariableChange(NamedTuple):
    """What a fix declares for a launch (`Launch.key`): a variable of its environment gets a value."""

    launch: tuple[object, ...]
    name: str
    value: str


class CodeChange(NamedTuple):
    """What a fix declares for a Python file: docstrings change, or a function comes in, or an import and a call of it.

    Without any, the file's syntax tree stays what it is.
    """

    path: str
    function: str = ""


class Fix(NamedTuple):
    """A change that cures a diagnostic: its edits are applied together or not at all.

    changes   what else than the settings of its rule it changes in a launch or a program; nothing else may
    """

    title: str
    applicability: Applicability
    edits: tuple[Edit, ...]
    changes: tuple[WordChange | VariableChange | CodeChange, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """The files it changes, sorted."""
        return tuple(sorted({edit.path for edit in self.edits}))

    def at_most(self, applicability: Applicability) -> Fix:
        """The fix, no safer than that."""
        return self._replace(applicability=min(self.applicability, applicability))


def touches(one: Edit, other: Edit) -> bool:
    """Whether two edits share a byte or meet at an edge, so that their order would matter."""
    return one.path == other.path and one.start <= other.end and other.start <= one.end


def apply(data: bytes, edits: Iterable[Edit]) -> bytes:
    """The bytes after the edits of one file; equal edits count once.

    Raises OverlappingEdits if two different ones share a byte, or insert at the same place.
    """
    ordered = sorted(set(edits))
    for left, right in pairwise(ordered):
        if right.start < left.end or right.start == left.start:
            raise OverlappingEdits(f"{left.path}: edits at bytes {left.start} and {right.start}")
    for edit in reversed(ordered):
        data = data[: edit.start] + edit.replacement + data[edit.end :]
    return data

"""What the expansions and assignments of one evaluation came to, each by its place in a file: for editors, which ask
of a place what it is. Nothing is noted unless a session is given one of these.
"""

from __future__ import annotations

from collections.abc import Sequence

from recipelint.record import NamedTuple
from recipelint.shell.nodes import Unit
from recipelint.shell.text import NOWHERE, Text
from recipelint.source import Location, SourceFile, Span

MOST = 16
"""Values that are kept of one place: a loop may have a thousand."""
Value = tuple[Text, ...]
"""What one place came to once; several texts for `"${A[@]}"`."""


class Sighting(NamedTuple):
    """A variable where it is used, or assigned: the values that it had there, in the order in which they came.

    more   there were others, which are not kept
    """

    name: str
    assigned: bool
    location: Location
    values: tuple[Value, ...]
    more: bool = False


class Sightings:
    """The places of one evaluation, each with what was seen there."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, bool, str, int, int], tuple[SourceFile, list[Value]]] = {}

    def note(self, unit: Unit, start: int, end: int, name: str, found: Text | Sequence[Text], assigned: bool) -> None:
        """Note what the characters [start, end) of a unit came to; those of no file are let go."""
        place = written(unit, start, end)
        if place is None:
            return
        key = (name, assigned, place.path, *place.span)
        _, values = self._seen.setdefault(key, (place.source, []))
        value = (found,) if isinstance(found, Text) else tuple(found)
        if len(values) <= MOST and value not in values:
            values.append(value)

    def all(self) -> list[Sighting]:
        """Everything that was seen, by place."""
        return sorted(
            (
                Sighting(name, assigned, Location(source, Span(start, end)), tuple(values[:MOST]), len(values) > MOST)
                for (name, assigned, _, start, end), (source, values) in self._seen.items()
            ),
            key=lambda one: one.location.key,
        )


def written(unit: Unit, start: int, end: int) -> Location | None:
    """Where the characters [start, end) of a unit are written: of a text that is run, the first stretch of one file."""
    if unit.source is not None:
        return Location(unit.source, Span(start, end))
    runs = [(n, origin) for n, origin in unit.text.slice(start, end).runs if n]
    first = runs[0][1] if runs else NOWHERE
    if first.source is None:
        return None
    at = first.start
    for n, origin in runs:
        # A character that the text around it escapes is two: `\$NODE` in double quotes.
        exact = origin.end - origin.start in (n, n + (n == 1))
        if origin.source is not first.source or not at <= origin.start <= at + 1 or not exact:
            break
        at = origin.end
    return Location(first.source, Span(first.start, at)) if at > first.start else None

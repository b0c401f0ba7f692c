"""What a repository says of a package: a requirement, and the place where it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from recipelint.record import NamedTuple
from recipelint.source import Location, SourceFile, Span

Reader = Callable[[str], "SourceFile | None"]
"""The file at a path inside the tree; None for one that is not there, or cannot be read."""

COMMIT, VERSION, RANGE, BRANCH, PLACE, CONFLICT = "commit", "version", "range", "branch", "place", "conflict"


class Pin(NamedTuple):
    """What a requirement asks for.

    kind   commit and version name one revision; range (none at all included), branch and place (a folder, a file,
           another index's name for it) may be any
    value  the commit, the version, or the text that says what else
    """

    kind: str
    value: str

    @property
    def exact(self) -> bool:
        return self.kind in (COMMIT, VERSION)


class Requirement(NamedTuple):
    """A pin, and the text that it was read from. `others` are less binding places that ask for something else."""

    pin: Pin
    location: Location
    others: tuple[Requirement, ...] = ()


class Package:
    """A package that rules ask about, as its file in `rules/packages/` has it."""

    def __init__(self, plain: Mapping[str, Any]) -> None:
        self.name: str = plain["name"]
        self.title: str = plain["title"]
        self.distribution: str = plain["distribution"]
        self.repository: str = plain["repository"]
        self.replaced_by: tuple[str, ...] = tuple(plain.get("replaced_by", ()))
        self.features: tuple[str, ...] = tuple(plain["features"])
        self.revisions: tuple[Mapping[str, Any], ...] = tuple(plain["revisions"])

    @property
    def word(self) -> bytes:
        """What any file that names it holds, in lower case."""
        return self.repository.rpartition("/")[2].lower().encode()

    def names(self, source: SourceFile) -> bool:
        """Whether a file may speak of it: cheap, and never wrongly False."""
        return self.word in source.data.lower()


def merged(found: list[Requirement]) -> Requirement | None:
    """The requirement of places that bind alike: the first, or that they do not agree."""
    if not found:
        return None
    first = found[0]
    if all(one.pin == first.pin for one in found):
        return first
    said = " or ".join(dict.fromkeys(one.pin.value for one in found))
    return Requirement(Pin(CONFLICT, said), first.location)


def located(source: SourceFile, text: str, after: int = 0) -> Location:
    """The place of a text in a file; its whole first line where it is not written like that."""
    data = text.encode("utf-8", "surrogateescape")
    at = source.data.find(data, after) if data else -1
    if at < 0 and after:
        at = source.data.find(data)
    return Location(source, Span(at, at + len(data)) if at >= 0 else source.line_span(1))

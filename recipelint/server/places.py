"""What stands at a place of a file: words of launches, variables of their environments, and variables of the shell.

A word of a launch stands where the text is that decides it; where it is used, a variable does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from recipelint.recipe.build import Recipes, Resolved
from recipelint.server.live import Live
from recipelint.shell.sightings import Sighting
from recipelint.shell.text import Origin, Text
from recipelint.source import Span


class Word(NamedTuple):
    """The text, or a part of it, of the AT-th word of a launch."""

    recipes: Recipes
    resolved: Resolved
    at: int
    span: Span


class Exported(NamedTuple):
    """The text, or a part of it, of a variable of a launch's environment."""

    recipes: Recipes
    resolved: Resolved
    name: str
    span: Span


class Seen(NamedTuple):
    """A variable of the shell, where it is used or assigned."""

    recipes: Recipes
    sighting: Sighting
    span: Span


Thing = Word | Exported | Seen


def at(live: Live, path: str, offset: int) -> list[Thing]:
    """The narrowest things at a byte offset of a file, for every launcher that it reaches; else what ends there."""
    everything = list(things(live, path))
    inside = [one for one in everything if one.span.start <= offset < one.span.end]
    touching = inside or [one for one in everything if one.span.start <= offset == one.span.end]
    width = min((one.span.end - one.span.start for one in touching), default=0)
    return [one for one in touching if one.span.end - one.span.start == width]


def things(live: Live, path: str) -> Iterator[Thing]:
    """Everything that stands in a file."""
    for recipes in shell(live):
        for resolved in recipes.resolved:
            for number, word in enumerate(resolved.words):
                yield from (Word(recipes, resolved, number, span) for span in spans(word, path))
            for name in resolved.launch.env:
                text = resolved.environment.get(name)
                if text is not None:
                    yield from (Exported(recipes, resolved, name, span) for span in spans(text, path))
        for sighting in live.sightings(recipes):
            if sighting.location.path == path:
                yield Seen(recipes, sighting, sighting.location.span)


def shell(live: Live) -> Sequence[Recipes]:
    """What the launchers of the last lint do."""
    return live.lint({}).recipes


def spans(text: Text, path: str) -> Iterator[Span]:
    """Where in a file a text is decided; runs that follow each other there are one."""
    last: Span | None = None
    for n, origin in text.runs:
        if not n or origin.source is None or origin.source.path != path:
            continue
        if last is not None and last.end == origin.start:
            last = Span(last.start, origin.end)
            continue
        if last is not None:
            yield last
        last = Span(origin.start, origin.end)
    if last is not None:
        yield last


def reached(recipes: Recipes, texts: Sequence[Text]) -> Iterator[Word | Exported]:
    """The words and the variables of launches that hold one of some texts: all that decides it decides them too."""
    for resolved in recipes.resolved:
        for number, word in enumerate(resolved.words):
            span = held(word, texts)
            if span is not None:
                yield Word(recipes, resolved, number, span)
        for name in resolved.launch.env:
            text = resolved.environment.get(name)
            span = held(text, texts) if text is not None else None
            if span is not None:
                yield Exported(recipes, resolved, name, span)


def held(whole: Text, texts: Sequence[Text]) -> Span | None:
    """Where the first of TEXTS that a text holds is decided."""
    for text in texts:
        parts = [origin for n, origin in text.runs if n and origin.source is not None]
        if parts and all(any(overlaps(origin, part) for n, origin in whole.runs if n) for part in parts):
            return Span(parts[0].start, parts[0].end)
    return None


def overlaps(one: Origin, other: Origin) -> bool:
    return one.source is other.source and one.start < other.end and other.start < one.end

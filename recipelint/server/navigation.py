"""From a place to others: to the text that decides it, to the flag's declaration, to the launches that it reaches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recipelint.server.facts import places as deciding
from recipelint.server.hover import fact_of
from recipelint.server.live import Live
from recipelint.server.places import Exported, Seen, Thing, Word, reached, shell
from recipelint.source import Location

MOST = 256
"""Places that are told at most."""


def definitions(things: Sequence[Thing], path: str) -> list[Location]:
    """The text that decides what stands at a place."""
    found: list[Location] = []
    for thing in things:
        if isinstance(thing, Seen):
            found += deciding(text for value in thing.sighting.values for text in value)
        else:
            found += fact_of(thing, path).places
    return each(found)


def declarations(things: Sequence[Thing]) -> list[Location]:
    """Where the trainer's source declares the flag of a word."""
    found: list[Location] = []
    for thing in things:
        if not isinstance(thing, Word):
            continue
        called, entry = fact_of(thing, "").called, thing.resolved.entry
        schema = thing.resolved.schema()
        for flags in (entry.flags if entry is not None else {}, schema.options if schema is not None else {}):
            flag = flags.get(called)
            if flag is not None and flag.location.source.data:  # a framework file has the flag's name, and no place
                found.append(flag.location)
    return each(found)


def references(live: Live, things: Sequence[Thing]) -> list[Location]:
    """What a place decides: where its variable is used, the flags that get it, and their launches."""
    found: list[Location] = []
    for thing in things:
        texts = (
            [text for value in thing.sighting.values for text in value]
            if isinstance(thing, Seen)
            else [thing.resolved.words[thing.at]]
            if isinstance(thing, Word)
            else [thing.resolved.environment[thing.name]]
        )
        for recipes in shell(live):
            decisive = {place.key for place in deciding(texts)}
            found += [
                sighting.location
                for sighting in live.sightings(recipes)
                if any(decisive & {place.key for place in deciding(value)} for value in sighting.values)
            ]
            for one in reached(recipes, texts):
                found += flag(one)
                found.append(one.resolved.launch.trainer)
    return each(found)


def flag(thing: Word | Exported) -> list[Location]:
    """Where the flag of a value is written."""
    if isinstance(thing, Exported) or thing.resolved.entry is None:
        return []
    for use in thing.resolved.entry.uses(thing.resolved.words):
        if use.at <= thing.at < use.end:
            return deciding([thing.resolved.words[use.at]])
    return []


def each(found: Iterable[Location]) -> list[Location]:
    """Each place once, in order, as many as an editor can show."""
    return sorted({one.key: one for one in found}.values(), key=lambda one: one.key)[:MOST]

"""Schemas that an earlier run read from the same sources: for a large trainer, reading is nearly all of a run.

A schema is taken only where every file that was asked for, those that were not there among them, is what it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recipelint.python.schema import UNKNOWN, Flag, Literal, Schema
from recipelint.reads import Reads
from recipelint.source import Location, SourceFile, Span
from recipelint.store import Store, digest

VERSION = "1"
Plain = list[Any]


class Unkeepable(Exception):
    """Something that no plain value stands for."""


class Schemas:
    """The schemas of one tree. PROGRAM and ROOT tell this program, and the tree, from others."""

    def __init__(self, store: Store, program: bytes, root: str) -> None:
        self.store = store
        self.program = program
        self.root = root

    def name(self, path: str, script: bool) -> str:
        told = (VERSION, self.root, path, str(script))
        return "trainer-" + digest(self.program, *(one.encode("utf-8", "surrogateescape") for one in told))

    def recall(self, path: str, script: bool, reads: Reads) -> Schema | None:
        """The schema of a file, if all that it hangs on is the same; that is then noted as read."""
        found = self.store.get(self.name(path, script))
        try:
            stamps, plain = found
            sources: dict[str, SourceFile] = {}
            for place, shown, was in stamps:
                source = reads(place)
                if (source.path if source else "", digest(source.data) if source else "") != (shown, was):
                    return None
                if source is not None:
                    sources[place] = source
            return unpack(plain, sources)
        except (TypeError, ValueError, KeyError, IndexError):
            return None

    def keep(self, path: str, script: bool, schema: Schema, asked: set[str], reads: Reads) -> None:
        """Keep a schema, and what was ASKED for to read it."""
        there = {place: reads(place) for place in sorted(asked)}
        places = {id(source): place for place, source in there.items() if source is not None}
        try:
            plain = pack(schema, places)
        except (Unkeepable, RecursionError):
            return
        stamps = [
            [place, source.path if source else "", digest(source.data) if source else ""]
            for place, source in there.items()
        ]
        self.store.put(self.name(path, script), [stamps, plain])


def pack(schema: Schema, places: Mapping[int, str]) -> Plain:
    """A schema as JSON can hold it; PLACES has those of its sources, by `id`. Raises Unkeepable."""
    made: dict[int, Plain] = {}

    def place(source: SourceFile) -> str:
        if id(source) not in places:
            raise Unkeepable(source.path)
        return places[id(source)]

    def flag(one: Flag) -> Plain:
        location = one.location
        values = [value_of(one.const), value_of(one.default), None if one.choices is None else value_of(one.choices)]
        rest = [one.required, one.positional, one.open, one.exclusive]
        first = [list(one.names), one.dest, one.action, one.type, one.nargs]
        return [first, values, [place(location.source), *location.span], rest]

    def one_of(one: Schema) -> Plain:
        # A subcommand may have several names; its schema is one.
        if id(one) not in made:
            made[id(one)] = []
            made[id(one)] += [
                one.entry_point,
                one.path,
                one.complete,
                [flag(each) for each in one.flags],
                one.allow_abbrev,
                one.known_only,
                one.prefix_chars,
                list(one.reasons),
                [[name, one_of(each)] for name, each in one.subcommands.items()],
            ]
        return made[id(one)]

    return [[place(source) for source in schema.sources], one_of(schema)]


def unpack(plain: Plain, sources: Mapping[str, SourceFile]) -> Schema:
    """The schema again; SOURCES has the files by their place."""
    read = tuple(sources[place] for place in plain[0])

    def flag(one: Plain) -> Flag:
        (names, dest, action, type_, nargs), (const, default, choices), (place, start, end), rest = one
        required, positional, open_, exclusive = rest
        given: Any = None if choices is None else value_from(choices)
        location = Location(sources[place], Span(start, end))
        return Flag(
            tuple(names),
            dest,
            action,
            type_,
            nargs,
            value_from(const),
            value_from(default),
            given,
            required,
            location,
            positional,
            open_,
            exclusive,
        )

    def one_of(one: Plain) -> Schema:
        entry_point, path, complete, flags, abbrev, known_only, prefixes, reasons, subcommands = one
        return Schema(
            entry_point,
            path,
            complete,
            tuple(map(flag, flags)),
            abbrev,
            known_only,
            prefixes,
            tuple(reasons),
            {name: one_of(each) for name, each in subcommands},
            read,
        )

    return one_of(plain[1])


def value_of(value: Literal) -> Plain:
    """A value with its kind: JSON has neither tuples nor all numbers."""
    if value is UNKNOWN:
        return ["unknown"]
    if value is None or isinstance(value, bool | str):
        return ["plain", value]
    if isinstance(value, int | float):
        return [type(value).__name__, repr(value)]
    if isinstance(value, tuple):
        return ["tuple", [value_of(one) for one in value]]
    if isinstance(value, Mapping):
        return ["mapping", [[value_of(key), value_of(one)] for key, one in value.items()]]
    raise Unkeepable(type(value).__name__)


def value_from(plain: Plain) -> Literal:
    """The value again."""
    kind = plain[0]
    if kind == "unknown":
        return UNKNOWN
    if kind == "plain":
        return plain[1]  # type: ignore[no-any-return]
    if kind == "int":
        return int(plain[1])
    if kind == "float":
        return float(plain[1])
    if kind == "tuple":
        return tuple(value_from(one) for one in plain[1])
    if kind == "mapping":
        made: Any = {value_from(key): value_from(one) for key, one in plain[1]}
        return made  # type: ignore[no-any-return]
    raise ValueError(kind)

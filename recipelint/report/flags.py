"""The command line that a trainer takes, for a person and for a program."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from recipelint.python.schema import SUPPRESS, UNKNOWN, Flag, Literal, Schema
from recipelint.report.json_ import VERSION, Json, dump
from recipelint.report.plain import neutralise
from recipelint.report.style import BOLD, DIM, YELLOW, Stream, pad, plural

READABLE = ("const", "default", "choices")
NO_VALUE = {
    "store_true": "switch",
    "store_false": "switch off",
    "boolean_optional": "switch, on or off",
    "count": "counts",
    "help": "prints help",
    "version": "prints the version",
    "store_const": "switch",
    "append_const": "switch, repeatable",
}


def text(schema: Schema, stream: Stream) -> str:
    """A flag a line with its type and its place, and below it what else decides its value."""
    return "".join(f"{line}\n" for line in _lines(schema, stream))


def _lines(schema: Schema, stream: Stream) -> Iterator[str]:
    yield f"{stream.paint(neutralise(schema.entry_point), BOLD)} ({neutralise(schema.path)}), {_total(schema)}"
    if schema.complete:
        yield (
            "complete: a flag that is not here is refused"
            if not schema.known_only
            else ("complete, but flags that are not here are tolerated")
        )
    else:
        yield stream.paint("open: not all of it can be read", YELLOW)
        for reason in schema.reasons:
            yield f"  {neutralise(reason)}"
    if not schema.allow_abbrev:
        yield "abbreviations are refused"
    yield from _flags(schema, stream)
    yield from _subcommands(schema, schema.entry_point, stream)


def _subcommands(schema: Schema, called: str, stream: Stream) -> Iterator[str]:
    for names, one in _distinct(schema):
        command = f"{called} {'|'.join(names)}"
        yield ""
        yield f"{stream.paint(neutralise(command), BOLD)}, {_total(one)}"
        if not one.complete:
            yield stream.paint("open: not all of it can be read", YELLOW)
            yield from (f"  {neutralise(reason)}" for reason in one.reasons if reason not in schema.reasons)
        yield from _flags(one, stream)
        yield from _subcommands(one, command, stream)


def _distinct(schema: Schema) -> list[tuple[list[str], Schema]]:
    """The subcommands, each once, with all of its names."""
    found: dict[int, tuple[list[str], Schema]] = {}
    for name, one in schema.subcommands.items():
        found.setdefault(id(one), ([], one))[0].append(name)
    return list(found.values())


def _total(schema: Schema) -> str:
    return plural(len(schema.flags), "flag")


def _flags(schema: Schema, stream: Stream) -> Iterator[str]:
    if schema.flags:
        yield ""
    for flag in schema.flags:
        names = neutralise(", ".join([flag.called, *flag.names[1:]]))
        place = neutralise(f"{flag.location.path}:{flag.location.start.line}")
        yield f"  {pad(names, 34)}  {pad(_takes(flag), 20)}  {stream.paint(place, DIM)}".rstrip()
        about = [*_about(flag)]
        if about:
            yield f"      {', '.join(about)}"


def _takes(flag: Flag) -> str:
    """What may follow the flag."""
    word = neutralise(flag.type or "text")
    if flag.open and flag.nargs is None:
        return f"{word}, unknown number"
    if flag.nargs == 0:
        return NO_VALUE.get(flag.action, "switch")
    shape = {None: word, "?": f"[{word}]", "*": f"[{word} …]", "+": f"{word} …", "...": "the rest", "A...": "command"}
    if isinstance(flag.nargs, int):
        return " ".join([word] * flag.nargs) if flag.nargs < 4 else f"{word} × {flag.nargs}"
    return shape.get(flag.nargs, word)


def _about(flag: Flag) -> Iterator[str]:
    if flag.required:
        yield "required"
    if flag.default is UNKNOWN:
        yield "default unknown"
    elif flag.default is not None and flag.default != SUPPRESS and flag.action not in NO_VALUE:
        yield f"default {_shown(flag.default)}"
    elif flag.default is True and flag.action in ("store_true", "boolean_optional"):
        yield "default true"
    if flag.const is not None and flag.action not in ("store_true", "store_false"):
        yield f"alone {_shown(flag.const)}" if flag.nargs == "?" else f"means {_shown(flag.const)}"
    if flag.choices is UNKNOWN:
        yield "choices unknown"
    elif flag.choices is not None:
        yield "one of " + " ".join(map(_shown, flag.choices))
    if flag.action in ("append", "extend", "append_const"):
        yield "repeatable"
    stored = {name.lstrip("-+").replace("-", "_") for name in flag.names}
    if flag.dest not in stored and flag.action not in ("help", "version", "parsers"):
        yield f"sets {neutralise(flag.dest)}"
    if flag.exclusive is not None:
        yield f"exclusive ({flag.exclusive})"
    if flag.action == "custom":
        yield "an action of its own"


def _shown(value: Literal) -> str:
    """A literal in one word, or several for a tuple."""
    if value is UNKNOWN:
        return "unknown"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_shown, value)) + ")"
    if isinstance(value, str) and value and value.isprintable() and not set(value) & set(" ,()'\""):
        return neutralise(value)
    return neutralise(json.dumps(_json(value), ensure_ascii=False))


def as_json(schema: Schema) -> str:
    """{"version", "entry_point", "complete", …, "flags": […]}"""
    return dump({"version": VERSION, **_schema_json(schema)})


def _schema_json(schema: Schema) -> Json:
    return {
        "entry_point": schema.entry_point,
        "path": schema.path,
        "complete": schema.complete,
        "reasons": list(schema.reasons),
        "known_only": schema.known_only,
        "allow_abbrev": schema.allow_abbrev,
        "prefix_chars": schema.prefix_chars,
        "flags": [_flag_json(flag) for flag in schema.flags],
        "subcommands": [{"names": names, **_schema_json(one)} for names, one in _distinct(schema)],
    }


def _flag_json(flag: Flag) -> Json:
    start = flag.location.start
    unknown = [name for name in READABLE if _holds_unknown(getattr(flag, name))]
    if flag.open:
        unknown.insert(0, "nargs")
    values = {name: None if name in unknown else _json(getattr(flag, name)) for name in READABLE}
    result: Json = {
        "names": list(flag.names),
        "dest": flag.dest,
        "action": flag.action,
        "type": flag.type,
        "nargs": flag.nargs,
        **values,
        "required": flag.required,
        "positional": flag.positional,
        "exclusive": flag.exclusive,
        "path": flag.location.path,
        "start": {"line": start.line, "column": start.column},
    }
    return {**result, "unknown": unknown} if unknown else result


def _holds_unknown(value: Literal) -> bool:
    if isinstance(value, tuple):
        return any(map(_holds_unknown, value))
    if isinstance(value, dict):
        return any(map(_holds_unknown, value.values()))
    return value is UNKNOWN


def _json(value: Literal) -> Any:
    """A literal as JSON has it; infinity, which JSON has not, as the text that `float` takes for it."""
    if isinstance(value, tuple):
        return [_json(one) for one in value]
    if isinstance(value, dict):
        return {key: _json(one) for key, one in value.items()}
    if isinstance(value, float) and math.isinf(value):
        return str(value)
    return value

"""From the name of an entry point to its schema.

The program is followed from its first statement to the call that reads the command line, as Python would run it.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from recipelint.python.schema import Reader, Schema

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recipelint.python.modules import Modules
    from recipelint.python.parsers import Parser
    from recipelint.python.statements import Statements

OTHERS: Mapping[str, bytes] = {
    "click": b"click",
    "typer": b"typer",
    "tyro": b"tyro",
    "fire": b"fire",
    "absl": b"absl",
    "hydra": b"hydra",
    "jsonargparse": b"jsonargparse",
    "simple_parsing": b"simple_parsing",
}


def schema_of(entry_point: str, reader: Reader, near: str | None = None) -> Schema | None:
    """The schema of a module (`molt.cli.train_sft`) or a script (`examples/train.py`).

    None if there is no such file in the tree, or more than one that it could be. NEAR is the path of the launcher: a
    script is looked for at the root, in the launcher's folder, and in those above it.
    """
    from recipelint.python.modules import Modules, TooMany

    modules = Modules(reader)
    try:
        path = place_of(entry_point, modules, near)
        if path is None:
            return None
        return _read(entry_point, path, modules)
    except TooMany:
        return None


def place_of(entry_point: str, modules: Modules, near: str | None) -> str | None:
    """The path of an entry point from the tree's root."""
    if "\0" in entry_point or len(entry_point) > 1000:
        return None
    if not entry_point.endswith(".py"):
        return modules.find(entry_point, main=True)
    if posixpath.isabs(entry_point):
        return None
    folder = posixpath.dirname(near) if near is not None else ""
    bases = [""]
    while folder not in ("", "/"):
        bases.append(folder)
        folder = posixpath.dirname(folder)
    places = {posixpath.normpath(posixpath.join(base, entry_point)) for base in bases}
    found = [place for place in sorted(places) if not place.startswith("..") and modules.read(place) is not None]
    return found[0] if len(found) == 1 else None


def _read(entry_point: str, path: str, modules: Modules) -> Schema:
    from recipelint.python.machine import Ended, Parsed, Spent
    from recipelint.python.modules import TooMany
    from recipelint.python.statements import Statements

    machine = Statements(modules)
    script = entry_point.endswith(".py")
    if script:
        modules.first = posixpath.dirname(path)
    module = modules.load(path, entry_point)
    if module is None:
        shown = modules.files[path]
        where = shown.path if shown is not None else path
        return _open(entry_point, path, (f"{where}: {modules.broken[path]}",), modules)
    module.dotted = posixpath.splitext(path)[0].removeprefix("src/").replace("/", ".")
    module.names["__name__"] = "__main__"
    module.started = True
    machine.module = module
    try:
        machine.run_module(module)
    except (Parsed, Ended):
        pass
    except Spent as error:
        machine.reasons[f"{error}: there is more to follow than is followed"] = None
    except TooMany:
        machine.reasons[f"{module.source.path}:1: it imports more files than are read"] = None
    except (RecursionError, MemoryError):
        machine.reasons[f"{module.source.path}:1: it is nested too deeply"] = None
    return _schema(entry_point, path, machine)


def _schema(entry_point: str, path: str, machine: Statements) -> Schema:
    """What came of following the program."""
    assert machine.modules.modules[path] is not None
    source = machine.modules.modules[path].source  # type: ignore[union-attr]
    readers = list({id(parser): parser for parser, _ in machine.readers}.values())
    reasons = list(machine.reasons)
    certain = bool(machine.readers) and not machine.readers[-1][1]
    if not readers:
        readers = [parser for parser in machine.parsers if parser.main]
        reasons.append(f"{source.path}:1: {_unseen(source.data)}")
        if len(readers) != 1:
            return _open(entry_point, path, tuple(reasons), machine.modules)
    elif len(readers) > 1 and not certain:
        reasons.append(f"{source.path}:1: several parsers read the command line")
    tolerant = bool(machine.readers) and machine.readers[-1][1]
    return freeze(readers[-1], entry_point, path, machine.modules, tuple(reasons), known_only=tolerant)


def _unseen(data: bytes) -> str:
    """Why no parser was seen."""
    import re

    for name, word in OTHERS.items():
        if re.search(rb"^\s*(?:import|from)\s+" + word + rb"\b", data, re.MULTILINE):
            return f"the command line is read by {name}, which is not read here"
    return "no parser is seen to read the command line"


def freeze(
    parser: Parser, entry_point: str, path: str, modules: Modules, reasons: tuple[str, ...], *, known_only: bool
) -> Schema:
    """A parser that changes no more, as a schema."""
    own = tuple(dict.fromkeys((*reasons, *parser.reasons)))
    subcommands = {
        name: freeze(one, entry_point, path, modules, reasons, known_only=known_only)
        for name, one in parser.subcommands.items()
    }
    return Schema(
        entry_point,
        path,
        not own,
        tuple(option.frozen() for option in parser.options),
        parser.allow_abbrev,
        known_only,
        parser.prefix_chars,
        own,
        subcommands,
        modules.sources,
    )


def _open(entry_point: str, path: str, reasons: tuple[str, ...], modules: Modules) -> Schema:
    """A schema of which nothing is known."""
    return Schema(entry_point, path, False, (), True, False, "-", reasons, {}, modules.sources)

"""From the name of an entry point to its schema.

The program is followed from its first statement to the call that reads the command line, as Python would run it.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from recipelint.python.schema import Reader, Schema
from recipelint.reads import Memo, Reads
from recipelint.record import NamedTuple
from recipelint.source import SourceFile

if TYPE_CHECKING:
    from recipelint.python.kept import Schemas
    from recipelint.python.modules import Modules
    from recipelint.python.parsers import Parser
    from recipelint.python.statements import Statements

OTHERS = ("click", "typer", "tyro", "fire", "absl", "hydra", "jsonargparse", "simple_parsing")
"""Libraries that read a command line in ways that are not followed."""

FREEZE_CAP = 1_000_000
"""Parts of the values of all flags, as they are copied into a schema."""

UNFORESEEN: tuple[type[Exception], ...] = (Exception,)
"""A trainer that the reading cannot cope with must not hide what there is to say of its launchers; in tests it may."""


Known = Memo[tuple[str, bool], Schema]
"""What was read before in a tree, by path, and whether it was a script: a program of one name has one schema."""


def schema_of(
    entry_point: str,
    reader: Reader,
    near: str | None = None,
    known: Known | None = None,
    kept: Schemas | None = None,
) -> Schema | None:
    """The schema of a module (`molt.cli.train_sft`) or a script (`examples/train.py`).

    None if there is no such file in the tree, or more than one that it could be. NEAR is the path of the launcher: a
    script is looked for at the root, in the launcher's folder, and in those above it. KEPT has what earlier runs read.
    """
    from recipelint.python.modules import Modules, TooMany

    reads = Reads.of(reader)
    modules = Modules(reads)
    try:
        path = place_of(entry_point, modules, near)
        if path is None:
            return None
        known = Memo() if known is None else known
        key = path, entry_point.endswith(".py")
        # What the search has read is not passed on: the program must be seen to hang on each of its files.
        schema = known.of(key, reads, lambda: _kept(entry_point, path, reads, kept))
        return schema._replace(entry_point=entry_point)
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


def _kept(entry_point: str, path: str, reads: Reads, kept: Schemas | None) -> Schema:
    from recipelint.python.modules import Modules

    if kept is None:
        return _read(entry_point, path, Modules(reads))
    script = entry_point.endswith(".py")
    schema = kept.recall(path, script, reads)
    if schema is None:
        with reads.noting() as asked:
            schema = _read(entry_point, path, Modules(reads))
        kept.keep(path, script, schema, asked, reads)
    return schema


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
        return _open(entry_point, path, (f"{where}:{modules.broken[path]}",), modules)
    module.dotted = posixpath.splitext(path)[0].removeprefix("src/").replace("/", ".")
    module.names["__name__"] = "__main__"
    module.started = True
    machine.module = module
    machine.entry = path
    here = f"{module.source.path}:1"
    try:
        try:
            if not script:
                machine.packages(entry_point)
            machine.module = module
            machine.run_module(module)
        except (Parsed, Ended):
            pass
        except Spent as error:
            machine.reasons[f"{error}: there is more to follow than is followed"] = None
        except TooMany:
            machine.reasons[f"{here}: it imports more files than are read"] = None
        return _schema(entry_point, path, module.source, machine)
    except (RecursionError, MemoryError):
        return _open(entry_point, path, (f"{here}: it is nested too deeply",), modules)
    except UNFORESEEN as error:
        return _open(entry_point, path, (f"{here}: an internal error, {type(error).__name__}: {error}",), modules)


def _schema(entry_point: str, path: str, source: SourceFile, machine: Statements) -> Schema:
    """What came of following the program."""
    readers = list({id(parser): parser for parser, _ in machine.readers}.values())
    reasons = list(machine.reasons)
    tolerant = bool(machine.readers) and machine.readers[-1][1]
    if not readers:
        readers = [parser for parser in machine.parsers if parser.main]
        reasons.append(f"{source.path}:1: {_unseen(source.data)}")
        if len(readers) != 1:
            return _open(entry_point, path, tuple(reasons), machine.modules)
    elif len(readers) > 1 and tolerant:
        reasons.append(f"{source.path}:1: several parsers read the command line")
    if _freezing(readers[-1]) > FREEZE_CAP:
        reasons.append(f"{source.path}:1: there is more to follow than is followed")
        return _open(entry_point, path, tuple(reasons), machine.modules)
    freezing = Freezing(entry_point, path, machine.modules.sources, tuple(reasons), tolerant, {})
    return freezing.schema(readers[-1])


def _freezing(parser: Parser) -> int:
    """What it costs to make a schema of a parser and its subcommands; each time that one value is used counts."""
    from recipelint.python.cost import weight

    parsers, total = {id(parser): parser}, 0
    left = [parser]
    while left and total <= FREEZE_CAP:
        one = left.pop()
        new = {id(other): other for other in one.subcommands.values() if id(other) not in parsers}
        parsers.update(new)
        left += new.values()
        total += 20 + len(one.reasons) + len(one.subcommands)
        for option in one.options:
            total += 10 + weight((option.choices, option.default, option.const))
            if total > FREEZE_CAP:
                break
    return total


def _unseen(data: bytes) -> str:
    """Why no parser was seen."""
    import re

    for name in OTHERS:
        if re.search(rb"^[ \t]*(?:import|from)[ \t]+" + name.encode() + rb"\b", data, re.MULTILINE):
            return f"the command line is read by {name}, which is not read here"
    return "no parser is seen to read the command line"


class Freezing(NamedTuple):
    """What the schemas of one entry point share; `made` has those of its parsers, each of which is frozen once."""

    entry_point: str
    path: str
    sources: tuple[SourceFile, ...]
    reasons: tuple[str, ...]
    known_only: bool
    made: dict[int, Schema]

    def schema(self, parser: Parser) -> Schema:
        """A parser that changes no more, as a schema."""
        if id(parser) not in self.made:
            own = tuple(dict.fromkeys((*self.reasons, *parser.reasons)))
            self.made[id(parser)] = Schema(
                self.entry_point,
                self.path,
                not own,
                tuple(option.frozen() for option in parser.options),
                parser.allow_abbrev,
                self.known_only,
                parser.prefix_chars,
                own,
                {name: self.schema(one) for name, one in parser.subcommands.items()},
                self.sources,
            )
        return self.made[id(parser)]


def _open(entry_point: str, path: str, reasons: tuple[str, ...], modules: Modules) -> Schema:
    """A schema of which nothing is known."""
    return Schema(entry_point, path, False, (), True, False, "-", reasons, {}, modules.sources)

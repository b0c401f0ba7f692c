"""Whether a trainer takes two flags and has no check for them together; all of it read from its text.

What cannot be read or found counts as a check: this module accuses only where it has seen the whole trainer.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from recipelint.python.reach import Module
from recipelint.python.refusal import Names, refusing
from recipelint.python.schema import Schema
from recipelint.python.tree import Trees

PARSERS = frozenset({"parse_args", "parse_known_args"})


class Parse(NamedTuple):
    """Where a trainer parses its words: the call, its statement, and the blocks around, each with the place in it."""

    call: ast.Call
    statement: ast.stmt
    chain: tuple[tuple[Sequence[ast.stmt], int], ...]


def parse_call(tree: ast.Module) -> Parse | None:
    """The first call that parses the command line."""
    pending: list[tuple[Sequence[ast.stmt], tuple[tuple[Sequence[ast.stmt], int], ...]]] = [(tree.body, ())]
    found: list[Parse] = []
    while pending:
        body, above = pending.pop()
        for at, statement in enumerate(body):
            chain = (*above, (body, at))
            inner = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
            inner += [one.body for one in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ()))]
            pending += [(block, chain) for block in inner if block]
            if not any(inner):
                found += [Parse(call, statement, chain) for call in _calls(statement) if _named(call) in PARSERS]
    return min(found, key=lambda one: (one.call.lineno, one.call.col_offset), default=None)


def takes(flags: Iterable[str], schema: Schema | None) -> bool:
    """Whether the parser has all of some flags; one that cannot be read in full may have them, and does not count."""
    found = {name for flag in schema.flags if not flag.open for name in flag.names} if schema is not None else set()
    return found.issuperset(flags)


def checked(modules: Sequence[Module], things: Mapping[str, Sequence[str]], trees: Trees) -> bool:
    """Whether something that the modules run stops the program on a condition that speaks of all things."""
    names = Names(things)
    speaking = [module for module in modules if names.of(module.source.text)]
    read = [tree for module in speaking if (tree := trees.of(module.source)) is not None]
    if len(read) < len(speaking):
        return True
    try:
        return any(_runs(name, modules, trees) for name in refusing(read, names))
    except RecursionError:
        return True


def _runs(name: str, modules: Sequence[Module], trees: Trees) -> bool:
    """Whether a function may be run: by Python itself, or since one of the modules uses it, not just imports it."""
    if not name or name.startswith("__"):
        return True
    using = [module for module in modules if name.encode() in module.source.data]
    return any(_uses(name, tree) for module in using if (tree := trees.of(module.source)) is not None)


def _uses(name: str, tree: ast.Module) -> bool:
    return any(
        (isinstance(node, ast.Name) and node.id == name)
        or (isinstance(node, ast.Attribute) and node.attr == name)
        or (isinstance(node, ast.alias) and node.name == name and node.asname is not None)
        for node in ast.walk(tree)
    )


def default_of(variable: str, modules: Sequence[Module], otherwise: str) -> str:
    """The text that the modules take where an environment variable is not set."""
    given = re.compile(rf"environ\.get\(\s{{0,80}}[\"']{re.escape(variable)}[\"']\s{{0,80}},\s{{0,80}}[\"'](\w+)[\"']")
    for module in modules:
        if found := given.search(module.source.text):
            return found[1]
    return otherwise


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _named(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""

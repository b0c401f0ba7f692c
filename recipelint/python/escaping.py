"""Values that go where they are not followed: what may be changed there is not known any more.

A function or a class takes along all that it names, as whoever is given it may call it.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from recipelint.python.machine import MISSING, Machine
from recipelint.python.parsers import Group, Option, Parser, Subparsers
from recipelint.python.schema import UNKNOWN
from recipelint.python.values import (
    Bound,
    Class,
    DictValue,
    External,
    Function,
    Instance,
    ListValue,
    Module,
    Names,
    Scope,
    Super,
    Value,
)

DECIDING = frozenset("argparse argparse.ArgumentParser sys sys.argv sys.argv[1:] sys.modules".split())
"""What decides how a command line is read: whoever is given it may change that."""


class Escaping(Machine):
    """Forgets what may have changed, and opens the parsers that may have."""

    def escape(self, value: Value, node: ast.AST, where: str = "") -> None:
        """A value goes where it is not followed: a parser in it may be changed there."""
        where = where or "somewhere that is not known"
        seen: set[int] = set()
        left = [value]
        while left:
            one = left.pop()
            self.spend(1)
            if id(one) in seen or one is MISSING:
                continue
            seen.add(id(one))
            if isinstance(one, Parser):
                self.open(one, f"the parser is given to {where}", node)
            elif isinstance(one, Group | Subparsers):
                left.append(one.parser)
            elif isinstance(one, Option):
                self.spend(sum(1 + len(parser.options) // 8 for parser in self.parsers))
                for parser in self.parsers:
                    if one in parser.options:
                        self.open(parser, f"a flag is given to {where}", node)
            elif isinstance(one, ListValue):
                one.known = False
                left += one.items
            elif isinstance(one, DictValue):
                one.known = False
                left += one.items.values()
            elif isinstance(one, tuple) and type(one) is tuple:
                left += one
            elif isinstance(one, Instance):
                left += [*one.names.values(), one.cls] if not one.loose else one.names.values()
                one.loose = True
                left.append(one.cls)
                for name in one.names:
                    self.bind(one.names, name, UNKNOWN)
            elif isinstance(one, Bound):
                left += [one.receiver, one.function]
            elif isinstance(one, Super):
                left.append(one.receiver)
            elif isinstance(one, Class):
                left += [each for cls in one.lineage if isinstance(cls, Class) for each in cls.scope.names.values()]
            elif isinstance(one, Module):
                one.loose = True
                left += one.names.values()
            elif isinstance(one, Function):
                self.lost.append(one)
                left += self.named(one)
            elif isinstance(one, External) and one.name in DECIDING:
                self.open_all(f"{one.name} is given to {where}", node)

    def named(self, function: Function) -> list[Value]:
        """What a function of the tree names, and so may change when it is called."""
        if function.node not in self.naming:
            self.steps += len(self.naming) // 10
            found = list(ast.walk(function.node))
            self.steps += len(found) // 10
            declared = {name for one in found if isinstance(one, ast.Global | ast.Nonlocal) for name in one.names}
            self.naming[function.node] = (
                frozenset(one.id for one in found if isinstance(one, ast.Name)),
                frozenset(declared),
            )
        names, declared_names = self.naming[function.node]
        found_values: list[Value] = []
        spaces: list[Names] = []
        at: Scope | None = function.scope
        while at is not None:
            spaces.append(at.names)
            at = at.parent
        spaces.append(function.scope.module.names)
        for space in spaces:
            found_values += [space[name] for name in names if name in space]
            for name in declared_names:
                if name in space:
                    self.bind(space, name, UNKNOWN)
        return [value for value in found_values if not isinstance(value, Module)]

    def changeable(self, value: ListValue | DictValue, node: ast.AST) -> bool:
        """Whether a change of a container happens for certain; if not, its content is unknown from here on.

        What a module fills while it is imported may be a registry, which other modules fill as well.
        """
        if self.depth > value.depth or self.importing is not None:
            self.escape(value, node)
        return value.known

    def functions(self, values: Sequence[Value], kwargs: Mapping[str, Value]) -> list[Function | Bound]:
        """The functions of the tree among arguments: who takes them may call them."""
        return [
            value
            for value in (*values, *kwargs.values())
            if isinstance(value, Function) or (isinstance(value, Bound) and value.function is not None)
        ]

"""What a name can stand for while a trainer is read: literals as they are, and stand-ins for everything else.

UNKNOWN is any value at all. `depth` says under how many undecided conditions a thing was made: what changes it under
more of them may not happen.
"""

from __future__ import annotations

import ast
import math
from typing import Any, TypeAlias

from recipelint.python.lineage import merged
from recipelint.python.schema import UNKNOWN, Literal
from recipelint.record import NamedTuple
from recipelint.source import SourceFile

Value: TypeAlias = Any
Names: TypeAlias = "dict[Any, Value]"
LENGTH_CAP = 2000
PARTS_CAP = 10_000
LINEAGE_CAP = 200


class ListValue:
    """A list, or a set in the order of its source; not `known` once it was changed in a way that may not happen."""

    def __init__(self, items: list[Value], depth: int) -> None:
        self.items = items
        self.depth = depth
        self.known = True


class DictValue:
    """A dictionary with literal keys."""

    def __init__(self, items: Names, depth: int) -> None:
        self.items = items
        self.depth = depth
        self.known = True


class Module:
    """A file of the tree, and the names that its statements bind."""

    def __init__(self, name: str, path: str, source: SourceFile, tree: ast.Module, *, package: bool) -> None:
        self.name = name
        self.path = path
        self.source = source
        self.tree = tree
        self.package = package
        self.names: Names = {}
        self.dotted = name
        self.started = False
        self.starred = False
        self.changed: set[str] = set()
        self.loose = False
        self.touching: frozenset[str] = frozenset()


class Scope:
    """Where names are looked up: its own, then those around it, then those of the module."""

    def __init__(self, module: Module, names: Names, parent: Scope | None) -> None:
        self.module = module
        self.names = names
        self.parent = parent
        self.declared: set[str] = set()
        self.globals: set[str] = set()
        self.inline = False


class Function:
    """A function or lambda of the tree; `sure` unless a decorator that is not known stands before it."""

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope) -> None:
        self.node = node
        self.scope = scope
        self.defaults: list[Value] = []
        self.keyword_defaults: list[Value] = []
        self.owner: Class | None = None
        self.kind = ""
        self.sure = True

    @property
    def name(self) -> str:
        return "lambda" if isinstance(self.node, ast.Lambda) else self.node.name


class Class:
    """A class of the tree; `loose` once its attributes may have been set where that is not followed."""

    def __init__(self, node: ast.ClassDef, scope: Scope, bases: list[Value]) -> None:
        self.node = node
        self.scope = scope
        self.bases = bases
        self.sure = True
        self.dataclass = False
        self.loose = False
        self._lineage: list[Value] | None = None

    @property
    def lineage(self) -> list[Value]:
        """The class and its bases, External and UNKNOWN ones too, in the order in which Python looks through them."""
        if self._lineage is None:
            lines = [base.lineage if isinstance(base, Class) else [base] for base in self.bases]
            if sum(map(len, lines)) > LINEAGE_CAP:
                lines = [[UNKNOWN]]
            self._lineage = [self, *merged([*lines, self.bases] if len(lines) > 1 else lines)]
        return self._lineage

    def find(self, name: str) -> Value:
        """An attribute of the class or of a base in the tree; raises KeyError."""
        for one in self.lineage:
            if isinstance(one, Class) and name in one.scope.names:
                return one.scope.names[name]
        raise KeyError(name)

    def derives(self, *names: str) -> bool:
        return any(isinstance(one, External) and one.name in names for one in self.lineage)


class Instance:
    """An object of a class of the tree; `loose` once it may have other attributes than are seen."""

    def __init__(self, cls: Class) -> None:
        self.cls = cls
        self.names: Names = {}
        self.loose = any(not isinstance(base, Class) and base not in PLAIN for base in cls.lineage)


class External(NamedTuple):
    """Something outside of the tree, by its full name: `argparse.ArgumentParser`, `builtins.int`."""

    name: str


PLAIN = (External("builtins.object"), External("abc.ABC"), External("typing.Protocol"))
"""Bases that set no attributes."""


class Bound(NamedTuple):
    """A method, by name or as a function of the tree, and what it is bound to."""

    receiver: Value
    name: str
    function: Function | None = None


class Lazy(NamedTuple):
    """A name of another module that nobody has looked at yet."""

    module: Module
    name: str


class Super(NamedTuple):
    """What `super()` gives inside a method of a class."""

    receiver: Value
    cls: Class


class Member(NamedTuple):
    """A member of an Enum of the tree."""

    cls: Class
    name: str
    value: Value


class NotLiteral(Exception):
    """A value that is no literal, or holds one that is none."""


def plain(value: Value) -> Any:
    """A value as Python has it; raises NotLiteral, also for what would be large or deep when it is written out."""
    left = PARTS_CAP

    def part(value: Value, depth: int) -> Any:
        nonlocal left
        left -= 1 + (len(value) // 16 if depth and isinstance(value, str) else 0)
        if (value is None or isinstance(value, str | int | float)) and left >= 0:
            return value
        if depth > 10 or left < 0:
            raise NotLiteral
        if type(value) is tuple:
            return tuple([part(one, depth + 1) for one in value])
        if isinstance(value, ListValue) and value.known:
            return [part(one, depth + 1) for one in value.items]
        if isinstance(value, DictValue) and value.known:
            return {key: part(one, depth + 1) for key, one in value.items.items()}
        if isinstance(value, range) and short(value):
            return value
        raise NotLiteral

    return part(value, 0)


def short(value: range) -> bool:
    """Whether a range has a bearable length; `len` fails on the longest."""
    return abs(value.stop - value.start) // abs(value.step) <= LENGTH_CAP


def lift(result: Any, depth: int) -> Value:
    """What Python made, as a value."""
    if result is None or isinstance(result, str | int | float | range):
        return result
    if isinstance(result, list | set | frozenset):
        return ListValue([lift(one, depth) for one in result], depth)
    if isinstance(result, tuple):
        return tuple(lift(one, depth) for one in result)
    if isinstance(result, dict):
        return DictValue({key: lift(one, depth) for key, one in result.items()}, depth)
    return UNKNOWN


def frozen(value: Value) -> Literal:
    """A value as a literal that nobody changes; UNKNOWN for what is none."""
    try:
        result = _frozen(plain(value))
    except (NotLiteral, RecursionError):
        return UNKNOWN
    return result


def _frozen(value: Any) -> Literal:
    if isinstance(value, list | tuple | range):
        return tuple(_frozen(one) for one in value)
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            return UNKNOWN
        return {key: _frozen(one) for key, one in value.items()}
    if isinstance(value, float) and math.isnan(value):
        return UNKNOWN
    result: Literal = value
    return result


def same(one: Value, other: Value, depth: int = 0) -> bool:
    """Whether two values are surely one; tuples in tuples in tuples are not looked into."""
    if one is other:
        return True
    if isinstance(one, str | int | float | External | Lazy) and type(one) is type(other):
        return bool(one == other)
    if type(one) is tuple and type(other) is tuple:
        return (
            depth < 2 and len(one) == len(other) and all(same(a, b, depth + 1) for a, b in zip(one, other, strict=True))
        )
    return False

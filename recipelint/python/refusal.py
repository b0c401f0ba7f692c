"""Whether some statement of a program stops it on a condition that speaks of several things at once.

A thing is spoken of by its names: in identifiers and texts of the condition, in what its variables were set to, and in
the functions that it calls. Every doubt counts for the statement: what may be a check is one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

EXITS = frozenset({"exit", "_exit", "quit", "error", "abort", "fail"})
TRIES: tuple[type[ast.Try], ...] = (ast.Try, getattr(ast, "TryStar", ast.Try))
PLAIN = frozenset({"staticmethod", "classmethod", "property"})
"""Decorators that run nothing."""
BLOCKS = ("body", "cases", "handlers", "orelse", "finalbody")
"""Where statements hold others, in the order of their fields."""
MANY = 3
"""Of how many arguments a call at most passes on what they speak of."""
Things: TypeAlias = frozenset[str]
NONE: Things = frozenset()
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Names:
    """The things to look for: what each is called, as a part of an identifier or a text."""

    def __init__(self, things: Mapping[str, Sequence[str]]) -> None:
        self.all: Things = frozenset(things)
        self.patterns = {
            thing: re.compile("|".join(rf"(?<![a-z]){re.escape(name)}" for name in names))
            for thing, names in things.items()
        }
        self._known: dict[str, Things] = {}
        self._bodies: dict[_Function, Things] = {}

    def of(self, text: str) -> Things:
        """What a text speaks of."""
        text = text.lower()
        return frozenset(thing for thing, pattern in self.patterns.items() if pattern.search(text))

    def of_name(self, name: str) -> Things:
        """What an identifier speaks of; the same few come again and again."""
        if name not in self._known:
            self._known[name] = self.of(name)
        return self._known[name]

    def of_body(self, function: _Function) -> Things:
        """What a function speaks of, wherever in it."""
        if function not in self._bodies:
            self._bodies[function] = self.of(ast.dump(ast.Module(function.body, [])))
        return self._bodies[function]


def refusing(trees: Sequence[ast.Module], names: Names) -> Iterator[str]:
    """The functions of some modules that stop the program on a condition that speaks of all things.

    One without a name is what a module or a class does when it is loaded.
    """
    bodies = [node for tree in trees for node in _bodies(tree)]
    functions = {node.name: node for node in bodies if isinstance(node, _Function)}
    own: dict[int, dict[str, Things]] = {}
    for node in bodies:
        if isinstance(node, ast.ClassDef):
            attributes: dict[str, Things] = {}
            for method in node.body:
                if isinstance(method, _Function):
                    own[id(method)] = attributes
                    _Scope(names, functions, attributes).block(method.body, NONE)
    for node in bodies:
        if _Scope(names, functions, own.get(id(node), {})).block(node.body, NONE):
            yield node.name if isinstance(node, _Function) and not _registered(node) else ""


class _Scope:
    """The statements of one function or module, in order: what its variables speak of so far.

    ATTRIBUTES are those of its object: what all methods of the class set them to.
    """

    def __init__(self, names: Names, functions: Mapping[str, _Function], attributes: dict[str, Things]) -> None:
        self.names = names
        self.functions = functions
        self.attributes = attributes
        self.variables: dict[str, Things] = {}

    def block(self, body: Sequence[ast.stmt], under: Things) -> bool:
        """Whether a statement stops the program under all things; UNDER is what leads to the block."""
        for statement in body:
            if self.statement(statement, under):
                return True
            if isinstance(statement, ast.If) and _leaves(statement.body):
                under |= self.spoken(statement.test)
        return False

    def statement(self, node: ast.stmt, under: Things) -> bool:
        if isinstance(node, _Function | ast.ClassDef):
            return False
        if isinstance(node, ast.Raise):
            return node.exc is not None and under >= self.names.all
        if isinstance(node, ast.Expr):
            return self.expression(node.value, under)
        if isinstance(node, ast.Assert):
            return under | self.spoken(node.test) >= self.names.all
        if isinstance(node, ast.If | ast.While):
            inner = under | self.spoken(node.test)
            return self.block(node.body, inner) or self.block(node.orelse, inner)
        if isinstance(node, ast.For | ast.AsyncFor):
            inner = under | self.assign([node.target], self.spoken(node.iter))
            return self.block(node.body, inner) or self.block(node.orelse, inner)
        if isinstance(node, ast.Match):
            subject = under | self.spoken(node.subject)
            for case in node.cases:
                inner = subject | (self.spoken(case.guard) if case.guard else NONE) | self.spoken(case.pattern)
                if self.block(case.body, inner):
                    return True
            return False
        if isinstance(node, TRIES):
            blocks = [node.body, *(handler.body for handler in node.handlers), node.orelse, node.finalbody]
            return any(self.block(body, under) for body in blocks)
        if isinstance(node, ast.With | ast.AsyncWith):
            return self.block(node.body, under)
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and node.value is not None:
            value = NONE if _makes(node.value) else self.spoken(node.value)
            self.assign(node.targets if isinstance(node, ast.Assign) else [node.target], under | value)
        return False

    def expression(self, node: ast.expr, under: Things) -> bool:
        """Whether an expression, as in `wrong and parser.error(…)`, stops the program under all things."""
        if isinstance(node, ast.BoolOp):
            return self.expression(node.values[-1], under.union(*map(self.spoken, node.values[:-1])))
        if isinstance(node, ast.IfExp):
            inner = under | self.spoken(node.test)
            return self.expression(node.body, inner) or self.expression(node.orelse, inner)
        return self.stops(node) and under >= self.names.all

    def assign(self, targets: Sequence[ast.expr], things: Things) -> Things:
        """Variables, and attributes of whatever object, speak of THINGS from now on."""
        pending = list(targets)
        while pending:
            target = pending.pop()
            if isinstance(target, ast.Tuple | ast.List):
                pending += target.elts
            elif isinstance(target, ast.Starred | ast.Subscript):
                pending.append(target.value)
            elif isinstance(target, ast.Name | ast.Attribute):
                known, name = self.known(target)
                known[name] = known.get(name, NONE) | things
        return things

    def known(self, node: ast.Name | ast.Attribute) -> tuple[dict[str, Things], str]:
        """Where it is kept what a variable or an attribute speaks of, and under which name."""
        if isinstance(node, ast.Name):
            return self.variables, node.id
        of_self = isinstance(node.value, ast.Name) and node.value.id == "self"
        return (self.attributes, node.attr) if of_self else (self.variables, f".{node.attr}")

    def stops(self, node: ast.expr) -> bool:
        """Whether a call ends the program, itself or in the function that it calls."""
        if not isinstance(node, ast.Call):
            return False
        called = _called(node)
        if called in EXITS:
            return True
        function = self.functions.get(called)
        return function is not None and any(
            isinstance(inner, ast.Raise) or (isinstance(inner, ast.Call) and _called(inner) in EXITS)
            for inner in ast.walk(function)
        )

    def spoken(self, node: ast.AST) -> Things:
        """What an expression speaks of."""
        things = NONE
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name | ast.Attribute):
                known, name = self.known(inner)
                things |= known.get(name, NONE) | self.names.of_name(name)
            elif isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                things |= self.names.of(inner.value)
            if isinstance(inner, ast.Call) and (function := self.functions.get(_called(inner))):
                things |= self.names.of_body(function)
        return things


def _bodies(tree: ast.Module) -> Iterator[ast.Module | ast.ClassDef | _Function]:
    """A module with its classes and functions, in the order of `ast.walk`, which would go through expressions too."""
    pending: list[ast.AST] = [tree]
    for node in pending:
        if isinstance(node, ast.Module | ast.ClassDef | _Function):
            yield node
        for field in BLOCKS:
            pending += getattr(node, field, ())


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _registered(node: _Function) -> bool:
    """Whether a decorator may see to it that a function is run."""
    return not all(isinstance(one, ast.Name) and one.id in PLAIN for one in node.decorator_list)


def _makes(node: ast.expr) -> bool:
    """Whether a value is an object that is made of many things, and so no longer speaks of any one of them."""
    return isinstance(node, ast.Call) and (bool(node.keywords) or len(node.args) > MANY)


def _leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether a block ends its function or loop turn, so that what follows stands under its opposite."""
    return bool(body) and isinstance(body[-1], ast.Return | ast.Continue | ast.Break)

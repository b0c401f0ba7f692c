"""Expressions of a trainer's source as values."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from recipelint.python import pure
from recipelint.python.attributes import ENUMS, Attributes
from recipelint.python.cost import len_of, operation, weight
from recipelint.python.parsers import Group, Option, Parser, Subparsers
from recipelint.python.schema import UNKNOWN
from recipelint.python.values import (
    LENGTH_CAP,
    Bound,
    Class,
    DictValue,
    External,
    Function,
    ListValue,
    Member,
    Module,
    Scope,
    Value,
    short,
)

ARGV = ("sys.argv", "sys.argv[1:]")


class Expressions(Attributes):
    """Gives each expression its value; what it cannot tell is UNKNOWN, and what that swallows escapes."""

    def value(self, node: ast.expr, scope: Scope) -> Value:
        self.step(node)
        if isinstance(node, ast.Constant):
            kept = node.value is None or isinstance(node.value, str | int | float)
            return node.value if kept else UNKNOWN
        if isinstance(node, ast.Name):
            return self.name(node.id, scope)
        method = getattr(self, "_" + type(node).__name__.lower(), None)
        with self.nested(node):
            if method is not None:
                return method(node, scope)
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    self.escape(self.value(child, scope), node)
        return UNKNOWN

    # --- texts, operators ------------------------------------------------------------------------

    def _joinedstr(self, node: ast.JoinedStr, scope: Scope) -> Value:
        pieces = [self.value(part, scope) for part in node.values]
        known = all(isinstance(piece, str) for piece in pieces)
        return "".join(pieces) if known and sum(map(len, pieces)) <= LENGTH_CAP else UNKNOWN

    def _formattedvalue(self, node: ast.FormattedValue, scope: Scope) -> Value:
        spec = self.value(node.format_spec, scope) if node.format_spec else ""
        value = self.value(node.value, scope)
        self.spend(weight(value))
        return pure.interpolated(value, node.conversion, spec) if isinstance(spec, str) else UNKNOWN

    def _unaryop(self, node: ast.UnaryOp, scope: Scope) -> Value:
        value = self.value(node.operand, scope)
        if isinstance(node.op, ast.Not):
            truth = self.truth(value)
            return UNKNOWN if truth is None else not truth
        self.spend(weight(value))
        return pure.unary(node.op, value, self.depth)

    def _binop(self, node: ast.BinOp, scope: Scope) -> Value:
        left, right = self.value(node.left, scope), self.value(node.right, scope)
        if isinstance(node.op, ast.Add):
            for kind in (ListValue, tuple):
                if type(left) is kind and type(right) is kind:
                    self.spend((len_of(left) + len_of(right)) // 8)
                    return self._joined(left, right)
        self.spend(operation(node.op, left, right))
        if isinstance(node.op, ast.Mult) and isinstance(left, ListValue) and left.known and type(right) is int:
            held = len(left.items) * max(right, 0) <= LENGTH_CAP
            return ListValue(left.items * right, self.depth) if held else UNKNOWN
        result = pure.binary(node.op, left, right, self.depth)
        if result is UNKNOWN:
            self.escape((left, right), node)
        return result

    def _joined(self, left: Value, right: Value) -> Value:
        if isinstance(left, ListValue):
            made = ListValue([*left.items, *right.items][:LENGTH_CAP], self.depth)
            made.known = left.known and right.known and len(left.items) + len(right.items) <= LENGTH_CAP
            return made
        return left + right if len(left) + len(right) <= LENGTH_CAP else UNKNOWN

    def _boolop(self, node: ast.BoolOp, scope: Scope) -> Value:
        stops = isinstance(node.op, ast.Or)
        value = self.value(node.values[0], scope)
        for at, part in enumerate(node.values[1:], 1):
            truth = self.truth(value)
            if truth is stops:
                return value
            if truth is None:
                return self._undecided_bool(value, node.values[at:], node, scope)
            value = self.value(part, scope)
        return value

    def _undecided_bool(self, value: Value, rest: list[ast.expr], node: ast.AST, scope: Scope) -> Value:
        def evaluated() -> Value:
            for one in rest:
                self.escape(self.value(one, scope), node)

        self.either([lambda: None, evaluated], node)
        self.escape(value, node)
        return UNKNOWN

    def _compare(self, node: ast.Compare, scope: Scope) -> Value:
        left, result = self.value(node.left, scope), True
        for kind, part in zip(node.ops, node.comparators, strict=True):
            right = self.value(part, scope)
            if isinstance(kind, ast.In | ast.NotIn) and isinstance(right, External) and right.name in ARGV:
                self.open_all("what is done depends on the command line", node)
            one = self._is(kind, left, right) if isinstance(kind, ast.Is | ast.IsNot) else None
            self.spend(weight(left) + weight(right) if one is None else 1)
            one = pure.compare(kind, left, right) if one is None else one
            if one is UNKNOWN or not isinstance(one, bool):
                return UNKNOWN
            result, left = result and one, right
        return result

    def _is(self, kind: ast.cmpop, left: Value, right: Value) -> Value:
        """`is` and `is not`; only None, True and False are surely one thing."""
        constants = (None, True, False)
        if not any(right is one for one in constants):
            return UNKNOWN
        if left is UNKNOWN or (isinstance(left, External) and not left.name.startswith(("builtins.", "argparse."))):
            return UNKNOWN
        return (left is right) == isinstance(kind, ast.Is)

    def truth(self, value: Value) -> bool | None:
        """Whether a value counts as true; None where it is not known."""
        if value is None or isinstance(value, str | int | float | range) or type(value) is tuple:
            return bool(value)
        if isinstance(value, ListValue | DictValue):
            return bool(value.items) if value.known else None
        if isinstance(value, Function | Bound) and not getattr(value, "sure", True):
            return None
        if isinstance(value, Function | Class | Module | Parser | Group | Subparsers | Option | Bound):
            return True
        return None

    def _ifexp(self, node: ast.IfExp, scope: Scope) -> Value:
        truth = self.truth(self.value(node.test, scope))
        if truth is not None:
            return self.value(node.body if truth else node.orelse, scope)
        ways = [lambda: self.value(node.body, scope), lambda: self.value(node.orelse, scope)]
        return self.merged(self.either(ways, node), node)

    def _namedexpr(self, node: ast.NamedExpr, scope: Scope) -> Value:
        value = self.value(node.value, scope)
        while scope.inline and scope.parent is not None:
            scope = scope.parent
        self.assign(node.target, value, scope)
        return value

    def _await(self, node: ast.Await, scope: Scope) -> Value:
        return self.value(node.value, scope)

    # --- loops over them -------------------------------------------------------------------------

    def items(self, value: Value) -> list[Value] | None:
        """What a loop over a value gives; None where that is not known, or more than is followed."""
        self.spend(len_of(value) // 8)
        if isinstance(value, ListValue | DictValue):
            self.steps += len(value.items) // 4
            return list(value.items) if value.known else None
        if isinstance(value, str) or type(value) is tuple or (isinstance(value, range) and short(value)):
            return list(value)
        if isinstance(value, Class) and value.derives(*ENUMS) and value.sure:
            self.spend(len(value.scope.names))
            return list(self._members(value))
        return None

    def _members(self, cls: Class) -> Iterator[Member]:
        for name, value in cls.scope.names.items():
            if not name.startswith("_") and not isinstance(value, Function | Class):
                yield Member(cls, name, value)

"""Expressions of a trainer's source as values."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from recipelint.python import pure
from recipelint.python.machine import Machine
from recipelint.python.parsers import Group, Option, Parser, Subparsers
from recipelint.python.schema import UNKNOWN
from recipelint.python.values import (
    LENGTH_CAP,
    Bound,
    Class,
    DictValue,
    External,
    Function,
    Instance,
    Lazy,
    ListValue,
    Member,
    Module,
    Names,
    Scope,
    Super,
    Value,
    short,
)

BUILTINS = frozenset(
    """abs all any bool chr dict divmod enumerate filter float frozenset getattr hasattr int isinstance iter len list
    map max min next object ord print property range repr reversed round set setattr sorted staticmethod classmethod str
    sum super tuple type zip exit quit vars id""".split()
)


class Expressions(Machine):
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

    def name(self, name: str, scope: Scope | None) -> Value:
        """What a name is bound to."""
        at = scope
        while at is not None:
            if name in at.names and name not in at.declared:
                return self.settled(at.names, name)
            at = at.parent
        if scope is not None and name in scope.module.names:
            return self.settled(scope.module.names, name)
        return External(f"builtins.{name}") if name in BUILTINS else UNKNOWN

    def settled(self, names: Names, name: str) -> Value:
        """What a name is bound to, looked up now if it was put off."""
        value = names[name]
        if isinstance(value, Lazy):
            lazy = value
            names[name] = UNKNOWN  # what comes back to it, in a circle of imports, does not find it yet
            found = self.member(value.module, value.name)
            value = names[name] = UNKNOWN if lazy.name in lazy.module.changed else found
        return value

    # --- attributes and items --------------------------------------------------------------------

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Value:
        return self.attribute(self.value(node.value, scope), node.attr, node)

    def attribute(self, value: Value, name: str, node: ast.AST) -> Value:
        """An attribute of a value."""
        if isinstance(value, Module):
            return self.member(value, name)
        if isinstance(value, External):
            return self.imported(f"{value.name}.{name}")
        if isinstance(value, Parser) and (value.cls is not None or name in value.names):
            own = value.names.get(name)
            if own is None and value.cls is not None:
                own = self._of_class(value.cls, name, value)
            if own is not UNKNOWN and own is not None:
                return own
        if isinstance(value, Parser) and name == "_action_groups":
            return ListValue([Group(value, None), Group(value, None)], value.depth)
        if isinstance(value, Parser) and name in ("_optionals", "_positionals"):
            return Group(value, None)
        if isinstance(value, Parser | Group) and name.startswith("_"):
            parser = value if isinstance(value, Parser) else value.parser
            self.open(parser, f"it uses argparse's inner {name}", node)
            return UNKNOWN
        if isinstance(value, Option) and name in ("dest", "default", "const", "nargs", "required"):
            return UNKNOWN if value.open else getattr(value, name)
        if isinstance(value, Class):
            return self._of_class(value, name, None)
        if isinstance(value, Instance):
            if name.startswith("__"):
                self.escape(value, node)
            if name in value.names:
                return value.names[name]
            found = self._of_class(value.cls, name, value)
            if found is UNKNOWN and not all(isinstance(base, Class) for base in value.cls.lineage):
                self.escape(value, node)  # a method of a base outside of the tree may do anything with it
            return found
        if isinstance(value, Super):
            return self._of_super(value, name)
        if isinstance(value, Member):
            return {"name": value.name, "value": value.value}.get(name, UNKNOWN)
        if isinstance(value, str | tuple | ListValue | DictValue | Parser | Group | Subparsers):
            return Bound(value, name)
        return UNKNOWN

    def _of_class(self, cls: Class, name: str, instance: Instance | Parser | None) -> Value:
        try:
            found = cls.find(name)
        except KeyError:
            return cls.node.name if name == "__name__" and instance is None else UNKNOWN
        if isinstance(found, Function):
            return self.bound(found, cls, instance)
        if instance is None and cls.derives(*ENUMS) and not name.startswith("_"):
            return Member(cls, name, found)
        return found

    def bound(self, found: Function, cls: Class, receiver: Value) -> Value:
        """A function of a class as it is seen on the class, or on an object of it."""
        if found.kind == "classmethod":
            return Bound(cls, found.name, found)
        if found.kind == "staticmethod" or receiver is None:
            return found
        bound = Bound(receiver, found.name, found)
        return self.call(bound, [], {}, found.node) if found.kind == "property" else bound

    def _of_super(self, value: Super, name: str) -> Value:
        for base in value.cls.lineage[1:]:
            if isinstance(base, Class) and name in base.scope.names:
                found = base.scope.names[name]
                return self.bound(found, base, value.receiver) if isinstance(found, Function) else found
        return Bound(value.receiver, name) if isinstance(value.receiver, Parser) else UNKNOWN

    def _subscript(self, node: ast.Subscript, scope: Scope) -> Value:
        value, index = self.value(node.value, scope), self.value(node.slice, scope)
        if value == External("sys.argv") and index == slice(1, None, None):
            return External("sys.argv[1:]")
        if isinstance(value, DictValue) and value.known and isinstance(index, str | int | float):
            return value.items.get(index, UNKNOWN)
        if isinstance(value, Class) and isinstance(index, str) and value.derives(*ENUMS):
            return self._of_class(value, index, None)
        items: Value = value if isinstance(value, str) or type(value) is tuple else None
        if isinstance(value, ListValue) and value.known:
            items = value.items
        if items is not None and isinstance(index, int) and -len(items) <= index < len(items):
            return items[index]
        if items is not None and isinstance(index, slice):
            return ListValue(items[index], self.depth) if isinstance(value, ListValue) else items[index]
        self.escape(value, node)
        return UNKNOWN

    def _slice(self, node: ast.Slice, scope: Scope) -> Value:
        parts = [self.value(part, scope) if part else None for part in (node.lower, node.upper, node.step)]
        known = all(part is None or isinstance(part, int) for part in parts) and parts[2] != 0
        return slice(*parts) if known else UNKNOWN

    # --- texts, operators ------------------------------------------------------------------------

    def _joinedstr(self, node: ast.JoinedStr, scope: Scope) -> Value:
        pieces = [self.value(part, scope) for part in node.values]
        known = all(isinstance(piece, str) for piece in pieces)
        return "".join(pieces) if known and sum(map(len, pieces)) <= LENGTH_CAP else UNKNOWN

    def _formattedvalue(self, node: ast.FormattedValue, scope: Scope) -> Value:
        spec = self.value(node.format_spec, scope) if node.format_spec else ""
        value = self.value(node.value, scope)
        return pure.interpolated(value, node.conversion, spec) if isinstance(spec, str) else UNKNOWN

    def _unaryop(self, node: ast.UnaryOp, scope: Scope) -> Value:
        value = self.value(node.operand, scope)
        if isinstance(node.op, ast.Not):
            truth = self.truth(value)
            return UNKNOWN if truth is None else not truth
        return pure.unary(node.op, value, self.depth)

    def _binop(self, node: ast.BinOp, scope: Scope) -> Value:
        left, right = self.value(node.left, scope), self.value(node.right, scope)
        if isinstance(node.op, ast.Add):
            for kind in (ListValue, tuple):
                if type(left) is kind and type(right) is kind:
                    return self._joined(left, right)
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
            one = self._is(kind, left, right) if isinstance(kind, ast.Is | ast.IsNot) else None
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
        self.assign(node.target, value, scope)
        return value

    def _await(self, node: ast.Await, scope: Scope) -> Value:
        return self.value(node.value, scope)

    # --- what the rest of the reading gives ------------------------------------------------------

    def member(self, module: Module, name: str) -> Value:
        raise NotImplementedError

    def imported(self, name: str) -> Value:
        raise NotImplementedError

    def items(self, value: Value) -> list[Value] | None:
        """What a loop over a value gives; None where that is not known, or more than is followed."""
        if isinstance(value, ListValue | DictValue):
            self.steps += len(value.items) // 4
            return list(value.items) if value.known else None
        if isinstance(value, str) or type(value) is tuple or (isinstance(value, range) and short(value)):
            return list(value)
        if isinstance(value, Class) and value.derives(*ENUMS) and value.sure:
            return list(self._members(value))
        return None

    def _members(self, cls: Class) -> Iterator[Member]:
        for name, value in cls.scope.names.items():
            if not name.startswith("_") and not isinstance(value, Function | Class):
                yield Member(cls, name, value)


ENUMS = ("enum.Enum", "enum.IntEnum", "enum.StrEnum")

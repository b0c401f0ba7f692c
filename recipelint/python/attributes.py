"""Names, attributes and items of a trainer's source: what each leads to."""

from __future__ import annotations

import ast

from recipelint.python.escaping import Escaping
from recipelint.python.parsers import Group, Option, Parser, Subparsers
from recipelint.python.schema import UNKNOWN
from recipelint.python.values import (
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
)

ENUMS = ("enum.Enum", "enum.IntEnum", "enum.StrEnum")
BUILTINS = frozenset(
    """abs all any bool chr dict divmod enumerate filter float frozenset getattr hasattr int isinstance iter len list
    map max min next object ord print property range repr reversed round set setattr sorted staticmethod classmethod str
    sum super tuple type zip exit quit vars id __import__ eval exec
    globals locals""".split()
)


class Attributes(Escaping):
    """Looks up names, attributes and items; what cannot be known of them is UNKNOWN."""

    def member(self, module: Module, name: str) -> Value:
        raise NotImplementedError

    def imported(self, name: str) -> Value:
        raise NotImplementedError

    def name(self, name: str, scope: Scope | None) -> Value:
        """What a name is bound to."""
        at = scope
        while at is not None:
            if name in at.names and name not in at.declared:
                return self.settled(at.names, name)
            at = None if name in at.globals else at.parent
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
        if isinstance(value, Module | Class) and name == "__dict__":
            self.escape(value, node)
            return UNKNOWN
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
        if isinstance(value, Option) and name in ("dest", "default", "const", "nargs", "required", "choices"):
            return UNKNOWN if value.open else getattr(value, name)
        if isinstance(value, Option) and name not in ("help", "metavar", "option_strings"):
            self.escape(value, node)
            return UNKNOWN
        if isinstance(value, Class):
            return self._of_class(value, name, None)
        if isinstance(value, Instance):
            if name.startswith("__"):
                self.escape(value, node)
            if name in value.names:
                return value.names[name]
            found = self._of_class(value.cls, name, value)
            if value.loose and not isinstance(found, Function | Bound):
                found = UNKNOWN
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
        self.spend(len(cls.lineage) // 4)
        try:
            found = cls.find(name)
        except KeyError:
            return cls.node.name if name == "__name__" and instance is None else UNKNOWN
        if isinstance(found, Function):
            return self.bound(found, cls, instance)
        if any(isinstance(one, Class) and one.loose for one in cls.lineage):
            return UNKNOWN
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
        self.spend(len(value.cls.lineage) // 4)
        receiver = value.receiver
        own = receiver if isinstance(receiver, Class) else getattr(receiver, "cls", None)
        line = own.lineage if isinstance(own, Class) and value.cls in own.lineage else value.cls.lineage
        for base in line[line.index(value.cls) + 1 :]:
            if isinstance(base, Class) and name in base.scope.names:
                found = base.scope.names[name]
                return self.bound(found, base, value.receiver) if isinstance(found, Function) else found
        return Bound(value.receiver, name) if isinstance(value.receiver, Parser) else UNKNOWN

    def _subscript(self, node: ast.Subscript, scope: Scope) -> Value:
        value, index = self.value(node.value, scope), self.value(node.slice, scope)
        if value == External("sys.argv") and index == 0:
            return UNKNOWN
        if value == External("sys.modules"):
            self.open_all("sys.modules leads to what is not followed", node)
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
            self.spend(len(items) // 8)
            return ListValue(items[index], self.depth) if isinstance(value, ListValue) else items[index]
        self.escape(value, node)
        return UNKNOWN

    def _slice(self, node: ast.Slice, scope: Scope) -> Value:
        parts = [self.value(part, scope) if part else None for part in (node.lower, node.upper, node.step)]
        known = all(part is None or isinstance(part, int) for part in parts) and parts[2] != 0
        return slice(*parts) if known else UNKNOWN

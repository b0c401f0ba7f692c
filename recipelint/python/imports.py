"""Imports of a trainer: files of the tree become modules, whose names are looked up when they are first needed.

A module whose text has to do with argparse runs when it is imported, as it may add to a parser or parse by itself.
"""

from __future__ import annotations

import ast

from recipelint.python.calls import Calls
from recipelint.python.machine import Ended
from recipelint.python.schema import SUPPRESS, UNKNOWN
from recipelint.python.stirring import changed_in, meddles, stirs, touched
from recipelint.python.values import (
    Class,
    DictValue,
    External,
    Function,
    Instance,
    Lazy,
    ListValue,
    Module,
    Scope,
    Value,
    plain,
)

CONSTANTS = {
    "argparse.OPTIONAL": "?",
    "argparse.ZERO_OR_MORE": "*",
    "argparse.ONE_OR_MORE": "+",
    "argparse.PARSER": "A...",
    "argparse.REMAINDER": "...",
    "argparse.SUPPRESS": SUPPRESS,
    "typing.TYPE_CHECKING": False,
}
NAME_CAP = 500
"""Characters of a dotted name that may be that of a module."""
LOOKING = 10
"""What it costs to see whether a file is there."""


class Imports(Calls):
    """Binds what imports give."""

    def imported(self, name: str) -> Value:
        """What a full dotted name leads to: a module of the tree, something in one, or something outside."""
        if name in CONSTANTS:
            return CONSTANTS[name]
        if len(name) > NAME_CAP:
            return UNKNOWN
        looked = len(self.modules.files)
        path = self.modules.find(name)
        self.spend(1 + LOOKING * (len(self.modules.files) - looked))
        if path is not None:
            return self.loaded(path, name) or UNKNOWN
        head, _, tail = name.rpartition(".")
        if head and self.modules.find(head) is not None:
            module = self.imported(head)
            return self.member(module, tail) if isinstance(module, Module) else UNKNOWN
        return External(name)

    def loaded(self, path: str, name: str) -> Module | None:
        """A module of the tree; what it fills in others, when it is run, is not known from then on."""
        new = path not in self.modules.modules
        module = self.modules.load(path, name)
        if module is not None and new:
            module.touching = touched(module.source.data) | self._far(module)
            for other in self.modules.modules.values():
                if other is not None and other is not module and other.started and other.path != self.entry:
                    self._filled(other, module.touching)
        return module

    def _far(self, module: Module) -> frozenset[str]:
        """What the modules touch that a module imports, and they in turn; none of them is run for that.

        One that changes the command line, or argparse, at its top is run, though.
        """
        found: set[str] = set()
        for name, source in self.modules.reached(module):
            found |= touched(source.data)
            if meddles(source.data):
                path = self.modules.find(name)
                far = self.modules.load(path, name) if path is not None else None
                if far is not None and far.path != self.entry:
                    self.started(far)
        return frozenset(found)

    def _filled(self, module: Module, names: frozenset[str]) -> None:
        for name in names & module.names.keys():
            value = module.names[name]
            if isinstance(value, ListValue | DictValue):
                self.escape(value, module.tree)
            elif (value is None or isinstance(value, str | int | float | tuple)) and not name.startswith("__"):
                self.bind(module.names, name, UNKNOWN)

    def member(self, module: Module, name: str) -> Value:
        """A name of a module, or a module inside a package; the module runs first."""
        self.started(module)
        if name in module.names and name != "__name__":
            found = self.settled(module.names, name)
            return UNKNOWN if module.loose and not isinstance(found, Function | Class | Module) else found
        if module.package:
            path = self.modules.find(f"{module.dotted}.{name}")
            if path is not None:
                return self.loaded(path, f"{module.dotted}.{name}") or UNKNOWN
        return UNKNOWN

    def started(self, module: Module) -> None:
        """Run a module of the tree, once, on its own: what it binds is there however it came to be imported."""
        if module.started:
            return
        module.started = True
        kept = self.module, self.depth, self.written, self.nesting, self.importing
        self.module, self.depth, self.written, self.importing = module, 0, None, module
        self.doubt += kept[1] > 0
        try:
            self.run_module(module)
        except Ended:
            pass
        finally:
            self.module, self.depth, self.written, self.nesting, self.importing = kept
            self.doubt -= kept[1] > 0
        self._registries(module)

    def _registries(self, module: Module) -> None:
        """Make unknown what other modules may fill: containers that are empty, or that are changed here as well."""
        containers = []
        for name, value in module.names.items():
            owners = {name: value}
            if isinstance(value, Class):
                owners = value.scope.names
            elif isinstance(value, Instance):
                owners = value.names
            containers += [(key, one) for key, one in owners.items() if isinstance(one, ListValue | DictValue)]
        changed = changed_in(module.tree) if containers else set()
        for other in self.modules.modules.values():
            if other is not None and other is not module and other.path != self.entry:
                self._filled(module, other.touching)
                changed |= other.touching
        for key, one in containers:
            if not one.items or key in changed:
                self.escape(one, module.tree)

    def packages(self, name: str) -> None:
        """Run the packages around a module, as its import does, where they have to do with argparse."""
        parts = name.split(".")
        for end in range(1, len(parts)):
            path = self.modules.find(".".join(parts[:end]))
            source = self.modules.read(path) if path is not None else None
            if path is not None and source is not None and (b"import" in source.data or stirs(source.data)):
                self.stir(self.loaded(path, ".".join(parts[:end])))

    def stir(self, value: Value) -> None:
        """Run an imported module at once if it has to do with argparse."""
        if isinstance(value, Module) and stirs(value.source.data):
            self.started(value)

    def import_(self, node: ast.Import, scope: Scope) -> None:
        """`import a.b`, `import a.b as c`"""
        for alias in node.names:
            if alias.name == "__main__":
                self.open_all("__main__ leads to what is not followed", node)
            self.packages(alias.name)
            value = self.imported(alias.name)
            self.stir(value)
            if alias.asname:
                self.bind_name(alias.asname, value, scope)
            else:
                top = alias.name.partition(".")[0]
                self.bind_name(top, self.imported(top), scope)

    def import_from(self, node: ast.ImportFrom, scope: Scope) -> None:
        """`from a import b as c`, relative or not"""
        base = self._base(node, scope.module)
        self.packages(base)
        module = self.imported(base) if base else UNKNOWN
        self.stir(module)
        for alias in node.names:
            if alias.name == "*":
                self._star(module, scope)
                continue
            value: Value = UNKNOWN
            if isinstance(module, Module):
                below = self.modules.find(f"{base}.{alias.name}") if module.package else None
                if below is not None:
                    self.stir(self.loaded(below, f"{base}.{alias.name}"))
                value = Lazy(module, alias.name)
                if module.started:
                    value = self.member(module, alias.name)
            elif base:
                value = self.imported(f"{base}.{alias.name}")
                self.stir(value)
            self.bind_name(alias.asname or alias.name, value, scope)

    def import_named(self, args: list[Value], node: ast.AST) -> Value:
        """A module that is imported by the text of its name."""
        name = args[0] if len(args) == 1 else UNKNOWN
        if not isinstance(name, str) or not name or name.startswith("."):
            self.open_all("a module is imported whose name is not known", node)
            return UNKNOWN
        self.packages(name)
        module = self.imported(name)
        self.stir(module)
        return module

    def _base(self, node: ast.ImportFrom, module: Module) -> str:
        """The full name of the module that is imported from; empty where it leaves the tree."""
        if not node.level:
            return node.module or ""
        parts = module.dotted.split(".")
        up = node.level - module.package
        if up > len(parts):
            return ""
        return ".".join([*parts[: len(parts) - up], *([node.module] if node.module else [])])

    def _star(self, module: Value, scope: Scope) -> None:
        if not isinstance(module, Module):
            scope.module.starred = True
            return
        self.started(module)
        self.spend(len(module.names))
        scope.module.starred = scope.module.starred or module.starred
        public = [name for name in module.names if not name.startswith("_")]
        if "__all__" in module.names:
            try:
                public = [name for name in plain(module.names["__all__"]) if name in module.names]
            except Exception:
                scope.module.starred = True
        for name in public:
            self.bind_name(name, module.names[name], scope)

    def bind_name(self, name: str, value: Value, scope: Scope) -> None:
        """Bind a name where an assignment in a scope would."""
        at: Scope | None = scope
        if name in scope.declared:
            at = None if name in scope.globals else scope.parent
            while at is not None and name not in at.names:
                at = at.parent
        if name in scope.declared and at is None:
            scope.module.changed.add(name)
        self.bind(at.names if at is not None else scope.module.names, name, value)

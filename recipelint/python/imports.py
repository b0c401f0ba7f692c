"""Imports of a trainer: files of the tree become modules, whose names are looked up when they are first needed.

A module whose text has to do with argparse runs when it is imported, as it may add to a parser or parse by itself.
"""

from __future__ import annotations

import ast

from recipelint.python.calls import Calls
from recipelint.python.machine import Ended
from recipelint.python.schema import SUPPRESS, UNKNOWN
from recipelint.python.values import Class, DictValue, External, Instance, Lazy, ListValue, Module, Scope, Value, plain

STIRRING = (b"argparse", b"ArgumentParser", b"add_argument", b"parse_args")
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
CHANGING = frozenset("add append clear discard extend insert pop popitem remove setdefault update".split())


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
            return self.modules.load(path, name) or UNKNOWN
        head, _, tail = name.rpartition(".")
        if head and self.modules.find(head) is not None:
            module = self.imported(head)
            return self.member(module, tail) if isinstance(module, Module) else UNKNOWN
        return External(name)

    def member(self, module: Module, name: str) -> Value:
        """A name of a module, or a module inside a package; the module runs first."""
        self.started(module)
        if name in module.names and name != "__name__":
            return self.settled(module.names, name)
        if module.package:
            path = self.modules.find(f"{module.dotted}.{name}")
            if path is not None:
                return self.modules.load(path, f"{module.dotted}.{name}") or UNKNOWN
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
        changed = _changed(module.tree) if containers else set()
        for key, one in containers:
            if not one.items or key in changed:
                self.escape(one, module.tree)

    def stir(self, value: Value) -> None:
        """Run an imported module at once if it has to do with argparse."""
        if isinstance(value, Module) and any(word in value.source.data for word in STIRRING):
            self.started(value)

    def import_(self, node: ast.Import, scope: Scope) -> None:
        """`import a.b`, `import a.b as c`"""
        for alias in node.names:
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
                    self.stir(self.modules.load(below, f"{base}.{alias.name}"))
                value = Lazy(module, alias.name)
                if module.started:
                    value = self.member(module, alias.name)
            elif base:
                value = self.imported(f"{base}.{alias.name}")
                self.stir(value)
            self.bind_name(alias.asname or alias.name, value, scope)

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
            at = scope.parent
            while at is not None and name not in at.names:
                at = at.parent
        if name in scope.declared and at is None:
            scope.module.changed.add(name)
        self.bind(at.names if at is not None else scope.module.names, name, value)


def _changed(tree: ast.AST) -> set[str]:
    """The names, and names of attributes, whose content a module changes somewhere."""
    found: set[str] = set()
    for one in ast.walk(tree):
        changed: ast.AST | None = None
        if isinstance(one, ast.Subscript) and not isinstance(one.ctx, ast.Load):
            changed = one.value
        elif isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute):
            changed = one.func.value if one.func.attr in CHANGING else None
        elif isinstance(one, ast.AugAssign):
            changed = one.target
        if isinstance(changed, ast.Name | ast.Attribute):
            found.add(changed.id if isinstance(changed, ast.Name) else changed.attr)
    return found

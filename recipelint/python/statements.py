"""Statements of a trainer, run as far as they decide which parser reads the command line.

Of a condition that is not known both sides are run, as something that may not happen.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from recipelint.python import pure
from recipelint.python.arguments import READING
from recipelint.python.cost import operation
from recipelint.python.definitions import Definitions
from recipelint.python.machine import Ended
from recipelint.python.modules import Modules
from recipelint.python.outside import Frame
from recipelint.python.parsers import Group, Option, Parser, Subparsers
from recipelint.python.schema import UNKNOWN
from recipelint.python.values import (
    LENGTH_CAP,
    Class,
    DictValue,
    External,
    Function,
    Instance,
    ListValue,
    Module,
    Scope,
    Value,
)

CHANGED = ("argparse.", "builtins.", "sys.argv", "sys.exit", "sys.path", "sys.modules")
"""What decides how a command line is read, if a trainer sets it."""
DECIDING_NAMES = frozenset([*READING, "add_argument", "argv", "error", "exit"])


class Statements(Definitions):
    """Runs statements."""

    def __init__(self, modules: Modules) -> None:
        super().__init__(modules)
        self.frames: list[Frame] = []
        self.generators: dict[ast.AST, bool] = {}

    def run_module(self, module: Module) -> None:
        self.block(module.tree.body, Scope(module, module.names, None))

    def block(self, body: Sequence[ast.stmt], scope: Scope) -> str | None:
        """Run statements; "return", "break" or "continue" if one of them leaves the block for certain."""
        for node in body:
            self.step(node)
            flow = self.statement(node, scope)
            if flow is not None:
                return flow
        return None

    def statement(self, node: ast.stmt, scope: Scope) -> str | None:
        run: Callable[..., str | None] | None = getattr(self, "do_" + type(node).__name__.lower(), None)
        return run(node, scope) if run is not None else None

    # --- leaving ---------------------------------------------------------------------------------

    def do_return(self, node: ast.Return, scope: Scope) -> str:
        value = self.value(node.value, scope) if node.value else None
        if self.frames:
            self.frames[-1].returned.append(value)
        return "return"

    def do_raise(self, node: ast.Raise, scope: Scope) -> str | None:
        if node.exc is not None:
            self.value(node.exc, scope)
        raise Ended

    def do_break(self, node: ast.Break, scope: Scope) -> str:
        return "break"

    def do_continue(self, node: ast.Continue, scope: Scope) -> str:
        return "continue"

    # --- simple ones -----------------------------------------------------------------------------

    def do_expr(self, node: ast.Expr, scope: Scope) -> None:
        self.value(node.value, scope)

    def do_assert(self, node: ast.Assert, scope: Scope) -> None:
        self.value(node.test, scope)

    def do_import(self, node: ast.Import, scope: Scope) -> None:
        self.import_(node, scope)

    def do_importfrom(self, node: ast.ImportFrom, scope: Scope) -> None:
        self.import_from(node, scope)

    def do_global(self, node: ast.Global, scope: Scope) -> None:
        self.spend(len(node.names))
        scope.declared.update(node.names)
        scope.globals.update(node.names)

    def do_nonlocal(self, node: ast.Nonlocal, scope: Scope) -> None:
        self.spend(len(node.names))
        scope.declared.update(node.names)

    def do_delete(self, node: ast.Delete, scope: Scope) -> None:
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                owner, key = self.value(target.value, scope), self.value(target.slice, scope)
                if isinstance(owner, DictValue):
                    self.dict_method(owner, "pop", [key], {}, node)
                else:
                    self._set_item(owner, UNKNOWN, UNKNOWN, node)
            else:
                self.assign(target, UNKNOWN, scope)

    def do_assign(self, node: ast.Assign, scope: Scope) -> None:
        value = self.value(node.value, scope)
        for target in node.targets:
            self.assign(target, value, scope)

    def do_annassign(self, node: ast.AnnAssign, scope: Scope) -> None:
        if node.value is not None:
            self.assign(node.target, self.value(node.value, scope), scope)

    def do_augassign(self, node: ast.AugAssign, scope: Scope) -> None:
        load: ast.expr = node.target
        old, value = self.value(load, scope), self.value(node.value, scope)
        if isinstance(old, ListValue) and isinstance(node.op, ast.Add):
            self.list_method(old, "extend", [value], node)
        elif isinstance(old, DictValue) and isinstance(node.op, ast.BitOr):
            self.dict_method(old, "update", [value], {}, node)
        elif type(old) is tuple and type(value) is tuple and isinstance(node.op, ast.Add):
            self.spend((len(old) + len(value)) // 8)
            self.assign(node.target, old + value if len(old) + len(value) <= LENGTH_CAP else UNKNOWN, scope)
        else:
            if isinstance(old, External) and old.name.startswith("sys.argv"):
                self.open_all("the trainer changes its command line", node)
            self.spend(operation(node.op, old, value))
            result = pure.binary(node.op, old, value, self.depth)
            if result is UNKNOWN:
                self.escape((old, value), node)
            self.assign(node.target, result, scope)

    # --- assignment ------------------------------------------------------------------------------

    def assign(self, target: ast.expr, value: Value, scope: Scope) -> None:
        if isinstance(target, ast.Name):
            self.bind_name(target.id, value, scope)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value, scope)
        elif isinstance(target, ast.Tuple | ast.List):
            self._spread(target, value, scope)
        elif isinstance(target, ast.Attribute):
            self.set_attribute_of(self.value(target.value, scope), target.attr, value, target)
        elif isinstance(target, ast.Subscript):
            self._set_item(self.value(target.value, scope), self.value(target.slice, scope), value, target)

    def _spread(self, target: ast.Tuple | ast.List, value: Value, scope: Scope) -> None:
        items = self.items(value)
        starred = any(isinstance(one, ast.Starred) for one in target.elts)
        if items is None or len(items) != len(target.elts) or starred:
            self.escape(value, target)
            items = [UNKNOWN] * len(target.elts)
        for one, item in zip(target.elts, items, strict=True):
            self.assign(one, item, scope)

    def set_attribute_of(self, owner: Value, name: str, value: Value, node: ast.AST) -> None:
        if isinstance(owner, Instance) and self._is_property(owner, name):
            self.open_all(f"what setting {name} does is not followed", node)
            self.escape((owner, value), node)
        elif isinstance(owner, Instance | Module):
            if isinstance(owner, Module):
                self.started(owner)
                owner.changed.add(name)
            self.bind(owner.names, name, value)
        elif isinstance(owner, Class):
            self.bind(owner.scope.names, name, value)
        elif isinstance(owner, Parser):
            self.set_attribute(owner, name, value, node)
        elif isinstance(owner, Option):
            self.set_option(owner, name, value, node)
        elif isinstance(owner, Group | Subparsers) and name in ("title", "description", "metavar"):
            return
        elif isinstance(owner, Group | Subparsers) and name == "required" and isinstance(owner, Subparsers):
            owner.option.required = value is True
            if self.depth > owner.parser.depth or not isinstance(value, bool):
                self.open(owner.parser, "whether a subcommand is required is not known", node)
        else:
            if owner is UNKNOWN and name in DECIDING_NAMES:
                self.open_all(f"{name} is set on what is not known", node)
            if isinstance(owner, External) and f"{owner.name}.{name}".startswith(CHANGED):
                self.open_all(f"the trainer changes {owner.name}.{name}", node)
            self.escape((owner, value), node)

    def _is_property(self, owner: Instance, name: str) -> bool:
        try:
            found = owner.cls.find(name)
        except KeyError:
            return False
        return isinstance(found, Function) and found.kind == "property"

    def _set_item(self, owner: Value, key: Value, value: Value, node: ast.AST) -> None:
        if isinstance(owner, DictValue) and isinstance(key, str | int | float) and self.changeable(owner, node):
            owner.items[key] = value
            return
        if isinstance(owner, ListValue) and isinstance(key, int) and self.changeable(owner, node):
            if -len(owner.items) <= key < len(owner.items):
                owner.items[key] = value
            return
        if isinstance(owner, External) and owner.name.startswith("sys.argv"):
            self.open_all("the trainer changes its command line", node)
        self.escape((owner, value), node)

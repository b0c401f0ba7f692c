"""Functions and classes of a trainer as they are defined, and what decorators and metaclasses make of them."""

from __future__ import annotations

import ast

from recipelint.python.compound import Compound
from recipelint.python.schema import UNKNOWN
from recipelint.python.values import (
    Bound,
    Class,
    External,
    Function,
    Instance,
    Scope,
    Value,
)

TRANSPARENT = frozenset(
    """abc.abstractmethod builtins.staticmethod builtins.classmethod builtins.property contextlib.contextmanager
    functools.wraps torch.no_grad torch.inference_mode
    torch.distributed.elastic.multiprocessing.errors.record typing.final typing.overload""".split()
)
"""Decorators under which a function still does what it says."""


class Definitions(Compound):
    """Binds functions and classes."""

    def do_functiondef(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> None:
        made = self.function(node, scope)
        value: Value = made
        for decorator in reversed(node.decorator_list):
            if isinstance(decorator, ast.Attribute) and decorator.attr in ("setter", "deleter", "getter"):
                getter = self.value(decorator.value, scope)
                value = getter if decorator.attr == "setter" and isinstance(getter, Function) else UNKNOWN
                continue
            head = self.value(decorator.func if isinstance(decorator, ast.Call) else decorator, scope)
            if isinstance(decorator, ast.Call) and not (isinstance(head, External) and head.name in TRANSPARENT):
                head = self.value(decorator, scope)
            value = self._decorated(value, made, head, node)
        self.bind_name(node.name, value, scope)

    do_asyncfunctiondef = do_functiondef

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope) -> Function:
        """A function with the defaults that its parameters have now."""
        made = Function(node, scope)
        made.defaults = [self.value(default, scope) for default in node.args.defaults]
        made.keyword_defaults = [
            self.value(default, scope) if default is not None else UNKNOWN for default in node.args.kw_defaults
        ]
        return made

    def _lambda(self, node: ast.Lambda, scope: Scope) -> Value:
        return self.function(node, scope)

    def _decorated(self, value: Value, made: Function, decorator: Value, node: ast.AST) -> Value:
        if isinstance(decorator, External) and decorator.name in TRANSPARENT:
            word = decorator.name.removeprefix("builtins.")
            made.kind = word if word in ("staticmethod", "classmethod", "property") else made.kind
            return value
        if isinstance(decorator, Function | Instance | Class) or (isinstance(decorator, Bound) and decorator.function):
            return self.call(decorator, [value], {}, node)
        if decorator == External("functools.cached_property"):
            made.kind = "property"
        made.sure = False
        self.escape(value, node, "a decorator that is not known")
        return value

    def do_classdef(self, node: ast.ClassDef, scope: Scope) -> None:
        bases = [self.value(base, scope) for base in node.bases]
        names: dict[object, Value] = {}
        made = Class(node, Scope(scope.module, names, scope), bases)
        self.steps += len(bases) * len(made.lineage)
        made.sure = not node.keywords
        made.loose = bool(node.keywords)
        for decorator in node.decorator_list:
            value = self.value(decorator.func if isinstance(decorator, ast.Call) else decorator, scope)
            if value == External("dataclasses.dataclass"):
                made.dataclass = True
            elif value != External("enum.unique"):
                made.sure = False
        for keyword in node.keywords:
            self.escape(self.value(keyword.value, scope), node)
        self.block(node.body, made.scope)
        for one in names.values():
            if isinstance(one, Function) and one.owner is None:
                one.owner = made
                one.scope = scope  # the names of a class are not seen from its methods
        for base in made.lineage[1:]:
            if isinstance(base, Class) and (base.node.keywords or "__init_subclass__" in base.scope.names):
                made.sure = False
                for keyword in base.node.keywords:
                    self.escape(self.value(keyword.value, base.scope), node)
                self.escape(base, node, f"what happens to each class below {base.node.name}")
        self.bind_name(node.name, self._decorated_class(made, scope), scope)

    def _decorated_class(self, made: Class, scope: Scope) -> Value:
        """What the decorators of the tree make of a class."""
        value: Value = made
        for decorator in reversed(made.node.decorator_list):
            head = decorator.func if isinstance(decorator, ast.Call) else decorator
            if isinstance(self.value(head, scope), External):
                continue
            by = self.value(decorator, scope)
            if isinstance(by, Function | Instance | Class | Bound):
                value = self.call(by, [value], {}, made.node)
            else:
                self.escape(value, made.node)
        return value

"""Calls of functions and classes of the tree.

A function is followed into, but for generators and calls that nest without end: these may change all that they name.
"""

from __future__ import annotations

import ast

from recipelint.python.arguments import READING
from recipelint.python.cost import len_of
from recipelint.python.machine import CALL_CAP
from recipelint.python.outside import HF_PARSERS, RUNNING, Frame, Outside
from recipelint.python.parsers import Parser
from recipelint.python.schema import UNKNOWN
from recipelint.python.values import (
    PLAIN,
    Bound,
    Class,
    DictValue,
    External,
    Function,
    Instance,
    Names,
    Scope,
    Value,
)

BENIGN = frozenset("__init__ __call__ __post_init__ __repr__ __str__ __hash__ __eq__ __len__ __bool__".split())
"""Methods of Python's own that are followed, or that change nothing; a class with any other is not followed."""
SHOWN = frozenset("__repr__ __str__ __hash__ __eq__ __len__ __bool__".split())
ADDING = frozenset("add_argument_group add_mutually_exclusive_group add_subparsers set_defaults register".split())
RECURSION_CAP = 3
PARSING = (External("argparse.ArgumentParser"), *PLAIN)
CALL_STEPS = 3
"""What one call costs, in steps, but for what it does."""


class Calls(Outside):
    """Follows calls."""

    generators: dict[ast.AST, bool]

    def _call(self, node: ast.Call, scope: Scope) -> Value:
        if isinstance(node.func, ast.Name) and node.func.id in RUNNING and node.func.id not in scope.module.names:
            self.open_all(f"{node.func.id} may change anything", node)
        if isinstance(node.func, ast.Name) and node.func.id == "vars" and not node.args:
            self.open_all("vars may change anything", node)
        function = self.value(node.func, scope)
        args: list[Value] = []
        kwargs: dict[str, Value] = {}
        more = False
        for arg in node.args:
            if isinstance(arg, ast.Starred):
                value = self.value(arg.value, scope)
                items = self.items(value)
                if items is None:
                    self.escape(value, node)
                    more = True
                args += items or []
            else:
                args.append(self.value(arg, scope))
        for keyword in node.keywords:
            value = self.value(keyword.value, scope)
            self.spend(2 * len_of(value) if keyword.arg is None else 1)
            if keyword.arg is not None:
                kwargs[keyword.arg] = value
            elif isinstance(value, DictValue) and value.known and all(isinstance(key, str) for key in value.items):
                kwargs.update(value.items)
            else:
                self.escape(value, node)
                more = True
        return self.call(function, args, kwargs, node, more=more)

    def call(
        self, function: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST, *, more: bool = False
    ) -> Value:
        """What a call gives. `more`: it has arguments that are not known."""
        if isinstance(function, Bound) and function.function is not None:
            return self.enter(function.function, [function.receiver, *args], kwargs, node, more=more)
        if isinstance(function, Function):
            return self.enter(function, args, kwargs, node, more=more)
        if isinstance(function, Bound):
            return self._method(function, args, kwargs, node, more=more)
        if isinstance(function, Class):
            return self._make(function, args, kwargs, node, more=more)
        if isinstance(function, External):
            return self._external(function.name, args, kwargs, node, more=more)
        if isinstance(function, Instance):
            try:
                own = function.cls.find("__call__")
            except KeyError:
                own = None
            if isinstance(own, Function):
                return self.enter(own, [function, *args], kwargs, node, more=more)
            self.escape(function, node)
        lost, self.lost = self.lost, []
        self.escape(tuple(lost), node, "a function that is not known")
        return self._unknown("a function", args, kwargs, node)

    # --- functions of the tree -------------------------------------------------------------------

    def enter(
        self, function: Function, args: list[Value], kwargs: dict[str, Value], node: ast.AST, *, more: bool
    ) -> Value:
        """Run a function of the tree."""
        inner = function.node
        if self._is_generator(inner):
            return self._not_followed(function, f"the generator {function.name}", args, kwargs, node)
        again = self.calls.count(inner)
        if len(self.calls) >= CALL_CAP or (again >= RECURSION_CAP and self.depth):
            self.spend(4 * len(self.parsers))
            for parser in self.parsers:
                self.open(parser, f"{function.name} calls itself, or too many others", node)
            return self._not_followed(function, function.name, args, kwargs, node)
        if function.sure:
            return self._run(function, args, kwargs, node, more=more)
        ways = [lambda: self._run(function, args, kwargs, node, more=more), lambda: UNKNOWN]
        return self.merged(self.either(ways, node), node)

    def _run(
        self, function: Function, args: list[Value], kwargs: dict[str, Value], node: ast.AST, *, more: bool
    ) -> Value:
        inner = function.node
        self.steps += CALL_STEPS
        names = self.bound_names(function, args, kwargs, more=more)
        outer, depth = self.module, self.depth
        self.module = function.scope.module
        self.calls.append(inner)
        frame = Frame(function, args[0] if args else UNKNOWN)
        self.frames.append(frame)
        scope = Scope(function.scope.module, names, function.scope)
        try:
            if isinstance(inner, ast.Lambda):
                return self.value(inner.body, scope)
            if self.block(inner.body, scope) != "return":
                frame.returned.append(None)
        finally:
            self.depth = depth
            self.frames.pop()
            self.calls.pop()
            self.module = outer
        return self.merged(frame.returned, node)

    def _not_followed(
        self, function: Function, what: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """A function of the tree that is not run: it may change what it is given, and all that it names."""
        given = [*args, *kwargs.values()]
        for one in ast.walk(function.node):
            self.step(one)
            if isinstance(one, ast.Name):
                at: Scope | None = function.scope
                while at is not None:
                    given.append(at.names.get(one.id, UNKNOWN))
                    at = at.parent
                given.append(function.scope.module.names.get(one.id, UNKNOWN))
        self.escape(tuple(given), node, what)
        return UNKNOWN

    def _is_generator(self, node: ast.AST) -> bool:
        if node not in self.generators:
            self.generators[node] = not isinstance(node, ast.Lambda) and _yields(node)
        return self.generators[node]

    def bound_names(self, function: Function, args: list[Value], kwargs: dict[str, Value], *, more: bool) -> Names:
        """The parameters of a call; one that is not given is its default, or UNKNOWN."""
        spec = function.node.args
        ordered = [*spec.posonlyargs, *spec.args]
        self.spend(len(ordered) + len(spec.kwonlyargs) + len(args) + len(kwargs))
        names: Names = dict.fromkeys((arg.arg for arg in (*ordered, *spec.kwonlyargs)), UNKNOWN)
        if not more:
            firsts = ordered[len(ordered) - len(function.defaults) :]
            names.update(zip((arg.arg for arg in firsts), function.defaults, strict=False))
            names.update(zip((arg.arg for arg in spec.kwonlyargs), function.keyword_defaults, strict=False))
        names.update(zip((arg.arg for arg in ordered), args, strict=False))
        if spec.vararg is not None:
            names[spec.vararg.arg] = UNKNOWN if more else tuple(args[len(ordered) :])
        rest = {name: value for name, value in kwargs.items() if name not in names}
        names.update({name: value for name, value in kwargs.items() if name in names})
        if spec.kwarg is not None:
            names[spec.kwarg.arg] = DictValue(dict(rest), self.depth)
            names[spec.kwarg.arg].known = not more
        return names

    # --- classes of the tree ---------------------------------------------------------------------

    def _make(self, cls: Class, args: list[Value], kwargs: dict[str, Value], node: ast.AST, *, more: bool) -> Value:
        """An object of a class of the tree."""
        self.spend(10 + sum(2 + len(one.scope.names) // 8 for one in cls.lineage if isinstance(one, Class)))
        own = {name for one in cls.lineage if isinstance(one, Class) for name in one.scope.names}
        parsing = cls.derives("argparse.ArgumentParser")
        magic = {name for name in own if name.startswith("__") and name.endswith("__")} - BENIGN
        magic = {name for name in magic if isinstance(cls.find(name), Function)}
        shown = [one for one in map(cls.find, own & SHOWN) if isinstance(one, Function)]
        acting = any(isinstance(one, Parser) for each in shown for one in self.named(each))
        if not cls.sure or magic or acting or (cls.derives(*HF_PARSERS)):
            self.escape(cls, node, f"what {cls.node.name} does by itself")
            return self._unknown(cls.node.name, args, kwargs, node)
        init = cls.find("__init__") if "__init__" in own else None
        made: Value = Instance(cls)
        if parsing and isinstance(node, ast.Call):
            made = Parser(self.depth, self.location(node))
            made.cls, made.home = cls, self.importing
            self.parsers.append(made)
            changed = own & {*READING, *ADDING, "add_argument", "error", "exit", "convert_arg_line_to_args"}
            changed |= {name for name in own if name.startswith("_") and not name.endswith("__")}
            if changed:
                self.open(made, f"{cls.node.name} has its own {min(changed)}", node)
            if any(not isinstance(one, Class) and one not in PARSING for one in cls.lineage):
                self.open(made, f"{cls.node.name} has a base that is not known", node)
            if init is None:
                self.configure(made, args, kwargs, node, more=more)
        if isinstance(init, Function):
            self.enter(init, [made, *args], kwargs, node, more=more)
        elif cls.dataclass:
            self._fill(made, args, kwargs, more=more)
            after = cls.find("__post_init__") if "__post_init__" in own else None
            if isinstance(after, Function):
                self.enter(after, [made], {}, node, more=True)
        elif not parsing:
            self.escape((*args, *kwargs.values()), node)
        return made

    def _fill(self, made: Instance, args: list[Value], kwargs: dict[str, Value], *, more: bool) -> None:
        for cls in made.cls.lineage:
            for field in cls.node.body if isinstance(cls, Class) else ():
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                    name = field.target.id
                    default = UNKNOWN if args or more else cls.scope.names.get(name, UNKNOWN)
                    made.names.setdefault(name, kwargs.get(name, default))


def _yields(node: ast.AST) -> bool:
    """Whether a function is a generator."""
    left: list[ast.AST] = list(getattr(node, "body", []))
    while left:
        one = left.pop()
        if isinstance(one, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            left += ast.iter_child_nodes(one)
    return False

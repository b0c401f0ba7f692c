"""Conditions, loops, `try` and `with` of a trainer.

A flow that only one side takes leaves the rest of the function, or of the loop, undecided.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial

from recipelint.python.cost import spelling
from recipelint.python.imports import Imports
from recipelint.python.machine import MISSING, Ended
from recipelint.python.schema import UNKNOWN
from recipelint.python.values import Class, External, Function, ListValue, Scope, Value

TURN_CAP = 1000
QUIET = frozenset(
    """critical debug error exception exit _exit format format_exc info join print print_exc print_help print_usage
    quit repr str type warn warning write ImportError ModuleNotFoundError RuntimeError SystemExit TypeError
    ValueError""".split()
)
ENDINGS = ("sys.exit", "exit", "quit", "os._exit", "parser.exit", "parser.error")


class Compound(Imports):
    """Runs compound statements; each gives back the flow that it ends in."""

    def _either_flow(self, ways: Sequence[Callable[[], str | None]], node: ast.AST) -> str | None:
        """The flow of several ways; where they differ, what follows may not happen."""
        flows = [flow for flow in self.either(ways, node) if flow is not MISSING]
        if all(flow == flows[0] for flow in flows):
            return None if flows[0] is None else str(flows[0])
        self.depth += 1  # until the end of the function or loop, which restores it
        return None

    def _block_of(self, body: Sequence[ast.stmt], scope: Scope) -> str | None:
        flow = self.block(body, scope)
        return None if flow is None else str(flow)

    def do_if(self, node: ast.If, scope: Scope) -> str | None:
        truth = self.truth(self.value(node.test, scope))
        if truth is not None:
            return self._block_of(node.body if truth else node.orelse, scope)
        return self._either_flow(
            [lambda: self._block_of(node.body, scope), lambda: self._block_of(node.orelse, scope)], node
        )

    def do_match(self, node: ast.Match, scope: Scope) -> str | None:
        self.escape(self.value(node.subject, scope), node)
        ways: list[Callable[[], str | None]] = [
            lambda case=case: self._block_of(case.body, scope)  # type: ignore[misc]
            for case in node.cases
        ]
        return self._either_flow([*ways, lambda: None], node)

    # --- loops -----------------------------------------------------------------------------------

    def do_for(self, node: ast.For | ast.AsyncFor, scope: Scope) -> str | None:
        value = self.value(node.iter, scope)
        items = self.items(value)
        if items is None or len(items) > TURN_CAP:
            self.escape(value, node)
            return self._maybe(node, [node.target], scope)
        depth, flow = self.depth, None
        live = value.items if isinstance(value, ListValue) else items
        length = len(live)
        for item in items:
            self.step(node)
            self.assign(node.target, item, scope)
            flow = self._block_of(node.body, scope)
            if flow == "return":
                return flow
            if flow == "break":
                break
            if len(live) != length:
                self.open_all("a list changes while a loop goes through it", node)
        left = self.depth > depth
        # Some way out of the loop may have been a return: then what follows may not happen either.
        self.depth = depth + (left and self._leaves(node.body))
        if flow == "break":
            return None
        if left:
            return self._either_flow([lambda: self._block_of(node.orelse, scope), lambda: None], node)
        return self._block_of(node.orelse, scope)

    do_asyncfor = do_for

    def do_while(self, node: ast.While, scope: Scope) -> str | None:
        if self.truth(self.value(node.test, scope)) is False:
            return self._block_of(node.orelse, scope)
        return self._maybe(node, [], scope)

    def _maybe(self, node: ast.For | ast.AsyncFor | ast.While, targets: list[ast.expr], scope: Scope) -> str | None:
        """A loop that runs any number of times."""
        self._forget(node, targets, scope)

        def turn() -> str | None:
            flow = self._block_of(node.body, scope)
            return flow if flow == "return" else None

        depth = self.depth
        self._either_flow([turn, lambda: None], node)
        self.depth = depth + (1 if self._leaves(node.body) else 0)
        self._forget(node, targets, scope)
        return self._block_of(node.orelse, scope)

    def _forget(self, node: ast.stmt, targets: list[ast.expr], scope: Scope) -> None:
        """Make unknown what a loop binds."""
        for target in targets:
            self.assign(target, UNKNOWN, scope)
        for one in ast.walk(node):
            self.step(one)
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store) and one.id in scope.names:
                self.escape(scope.names[one.id], node)
                self.bind_name(one.id, UNKNOWN, scope)

    def _leaves(self, body: Sequence[ast.stmt]) -> bool:
        """Whether a return stands somewhere in a body."""
        found = False
        for statement in body:
            for one in ast.walk(statement):
                self.steps += 1
                found = found or isinstance(one, ast.Return)
        return found

    # --- try and with ----------------------------------------------------------------------------

    def do_try(self, node: ast.Try, scope: Scope) -> str | None:
        def body() -> str | None:
            flow = self._block_of(node.body, scope)
            return flow if flow is not None else self._block_of(node.orelse, scope)

        self.spend(sum(spelling(handler.body[-1]) for handler in node.handlers if _calls(handler.body[-1])))
        caught = [handler for handler in node.handlers if not _ends(handler)]
        for handler in node.handlers:
            if handler not in caught and not _is_quiet(handler):
                self.either([partial(self._block_of, handler.body, scope), lambda: None], node)
        try:
            if caught:
                ways = [lambda handler=handler: self._block_of(handler.body, scope) for handler in caught]
                for handler in caught:
                    if handler.name:
                        self.bind_name(handler.name, UNKNOWN, scope)
                flow = self._either_flow([body, *ways], node)
            else:
                flow = body()
        except Ended:
            self._block_of(node.finalbody, scope)
            raise
        last = self._block_of(node.finalbody, scope)
        return last if last is not None else flow

    do_trystar = do_try

    def do_with(self, node: ast.With | ast.AsyncWith, scope: Scope) -> str | None:
        swallows = False
        for item in node.items:
            value: Value = self.value(item.context_expr, scope)
            called = item.context_expr.func if isinstance(item.context_expr, ast.Call) else item.context_expr
            swallows = swallows or self.value(called, scope) == External("contextlib.suppress")
            swallows = swallows or _swallows(self.value(called, scope))
            if item.optional_vars is not None:
                self.escape(value, node)
                self.assign(item.optional_vars, UNKNOWN, scope)
        if swallows:
            return self._either_flow([lambda: self._block_of(node.body, scope), lambda: None], node)
        return self._block_of(node.body, scope)

    do_asyncwith = do_with


def _calls(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)


def _is_quiet(handler: ast.ExceptHandler) -> bool:
    """Whether a handler does no more than say something before it ends the trainer."""
    calls = [one.func for one in ast.walk(handler) if isinstance(one, ast.Call)]
    return all(getattr(one, "attr", getattr(one, "id", "")) in QUIET for one in calls)


def _swallows(manager: Value) -> bool:
    """Whether a context manager of the tree may go on after an exception."""
    if isinstance(manager, Function):
        return any(isinstance(one, ast.Try) for one in ast.walk(manager.node))
    if not isinstance(manager, Class):
        return False
    try:
        end = manager.find("__exit__")
    except KeyError:
        return False
    returned = (
        [one.value for one in ast.walk(end.node) if isinstance(one, ast.Return)] if isinstance(end, Function) else []
    )
    return any(one is not None and not (isinstance(one, ast.Constant) and not one.value) for one in returned)


def _ends(handler: ast.ExceptHandler) -> bool:
    """Whether an exception that a handler takes ends the trainer nevertheless."""
    if isinstance(handler.type, ast.Name) and handler.type.id == "KeyboardInterrupt":
        return True
    if any(isinstance(one, ast.Return | ast.Continue | ast.Break) for one in ast.walk(handler)):
        return False
    last = handler.body[-1]
    if isinstance(last, ast.Raise):
        return True
    return isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and ast.unparse(last.value.func) in ENDINGS

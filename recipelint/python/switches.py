"""Where a program switches an option on, and the strings that document it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import NamedTuple


class Switch(NamedTuple):
    """An option set to true: the node that says so, and the first lines of its statement and of what is around that."""

    name: str
    node: ast.expr | ast.keyword | ast.arg
    line: int
    statement: int
    scope: int


def switches(tree: ast.Module, names: Collection[str]) -> Iterator[Switch]:
    """Where one of some options is true: a keyword, a key of a dict, a default, an attribute, a variable."""
    pending: list[tuple[ast.AST, int, int]] = [(tree, 1, 1)]
    while pending:
        node, statement, scope = pending.pop()
        if isinstance(node, ast.stmt):
            statement = node.lineno
        for name, value, at in _settings(node):
            if name is not None and name in names and isinstance(value, ast.Constant) and value.value is True:
                yield Switch(name, at, at.lineno, statement, scope)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            scope = node.lineno
        pending.extend((child, statement, scope) for child in ast.iter_child_nodes(node))


def _settings(node: ast.AST) -> Iterator[tuple[str | None, ast.expr | None, ast.expr | ast.keyword | ast.arg]]:
    """The names that a node gives values, with the values."""
    if isinstance(node, ast.keyword):
        yield node.arg, node.value, node
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, value, key
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            yield _target(target), node.value, target
    elif isinstance(node, ast.AnnAssign):
        yield _target(node.target), node.value, node.target
    elif isinstance(node, ast.arguments):
        positional = [*node.posonlyargs, *node.args]
        for argument, default in zip(reversed(positional), reversed(node.defaults), strict=False):
            yield argument.arg, default, argument
        for argument, keyword in zip(node.kwonlyargs, node.kw_defaults, strict=True):
            yield argument.arg, keyword, argument


def _target(node: ast.expr) -> str | None:
    """The name that is assigned to: of a variable, an attribute, or an item."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
        return node.slice.value
    return None


def docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """The strings that stand as statements: docstrings of modules, classes, functions and attributes."""
    for node in ast.walk(tree):
        for statement in getattr(node, "body", ()) if not isinstance(node, ast.Lambda | ast.IfExp) else ():
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                value = statement.value
                if isinstance(value.value, str):
                    yield value

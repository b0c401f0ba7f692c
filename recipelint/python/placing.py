"""Where in a trainer a check of its parsed words can stand, so that it runs and that its refusal stops the program.

What is not certain of that is a reason against it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from recipelint.python.guard import PARSERS, Parse

PASSING = frozenset(
    "KeyboardInterrupt SystemExit GeneratorExit StopIteration ImportError ModuleNotFoundError ArgumentError "
    "ArgumentTypeError KeyError IndexError AttributeError NameError OSError IOError FileNotFoundError "
    "PermissionError RuntimeError AssertionError TypeError".split()
)
"""What lets a ValueError pass when it is all that is caught."""
DECORATORS = frozenset("record staticmethod classmethod property cache lru_cache wraps".split())
"""Those that let exceptions of the function pass."""
LEAVING = frozenset({"exit", "_exit", "quit", "abort"})
_NAMED = "not fixed: what it parses is not simply given to a variable"
_CAUGHT = "not fixed: an `except` around it could catch the refusal"
Function = ast.FunctionDef | ast.AsyncFunctionDef


def arguments_of(parse: Parse) -> str | None:
    """The variable that the parsed words are given to."""
    statement = parse.statement
    if isinstance(statement, ast.AnnAssign):
        target: ast.expr = statement.target
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    else:
        return None
    if statement.value is not parse.call or not isinstance(parse.call.func, ast.Attribute):
        return None
    if parse.call.func.attr == "parse_known_args":
        target = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else ast.Constant(None)
    return target.id if isinstance(target, ast.Name) else None


def place_of(tree: ast.Module, parse: Parse, name: str) -> ast.stmt | str:
    """The statement that the check of NAME goes behind; the reason where there is none."""
    if sum(_parses(node) for node in ast.walk(tree)) > 1:
        return "not fixed: words are parsed in several places"
    if _imported(tree, parse.call):
        return _NAMED
    at = len(parse.chain) - 1
    place: ast.stmt = parse.statement
    while at > 0:
        body, owner = parse.chain[at][0], _owner(parse, at)
        if isinstance(owner, ast.With | ast.AsyncWith):
            return "not fixed: the `with` around it could swallow the refusal"
        if isinstance(owner, Function) and (reason := _swallowed(tree, owner)):
            return reason
        if owner is not None and type(owner).__name__ in ("Try", "TryStar"):
            handlers: Sequence[ast.ExceptHandler] = getattr(owner, "handlers", ())
            if any(
                isinstance(node, ast.Return | ast.Break | ast.Continue) for node in _in(getattr(owner, "finalbody", []))
            ):
                return "not fixed: the `finally` around it could swallow the refusal"
            if body is getattr(owner, "body", None) and any(map(_catches, handlers)):
                if place is not body[-1] or getattr(owner, "orelse", []):
                    return _CAUGHT
                if not all(_leaves(one.body) or _binds(one.body, name) for one in handlers):
                    return _CAUGHT
                place = owner
        at -= 1
    return place


def scopes(parse: Parse) -> Iterator[tuple[Sequence[ast.stmt], int]]:
    """The blocks around the parsing whose names it sees, from the inside."""
    inside = False
    for at in range(len(parse.chain) - 1, -1, -1):
        owner = _owner(parse, at)
        if not (inside and isinstance(owner, ast.ClassDef)):
            yield parse.chain[at]
        inside = inside or isinstance(owner, Function)


def bound(tree: ast.Module, name: str, module: str = "") -> bool:
    """Whether a file uses a name for something of its own; what it imports under that name from MODULE is not."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load):
            return True
        if isinstance(node, ast.arg) and node.arg == name:
            return True
        if isinstance(node, ast.alias) and (node.asname or node.name) == name and (node.asname or not module):
            return True
        if isinstance(node, ast.ClassDef) and node.name == name:
            return True
    return False


def _owner(parse: Parse, at: int) -> ast.stmt | None:
    if at == 0:
        return None
    body, index = parse.chain[at - 1]
    return body[index]


def _parses(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and (node.attr in PARSERS or node.attr.startswith("parse_args_"))


def _imported(tree: ast.Module, call: ast.Call) -> bool:
    """Whether it is a function of some module that parses, which gives what it likes."""
    receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
    names = {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        for alias in getattr(node, "names", [])
        if isinstance(alias, ast.alias)
    }
    while isinstance(receiver, ast.Attribute):
        receiver = receiver.value
    return isinstance(receiver, ast.Name) and receiver.id in names


def _swallowed(tree: ast.Module, function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Why a function may not hand an exception on to the end of the program."""
    for decorator in function.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if (called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")) not in DECORATORS:
            return f"not fixed: the decorator of {function.name} could swallow the refusal"
    for node in ast.walk(tree):
        if isinstance(node, ast.With | ast.AsyncWith) and _calls(node.body, function.name):
            return f"not fixed: the `with` around {function.name} could swallow the refusal"
        catching = [one.body for one in getattr(node, "handlers", ()) if _catches(one)]
        if not all(map(_leaves, catching)) and _calls(getattr(node, "body", []), function.name):
            return _CAUGHT
    return ""


def _calls(body: Sequence[ast.stmt], name: str) -> bool:
    return any(
        name in (getattr(node.func, "id", ""), getattr(node.func, "attr", ""))
        for node in _in(body)
        if isinstance(node, ast.Call)
    )


def _in(body: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    return (node for statement in body for node in ast.walk(statement))


def _catches(handler: ast.ExceptHandler) -> bool:
    """Whether a handler may catch a ValueError."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = [kind.attr if isinstance(kind, ast.Attribute) else getattr(kind, "id", "") for kind in kinds]
    return not PASSING.issuperset(names)


def _leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether a block surely ends in leaving what is around it."""
    last = body[-1]
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        called = last.value.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        return name in LEAVING or (name == "error" and "parser" in getattr(getattr(called, "value", None), "id", ""))
    return isinstance(last, ast.Raise | ast.Return | ast.Continue | ast.Break)


def _binds(body: Sequence[ast.stmt], name: str) -> bool:
    """Whether a block gives a variable a value, on each way through it."""
    return any(
        isinstance(statement, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name for target in statement.targets)
        for statement in body
    )

"""What a program takes for an environment variable that is unset, as its source says; nothing is run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recipelint.python.schema import UNKNOWN, Unread
from recipelint.source import SourceFile

if TYPE_CHECKING:
    import ast

READERS = ("os.environ.get", "environ.get", "os.getenv", "getenv")


class Default(NamedTuple):
    """The default of a variable: None where there is none, UNKNOWN where it is computed; and its 1-based line."""

    value: str | Unread | None
    line: int


def environment_defaults(source: SourceFile) -> dict[str, Default]:
    """The variables that a file reads, and their defaults; UNKNOWN where two reads of one differ."""
    import ast

    from recipelint.python.cost import MARK_CAP, marks

    if marks(source.data) > MARK_CAP:
        return {}
    try:
        tree = ast.parse(source.data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    fallbacks: dict[int, ast.expr] = {}
    found: dict[str, Default] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and len(node.values) == 2:
            fallbacks[id(node.values[0])] = node.values[1]
        elif isinstance(node, ast.Call) and node.args and name_of(node.func) in READERS:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                default = Default(default_of(node, fallbacks.get(id(node))), node.lineno)
                known = found.setdefault(first.value, default)
                if known.value != default.value:
                    found[first.value] = known._replace(value=UNKNOWN)
    return found


def default_of(call: ast.Call, fallback: ast.expr | None) -> str | Unread | None:
    """The second argument of a read, or what stands behind its `or`."""
    import ast

    given = fallback if fallback is not None else call.args[1] if len(call.args) > 1 else None
    for keyword in call.keywords if given is None else ():
        given = keyword.value if keyword.arg == "default" else None
    if given is None:
        return None
    if isinstance(given, ast.Constant) and isinstance(given.value, str | None):
        return given.value
    return UNKNOWN


def name_of(function: ast.expr) -> str:
    """A dotted name, or ''."""
    import ast

    parts: list[str] = []
    while isinstance(function, ast.Attribute):
        parts.append(function.attr)
        function = function.value
    return ".".join(reversed([*parts, function.id])) if isinstance(function, ast.Name) else ""

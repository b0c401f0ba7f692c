"""Puts a check into a trainer: a function in the module that its entry points share, its import, and its call."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from recipelint.fix import Edit
from recipelint.python.guard import Parse
from recipelint.python.placing import arguments_of, bound, place_of, scopes
from recipelint.python.tree import offset, parsed, span
from recipelint.source import SourceFile

WIDTH = 120
"""Of a line of code, at most."""


class Check(NamedTuple):
    """The function to put in: its name, its text, the module that it goes to, if there is one, and who calls it."""

    function: str
    text: str
    module: str
    shared: SourceFile | None
    entry_point: str


def edits(check: Check, source: SourceFile, parse: Parse) -> tuple[Edit, ...] | str:
    """The edits that put the check into an entry point; the reason where that cannot be done."""
    name, tree = arguments_of(parse), parsed(source)
    if name is None or tree is None:
        return "not fixed: what it parses is not simply given to a variable"
    if bound(tree, check.function, check.module if check.shared is not None else ""):
        return f"not fixed: {check.function} is something else there"
    place = place_of(tree, parse, name)
    if isinstance(place, str):
        return place
    line = source.line_span(place.end_lineno or place.lineno)
    start, _ = span(source, place)
    _, end = span(source, parse.statement if place is parse.statement else _last(place))
    begun = source.data[source.line_starts[source.line_number(start) - 1] : start]
    if begun.strip() or not _comment(source.data[end : line.end]):
        return "not fixed: more than that statement stands on its lines"
    defined = _define(check, source, parse)
    if isinstance(defined, str):
        return defined
    lines = [f"{check.function}({name})"]
    imported: tuple[Edit, ...] = ()
    if check.shared is not None:
        found = _import(check, source, parse)
        if found is None:
            lines.insert(0, f"from {check.module} import {check.function}")
        imported = found or ()
    text = b"".join(source.newline + begun + one.encode() for one in lines)
    return (*defined, *imported, Edit(source.path, line.end, line.end, text))


def _last(statement: ast.stmt) -> ast.stmt:
    """The last statement on the last line of a compound one."""
    inner = [node for node in ast.walk(statement) if isinstance(node, ast.stmt) and node is not statement]
    return max(inner, key=lambda node: (node.end_lineno or 0, node.end_col_offset or 0), default=statement)


def _comment(rest: bytes) -> bool:
    return not rest.strip() or rest.strip().startswith(b"#")


def _define(check: Check, source: SourceFile, parse: Parse) -> tuple[Edit, ...] | str:
    """The function: at the end of the shared module, else above the statement that parses; nothing if it is there."""
    target = check.shared or source
    tree = parsed(target)
    if tree is None:
        return f"not fixed: {check.module} cannot be read"
    if bound(tree, check.function):
        return f"not fixed: {check.function} is something else in {check.module}"
    if any(isinstance(node, ast.FunctionDef) and node.name == check.function for node in tree.body):
        return ()
    text = check.text.encode().replace(b"\n", target.newline)
    if check.shared is not None:
        end = len(target.data)
        blank = 0 if not target.data.strip() else 3 - _ends(target.data)
        return (Edit(target.path, end, end, target.newline * max(0, blank) + text),)
    body, at = parse.chain[0]
    place = _above(source, body[at])
    return (Edit(source.path, place, place, text + source.newline * 2),)


def _ends(data: bytes) -> int:
    """How many line ends a text ends in."""
    data = data.replace(b"\r\n", b"\n")
    return len(data) - len(data.rstrip(b"\n"))


def _above(source: SourceFile, statement: ast.stmt) -> int:
    """The start of a statement's first line, decorators and the comments right above it included."""
    first = line = min([statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", ()))])
    while line > 1 and source.line_text(line - 1).lstrip().startswith("#"):
        line -= 1
    line = first if line == 1 else line  # what stands first in a file stays there
    return source.line_starts[line - 1] if line > 1 else offset(source, 1, 0)


def _import(check: Check, source: SourceFile, parse: Parse) -> tuple[Edit, ...] | None:
    """The function among what is imported from the shared module; None if nothing is, where the call can see it.

    `*` does not count: it brings what `__all__` says.
    """
    for body, at in scopes(parse):
        for statement in body[:at]:
            if isinstance(statement, ast.ImportFrom) and statement.names[0].name != "*" and _is(statement, check):
                return _among(check.function, source, statement)
    return None


def _is(statement: ast.ImportFrom, check: Check) -> bool:
    """Whether an import is from the check's module."""
    package = check.entry_point.split(".")[: -statement.level] if statement.level else []
    return ".".join([*package, *filter(None, [statement.module])]) == check.module


def _among(function: str, source: SourceFile, statement: ast.ImportFrom) -> tuple[Edit, ...]:
    """A name in an import, in its order, and on a line of its own where the others are."""
    if any(alias.name == function and alias.asname is None for alias in statement.names):
        return ()
    after = next((alias for alias in statement.names if alias.name > function), None)
    start, end = span(source, after or statement.names[-1])
    line = source.line_starts[source.line_number(start) - 1]
    indent = source.data[line:start]
    own = not indent.strip() and len(statement.names) == len({alias.lineno for alias in statement.names})
    own = own and source.data[: span(source, statement).end].endswith(b")")
    name, newline = function.encode(), source.newline
    if not own and statement.lineno == statement.end_lineno:
        whole = source.line_span(statement.lineno)
        if whole.end - whole.start + len(name) + 2 > WIDTH and source.data[whole.end - 1 : whole.end] != b")":
            return _wrapped(function, source, statement)
    if after is not None:
        return (Edit(source.path, start, start, name + (b"," + newline + indent if own else b", ")),)
    if not own:
        return (Edit(source.path, end, end, b", " + name),)
    comma = source.data[end : end + 1] == b","
    text = newline + indent + name + b","
    last = source.line_span(source.line_number(end)).end
    if b"#" in source.data[end:last]:
        commas = () if comma else (Edit(source.path, end, end, b","),)
        return (*commas, Edit(source.path, last, last, text))
    return (Edit(source.path, end + comma, end + comma, text if comma else b"," + text),)


def _wrapped(function: str, source: SourceFile, statement: ast.ImportFrom) -> tuple[Edit, ...]:
    """An import on one line, with one name more and each on its own line, between parentheses."""
    spans = [span(source, alias) for alias in statement.names]
    names = [source.data[start:end] for start, end in spans]
    at = next((at for at, alias in enumerate(statement.names) if alias.name > function), len(names))
    names.insert(at, function.encode())
    line = source.line_span(source.line_number(spans[0].start))
    text = source.data[line.start : spans[0].start]
    indent = text[: len(text) - len(text.lstrip())]
    inner = b"".join(source.newline + indent + b"    " + name + b"," for name in names)
    return (Edit(source.path, spans[0].start, spans[-1].end, b"(" + inner + source.newline + indent + b")"),)


def lines_of(words: Sequence[str]) -> str:
    """Texts as the elements of a tuple in Python."""
    return ", ".join('"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"' for word in words)

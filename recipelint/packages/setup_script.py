"""setup.py: the requirements among its texts. It is parsed, never run, so each branch of an `if` counts."""

from __future__ import annotations

import warnings

from recipelint.packages.model import RANGE, Package, Pin, Requirement
from recipelint.packages.requirement import read
from recipelint.source import Location, SourceFile, Span

MAX_BYTES = 256 * 1024


def requirements(source: SourceFile, package: Package) -> list[Requirement]:
    """Every text of the script that is a requirement for the package; docstrings are none."""
    if not package.names(source) or len(source.data) > MAX_BYTES:
        return []
    import ast

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source.data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    made = {id(part): node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    found: list[Requirement] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in told:
            continue
        pin = read(node.value, package)
        if pin is not None:
            if id(node) in made:
                pin = Pin(RANGE, "what setup.py puts together")
            found.append(Requirement(pin, place(source, node)))
    found.sort(key=lambda one: one.location.span)
    return found


def place(source: SourceFile, node: object) -> Location:
    """Where a node of the tree stands; its columns are bytes of UTF-8."""
    line, end = getattr(node, "lineno", 1), getattr(node, "end_lineno", 1)
    starts = source.line_starts
    if not (0 < line <= len(starts) and 0 < end <= len(starts)):
        return Location(source, source.line_span(1))
    start = starts[line - 1] + getattr(node, "col_offset", 0)
    stop = starts[end - 1] + getattr(node, "end_col_offset", 0)
    return Location(source, Span(min(start, len(source.data)), min(max(start, stop), len(source.data))))

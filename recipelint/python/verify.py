"""Judges a fixed Python file: it must be the old one but for what the fix declares.

`ast` compares what the two programs are; libcst, which keeps every byte, is the second opinion on the new text, and
takes out of it what a fix declares to put in.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Collection, Sequence

from recipelint.fix import CodeChange
from recipelint.prose.directives import COOKIE, MODELINE, directives
from recipelint.python.comments import BOM, layout
from recipelint.source import SourceFile


def difference(before: bytes, after: bytes, declared: Sequence[CodeChange]) -> str:
    """What is different beyond the declared changes; empty if nothing is."""
    functions = {change.function for change in declared if change.function}
    try:
        compile_only(after)
        old, new = _tree(before), _tree(without(after, functions))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"the fixed text is no Python: {type(error).__name__}"
    if any(not change.function for change in declared):
        old, new = _Undocumented().visit(old), _Undocumented().visit(new)
    if ast.dump(old) != ast.dump(new):
        return "the program would be another one"
    same = said_to_tools(before, functions) == said_to_tools(after, functions)
    return "" if same else "its comments would say something else to a tool"


def said_to_tools(data: bytes, functions: Collection[str]) -> tuple[object, ...]:
    """What tools read in a file's comments, each piece with the code before it, where no FUNCTIONS come in.

    But for what recipelint itself reads: a fix may take that out, where it hides nothing.

    With what is read at its place alone: Python reads the first two lines, vim the first and last five.
    """
    source = SourceFile("", data)
    found: list[object] = []
    for start, end in layout(source).comments:
        text = data[start:end].decode("utf-8", "surrogateescape")
        code = data[source.line_starts[source.line_number(start) - 1] : start].removeprefix(BOM).strip()
        found += [(b"" if functions else code, piece) for piece in directives(text) if "recipelint:" not in piece]
    lines = data.removeprefix(BOM).decode("latin-1").splitlines()
    head = [line if COOKIE.match(line) or line.startswith("#!") else "" for line in [*lines, "", ""][:2]]
    ends = [line for at, line in enumerate(lines) if not 5 <= at < len(lines) - 5 and MODELINE.search(line)]
    return (*found, head, ends)


def compile_only(data: bytes) -> None:
    """Compile a text, which finds what its grammar alone allows; nothing of it runs. Raises SyntaxError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(data, "<fixed>", "exec", dont_inherit=True)


def without(data: bytes, functions: Collection[str]) -> bytes:
    """A text without the definitions, imports and bare calls of some functions. Raises ValueError or SyntaxError."""
    import libcst

    from recipelint.python.removal import removed

    try:
        module = libcst.parse_module(data)
    except libcst.ParserSyntaxError as error:
        raise SyntaxError("libcst cannot read it") from error
    if module.bytes != data:
        raise ValueError("libcst writes another text than it read")
    return removed(module, functions).bytes if functions else data


def _tree(data: bytes) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(data)


class _Undocumented(ast.NodeTransformer):
    """Makes all strings that stand as statements equal."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return ast.Expr(ast.Constant("…"))
        return node

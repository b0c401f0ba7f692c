"""What the text of a module says of what it may change elsewhere, without being run; more, rather than less."""

from __future__ import annotations

import ast
import re

STIRRING = (
    b"argparse",
    b"ArgumentParser",
    b"add_argument",
    b"parse_args",
    b"argv",
    b"sys.modules",
    b"import_module",
    b"import __main__",
)
CHANGING = frozenset(
    """__iadd__ __setitem__ add append clear discard extend insert pop popitem remove reverse setdefault sort
    update""".split()
)

TOUCHING = (
    rb"\b(\w+)\b[ \t]*(?:\[[^\]\n]*\][ \t]*[-+|]?=(?!=)|[-+|*]=|\.(?:%s)[ \t]*\()" % "|".join(sorted(CHANGING)).encode()
    + rb"|(?<!\bself)\.(\w+)[ \t]*=(?!=)|setattr\([^,()]*,\s*['\"](\w+)['\"]"
)
ALIASING = rb"\b(\w+)\b[ \t]*(?:[ \t]as[ \t]+(\w+)|=[ \t]*([\w.]+)[ \t]*$)"
MEDDLING = (
    rb"\bargv\b\s*(?:\[[^\]\n]*\]\s*)?[-+]?=(?!=)|\bargv\.(?:%s)\b|\bdel\s+\w*\.?argv\b"
    rb"|\bArgumentParser\.\w+\s*=(?!=)|\bargparse\.\w+\s*=(?!=)|setattr\(\s*(?:sys|argparse)\b|\bimport __main__\b"
) % "|".join(sorted(CHANGING)).encode()
"""What changes names, gives them another name, and changes how a command line is read, as it looks in a text."""


def stirs(data: bytes) -> bool:
    """Whether a module is run when it is imported: it may add to a parser, or parse by itself."""
    return any(word in data for word in STIRRING)


def touched(data: bytes) -> frozenset[str]:
    """The names that a file changes the content of, or adds to, anywhere in it; more, rather than fewer."""
    found = {name for match in re.finditer(TOUCHING, data) for name in match.groups() if name}
    for match in re.finditer(ALIASING, data, re.MULTILINE):
        if found.intersection(match.groups()):
            found |= {name.rpartition(b".")[2] for name in match.groups() if name}
    return frozenset(name.decode("ascii", "replace") for name in found)


def meddles(data: bytes) -> bool:
    """Whether a file may change, as it is imported, how a command line is read."""
    return re.search(MEDDLING, data) is not None


def changed_in(tree: ast.AST) -> set[str]:
    """The names, and names of attributes, whose content a module changes somewhere."""
    found: set[str] = set()
    for one in ast.walk(tree):
        changed: ast.AST | None = None
        if isinstance(one, ast.Subscript) and not isinstance(one.ctx, ast.Load):
            changed = one.value
        elif isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute):
            changed = one.func.value if one.func.attr in CHANGING else None
        elif isinstance(one, ast.AugAssign):
            changed = one.target
        if isinstance(changed, ast.Name | ast.Attribute):
            found.add(changed.id if isinstance(changed, ast.Name) else changed.attr)
    return found

"""The checks of builtin rules, which need more than a condition on settings: functions from launchers, or
from Python files, to findings.

A check is imported only where one of its rules is on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module

from recipelint.commenting import Layouts
from recipelint.finding import Finding
from recipelint.packages.installed import Installations
from recipelint.python.files import PythonFile
from recipelint.recipe.build import Recipes
from recipelint.record import NamedTuple
from recipelint.ruleset.load import Ruleset


class Context(NamedTuple):
    """What a check may look at; ACTIVE are the codes to look for, LINTED the paths whose text may be changed."""

    recipes: tuple[Recipes, ...]
    ruleset: Ruleset
    active: frozenset[str]
    linted: frozenset[str]
    layouts: Layouts
    python: tuple[PythonFile, ...] = ()
    installations: Installations | None = None


Check = Callable[[Context], Iterable[Finding]]

CHECKS: dict[str, tuple[str, ...]] = {
    "arguments": ("ARG001", "ARG002", "ARG003", "ARG004", "ARG005", "ARG006", "ARG007"),
    "optional": ("ARG008",),
    "spelling": ("ARG009",),
    "launcher_claims": ("DOC002",),
    "continuation": ("SH003",),
    "environment": ("ENV001",),
    "launch": ("LCH001",),
}
"""The module of each check, which has a function `check`, and the codes that it finds."""

PYTHON_CHECKS: dict[str, tuple[str, ...]] = {"claims": ("DOC001",), "guard": ("GUARD001",)}
"""Those that look at Python files, and at nothing where there are none."""


def findings(context: Context) -> Sequence[Finding]:
    """What the checks find, merged where they find the same at the same place."""
    found: dict[tuple[object, ...], Finding] = {}
    for module, codes in {**CHECKS, **(PYTHON_CHECKS if context.python else {})}.items():
        if context.active.isdisjoint(codes):
            continue
        check: Check = import_module(f"recipelint.checks.{module}").check
        for one in check(context):
            if one.code not in context.active:
                continue
            known = found.get(one.key)
            found[one.key] = one if known is None else merged(known, one)
    return list(found.values())


def merged(one: Finding, other: Finding) -> Finding:
    """Two findings of the same at the same place; the fix stays if both have the same edits."""
    fix = None
    if one.fix is not None and other.fix is not None and one.fix.edits == other.fix.edits:
        fix = one.fix._replace(changes=one.fix.changes + other.fix.changes)
    return one._replace(
        related=one.related + other.related,
        fix=fix,
        note=one.note or other.note,
        resolved=one.resolved + other.resolved,
    )

"""ARG008: an empty value that gets lost between nested quotes, so that its flag is bare and takes its const."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from recipelint.checks import Context
from recipelint.finding import Finding
from recipelint.fix import Applicability, Fix, WordChange
from recipelint.proposal import Proposer
from recipelint.recipe.build import Recipes, Resolved
from recipelint.recipe.entry_point import EntryPoint, Use
from recipelint.shell.words import Word
from recipelint.source import Location, Span
from recipelint.vanished import NoEdit


def check(context: Context) -> Iterable[Finding]:
    """The bare flags whose value was there, and empty."""
    for recipes in context.recipes:
        proposer = Proposer(recipes, context.layouts)
        for resolved in recipes.resolved:
            entry = resolved.entry
            for use in entry.uses(resolved.words) if entry is not None else ():
                assert entry is not None
                if entry.flags[use.name].nargs != "?" or use.values:
                    continue
                lost = proposer.lost(resolved, use)
                if lost is not None and lost.unit.source is not None:
                    yield finding(proposer, recipes, resolved, entry, use, lost)


def finding(
    proposer: Proposer, recipes: Recipes, resolved: Resolved, entry: EntryPoint, use: Use, lost: Word
) -> Finding:
    source = lost.unit.source
    assert source is not None
    spec = next((spec for spec in entry.settings.values() if spec.get("flag") == use.name), {})
    const = spec.get("const", entry.flags[use.name].const)
    fields = {"entry_point": entry.name, "flag": use.name, "const": str(const)}
    found = Finding(
        "ARG008", Location(source, Span(lost.start, lost.end)), fields, recipes=recipes, resolved=(resolved,)
    )
    value = for_nothing(spec)
    if value is None:
        return found._replace(note="not fixed: no value of this flag is known to mean the same as an empty one")
    try:
        _, edits = proposer.restored(resolved, lost, value)
    except NoEdit as error:
        return found._replace(note=f"not fixed: {error}")
    at = use.at + 1
    change = WordChange(resolved.launch.key, at, at, (value,))
    return found._replace(fix=Fix(f"write {value}", Applicability.SAFE, tuple(edits), (change,)))


def for_nothing(spec: Mapping[str, Any]) -> str | None:
    """The word that a trainer takes as it takes an empty value."""
    for value, words in spec.get("values", {}).items():
        if "" in words:
            return value if value in words else next((word for word in words if word), None)
    return None

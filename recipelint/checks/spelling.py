"""ARG009: a word that the trainer takes for something else than it says, because it knows no such word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from recipelint.checks import Context
from recipelint.checks.words import exact_edit
from recipelint.finding import Finding
from recipelint.fix import Applicability, Fix, WordChange
from recipelint.recipe.build import Recipes, Resolved
from recipelint.recipe.entry_point import EntryPoint
from recipelint.shell.text import Text
from recipelint.source import Location


def check(context: Context) -> Iterable[Finding]:
    """The values that are none of the trainer's words."""
    for recipes in context.recipes:
        for resolved in recipes.resolved:
            entry = resolved.entry
            for name, spec in entry.settings.items() if entry is not None else ():
                if entry is not None and "meant" in spec and "flag" in spec:
                    yield from misread(recipes, resolved, entry, name, spec)


def misread(
    recipes: Recipes, resolved: Resolved, entry: EntryPoint, name: str, spec: Mapping[str, Any]
) -> Iterable[Finding]:
    """The last value of a setting's flag, if it is such a word."""
    uses = [use for use in entry.uses(resolved.words) if use.name == spec["flag"] and use.values]
    if not uses or not uses[-1].values[-1].known:
        return
    use, text = uses[-1], uses[-1].values[-1]
    said = text.s.strip().lower()
    known = {word for words in spec["values"].values() for word in words}
    if said in known or said in spec["meant"].get(spec["otherwise"], ()):
        return
    wanted, applicability = intended(said, spec)
    origin = text.origin or text.first_origin
    place: Location | None = origin.location if origin is not None else None
    fields = {
        "entry_point": entry.name, "flag": use.name, "value": said[:60] or "''", "taken": str(spec["otherwise"]),
        "words": ", ".join(sorted(word for word in known if word)),
    }  # fmt: skip
    found = Finding("ARG009", place or resolved.launch.trainer, fields, recipes=recipes, resolved=(resolved,))
    edit = exact_edit(text, wanted) if wanted else None
    if edit is not None:
        change = WordChange(resolved.launch.key, *changed(resolved, use.at, use.stuck, text, wanted))
        found = found._replace(fix=Fix(f"write {wanted}", applicability, (edit,), (change,)))
    yield found


def intended(said: str, spec: Mapping[str, Any]) -> tuple[str, Applicability]:
    """The word that was surely meant, or may have been; "" for none."""
    for value, words in spec["meant"].items():
        if said in words:
            return str(value), Applicability.SAFE
    from difflib import get_close_matches

    near = get_close_matches(said, [*spec["values"], str(spec["otherwise"])], 1, 0.7)
    return (near[0] if near else ""), Applicability.UNSAFE


def changed(resolved: Resolved, at: int, stuck: bool, text: Text, value: str) -> tuple[int, int, tuple[str, ...]]:
    """Which word becomes another one."""
    if not stuck:
        return at + 1, at + 2, (value,)
    word = resolved.words[at].s
    return at, at + 1, (word[: len(word) - len(text.s)] + value,)

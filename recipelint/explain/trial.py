"""What would be otherwise in the launches of a file's users if a line of it were: found by evaluating it otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recipelint.explain.arguments import Given
from recipelint.explain.parts import Difference, argument, differing, given, groups, knobs, paired, site
from recipelint.explain.users import Users
from recipelint.explanation import ARGUMENT, RUN, SETTING, VARIABLE, Part
from recipelint.recipe.build import Recipes, Resolved
from recipelint.recipe.implication import implied
from recipelint.shell.decisions import ALWAYS

MOST = 600
"""Evaluations for one line; of more, what would be tried out is left out, and that is said."""


class Trial:
    """The differences that other texts of the file make to each launch, by its id, and launches that there would be."""

    def __init__(self, users: Users, texts: Sequence[bytes]) -> None:
        room = max(1, MOST // max(1, len(users.recipes)))
        self.cut = len(texts) > room
        self.affected: dict[int, set[Difference]] = {}
        self.fresh: set[str] = set()
        for text in texts[:room]:
            for path, recipes in users.recipes.items():
                self.compare(recipes, users.with_text(path, text))

    def compare(self, before: Recipes, after: Recipes) -> None:
        """Note what is different, unless the text is no program any more."""
        broken = [sum(one.code == "SH001" for one in recipes.evaluation.troubles) for recipes in (before, after)]
        if broken[0] < broken[1]:
            return
        for one, other in paired(before.resolved, after.resolved):
            differences = self.affected.setdefault(id(one), set())
            differences |= differing(one, other)
            if other is not None and conditions(one, before) != conditions(other, after):
                differences.add((RUN, ""))
        known = {site(one)[1:] for one in before.resolved}
        self.fresh.update(
            f"{one.launch.entry_point} at line {one.launch.location.start.line}"
            for one in after.resolved
            if site(one)[1:] not in known
        )

    def parts(self, resolved: Resolved, last: Mapping[int, str], args: Given) -> list[Part]:
        """What of a launch would be otherwise, in its order."""
        differences = self.affected.get(id(resolved), set())
        out = [Part(RUN, "")] if (RUN, "") in differences else []
        out += [argument(resolved, group, last, args) for group in groups(resolved) if (ARGUMENT, group) in differences]
        if (ARGUMENT, ()) in differences:
            out.append(Part(ARGUMENT, ""))
        for name in sorted(name for kind, name in differences if kind == VARIABLE and isinstance(name, str)):
            text = resolved.environment.get(name)
            out.append(Part(VARIABLE, name, (), knobs([text]) if text is not None else ()))
        out += [
            Part(SETTING, name, (), given(setting.override))
            for name, setting in resolved.launch.settings.items()
            if (SETTING, name) in differences
        ]
        return out


def conditions(resolved: Resolved, recipes: Recipes) -> frozenset[frozenset[tuple[str, bool]]]:
    """What a launch hangs on, by what the conditions say: their numbers differ between evaluations."""
    if implied([resolved.condition], [ALWAYS]):
        return frozenset()
    decisions = recipes.evaluation.session.decisions
    return frozenset(frozenset((decisions[at], holds) for at, holds in term) for term in resolved.condition)

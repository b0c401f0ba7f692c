"""How sure a finding is: every feasible path to the trainer has it, and nothing unknown could say the opposite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recipelint.diagnostic import Confidence
from recipelint.recipe.build import Recipes, Resolved
from recipelint.ruleset.match import Verdict
from recipelint.shell.unknown import Kind


def confidence(
    recipes: Recipes, resolved: Resolved, there: Sequence[Resolved], verdicts: Mapping[int, Verdict]
) -> Confidence:
    """CERTAIN if every path that comes to this call of a trainer, THERE, has a launch that matches."""
    sure = [r.condition for r in there if verdicts[id(r)] is Verdict.YES]
    certain = recipes.always(sure, [r.condition for r in there]) and not resolved.unread
    certain = certain and not overridable(recipes, resolved)
    return Confidence.CERTAIN if certain else Confidence.POSSIBLE


def overridable(recipes: Recipes, resolved: Resolved) -> bool:
    """Whether words that nobody knows stand among the flags: they may say the opposite."""
    unknowns = recipes.evaluation.session.unknowns
    awaited: set[int] = set()
    if resolved.entry is not None:
        for use in resolved.entry.uses(resolved.words):
            awaited |= set(range(use.at, use.at + 1 + resolved.entry.flags[use.name].least))
    for at, word in enumerate(resolved.words):
        if len(word.s) == 1 and not word.known and at not in awaited:
            piece = unknowns[word.s]
            if piece.many and piece.kind in (Kind.OUTPUT, Kind.MACHINE, Kind.DERIVED):
                return True
    return False


def certainty(recipes: Recipes, found: Sequence[Resolved]) -> Confidence:
    """CERTAIN if every path that comes to one of the trainer calls has a launch among FOUND."""
    for site in {resolved.launch.trainer.key for resolved in found}:
        sure = [r for r in found if r.launch.trainer.key == site]
        if any(r.unread for r in sure):
            continue
        if any(not term for r in sure for term in r.condition):
            return Confidence.CERTAIN
        there = [r for r in recipes.resolved if r.launch.trainer.key == site]
        if recipes.always([r.condition for r in sure], [r.condition for r in there]):
            return Confidence.CERTAIN
    return Confidence.POSSIBLE if found else Confidence.CERTAIN

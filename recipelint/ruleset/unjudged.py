"""Why a launch has no verdict though nothing is found in it: no rule judges its trainer, or each needs the unknown."""

from __future__ import annotations

from recipelint.recipe.model import Launch
from recipelint.ruleset.load import Ruleset
from recipelint.ruleset.match import undecided

NO_RULE, UNDECIDED = "no rule", "undecided"


def unjudged(launch: Launch, ruleset: Ruleset) -> str:
    """Empty where some rule about settings has been held against the launch; a team's own hold for every trainer."""
    rules = [one for one in ruleset.rules.values() if not one.builtin and one.code in launch.rules]
    if not rules:
        return NO_RULE
    return UNDECIDED if all(undecided(rule, launch.settings) for rule in rules) else ""

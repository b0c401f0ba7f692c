"""The fix for a finding: where its edits go, and who may apply it.

A fix is safe because a recipe that cannot run has no behaviour to keep; it is unsafe where the match is only possible,
or where a launch that is right takes its value from the same place.
"""

from __future__ import annotations

from collections.abc import Sequence

from recipelint.commenting import Layouts
from recipelint.diagnostic import Confidence
from recipelint.fix import Applicability, Edit, Fix
from recipelint.proposal import Proposal, Proposer
from recipelint.recipe.build import Recipes, Resolved
from recipelint.recipe.model import Launch
from recipelint.record import NamedTuple
from recipelint.ruleset.schema import Rule, RuleFix
from recipelint.source import Location


class Match(NamedTuple):
    """A rule that holds, or may hold, for a launch."""

    rule: Rule
    recipes: Recipes
    resolved: Resolved
    confidence: Confidence

    @property
    def place(self) -> Location:
        """Where it stands: at the text that decides the rule's primary setting, else at the trainer's word."""
        return deciding(self.resolved.launch, self.primary or "")

    @property
    def primary(self) -> str | None:
        """The setting at whose place it stands; where no fix changes one, the first label's that has a place."""
        rule, settings = self.rule, self.resolved.launch.settings
        if rule.fix is not None and rule.fix.set:
            return rule.primary
        placed = (one.setting for one in rule.labels if one.setting in settings and settings[one.setting].location)
        return next(placed, rule.primary)


def deciding(launch: Launch, setting: str) -> Location:
    """The text that decides a setting of a launch; where there is none, the word that starts the trainer."""
    found = launch.settings.get(setting)
    return found.location if found is not None and found.location is not None else launch.trainer


class Remedy:
    """Fixes for the findings of one run. LINTED are the paths whose text may be changed."""

    def __init__(self, recipes: Sequence[Recipes], linted: frozenset[str], layouts: Layouts) -> None:
        self.recipes = recipes
        self.linted = linted
        self.layouts = layouts
        self._users: dict[str, dict[object, set[int]]] = {}

    def fix(self, group: Sequence[Match]) -> tuple[Fix | None, str]:
        """The fix for the matches of one rule at one place, or why there is none; the first match leads."""
        first = group[0]
        fix = first.rule.fix
        if fix is None:
            return None, ""
        applicability = min(match.rule.fix.applicability for match in group if match.rule.fix is not None)
        edits: tuple[Edit, ...] = ()
        for setting, value in fix.set.items():
            known = first.resolved.launch.settings.get(setting)
            if edits and known is not None and known.value == value:
                continue
            # One explanation will do, above the first change.
            proposal, shared = self.proposed(group, fix if not edits else fix._replace(comment=""), setting)
            if not proposal.edits:
                return None, f"not fixed: {proposal.reason}"
            edits = together(edits, proposal.edits)
            if shared:
                applicability = min(applicability, Applicability.UNSAFE)
        outside = sorted({edit.path for edit in edits} - self.linted)
        if outside:
            return None, f"not fixed: it is decided in {outside[0]}, which is outside the given paths"
        if first.confidence is Confidence.POSSIBLE:
            applicability = min(applicability, Applicability.UNSAFE)
        return Fix(fix.title, applicability, edits), ""

    def proposed(self, group: Sequence[Match], fix: RuleFix, setting: str) -> tuple[Proposal, bool]:
        """What to edit for one setting, and whether a launch that is right would change with it."""
        shared = self.shared(group, setting)
        proposal = self.at_use(group, fix, setting) if shared else Proposal()
        if proposal.edits:
            return proposal, False
        return self.proposal(group[0], fix, setting, at_use=False), shared

    def proposal(self, match: Match, fix: RuleFix, setting: str, at_use: bool) -> Proposal:
        proposer = Proposer(match.recipes, self.layouts)
        # The text of a file is its bytes, a character each.
        comment = tuple(line.encode().decode("latin-1") for line in fix.comment_lines)
        return proposer.propose(match.resolved, setting, str(fix.set[setting]), comment, at_use)

    def shared(self, group: Sequence[Match], setting: str) -> bool:
        """Whether a launch that the rule does not hold for gets the setting from the same place."""
        place = deciding(group[0].resolved.launch, setting).key
        anchor = Proposer(group[0].recipes, self.layouts).anchor(group[0].resolved, setting)
        wrong = {id(match.resolved) for match in group}
        users = self.users(setting)
        there = users.get(place, set())
        if anchor is not None and anchor.source is not None:
            there = there | users.get((anchor.source.path, anchor.start), set())
        return not there <= wrong

    def users(self, setting: str) -> dict[object, set[int]]:
        """The launches that take the setting from a place, or a word from where a stretch of text starts."""
        found = self._users.get(setting)
        if found is None:
            found = self._users[setting] = {}
            for recipes in self.recipes:
                for resolved in recipes.resolved:
                    if setting not in resolved.launch.settings:
                        continue
                    found.setdefault(deciding(resolved.launch, setting).key, set()).add(id(resolved))
                    for origin in (word.first_origin for word in resolved.words):
                        if origin is not None and origin.source is not None:
                            found.setdefault((origin.source.path, origin.start), set()).add(id(resolved))
        return found

    def at_use(self, group: Sequence[Match], fix: RuleFix, setting: str) -> Proposal:
        """A change where the wrong launch alone takes a shared value."""
        if len(group) != 1:
            return Proposal()
        site = group[0].resolved.launch.trainer.key
        if sum(resolved.launch.trainer.key == site for resolved in group[0].recipes.resolved) != 1:
            return Proposal()
        return self.proposal(group[0], fix, setting, at_use=True)


def together(edits: tuple[Edit, ...], more: Sequence[Edit]) -> tuple[Edit, ...]:
    """The edits of two changes; what both insert at one place stands there in turn."""
    found = list(edits)
    for edit in more:
        same = next((at for at, one in enumerate(found) if one[:3] == edit[:3] and edit.start == edit.end), None)
        if same is None:
            found.append(edit)
        else:
            found[same] = found[same]._replace(replacement=found[same].replacement + edit.replacement)
    return tuple(found)

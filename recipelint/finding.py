"""What a check of the program finds: a builtin rule, a place, and what fills its message. The linter makes a
diagnostic of it, and withholds a fix that reaches outside the given paths."""

from __future__ import annotations

from collections.abc import Mapping

from recipelint.certainty import certainty
from recipelint.diagnostic import LONGEST, Confidence, Diagnostic, Label, Severity, shortened
from recipelint.fix import Applicability, Fix
from recipelint.recipe.build import Recipes, Resolved
from recipelint.record import NamedTuple
from recipelint.ruleset.load import Ruleset
from recipelint.source import Location


class Finding(NamedTuple):
    """One finding of a builtin rule.

    fields     what its message and help speak of, one line each
    recipes    the launcher that it is about, if it is about one, and which of its launches
    note       why there is no fix
    severity   its severity where that is not the rule's
    disputes   settings of which a text says what is not so, and would after a fix of them
    """

    code: str
    location: Location
    fields: Mapping[str, str]
    label: str = ""
    related: tuple[Label, ...] = ()
    fix: Fix | None = None
    note: str = ""
    recipes: Recipes | None = None
    resolved: tuple[Resolved, ...] = ()
    severity: Severity | None = None
    disputes: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """Equal findings are one, however many launches they reach."""
        return self.code, self.location.key, *sorted(self.fields.items())


def diagnostic(finding: Finding, ruleset: Ruleset, linted: frozenset[str]) -> Diagnostic:
    """The diagnostic of a finding; its fix is unsafe where the finding is only possible."""
    rule = ruleset.rules[finding.code]
    confidence, related, notes = Confidence.CERTAIN, dict.fromkeys(finding.related), [finding.note]
    about, launches = [], []
    if finding.recipes is not None:
        confidence = certainty(finding.recipes, finding.resolved)
    for resolved in finding.resolved:
        launch = resolved.launch
        about.append(launch.key)
        launches.append((launch.location.path, launch.location.span.start))
        related.setdefault(Label(launch.location, f"{launch.entry_point} is launched here"))
    if confidence is Confidence.POSSIBLE and finding.resolved and finding.resolved[0].launch.when:
        notes.insert(0, finding.resolved[0].launch.condition)
    fix = finding.fix
    outside = sorted({edit.path for edit in fix.edits} - linted) if fix is not None else []
    if outside:
        fix = None
        notes.append(f"not fixed: the fix writes into {outside[0]}, which is outside the given paths")
    elif fix is not None and confidence is Confidence.POSSIBLE:
        fix = fix.at_most(Applicability.UNSAFE)
    fields = {name: shortened(text, LONGEST // 4) for name, text in finding.fields.items()}
    return Diagnostic(
        rule.code,
        rule.name,
        rule.severity if finding.severity is None else finding.severity,
        confidence,
        finding.location,
        rule.message.format_map(fields),
        finding.label,
        rule.help.format_map(fields),
        rule.url,
        tuple(related),
        fix,
        "; ".join(note for note in notes if note),
        tuple(about),
        tuple(launches),
        finding.disputes,
    ).bounded()

"""Severities that the configuration gives: how a finding is reported, never what is found or how a fix is checked."""

from __future__ import annotations

from collections.abc import Callable

from recipelint.diagnostic import Diagnostic, Severity
from recipelint.ruleset.load import Ruleset
from recipelint.ruleset.select import best, check_selector
from recipelint.settings import Settings


def grades(ruleset: Ruleset, settings: Settings) -> dict[str, Severity]:
    """By code, the severity that the configuration gives: of its selectors the most exact. Raises SelectError."""
    table = dict(settings.severity)
    for selector in table:
        check_selector(ruleset, selector)
    chosen = {code: best(rule, table) for code, rule in ruleset.rules.items()}
    return {code: table[selector] for code, selector in chosen.items() if selector is not None}


def grading(ruleset: Ruleset, settings: Settings) -> Callable[[Diagnostic], Diagnostic]:
    """Gives a diagnostic its severity."""
    given = grades(ruleset, settings)

    def grade(diagnostic: Diagnostic) -> Diagnostic:
        severity = given.get(diagnostic.code)
        if severity is None:
            return diagnostic
        return diagnostic._replace(
            severity=graded(diagnostic.severity, ruleset.rules[diagnostic.code].severity, severity)
        )

    return grade


def graded(found: Severity, own: Severity, given: Severity) -> Severity:
    """The severity of a finding that has FOUND, by a rule whose OWN is overridden by GIVEN.

    A lower one is a ceiling; a higher one lifts what is as grave as the rule, not a variant of it that is milder.
    """
    if given <= own:
        return min(found, given)
    return found if found < own else max(found, given)

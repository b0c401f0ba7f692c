"""Which rules are on: by code (EP001), name, prefix of a code (EP, EP0), family (moe) or ALL.

The more exact of two selectors wins, so `select = ["EP001"]` stands against `ignore = ["EP"]`; of equals, ignore.
A preview rule is on only when its code or its name is selected.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from recipelint.ruleset.load import Ruleset
from recipelint.ruleset.schema import Rule

ALL = "ALL"
_EXACT = 100


class SelectError(ValueError):
    """A selector that selects nothing."""


def select(ruleset: Ruleset, select: Iterable[str] = (), ignore: Iterable[str] = ()) -> frozenset[str]:
    """The codes that are on. Without SELECT: all stable rules that are on by default. Raises SelectError."""
    wanted, unwanted = tuple(select), tuple(ignore)
    for selector in (*wanted, *unwanted):
        check_selector(ruleset, selector)
    return frozenset(rule.code for rule in ruleset.rules.values() if _on(rule, wanted, unwanted))


def _on(rule: Rule, wanted: tuple[str, ...], unwanted: tuple[str, ...]) -> bool:
    for_it = max((_exactness(rule, selector) for selector in wanted), default=0)
    against = max((_exactness(rule, selector) for selector in unwanted), default=0)
    if not wanted:
        return rule.default and rule.status == "stable" and not against
    return for_it > against and (rule.status == "stable" or for_it == _EXACT)


def matching(ruleset: Ruleset, selector: str) -> frozenset[str]:
    """The codes that one selector means, preview ones as well. Raises SelectError."""
    check_selector(ruleset, selector)
    return frozenset(rule.code for rule in ruleset.rules.values() if _exactness(rule, selector))


def find(ruleset: Ruleset, code_or_name: str) -> Rule:
    """The one rule of a code (in any case) or a name. Raises SelectError."""
    for rule in ruleset.rules.values():
        if code_or_name.upper() == rule.code or code_or_name == rule.name:
            return rule
    raise _unknown("rule", code_or_name, names(ruleset))


def names(ruleset: Ruleset) -> frozenset[str]:
    """Every code and every name."""
    return frozenset(word for rule in ruleset.rules.values() for word in (rule.code, rule.name))


def check_selector(ruleset: Ruleset, selector: str) -> None:
    """Raises SelectError if it selects no rule."""
    if not any(_exactness(rule, selector) for rule in ruleset.rules.values()):
        families = {rule.family for rule in ruleset.rules.values()}
        raise _unknown("rule selector", selector, names(ruleset) | families | {ALL})


def _exactness(rule: Rule, selector: str) -> int:
    """0 if it does not select the rule; else more, the fewer rules such a selector can mean."""
    if selector in (rule.code, rule.name):
        return _EXACT
    if selector == ALL:
        return 1
    if selector == rule.family:
        return 2
    return 2 + len(selector) if selector and selector.isalnum() and rule.code.startswith(selector) else 0


def _unknown(kind: str, word: str, known: Collection[str]) -> SelectError:
    from recipelint.ruleset.document import suggestion

    return SelectError(f'unknown {kind} "{word}"{suggestion(word, known)}')

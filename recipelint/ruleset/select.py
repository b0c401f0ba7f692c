"""Which rules are on: by code (EP001), name, prefix of a code (EP, EP0), family (moe) or ALL.

The more exact of two selectors wins, so `select = ["EP001"]` stands against `ignore = ["EP"]`; of equals, ignore. What
the command line says goes over what the configuration says, however exact that is.
Without preview, a preview rule is on only when its code or its name is selected.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from recipelint.ruleset.load import Ruleset
from recipelint.ruleset.schema import Rule
from recipelint.settings import Choice, Settings

ALL = "ALL"
STABLE = "stable"
_EXACT = 100


class SelectError(ValueError):
    """A selector that selects nothing."""


def active(ruleset: Ruleset, settings: Settings) -> frozenset[str]:
    """The codes that are on. Without a selection: all stable rules that are on by default. Raises SelectError."""
    return _chosen(ruleset, settings.selection, _default(ruleset, settings), preview=settings.preview)


def standard(ruleset: Ruleset, settings: Settings) -> frozenset[str]:
    """The codes that are on where nobody selects or ignores any."""
    return frozenset(_default(ruleset, settings))


def unselected(ruleset: Ruleset, settings: Settings) -> frozenset[str]:
    """Of the standard codes, those that are off because others are selected, not because they are ignored."""
    off = standard(ruleset, settings) - active(ruleset, settings)
    ignored = {word for layer in settings.selection for word in layer.without}
    return frozenset(code for code in off if best(ruleset.rules[code], ignored) is None)


def _default(ruleset: Ruleset, settings: Settings) -> set[str]:
    return {
        rule.code for rule in ruleset.rules.values() if rule.default and (settings.preview or rule.status == STABLE)
    }


def fixable(ruleset: Ruleset, settings: Settings) -> frozenset[str]:
    """The codes whose fixes may be made: without a choice, all. Raises SelectError."""
    return _chosen(ruleset, settings.fixes, ruleset.rules, preview=True)


def idle(ruleset: Ruleset, settings: Settings) -> tuple[str, ...]:
    """The selectors that turn nothing on because all that they mean is in preview."""
    words = [word for layer in settings.selection for word in (*layer.only, *layer.extend)]
    return tuple(
        word
        for word in dict.fromkeys(words)
        if not any(_wanted(rule, word, preview=settings.preview) for rule in ruleset.rules.values())
    )


def _chosen(ruleset: Ruleset, layers: Iterable[Choice], start: Iterable[str], *, preview: bool) -> frozenset[str]:
    """The codes that are left of START, or come to it, layer by layer."""
    on = set(start)
    for layer in layers:
        for selector in (*layer.only, *layer.extend, *layer.without):
            check_selector(ruleset, selector)
        if layer.only:
            on.clear()
        for rule in ruleset.rules.values():
            wanted = (*layer.only, *layer.extend)
            for_it = max((_wanted(rule, selector, preview=preview) for selector in wanted), default=0)
            against = max((_exactness(rule, selector) for selector in layer.without), default=0)
            if for_it > against:
                on.add(rule.code)
            elif against:
                on.discard(rule.code)
    return frozenset(on)


def _wanted(rule: Rule, selector: str, *, preview: bool) -> int:
    """The exactness of a selector that is to turn a rule on; without preview only an exact one does that."""
    found = _exactness(rule, selector)
    return found if preview or rule.status == STABLE or found == _EXACT else 0


def best(rule: Rule, selectors: Iterable[str]) -> str | None:
    """The most exact of some selectors for a rule, the last of equals; None if none selects it."""
    found, exactness = None, 1
    for selector in selectors:
        if (one := _exactness(rule, selector)) >= exactness:
            found, exactness = selector, one
    return found


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

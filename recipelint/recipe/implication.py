"""Undecided conditions: whether one set of them holds wherever another does, and how they are told."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from recipelint.shell.decisions import Condition
from recipelint.shell.unknown import Unknowns

MAX_DECISIONS = 10
"""More undecided conditions than this are not tried in every combination: the launch then counts as uncertain."""


def implied(conditions: Sequence[Condition], within: Sequence[Condition]) -> bool:
    """Whether one of CONDITIONS holds under every set of decisions under which one of WITHIN does."""
    terms = [term for condition in conditions for term in condition]
    if any(not term for term in terms):
        return True
    limits = [term for condition in within for term in condition]
    names = sorted({name for term in terms for name, _ in term})
    if len(names) > MAX_DECISIONS:
        return False
    for limit in limits:
        fixed = dict(limit)
        open_names = [name for name in names if name not in fixed]
        for values in product((False, True), repeat=len(open_names)):
            decided = {**fixed, **dict(zip(open_names, values, strict=True))}
            if not any(all(decided[name] == value for name, value in term) for term in terms):
                return False
    return True


def told(condition: Condition, decisions: Sequence[str], unknowns: Unknowns) -> tuple[str, ...]:
    """The undecided conditions under which a launch is made, as a person would read them."""
    terms = sorted(condition, key=lambda term: (len(term), sorted(term)))
    out: list[str] = []
    for term in terms[:4]:
        said = [
            ("" if value else "not: ") + unknowns.display(" ".join(decisions[number].split())[:160])
            for number, value in sorted(term)
        ]
        out.append(" and ".join(said) or "always")
    return tuple(out)

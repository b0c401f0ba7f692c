"""Conditions: the decisions under which a world is reached.

A condition is a set of alternatives, each a set of decisions that hold together; past the cap it is "always".
"""

from __future__ import annotations

Conjunction = frozenset[tuple[int, bool]]


Condition = frozenset[Conjunction]
"""When a world is reached: one of the conjunctions of decisions holds."""
ALWAYS: Condition = frozenset({frozenset()})
MAX_TERMS = 12
"""A condition of more conjunctions is not worth telling: it becomes "always"."""


def both(one: Condition, other: Condition) -> Condition:
    """The condition that both hold."""
    if one == ALWAYS:
        return other
    if other == ALWAYS:
        return one
    out = set()
    for a in one:
        for b in other:
            together = a | b
            if len({decision for decision, _ in together}) == len(together):
                out.add(together)
    return simplified(frozenset(out)) if out else one


def either(one: Condition, other: Condition) -> Condition:
    """The condition that one of the two holds."""
    return simplified(one | other)


def simplified(condition: Condition) -> Condition:
    """An equal condition with fewer conjunctions: pairs that differ in one decision's sign lose that decision."""
    terms = set(condition)
    changed = True
    while changed:
        changed = False
        for a in list(terms):
            if any(b < a for b in terms):
                terms.discard(a)
                changed = True
                continue
            for decision, value in a:
                rest = a - {(decision, value)}
                if rest | {(decision, not value)} in terms:
                    terms -= {a, rest | {(decision, not value)}}
                    terms.add(rest)
                    changed = True
                    break
            if changed:
                break
    return frozenset(terms) if len(terms) <= MAX_TERMS else ALWAYS


def assumed(condition: Condition, decision: int) -> bool | None:
    """How DECISION was taken wherever the condition holds; None if that differs or is open."""
    seen: bool | None = None
    for term in condition:
        if (decision, True) in term:
            value = True
        elif (decision, False) in term:
            value = False
        else:
            return None
        if seen is not None and seen != value:
            return None
        seen = value
    return seen

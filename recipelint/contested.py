"""Findings that speak of the same command: where its last words are lost, what else is wrong with it is not settled.

Joining the command again changes what the other finding is about, and a fix of that one would guess what the lost words
say. So neither is made without being asked for; the joining comes first.
"""

from __future__ import annotations

from collections.abc import Sequence

from recipelint.diagnostic import Diagnostic, Severity
from recipelint.fix import Applicability

LOST_WORDS = "SH003"


def contested(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics, with the fixes of those that speak of the same launch held back."""
    cut = {key for one in found if one.code == LOST_WORDS for key in one.about}
    if not cut:
        return list(found)
    wrong = {
        key for one in found if one.code != LOST_WORDS and one.severity is Severity.ERROR for key in one.about
    } & cut
    return [held(one) if not wrong.isdisjoint(one.about) else one for one in found]


def held(one: Diagnostic) -> Diagnostic:
    if one.fix is None:
        return one
    if one.code == LOST_WORDS:
        return one._replace(fix=one.fix.at_most(Applicability.UNSAFE))
    reason = f"not fixed: the command loses its last words ({LOST_WORDS}); join it first"
    return one._replace(fix=None, note=f"{one.note}; {reason}" if one.note else reason)

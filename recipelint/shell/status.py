"""The status of a command: a number, one that only a run would tell, or one that holds because nobody gives a knob.

A status that depends on what nobody knows is never a number.
"""

from __future__ import annotations

from recipelint.record import NamedTuple


class Undecided(NamedTuple):
    """A status that only a run would tell; the same key always has the same answer in a world."""

    key: str
    text: str
    negated: bool = False


class AsShipped(NamedTuple):
    """A status that is `value` as shipped, because nobody gives the knobs in `needs`."""

    value: bool
    needs: frozenset[str]


Status = int | Undecided | AsShipped
NO_NEEDS: frozenset[str] = frozenset()


def status_of(holds: bool, needs: frozenset[str] = NO_NEEDS) -> Status:
    """0 for true, 1 for false; as shipped where it depends on knobs that nobody gives."""
    return AsShipped(holds, needs) if needs else int(not holds)


def negated(status: Status) -> Status:
    """The status after `!`."""
    if isinstance(status, Undecided):
        return status._replace(negated=not status.negated)
    if isinstance(status, AsShipped):
        return AsShipped(not status.value, status.needs)
    return int(not status)


def truth(status: Status) -> bool | None:
    """Whether the status is success; None where it is undecided."""
    if isinstance(status, Undecided):
        return None
    return status.value if isinstance(status, AsShipped) else status == 0


def needs_of(status: Status) -> frozenset[str]:
    """The knobs that a status hangs on."""
    return status.needs if isinstance(status, AsShipped) else NO_NEEDS


def combined(op: str, left: Status, right: Status, text: str) -> Status:
    """`and` and `or` of two statuses, each of which may be undecided."""
    stop = op == "or"
    for one in (left, right):
        if truth(one) is stop and not needs_of(one):
            return one
    needs = needs_of(left) | needs_of(right)
    if truth(left) is None or truth(right) is None:
        shipped_stop = truth(left) is stop or truth(right) is stop
        if shipped_stop:
            return AsShipped(stop, needs)
        if truth(left) is not None and truth(left) is not stop:
            return right
        if truth(right) is not None and truth(right) is not stop:
            return left
        keys = "|".join(s.key + ("!" if s.negated else "") for s in (left, right) if isinstance(s, Undecided))
        return Undecided(f"{op}({keys})", text)
    holds = truth(left) or truth(right) if stop else truth(left) and truth(right)
    return status_of(bool(holds), needs)

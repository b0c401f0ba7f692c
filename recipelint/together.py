"""Which of the changed files belong together, because one fix changes several of them; each is in one group.

A group is written whole or not at all: a call of a function that another file should have got is worse than no fix.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recipelint.outcome import Change


def groups(changes: Sequence[Change], shared: Iterable[Sequence[str]]) -> list[list[Change]]:
    """The changes in groups, in their order; SHARED are the paths of each fix."""
    group: dict[str, list[Change]] = {change.path: [change] for change in changes}
    for paths in shared:
        found = {id(group[path]): group[path] for path in paths if path in group}
        if len(found) > 1:
            joined = sorted((change for part in found.values() for change in part), key=lambda change: change.path)
            group.update({change.path: joined for change in joined})
    return list({id(one): one for one in group.values()}.values())

"""The rows of a table for a person: those that look alike are one, and launches of one place are told apart.

A loop's turns that differ in nothing that is shown become one row, with `×4`. Where a place has launches under
different conditions, a column says which, without those that they share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recipelint.report.table import Row, Table, conditions

WHEN = "when"


@dataclass(frozen=True, slots=True)
class Texts:
    """The columns, and the rows as texts, each with the path of its launcher."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    paths: tuple[str, ...]


def merged(table: Table) -> Texts:
    """The table as a person sees it."""
    whens = _told_apart(table.rows) if WHEN not in table.columns else {}
    counts: dict[tuple[str, object, tuple[str, ...]], int] = {}
    for row in table.rows:
        texts = [cell.text for cell in row.cells]
        if whens:
            shared = whens.get(row.place)
            texts.append("-" if shared is None else conditions([one for one in row.when if one not in shared]) or "-")
        key = (row.path, row.place, tuple(texts))
        counts[key] = counts.get(key, 0) + 1
    return Texts(
        (*table.columns, WHEN) if whens else table.columns,
        tuple((f"{texts[0]} ×{count}", *texts[1:]) if count > 1 else texts for (_, _, texts), count in counts.items()),
        tuple(path for path, _, _ in counts),
    )


def _told_apart(rows: Sequence[Row]) -> dict[tuple[object, ...], set[str]]:
    """The places with launches under different conditions, and the conditions that all launches of one share."""
    by_place: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        by_place.setdefault(row.place, []).append(row)
    return {
        place: set.intersection(*(set(row.when) for row in group))
        for place, group in by_place.items()
        if len({row.when for row in group}) > 1
    }

"""Edits of one file as lines to replace, as code review services want them: whole lines, as few as hold every edit.

Put into the file in place of its lines, the text gives the bytes that the edits give; where it could not, there is
no suggestion.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from recipelint.fix import Edit, apply
from recipelint.source import SourceFile

_BLANK = ([b""], [b"\r"])


class Suggestion(NamedTuple):
    """The 1-based lines FIRST to LAST become TEXT, which has no line end after its last line; empty: they go away."""

    first: int
    last: int
    text: str


def suggestion(source: SourceFile, edits: Iterable[Edit]) -> Suggestion | None:
    """The suggestion for the edits of a file; None where it would need bytes that are no UTF-8, or changes nothing."""
    before, after = source.data, apply(source.data, edits)
    if before.endswith(b"\n") and after.endswith(b"\n"):
        before, after = before[:-1], after[:-1]
    elif before.endswith(b"\n") or after.endswith(b"\n"):
        return None  # services have no word for a last line end that comes or goes
    old, new = before.split(b"\n"), after.split(b"\n")
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    first, last, changed = start, len(old) - end, new[start : len(new) - end]
    if first == last and not changed:
        return None
    if first == last or changed in _BLANK:  # no line to hang it on, or one that would read as a removal: take one more
        if last < len(old):
            changed.append(old[last])
            last += 1
        else:
            first -= 1
            changed.insert(0, old[first])
    if first < 0 or changed in _BLANK:
        return None
    if changed:
        if old[last - 1].endswith(b"\r") != changed[-1].endswith(b"\r"):
            return None  # a service leaves the line end as it is
        changed[-1] = changed[-1].removesuffix(b"\r")
    try:
        return Suggestion(first + 1, last, b"\n".join(changed).decode("utf-8"))
    except UnicodeDecodeError:
        return None


def _common(one: list[bytes], other: list[bytes]) -> int:
    """How many lines both start with."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count

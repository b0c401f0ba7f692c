"""A failing text made smaller while it still fails: whole lines first, then words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence


def shrunk(text: str, fails: Callable[[str], bool]) -> str:
    """The smallest text that was found; TEXT itself fails."""
    lines = fewer(text.splitlines(keepends=True), fails)
    return "".join(fewer([part for line in lines for part in re.split(r"(?<=[ ;])", line)], fails))


def fewer(parts: Sequence[str], fails: Callable[[str], bool]) -> list[str]:
    """PARTS without those that need not be there: runs of them, ever shorter, are left out."""
    left, size = list(parts), max(len(parts) // 2, 1)
    while size:
        at = 0
        while at < len(left):
            tried = left[:at] + left[at + size :]
            if tried and fails("".join(tried)):
                left = tried
            else:
                at += size
        size //= 2
    return left

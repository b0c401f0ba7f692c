"""Whole numbers as bash counts with them: 64 bits; a longer one is out of range, however many digits it has."""

from __future__ import annotations

FAR = 1 << 63
"""Stands for every number that is out of range."""


def whole(digits: str) -> int:
    """The value of decimal digits, at most FAR."""
    digits = digits.lstrip("0")
    return FAR if len(digits) > 19 else min(int(digits or "0"), FAR)

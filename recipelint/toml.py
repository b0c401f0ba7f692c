"""TOML of a repository that is linted, read in bounded time.

The parser's time and memory grow with the square of the parts of one dotted key; so a key of very many is refused.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from typing import Any

from recipelint.lazily import regex

MAX_PARTS = 32
"""Of a dotted key."""
_ASIDE = regex(
    r'"""(?:[^"\\]+|\\.|"(?!""))*(?:"{3,5}|\Z)'
    r"|'''(?:[^']+|'(?!''))*(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]+|\\[^\n])*"?'
    r"|'[^'\n]*'?"
    r"|#[^\n]*",
    re.DOTALL,
)
"""A text or a comment; what is wrong with one, the parser says. Each always ends, so that none is tried again."""
_PART = regex(r"[\w \t-]*")


def loads(data: bytes | str) -> dict[str, Any]:
    """The table of a document; raises ValueError."""
    text = data if isinstance(data, str) else data.decode("utf-8")
    if _has_long_key(text):
        raise ValueError(f"a key has more than {MAX_PARTS} parts")
    try:
        table: dict[str, Any] = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli").loads(text)
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    return table


def _has_long_key(text: str) -> bool:
    """Whether a line has so many dots between what may be the parts of a key; a text in quotes is one part."""
    if all(line.count(".") < MAX_PARTS for line in text.split("\n")):
        return False
    for line in _ASIDE.sub(lambda match: "" if match[0].startswith("#") else "_", text).split("\n"):
        run = 1
        for part in line.split("."):
            run = run + 1 if _PART.fullmatch(part) else 1
            if run > MAX_PARTS:
                return True
    return False

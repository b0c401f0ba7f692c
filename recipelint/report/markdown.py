"""Text that is shown as Markdown: it stays plain text, and mentions nobody.

Text that could be markup, a link, a mention or a reference stands in a code span, in which none of them works.
"""

from __future__ import annotations

import re

_ACTIVE = re.compile(r"[<>\[\]`*@#~|\\&!]|(?<!\w)_|_(?!\w)|//|www\.|:\w+:|\bGH-|^\s*(?:[-+=>]|\d+[.)])", re.MULTILINE)


def harmless(text: str) -> str:
    """One line of TEXT as Markdown that shows it as it is."""
    if not _ACTIVE.search(text):
        return text
    longest = max(map(len, re.findall(r"`+", text)), default=0)
    fence = "`" * (longest + 1)
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{padding}{text}{padding}{fence}"

"""Untrusted text as Markdown that is only text: no link, image, mention, reference or HTML, in a table or out of it.

Text that Markdown leaves alone, on GitHub and GitLab too, stays as it is; any other becomes a code span, in which nothing
is markup. Backslashes and entities would not do: mentions and bare links are looked for after those have been undone.
"""

from __future__ import annotations

import re

from recipelint.report.plain import neutralise

_HARMLESS = re.compile(r"(?:[^\W_]|(?<=[^\W_])_(?=[^\W_])|[ .,;()/+=%×'\"-]|:(?=[\s\d]|\Z))*\Z")
_REFERENCE = re.compile(r"www\.|\bGH-\d|\b[0-9a-f]{7,}\b", re.IGNORECASE)
_TICKS = re.compile("`+")


def cell(text: str) -> str:
    """TEXT in one line, also between the bars of a table."""
    text = neutralise(text)
    return text if _HARMLESS.match(text) and not _REFERENCE.search(text) else code(text)


def code(text: str) -> str:
    """TEXT as a code span, also between the bars of a table, where a bar in a code span needs a backslash."""
    text = neutralise(text).replace("|", "\\|")
    fence = "`" * (max(map(len, _TICKS.findall(text)), default=0) + 1)
    pad = " " if text.startswith(("`", " ")) or text.endswith(("`", " ")) else ""
    return f"{fence}{pad}{text}{pad}{fence}"

"""XML 1.0 in ASCII, made of elements by hand, so that each character can be written as harmlessly as it needs to be.

A path comes back from a reader exactly, but for characters that no XML may hold; what would be obeyed or hidden in a
log, line ends, bidi marks, workflow commands, is written as references.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from recipelint.report.plain import escape, marker_indexes

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAMED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}


def element(name: str, attributes: Mapping[str, object], inside: Iterable[str] | str | None = None) -> str:
    """An element in lines: INSIDE are elements, or a text; None is nothing."""
    start = name + "".join(f' {key}="{text(str(value))}"' for key, value in attributes.items())
    if inside is None:
        return f"<{start}/>\n"
    if isinstance(inside, str):
        return f"<{start}>{text(inside)}</{name}>\n"
    return f"<{start}>\n" + "".join(inside) + f"</{name}>\n"


def text(raw: str) -> str:
    """RAW for an attribute or between tags."""
    legal = _ILLEGAL.sub(lambda match: escape(match[0]), raw)
    markers = marker_indexes(legal)
    return "".join(_NAMED.get(char) or _character(char, at in markers) for at, char in enumerate(legal))


def _character(char: str, marker: bool) -> str:
    return f"&#{ord(char)};" if marker or not " " <= char <= "~" else char

"""Untrusted text made harmless for a terminal and for a CI log; what was there stays visible.

Control and format characters (ANSI and OSC sequences, bidi overrides, zero-width and lone surrogate characters, odd
spaces, letters that show nothing) become escapes; a workflow command (`::error`, `##[group]`, `##vso[...]`,
`##teamcity[...]`) loses the second character of its marker to an escape, wherever it stands in the line. Harmless text
is returned as it is, and neutralising twice changes nothing.
"""

from __future__ import annotations

from recipelint.lazily import regex

MARKERS = regex(r"(?<=:):|(?<=#)#(?=\w*\[)")
_UNSEEN = frozenset(
    map(
        chr,
        (
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),  # joiners, fillers, blanks
            *(*range(0x180B, 0x1810), *range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0)),  # variation selectors
        ),
    )
)
"""What is printable by its category, and shows nothing. The selectors of emoji, U+FE0E and U+FE0F, are left alone."""
_NAMED = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}


def neutralise(text: str) -> str:
    """TEXT in one line of printable characters, its workflow commands inert."""
    if not is_shown(text):
        text = "".join(map(visible, text))
    return inert(text)


def inert(text: str) -> str:
    """TEXT with its workflow commands made inert, and nothing else."""
    if "::" not in text and "##" not in text:
        return text
    return MARKERS.sub(lambda match: escape(match[0]), text)


def marker_indexes(text: str) -> set[int]:
    """The indexes of the characters that must be escaped to make the workflow commands of TEXT inert."""
    if "::" not in text and "##" not in text:
        return set()
    return {match.start() for match in MARKERS.finditer(text)}


def is_shown(text: str) -> bool:
    """Whether a reader sees all of TEXT, and nothing else happens."""
    return text.isprintable() and (text.isascii() or _UNSEEN.isdisjoint(text))


def visible(char: str) -> str:
    """A character as it may be printed: itself, or its escape."""
    return char if is_shown(char) else escape(char)


def escape(char: str) -> str:
    """A character as an escape; a lone surrogate is the byte that a file name could not decode."""
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:
        code -= 0xDC00
    if code <= 0xFF:
        return _NAMED.get(char) or f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def block(text: str) -> str:
    """Text of several lines, each of them neutralised."""
    return "\n".join(map(neutralise, text.split("\n")))

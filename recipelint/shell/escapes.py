"""Backslash escapes: of `$'…'` (bash manual, 3.1.2.4) and of echo -e and printf (4.2)."""

from __future__ import annotations

import re

SIMPLE = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
ESCAPE = re.compile(
    r"\\(?:(?P<octal>[0-7]{1,3})|x(?P<hex>[0-9A-Fa-f]{1,2})|u(?P<u>[0-9A-Fa-f]{1,4})|U(?P<U>[0-9A-Fa-f]{1,8})|c(?P<c>.)|(?P<one>.))",
    re.S,
)


def decoded(m: re.Match[str]) -> str | None:
    """The bytes (as latin-1) of one escape; None if it is none."""
    if m["octal"]:
        return chr(int(m["octal"], 8) & 0xFF)
    if m["hex"]:
        return chr(int(m["hex"], 16))
    if m["u"] or m["U"]:
        code = int(m["u"] or m["U"], 16)
        return chr(code).encode("utf-8", "replace").decode("latin-1") if code <= 0x10FFFF else ""
    if m["c"]:
        return chr(ord(m["c"].upper()[0]) & 0x1F)
    if m["one"] in SIMPLE:
        return SIMPLE[m["one"]]
    return m["one"] if m["one"] in "\\'\"?" else None


def ansi_c(s: str, at: int) -> tuple[str, int]:
    """The text of the escape at AT in `$'…'`, and where it ends; an unknown one stays as written."""
    m = ESCAPE.match(s, at)
    if not m:
        return s[at : at + 1], at + 1
    text = decoded(m)
    return (s[at : m.end()] if text is None else text), m.end()


def echo_escapes(s: str) -> tuple[str, bool]:
    """TEXT as `echo -e` or a printf format prints it; False where `\\c` ends the output."""
    out, at = [], 0
    for m in re.finditer(
        r"\\(?:0(?P<octal>[0-7]{1,3})|c)|" + ESCAPE.pattern.replace("(?P<octal>", "(?P<three>"), s, re.S
    ):
        out.append(s[at : m.start()])
        at = m.end()
        if m[0] == "\\c":
            return "".join(out), False
        if m["octal"] or m["three"]:
            out.append(chr(int(m["octal"] or m["three"], 8) & 0xFF))
        else:
            plain = ESCAPE.match(m[0])
            text = decoded(plain) if plain else None
            out.append(m[0] if text is None or m["one"] in ("'", "?") else text)
    out.append(s[at:])
    return "".join(out), True

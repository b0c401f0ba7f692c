"""Backslash escapes: of `$'…'` (bash manual, 3.1.2.4), and of echo -e, `%b` and printf's format (4.2)."""

from __future__ import annotations

import re

SIMPLE = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\",
}  # fmt: skip
ESCAPE = (
    r"\\(?:(?P<octal>OCTAL)|x(?P<hex>[0-9A-Fa-f]{1,2})|u(?P<u>[0-9A-Fa-f]{1,4})|U(?P<U>[0-9A-Fa-f]{1,8})"
    r"|c(?P<c>.?)|(?P<one>.))"
)
OCTAL = {"ansi": "[0-7]{1,3}", "format": "[0-7]{1,3}", "echo": "0[0-7]{0,3}", "b": "0[0-7]{0,3}|[1-7][0-7]{0,2}"}
"""Each kind has its own octal numbers, and takes quotes and `\\c` in its own way."""


def decoded(m: re.Match[str], quotes: bool) -> str | None:
    """The bytes (as latin-1) of one escape other than `\\c`; None if it is none."""
    if m["octal"]:
        return chr(int(m["octal"], 8) & 0xFF)
    if m["hex"]:
        return chr(int(m["hex"], 16))
    if m["u"] or m["U"]:
        code = int(m["u"] or m["U"], 16)
        return chr(code).encode("utf-8", "surrogatepass").decode("latin-1") if code <= 0x10FFFF else ""
    if m["one"] and m["one"] in "'\"?":
        return m["one"] if quotes else None
    return SIMPLE.get(m["one"] or "")


def ansi_c(s: str, at: int) -> tuple[str, int]:
    """The text of the escape at AT in `$'…'`, and where it ends; an unknown one stays as written."""
    m = re.compile(ESCAPE.replace("OCTAL", OCTAL["ansi"]), re.S).match(s, at)
    if not m:
        return s[at : at + 1], at + 1
    text = chr(ord(m["c"].upper()[0]) & 0x1F) if m["c"] else decoded(m, quotes=True)
    return (s[at : m.end()] if text is None else text), m.end()


def unescaped(s: str, kind: str) -> tuple[str, bool]:
    """S as `echo -e`, `%b` (KIND `b`) or a printf `format` prints it; False where `\\c` ends the output."""
    out, at = [], 0
    for m in re.finditer(ESCAPE.replace("OCTAL", OCTAL[kind]), s, re.S):
        out.append(s[at : m.start()])
        at = m.end()
        if m["c"] is not None:
            if kind != "format":
                return "".join(out), False
            text = None
        else:
            text = decoded(m, quotes=kind == "format")
        out.append(m[0] if text is None else text)
    out.append(s[at:])
    return "".join(out), True

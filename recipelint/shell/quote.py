"""`printf %q` and `${V@Q}`, as bash quotes (lib/sh/shquote.c: sh_backslash_quote, sh_single_quote, ansic_quote)."""

from __future__ import annotations

import shlex

from recipelint.shell.text import Run, Text

SPECIAL = frozenset(" !\"$&'()*,;<>?[\\]^`{|}")
ANSI = {
    "\x1b": "\\E",
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
    "\\": "\\\\",
    "'": "\\'",
}


def percent_q(text: Text) -> Text:
    """The text quoted for a shell; each character keeps its origin, the added ones get their neighbour's place."""
    s = text.s
    if not s:
        origin = text.runs[0][1] if text.runs else None
        return Text("''", ((2, origin),)) if origin else Text.of("''")
    if any(c < " " or c == "\x7f" for c in s) or not is_utf8(s):
        return ansi_quoted(text)
    if not SPECIAL.intersection(s) and s[0] not in "#~" and not (":~" in s or "=~" in s):
        return text
    out: list[str] = []
    runs: list[Run] = []
    begun = 0
    for at, c in enumerate(s):
        special = c in SPECIAL or (c == "#" and at == 0) or (c == "~" and (at == 0 or s[at - 1] in ":="))
        if special:
            runs += text.slice(begun, at).runs if at > begun else ()
            one = text.slice(at, at + 1).runs
            runs.append((2, one[-1][1]) if one else (2, text.runs[0][1]))
            out.append("\\" + c)
            begun = at + 1
        else:
            out.append(c)
    if begun < len(s):
        runs += text.slice(begun, len(s)).runs
    return Text("".join(out), tuple(runs))


def is_utf8(s: str) -> bool:
    """Whether the known bytes of S are UTF-8: bash writes those as they are."""
    try:
        "".join(c for c in s if c <= "\xff").encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def ansi_quoted(text: Text) -> Text:
    """`$'…'`, for control characters and bytes that are no UTF-8."""
    utf8 = is_utf8(text.s)
    body = "".join(
        ANSI.get(c) or (f"\\{ord(c):03o}" if c < " " or c == "\x7f" or ("\x80" <= c <= "\xff" and not utf8) else c)
        for c in text.s
    )
    return text.with_runs(f"$'{body}'")


def shell_join(words: list[Text]) -> Text:
    """The words as `shlex.join` writes them, as Ray does with a job's entry point."""
    pieces: list[str] = []
    runs: list[Run] = []
    for at, word in enumerate(words):
        if at:
            pieces.append(" ")
            runs.append((1, word.runs[0][1]) if word.runs else Text.of(" ").runs[0])
        bare = "".join(c for c in word.s if c <= "\xff")
        if (bare and shlex.quote(bare) == bare) or (not bare and word.s):
            pieces.append(word.s)
            runs += word.runs
        else:
            quoted, quoted_runs = single_quoted(word)
            pieces.append(quoted)
            runs += quoted_runs
    return Text("".join(pieces), tuple(runs))


def at_q(text: Text) -> Text:
    """`${V@Q}`: in single quotes, each `'` as `'\\''`; `$'…'` where `printf %q` has it."""
    if any(c < " " or c == "\x7f" for c in text.s) or not is_utf8(text.s):
        return ansi_quoted(text)
    quoted, runs = single_quoted(text, "'\\''")
    return Text(quoted, tuple(runs))


def single_quoted(word: Text, quote: str = "'\"'\"'") -> tuple[str, list[Run]]:
    """The word in single quotes, each `'` as QUOTE."""
    origin = word.runs[0][1] if word.runs else Text.of(" ").runs[0][1]
    out, runs, begun = ["'"], [(1, origin)], 0
    for at, c in enumerate(word.s):
        if c == "'":
            out.append(word.s[begun:at])
            runs += word.slice(begun, at).runs if at > begun else ()
            out.append(quote)
            runs.append((len(quote), word.slice(at, at + 1).runs[-1][1]))
            begun = at + 1
    if begun < len(word.s):
        out.append(word.s[begun:])
        runs += word.slice(begun, len(word.s)).runs
    out.append("'")
    runs.append((1, origin))
    return "".join(out), runs

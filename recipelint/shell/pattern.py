"""Shell patterns as regular expressions (bash manual, 3.5.8.1), and the expansions that use them.

A pattern is a string in which a character that is quoted is preceded by the escape \\0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

ESCAPE = "\0"
MAX_COST = 2_000_000
CLASSES = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r" \t-\r",
    "blank": r" \t",
    "punct": r"!-/:-@\[-`{-~",
    "xdigit": "0-9A-Fa-f",
    "word": "A-Za-z0-9_",
    "cntrl": r"\0-\x1f\x7f",
    "graph": "!-~",
    "print": " -~",
}
NATIONAL = r"\[:(?:alpha|alnum|upper|lower|punct|graph|print|word):\]"


def wide(pattern: str, s: str) -> tuple[str, str] | None:
    """A pattern and a text, which are bytes, as characters; None where that is the same."""
    if s.isascii() and pattern.isascii():
        return None
    if max(s + pattern) > "\xff":
        return None
    return characters(pattern), characters(s)


def characters(s: str) -> str:
    """Bytes as the characters of UTF-8; those that are none stay apart."""
    return s.encode("latin-1").decode("utf-8", "surrogateescape")


def size(s: str) -> int:
    """How many bytes characters are."""
    return len(s.encode("utf-8", "surrogateescape"))


def quoted(s: str) -> str:
    """S as a pattern that matches itself."""
    return "".join(ESCAPE + c for c in s)


def is_plain(pattern: str) -> bool:
    """Whether the pattern matches one text only."""
    bare = re.sub(r"\0.", "", pattern, flags=re.S)
    return not any(c in bare for c in "*?[") and not re.search(r"[@+!]\(", bare)


def plain_text(pattern: str) -> str:
    """The one text that a plain pattern matches."""
    return re.sub(r"\0(.)", r"\1", pattern, flags=re.S)


def translate(pattern: str, greedy: bool = True) -> str:
    """The regular expression of a pattern. Cost: linear; `(a|b)` groups nest as they are written."""
    out: list[str] = []
    closers: list[str] = []
    at, n = 0, len(pattern)
    while at < n:
        c = pattern[at]
        at += 1
        if (c == ESCAPE and at < n) or (c == "\\" and at < n):
            out.append(re.escape(pattern[at]))
            at += 1
        elif c in "?*+@!" and pattern.startswith("(", at):
            at += 1
            out.append("(?!(?:" if c == "!" else "(?:")
            closers.append({"?": ")?", "*": ")*", "+": ")+", "@": ")", "!": ")$).*"}[c])
        elif c == ")" and closers:
            out.append(closers.pop())
        elif c == "|" and closers:
            out.append("|")
        elif c == "*":
            out.append(".*" if greedy else ".*?")
            while pattern.startswith("*", at):
                at += 1
        elif c == "?":
            out.append(".")
        elif c == "[":
            found = bracket(pattern, at)
            if found is None:
                out.append(r"\[")
            else:
                text, at = found
                out.append(text)
        else:
            out.append(re.escape(c))
    return "".join(out) + "".join(closers[::-1])


def bracket(pattern: str, at: int) -> tuple[str, int] | None:
    """The bracket expression whose inside starts at AT, and where it ends; None if it is not closed."""
    excluding = pattern[at : at + 1] in ("!", "^")
    at += excluding
    out: list[str] = []
    opened = at
    while at < len(pattern):
        if pattern[at] == "]" and at > opened:  # one that comes first stands for itself
            inside = "".join(out)
            empty = "(?!)" if not excluding else "."
            return f"[{'^' * excluding}{inside}]" if inside else empty, at + 1
        end = pattern.find(":]", at) if pattern.startswith("[:", at) else -1
        if end > 0:
            out.append(CLASSES.get(pattern[at + 2 : end], ""))
            at = end + 2
            continue
        low, at = member(pattern, at)
        if pattern.startswith("-", at) and at + 1 < len(pattern) and pattern[at + 1] != "]":
            high, at = member(pattern, at + 1)
            if low and high and low <= high:
                out.append(f"{re.escape(low)}-{re.escape(high)}")
        else:
            out.append(re.escape(low))
    return None


def member(pattern: str, at: int) -> tuple[str, int]:
    """One character of a bracket expression at AT, quoted or as `[.c.]`, and where it ends; empty for what is none."""
    c = pattern[at]
    if c == ESCAPE or c == "\\":
        return pattern[at + 1 : at + 2], at + 2
    sign = pattern[at + 1 : at + 2]
    end = pattern.find(sign + "]", at + 2) if c == "[" and sign in (".", "=") else -1
    if end < 0:
        return c, at + 1
    return pattern[at + 2] if end == at + 3 else "", end + 2


@lru_cache(maxsize=1024)
def compiled(pattern: str, greedy: bool = True) -> re.Pattern[str]:
    """The regular expression of a pattern; of its plain text, where Python refuses it."""
    try:
        return re.compile(translate(pattern, greedy), re.S)
    except (re.error, OverflowError, RecursionError):
        return re.compile(re.escape(plain_text(pattern)))


def is_hard(pattern: str, s: str, tries: int = 1) -> bool:
    """Whether matching may take too long, since Python's matcher tries every way to share S out among the stars.

    TRIES is how often the match is started. What is hard is not matched: its result is unknown.
    """
    if is_plain(pattern):
        return False
    if not s.isascii() and re.search(NATIONAL, pattern):
        return True  # which letters there are is the locale's matter
    bare = re.sub(r"\0.|\\.", "", pattern, flags=re.S)
    groups = len(re.findall(r"[*+]\(", bare))
    if groups:
        nested = re.search(r"[*+]\([^)]*[*+@?!]\(", bare) is not None
        insides = re.findall(r"[*+]\(([^()]*)", bare)
        choices = max(map(choices_of, insides))
        return (
            nested or len(pattern) > 256 or len(s) > (64 if groups == 1 else 24) or costs(choices, len(s), 0) > MAX_COST
        )
    stars = len(re.findall(r"\*+", bare))
    return bool(len(s) ** max(stars, 1) * tries > MAX_COST)


def choices_of(inside: str) -> int:
    """In how many ways a turn of a repeated group may match; 1 where its alternatives exclude each other."""
    arms = sorted(inside.split("|"))
    distinct = all(arms) and not any(b.startswith(a) for a, b in pairwise(arms))
    return 1 if distinct and not set(inside) & set("*?[") else len(arms) + inside.count("*")


def is_hard_regex(regex: str, s: str) -> bool:
    """The same of an extended regular expression that is searched for."""
    bare = re.sub(r"\\.|\[\^?\]?[^]]*\]", "x", regex, flags=re.S)
    stars, options = len(re.findall(r"[*+{]", bare)), bare.count("?")
    repeated = re.search(r"\)[*+{]", bare) is not None
    choices = bare.count("|") + stars + options if repeated else 1
    tries = 1 if bare.startswith("^") else len(s) + 1
    return len(s) > 4096 or options > 20 or costs(choices, len(s), stars) * 2**options * tries > MAX_COST


def costs(choices: int, length: int, stars: int) -> int:
    """How many ways there are to share LENGTH characters out among STARS, each with some CHOICES."""
    if choices > 1 and length > 21:
        return MAX_COST + 1
    return min(int(choices**length) * int((length + 1) ** min(stars, 9)), MAX_COST + 1)


def matches(pattern: str, s: str) -> bool:
    """Whether the whole of S matches."""
    if is_plain(pattern):
        return plain_text(pattern) == s
    pattern, s = wide(pattern, s) or (pattern, s)
    return compiled(pattern).fullmatch(s) is not None


def prefix_end(pattern: str, s: str, longest: bool) -> int | None:
    """How much of the start of S the pattern takes away; None if it does not match there."""
    if is_plain(pattern):
        text = plain_text(pattern)
        return len(text) if s.startswith(text) else None
    found = wide(pattern, s)
    pattern, s = found or (pattern, s)
    ends = range(len(s), -1, -1) if longest else range(len(s) + 1)
    regex = compiled(pattern)
    end = next((end for end in ends if regex.fullmatch(s, 0, end)), None)
    return end if not found or end is None else size(s[:end])


def suffix_start(pattern: str, s: str, longest: bool) -> int | None:
    """Where the part of the end of S that the pattern takes away starts; None if it does not match there."""
    if is_plain(pattern):
        text = plain_text(pattern)
        return len(s) - len(text) if s.endswith(text) else None
    found = wide(pattern, s)
    pattern, s = found or (pattern, s)
    starts = range(len(s) + 1) if longest else range(len(s), -1, -1)
    regex = compiled(pattern)
    start = next((start for start in starts if regex.fullmatch(s, start)), None)
    return start if not found or start is None else size(s[:start])


def stretches(pattern: str, s: str) -> Iterator[tuple[int, int]]:
    """Where the pattern matches in S, from the start on; an empty text is matched whole."""
    found = wide(pattern, s)
    pattern, s = found or (pattern, s)
    at = offset = 0
    for m in compiled(pattern).finditer(s):
        if m.end() == m.start() and s:
            continue
        if not found:
            yield m.span()
            continue
        start = offset + size(s[at : m.start()])
        at, offset = m.end(), start + size(m[0])
        yield start, offset

"""Where a command ends though its text was to go on: what stands between its last word and the words it has lost.

Judged by the text alone; offsets are those of the unit. `None` wherever bash was told to end the command.
"""

from __future__ import annotations

import re

from recipelint.lazily import regex
from recipelint.record import NamedTuple
from recipelint.shell.nodes import Simple
from recipelint.shell.words import Word

LINES = r"(?:[ \t]*(?:#[^\n]*)?\n)"
CONTINUED = regex(rf"[ \t]*\\\n(?:[ \t]*\\\n)*(?P<lines>{LINES}+)[ \t]*")
ENDED = regex(rf"[ \t]*(?P<note>#[^\n]*)?\n(?P<lines>{LINES}*)[ \t]*")
INDENT = regex(r"[ \t]*")
ODD = (
    r"[ \t\r\v\f]|\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8f\xa8\xa9\xaf]|\xe2\x81[\x9f\xa0]"
    r"|\xe3\x80\x80|\xef\xbb\xbf"
)
"""What looks like a blank, the others of Unicode included; all but a space and a tab are parts of words for bash."""
SPARE = regex(rf"\\(?:{ODD})(?:(?![ \t])(?:{ODD}))*")
STUCK = regex(rf"(?:{ODD})\Z")
ESCAPED_NOTE = regex(r"\\[ \t]#")


class Break(NamedTuple):
    """What ends a command.

    kind      comment, blank (line), missing (backslash), escaped (blank after the backslash), carriage (return)
    place     what does it
    rejoin    the stretch that is in the way, and what belongs there
    comments  the comments in that stretch
    spare     how many of the command's last words are there only because of it
    certain   whether the text leaves no doubt that the command was to go on
    """

    kind: str
    place: tuple[int, int]
    rejoin: tuple[int, int, str]
    comments: tuple[str, ...]
    spare: int
    certain: bool


def find_break(text: str, before: Simple, resume: int) -> Break | None:
    """What ends BEFORE, when the words that it has lost start at RESUME."""
    end = before.end
    while text[end - 2 : end] == "\\\n":  # after the last word, bash has dropped it already
        end -= 2
    line = text.rfind("\n", 0, resume) + 1
    found = CONTINUED.fullmatch(text, end, resume)
    if found:
        return in_between(text, found, line)
    found = ENDED.fullmatch(text, end, resume)
    if found is None:
        return None
    note, lines = found["note"] or "", found["lines"]
    comments = comments_of(note + "\n" + lines)
    spare = spare_words(text, before)
    if spare:
        start = spare[0].start
        if len(spare) > 1 or text[start + 2] == "#":
            comments = (*comments_of(text[start + 2 : text.find("\n", start)]), *comments_of(lines))
        kind = "carriage" if text[start + 1] == "\r" else "escaped"
        keep = len(text[:start].rstrip(" \t"))
        odd = SPARE.match(text, start)
        return Break(
            kind,
            (start, odd.end() if odd else start + 2),
            (keep, line, " \\\n"),
            comments,
            len(spare),
            not lines.strip("\n"),
        )
    if note.endswith("\\"):
        at = found.start("note")
        return Break("comment", (at, at + len(note)), (end, line, " \\\n"), comments, 0, True)
    last = max((word.start for word in before.words), default=before.start)
    aligned = not lines and is_aligned(text, before, end, line) and not STUCK.search(text, last, end)
    return Break("missing", (last, end), (end, line, " \\\n"), comments, 0, aligned)


def in_between(text: str, found: re.Match[str], line: int) -> Break:
    """Lines after a backslash that continues nothing: the first of them ends the command."""
    start = found.start("lines")
    comments = comments_of(found["lines"])
    first = found["lines"].partition("\n")[0]
    blanks = len(first) - len(first.lstrip(" \t"))
    kind = "comment" if first.strip(" \t") else "blank"
    place = (start + blanks, start + len(first)) if kind == "comment" else (start, start + len(first))
    return Break(kind, place, (start, line, ""), comments, 0, True)


def comments_of(lines: str) -> tuple[str, ...]:
    """The comments among some lines, without the backslash at their end, which continues nothing."""
    texts = (line.strip(" \t\r").rstrip("\\").rstrip(" \t") for line in lines.split("\n"))
    return tuple(text for text in texts if text)


def spare_words(text: str, before: Simple) -> list[Word]:
    """The command's last words that a blank or carriage return after a backslash has made, a comment's with them."""
    words = [word for word in before.words if isinstance(word, Word)]
    line = text.rfind("\n", 0, before.end) + 1
    for at, word in enumerate(words):
        if word.start >= line and ESCAPED_NOTE.match(text, word.start):
            return words[at:]
    if words and words[-1].end == before.end and SPARE.fullmatch(text, words[-1].start, words[-1].end):
        return words[-1:]
    return []


def is_aligned(text: str, before: Simple, end: int, line: int) -> bool:
    """Whether the line at LINE stands as a continued one: like the last before it, or deeper than the only one."""
    indent = INDENT.match(text, line)
    last = text.rfind("\n", 0, end) + 1
    own = INDENT.match(text, last)
    assert indent is not None
    assert own is not None
    if text[own.end()] == "#":
        return False  # meant for a comment, but a backslash right behind a word has joined the two
    if last > before.start:
        return indent[0] == own[0]
    return indent[0].startswith(own[0]) and indent[0] != own[0]

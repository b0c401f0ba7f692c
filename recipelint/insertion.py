"""Where a flag is added beside another one: after its values, or before it where they may be more than they are now.

A flag that is added never stands between a flag and a word that is only empty as the launcher is shipped.
"""

from __future__ import annotations

from recipelint.fix import Edit
from recipelint.lazily import regex
from recipelint.recipe.entry_point import Use
from recipelint.shell.stretches import Slot
from recipelint.shell.text import Origin
from recipelint.shell.words import Literal, Word
from recipelint.source import SourceFile

TOKEN = regex(r"[ \t]*(?:\\\n[ \t]*)?((?:\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\$\([^()]*\)|[^\s\"'`;&|])+)")
MORE = regex(r"[ \t]*(?:\\\n[ \t]*)?[\\\"']*[$`]")
"""A word that an expansion gives."""


def end_in_row(slot: Slot, use: Use, most: int | None) -> int | None:
    """Where a flag and its values end, if none can be more than these; MOST is how many the flag takes."""
    if use.stuck:
        return slot.word.end
    following = slot.row[slot.at + 1 :]
    flags = (at for at, word in enumerate(following) if word.literal is not None and word.literal.s.startswith("-"))
    reach = next(flags, len(following))
    count = len(use.values)
    if count > reach:
        return None
    last = following[count - 1] if count else slot.word
    ended = reach < len(following) or slot.array is None
    if count == reach:
        return last.end if ended or is_full(following[:count], most) else None
    if is_full(following[:count], most):
        return last.end
    return following[0].end if reach == 1 and ended else None


def is_full(values: tuple[Word, ...], most: int | None) -> bool:
    """Whether a flag takes no more than the words after it, each of which is there whatever is set."""
    return most is not None and len(values) >= most and all(map(is_one_word, values))


def is_one_word(word: Word) -> bool:
    """Whether a word is one to the command as well: what is quoted is there even if it is empty."""
    if word.literal is not None:
        return True
    return all(isinstance(part, Literal) or (part.quoted and not spreads(part)) for part in word.parts)


def spreads(part: object) -> bool:
    """Whether a quoted expansion may be several words, or none: `"$@"`, `"${WORDS[@]}"`."""
    return getattr(part, "name", "") == "@" or getattr(part, "index", None) is not None


def end_in_text(text: str, origin: Origin, use: Use, most: int | None) -> int | None:
    """Where a flag and its values end inside a quoted text, if none can be more than these."""
    at = origin.start if use.stuck else origin.end
    for _ in range(1 if use.stuck else len(use.values)):
        token = TOKEN.match(text, at)
        if token is None or (token[1].startswith("-") and not use.stuck):
            return None
        at = token.end()
    return at if ends_in_text(text, at, use, most) else None


def ends_in_text(text: str, at: int, use: Use, most: int | None) -> bool:
    """Whether no more values can follow those of a flag that end there in a quoted text."""
    if use.stuck or most == 0:
        return True
    return bool(use.values) and not MORE.match(text, at)


def after(source: SourceFile, start: int, end: int, added: str, slot: Slot | None) -> list[Edit]:
    """Edits that put ADDED after the text [start, end): on a line of its own where that one stands on its own."""
    line = source.line_span(source.line_number(start))
    last = source.line_span(source.line_number(end))
    indent = source.text[line.start : start]
    rest = source.text[end : last.end]
    newline = source.newline.decode()
    path = source.path
    own = not indent.strip() and line.start == last.start
    in_array = slot is not None and slot.array is not None
    if own and rest.strip() == "\\":
        text = f"{newline}{indent}{added}{rest}"
        return [Edit(path, last.end, last.end, text.encode("latin-1"))]
    if own and in_array and (not rest.strip() or rest.lstrip().startswith("#")):
        return [Edit(path, last.end, last.end, f"{newline}{indent}{added}".encode("latin-1"))]
    if own and not rest.strip() and is_continued(source, line.start):
        return [Edit(path, end, end, f" \\{newline}{indent}{added}".encode("latin-1"))]
    return [Edit(path, end, end, f" {added}".encode("latin-1"))]


def before(source: SourceFile, start: int, added: str, slot: Slot | None) -> list[Edit]:
    """Edits that put ADDED before the text at START: on a line of its own where that one starts its line."""
    line = source.line_span(source.line_number(start))
    indent = source.text[line.start : start]
    newline = source.newline.decode()
    text = f"{added} "
    if not indent.strip() and is_continued(source, line.start):
        text = f"{added} \\{newline}{indent}"
    elif not indent.strip() and slot is not None and slot.array is not None:
        text = f"{added}{newline}{indent}"
    return [Edit(source.path, start, start, text.encode("latin-1"))]


def is_continued(source: SourceFile, start: int) -> bool:
    """Whether the line before the one that starts there ends in a backslash."""
    return source.text[:start].rstrip("\r\n").endswith("\\")

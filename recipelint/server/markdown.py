"""Markdown in which the text of a launcher is inert: it can neither link, nor style, nor end what stands around it."""

from __future__ import annotations

import re

from recipelint.report.plain import neutralise

LONGEST = 200
"""Characters of one piece of a launcher's text: an editor shows a small window."""
SPECIAL = re.compile(
    r"[\\`*\[\]<>~&|$@]"  # code, emphasis, links, HTML, mathematics, addresses
    r"|(?<![^\W_])_|_(?![^\W_])"  # emphasis, where a word does not go on
    r"|:(?=//)|(?<=www)\.|(?<=WWW)\."  # what becomes a link without being written as one
    r"|^[#+=-]|(?<=^\d)[.)]"  # headings and lists
)
CODE = re.compile(r"(?<![`\\])(?P<fence>`+)(?P<padding> ?)(?P<text>.+?)(?P=padding)(?P=fence)(?!`)")


def code(text: str) -> str:
    """Text as code, in a fence that is longer than any in it."""
    shown = cut(neutralise(text))
    fence = "`" * (max((len(run) for run in re.findall("`+", shown)), default=0) + 1)
    padding = " " if not shown.strip() or shown.startswith(("`", " ")) or shown.endswith(("`", " ")) else ""
    return f"{fence}{padding}{shown}{padding}{fence}" if shown else "*empty*"


def plain(text: str) -> str:
    """Text as it is, each character that could mean something escaped."""
    return SPECIAL.sub(lambda match: "\\" + match[0], cut(neutralise(text)))


def cut(text: str, longest: int = LONGEST) -> str:
    """The start of a text that is too long to be shown."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def unmarked(markdown: str) -> str:
    """What our Markdown says, for an editor that shows plain text."""
    out, at = [], 0
    for piece in CODE.finditer(markdown):
        out += [words_alone(markdown[at : piece.start()]), piece["text"]]
        at = piece.end()
    return "".join([*out, words_alone(markdown[at:])])


def words_alone(markdown: str) -> str:
    """Markdown without code as plain text."""
    return re.sub(r"\\([^\w\s]|_)|\*\*|[ ]{2}(?=\n)", lambda match: match[1] or "", markdown)

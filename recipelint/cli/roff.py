"""Text in the macros of a man page: what is typed stays what the keyboard has, and no line is taken for a macro."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from textwrap import wrap

LINE = 78
"""Columns of a line of running text in the source of the page; where it ends is no matter on the page itself."""
_SPECIAL = {"\\": "\\e", "~": "\\(ti", "^": "\\(ha", "`": "\\(ga"}
_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_VALUE = re.compile(r"(?<!,) (?!-)")
"""The space before the value of an option: not that between its names."""

Row = tuple[str, str]
"""What is written, and what it means."""


def names(written: str) -> list[str]:
    """The names of an option that is written as `-q, --quiet` or `--config FILE`."""
    return _VALUE.split(written, maxsplit=1)[0].split(", ")


def option(written: str) -> str:
    """An option with its names in bold, and its value in italics."""
    return " ".join([", ".join(map(bold, names(written))), *map(italic, _VALUE.split(written, maxsplit=1)[1:])])


def rows(found: Iterable[Row], *, literal: bool = False) -> Iterator[str]:
    """A list of options, or of what is LITERAL, each with its meaning indented below it."""
    for written, means in found:
        yield ".TP"
        yield bold(written) if literal else option(written)
        yield from lines(means)


def paragraphs(text: str) -> Iterator[str]:
    """Paragraphs with a gap between them; one after click's mark keeps its lines."""
    for number, part in enumerate(text.strip("\n").split("\n\n")):
        yield from [".PP"] if number else []
        if part.startswith("\b"):
            yield from (".nf", *map(line, part[1:].strip("\n").split("\n")), ".fi")
        else:
            yield from lines(part)


def lines(text: str) -> Iterator[str]:
    """Running text in lines that are easy to compare."""
    for one in wrap(" ".join(text.split()), LINE, break_long_words=False, break_on_hyphens=False):
        yield line(one)


def line(text: str) -> str:
    """A line of running text, in which only the names of options are literal."""
    shown = _OPTION.sub(lambda match: match[0].replace("-", "\\-"), _escaped(text))
    return f"\\&{shown}" if shown.startswith((".", "'")) else shown


def bold(text: str) -> str:
    """Text that is to be typed."""
    return f"\\fB{_literal(text)}\\fR"


def italic(text: str) -> str:
    """Text that stands for something else; a long list of values may be broken between two."""
    values = _literal(text).replace("|", "|\\:")
    return f"\\fI{values}\\fR"


def _literal(text: str) -> str:
    return _escaped(text).replace("-", "\\-")


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(char, char if char.isascii() else f"\\[u{ord(char):04X}]") for char in text)

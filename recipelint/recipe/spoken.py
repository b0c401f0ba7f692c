"""A command line as its parser takes it: the words, the flags among them, and what would be refused."""

from __future__ import annotations

from recipelint.python.schema import Flag
from recipelint.record import NamedTuple
from recipelint.shell.text import Text


class Word(NamedTuple):
    """A word of the command line: its text as Python sees it up to the first unknown piece.

    known   there is no unknown piece
    many    it may be no word, or several
    """

    text: str
    known: bool = True
    many: bool = False


class Occurrence(NamedTuple):
    """A flag as it stands in the words.

    name       its option string, in full; "" for a positional
    at, end    its words: the flag itself is word AT
    spelled    how it is written: a prefix, if it is abbreviated
    values     the indices of its values; for a value that is stuck to the flag, AT
    stuck      the value that follows an equals sign, or a short flag; None if there is none
    """

    flag: Flag
    name: str
    at: int
    end: int
    spelled: str
    values: tuple[int, ...]
    stuck: str | None


class Refusal(NamedTuple):
    """What argparse exits with 2 for.

    kind   unknown, ambiguous, few, many, stray or missing
    at     the word that it is about; None for a missing flag
    flag   the flag that it is about, or the last one before a stray word
    names  the flags that an ambiguous one may mean
    given  how many words there are for the flag
    """

    kind: str
    at: int | None
    flag: Flag | None
    names: tuple[str, ...] = ()
    given: int = 0


class CommandLine(NamedTuple):
    """The words taken apart. `sure`: no unknown word could hold more flags."""

    occurrences: tuple[Occurrence, ...]
    refusals: tuple[Refusal, ...]
    sure: bool


def word_of(text: Text, many: bool) -> Word:
    """The word of a text whose characters are bytes."""
    s = text.s
    if s.isascii():
        return Word(s, True, many)
    end = next((at for at, c in enumerate(s) if c > "\xff"), len(s))
    return Word(s[:end].encode("latin-1").decode("utf-8", "surrogateescape"), end == len(s), many)

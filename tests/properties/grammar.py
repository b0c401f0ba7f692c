"""Small launchers, drawn from a grammar of what real ones write.

All that such a launcher does is decided by its text: every plain `$NAME` is of a name that it sets or unsets itself,
every knob stands with a default, and nothing asks the machine.

The grammar is data, in `phrases`. A phrase is a line; in it `<symbol>` stands for one of that symbol's phrases,
`<dq:symbol>` for one in double quotes such that a shell that reads it gets it back, `¶` for a line end, `ε` for
nothing, and `§` for the nesting, which keeps the counters of nested loops apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from hypothesis import strategies as st

from .both import TRAIN
from .phrases import GRAMMAR

DEPTH = 9
"""How many symbols deep a launcher goes: three compound commands inside each other."""

HOLE = re.compile(r"<(?:(dq):)?([a-z]+)>")


@cache
def phrases(symbol: str) -> tuple[str, ...]:
    """The phrases of a symbol."""
    text = GRAMMAR[symbol]
    found = [line.strip(" ") for line in text.strip("\n ").split("\n")] if "\n" in text else text.split()
    return tuple(phrase.replace("ε", "").replace("¶", "\n").replace("TRAIN", TRAIN) for phrase in found)


@cache
def height(phrase: str, seen: tuple[str, ...] = ()) -> int:
    """How many symbols deep the flattest text of a phrase goes."""
    below = [hole[2] for hole in HOLE.finditer(phrase)]
    if any(symbol in seen for symbol in below):
        return 99
    return max((1 + min(height(one, (*seen, symbol)) for one in phrases(symbol)) for symbol in below), default=0)


@cache
def within(symbol: str, depth: int) -> tuple[str, ...]:
    """The phrases of a symbol that come to an end within DEPTH symbols."""
    return tuple(phrase for phrase in phrases(symbol) if height(phrase) <= depth)


def in_double_quotes(text: str) -> str:
    """TEXT so that a shell that reads it gets it back."""
    return '"' + "".join("\\" + c if c in '"\\$`' else c for c in text) + '"'


class Tree(NamedTuple):
    """A symbol, the phrase that stands for it, and what stands in the phrase's holes."""

    symbol: str
    phrase: str
    holes: tuple[Tree, ...]

    @property
    def text(self) -> str:
        inside = iter(self.holes)

        def fill(hole: re.Match[str]) -> str:
            text = next(inside).text
            return in_double_quotes(text) if hole[1] else text

        return HOLE.sub(fill, self.phrase)


def grown(choose: Callable[[tuple[str, ...]], str], symbol: str, depth: int = DEPTH) -> Tree:
    """A tree of the phrases that CHOOSE takes."""
    phrase = choose(within(symbol, depth)).replace("§", str(depth))
    return Tree(symbol, phrase, tuple(grown(choose, hole[2], depth - 1) for hole in HOLE.finditer(phrase)))


@st.composite
def texts(draw: st.DrawFn, symbol: str) -> str:
    """A text of a symbol."""
    return grown(lambda phrases: draw(st.sampled_from(phrases)), symbol).text

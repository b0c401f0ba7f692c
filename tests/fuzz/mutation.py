"""Hostile bytes of a kind: pieces of what is well-formed, cut, doubled, joined, nested, with other bytes between."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.fuzz.kinds import KINDS, seeds

LONGEST = 1 << 16
DEEP = 400


@st.composite
def hostile(draw: st.DrawFn, kind: str) -> bytes:
    """An input of a kind."""
    made, words = draw(st.sampled_from(seeds(kind))), KINDS[kind].words
    word = st.sampled_from(words)
    piece = st.one_of(word, word, st.binary(max_size=6), st.lists(word, max_size=6).map(b"".join))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(made)))
        end = min(len(made), start + draw(st.sampled_from((0, 0, 1, 2, 8, 80, 800))))
        middle = made[start:end]
        change = draw(st.integers(0, 6))
        if change <= 1:
            middle = draw(piece) + middle
        elif change == 2:
            middle = draw(piece)
        elif change == 3:
            middle = middle * draw(st.sampled_from((0, 2, 50)))
        elif change == 4:
            middle = draw(piece) * draw(st.sampled_from((2, DEEP))) + middle
        elif change == 5:
            middle += draw(st.sampled_from(seeds(kind)))[draw(st.integers(0, 200)) :]
        else:
            opening, closing = draw(word), draw(word)
            middle = opening * DEEP + middle + closing * DEEP
        made = (made[:start] + middle + made[end:])[:LONGEST]
    return made

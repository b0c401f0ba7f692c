"""Markdown in which a launcher's text is inert, as a real reader of Markdown takes it apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recipelint.server.markdown import LONGEST, code, plain, unmarked

HOSTILE = st.text(st.sampled_from("`*_[]()<>!#~|&$:/\\@. abw\n\x1b\u202e-+="), max_size=40)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a", "`a`"),
        ("", "*empty*"),
        ("a`b", "``a`b``"),
        ("``", "``` `` ```"),
        ("`", "`` ` ``"),
        (" a", "`  a `"),
        ("a\nb", "`a\\nb`"),
        ("::error::", "`:\\x3aerror:\\x3a`"),
    ],
)
def test_code(text: str, said: str) -> None:
    assert code(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("default of EP_SIZE, sft.sh:29", "default of EP_SIZE, sft.sh:29"),
        ("[x](y)", r"\[x\](y)"),
        ("<b>&amp;", r"\<b\>\&amp;"),
        ("_a_ a_b *c*", r"\_a\_ a_b \*c\*"),
        ("http://x www.x", r"http\://x www\.x"),
        ("# x", r"\# x"),
        ("1. x", r"1\. x"),
        ("a@b.c", r"a\@b.c"),
        ("\x1b[0m", r"\\x1b\[0m"),
    ],
)
def test_plain(text: str, said: str) -> None:
    assert plain(text) == said


def test_what_is_long_is_cut() -> None:
    assert code("x" * 1000) == f"`{'x' * (LONGEST - 1)}…`"


@given(HOSTILE)
def test_a_code_span_ends_where_we_end_it(text: str) -> None:
    """As CommonMark has it: a span goes to the next run of exactly as many backticks."""
    said = code(text)
    if said == "*empty*":
        return
    fence = said[: len(said) - len(said.lstrip("`"))]
    runs: list[str] = []
    for char, before in zip(said, " " + said, strict=False):
        if char == "`":
            runs[-1:] = [runs[-1] + "`"] if before == "`" else [*runs[-1:], "`"]
    assert runs[0] == fence
    assert runs.index(fence, 1) == len(runs) - 1
    assert "\n" not in said
    assert said.isprintable()


@given(HOSTILE, HOSTILE)
def test_plain_text_loses_our_marks_alone(one: str, other: str) -> None:
    from recipelint.report.plain import neutralise

    shown = neutralise(other)
    assert unmarked(plain(one)) == neutralise(one).replace("  \n", "\n")
    if shown.strip():
        assert unmarked(f"{code(other)}, {plain(one)}") == f"{shown}, {neutralise(one)}"

"""Untrusted text on its way out."""

from __future__ import annotations

import pytest

from recipelint.report.plain import block, inert, neutralise
from recipelint.report.style import cells, pad, plural


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text: {a} %b \\n 训练 é", "plain text: {a} %b \\n 训练 é"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x1b]8;;http://x\x07", "\\x1b]8;;http://x\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("a\tb\nc\rd\0", "a\\tb\\nc\\rd\\x00"),
        ("\u202ex\u202c\u2066y\u2069", "\\u202ex\\u202c\\u2066y\\u2069"),
        ("\u2028\u200b\ufeff\u00a0\U000e0041", "\\u2028\\u200b\\ufeff\\xa0\\U000e0041"),
        ("a\u3164b\u2800\uffa0\u115f\u034f", "a\\u3164b\\u2800\\uffa0\\u115f\\u034f"),
        ("x\ufe00\U000e0100\u180b", "x\\ufe00\\U000e0100\\u180b"),
        ("⚠\ufe0f e\u0301 한글", "⚠\ufe0f e\u0301 한글"),
        ("\udc9b.sh", "\\x9b.sh"),
        ("\ud800", "\\ud800"),
        ("::error file=a::b", ":\\x3aerror file=a:\\x3ab"),
        ("text ::: text", "text :\\x3a\\x3a text"),
        ("##[group]a ##vso[x] ##teamcity[y] ###[z]", "#\\x23[group]a #\\x23vso[x] #\\x23teamcity[y] ##\\x23[z]"),
        ("## a heading, https://x:1", "## a heading, https://x:1"),
    ],
)
def test_neutralise(text: str, shown: str) -> None:
    assert neutralise(text) == shown
    assert neutralise(shown) == shown


def test_inert_leaves_colours_and_lines_alone() -> None:
    assert inert("\x1b[1m::a\x1b[0m\n##[b") == "\x1b[1m:\\x3aa\x1b[0m\n#\\x23[b"


def test_block_keeps_its_lines() -> None:
    assert block("a\x07\n\nb::") == "a\\x07\n\nb:\\x3a"


def test_cells() -> None:
    assert [cells(text) for text in ("abc", "é", "名前", "😀", "e\u0301")] == [3, 1, 4, 2, 1]
    assert pad("名", 4) + "|" == "名  |"


def test_plural() -> None:
    assert [plural(n, noun) for n, noun in ((1, "file"), (2, "file"), (0, "launch"))] == [
        "1 file",
        "2 files",
        "0 launches",
    ]

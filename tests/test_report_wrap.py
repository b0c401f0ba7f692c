"""Text in lines of a width, in paragraphs, in the cells of a grid, and as a page of Markdown."""

from __future__ import annotations

import pytest

from recipelint.report import grid
from recipelint.report.page import for_terminal
from recipelint.report.style import Stream
from recipelint.report.wrap import paragraph, pieces, wrap


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 5, [""]),
        ("one", 5, ["one"]),
        ("slurm/rl_omni3_30b.sh", 12, ["slurm/rl_", "omni3_30b.sh"]),
        ("slurm/rl_omni3_30b.sh", 9, ["slurm/rl_", "omni3_", "30b.sh"]),
        ("slurm/rl_omni3_30b.sh", 5, ["slurm", "/rl_", "omni3", "_30b.", "sh"]),
        ("8 (line 92)", 10, ["8", "(line 92)"]),
        ("8 (line 92)", 6, ["8", "(line", "92)"]),
        ("EP001 error, XX001 warning", 12, ["EP001 error,", "XX001", "warning"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("训练训练", 5, ["训练", "训练"]),
        ("训", 1, ["训"]),
    ],
)
def test_wrap(text: str, width: int, lines: list[str]) -> None:
    assert wrap(text, width) == lines


@pytest.mark.parametrize("text", ["a/b_c d.e", "  a", "__x__", "(line 9) b", "x" * 9, "a.b.c"])
def test_pieces_are_the_text(text: str) -> None:
    assert "".join(pieces(text)) == "".join(pieces(text, 2)) == text


def test_paragraph() -> None:
    assert paragraph("a  b", None, "x ") == ["x a  b"]
    assert paragraph("", 9, "x ") == ["x "]
    assert paragraph("a b c", 3) == ["a b", "c"]
    assert paragraph("aaa b", 6, "- ", "  ") == ["- aaa", "  b"]
    assert paragraph("abcdefgh", 4, "> ", "  ") == ["> abcdefgh"]
    assert paragraph("abcd e", 6, "long: ", " ") == ["long: ", " abcd", " e"]


def test_a_grid_takes_the_room_where_it_costs_the_fewest_lines() -> None:
    rows = [("name", "value"), ("a_long_name/of_one", "1"), ("b", "22222"), ("c", "33333")]
    assert grid.fits(rows, 25)
    assert not grid.fits(rows, 24)
    assert grid.fits(rows, None)
    assert "\n".join(grid.lay_out(rows, 24)).split("\n") == [
        "name             value",
        "a_long_name/of_  1",
        "one",
        "b                22222",
        "c                33333",
    ]
    assert grid.lay_out(rows, None)[1] == "a_long_name/of_one  1"


def test_a_word_is_broken_only_if_that_makes_the_rows_fit() -> None:
    rows = [("abcdefghijkl", "mnopqrstuvwx")]
    assert grid.lay_out(rows, 18) == ["abcdefgh  mnopqrst\nijkl      uvwx"]
    assert grid.lay_out(rows, 17) == ["abcdefghijkl  mnopqrstuvwx"]


PAGE = """\
# EP001: a heading that is longer than the terminal

a paragraph of several
words, in two lines

- an item that goes on
  in a second line
- another

| head | tail |
|---|---|
| a cell here | b |

```bash
a line of code that is longer than it
# no heading
```
"""


def test_a_page_on_a_terminal() -> None:
    assert for_terminal(PAGE, Stream(), 20).split("\n") == [
        "# EP001: a heading that is longer than the terminal",
        "",
        "a paragraph of",
        "several words, in",
        "two lines",
        "",
        "- an item that goes",
        "  on in a second",
        "  line",
        "- another",
        "",
        "head         tail",
        "a cell here  b",
        "",
        "```bash",
        "a line of code that is longer than it",
        "# no heading",
        "```",
        "",
    ]
    assert "\x1b[1m# EP001" in for_terminal(PAGE, Stream(colour=True), 20)

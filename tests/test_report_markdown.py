"""Markdown for summaries of CI jobs: what is not ours is text, and nothing else."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from recipelint.diagnostic import Confidence, Severity
from recipelint.fix import Applicability, Edit, Fix
from recipelint.outcome import Fixed, Outcome, Unreadable
from recipelint.report import formats
from recipelint.report.markdown import cell, code, ends_fence, harmless, target
from recipelint.report.report import Report
from tests.outcomes import at, diagnostic, source

PLAIN = [
    "expert_parallel_size 8 with activation_checkpointing full (the default of X): it fails",
    "a/b/c.sh:3:4",
    "50 % of 1+1=2, 'x' \"y\"; ×4",
    "训练 é",
    "",
]
ACTIVE = [
    "@team",
    "a@b.example",
    "#1",
    "GH-1",
    "0123abc",
    "https://x.example",
    "WWW.x.example",
    "mailto:x",
    ":boom:",
    "$x^2$",
    "${X}",
    "__init__",
    "*x*",
    "~~x~~",
    "<b>",
    "&lt;",
    "[x](y)",
    "![x](y)",
    "`x`",
    "``x` y```",
    "\\x",
    " `",
    "a|b",
    "a\\|b",
    "!1",
    '%"x"',
    "%1",
]


@pytest.mark.parametrize("text", PLAIN)
def test_plain_text_stays(text: str) -> None:
    assert cell(text) == harmless(text) == text


@pytest.mark.parametrize("text", ACTIVE)
def test_other_text_is_code_and_reads_as_it_was(text: str) -> None:
    (line,) = [token for token in MarkdownIt().parse(harmless(text)) if token.type == "inline"]
    assert [(child.type, child.content) for child in line.children or []] == [("code_inline", text)]
    table = MarkdownIt("commonmark").enable("table").parse(f"| a | b |\n|---|---|\n| {cell(text)} | x |\n")
    row = [token for token in table if token.type == "inline"][2:]
    assert [[(child.type, child.content) for child in one.children or []] for one in row] == [
        [("code_inline", text)],
        [("text", "x")],
    ]


@pytest.mark.parametrize("text", ["- x", "+ x", "=", "/close", " /merge", "1. x", "1) x", "    x"])
def test_a_line_is_no_block(text: str) -> None:
    assert harmless(text) == code(text)
    assert cell(text) == text


def test_a_cell_is_one_line_without_commands() -> None:
    assert cell("a\n::error::x\x1b[1m") == "`a\\n:\\x3aerror:\\x3ax\\x1b[1m`"


def test_a_report() -> None:
    file = source("a=1\nb=2\n", "x|y.sh")
    fix = Fix("say `z`", Applicability.SAFE, (Edit("x|y.sh", 0, 1, b"z"),))
    found = (
        diagnostic(at(file, "a"), severity=Severity.WARNING, message="see https://x", fix=None),
        diagnostic(at(file, "b"), severity=Severity.ERROR, confidence=Confidence.POSSIBLE, message="no", fix=fix),
    )
    outcome = Outcome(
        (), found, fixed=(Fixed("x|y.sh", 2, "set b", "EP002"),), unreadable=(Unreadable("<no>", "is a folder"),)
    )
    assert formats.render("markdown", Report(outcome, made=True, quiet=True)) == (
        "### recipelint\n"
        "\n"
        "|  | rule | place | what | fix |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| possible error | EP001 | `x\\|y.sh:2:1` | no | `` safe: say `z` `` |\n"
        "| warning | EP001 | `x\\|y.sh:1:1` | `see https://x` |  |\n"
        "| fixed | EP002 | `x\\|y.sh:2` | set b |  |\n"
        "\n"
        "`<no>: is a folder` (not read)\n"
        "\n"
    )


def test_totals_without_findings() -> None:
    assert formats.render("markdown", Report(Outcome())) == "### recipelint\n\nNo launchers were read\n\n"


@pytest.mark.parametrize(
    "url", ["https://x/a)![i](https://y) @team", "https://x/(a)", "https://x/\\", "https://x/[a]|{b}`^"]
)
def test_an_address_stays_in_its_link(url: str) -> None:
    (line,) = [token for token in MarkdownIt("commonmark").parse(f"[a]({target(url)}) b") if token.type == "inline"]
    assert [child.type for child in line.children or []] == ["link_open", "text", "link_close", "text"]
    assert target("https://x.example/a_b-c/?d=e&f=%20#g") == "https://x.example/a_b-c/?d=e&f=%20#g"


@pytest.mark.parametrize(
    ("text", "ends"),
    [(" ```", True), ("a\n   ````\nb", True), ("a\r```", True), ("```", False), ("    ```", False), ("a ```", False)],
)
def test_what_ends_a_fence_that_is_counted_at_the_start_of_lines(text: str, ends: bool) -> None:
    assert ends_fence(text) is ends

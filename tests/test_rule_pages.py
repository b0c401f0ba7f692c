"""The blocks of the pages in docs/rules: examples that the cases of the rules try, and ways to ignore that do so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from recipelint.discovery import discover
from recipelint.ruleset.cases import Case
from recipelint.settings import resolve
from tests.proofs import proved_by
from tests.readme_blocks import Block
from tests.rule_cases import RULES, collect, lay_out

CASES = collect()
TRIED = {
    rule: {text.decode() for case in group for text in (case.text, *case.after)}
    for rule in RULES.rules
    for group in [[case for case in (*CASES.valid, *CASES.invalid, *CASES.fixes) if case.rule.code == rule]]
}
LINES = {
    "RL001": ("# recipelint: ignore[EP001] nothing is wrong here\n", 2),
    "SH001": ("if true; then\n  echo )\nfi\n", 3),
    "SH002": ("for i in {1..300}; do for j in {1..300}; do a+=x\ndone; done\n", 2),
    "SH004": ('source "$HOME/cluster.sh"\n', 2),
}
"""Bad lines, and where the finding stands, for rules that have neither examples nor cases."""


def bad(code: str) -> list[Case]:
    """Files in which a rule finds something: the examples of its page, else its cases, else lines of this file."""
    cases = [case for case in (*CASES.invalid, *CASES.fixes) if case.rule.code == code]
    if code in LINES:
        text, line = LINES[code]
        cases = [Case(RULES.rules[code], "invalid", "lines", f"#!/bin/bash\n{text}".encode(), (line,))]
    return [case for case in cases if case.name.startswith("bad example")] or cases


IGNORE = re.compile(r"# recipelint: ignore\[[\w, ]+\] .*\n")


def of_rules(test: str) -> list[object]:
    """The blocks that a test proves, each with the code of its page's rule."""
    return [pytest.param(page.stem, block, id=f"{page.stem}-{number}") for page, number, block in proved_by(test)]


def laid_out(case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of a case in a folder of their own, which becomes the working directory."""
    folder.mkdir()
    lay_out(case, folder)
    monkeypatch.chdir(folder)


def found(code: str, *, configured: bool = False) -> set[str]:
    """The codes of what is found in the working directory, of a rule and of those that a wrong comment would break.

    CONFIGURED: as the configuration says, which a selection on the command line would replace.
    """
    from recipelint import run

    settings = resolve({"paths": (".",)} if configured else {"paths": (".",), "select": (code, "EP001", "SH", "RL")})
    return {one.code for one in run.check(settings, discover(settings).files).diagnostics}


@pytest.mark.parametrize(("code", "block"), of_rules("tests/test_rule_pages.py::test_code_is_tried_or_ignores"))
def test_code_is_tried_or_ignores(code: str, block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An example is a case that test_rule_cases.py tries; a comment above a command hides what is found in that."""
    if not IGNORE.fullmatch(block.body):
        assert block.body in TRIED[code]
        return
    assert bad(code)
    for number, case in enumerate(bad(code)):
        laid_out(case, tmp_path / str(number), monkeypatch)
        others = found(code) - {code}
        assert found(code) > others
        assert any(found(code) == others for _ in commented(case, block.body)), case.text.decode()


def commented(case: Case, comment: str) -> Iterator[None]:
    """Put a comment above the line of the finding, then above each line before it: one of them starts the command.

    It takes the place of a comment that is found fault with itself.
    """
    lines = case.text.decode().splitlines(True)
    for at in range(case.lines[0] - 1, -1, -1):
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        rest = lines[at + 1 :] if lines[at].startswith("# recipelint: ignore") else lines[at:]
        lay_out(case, Path(), "".join([*lines[:at], indent + comment, *rest]).encode())
        yield


@pytest.mark.parametrize(("code", "block"), of_rules("tests/test_rule_pages.py::test_configuration_ignores"))
def test_configuration_ignores(code: str, block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, case in enumerate(bad(code)):
        laid_out(case, tmp_path / str(number), monkeypatch)
        on = f'[tool.recipelint]\nextend-select = ["{code}"]\n'
        Path("pyproject.toml").write_text(on, "utf-8")
        assert code in found(code, configured=True)
        body = block.body.replace("examples/debug/*", case.path).removeprefix("[tool.recipelint]\n")
        Path("pyproject.toml").write_text(on + body, "utf-8")
        assert code not in found(code, configured=True)

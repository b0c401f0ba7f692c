"""The plainest check comes to the same without click: settings, output and exit status; what is more goes to click."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import pytest

from recipelint.cli import settling
from recipelint.cli.commands import app, check
from recipelint.cli.plainly import asked, plainly
from tests.readme_blocks import FIXTURES

CLEAN = "examples/scripts/slurm/sft_qwen3_4b.sh"
WRONG = "examples/scripts/slurm/sft_omni3_30b.sh"
PLAIN = [
    [WRONG],
    ["check", WRONG, CLEAN],
    ["check", "--force-exclude", "--", WRONG],
    ["--force-exclude", "--", "rule"],
    ["-q", "check", WRONG],
    ["check", "examples", "-n", "--isolated"],
    ["check", "show"],
    ["--output-format", "json", WRONG, "--exit-zero"],
    ["check", "check"],
    ["."],
]
MORE = [
    [],
    ["check"],
    ["examples"],
    ["show", WRONG],
    ["-q", "show", WRONG],
    ["--fix", WRONG],
    ["-"],
    ["check", ""],
    ["check", "-qn", WRONG],
    ["check", "--output-format", "sarif", WRONG],
    ["check", "--output-format"],
    ["check", "--output-format=json", WRONG],
    ["check", "--config", "x=1", WRONG],
    ["--version"],
    ["-h"],
]


@pytest.fixture(autouse=True)
def launchers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shutil.copytree(FIXTURES, tmp_path / "molt"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("RECIPELINT_NO_CACHE", "RECIPELINT_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)


def settled(given: Mapping[str, Any]) -> Any:
    options = {name: value for name, value in given.items() if name not in ("exit_zero", "isolated", "no_cache")}
    return settling.settle(options, config=None, isolated=given["isolated"], pieces=(), no_cache=given["no_cache"])


@pytest.mark.parametrize("words", PLAIN)
def test_the_settings_are_those_that_click_makes(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    given = asked(words)
    assert given is not None
    params: dict[str, Any] = {}
    monkeypatch.setattr(check, "callback", click.pass_context(lambda _, **options: params.update(options)))
    app.main(list(words), standalone_mode=False)
    assert not any(params.pop(name) for name in ("watch", "exit_non_zero_on_fix", "no_baseline", "fail_on_stale"))
    assert not any(params.pop(name) for name in ("show_files", "show_settings", "config"))
    theirs = {name: value for name, value in params.items() if value not in (None, ())}
    assert given == theirs
    assert settled(given) == settled(theirs)
    assert sorted(settled(given).origins) == sorted(settled(theirs).origins)


@pytest.mark.parametrize("words", MORE)
def test_what_is_more_goes_to_click(words: list[str]) -> None:
    assert asked(words) is None
    assert plainly(words, {}) is None


def test_a_variable_that_stands_for_an_option_goes_to_click() -> None:
    assert plainly([WRONG], {"RECIPELINT_NO_CACHE": "1"}) is None


def output(words: Sequence[str], way: str) -> tuple[int, bytes, bytes]:
    code = "import sys\nfrom recipelint import cli\nfrom recipelint.cli import plainly\n"
    code += {"plain": "", "click": "plainly.plainly = lambda *_: None\n"}[way] + "cli.main()\n"
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    "words",
    [
        *PLAIN[:2],
        ["-q", WRONG],
        ["check", "--output-format", "json", WRONG],
        ["./missing.sh"],
        ["check", "rul"],
        ["--exit-zero", WRONG],
    ],
)
def test_both_ways_write_the_same(words: list[str]) -> None:
    plain = output(words, "plain")
    assert plain == output(words, "click")
    assert plain[0] in (0, 1, 2)
    assert plain[1] + plain[2]


@pytest.mark.parametrize("text", ["select = 1\n", 'select = ["XX1"]\n', "wrong\n", 'rules = ["none"]\n'])
def test_both_ways_refuse_the_same(text: str) -> None:
    Path("recipelint.toml").write_text(text, "utf-8")
    plain = output([WRONG], "plain")
    assert plain == output([WRONG], "click")
    assert (plain[0], plain[1]) == (2, b"")
    assert plain[2].startswith(b"recipelint: error: ")

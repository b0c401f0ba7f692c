"""Where the last words of a command are lost, `--fix` decides nothing about it; asked for, it joins the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from recipelint import run
from recipelint.discovery import discover
from recipelint.outcome import Outcome
from recipelint.settings import Settings

CUT = """\
torchrun -m molt.cli.train_sft \\
  --data.dataset /d \\
  --fsdp.ep_size 8 \\
  # a note
  --model.gradient_checkpoint none
"""
JOINED = """\
# a note
torchrun -m molt.cli.train_sft \\
  --data.dataset /d \\
  --fsdp.ep_size 8 \\
  --model.gradient_checkpoint none
"""
STILL_WRONG = CUT.replace("gradient_checkpoint none", "gradient_checkpoint full")


def fixed(text: str, *, unsafe: bool = False) -> tuple[str, Outcome]:
    Path("run.sh").write_text(text)
    settings = Settings(paths=("run.sh",), fix=True, unsafe_fixes=unsafe)
    outcome = run.check(settings, list(discover(settings)[0]))
    return Path("run.sh").read_text(), outcome


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_nothing_is_decided_by_itself() -> None:
    text, outcome = fixed(CUT)
    assert text == CUT
    assert [(one.code, one.fix is None) for one in outcome.diagnostics] == [("EP001", True), ("SH003", False)]
    assert "SH003" in outcome.diagnostics[0].note


def test_the_joined_command_settles_both() -> None:
    text, outcome = fixed(CUT, unsafe=True)
    assert (text, [made.code for made in outcome.fixed], outcome.diagnostics) == (JOINED, ["SH003"], ())


def test_what_is_wrong_still_is_fixed_after_it() -> None:
    text, outcome = fixed(STILL_WRONG, unsafe=True)
    assert [made.code for made in outcome.fixed] == ["SH003", "EP001"]
    assert text.endswith("  --model.gradient_checkpoint none\n")
    assert not outcome.diagnostics


def test_a_cut_command_alone_is_joined() -> None:
    text, outcome = fixed(CUT.replace("ep_size 8", "ep_size 1"))
    assert text == JOINED.replace("ep_size 8", "ep_size 1")
    assert not outcome.diagnostics


def test_another_launch_is_not_concerned() -> None:
    other = "torchrun -m molt.cli.train_sft --fsdp.ep_size 8 --model.gradient_checkpoint full\n"
    _, outcome = fixed(CUT.replace("ep_size 8", "ep_size 1") + other)
    assert [made.code for made in outcome.fixed] == ["SH003", "EP001"]
    assert not outcome.diagnostics


UNCOVERING = "torchrun -m molt.cli.train_sft \\\n  # a note\n  --fsdp.ep_size 8\n"


def test_a_fix_that_uncovers_another_finding_is_not_made_by_itself() -> None:
    text, outcome = fixed(UNCOVERING)
    assert text == UNCOVERING
    assert "EP001 would be new" in outcome.diagnostics[0].note


def test_a_fix_that_uncovers_another_finding_is_followed_by_its_fix() -> None:
    text, outcome = fixed(UNCOVERING, unsafe=True)
    assert [made.code for made in outcome.fixed] == ["SH003", "EP001"]
    assert text.endswith("train_sft \\\n  --fsdp.ep_size 8 \\\n  --model.gradient_checkpoint none\n"), text
    assert not outcome.diagnostics

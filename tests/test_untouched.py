"""A launch that no fix changes keeps none from being made, whatever bashlex makes of its command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from recipelint import run, verify
from recipelint.discovery import discover
from recipelint.recipe.build import Resolved
from recipelint.settings import resolve

WRONG = b"torchrun -m molt.cli.train_sft --fsdp.ep_size 8 --model.gradient_checkpoint full\n"


@pytest.mark.parametrize(("disputed", "fixed"), [("--fsdp.ep_size 1", True), ("--fsdp.ep_size 8", False)])
def test_bashlex_has_a_say_in_what_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, disputed: str, fixed: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.sh").write_bytes(WRONG)
    (tmp_path / "b.sh").write_bytes(WRONG.replace(b"ep_size 8", b"ep_size 1"))

    def differs(resolved: Resolved) -> str:
        said = " ".join(argument.text for argument in resolved.launch.argv)
        return "bashlex splits the fixed command line otherwise" if disputed in said else ""

    monkeypatch.setattr(verify, "command_line_differs", differs)
    settings = resolve({"fix": True})
    outcome = run.check(settings, discover(settings).files)
    assert bool(outcome.fixed) is fixed
    assert ((tmp_path / "a.sh").read_bytes() == WRONG) is not fixed
    assert any("fix withdrawn: a.sh: bashlex" in one.note for one in outcome.diagnostics) is not fixed

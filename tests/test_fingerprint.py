"""The names of findings: the same while lines move, others when what decides changes, each its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from recipelint.diagnostic import Diagnostic
from recipelint.fingerprint import fingerprints
from recipelint.run import check
from recipelint.settings import Settings
from recipelint.source import SourceFile

LAUNCHER = """#!/bin/bash
torchrun -m molt.cli.train_sft --model.model_name_or_path /m \\
  --fsdp.ep_size 8 \\
  --model.gradient_checkpoint full
"""


def found(text: str, path: str = "launch.sh") -> tuple[Diagnostic, ...]:
    return check(Settings(), [SourceFile(path, text.encode())]).diagnostics


def names(text: str, path: str = "launch.sh", root: str = ".") -> list[str]:
    return fingerprints(found(text, path), root)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(LAUNCHER.replace("torchrun", "# one\n# two\n\ntorchrun"), id="lines above"),
        pytest.param(LAUNCHER.replace("  --model.grad", "      --model.grad"), id="indentation"),
        pytest.param(LAUNCHER.replace("ep_size 8", "ep_size 4"), id="another line of the same launch"),
    ],
)
def test_a_name_stays_when_its_line_does(text: str) -> None:
    assert text != LAUNCHER
    assert names(text) == names(LAUNCHER)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        pytest.param(LAUNCHER, "other.sh", id="another file"),
        pytest.param(
            LAUNCHER.replace("gradient_checkpoint full", "gradient_checkpoint=full"), "launch.sh", id="its line"
        ),
    ],
)
def test_a_name_changes_with_its_file_and_its_line(text: str, path: str) -> None:
    assert len(names(text, path)) == 1
    assert names(text, path) != names(LAUNCHER)


def test_equal_findings_have_names_of_their_own() -> None:
    twice = LAUNCHER + LAUNCHER.partition("\n")[2]
    both = names(twice)
    assert len(set(both)) == 2
    assert names(LAUNCHER) == both[:1]


def test_a_name_does_not_depend_on_the_folder_of_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "launch.sh").write_text(LAUNCHER)
    monkeypatch.chdir(tmp_path)
    above = names(LAUNCHER, "examples/launch.sh", str(tmp_path))
    monkeypatch.chdir(tmp_path / "examples")
    assert names(LAUNCHER, "launch.sh", str(tmp_path)) == above
    assert names(LAUNCHER, str(tmp_path / "examples" / "launch.sh"), str(tmp_path)) == above

"""What recipelint shows of each fixture launcher is what bash does, word for word."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from .cases import FIXTURES, Case, every_case, truth
from .shown import differs, show

EXCUSED: Mapping[str, Mapping[str, str]] = {}
"""By launcher: words that bash decides and recipelint may leave unknown, each with the reason."""


@pytest.mark.parametrize("case", every_case(), ids=lambda case: case.name)
def test_agrees_with_bash(case: Case, tmp_path: Path) -> None:
    tree = tmp_path / "repository"
    shutil.copytree(FIXTURES / case.tree, tree)
    excused = EXCUSED.get(case.launcher, {})
    real, shown = truth(case), show(case, tree)
    if len(case.worlds) == 1:
        assert len(shown) == len(real), f"{len(shown)} launches, bash makes {len(real)}"
    for pair in real:
        reasons = [differs(launch, pair, excused) for launch in shown]
        assert "" in reasons, f"bash's {pair[0].argv} is not shown: {reasons or 'no launch is'}"
    for launch in shown:
        reasons = [differs(launch, pair, excused) for pair in real]
        assert "" in reasons, f"bash never makes the launch shown at {launch['start']}: {reasons}"

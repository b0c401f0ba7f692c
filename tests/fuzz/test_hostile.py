"""A share of what `make fuzz` tries for hours: hostile inputs of each kind, the same in every run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import verdict
from tests.fuzz.child import MEMORY
from tests.fuzz.kinds import KINDS, seeds

COUNTS = {"shell": 25, "rules": 60, "python": 60, "log": 100, "packed": 40, "toml": 80, "baseline": 50}
ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_bytes(kind: str) -> None:
    done = subprocess.run(
        [sys.executable, "-B", "-m", "tests.fuzz.child", kind, str(COUNTS[kind])],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=1800,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    *failures, said = map(json.loads, done.stdout.splitlines())
    assert failures == []
    assert said["tried"] >= COUNTS[kind] // 2
    assert said["peak"] << 10 < MEMORY


@pytest.fixture
def taster(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> verdict.Taster:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", os.environ.get("XDG_CACHE_HOME", ""))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return verdict.Taster()


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_well_formed_is_well(kind: str, taster: verdict.Taster) -> None:
    assert taster.verdict(kind, seeds(kind)[0]) == ""


def test_a_crash_and_litter_are_found(taster: verdict.Taster, monkeypatch: pytest.MonkeyPatch) -> None:
    data = seeds("shell")[0]

    def crashing(*_: object) -> int:
        raise KeyError("x")

    def littering(*_: object) -> int:
        Path("left").touch()
        return 0

    for function, said in ((crashing, "KeyError: 'x'"), (littering, "left or took ['left']")):
        monkeypatch.setattr("recipelint.cli.terminal.run", function)
        assert said in taster.verdict("shell", data)

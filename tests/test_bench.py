"""The benchmark compares what it says it compares. How long anything takes is no test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from bench import paired
from bench.cases import FIXTURES, cases, launchers
from bench.paired import Command, compare, measure
from tests.readme_blocks import ROOT

OURS, THEIRS = Command("ours", ("ours",)), Command("theirs", ("theirs",))


def test_pairs_are_interleaved_and_the_ratio_is_that_of_the_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    seconds = iter(
        [9.0, 9.0, 1.0, 2.0, 4.0, 4.0, 3.0, 2.0]
    )  # a warm-up of each, then ours first, theirs first, ours first

    def timed(command: Command) -> float:
        order.append(command.name)
        return next(seconds)

    monkeypatch.setattr(paired, "measure", timed)
    result = compare("what", OURS, THEIRS, 3)
    assert order == ["ours", "theirs", "ours", "theirs", "theirs", "ours", "ours", "theirs"]
    assert (result.ours_seconds, result.theirs_seconds) == (3.0, 2.0)
    assert (result.lowest, result.ratio, result.highest) == (0.5, 1.0, 1.5)


def test_a_command_that_fails_is_not_timed() -> None:
    with pytest.raises(subprocess.CalledProcessError):
        measure(Command("crash", (sys.executable, "-c", "raise SystemExit(3)"), (0, 1)))


def test_launchers_are_found_in_folders_and_taken_as_given(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    for name in ("b.sh", "inner/a.slurm", "notes.md"):
        (tmp_path / name).touch()
    assert launchers([tmp_path]) == [str(tmp_path / "b.sh"), str(tmp_path / "inner" / "a.slurm")]
    assert launchers([tmp_path / "notes.md"]) == [str(tmp_path / "notes.md")]


def test_every_program_gets_the_same_launchers() -> None:
    files = launchers([FIXTURES])
    _, lint, shellcheck = cases(files)[0]
    assert list(lint.argv[-len(files) :]) == list(shellcheck.argv[-len(files) :]) == files


def test_the_hook_is_timed_as_pre_commit_calls_it() -> None:
    manifest = YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    called = [*manifest[0]["entry"].split(), *manifest[0]["args"]]
    hooks = {ours.argv for _, ours, _ in cases(launchers([FIXTURES])) if "hook" in ours.name}
    assert [[Path(argv[0]).name, *argv[1:-1]] for argv in hooks] == [called]

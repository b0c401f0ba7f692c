"""The benchmark compares what it says it compares. How long anything takes is no test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from bench import paired
from bench.cases import FIXTURES, cases, crowd, launchers
from bench.corpus import long, many
from bench.growth import doublings
from bench.paired import Command, Measured, compare, measure, measured
from bench.profile import STEPS, shares, step_of, steps
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


def test_what_is_measured_without_a_cache_says_so() -> None:
    for what, ours, _ in cases(launchers([FIXTURES])):
        if what.endswith(("launchers", "cold")):
            assert "--no-cache" in ours.argv


def test_a_crowd_is_checked_without_a_cache_and_then_with_what_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RECIPELINT_NO_CACHE")
    (_, cold, bash), (_, warm, first) = crowd(launchers([FIXTURES]), 20, tmp_path)
    assert len(list((tmp_path / "crowd").iterdir())) == 20
    for command in (cold, bash, warm):
        measure(command)
    assert len(list((tmp_path / "cache").glob("launcher-*"))) == 20
    assert first is cold


def test_a_crowd_is_the_same_every_time_and_no_two_are_alike(tmp_path: Path) -> None:
    models = [Path(file).read_text("utf-8") for file in launchers([FIXTURES])]
    one, other = (many(models, 40, tmp_path / name) for name in ("one", "other"))
    texts = [path.read_text("utf-8") for path in sorted(one.iterdir())]
    assert texts == [path.read_text("utf-8") for path in sorted(other.iterdir())]
    assert len(set(texts)) > 30
    file = long(models, 700, tmp_path / "long.sh")
    assert 700 <= len(file.read_text("utf-8").splitlines()) < 1400
    assert subprocess.run(["bash", "-n", file], check=False).returncode == 0


def test_a_doubling_is_that_of_each_round_without_the_start() -> None:
    rounds = [
        [Measured(1.0, 10.0), Measured(1.5, 11.0)],
        [Measured(2.0, 10.0), Measured(3.5, 12.0)],
        [Measured(1.0, 10.0), Measured(2.0, 11.0)],
    ]
    # Over a start of half a second: 0.5 to 1.0, 1.5 to 3.0, 0.5 to 1.5.
    assert doublings(["n", "2n"], rounds, 0.5) == [("n", "1.00", "", "10"), ("2n", "2.00", "2.00", "12")]


def test_memory_is_that_of_the_command() -> None:
    small = measured(Command("small", (sys.executable, "-c", "pass")))
    large = measured(Command("large", (sys.executable, "-c", "x = bytearray(100 << 20)")))
    assert 90 < large.mebibytes - small.mebibytes < 110
    with pytest.raises(subprocess.CalledProcessError):
        measured(Command("crash", (sys.executable, "-c", "raise SystemExit(3)")))


def test_a_profile_tells_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECIPELINT_DEBUG", "1")
    found = steps(launchers([FIXTURES])[1:3])
    assert list(found) == [name for name, _ in STEPS]
    assert found["parsing the shell"] > 0
    assert found["evaluating it"] > 0
    assert shares({"a": 1.0, "b": 3.0}) == [("a", "25 %"), ("b", "75 %")]
    assert step_of("/x/recipelint/shell/parse_word.py") == "parsing the shell"
    assert step_of("/x/recipelint/shell/expand.py") == "evaluating it"
    assert step_of("/usr/lib/python3/re.py") == "Python's own"

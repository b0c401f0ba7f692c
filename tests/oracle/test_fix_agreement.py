"""After `--fix`, of comments too, bash hands the seven wrong recipes the same words but one, others all the same."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from .cases import FIXTURES, MOLT, Case, every_case, truth
from .record import RecordedLaunch
from .shown import recipelint

FULL_DEFAULT = "GRAD_CHECKPOINT-full"
WRONG = {
    "quick_start/sft_qwen3_6_35b.sh": ("EP:-8", "--model.gradient_checkpoint full"),
    "quick_start/rl_qwen3_6_35b.sh": ("--fsdp.ep_size 4", "--actor.gradient_checkpoint full"),
    "slurm/sft_qwen3_6_35b.sh": ("EP_SIZE:-8", "--model.gradient_checkpoint full"),
    "slurm/sft_omni3_30b.sh": ("EP_SIZE:-8", FULL_DEFAULT),
    "slurm/rl_qwen3_6_35b.sh": ("EP_SIZE:-8", FULL_DEFAULT),
    "slurm/rl_omni3_30b.sh": ("EP_SIZE:-8", FULL_DEFAULT),
    "slurm/rl_distill_omni3_30b.sh": ("EP_SIZE:-8", FULL_DEFAULT),
}
"""The wrong recipes, with the text that decides expert parallelism and the text that decides checkpointing."""

CASES = [case for case in every_case() if case.tree == "molt" and not case.env and not case.args]


def line_of(path: Path, text: str) -> int:
    return next(number for number, line in enumerate(path.read_text().splitlines(), 1) if text in line)


def bytes_of(tree: Path) -> dict[str, bytes]:
    return {path.relative_to(tree).as_posix(): path.read_bytes() for path in tree.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def fixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the molt fixtures, after `recipelint --fix`, and with the comments that contradict it replaced."""
    tree = tmp_path_factory.mktemp("fixed") / "repository"
    shutil.copytree(FIXTURES / "molt", tree)
    status, output = recipelint(tree, "--fix", "--unsafe-fixes", f"{MOLT}/")
    assert status == 0, output
    return tree


def test_finds_the_seven() -> None:
    status, output = recipelint(FIXTURES / "molt", "--output-format", "json", f"{MOLT}/")
    found = {
        (one["path"], one["start"]["line"], place["start"]["line"])
        for one in json.loads(output)["diagnostics"]
        for place in one["related"]
        if one["code"] == "EP001" and one["path"] == place["path"]
    }
    assert status == 1
    for name, (experts, mode) in WRONG.items():
        path = FIXTURES / "molt" / MOLT / name
        assert (f"{MOLT}/{name}", line_of(path, mode), line_of(path, experts)) in found, name
    assert {path for path, _, _ in found} == {f"{MOLT}/{name}" for name in WRONG}


def test_changes_only_the_seven(fixed: Path) -> None:
    before, after = bytes_of(FIXTURES / "molt"), bytes_of(fixed)
    assert before.keys() == after.keys()
    assert {name for name in before if before[name] != after[name]} == {f"{MOLT}/{name}" for name in WRONG}


def test_second_run_changes_nothing(fixed: Path) -> None:
    before = bytes_of(fixed)
    status, _ = recipelint(fixed, "--fix", f"{MOLT}/")
    assert status == 0
    assert bytes_of(fixed) == before


def stable(text: str) -> str:
    """TEXT without a process number at its end."""
    return re.sub(r"_\d+$", "_$$", text)


def recipe(launch: RecordedLaunch, wrong: bool) -> tuple[str, list[str], dict[str, str]]:
    """A launch, as it must be after the fix if it was wrong before."""
    words, env = [stable(word) for word in launch.argv], {k: stable(v) for k, v in launch.env.items()}
    if wrong:
        flag = next(word for word in words if word.endswith(".gradient_checkpoint"))
        assert words[words.index(flag) + 1] == "full"
        words[words.index(flag) + 1] = "none"
        env = {name: "none" if name == "GRAD_CHECKPOINT" else value for name, value in env.items()}
    return launch.entry_point, words, env


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bash_agrees(case: Case, fixed: Path) -> None:
    wrong = case.launcher.removeprefix(f"{MOLT}/") in WRONG
    before = [recipe(launch, wrong) for launch, _ in truth(case)]
    after = [recipe(launch, False) for launch, _ in truth(case, fixed)]
    assert after == before


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bash_accepts(case: Case, fixed: Path) -> None:
    parsed = subprocess.run(["bash", "-n", case.launcher], cwd=fixed, capture_output=True, text=True, check=False)
    assert (parsed.returncode, parsed.stderr) == (0, "")

"""A launcher that lacks variables or arguments: what bash starts as shipped, and what it starts once they are given."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from . import RecordedLaunch, launches
from .shown import fits, recipelint

Given = dict[str, str]


def shown(tree: Path) -> tuple[list[str], list[dict[str, Any]]]:
    """What a launcher needs, and its launches."""
    _, output = recipelint(tree, "show", "--output-format", "json", "run.sh")
    (file,) = json.loads(output)["files"]
    return file["needs"], file["launches"]


def agrees(launch: dict[str, Any], real: RecordedLaunch) -> bool:
    """Whether a shown launch is bash's, word for word."""
    if not fits({"text": launch["entry_point"], "unknown": "$" in launch["entry_point"]}, real.entry_point):
        return False
    return len(launch["argv"]) == len(real.argv) and all(map(fits, launch["argv"], real.argv))


def as_shipped(launch: dict[str, Any]) -> dict[str, Any]:
    """A launch without the words that are none as long as nobody gives them."""
    return {**launch, "argv": [word for word in launch["argv"] if not word.get("many")]}


@pytest.mark.parametrize(
    ("text", "given", "args", "needs", "certain"),
    [
        pytest.param(
            "torchrun --nproc_per_node $GPUS train.py --lr 1e-6 8",
            {"GPUS": "8"},
            [],
            ["GPUS"],
            False,
            id="an option takes the script for its value",
        ),
        pytest.param("torchrun --standalone $SCRIPT", {"SCRIPT": "train.py"}, [], ["SCRIPT"], False, id="no script"),
        pytest.param(
            "torchrun --nnodes=1 $SCRIPT --config $CONFIG",
            {"SCRIPT": "train.py", "CONFIG": "a.yaml"},
            [],
            ["SCRIPT", "CONFIG"],
            False,
            id="an option of the script's is taken for torchrun's",
        ),
        pytest.param("python3 $1 --lr $2", {}, ["train.py", "1e-6"], ["$1", "$2"], False, id="arguments"),
        pytest.param(
            'bash -c "torchrun --nproc_per_node $GPUS -m train --lr $LR"',
            {"GPUS": "8", "LR": "1"},
            [],
            ["GPUS", "LR"],
            True,
            id="in a text",
        ),
        pytest.param("torchrun train.py --lr $LR --seed 1", {"LR": "1"}, [], ["LR"], True, id="a value"),
    ],
)
def test_what_is_meant(
    tmp_path: Path, text: str, given: Given, args: list[str], needs: list[str], certain: bool
) -> None:
    (tmp_path / "run.sh").write_text(text + "\n")
    said, found = shown(tmp_path)
    assert said == needs
    (real,) = launches(tmp_path, "run.sh", env=given, args=args)
    assert [launch["certain"] for launch in found if agrees(launch, real)] == [certain]
    for launch in launches(tmp_path, "run.sh"):
        assert any(one["certain"] and agrees(as_shipped(one), launch) for one in found)


@pytest.mark.parametrize(
    "text",
    ["torchrun $OPTIONS train.py $MORE", "python3 $FLAGS train.py --lr 1", "torchrun --nnodes 1 train.py --a=b $C"],
)
def test_what_nobody_misses_is_not_needed(tmp_path: Path, text: str) -> None:
    """An unset variable between words that stand for themselves is none as shipped."""
    (tmp_path / "run.sh").write_text(text + "\n")
    said, (launch,) = shown(tmp_path)
    assert said == []
    assert launch["certain"]
    assert not launch["when"]
    (real,) = launches(tmp_path, "run.sh")
    assert agrees(launch, real)


def test_a_script_is_no_value_of_an_option(tmp_path: Path) -> None:
    """accelerate takes dozens of options, some of which recipelint does not know; none takes a script."""
    (tmp_path / "run.sh").write_text("accelerate launch --num_processes 8 --a_new_switch train.py --lr 1\n")
    _, (launch,) = shown(tmp_path)
    assert (launch["entry_point"], [word["text"] for word in launch["argv"]]) == ("train.py", ["--lr", "1"])


def test_a_torchrun_without_a_script_is_told(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("torchrun --nnodes=1 $SCRIPT\n")
    _, output = recipelint(tmp_path, "show", "run.sh")
    assert "  needs SCRIPT\n" in output
    assert "  no trainer (the variables that would name it are not set), line 1, through torchrun\n" in output
    assert "  ${SCRIPT} (a trainer that recipelint does not know), line 1, through torchrun\n    when\n" in output
    assert "      SCRIPT is given\n" in output


def test_python_refuses_the_options_of_a_script(tmp_path: Path) -> None:
    """As shipped there is no script, and its first option is Python's: nothing starts."""
    assert subprocess.run([sys.executable, "--seed", "1"], capture_output=True, check=False).returncode == 2
    (tmp_path / "run.sh").write_text("CMD=python3\n$CMD $1 --seed 1\n")
    needs, (launch,) = shown(tmp_path)
    assert (needs, launch["entry_point"], launch["when"]) == (["$1"], "${1}", ["$1 is given"])
    (real,) = launches(tmp_path, "run.sh", args=["train.py"])
    assert agrees(launch, real)

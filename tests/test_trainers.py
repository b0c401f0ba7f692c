"""What a trainer's own source says outranks the framework file; without it, the framework file holds."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from recipelint.linter import File, Linter
from recipelint.recipe.model import Setting
from recipelint.recipe.trainers import Trainers
from recipelint.ruleset.load import load
from recipelint.settings import Settings
from recipelint.source import SourceFile

LAUNCH = "torchrun -m molt.cli.train_sft --data.dataset /d\n"
TRAINER = """\
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--data.dataset")
parser.add_argument("--fsdp.ep_size", type=int, default=4)
parser.add_argument("--model.gradient_checkpoint", nargs="?", const="selective", default="none")
parser.add_argument("--fsdp.packing_samples", action="store_true")
args = parser.parse_args()
"""
BASE = """\
import os
def backend():
    return {"dispatcher": os.environ.get("MOLT_MOE_DISPATCHER", "deepep").lower()}
"""


def settings(files: Mapping[str, str], launch: str = LAUNCH) -> dict[str, Setting]:
    """The settings of the one launch of a launcher in a tree of FILES."""
    sources = {path: SourceFile(path, text.encode()) for path, text in files.items()}
    linter = Linter(load(), Settings())
    trainers = Trainers(linter.frameworks, sources.get)
    recipes = linter.resolve(File(SourceFile("run.sh", launch.encode()), "run.sh", sources.get, trainers))
    (resolved,) = recipes.resolved
    return resolved.launch.settings


def test_defaults_of_the_source() -> None:
    found = settings({"molt/cli/train_sft.py": TRAINER, "molt/models/base.py": BASE})
    assert found["expert_parallel_size"].value == 4
    assert found["expert_parallel_size"].read_from == "molt/cli/train_sft.py:4"
    assert found["activation_checkpointing"].value == "none"
    assert found["moe_dispatcher"].value == "deepep"
    assert found["moe_dispatcher"].read_from == "molt/models/base.py:3"
    assert found["packing"].value == "off"


def test_the_const_of_the_source() -> None:
    files = {"molt/cli/train_sft.py": TRAINER}
    assert (
        settings(files, "torchrun -m molt.cli.train_sft --model.gradient_checkpoint")["activation_checkpointing"].value
        == "selective"
    )
    assert settings(files, "torchrun -m molt.cli.train_sft --fsdp.packing_samples")["packing"].value == "on"


def test_without_the_source_the_framework_file_holds() -> None:
    found = settings({})
    assert found["activation_checkpointing"].value == "full"
    assert found["moe_dispatcher"].value == "hybridep"
    assert {one.read_from for one in (found["activation_checkpointing"], found["moe_dispatcher"])} == {
        "rules/frameworks/molt.yaml"
    }


def test_a_flag_that_the_source_does_not_have_keeps_what_the_framework_file_says() -> None:
    found = settings({"molt/cli/train_sft.py": TRAINER})
    assert found["tensor_parallel_size"].value == 1
    assert found["tensor_parallel_size"].read_from == "rules/frameworks/molt.yaml"


@pytest.mark.parametrize(
    "read",
    [
        'os.environ.get("MOLT_MOE_DISPATCHER", DEFAULT)',
        'os.environ.get("MOLT_MOE_DISPATCHER")',
        '[os.getenv("MOLT_MOE_DISPATCHER", "torch"), os.getenv("MOLT_MOE_DISPATCHER", "deepep")]',
    ],
)
def test_a_default_that_cannot_be_read_is_unknown(read: str) -> None:
    found = settings({"molt/models/base.py": f"import os\nx = {read}\n"})["moe_dispatcher"]
    assert (found.value, found.source) == (None, "unknown")


@pytest.mark.parametrize(
    ("read", "value"),
    [
        ('os.environ.get("MOLT_MOE_DISPATCHER") or "torch"', "torch"),
        ('os.getenv("MOLT_MOE_DISPATCHER", default="torch")', "torch"),
        ('environ.get("MOLT_MOE_DISPATCHER", "Torch")', "torch"),
    ],
)
def test_ways_to_read_a_variable(read: str, value: str) -> None:
    assert settings({"molt/models/base.py": f"import os\nx = {read}\n"})["moe_dispatcher"].value == value


@pytest.mark.parametrize("source", ["def f(:", "x = " + "(" * 10_000, "\0"])
def test_a_source_that_cannot_be_read(source: str) -> None:
    found = settings({"molt/models/base.py": source, "molt/cli/train_sft.py": source})
    assert found["moe_dispatcher"].value == "hybridep"
    assert found["activation_checkpointing"].value == "full"


def test_an_open_schema_has_the_flags_of_the_framework_file_as_well() -> None:
    trainer = TRAINER.replace("args =", "import elsewhere\nelsewhere.add(parser)\nargs =")
    found = settings({"molt/cli/train_sft.py": trainer}, "torchrun -m molt.cli.train_sft --fsdp.tp_size 2")
    assert found["tensor_parallel_size"].value == 2
    assert found["expert_parallel_size"].value == 4

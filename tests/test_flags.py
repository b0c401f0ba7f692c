"""Launchers of trainers that take flags: every setting is what that trainer would read, worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from recipelint.linter import File, Linter
from recipelint.recipe.model import Launch
from recipelint.recipe.trainers import Trainers
from recipelint.ruleset.described import Described
from recipelint.ruleset.load import load
from recipelint.settings import Settings
from recipelint.source import SourceFile

FIXTURES = Path(__file__).parent / "fixtures" / "flags"


def launches(text: str, files: Mapping[str, str] | None = None) -> tuple[Launch, ...]:
    sources = {path: SourceFile(path, body.encode()) for path, body in (files or {}).items()}
    linter = Linter(load(), Settings())
    trainers = Trainers(linter.frameworks, sources.get)
    recipes = linter.resolve(File(SourceFile("run.sh", text.encode()), "run.sh", sources.get, trainers))
    return tuple(resolved.launch for resolved in recipes.resolved)


def settings(text: str, files: Mapping[str, str] | None = None) -> dict[str, Any]:
    (launch,) = launches(text, files)
    return {name: setting.value for name, setting in launch.settings.items()}


LAUNCHED = {
    "megatron.sh": [
        {
            "framework": "megatron-lm",
            "model": "/ckpt/base",
            "expert_parallel_size": 4,
            "expert_tensor_parallel_size": 1,
            "tensor_parallel_size": 2,
            "context_parallel_size": 1,
            "pipeline_parallel_size": 2,
            "sequence_parallel": "on",
            "activation_checkpointing": "full",
            "moe_dispatcher": "deepep",
            "attention_backend": "auto",
            "cpu_offload": "none",
            "micro_batch_size": 1,
            "global_batch_size": 64,
            "max_seq_len": 4096,
            "world_size": 8,
            "data_parallel_size": 2,
        }
    ],
    "slime.sh": [
        {
            "framework": "slime",
            "model": "/models/moe",
            "expert_parallel_size": 8,
            "tensor_parallel_size": 4,
            "pipeline_parallel_size": 1,
            "sequence_parallel": "off",
            "activation_checkpointing": "selective",
            "moe_dispatcher": "alltoall",
            "cpu_offload": "none",
            "micro_batch_size": 1,
            "global_batch_size": 256,
            "rollout_batch_size": 32,
            "samples_per_prompt": 8,
            "max_seq_len": None,
            "nodes": 2,
            "processes_per_node": 8,
            "world_size": 16,
        }
    ],
    "pai.sh": [
        {
            "framework": "pai-megatron-patch",
            "expert_parallel_size": 1,
            "expert_tensor_parallel_size": 4,
            "tensor_parallel_size": 4,
            "activation_checkpointing": "selective",
            "moe_dispatcher": "alltoall",
            "cpu_offload": "optimizer",
            "micro_batch_size": 1,
            "global_batch_size": 8,
        }
    ],
    "swift.sh": [
        {
            "framework": "ms-swift",
            "model": "Qwen/Qwen3-8B",
            "context_parallel_size": 2,
            "activation_checkpointing": "none",
            "attention_backend": None,
            "packing": "on",
            "micro_batch_size": 2,
            "gradient_accumulation_steps": 1,
            "samples_per_prompt": 8,
            "max_seq_len": 8192,
            "world_size": 4,
        },
        {
            "framework": "ms-swift",
            "expert_parallel_size": 8,
            "expert_tensor_parallel_size": 1,
            "sequence_parallel": "on",
            "activation_checkpointing": "none",
            "moe_dispatcher": "deepep",
            "attention_backend": "flash",
            "packing": "off",
            "cpu_offload": "optimizer",
            "micro_batch_size": 1,
            "global_batch_size": 16,
            "processes_per_node": 8,
        },
    ],
    "openrlhf.sh": [
        {
            "framework": "openrlhf",
            "activation_checkpointing": "full",
            "zero_stage": 3,
            "cpu_offload": "none",
            "micro_batch_size": 2,
            "attention_backend": "flash_attention_2",
        },
        {
            "framework": "openrlhf-flat",
            "activation_checkpointing": "none",
            "zero_stage": 3,
            "cpu_offload": "optimizer",
            "micro_batch_size": 4,
        },
        {
            "framework": "openrlhf-flat",
            "model": "m",
            "micro_batch_size": 4,
            "zero_stage": 2,
            "rollout_batch_size": 1024,
            "samples_per_prompt": 8,
            "nodes": 1,
            "processes_per_node": 8,
        },
    ],
    "internvl.sh": [
        {
            "framework": "internvl",
            "model": "/models/vl",
            "activation_checkpointing": "none",
            "packing": "on",
            "micro_batch_size": 4,
            "gradient_accumulation_steps": 4,
            "max_seq_len": 8192,
        },
        {"framework": "llava", "activation_checkpointing": "full", "micro_batch_size": 8, "max_seq_len": 512},
    ],
}


@pytest.mark.parametrize("name", LAUNCHED)
def test_settings_of_launchers(name: str) -> None:
    found = launches((FIXTURES / name).read_text("utf-8"))
    for launch, wanted in zip(found, LAUNCHED[name], strict=True):
        shown = {setting: one.value for setting, one in launch.settings.items()} | {"framework": launch.framework}
        assert {key: shown[key] for key in wanted} == wanted


def test_scripts_of_the_same_names_are_of_no_framework() -> None:
    found = launches((FIXTURES / "noop.sh").read_text("utf-8"))
    assert [launch.framework for launch in found] == [None] * 3
    assert found[0].argv[0].text == "--model-parallel"
    assert all(launch.settings.keys() <= {"nodes", "processes_per_node", "world_size"} for launch in found)


GPT = "torchrun pretrain_gpt.py --micro-batch-size 1 "


@pytest.mark.parametrize(
    ("words", "dispatcher"),
    [
        ("", "allgather"),
        ("--moe-token-dispatcher-type alltoall", "alltoall"),
        ("--moe-token-dispatcher-type flex", "deepep"),
        ("--moe-token-dispatcher-type flex --moe-flex-dispatcher-backend hybridep", "hybridep"),
        ("--moe-token-dispatcher-type=flex --moe-enable-deepep", "deepep"),
        ("--moe-token-dispatcher-type alltoall --moe-flex-dispatcher-backend hybridep", "alltoall"),
        ("--moe-token-dispatcher-type flex --moe-token-dispatcher-type alltoall", "alltoall"),
        ("--moe-token-dispatcher-type $(cat kind)", None),
    ],
)
def test_a_setting_that_two_flags_decide(words: str, dispatcher: str | None) -> None:
    (launch,) = launches(GPT + words)
    assert launch.settings["moe_dispatcher"].value == dispatcher
    assert (launch.settings["moe_dispatcher"].source == "unknown") == (dispatcher is None)


def test_the_flag_that_decides_is_the_place() -> None:
    text = GPT + "--moe-token-dispatcher-type \\\n  flex \\\n  --moe-enable-deepep \\\n  --recompute-activations\n"
    (launch,) = launches(text)
    places = {name: launch.settings[name].location for name in ("moe_dispatcher", "activation_checkpointing")}
    assert {name: place.start.line for name, place in places.items() if place is not None} == {
        "moe_dispatcher": 3,
        "activation_checkpointing": 4,
    }


def test_a_prefix_is_no_flag_where_the_parser_takes_none() -> None:
    assert settings(GPT + "--tensor-model-parallel 4")["tensor_parallel_size"] == 1
    assert settings(GPT + "--optimizer adam")["cpu_offload"] == "none"


PARTLY = """\
import argparse
from elsewhere import more
pre = argparse.ArgumentParser(add_help=False)
pre.add_argument("--debug-train-only", action="store_true")
more(pre)
pre.parse_known_args()
"""


def test_a_source_that_is_read_in_part_brings_no_prefixes() -> None:
    """`--optimizer` is a flag that neither it nor the framework file lists."""
    words = "--actor-num-nodes 1 --rollout-batch-size 8 --optimizer adam"
    assert settings(f"python3 train.py {words}", {"train.py": PARTLY})["cpu_offload"] == "none"


WHOLE = """\
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--data.dataset")
parser.add_argument("--ds.adam_offload", action="store_true")
parser.add_argument("--model.gradient_checkpointing_enable", action="store_true")
parser.add_argument("--train.micro_batch_size", type=int, default=3)
parser.parse_args()
"""


def test_a_switch_of_the_source_keeps_the_words_of_the_setting() -> None:
    run = "python3 -m openrlhf.cli.train_sft --data.dataset d"
    files = {"openrlhf/cli/train_sft.py": WHOLE}
    found = settings(f"{run} --model.gradient_checkpointing_enable", files)
    assert (found["activation_checkpointing"], found["cpu_offload"]) == ("full", "none")
    assert found["micro_batch_size"] == 3
    assert settings(run, files)["activation_checkpointing"] == "none"


@pytest.mark.parametrize(
    ("run", "unknown"),
    [
        ("swift sft train.yaml --packing", {"activation_checkpointing", "micro_batch_size", "model"}),
        ("swift sft --packing", set()),
        ("torchrun pretrain_gpt.py --yaml-cfg a.yaml --sequence-parallel", {"tensor_parallel_size", "moe_dispatcher"}),
    ],
)
def test_what_a_file_may_give_is_unknown(run: str, unknown: set[str]) -> None:
    (launch,) = launches(run)
    found = {name for name, one in launch.settings.items() if one.source == "unknown"}
    assert found >= unknown
    assert bool(found) == bool(unknown)
    assert "packing" not in found
    assert "sequence_parallel" not in found


def test_no_gradient_checkpointing() -> None:
    assert settings("swift sft --no_gradient_checkpointing")["activation_checkpointing"] == "none"
    assert settings("swift sft --gradient-checkpointing")["activation_checkpointing"] == "full"
    assert settings("swift sft")["activation_checkpointing"] == "full"


def test_only_the_frameworks_that_are_met_are_read() -> None:
    frameworks = Described({name: json.dumps(load().frameworks.plain(name)) for name in load().frameworks})
    linter = Linter(load()._replace(frameworks=frameworks), Settings(select=("EP001",)))
    trainers = Trainers(linter.frameworks, lambda path: None)
    text = b"torchrun pretrain_t5.py --encoder-seq-length 512\npython3 -m nothing.known\n"
    linter.resolve(File(SourceFile("run.sh", text), "run.sh", lambda path: None, trainers))
    assert set(frameworks._plain) == {"megatron-lm"}
    assert frameworks["slime"]["entry_points"]["train.py"]["settings"]["tensor_parallel_size"]["source"].startswith(
        "https://github.com/NVIDIA/Megatron-LM/blob/"
    )
    assert set(frameworks._plain) == {"megatron-lm", "slime"}


def test_the_page_of_trainers_is_up_to_date() -> None:
    from recipelint.ruleset.trainers_page import page

    text = (Path(__file__).parent.parent / "docs" / "trainers.md").read_text("utf-8")
    assert page(load()) == text
    assert "| `deepep` with `--moe-token-dispatcher-type` `flex` and `--moe-enable-deepep`; " in text
    assert "## slime" in text
    nemo = text.partition("## NeMo-RL")[2].partition("## ")[0]
    assert "NeMo-RL's only where `nemo_rl/utils/config.py` stands in the same tree; elsewhere" in nemo
    assert "`pretrain_gpt.py` without `--deepspeed` or " in text

"""Which trainer a launch names, where several have scripts of one name."""

from __future__ import annotations

import pytest

from recipelint.recipe.naming import Names, head
from recipelint.ruleset.load import load
from recipelint.run import resolve
from recipelint.settings import Settings
from recipelint.shell.text import Text
from recipelint.source import SourceFile

NAMES = Names(load().heads)
SLIME = "--actor-num-nodes 1 --rollout-batch-size 8"
PAI = "--patch-tokenizer-type Qwen2Tokenizer"


def found(said: str, words: str = "") -> tuple[str, str] | None:
    one = NAMES.find(said, [Text.of(word) for word in words.split()])
    return (one.framework, one.entry_point) if one is not None else None


@pytest.mark.parametrize(
    ("said", "words", "wanted"),
    [
        ("molt.cli.train_sft", "", ("molt", "molt.cli.train_sft")),
        ("/opt/src/molt/cli/train_sft.py", "", ("molt", "molt.cli.train_sft")),
        ("cli/train_sft.py", "", None),
        ("xmolt.cli.train_sft", "", None),
        ("pretrain_gpt.py", "", ("megatron-lm", "pretrain_gpt.py")),
        ("${MEGATRON}/pretrain_gpt.py", "--num-layers 2", ("megatron-lm", "pretrain_gpt.py")),
        ("my_pretrain_gpt.py", "", None),
        ("pretrain_gpt.py", "--tensor-model-parallel-size 2 --deepspeed", None),
        ("pretrain_gpt.py", "--deepspeed_config=ds.json", None),
        ("examples/multimodal/train.py", "", ("megatron-lm", "examples/multimodal/train.py")),
        ("examples/multimodal/train.py", SLIME, ("megatron-lm", "examples/multimodal/train.py")),
        ("multimodal/train.py", "", None),
        ("train.py", SLIME, ("slime", "train.py")),
        ("/root/slime/train_async.py", "--actor-num-nodes=2", ("slime", "train_async.py")),
        ("train.py", "--epochs 3", None),
        ("train.py", "", None),
        ("train_rl.py", "--grpo-group-size 4", ("megatron-lm", "train_rl.py")),
        ("train_rl.py", "--group-size 4", None),
        ("pretrain_qwen.py", PAI, ("pai-megatron-patch", "pretrain_*.py")),
        ("../llama2/pretrain_megatron_llama.py", PAI, ("pai-megatron-patch", "pretrain_*.py")),
        ("finetune_megatron_llama.py", PAI, ("pai-megatron-patch", "finetune_*.py")),
        ("pretrain_qwen.py", "--tensor-model-parallel-size 2", None),
        ("finetune.py", PAI, None),
        ("swift sft", "", ("ms-swift", "swift sft")),
        ("megatron sft", "", ("ms-swift", "megatron sft")),
        ("swift/cli/sft.py", "", ("ms-swift", "swift.cli.sft")),
        ("swift/cli/_megatron/rlhf.py", "", ("ms-swift", "swift.cli._megatron.rlhf")),
        ("swift infer", "", None),
        ("openrlhf.cli.train_sft", "--data.dataset x", ("openrlhf", "openrlhf.cli.train_sft")),
        ("openrlhf.cli.train_sft", "--dataset x", ("openrlhf-flat", "openrlhf.cli.train_sft")),
        ("openrlhf.cli.train_sft", "--dataset x --ds.zero_stage 3", None),
        ("openrlhf/cli/train_ppo_ray.py", "--prompt_data x", ("openrlhf-flat", "openrlhf.cli.train_ppo_ray")),
        ("internvl/train/internvl_chat_finetune.py", "", ("internvl", "internvl.train.internvl_chat_finetune")),
        ("llava/train/train_mem.py", "", ("llava", "llava.train.train_mem")),
        ("train/train_mem.py", "", None),
    ],
)
def test_names(said: str, words: str, wanted: tuple[str, str] | None) -> None:
    assert found(said, words) == wanted


def test_a_word_that_is_no_flag_tells_nothing() -> None:
    assert found("train.py", "actor-num-nodes --note --actor") is None


def test_what_two_frameworks_claim_is_neither() -> None:
    plain = {"entry_points": {"train.py": {"told_by": ["--a"], "settings": {}}}}
    other = {"entry_points": {"train.py": {"told_by": ["--b"], "settings": {}}}}
    names = Names({"one": head(plain), "two": head(other)})

    def of(*words: str) -> str | None:
        one = names.find("train.py", [Text.of(word) for word in words])
        return one.framework if one is not None else None

    assert (of("--a"), of("--b"), of("--a", "--b"), of()) == ("one", "two", None, None)


@pytest.mark.parametrize(
    "entry", ["internvl/train/internvl_chat_finetune.py", "-m internvl.train.internvl_chat_finetune"]
)
def test_a_launch_names_its_trainer_as_the_launcher_does(entry: str) -> None:
    """A module that is started by its path is a path to bash."""
    file = SourceFile("run.sh", f"torchrun {entry} --per_device_train_batch_size 4\n".encode())
    (launcher,) = resolve(Settings(), [file]).launchers
    (launch,) = launcher.launches
    assert (launch.entry_point, launch.framework) == (entry.removeprefix("-m "), "internvl")
    assert launch.settings["micro_batch_size"].value == 4

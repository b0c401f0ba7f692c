"""From a recorded call (`torchrun … -m module …`) to the trainer's entry point and its words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

TORCH_BARE = ("--use-env", "--use_env", "--tee-all", "--numa-bind")
NO_PYTHON = ("--no-python", "--no_python")
"""What follows is a program, not a Python file."""
NOT_TRAINERS = ("pip", "venv", "json.tool")
BARE = {
    "torchrun": {"--standalone", "--no-python", "--no_python", "--run-path", "--run_path", *TORCH_BARE},
    "accelerate": {
        "--multi_gpu",
        "--multi-gpu",
        "--use_fsdp",
        "--use_deepspeed",
        "--same_network",
        "--debug",
        "--quiet",
        *NO_PYTHON,
    },
    "coverage": {"--branch", "-p", "--parallel-mode", "-a", "--append", "-L", "--pylib", "--timid"},
    "deepspeed": {"--no_local_rank", "--no_python", "--no_ssh", "--force_multi"},
}
"""Options of each launcher program that take no value; `-m` and `--module` precede the entry point in all of them."""

COMMANDS = {
    "swift": ("sft", "pt", "rlhf"),
    "megatron": ("sft", "pt", "rlhf"),
    "llamafactory-cli": ("train",),
    "xtuner": ("train",),
}
"""Trainers that are commands, and which of their subcommands train."""

MODULES = {
    "torch.distributed.run": "torchrun",
    "torch.distributed.launch": "torchrun",
    "torch.distributed.elastic": "torchrun",
    "accelerate.commands.launch": "accelerate",
    "deepspeed.launcher.runner": "deepspeed",
    "deepspeed": "deepspeed",
    "coverage": "coverage",
}
"""What `python -m` starts as the program of this name."""


@dataclass(frozen=True, slots=True)
class RecordedLaunch:
    """One call of a trainer as bash made it.

    env       its whole environment, but for what every bash sets (`_`, SHLVL, PWD, OLDPWD)
    ambient   the names in it that still have the value the machine gave them
    """

    entry_point: str
    argv: tuple[str, ...]
    env: Mapping[str, str]
    ambient: frozenset[str]


def split(program: str, words: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    """The entry point of a call of PROGRAM and the words after it; None where it names none."""
    rest = list(words)
    if program == "automodel":
        return program, tuple(rest)
    if program in COMMANDS:
        return (f"{program} {rest[0]}", tuple(rest[1:])) if rest and rest[0] in COMMANDS[program] else None
    if program.startswith(("python", "pypy")):
        while rest and rest[0].startswith("-") and rest[0] != "-m":
            del rest[: 2 if rest[0] in ("-W", "-X") else 1]
        if rest[:1] != ["-m"]:
            return (rest[0], tuple(rest[1:])) if rest else None
        del rest[0]
        if rest and rest[0] in NOT_TRAINERS:
            return None
        if not rest or rest[0] not in MODULES:
            return (rest[0], tuple(rest[1:])) if rest else None
        program = MODULES[rest.pop(0)]
        if program == "accelerate":
            rest = ["launch", *rest]
    if program.startswith("coverage"):
        program = "coverage"
        if rest[:1] != ["run"]:
            return None
        del rest[0]
    if program == "deepspeed.py":
        program = "deepspeed"
    if program == "accelerate":
        if rest[:1] != ["launch"]:
            return None
        del rest[0]
    inner = False
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        inner = inner or option in NO_PYTHON
        if "=" not in option and option not in BARE[program] and option not in ("-m", "--module"):
            del rest[:1]
    if inner and rest:
        return split(rest[0].rpartition("/")[2], rest[1:])
    return (rest[0], tuple(rest[1:])) if rest else None

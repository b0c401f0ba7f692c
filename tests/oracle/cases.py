"""Every fixture launcher, and the worlds in which bash runs it.

A launcher runs as shipped unless it is listed here. A world is what may differ without recipelint being told: what a
user must give, which files are there, which trainers fail. The launches of all worlds together are the truth.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from .machine import MACHINES
from .record import RecordedLaunch
from .sandbox import launches

FIXTURES = Path(__file__).parent.parent / "fixtures"
ENTRY_POINTS = ("molt.cli.train_sft", "molt.cli.train_rl_ray")


@dataclass(frozen=True, eq=False)
class World:
    """See `launches`; a value with `{job}` in it differs between the machines, so nothing can know it."""

    env: Mapping[str, str] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    statuses: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Case:
    """A launcher of a tree of fixtures, with the environment and arguments that recipelint is told (--env, --arg)."""

    tree: str
    launcher: str
    worlds: tuple[World, ...] = (World(),)
    env: Mapping[str, str] = field(default_factory=dict)
    args: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        told = " ".join([*(f"{name}={value}" for name, value in self.env.items()), *self.args])
        return f"{self.tree}/{self.launcher}" + (f" ({told})" if told else "")


Pair = tuple[RecordedLaunch, RecordedLaunch]


@functools.cache
def truth(case: Case, tree: Path | None = None) -> tuple[Pair, ...]:
    """The trainer calls that bash makes, each as the one machine and the other has it; equal ones once.

    TREE stands in for the fixtures, as after a fix. A case is run once a tree, however often it is asked for.
    """

    def one(world: World, number: int) -> list[RecordedLaunch]:
        found = launches(
            tree or FIXTURES / case.tree,
            case.launcher,
            env={**world.env, **case.env},
            args=case.args,
            machine=MACHINES[number],
            files=world.files,
            statuses=world.statuses,
        )
        return sorted((x for x in found if x.entry_point in ENTRY_POINTS), key=lambda launch: launch.argv)

    with ThreadPoolExecutor(4) as pool:
        runs = [[pool.submit(one, world, number) for number in (0, 1)] for world in case.worlds]
        pairs = [pair for here, there in runs for pair in zip(here.result(), there.result(), strict=True)]
    distinct = {(x.entry_point, x.argv, tuple(sorted(x.env.items()))): (x, y) for x, y in pairs}
    return tuple(distinct.values())


DATA = ("containers/trainer.sqsh", "data/word_problems/train/", "data/charts/train/", "data/charts_tagged/train/")
OMNI = "weights/omni-converted/step_900/config.json"
QUICK = (World({"WEIGHTS": "given/{job}"}, DATA),)
SLURM = (World(files=(*DATA, OMNI)), World(files=(*DATA, OMNI, "vendor/Automodel/")))
DISTILL = tuple(World({"TEACHER": "given/{job}"}, (*world.files, "given/{job}/config.json")) for world in SLURM)

WORLDS = {
    "quick_start/rl_qwen3_4b.sh": QUICK,
    "quick_start/rl_qwen3_6_35b.sh": QUICK,
    "quick_start/sft_qwen3_4b.sh": (World(files=DATA),),
    "quick_start/sft_qwen3_6_35b.sh": QUICK,
    "slurm/rl_distill_omni3_30b.sh": DISTILL,
    "slurm/rl_glm5_2_753b.sh": SLURM,
    "slurm/rl_omni3_30b.sh": SLURM,
    "slurm/rl_qwen3_4b.sh": SLURM,
    "slurm/rl_qwen3_6_35b.sh": SLURM,
    "slurm/sft_omni3_30b.sh": SLURM,
    "slurm/sft_qwen3_4b.sh": SLURM,
    "slurm/sft_qwen3_6_35b.sh": SLURM,
    "pipes.sh": (World(), World(statuses=(0, 1))),
    "rl_plain.sh": (World({"MODEL": "given/{job}"}),),
    "until_status.sh": (World(), World(statuses=(1, 0)), World(files=("state/done",))),
}

MOLT = "examples/scripts"
MORE = (
    Case("molt", f"{MOLT}/docker_run.sh", args=("torchrun", "-m", ENTRY_POINTS[0], "--fsdp.ep_size", "8")),
    Case("molt", f"{MOLT}/slurm/sft_omni3_30b.sh", SLURM, {"GRAD_CHECKPOINT": ""}),
    Case("molt", f"{MOLT}/slurm/sft_omni3_30b.sh", SLURM, {"MOLT_MOE_DISPATCHER": "torch", "KEEP_LAST": "0"}),
    Case("molt", f"{MOLT}/slurm/rl_omni3_30b.sh", SLURM, {"GRAD_CHECKPOINT": ""}),
    Case("molt", f"{MOLT}/slurm/rl_omni3_30b.sh", SLURM, {"HELD_OUT": "some where", "WITH_SOUND": "1"}, ("--use_ms",)),
    Case("molt", f"{MOLT}/slurm/rl_qwen3_6_35b.sh", SLURM, {"TURN_TOKENS": "512", "ESTIMATOR": "gae", "REPLAY": "0"}),
    Case("molt", f"{MOLT}/slurm/rl_qwen3_4b.sh", SLURM, {"EP_SIZE": "4", "PACK": "0"}, ("--use_ms", "a b")),
    Case("shapes", "getopts.sh", args=("-e", "4", "-mnone", "-t", "a tag", "--use_ms")),
    Case(
        "shapes", "while_args.sh", args=("--experts=4", "--no-recompute", "--adam.lr", "1e-6", "--", "--experts", "9")
    ),
    Case("shapes", "while_args.sh", args=("--experts", "16")),
    Case("shapes", "usage_checks.sh", args=("-m", "/models/a b", "--experts=4", "--use_ms", "--", "--adam.lr", "1")),
    Case("shapes", "usage_checks.sh", args=("--experts", "2", "positional")),
    Case("shapes", "forwarded_args.sh", args=("--logger.wandb.group", "two words", "")),
    Case("shapes", "nested_defaults.sh", env={"RANKS": "", "NODES": "3", "FAMILY": "dense", "TITLE": ""}),
    Case("shapes", "case_size.sh", env={"MODEL": "glm-4b"}),
)


@functools.cache
def every_case() -> tuple[Case, ...]:
    """One case for each launcher of the fixtures, and those of MORE."""
    found = []
    for tree in ("molt", "shapes"):
        for path in sorted((FIXTURES / tree).rglob("*.sh")):
            launcher = path.relative_to(FIXTURES / tree).as_posix()
            found.append(Case(tree, launcher, WORLDS.get(launcher.removeprefix(f"{MOLT}/"), (World(),))))
    return (*found, *MORE)

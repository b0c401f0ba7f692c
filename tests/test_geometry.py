"""The geometry of launches: what sbatch reads, what programs and steps are told, and what follows from it."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recipelint.recipe.derived import computed, derived
from recipelint.recipe.directives import directives
from recipelint.recipe.model import Setting
from recipelint.ruleset.condition import condition_from, plain_of
from recipelint.ruleset.load import load
from recipelint.ruleset.match import Verdict, match, render
from recipelint.ruleset.schema import Rule
from recipelint.shell.nodes import Unit
from recipelint.source import SourceFile

MEET = " and one meeting point, and start it once on each node"
GEOMETRY = ("nodes", "processes_per_node", "world_size", "allocated_nodes", "gpus_per_node")


def shown(text: str, tmp_path: Path) -> list[dict[str, dict[str, object]]]:
    """The geometry of each launch of a launcher, as `show` tells programs."""
    (tmp_path / "launch.sh").write_text(text)
    command = [sys.executable, "-m", "recipelint", "show", "--output-format", "json", "launch.sh"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    launches = json.loads(done.stdout)["files"][0]["launches"]
    return [{name: one for name, one in launch["settings"].items() if name in GEOMETRY} for launch in launches]


def values(text: str, tmp_path: Path) -> list[dict[str, object]]:
    return [{name: one["value"] for name, one in launch.items()} for launch in shown(text, tmp_path)]


@pytest.mark.parametrize(
    ("text", "message", "cure", "labels"),
    [
        (
            "#SBATCH --nodes=4\nsrun accelerate launch --num_machines 2 --num_processes 16 train.py\n",
            "srun starts accelerate 4 times, and it takes 2 nodes: 2 of them wait in vain",
            "let srun start it as often as --num_machines says",
            ["2 nodes", "4 nodes", "train.py is launched here"],
        ),
        (
            "#SBATCH --nodes=3 --ntasks-per-node=1\nsrun torchrun --nnodes=2 --rdzv_endpoint=h:1 train.py\n",
            "srun starts torchrun 3 times, and it takes 2 nodes: 1 of them waits in vain",
            "let srun start it as often as --nnodes says",
            ["2 nodes", "3 nodes", "1 task on each node", "train.py is launched here"],
        ),
        (
            "#SBATCH --nodes=2\nsrun torchrun --nproc_per_node=1 train.py\n",
            "srun starts torchrun twice on 2 nodes, each a run of its own, with a single node",
            f"give it the number of nodes (--nnodes=$SLURM_JOB_NUM_NODES){MEET}",
            ["torchrun is started here", "2 nodes", "train.py is launched here"],
        ),
        (
            "#SBATCH --nodes=2\nsrun accelerate launch --num-machines=1 train.py\n",
            "srun starts accelerate twice on 2 nodes, each a run of its own, with a single node",
            f"give it the number of nodes (--num-machines $SLURM_JOB_NUM_NODES){MEET}",
            ["1 node", "2 nodes", "train.py is launched here"],
        ),
    ],
)
def test_a_finding_speaks_of_what_is_there(
    text: str, message: str, cure: str, labels: list[str], tmp_path: Path
) -> None:
    """The option that the program was given, and each number with what it counts."""
    (tmp_path / "launch.sh").write_text(f"#!/bin/bash\n{text}")
    command = [sys.executable, "-m", "recipelint", "--select", "LCH001", "--output-format", "json", "launch.sh"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    (found,) = json.loads(done.stdout)["diagnostics"]
    assert (found["message"], found["help"]) == (message, cure)
    assert [found["label"], *(one["label"] for one in found["related"])] == labels


# --- what sbatch reads -----------------------------------------------------------------------------


def read(text: str) -> list[list[str]]:
    unit = Unit.of(SourceFile("job.sh", text.encode()))
    return [[word.s for word in line] for line in directives(unit, "#SBATCH")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "#!/bin/bash\n#SBATCH -N 4 --gres=gpu:8\n\n  # a remark\n#SBATCH\t--nodes=2\n",
            [["-N", "4", "--gres=gpu:8"], ["--nodes=2"]],
        ),
        ("#SBATCH --nodes=4 # --nodes=8\n", [["--nodes=4"]]),
        ("#SBATCH --nodes=4#8\n", [["--nodes=4"]]),
        ("##SBATCH -N4\n# SBATCH -N4\n #SBATCH -N4\n", []),
        ("#SBATCH -N4\necho\n#SBATCH -N8\n", [["-N4"]]),
        ("\n\n#SBATCH -N4\n: \\\n#SBATCH -N8\n", [["-N4"]]),
        (
            "#SBATCH --job-name='a b' --comment=\"c # d\" --x=e\\ f\\#g\n",
            [["--job-name=a b", "--comment=c # d", "--x=e f#g"]],
        ),
        ("#SBATCH --comment='' -N4", [["--comment=", "-N4"]]),
        ("#SBATCH -N4\r\n#SBATCH -n8\r\n", [["-N4"], ["-n8"]]),
    ],
)
def test_the_head_of_a_script_is_read_as_sbatch_reads_it(text: str, found: list[list[str]]) -> None:
    assert read(text) == found


@given(st.text(alphabet="ab=-:4 \t'\"#", max_size=24))
def test_words_of_a_directive_are_split_like_a_shell_does(text: str) -> None:
    """shlex knows the same quotes and comments; without a backslash the two are equal."""
    try:
        wanted = shlex.split(text, comments=True)
    except ValueError:
        return  # an unmatched quote, for which sbatch stops
    assert [word for line in read(f"#SBATCH {text}\n") for word in line if word] == [word for word in wanted if word]


def test_the_place_of_a_directive_is_exact(tmp_path: Path) -> None:
    found = shown("#!/bin/bash\n#SBATCH -N 12 --gres=lscratch:5,gpu:h100:8\npython x.py\n", tmp_path)[0]
    assert (found["allocated_nodes"]["start"], found["allocated_nodes"]["end"]) == (
        {"line": 2, "column": 12},
        {"line": 2, "column": 14},
    )
    assert found["gpus_per_node"]["value"] == 8
    assert found["gpus_per_node"]["start"] == {"line": 2, "column": 42}


# --- programs and steps ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("torchrun --nnodes=2 --nproc-per-node 4 t.py", {"nodes": 2, "processes_per_node": 4, "world_size": 8}),
        ("torchrun --nproc_per_node=4 t.py", {"nodes": 1, "processes_per_node": 4, "world_size": 4}),
        ("torchrun --nnodes=3:3 --nproc 4 t.py", {"nodes": 3, "processes_per_node": 4, "world_size": 12}),
        ("torchrun --nnodes=1:4 --nproc_per_node=4 t.py", {"nodes": None, "processes_per_node": 4, "world_size": None}),
        ("torchrun --standalone t.py", {"nodes": 1, "processes_per_node": 1, "world_size": 1}),
        ("torchrun t.py", {"nodes": None, "processes_per_node": None, "world_size": None}),
        ("torchrun --nproc_per_node=gpu t.py", {"nodes": 1, "processes_per_node": None, "world_size": None}),
        ("PET_NNODES=2 torchrun --nproc_per_node=4 t.py", {"nodes": 2, "processes_per_node": 4, "world_size": 8}),
        (
            "python -m torch.distributed.run --nnodes 2 --nproc_per_node 4 t.py",
            {"nodes": 2, "processes_per_node": 4, "world_size": 8},
        ),
        (
            "python -m torch.distributed.launch --nproc_per_node=2 t.py",
            {"nodes": 1, "processes_per_node": 2, "world_size": 2},
        ),
        (
            "torchrun --nnodes=2 --nproc_per_node=4 --nnodes=3 t.py",
            {"nodes": 3, "processes_per_node": 4, "world_size": 12},
        ),
        (
            "torchrun --nproc_per_node=4 --no-python bash -c 'python t.py'",
            {"nodes": 1, "processes_per_node": 4, "world_size": 4},
        ),
        (
            "accelerate launch --num_machines 2 --num_processes 16 t.py",
            {"nodes": 2, "processes_per_node": 8, "world_size": 16},
        ),
        ("accelerate launch t.py", {}),
        ("deepspeed --num_nodes 2 --num_gpus=8 t.py", {"nodes": 2, "processes_per_node": 8, "world_size": 16}),
        ("deepspeed --include localhost:0,2,5 t.py", {"nodes": 1, "processes_per_node": 3, "world_size": 3}),
        ("deepspeed --include node0:0,1@node1:0,1 t.py", {}),
        ("deepspeed t.py", {}),
        ("srun -N 2 --ntasks-per-node=8 python t.py", {"nodes": 2, "processes_per_node": 8, "world_size": 16}),
        ("srun -n16 -N2 python t.py", {"nodes": 2, "processes_per_node": 8, "world_size": 16}),
        ("srun -n16 python t.py", {"world_size": 16}),
        ("srun python t.py", {}),
        ("mpirun -np 16 -npernode 8 python t.py", {"processes_per_node": 8, "world_size": 16}),
        ("python t.py", {}),
    ],
)
def test_what_a_command_starts(command: str, found: dict[str, object], tmp_path: Path) -> None:
    assert values(f"{command}\n", tmp_path) == [found]


@pytest.mark.parametrize(
    ("head", "launch", "found"),
    [
        ("#SBATCH -N 4 --ntasks-per-node=8", "srun python t.py", (4, 8, 32)),
        ("#SBATCH -N 4 --ntasks-per-node=8", "srun -N1 python t.py", (1, 8, 8)),
        ("#SBATCH -N 4", "srun -n 2 python t.py", (2, 1, 2)),
        ("#SBATCH -N 4", "srun python t.py", (4, 1, 4)),
        ("#SBATCH --nodes=4", "srun torchrun --nnodes=$SLURM_NNODES --nproc_per_node=8 t.py", (4, 8, 32)),
        ("#SBATCH --nodes=4", "srun -N2 torchrun --nnodes=$SLURM_NNODES --nproc_per_node=8 t.py", (None, 8, None)),
        ("#SBATCH --nodes=2-4", "srun torchrun --nnodes=$SLURM_NNODES --nproc_per_node=8 t.py", (None, 8, None)),
        (
            "#SBATCH -N 2 --gpus-per-node=4",
            "srun torchrun --nnodes=2 --nproc_per_node=$SLURM_GPUS_ON_NODE t.py",
            (2, 4, 8),
        ),
        (
            "#SBATCH -N 2 --gres=gpu:4 --exclusive",
            "srun torchrun --nnodes=2 --nproc_per_node=$SLURM_GPUS_ON_NODE t.py",
            (2, None, None),
        ),
    ],
)
def test_what_a_step_of_a_job_starts(head: str, launch: str, found: tuple[object, ...], tmp_path: Path) -> None:
    one = values(f"#!/bin/bash\n{head}\n{launch}\n", tmp_path)[0]
    assert (one["nodes"], one["processes_per_node"], one["world_size"]) == found


def test_a_word_that_the_scheduler_fills_stays_unknown(tmp_path: Path) -> None:
    """The geometry is known; what the trainer's own words are is still the machine's."""
    (tmp_path / "launch.sh").write_text("#!/bin/bash\n#SBATCH -N 4\nsrun python t.py --n $SLURM_NNODES\n")
    command = [sys.executable, "-m", "recipelint", "show", "--output-format", "json", "launch.sh"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    launch = json.loads(done.stdout)["files"][0]["launches"][0]
    assert launch["argv"][1] == {"text": "${SLURM_NNODES}", "unknown": True, "many": True}


def test_turns_of_a_loop_that_start_as_many_are_one_launch(tmp_path: Path) -> None:
    one = "for rank in 0 1; do torchrun --nnodes=2 --node_rank=$rank --nproc_per_node=8 t.py; done\n"
    several = "for n in 1 2; do torchrun --nnodes=$n --nproc_per_node=8 t.py; done\n"
    assert len(values(one, tmp_path)) == 1
    assert [found["nodes"] for found in values(several, tmp_path)] == [1, 2]


# --- what follows ----------------------------------------------------------------------------------


def setting(name: str, value: int | None, *choices: int) -> Setting:
    return Setting(name, value, "unknown" if value is None else "literal", choices=choices)


def test_a_derived_setting_has_its_operands_and_their_choices() -> None:
    vocabulary = load().settings
    found = derived(
        {"nodes": setting("nodes", None, 1, 2), "processes_per_node": setting("processes_per_node", 8)}, vocabulary
    )
    assert (found["world_size"].value, found["world_size"].choices) == (None, (8, 16))
    assert [one.name for one in found["world_size"].operands] == ["nodes", "processes_per_node"]
    assert "data_parallel_size" not in found  # a trainer that spells no parallelism has none that is known
    unknown = derived(
        {"nodes": setting("nodes", None), "processes_per_node": setting("processes_per_node", 8)}, vocabulary
    )
    assert (unknown["world_size"].value, unknown["world_size"].source) == (None, "unknown")


def test_a_quotient_that_is_not_whole_is_unknown() -> None:
    assert computed("q", "quotient", [setting("a", 8), setting("b", 3)]).value is None
    assert computed("q", "quotient", [setting("a", 8), setting("b", 0)]).value is None
    assert computed("q", "quotient", [setting("a", 24), setting("b", 3), setting("c", 2)]).value == 4


SIZE = st.integers(min_value=1, max_value=64)


@given(SIZE, SIZE, SIZE, SIZE)
def test_divisibility_is_pythons(world: int, tensor: int, context: int, stages: int) -> None:
    settings = {
        name: setting(name, value)
        for name, value in (
            ("world_size", world),
            ("tensor_parallel_size", tensor),
            ("context_parallel_size", context),
            ("pipeline_parallel_size", stages),
        )
    }
    holds = match(load().rules["PAR001"], settings) is Verdict.YES
    assert holds == (world % (tensor * context * stages) != 0)
    product = tensor * context * stages
    assert render("{tensor_parallel_size*context_parallel_size*pipeline_parallel_size}", settings) == str(product)
    quotient = {"world_size": {"equals": {"quotient": ["world_size", "tensor_parallel_size"]}}}
    assert plain_of(condition_from(quotient)) == quotient
    rule: Rule = load().rules["PAR001"]._replace(when=condition_from(quotient), variants=())
    assert (match(rule, settings) is Verdict.YES) == (tensor == 1)


def test_the_sum_of_a_derived_setting_is_shown() -> None:
    settings = {"nodes": setting("nodes", 4), "processes_per_node": setting("processes_per_node", 8)}
    for size in ("tensor", "context", "pipeline"):
        settings[f"{size}_parallel_size"] = setting(f"{size}_parallel_size", 2)
    settings |= derived(settings, load().settings)
    assert render("{world_size_arithmetic}", settings) == "4 nodes × 8 = 32"
    assert render("{nodes:node}, {processes_per_node:process}", settings) == "4 nodes, 8 processes"
    one = {"nodes": settings["nodes"]._replace(value=1)}
    assert render("{nodes:node}, {world_size:process}", one) == "1 node, unknown processes"
    assert render("{data_parallel_size_arithmetic}", settings) == "32 / (2 · 2 · 2) = 4"
    assert render("{nodes/processes_per_node}", settings) == "unknown"


# --- fixes -----------------------------------------------------------------------------------------

RULE = """\
code: TEAM001
name: wide-matrices
family: team
status: stable
since: 0.1.0
severity: error
summary: Matrices that are split over more ranks than a node has
when:
  tensor_parallel_size: {greater_than: {setting: processes_per_node}}
message: "tensor {tensor_parallel_size} over {processes_per_node}, {world_size_arithmetic}"
help: set it to 4
labels: {tensor_parallel_size: too many}
fix:
  title: set tensor_parallel_size to 4
  applicability: safe
  set: {tensor_parallel_size: 4}
  comment: |
    No more than a node has.
why: It is slow.
examples:
  bad:
    - line: 1
      code: |
        torchrun --nproc_per_node=4 -m molt.cli.train_sft --fsdp.tp_size 8
      after: |
        @comment
        torchrun --nproc_per_node=4 -m molt.cli.train_sft --fsdp.tp_size 4
  good:
    - code: |
        torchrun --nproc_per_node=4 -m molt.cli.train_sft --fsdp.tp_size 4
"""


def fixed(text: str, tmp_path: Path) -> tuple[str, str]:
    """A launcher after --fix with RULE, and what was said."""
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "TEAM001-wide-matrices.yaml").write_text(RULE)
    (tmp_path / "launch.sh").write_text(text)
    command = [sys.executable, "-m", "recipelint", "--rules", "rules", "--select", "TEAM001", "--fix", "launch.sh"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    return (tmp_path / "launch.sh").read_text(), done.stdout + done.stderr


def test_what_follows_from_a_fixed_setting_may_change(tmp_path: Path) -> None:
    """The data-parallel size is another one after the fix, and no reason to withdraw it."""
    after, _ = fixed("torchrun --nnodes=2 --nproc_per_node=4 -m molt.cli.train_sft --fsdp.tp_size 8\n", tmp_path)
    assert after.endswith("torchrun --nnodes=2 --nproc_per_node=4 -m molt.cli.train_sft --fsdp.tp_size 4\n")


def test_a_fix_that_would_start_other_processes_is_withdrawn(tmp_path: Path) -> None:
    text = "SIZE=8\ntorchrun --nnodes=$SIZE --nproc_per_node=4 -m molt.cli.train_sft --fsdp.tp_size $SIZE\n"
    after, said = fixed(text, tmp_path)
    assert after == text
    assert "would start other processes" in said


def job(directive: str, processes: str, tmp_path: Path) -> dict[str, object]:
    """The geometry of a job's one launch."""
    run = f"srun torchrun --nnodes=2 --nproc_per_node={processes} -m molt.cli.train_sft"
    text = f"#!/bin/bash\n#SBATCH {directive}\n{run}\n"
    (found,) = values(text, tmp_path)
    return found


def test_total_of_gpus_is_no_number_a_node(tmp_path: Path) -> None:
    assert "gpus_per_node" not in job("--nodes=2 --gpus=8", "8", tmp_path)


@pytest.mark.parametrize("directive", ["--nodes=1 --gpus=8", "--nodes=2 --gpus=8", "--nodes=2 --gres=gpu:8"])
def test_variable_that_is_set_for_another_option(directive: str, tmp_path: Path) -> None:
    assert job(directive, "$SLURM_GPUS_PER_NODE", tmp_path)["processes_per_node"] is None


def test_noop_number_a_node(tmp_path: Path) -> None:
    found = job("--nodes=2 --gpus-per-node=8", "$SLURM_GPUS_PER_NODE", tmp_path)
    assert (found["gpus_per_node"], found["processes_per_node"]) == (8, 8)
    assert job("--nodes=1 --gpus=8", "8", tmp_path)["gpus_per_node"] == 8
    assert job("--nodes=2 --gres=gpu:8", "$SLURM_GPUS_ON_NODE", tmp_path)["processes_per_node"] == 8
    assert job("--nodes=2 --gpus-per-n=8", "8", tmp_path)["gpus_per_node"] == 8

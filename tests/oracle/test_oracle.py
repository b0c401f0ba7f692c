"""The judge judged: launchers whose words were worked out by hand, from bash's and the wrappers' manuals."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from . import MACHINES, RecordedLaunch, launches, sandbox
from .cases import FIXTURES, every_case, truth
from .record import split

SFT, RL = "molt.cli.train_sft", "molt.cli.train_rl_ray"


def run(folder: Path, text: str, **how: object) -> list[RecordedLaunch]:
    """The launches of a launcher with this text."""
    (folder / "run.sh").write_text(text)
    return launches(folder, "run.sh", **how)  # type: ignore[arg-type]


def set_by_launcher(launch: RecordedLaunch) -> dict[str, str]:
    return {name: value for name, value in launch.env.items() if name not in launch.ambient}


@pytest.mark.parametrize(
    ("text", "argv", "env"),
    [
        ("torchrun -m t '--a b' $NOTHING ''", ["--a b", ""], {}),
        ("A=1 torchrun --nproc_per_node 8 -m t --x", ["--x"], {"A": "1"}),
        ('export A=1\nsrun -N 2 bash -lc "export B=\\$A; torchrun -m t"', [], {"A": "1", "B": "1"}),
        ("export A=1\nsrun --export=NONE,B=2 torchrun -m t", [], {"B": "2"}),
        ("export A=1\nsrun --export=ALL,B=2 torchrun -m t", [], {"A": "1", "B": "2"}),
        ("export A=1 B=2\ndocker run --rm --gpus all -e A -e C=3 image torchrun -m t", [], {"A": "1", "C": "3"}),
        ("export A=1\nssh -p 22 host 'B=2 torchrun -m t' '\"a  b\"' c", ["a  b", "c"], {"B": "2"}),
        ("export A=1\nsudo B=2 torchrun -m t", [], {"B": "2"}),
        ("export A=1\nsudo -E torchrun -m t", [], {"A": "1"}),
        ("export A=1\nenv -u A B=2 torchrun -m t", [], {"B": "2"}),
        ("export A=1\nenv -i torchrun -m t", [], {}),
        ("mpirun -np 8 -x A=1 -x HOME python3 -u -m t --y", ["--y"], {"A": "1"}),
        ("nohup timeout -k 5 1h nice -n 5 numactl --membind=0 torchrun -m t --z &", ["--z"], {}),
        ("uv run --extra gpu python -m torch.distributed.run --standalone -m t 1", ["1"], {}),
        ("accelerate launch --multi_gpu --num_processes 8 -m t -- 1", ["--", "1"], {}),
        ("sbatch --wrap 'torchrun -m t 1' -N 1", ["1"], {}),
        ("bash <<'EOF'\ntorchrun -m t $((1 + 1))\nEOF", ["2"], {}),
        ("printf -v q ' %q' --a '' 'b c'\nbash -c \"torchrun -m t$q\"", ["--a", "", "b c"], {}),
        ("printf -v q ' %q' --a '' 'b c'\nsrun bash -c \"bash -c 'torchrun -m t$q'\"", ["--a", "b c"], {}),
        ("export A=1\nray start --head\nexport A=2 B=2\nray job submit -- torchrun -m t 'x y'", ["x y"], {"A": "1"}),
        (
            'ray start --head\nray job submit --runtime-env-json=\'{"env_vars": {"A": "1"}}\' -- torchrun -m t',
            [],
            {"A": "1"},
        ),
        ("cd /nowhere && /opt/bin/torchrun -m t 1", ["1"], {}),
    ],
)
def test_one_launch(tmp_path: Path, text: str, argv: list[str], env: dict[str, str]) -> None:
    (launch,) = run(tmp_path, text)
    assert (launch.entry_point, list(launch.argv), set_by_launcher(launch)) == ("t", argv, env)


def test_what_is_no_launch(tmp_path: Path) -> None:
    assert run(tmp_path, "python -c 'print(1)'\npython - <<'EOF'\n1\nEOF\ntorchrun --help\necho torchrun -m t") == []


def test_background_head_comes_first(tmp_path: Path) -> None:
    text = "srun bash -c 'export A=1; ray start --head --block' &\nray job submit -- python3 -m t"
    (launch,) = run(tmp_path, text)
    assert launch.env["A"] == "1"


def test_statuses_files_and_arguments(tmp_path: Path) -> None:
    text = 'until torchrun -m t "$1" "$A"; do :; done\n[ -f data/x ] && [ -d more ] && torchrun -m u'
    found = run(tmp_path, text, statuses=[1, 1], files=["data/x", "more/"], args=["{user}"], env={"A": "{job}"})
    assert [launch.entry_point for launch in found] == ["t", "t", "t", "u"]
    assert found[0].argv == (MACHINES[0].user, str(MACHINES[0].job))


def test_machines_differ_in_all_that_is_theirs(tmp_path: Path) -> None:
    text = (
        'torchrun -m t "$PWD" "$HOSTNAME" "$(hostname)" "$(date +%s)" "$SLURM_JOB_ID" "$USER"'
        ' "$(nvidia-smi -L | wc -l)" "$(scontrol show hostnames "$SLURM_JOB_NODELIST" | tail -n 1)"'
        ' "$(nproc)" "$(hostname -I)" "$$" same'
    )
    here, there = (run(tmp_path, text, machine=machine)[0].argv for machine in MACHINES)
    assert [a == b for a, b in zip(here, there, strict=True)] == [False] * 11 + [True]


def test_leaves_the_tree_alone(tmp_path: Path) -> None:
    run(tmp_path, "mkdir -p made; echo x > written; rm -f run.sh; touch ../outside")
    assert [path.name for path in tmp_path.iterdir()] == ["run.sh"]


def test_a_launcher_that_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "LIMIT_S", 0.3)
    with pytest.raises(AssertionError, match="did not end"):
        run(tmp_path, "while :; do :; done")


def test_entry_points() -> None:
    assert split("python3", ["-W", "ignore", "train.py", "x"]) == ("train.py", ("x",))
    assert split("torchrun", ["--nnodes", "2", "--rdzv-id=1", "train.py"]) == ("train.py", ())
    assert split("deepspeed", ["--num_gpus", "8", "--module", "t", "x"]) == ("t", ("x",))
    assert split("accelerate", ["config"]) is None


def test_a_slurm_recipe_word_for_word() -> None:
    """The whole of one fixture."""
    (case,) = (case for case in every_case() if case.launcher.endswith("slurm/sft_omni3_30b.sh") and not case.env)
    plain, vendored = (here for here, _ in truth(case))
    root = f"/box/{MACHINES[0].checkout}"
    assert plain.entry_point == SFT
    assert list(plain.argv) == [
        *("--model.model_name_or_path", f"{root}/weights/omni-converted/step_900"),
        *("--data.dataset", f"{root}/data/charts/train"),
        *("--data.input_key", "question"),
        *("--data.output_key", "answer"),
        *("--data.image_key", "pictures"),
        *("--data.max_len", "40960"),
        *("--eval.dataset", f"{root}/data/charts/held_out"),
        *("--train.batch_size", "16"),
        *("--train.micro_batch_size", "1"),
        *("--fsdp.param_dtype", "bf16"),
        *("--fsdp.attn_implementation", "te"),
        *("--fsdp.tp_size", "1"),
        *("--fsdp.ep_size", "8"),
        *("--fsdp.cp_size", "8"),
        *("--adam.lr", "6e-6"),
        *("--ckpt.path", f"{root}/runs/sft-omni/51001/state"),
        *("--ckpt.output_dir", f"{root}/runs/sft-omni/51001/hf"),
        *("--logger.wandb.run_name", "sft_omni_51001"),
        *("--model.gradient_checkpoint", "full"),
    ]
    environment = {
        "HF_HOME": "/root/.cache/huggingface",
        "TOKENIZERS_PARALLELISM": "false",
        "CUDNN_PATH": "/opt/cudnn",
        "LD_LIBRARY_PATH": "/opt/cudnn/lib:",
        "MOLT_MOE_RESHARD_AFTER_FWD": "1",
        "MOLT_MOE_DISPATCHER": "hybridep",
    }
    assert set_by_launcher(plain) == environment
    assert set_by_launcher(vendored) == {**environment, "PYTHONPATH": f"{root}/vendor/Automodel:"}


@pytest.mark.parametrize(
    ("recipe", "entry_point", "experts", "dispatcher"),
    [
        ("quick_start/sft_qwen3_4b.sh", SFT, "1", None),
        ("quick_start/sft_qwen3_6_35b.sh", SFT, "8", None),
        ("quick_start/rl_qwen3_4b.sh", RL, "1", None),
        ("quick_start/rl_qwen3_6_35b.sh", RL, "4", None),
        ("slurm/sft_qwen3_4b.sh", SFT, "1", None),
        ("slurm/sft_qwen3_6_35b.sh", SFT, "8", None),
        ("slurm/sft_omni3_30b.sh", SFT, "8", "hybridep"),
        ("slurm/rl_qwen3_4b.sh", RL, "1", None),
        ("slurm/rl_qwen3_6_35b.sh", RL, "8", "hybridep"),
        ("slurm/rl_omni3_30b.sh", RL, "8", "deepep"),
        ("slurm/rl_distill_omni3_30b.sh", RL, "8", "hybridep"),
        ("slurm/rl_glm5_2_753b.sh", RL, "128", "torch"),
    ],
)
def test_what_decides_the_crash(recipe: str, entry_point: str, experts: str, dispatcher: str | None) -> None:
    """The three settings of each recipe: seven of the twelve are wrong."""
    cases = [case for case in every_case() if case.launcher.endswith(recipe) and not case.env]
    for launch, _ in truth(cases[0]):
        words = list(launch.argv)
        mode = words[next(at for at, word in enumerate(words) if word.endswith(".gradient_checkpoint")) + 1]
        assert (launch.entry_point, words[words.index("--fsdp.ep_size") + 1], mode) == (entry_point, experts, "full")
        assert launch.env.get("MOLT_MOE_DISPATCHER") == dispatcher


def test_empty_value_vanishes_two_levels_deep() -> None:
    """printf %q makes '' of it, which ends the inner quotes; in one level it stays."""
    cases = {case.launcher: case for case in every_case() if case.env.get("GRAD_CHECKPOINT") == ""}
    for launcher, case in cases.items():
        for launch, _ in truth(case):
            flag = next(at for at, word in enumerate(launch.argv) if word.endswith(".gradient_checkpoint"))
            follows = launch.argv[flag + 1 : flag + 2]
            assert follows == (("--algo.kl.use_loss",) if "rl_" in launcher else ("",))


@pytest.mark.parametrize("path", sorted(FIXTURES.rglob("*.sh")), ids=lambda path: path.relative_to(FIXTURES).as_posix())
def test_bash_accepts_the_fixtures(path: Path) -> None:
    assert subprocess.run(["bash", "-n", str(path)], capture_output=True, check=False).returncode == 0

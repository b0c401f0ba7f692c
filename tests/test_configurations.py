"""Trainers whose settings come from files of YAML and from words on top: what is read, where, and what is unknown."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from recipelint.cli.commands import app

MOE = """\
recipe: TrainFinetuneRecipeForNextTokenPrediction
model:
  pretrained_model_name_or_path: acme/moe-30b
  backend: {experts: gmm, dispatcher: hybridep}
distributed:
  ep_size: 8
  activation_checkpointing: true
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def invoke(*words: str) -> Result:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code in (0, 1), done.output
    return done


def write(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_yaml", ".yaml").replace("_py", ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def settings(root: Path, command: str) -> dict[str, Any]:
    (root / "run.sh").write_text(f"#!/bin/bash\n{command}\n")
    shown = json.loads(invoke("show", "--output-format", "json", "run.sh").stdout)
    (launch,) = shown["files"][0]["launches"]
    found: dict[str, Any] = launch["settings"]
    return found


def found(*options: str) -> list[str]:
    given = json.loads(invoke("check", "--output-format", "json", *options, "run.sh").stdout)
    return [f"{d['path']}:{d['start']['line']}:{d['start']['column']} {d['code']}" for d in given["diagnostics"]]


# --- AutoModel -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "value", "path"),
    [
        ("automodel moe.yaml", 8, "moe.yaml"),
        ("automodel --nproc-per-node 8 moe.yaml", 8, "moe.yaml"),
        ("automodel finetune llm -c moe.yaml", 8, "moe.yaml"),
        ("torchrun --nproc-per-node=8 -m nemo_automodel.cli.app ./moe.yaml --nproc_per_node=2", 8, "moe.yaml"),
        ("torchrun -m nemo_automodel.recipes.llm.train_ft --config moe.yaml --distributed.ep_size 4", 4, "run.sh"),
        ("torchrun -m nemo_automodel.recipes.llm.train_ft -c moe.yaml --distributed.ep_size=4", 4, "run.sh"),
        ("automodel moe.yaml --distributed.ep_size 4 --distributed.ep_size 2", 2, "run.sh"),
    ],
)
def test_automodel_takes_a_file_and_dotted_words(root: Path, words: str, value: int, path: str) -> None:
    write(root, moe_yaml=MOE)
    size = settings(root, words)["expert_parallel_size"]
    assert (size["value"], size["source"], size["path"]) == (value, "literal", path)


def test_a_setting_stands_where_its_file_has_it(root: Path) -> None:
    write(root, moe_yaml=MOE)
    read = settings(root, "automodel moe.yaml")
    assert read["activation_checkpointing"]["value"] == "full"
    assert read["activation_checkpointing"]["start"] == {"line": 7, "column": 29}
    assert read["moe_dispatcher"]["start"] == {"line": 4, "column": 39}
    assert found() == ["moe.yaml:7:29 EP001"]
    said = invoke("check", "run.sh").stdout
    assert "not fixed: set distributed.activation_checkpointing" in said
    assert "model.backend.dispatcher=torch" in said
    assert "MOLT" not in said


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ep_size: 8", "ep_size: 1"),
        ("activation_checkpointing: true", "activation_checkpointing: off"),
        ("hybridep", "torch"),
        ("{experts", "{fake_balanced_gate: true, experts"),
    ],
)
def test_what_is_right_is_right(root: Path, old: str, new: str) -> None:
    write(root, moe_yaml=MOE.replace(old, new))
    (root / "run.sh").write_text("automodel moe.yaml\n")
    assert found() == []


@pytest.mark.parametrize(
    "words",
    [
        "automodel missing.yaml",
        "automodel /elsewhere/moe.yaml",
        "automodel ../moe.yaml",
        "automodel $HOME/moe.yaml",
        "automodel --config=moe.yaml",
        "docker run image automodel moe.yaml",
        "sed -i s/8/4/ moe.yaml; automodel moe.yaml",
        "automodel moe.yaml --distributed.ep_size $HOME",
        "automodel link.yaml",
        "automodel pipe.yaml",
        "automodel folder.yaml",
        "automodel text.yaml",
        "automodel bytes.yaml",
    ],
)
def test_what_cannot_be_read_is_unknown(root: Path, words: str) -> None:
    outside = root.parent / f"{root.name}-outside.yaml"
    outside.write_text(MOE)
    write(root, moe_yaml=MOE, text_yaml="just a text\n")
    (root / "link.yaml").symlink_to(outside)
    os.mkfifo(root / "pipe.yaml")
    (root / "folder.yaml").mkdir()
    (root / "bytes.yaml").write_bytes(MOE.encode() + b"x: \xff\n")
    assert settings(root, words)["expert_parallel_size"]["source"] == "unknown"
    assert found() == []


HOSTILE = {
    "bomb": "a: &a [1, 1]\n"
    + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(20))
    + MOE,
    "deep": "x: " + "[" * 5000 + "]" * 5000 + "\n" + MOE,
    "merged": "a: &a {b: 1}\nc: {<<: *a, <<: [*a, *a]}\n" + MOE,
    "itself": "a: &a [*a]\n" + MOE,
    "tagged": "a: !!python/object/apply:os.system [reboot]\n" + MOE,
    "huge": MOE + "# " + "x" * (1 << 20) + "\n",
    "several": MOE + "---\n" + MOE,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_does_no_harm(root: Path, name: str) -> None:
    write(root, moe_yaml=HOSTILE[name])
    size = settings(root, "automodel moe.yaml")["expert_parallel_size"]
    readable = name in ("bomb", "merged", "tagged")
    assert (size.get("value"), size["source"]) == ((8, "literal") if readable else (None, "unknown"))


# --- NeMo-RL ---------------------------------------------------------------------------------------

BASE = """\
policy:
  model_name: acme/moe-30b
  train_micro_batch_size: 1
  megatron_cfg: {enabled: false, expert_model_parallel_size: 2, moe_token_dispatcher_type: alltoall}
  dtensor_cfg: {enabled: true, _v2: true, expert_parallel_size: 1, activation_checkpointing: false}
  max_total_sequence_length: ${data.length}
data: {length: 4096}
"""
RECIPE = """\
defaults: ../base.yaml
policy:
  dtensor_cfg:
    expert_parallel_size: 8
    activation_checkpointing: true
    automodel_kwargs: {backend: {enable_deepep: true}}
"""


@pytest.fixture
def nemo(root: Path) -> Path:
    write(root, nemo_rl__utils__config_py="", examples__run_sft_py="", examples__configs__base_yaml=BASE)
    write(root, examples__configs__sft_yaml=BASE, examples__configs__recipes__moe_yaml=RECIPE)
    return root


RUN = "uv run examples/run_sft.py"
MOE_RUN = f"{RUN} --config examples/configs/recipes/moe.yaml"


@pytest.mark.parametrize(
    ("words", "value", "backend", "source"),
    [
        (RUN, 1, "automodel", "trainer-default"),
        (MOE_RUN, 8, "automodel", "literal"),
        (f"{MOE_RUN} policy.dtensor_cfg.expert_parallel_size=4", 4, "automodel", "literal"),
        (f"{MOE_RUN} policy.megatron_cfg.enabled=true policy.dtensor_cfg.enabled=false", 2, "megatron", "literal"),
        (f"{MOE_RUN} ~policy.dtensor_cfg.expert_parallel_size", 1, "automodel", "trainer-default"),
        (f"{MOE_RUN} ++policy.dtensor_cfg='{{expert_parallel_size: 16}}'", 16, "automodel", "literal"),
        (f"{MOE_RUN} $UNSET", 8, "automodel", "literal"),
    ],
)
def test_nemo_rl_reads_a_chain_of_files(nemo: Path, words: str, value: int, backend: str, source: str) -> None:
    read = settings(nemo, words)
    assert (read["expert_parallel_size"]["value"], read["expert_parallel_size"]["source"]) == (value, source)
    assert read["training_backend"]["value"] == backend
    assert read["max_seq_len"]["value"] == 4096


def test_only_the_backend_that_is_known_to_fail_is_accused(nemo: Path) -> None:
    (nemo / "run.sh").write_text(MOE_RUN + "\n")
    assert found() == ["examples/configs/recipes/moe.yaml:5:31 EP001"]
    (nemo / "run.sh").write_text(
        f"{MOE_RUN} policy.megatron_cfg.enabled=true policy.dtensor_cfg.enabled=false "
        "++policy.megatron_cfg.activation_checkpointing=true ++policy.megatron_cfg.moe_enable_deepep=true\n"
    )
    assert found() == []


def test_a_launcher_may_make_the_path_of_its_own_name(nemo: Path) -> None:
    folder = nemo / "tests/suites"
    folder.mkdir(parents=True)
    (folder / "moe.sh").write_text(
        'HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)\n'
        "CONFIG=$(echo $HERE/$(basename $0 .sh).yaml | sed 's#tests/suites#examples/configs/recipes#')\n"
        "uv run examples/run_sft.py --config $CONFIG\n"
    )
    shown = json.loads(invoke("show", "--output-format", "json", "tests/suites/moe.sh").stdout)
    size = shown["files"][0]["launches"][0]["settings"]["expert_parallel_size"]
    assert (size["value"], size["path"]) == (8, "examples/configs/recipes/moe.yaml")


def test_a_path_that_others_have_too_is_known_by_its_tree(nemo: Path) -> None:
    (nemo / "nemo_rl/utils/config.py").unlink()
    (nemo / "run.sh").write_text(MOE_RUN + "\n")
    shown = json.loads(invoke("show", "--output-format", "json", "run.sh").stdout)
    assert shown["files"][0]["launches"][0]["framework"] is None


@pytest.mark.parametrize("parent", ["missing.yaml", "/etc/base.yaml", "../../../../base.yaml", "moe.yaml"])
def test_what_an_unread_parent_would_say_is_unknown(nemo: Path, parent: str) -> None:
    write(nemo, examples__configs__recipes__moe_yaml=RECIPE.replace("../base.yaml", parent))
    read = settings(nemo, MOE_RUN)
    assert read["model"]["source"] == "unknown"
    assert read["expert_parallel_size"]["source"] == "unknown"  # which backend is enabled is not known


def test_a_finding_speaks_as_the_trainer_takes_it(root: Path) -> None:
    """The word that sets the dispatcher, and the value that switches checkpointing off."""
    write(root, moe_yaml=MOE)
    (root / "run.sh").write_text("automodel moe.yaml\n")
    (one,) = json.loads(invoke("check", "--output-format", "json", "run.sh").stdout)["diagnostics"]
    assert "; or run with --model.backend.dispatcher=torch, which" in one["help"]
    assert one["note"].startswith("not fixed: set distributed.activation_checkpointing to false, in moe.yaml, by hand")


def test_a_place_that_launchers_share_is_one_finding(root: Path) -> None:
    """About the launches of all of them, whichever file they are in."""
    write(root, moe_yaml=MOE)
    for name, size in (("a.sh", 8), ("b.sh", 4), ("c.sh", 1)):
        (root / name).write_text(f"automodel moe.yaml --distributed.ep_size {size}\n")
    (one,) = json.loads(invoke("check", "--output-format", "json", ".").stdout)["diagnostics"]
    assert (one["path"], one["start"]["line"]) == ("moe.yaml", 7)
    assert [near["path"] for near in one["related"] if near["label"] == "automodel is launched here"] == [
        "a.sh",
        "b.sh",
    ]
    rows = json.loads(invoke("table", "--output-format", "json", "--columns", "verdict", ".").stdout)["rows"]
    assert [row["verdict"]["text"] for row in rows] == ["EP001 error", "EP001 error", "ok"]


WORLD = ("nodes", "processes_per_node", "world_size")


def test_the_world_of_a_policy_is_what_the_cluster_has(root: Path) -> None:
    """NeMo-RL: all of it where nothing generates beside it, or where generation shares its GPUs."""
    cluster = "cluster: {num_nodes: 2, gpus_per_node: 8}\n"
    write(root, nemo_rl__utils__config_py="", examples__run_sft_py="", examples__run_grpo_py="", a_yaml=cluster)
    made = settings(root, "uv run examples/run_sft.py --config a.yaml cluster.num_nodes=3")
    assert [made[name]["value"] for name in WORLD] == [3, 8, 24]
    grpo = "uv run examples/run_grpo.py --config a.yaml ++policy.generation.colocated.enabled="
    assert [settings(root, f"{grpo}true")[name]["value"] for name in WORLD] == [2, 8, 16]
    apart = settings(root, f"{grpo}false")
    assert [apart.get(name, {"value": None})["value"] for name in WORLD] == [None, None, None]


def test_the_world_of_verl_is_what_its_words_ask_of_ray(root: Path) -> None:
    made = settings(root, f"{VERL} trainer.nnodes=2 actor_rollout_ref.actor.ulysses_sequence_parallel_size=4")
    assert [made[name]["value"] for name in WORLD] == [2, 8, 16]
    assert made["data_parallel_size"]["value"] == 4
    made = settings(root, "python3 -m verl.trainer.sft_trainer_ray trainer.n_gpus_per_node=4")
    assert [made[name]["value"] for name in WORLD] == [1, 4, 4]
    made = settings(root, "torchrun --nproc_per_node=2 -m verl.trainer.sft_trainer trainer.n_gpus_per_node=4")
    assert [made[name]["value"] for name in WORLD] == [1, 2, 2]


# --- verl ------------------------------------------------------------------------------------------

VERL = "python3 -m verl.trainer.main_ppo"
MEGATRON = "actor_rollout_ref.actor.megatron"


@pytest.mark.parametrize(
    ("words", "setting", "value", "source"),
    [
        (VERL, "activation_checkpointing", "full", "trainer-default"),
        (VERL, "training_backend", "fsdp", "trainer-default"),
        (f"{VERL} --config-name=ppo_megatron_trainer", "training_backend", "megatron", "trainer-default"),
        (f"{VERL} --config-name ppo_megatron_trainer.yaml", "sequence_parallel", "on", "trainer-default"),
        (f"{VERL} {MEGATRON}.expert_model_parallel_size=8", "expert_parallel_size", 1, "trainer-default"),
        (
            f"{VERL} --config-path=config --config-name=ppo_megatron_trainer {MEGATRON}.expert_model_parallel_size=8",
            "expert_parallel_size", 8, "literal",
        ),
        (f"{VERL} --config-name=own", "activation_checkpointing", None, "unknown"),
        (f"{VERL} --config-path=own", "activation_checkpointing", None, "unknown"),
        (f"{VERL} actor_rollout_ref.rollout.n=1,2", "samples_per_prompt", None, "unknown"),
        (f"{VERL} actor_rollout_ref.rollout.n=4 ++actor_rollout_ref.rollout.n=5", "samples_per_prompt", 5, "literal"),
        (f"{VERL} actor_rollout_ref.rollout.n=${{N:-7}}", "samples_per_prompt", 7, "default"),
        ("torchrun -m verl.trainer.fsdp_sft_trainer data.max_length=9", "max_seq_len", 9, "literal"),
    ],
)  # fmt: skip
def test_verl_takes_words_of_hydra(root: Path, words: str, setting: str, value: Any, source: str) -> None:
    read = settings(root, words)[setting]
    assert (read.get("value"), read["source"]) == (value, source)


def test_files_of_the_tree_outrank_what_is_listed(root: Path) -> None:
    config = "verl__trainer__config__"
    write(root, **{f"{config}ppo_trainer_yaml": "defaults:\n  - actor@actor_rollout_ref.actor: dp\n  - _self_\n"})
    write(root, **{f"{config}actor__dp_yaml": "strategy: fsdp2\nulysses_sequence_parallel_size: 2\n"})
    write(root, **{f"{config}actor__mega_yaml": "strategy: megatron\nmegatron: {tensor_model_parallel_size: 4}\n"})
    read = settings(root, VERL)
    assert read["training_backend"]["value"] == "fsdp2"
    assert read["context_parallel_size"]["value"] == 2
    read = settings(root, f"{VERL} actor@actor_rollout_ref.actor=mega")
    assert read["training_backend"]["value"] == "megatron"
    assert read["tensor_parallel_size"]["value"] == 4


@pytest.mark.parametrize(
    ("command", "loads"), [("torchrun -m molt.cli.train_sft", False), ("automodel moe.yaml", True)]
)
def test_only_a_launch_with_a_configuration_loads_what_reads_it(root: Path, command: str, loads: bool) -> None:
    write(root, moe_yaml=MOE)
    (root / "run.sh").write_text(command + "\n")
    code = "import sys; from recipelint.cli import main; sys.argv = ['recipelint', 'show', 'run.sh']\n"
    code += "try:\n main()\nfinally:\n print([m for m in sys.modules if m.startswith('ruamel')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ("ruamel" in done.stdout.splitlines()[-1]) == loads, done.stdout + done.stderr


FRAMEWORK = """\
name: acme
title: acme
source: https://git.example.org/acme/trainer
argument_style: hydra
configuration: {chain: paths, file: [--config], default: conf/base.yaml}
configurations:
  base: {source: conf/base.yaml, values: {a.b: 1}}
entry_points:
  acme.train:
    settings:
      micro_batch_size: {key: a.b, type: int, source: acme.py}
      packing:
        cases: [{when: {a.c: true}, value: 'on'}, {key: a.d}]
        type: words
        source: acme.py
  acme.resume: {like: acme.train}
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "argument_style: hydra",
            "argument_style: argparse",
            'acme.yaml:4: "configuration" is for the styles hydra and',
        ),
        ("argument_style: hydra", "argument_style: hidra", "acme.yaml:4: argument_style is"),
        ("chain: paths", "chain: path", 'configuration.chain is "path", not one of groups, none, paths'),
        ("[--config]", "[config]", '"config" is no option'),
        ("conf/base.yaml}\n", "/etc/base.yaml}\n", '"/etc/base.yaml" is no path of a YAML file'),
        ("conf/base.yaml}\n", "../base.yaml}\n", '"../base.yaml" is no path of a YAML file'),
        ("conf/base.yaml}\n", "conf/base.yaml, relative_to: home}\n", "not one of folder, root, tree"),
        ("conf/base.yaml}\n", "conf/base.yaml, first_word: false}\n", "first_word is true or left out"),
        ("conf/base.yaml}\n", "conf/base.yaml, braces: both}\n", "not one of environment, keys"),
        ("conf/base.yaml}\n", "conf/base.yaml, known_by: /acme}\n", '"/acme" is no path'),
        ("conf/base.yaml}\n", "conf/base.yaml, beside: ../x}\n", '"../x" is no folder'),
        ("{a.b: 1}", "{a b: 1}", '"a b" is no key'),
        ("{a.b: 1}", "{a.b: [1]}", "must be one value"),
        ("key: a.b,", "key: a..b,", '"a..b" is no key'),
        ("key: a.b,", "key: a.b, flag: --a,", "needs a flag, an environment variable, a key or cases, one of them"),
        ("value: 'on'}", "value: 'on', key: a.e}", "needs a key or a value, one of the two"),
        ("value: 'on'}", "value: maybe}", 'value is "maybe", not one of off, on'),
        ("{key: a.d}", "{value: 'on'}", "has a value for no reason"),
        ("{a.c: true}", "{}", "asks for nothing"),
        ("{a.c: true}", "{a c: true}", '"a c" is no key'),
        ("{a.c: true}", "{a.c: [true]}", "must be one value"),
        ("", "", ""),
    ],
)
def test_a_framework_file_says_it_right(root: Path, old: str, new: str, message: str) -> None:
    write(root, rules__frameworks__acme_yaml=FRAMEWORK.replace(old, new))
    (root / "pyproject.toml").write_text('[tool.recipelint]\nrules = ["rules"]\n')
    (root / "run.sh").write_text("python -m acme.resume\n")
    done = CliRunner().invoke(app, ["show", "run.sh"])
    assert message in done.output
    assert (done.exit_code == 2) == bool(message)

"""The check that GUARD001 writes into a trainer: it is run, in a trainer of the same shape as molt's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from recipelint import run
from recipelint.discovery import discover
from recipelint.outcome import Outcome
from recipelint.settings import Settings

TRAINER = Path(__file__).parent / "fixtures" / "guardless"
SFT, RL, SHARED = "molt/cli/train_sft.py", "molt/cli/train_rl_ray.py", "molt/cli/common_args.py"
CALL = b"check_expert_parallel_checkpointing(args)\n"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(TRAINER, tmp_path / "repo", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "repo" / ".git").mkdir()
    monkeypatch.chdir(tmp_path / "repo")
    return tmp_path / "repo"


def check(*paths: str, **options: bool) -> Outcome:
    settings = Settings(paths=paths or (".",), select=("GUARD001",), unsafe_fixes=True, **options)  # type: ignore[arg-type]
    return run.check(settings, discover(settings).files)


def contents(tree: Path) -> dict[str, bytes]:
    return {str(path.relative_to(tree)): path.read_bytes() for path in sorted(tree.rglob("*.py"))}


def start(tree: Path, module: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("MOLT_", "PYTHON"))}
    return subprocess.run(
        [sys.executable, "-B", "-m", f"molt.cli.{module}", *words],
        cwd=tree,
        env={**keep, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


TRAINERS = [("train_sft", "--model."), ("train_rl_ray", "--actor.")]
REFUSED: list[tuple[list[str], dict[str, str]]] = [
    ([], {}),
    (["full"], {}),
    (["FULL "], {}),
    (["disable"], {}),
    (["full"], {"MOLT_MOE_DISPATCHER": "deepep"}),
    (["full"], {"MOLT_MOE_DISPATCHER": "HybridEP"}),
    (["full"], {"MOLT_ALLOW_EP_CHECKPOINTING": "0"}),
]
TAKEN: list[tuple[list[str], dict[str, str]]] = [
    (["full"], {"MOLT_MOE_DISPATCHER": "torch"}),
    (["none"], {}),
    (["None"], {}),
    (["off"], {}),
    (["false"], {}),
    (["0"], {}),
    ([""], {}),
    (["selective"], {}),
    (["full"], {"MOLT_ALLOW_EP_CHECKPOINTING": "1"}),
]


@pytest.mark.parametrize(("module", "prefix"), TRAINERS)
def test_the_check_refuses_what_fails_and_takes_everything_else(tree: Path, module: str, prefix: str) -> None:
    flag = f"{prefix}gradient_checkpoint"
    assert start(tree, module, "--fsdp.ep_size", "4", flag, "full").returncode == 0
    assert not check(fix=True).diagnostics
    for words, environment in REFUSED:
        done = start(tree, module, "--fsdp.ep_size", "4", flag, *words, **environment)
        assert done.returncode == 1, (words, environment)
        assert done.stdout == ""
        message = done.stderr.strip().splitlines()[-1]
        mode, dispatcher = (words or ["full"])[0], environment.get("MOLT_MOE_DISPATCHER", "hybridep")
        for said in (
            "ValueError: --fsdp.ep_size 4",
            f"{flag} {mode} ",
            f"under the {dispatcher} dispatcher",
            "NVIDIA-NeMo/Automodel#3325",
            f"{flag} none",
            "MOLT_MOE_DISPATCHER=torch",
            "MOLT_ALLOW_EP_CHECKPOINTING=1",
        ):
            assert said in message
    for words, environment in TAKEN:
        done = start(tree, module, "--fsdp.ep_size", "4", flag, *words, **environment)
        assert (done.returncode, done.stdout.split()[0]) == (0, "training"), (words, environment, done.stderr)
    for words in (["--fsdp.ep_size", "1", flag, "full"], [flag], []):
        assert start(tree, module, *words).returncode == 0


def test_both_entry_points_in_one_run(tree: Path) -> None:
    before = contents(tree)
    found = check()
    assert [(one.location.path, one.location.start.line, one.severity.word) for one in found.diagnostics] == [
        (RL, 17, "warning"),
        (SFT, 22, "warning"),
    ]
    outcome = check(fix=True)
    assert [(one.path, one.code) for one in outcome.fixed] == [(RL, "GUARD001"), (SFT, "GUARD001")]
    after = contents(tree)
    assert {path for path in before if before[path] != after[path]} == {SFT, RL, SHARED}
    assert after[SHARED].startswith(before[SHARED] + b"\n\ndef check_expert_parallel_checkpointing(args)")
    assert after[SHARED].count(b"def check_expert_parallel_checkpointing") == 1
    assert after[SFT] == before[SFT].replace(
        b"        settle,\n", b"        check_expert_parallel_checkpointing,\n        settle,\n"
    ).replace(b"parse_args()\n", b"parse_args()\n    " + CALL)
    assert after[RL] == before[RL].replace(
        b"add_parallel_args, settle", b"add_parallel_args, check_expert_parallel_checkpointing, settle"
    ).replace(b"adds its own\n", b"adds its own\n    " + CALL)


def test_a_second_run_changes_nothing(tree: Path) -> None:
    check(fix=True)
    after = contents(tree)
    outcome = check(fix=True)
    assert not outcome.diagnostics
    assert not outcome.changes
    assert contents(tree) == after


def test_one_after_the_other_comes_to_the_same(tree: Path) -> None:
    together = tree.parent / "together"
    shutil.copytree(tree, together)
    assert check(SFT, SHARED, fix=True).files == 2
    assert [one.location.path for one in check().diagnostics] == [RL]
    assert not check(RL, SHARED, fix=True).diagnostics
    os.chdir(together)
    check(fix=True)
    assert contents(tree) == contents(together)


def test_the_shared_module_is_not_written_unless_it_was_given(tree: Path) -> None:
    before = contents(tree)
    outcome = check(SFT, fix=True)
    assert [one.note for one in outcome.diagnostics] == [
        f"not fixed: the fix writes into {SHARED}, which is outside the given paths"
    ]
    assert contents(tree) == before


def test_without_unsafe_fixes_nothing_is_written(tree: Path) -> None:
    before = contents(tree)
    settings = Settings(paths=(".",), fix=True)
    assert [one.code for one in run.check(settings, discover(settings).files).diagnostics] == ["GUARD001"] * 2
    assert contents(tree) == before


def test_without_a_shared_module_the_check_goes_into_the_entry_point(tree: Path) -> None:
    shared = (tree / SHARED).read_text()
    (tree / SHARED).unlink()
    own = shared.partition('"""\n')[2].strip() + "\n"
    text = (tree / RL).read_text()
    (tree / RL).write_text(
        text.replace("from molt.cli.common_args import add_model_args, add_parallel_args, settle\n", "").replace(
            "def train(args)", own + "\n\ndef train(args)"
        )
    )
    assert not check(RL, fix=True).diagnostics
    lines = (tree / RL).read_text().splitlines()
    at = lines.index("def main():")
    assert lines[at - 3 : at] == ["            )", "", ""]
    assert start(tree, "train_rl_ray", "--fsdp.ep_size", "2", "--actor.gradient_checkpoint").returncode == 1
    assert start(tree, "train_rl_ray", "--fsdp.ep_size", "2", "--actor.gradient_checkpoint", "none").returncode == 0


def test_carriage_returns_a_byte_order_mark_tabs_and_a_missing_newline_are_kept(tree: Path) -> None:
    for path in (SFT, SHARED):
        data = (tree / path).read_bytes().replace(b"    ", b"\t").replace(b"\n", b"\r\n")
        (tree / path).write_bytes(b"\xef\xbb\xbf# coding: utf-8\r\n" + data.rstrip())
    before = contents(tree)
    assert not check(SFT, SHARED, fix=True).diagnostics
    after = contents(tree)
    for path in (SFT, SHARED):
        assert after[path].startswith(b"\xef\xbb\xbf# coding: utf-8\r\n")
        assert b"\n" not in after[path].replace(b"\r\n", b"")
    assert after[SFT].count(b"\r\n\tcheck_expert_parallel_checkpointing(args)\r\n") == 1
    assert not after[SFT].endswith(b"\n")
    assert after[SHARED].startswith(before[SHARED] + b"\r\n\r\n\r\ndef check_")
    assert start(tree, "train_sft", "--fsdp.ep_size", "2").returncode == 1


def test_an_import_that_would_get_too_long_is_wrapped(tree: Path) -> None:
    long = "from molt.cli.common_args import add_model_args, add_parallel_args, settle, settle as afterwards"
    long += ", settle as last"
    text = (tree / RL).read_text()
    (tree / RL).write_text(
        text.replace("from molt.cli.common_args import add_model_args, add_parallel_args, settle", long)
    )
    check(fix=True)
    assert (tree / RL).read_text().splitlines()[3:12] == [
        "from molt.cli.common_args import (",
        "    add_model_args,",
        "    add_parallel_args,",
        "    check_expert_parallel_checkpointing,",
        "    settle,",
        "    settle as afterwards,",
        "    settle as last,",
        ")",
        "from molt.utils.nested import nested",
    ]
    assert start(tree, "train_rl_ray", "--fsdp.ep_size", "2").returncode == 1


def test_the_default_dispatcher_is_the_trainers_own(tree: Path) -> None:
    text = (tree / SFT).read_text()
    (tree / SFT).write_text(text.replace('"MOLT_MOE_DISPATCHER", "hybridep"', '"MOLT_MOE_DISPATCHER", "torch"'))
    assert not check(SFT, SHARED, fix=True).diagnostics
    assert start(tree, "train_sft", "--fsdp.ep_size", "2").returncode == 0
    assert start(tree, "train_sft", "--fsdp.ep_size", "2", MOLT_MOE_DISPATCHER="deepep").returncode == 1

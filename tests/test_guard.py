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


HEAD = """\
import argparse
import sys
{imports}

def train(args):
    print("training")


def made():
    parser = argparse.ArgumentParser()
    add_parallel_args(parser)
    add_model_args(parser, "model.")
    return parser


"""
IMPORT = "from molt.cli.common_args import add_model_args, add_parallel_args"
BODY = "parser = made()\nargs = parser.parse_args()\ntrain(args)\n"


def written(tree: Path, body: str, imports: str = IMPORT, shared: str = "") -> str:
    """The note of what is found; the trainer, or what it was made, must take what it may, and refuse what fails."""
    (tree / SFT).write_text(HEAD.format(imports=imports) + body)
    (tree / RL).unlink()
    (tree / SHARED).write_text((tree / SHARED).read_text() + shared)
    before = contents(tree)
    words = ("--fsdp.ep_size", "2", "--model.gradient_checkpoint")
    assert "training" in start(tree, "train_sft", *words, "full").stdout
    found = check().diagnostics
    assert [one.code for one in found] == ["GUARD001"]
    outcome = check(fix=True)
    taken = start(tree, "train_sft", *words, "none")
    assert (taken.returncode, taken.stdout.split()[:1]) == (0, ["training"]), taken.stderr
    if outcome.diagnostics:
        assert contents(tree) == before
        return outcome.diagnostics[0].note
    refused = start(tree, "train_sft", *words, "full")
    assert (refused.returncode != 0, refused.stdout) == (True, ""), refused.stderr
    assert "NVIDIA-NeMo/Automodel#3325" in refused.stderr
    return ""


IMPORTS = {
    "star": ("from molt.cli.common_args import *", ""),
    "star and __all__": (
        "from molt.cli.common_args import *",
        '\n\n__all__ = ["add_model_args", "add_parallel_args"]\n',
    ),
    "relative": ("from .common_args import add_model_args, add_parallel_args", ""),
    "relative, two levels": ("from ..cli.common_args import add_model_args, add_parallel_args", ""),
    "another module of that name": (
        f"from ..utils.common_args import other  # noqa: E402\n{IMPORT.replace('molt.cli', '')}",
        "",
    ),
    "the module": (
        "import molt.cli.common_args as c\n\nadd_model_args, add_parallel_args = c.add_model_args, c.add_parallel_args",
        "",
    ),
    "a backslash": ("from molt.cli.common_args import add_model_args, \\\n    add_parallel_args", ""),
    "a comment behind the last name": (
        "from molt.cli.common_args import (\n    add_model_args,\n    add_parallel_args,  # noqa: F401\n)",
        "",
    ),
    "the last name without a comma": (
        "from molt.cli.common_args import (\n    add_model_args,\n    add_parallel_args  # noqa: F401\n)",
        "",
    ),
    "renamed": (
        "from molt.cli.common_args import add_model_args as m, add_parallel_args\n\nadd_model_args = m",
        "",
    ),
    "tried": (f"try:\n    {IMPORT}\nexcept ImportError:\n    raise", ""),
    "with a comment for a tool": (f"{IMPORT}  # noqa: E402", ""),
}


@pytest.mark.parametrize("name", IMPORTS)
def test_the_function_is_imported_however_its_module_is(tree: Path, name: str) -> None:
    imports, shared = IMPORTS[name]
    (tree / "molt" / "utils" / "common_args.py").write_text("def other():\n    pass\n")
    assert written(tree, BODY, imports, shared) == ""


def indented(text: str, by: str = "    ") -> str:
    return "".join(by + line + "\n" for line in text.splitlines())


TRIED = "args = made().parse_args()\n"
PLACES = {
    "module": BODY,
    "function": f"def main():\n{indented(BODY)}\n\nmain()\n",
    "decorated by record": (
        f"def record(function):\n    return function\n\n\n@record\ndef main():\n{indented(BODY)}\n\nmain()\n"
    ),
    "method": f"class App:\n    def run(self):\n{indented(BODY, ' ' * 8)}\n\nApp().run()\n",
    "condition": f"if len(sys.argv) > 1:\n{indented(BODY)}else:\n    sys.exit(2)\n",
    "loop": f"for _ in range(1):\n{indented(BODY)}",
    "annotated": BODY.replace("args =", "args: argparse.Namespace ="),
    "known": BODY.replace("args = parser.parse_args", "args, rest = parser.parse_known_args"),
    "wrapper": (
        "def parse_args():\n    args = made().parse_args()\n    return args\n\n\nargs = parse_args()\ntrain(args)\n"
    ),
    "comment behind": BODY.replace("parse_args()", "parse_args()  # noqa: E702"),
    "several lines": BODY.replace("parse_args()", "parse_args(\n    sys.argv[1:]\n)"),
    "try, another error": f"try:\n{indented(BODY)}except KeyboardInterrupt:\n    sys.exit(3)\n",
    "try and finally": f"try:\n{indented(BODY)}finally:\n    sys.stdout.flush()\n",
    "try, and exit": f"try:\n    {TRIED}except ValueError:\n    sys.exit(2)\ntrain(args)\n",
    "try, and None": f"try:\n    {TRIED}except ValueError:\n    args = None\ntrain(args)\n",
    "try, and a comment": f"try:\n    {TRIED}except Exception:\n    raise  # as it is\ntrain(args)\n",
    "inner try": (
        "try:\n    try:\n        args = made().parse_args()\n    except ValueError:\n        raise\n"
        "except Exception:\n    args = None\ntrain(args)\n"
    ),
    "main in a try that ends it": (
        f"def main():\n{indented(BODY)}\n\ntry:\n    main()\nexcept Exception as error:\n    sys.exit(str(error))\n"
    ),
}


@pytest.mark.parametrize("name", PLACES)
def test_the_check_stands_where_it_stops_the_program(tree: Path, name: str) -> None:
    assert written(tree, PLACES[name]) == ""


UNSURE = {
    "no variable": "train(made().parse_args())\n",
    "an attribute": "train.args = made().parse_args()\ntrain(train.args)\n",
    "a walrus": "(args := made().parse_args())\ntrain(args)\n",
    "returned": "def parse_args():\n    return made().parse_args()\n\n\ntrain(parse_args())\n",
    "a pair": "both = made().parse_known_args()\ntrain(both[0])\n",
    "semicolons": "parser = made(); args = parser.parse_args(); train(args)\n",
    "a semicolon behind": "parser = made()\nargs = parser.parse_args(); train(args)\n",
    "on the line of a function": "def main(): args = made().parse_args(); train(args)\n\n\nmain()\n",
    "on the line of a condition": "if sys.argv: args = made().parse_args()\ntrain(args)\n",
    "several": "made().parse_args()\n" + BODY,
    "both ways": (
        "if sys.argv:\n    args = made().parse_args()\nelse:\n    args = made().parse_args([])\ntrain(args)\n"
    ),
    "try, and training": f"try:\n{indented(BODY)}except Exception as error:\n    print(error)\n",
    "try, and nothing": "try:\n    args = made().parse_args()\nexcept ValueError:\n    pass\ntrain(args)\n",
    "try and else": "try:\n    args = made().parse_args()\nexcept ValueError:\n    raise\nelse:\n    train(args)\n",
    "finally": f"def main():\n    try:\n{indented(BODY, ' ' * 8)}    finally:\n        return 0\n\n\nmain()\n",
    "with": f"import contextlib\n\nwith contextlib.suppress(ValueError):\n{indented(BODY)}",
    "main in a with": (
        f"import contextlib\n\n\ndef main():\n{indented(BODY)}\n\nwith contextlib.suppress(ValueError):\n    main()\n"
    ),
    "a decorator": (
        f"def quiet(function):\n    return function\n\n\n@quiet\ndef main():\n{indented(BODY)}\n\nmain()\n"
    ),
    "a caller that goes on": (
        "def parse():\n    args = made().parse_args()\n    return args\n\n\n"
        "try:\n    args = parse()\nexcept ValueError:\n    args = None\ntrain(args)\n"
    ),
    "the name": "check_expert_parallel_checkpointing = None\n" + BODY,
}


@pytest.mark.parametrize("name", UNSURE)
def test_where_it_is_not_certain_nothing_is_written(tree: Path, name: str) -> None:
    assert written(tree, UNSURE[name]).startswith("not fixed: ")


def test_a_shared_module_that_the_trainer_does_not_import_is_left_alone(tree: Path) -> None:
    shared = (tree / SHARED).read_text()
    own = shared.partition('"""\n')[2].strip()
    assert written(tree, BODY, own, "\nraise RuntimeError\n") == ""
    assert (tree / SHARED).read_text() == shared + "\nraise RuntimeError\n"


def test_what_stands_first_in_a_file_stays_there(tree: Path) -> None:
    (tree / SHARED).unlink()
    head = "#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n# What trains.\n"
    body = "def main():\n    import argparse\n\n    parser = argparse.ArgumentParser()\n"
    body += (
        '    parser.add_argument("--fsdp.ep_size", type=int)\n    parser.add_argument("--model.gradient_checkpoint")\n'
    )
    body += "    args = parser.parse_args()\n\n\nmain()\n"
    (tree / SFT).write_text(head + body)
    assert not check(SFT, fix=True).diagnostics
    assert (tree / SFT).read_text().startswith(head + "def check_expert_parallel_checkpointing(args)")
    refused = start(tree, "train_sft", "--fsdp.ep_size", "2", "--model.gradient_checkpoint", "full")
    assert "NVIDIA-NeMo/Automodel#3325" in refused.stderr

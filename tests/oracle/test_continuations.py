"""SH003 under bash: what is lost before the fix is there after it, and nothing else has changed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from recipelint import run
from recipelint.ruleset.cases import Case
from recipelint.settings import Settings
from recipelint.source import SourceFile
from tests.rule_cases import collect, lay_out

from . import launches

ALL = collect()
FIXES = [case for case in ALL.fixes if case.rule.code == "SH003"]
WRONG = [case for case in (*ALL.invalid, *FIXES) if case.rule.code == "SH003"]
RIGHT = [case for case in (*ALL.valid, *ALL.noops) if case.rule.code == "SH003"]
JUNK = (" ", "\t", "\r")
"""What a blank or carriage return after the backslash becomes."""


def ids(cases: list[Case]) -> list[str]:
    return [case.name for case in cases]


def not_found(case: Case, folder: Path) -> list[str]:
    """The names of the commands that bash does not find, and that no command can have."""
    file = lay_out(case, folder)
    stubs = folder / "stubs"
    stubs.mkdir()
    for name in ("torchrun", "python3", "srun", "ray", "vllm", "nohup", "tee", "cat", "bash", "sleep"):
        (stubs / name).write_text("#!/bin/sh\nexit 0\n")
        (stubs / name).chmod(0o755)
    (stubs / "srun").write_text('#!/bin/sh\nexec "$@"\n')
    (stubs / "tee").write_text("#!/bin/sh\nexec /bin/cat\n")
    for name in ("bash", "sh"):
        (stubs / name).unlink(missing_ok=True)
        (stubs / name).symlink_to(f"/bin/{name}")
    env = {"PATH": str(stubs), "LC_ALL": "C", "PYTHON": "python3"}
    run = subprocess.run(
        ["/bin/bash", file],
        env=env,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=30,
    )
    lines = [line for line in run.stdout.splitlines() if line.endswith("command not found")]
    names = [line.split(": ")[-2] for line in lines]
    return [name for name in names if name.startswith(("-", "+")) or "=" in name]


@pytest.mark.parametrize("case", WRONG, ids=ids(WRONG))
def test_bash_runs_the_rest(case: Case, tmp_path: Path) -> None:
    if "exec" in case.name:
        lay_out(case, tmp_path)
        assert [launch.argv[-1] for launch in launches(tmp_path, case.run)] == ["/m"]
    else:
        assert not_found(case, tmp_path)


@pytest.mark.parametrize("case", RIGHT, ids=ids(RIGHT))
def test_bash_finds_every_command(case: Case, tmp_path: Path) -> None:
    """With what its user must name: PYTHON."""
    assert not not_found(case, tmp_path)


@pytest.mark.parametrize("case", FIXES, ids=ids(FIXES))
def test_bash_hands_over_the_words(case: Case, tmp_path: Path) -> None:
    lay_out(case, tmp_path / "before")
    fixed = lay_out(case, tmp_path / "after", case.after[0])
    assert subprocess.run(["bash", "-n", fixed], check=False).returncode == 0
    before, after = launches(tmp_path / "before", case.run), launches(tmp_path / "after", case.run)
    assert len(before) == len(after) == (0 if "vllm" in case.text.decode() else 1)
    for old, new in zip(before, after, strict=True):
        given = list(old.argv)
        cut = next((at for at, word in enumerate(given) if word in JUNK or word.startswith(" #")), len(given))
        assert list(new.argv[:cut]) == given[:cut]
        assert len(new.argv) > cut
        assert not any(word in JUNK or "#" in word for word in new.argv)
        assert (old.entry_point, old.env) == (new.entry_point, new.env)


LAUNCH = "torchrun -m molt.cli.train_sft --model.model_name_or_path /m"
LOST = ["--adam.lr", "1e-6", "--use_ms"]
BLANKS = [
    "\u00a0",
    "\u2003",
    "\u3000",
    "\u200b",
    "\ufeff",
    "\v",
    "\f",
    "\r",
    " ",
    "\t",
    "\u00a0\u00a0",
    "  ",
    "\u00a0 ",
    "\t\u00a0",
]
DOUBTFUL = {
    "a blank stuck to the word": f"{LAUNCH}\\ \n  --adam.lr 1e-6 --use_ms\n",
    "an odd blank stuck to the word": f"{LAUNCH}\\\u00a0\n  --adam.lr 1e-6 --use_ms\n",
    "a line of an odd blank": f"{LAUNCH} \\\n  \u00a0\n  --adam.lr 1e-6 --use_ms\n",
    "an odd blank at the end": f"{LAUNCH} \\\u00a0\n  --adam.lr 1e-6 --use_ms \u00a0\n",
    "a blank behind the last backslash": f"{LAUNCH} \\ \n  --adam.lr 1e-6 --use_ms \\ \n",
    "carriage returns": f"{LAUNCH} \\\r\n  --adam.lr 1e-6 --use_ms\r\n",
    "carriage returns from there on": f"\n{LAUNCH} \\\r\n  --adam.lr 1e-6 \\\r\n  --use_ms\r\n",
    "a carriage return at the end": f"\n{LAUNCH} \\\n  # a\n  --adam.lr 1e-6 --use_ms\r\n",
}


def handed_over(text: bytes, folder: Path) -> list[tuple[str, ...]]:
    folder.mkdir()
    (folder / "launch.sh").write_bytes(text)
    return [launch.argv for launch in launches(folder, "launch.sh")]


@pytest.mark.parametrize("blank", BLANKS, ids=ascii)
def test_no_blank_is_left_behind_whatever_it_is(blank: str, tmp_path: Path) -> None:
    text = f"#!/bin/bash\n{LAUNCH} \\{blank}\n  {LOST[0]} {LOST[1]} \\{blank}\n  {LOST[2]}\necho done\n".encode()
    (before,) = handed_over(text, tmp_path / "before")
    assert len(before) == 3
    outcome = run.check(Settings(fix=True, select=("SH003",)), [SourceFile("launch.sh", text)])
    assert not outcome.diagnostics
    (after,) = handed_over(outcome.launchers[0].source.data, tmp_path / "after")
    assert list(after) == [*before[:2], *LOST]


@pytest.mark.parametrize("name", DOUBTFUL)
def test_where_words_would_stay_wrong_nothing_is_written(name: str, tmp_path: Path) -> None:
    text = DOUBTFUL[name].encode()
    (argv,) = handed_over(text, tmp_path / "before")
    assert "--use_ms" not in argv
    outcome = run.check(Settings(fix=True, select=("SH003",)), [SourceFile("launch.sh", text)])
    assert [one.note.partition(":")[0] for one in outcome.diagnostics] == ["not fixed"]
    assert outcome.launchers[0].source.data == text


def test_carriage_returns_that_go_with_what_is_in_the_way_are_no_doubt(tmp_path: Path) -> None:
    text = f"\n{LAUNCH} \\\n  # a\r\n  --adam.lr 1e-6 \\\r\n  --use_ms\n".encode()
    outcome = run.check(Settings(fix=True, select=("SH003",)), [SourceFile("launch.sh", text)])
    fixed = outcome.launchers[0].source.data
    assert b"\r" not in fixed
    assert handed_over(fixed, tmp_path / "after") == [("--model.model_name_or_path", "/m", *LOST)]

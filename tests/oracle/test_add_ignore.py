"""`--add-ignore` hides every finding that it says it hides, and bash hands every trainer the same words as before."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

import pytest

from recipelint import run
from recipelint.discovery import discover
from recipelint.outcome import Outcome
from recipelint.ruleset.cases import Case
from recipelint.settings import Settings
from tests.oracle import RecordedLaunch, launches
from tests.rule_cases import TRAINER, collect

CASES = [one for cases in (collect(),) for one in (*cases.invalid, *cases.fixes)]
JUDGED = [case for case in CASES if not case.path.endswith(".py")]
HEAD = "#!/bin/bash\n"
LAUNCH = "torchrun -m molt.cli.train_sft --model.model_name_or_path /m --fsdp.ep_size 8"
FULL = "--model.gradient_checkpoint full"
PLACES = {
    "one line": f"{HEAD}{LAUNCH} {FULL}\n",
    "the first line, without a shebang": f"{LAUNCH} {FULL}\n",
    "no newline at the end": f"{HEAD}{LAUNCH} {FULL}",
    "a continued command": f"{HEAD}{LAUNCH} \\\n  --a.b 1 \\\n  {FULL} \\\n  --c.d 2\n",
    "carriage returns": f"{HEAD}\n{LAUNCH} {FULL} --a.b 1\necho\n".replace("\n", "\r\n"),
    "an array": f"{HEAD}ARGS=(\n  --fsdp.ep_size 8 # eight\n  {FULL}\n)\n"
    'torchrun -m molt.cli.train_sft --model.model_name_or_path /m "${ARGS[@]}"\n',
    "a knob far above": f'{HEAD}MODE="${{MODE:-full}}"\n\necho\n{LAUNCH} --model.gradient_checkpoint "$MODE"\n',
    "a knob in a substitution": f'{HEAD}A="$(\n  printf %s "${{MODE:-full}}"\n)"\n'
    f'{LAUNCH} --model.gradient_checkpoint "$A"\n',
    "a quoted program": f'{HEAD}bash -lc "cd / && \\\n{LAUNCH} \\\n  {FULL}"\n',
    "a quoted program of several lines": f"{HEAD}bash -c '\nexport A=1\n{LAUNCH} \\\n  {FULL}\n'\n",
    "a here-document": f"{HEAD}bash <<EOF\necho\n{LAUNCH} \\\n  {FULL}\nEOF\n",
    "a function": f"{HEAD}go() {{\n  local mode=full\n  {LAUNCH} --model.gradient_checkpoint $mode\n}}\ngo\n",
    "a branch": f"{HEAD}if true; then\n  if ! {LAUNCH} {FULL}; then\n    exit 1\n  fi\nfi\n",
    "a case": f"{HEAD}case x in\n  y) ;;\n  x) {LAUNCH} {FULL} ;;\nesac\n",
    "a list over lines": f"{HEAD}cd / &&\n  {LAUNCH} {FULL} ||\n  exit 1\n",
    "a pipeline over lines": f"{HEAD}echo |\n  {LAUNCH} {FULL} |\n  cat\n",
    "a loop": f"{HEAD}for m in full none; do\n  {LAUNCH} \\\n    --model.gradient_checkpoint $m\ndone\n",
    "a background": f"{HEAD}{LAUNCH} {FULL} &\nwait\n",
    "two on a line": f"{HEAD}{LAUNCH} {FULL}; {LAUNCH} {FULL}\n",
    "a comment above": f"{HEAD}# note\n# shellcheck disable=SC2086\n{LAUNCH} {FULL}\n",
    "batch directives": f"{HEAD}#SBATCH -N 1\n#SBATCH -t 1\n{LAUNCH} {FULL}\n",
    "an ignore of another rule": f"{HEAD}# recipelint: ignore[ARG001, SH] it is so\n{LAUNCH} {FULL}\n",
    "an ignore without codes": f"{HEAD}# recipelint: ignore this\n{LAUNCH} {FULL}\n",
    "an ignore with empty brackets": f"{HEAD}# recipelint: ignore[ ] this\n{LAUNCH} {FULL}\n",
    "an ignore at the end": f"{HEAD}{LAUNCH} {FULL} # recipelint: ignore[DOC002]\n",
    "an ignore of the file": f"{HEAD}# recipelint: ignore-file[ARG001] all\n{LAUNCH} {FULL}\n",
    "an ignore that hides nothing": f"{HEAD}# recipelint: ignore[EP002]\necho\n{LAUNCH} {FULL}\n",
    "text that looks like one": f"{HEAD}echo '\n# recipelint: ignore[EP002]'\n{LAUNCH} {FULL}\n",
}


def write(tree: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_bytes(data)


def check(*paths: str, **settings: object) -> Outcome:
    given = Settings(paths=paths or (".",), select=("ALL",), **settings)  # type: ignore[arg-type]
    return run.check(given, discover(given)[0])


def handed_over(tree: Path, launcher: str) -> list[RecordedLaunch]:
    return sorted(launches(tree, launcher), key=lambda one: one.argv)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", PLACES)
def test_every_place(name: str, tree: Path) -> None:
    text = PLACES[name].encode()
    write(tree, {"launch.sh": text})
    found = check().diagnostics
    assert "EP001" in {one.code for one in found}
    before = handed_over(tree, "launch.sh")
    assert any(FULL.split()[1] in launch.argv for launch in before)
    outcome = check(add_ignore=True, reason="known")
    assert (outcome.diagnostics, outcome.unreadable) == ((), ())
    codes = {code for one in outcome.ignored for code in one.codes}
    assert codes == {one.code for one in found}
    assert check().diagnostics == ()
    assert handed_over(tree, "launch.sh") == before
    after = (tree / "launch.sh").read_bytes()
    assert check(add_ignore=True).ignored == ()
    assert (tree / "launch.sh").read_bytes() == after


@pytest.mark.parametrize("case", CASES, ids=[f"{case.rule.code}: {case.name}" for case in CASES])
def test_every_case_of_every_rule(case: Case, tree: Path) -> None:
    trainer = TRAINER if case.rule.family == "arguments" else {}
    write(tree, {**trainer, **case.files, case.path: case.text})
    given = {"automodel": case.automodel}
    assert case.rule.code in {one.code for one in check(*case.paths, **given).diagnostics}
    python = {path: ast.dump(ast.parse(path.read_bytes())) for path in tree.rglob("*.py")}
    outcome = check(*case.paths, add_ignore=True, reason="known", **given)
    assert (outcome.diagnostics, outcome.unreadable) == ((), ())
    assert check(*case.paths, **given).diagnostics == ()
    assert {path: ast.dump(ast.parse(path.read_bytes())) for path in tree.rglob("*.py")} == python


@pytest.mark.parametrize(
    "case",
    [case for case in JUDGED if case.rule.code in ("EP001", "SH003", "ARG008", "ENV001") and case.path == case.run],
    ids=lambda case: f"{case.rule.code}: {case.name}",
)
def test_bash_is_told_the_same(case: Case, tree: Path) -> None:
    trainer = TRAINER if case.rule.family == "arguments" else {}
    write(tree, {**trainer, **case.files, case.path: case.text})
    before = handed_over(tree, case.run)
    check(*case.paths, add_ignore=True, automodel=case.automodel)
    assert (tree / case.path).read_bytes() != case.text
    assert handed_over(tree, case.run) == before


def test_one_comment_at_a_launch_hides_what_can_take_none_of_its_own(tree: Path) -> None:
    """Of two findings of a rule one stands in a text that is data; neither comes to be hidden without the other."""
    trainer = b"import argparse\np = argparse.ArgumentParser()\np.add_argument('--lr')\np.parse_args()\n"
    text = f"{HEAD}read -r -d '' words <<EOF\n  train.py \\\n  --rl 1\nEOF\necho\npython $words --no-rl\n".encode()
    write(tree, {"train.py": trainer, "launch.sh": text})
    assert [(one.code, one.location.start.line) for one in check().diagnostics] == [("ARG001", 4), ("ARG001", 7)]
    before = handed_over(tree, "launch.sh")
    outcome = check(add_ignore=True, reason="known")
    assert [(one.line, one.codes) for one in outcome.ignored] == [(7, ("ARG001",))]
    assert (outcome.diagnostics, check().diagnostics) == ((), ())
    assert handed_over(tree, "launch.sh") == before


def test_noop(tree: Path) -> None:
    text = PLACES["one line"].replace("full", "none").encode()
    write(tree, {"launch.sh": text})
    outcome = check(add_ignore=True, reason="known")
    assert (outcome.ignored, outcome.changes) == ((), ())
    assert (tree / "launch.sh").read_bytes() == text

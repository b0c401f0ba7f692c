"""A team's rule, and the tree that it stands in, for the tests of a team's own rules."""

from __future__ import annotations

from pathlib import Path

from recipelint.ruleset.template import new_files

CODE, NAME = "TEAM001", "big-micro-batch"
RULE = f"{CODE}-{NAME}.yaml"
WRONG = "torchrun -m molt.cli.train_sft \\\n  --train.micro_batch_size 8\n"
RIGHT = "torchrun -m molt.cli.train_sft \\\n  --train.micro_batch_size 4\n"


def write_rule(folder: Path, *changes: tuple[str, str], code: str = CODE, name: str = NAME, cases: bool = True) -> Path:
    """The rule of the template in a folder, with texts CHANGED in its file, and its cases; the path of the rule."""
    (folder / "tests").mkdir(parents=True, exist_ok=True)
    (rule, text), (tests, cases_text) = new_files(code, name, "team").items()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    (folder / rule).write_text(text, "utf-8")
    if cases:
        (folder / tests).write_text(cases_text, "utf-8")
    return folder / rule


def tree(folder: Path) -> Path:
    """A repository whose configuration names a team's rules, with a launcher that is wrong and one that is right."""
    (folder / ".git").mkdir()
    write_rule(folder / "ci" / "rules")
    (folder / "recipelint.toml").write_text('rules = ["ci/rules"]\n')
    (folder / "wrong.sh").write_text(WRONG)
    (folder / "right.sh").write_text(RIGHT)
    return folder

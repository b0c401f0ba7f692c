"""What docs/tutorial.md promises to somebody who has nothing yet: each command prints what the page shows.

What the page cannot show, as it happens at GitHub, is done afterwards: the workflow that it adds meets a pull request.
"""

from __future__ import annotations

import re
from pathlib import Path

from ruamel.yaml import YAML

from tests.actions.commands import commands
from tests.actions.machine import STUBS, pull_request
from tests.actions.runner import Job, run_action
from tests.proofs import proved_by
from tests.readme_blocks import ROOT, TUTORIAL
from tests.shipped import run
from tests.tutorial import ground, session

MINE = proved_by("tests/test_new_user.py::test_a_new_user_sees_what_the_page_shows")
WORKFLOW = ".github/workflows/recipes.yml"


def test_a_new_user_sees_what_the_page_shows(checkout: Path, tmp_path: Path) -> None:
    assert {page for page, _, _ in MINE} == {TUTORIAL}
    folder, env = ground(tmp_path, checkout)
    for step, real in session(TUTORIAL.read_text("utf-8"), folder, env):
        assert step.fits(real), f"$ {step.command}\n{real}"
    assert run("git", "status", "--porcelain", cwd=folder, env=env) == ""

    steps = YAML(typ="safe").load((folder / WORKFLOW).read_text("utf-8"))["jobs"]["recipes"]["steps"]
    inputs = {name: str(value).lower() for name, value in steps[-1]["with"].items()}
    everything = Job(folder, tmp_path / "everything", stubs=STUBS)
    everything.temp.mkdir()
    assert run_action(everything, ROOT, {**inputs, "changed-only": "false"}).success, "the page ends well"

    job = Job(folder, tmp_path / "temp", stubs=STUBS, event_name="pull_request")
    job.temp.mkdir()
    job.event = pull_request(*merged(folder, env))
    result = run_action(job, ROOT, inputs)
    assert not result.success
    found = [(one.name, one.properties["file"], one.properties["title"]) for one in commands(job.log) if one.properties]
    assert {(kind, file, re.findall(r"[A-Z]+\d{3}", title)[0]) for kind, file, title in found} == {
        ("error", "examples/scripts/next.sh", "EP001"),
        ("error", "examples/scripts/next.sh", "PAR002"),  # batch 48, which 8 on each of the ranks do not divide
        ("warning", "examples/scripts/next.sh", "TEAM001"),
    }


def merged(folder: Path, env: dict[str, str]) -> tuple[str, str]:
    """Check out the merge of a branch with a launcher that is wrong by EP001 and by the page's rule; base and head."""

    def git(*words: str) -> str:
        return run("git", *words, cwd=folder, env=env).strip()

    base = git("rev-parse", "HEAD")
    git("switch", "--quiet", "--create", "change")
    text = (folder / "examples/scripts/long.sh").read_text("utf-8")
    text = re.sub(
        "^# recipelint: .*\n", "", text.replace("micro_batch_size 1", "micro_batch_size 8"), flags=re.MULTILINE
    )
    (folder / "examples/scripts/next.sh").write_text(text, "utf-8")
    git("add", "examples/scripts/next.sh")
    git("commit", "--quiet", "--no-verify", "--message=Next")
    head = git("rev-parse", "HEAD")
    git("switch", "--quiet", "--detach", base)
    git("merge", "--quiet", "--no-ff", "--no-verify", "--message=Merge", head)
    return base, head

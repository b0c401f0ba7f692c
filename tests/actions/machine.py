"""A machine with a repository of launchers on it, on which the action is run."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.actions.commands import Command, commands
from tests.actions.runner import Job, Result, Stub, run_action

ROOT = Path(__file__).parent.parent.parent
FIXTURES = ROOT / "tests" / "fixtures" / "molt"
IDENTITY = ("-c", "user.name=Test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false")
SETUP, UPLOAD, CODE_SCANNING = "actions/setup-python", "actions/upload-artifact", "github/codeql-action/upload-sarif"
STUBS: Mapping[str, Stub] = {
    SETUP: lambda given: {"python-path": sys.executable},
    UPLOAD: lambda given: {},
    CODE_SCANNING: lambda given: {},
    "install": lambda given: {"python": sys.executable},
}
"""The step that installs is a test of its own; the others run the recipelint of this environment."""
WARNING = "molt"
"""A part of the fixtures in which there are warnings and no errors."""


def git(folder: Path, *words: str) -> str:
    """What git prints, in FOLDER."""
    return subprocess.run(
        ["git", *IDENTITY, *words], cwd=folder, check=True, capture_output=True, encoding="utf-8"
    ).stdout.strip()


def commit(folder: Path, message: str = "Change") -> str:
    """Commit all that is in FOLDER; the name of the commit."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", f"--message={message}")
    return git(folder, "rev-parse", "HEAD")


def machine(folder: Path, source: Path | None = FIXTURES, **given: Any) -> Job:
    """A machine whose workspace is a repository with a copy of SOURCE in its first commit."""
    workspace, temp = folder / "work space", folder / "temp"
    temp.mkdir(parents=True)
    if source:
        shutil.copytree(source, workspace)
    else:
        workspace.mkdir()
    git(workspace, "init", "--quiet", "--initial-branch=main")
    commit(workspace, "First")
    stubs = {**STUBS, **given.pop("stubs", {})}
    return Job(workspace, temp, stubs=stubs, **given)


def use(job: Job, **given: str) -> Result:
    """Run the action with inputs, whose `-` is written `_`."""
    return run_action(job, ROOT, {name.replace("_", "-"): value for name, value in given.items()})


def told(job: Job, *names: str) -> list[Command]:
    """The commands of these names in the log of a machine, in order."""
    return [command for command in commands(job.log) if command.name in names]


def counted(job: Job) -> dict[str, int]:
    """How many annotations of each kind there are."""
    kinds = ("error", "warning", "notice")
    return {kind: len(told(job, kind)) for kind in kinds if told(job, kind)}


def pull_request(base: str, head: str, fork: bool = False) -> dict[str, Any]:
    """The part of the event of a pull request that counts here."""
    name = "someone/recipes" if fork else "team/recipes"
    return {
        "pull_request": {
            "number": 7,
            "base": {"sha": base, "repo": {"full_name": "team/recipes"}},
            "head": {"sha": head, "repo": {"full_name": name}},
        }
    }


def cells(line: str) -> list[str]:
    """The cells of a line of a Markdown table."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]

"""Runs docs/tutorial.md from its first command to its last, as somebody who has nothing but the page would.

One shell for the whole page, in a new repository with the fixture launchers; no program of the tests' own environment
is there to be found, and what the page calls the place of recipelint's repository is a checkout of these sources.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from tests import shipped
from tests.readme_blocks import FIXTURES, Step, every_block, steps

END = b"\0"
"""What the shell prints after each command."""


def ground(scratch: Path, checkout: Path | None = None) -> tuple[Path, dict[str, str]]:
    """An empty folder with a repository in it that holds the launchers; the repository, and the environment."""
    if checkout is None:
        checkout = scratch / "checkout"
        shipped.check_out(checkout)
    home = scratch / "home"
    programs = home / "bin"
    programs.mkdir(parents=True)
    python = getattr(sys, "_base_executable", sys.executable)
    (programs / "python3").symlink_to(python)
    path = [folder for folder in os.environ["PATH"].split(os.pathsep) if folder != str(Path(sys.executable).parent)]
    env = shipped.environment(
        shipped.hosted(checkout),
        PATH=os.pathsep.join([str(programs), *path]),
        PRE_COMMIT_HOME=str(home / "pre-commit"),
        PIP_DISABLE_PIP_VERSION_CHECK="1",
        PIP_QUIET="1",  # what it warns of is how this machine finds packages
        LC_ALL="C.UTF-8",
        COLUMNS="100",
    )
    folder = Path(shutil.copytree(FIXTURES, scratch / "work" / "molt"))
    for command in ("git init --quiet", "git add .", "git commit --quiet --message=Launchers"):
        shipped.run(*command.split(), cwd=folder, env=env)
    return folder, env


def session(page: str, folder: Path, env: dict[str, str]) -> list[tuple[Step, str]]:
    """Each command of the page with what it printed, both streams as they came; blocks that are files are saved."""
    lines = ["exec 2>&1", "end_of_step() { local status=$?; printf '\\0'; return $status; }"]
    commands: list[Step] = []
    for block in every_block(page):
        if block.file:
            lines.append(f"mkdir -p -- {shlex.quote(os.path.dirname(block.file) or '.')}")
            lines.append(f"printf %s {shlex.quote(block.body)} > {shlex.quote(block.file)}")
        elif block.language == "console":
            for step in steps(block.body):
                commands.append(step)
                lines += [step.command, "end_of_step"]
    script = folder.parent / "session.sh"
    script.write_text("\n".join(lines) + "\n", "utf-8")
    done = subprocess.run(["bash", script], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    printed = done.stdout.split(END)
    assert len(printed) == len(commands) + 1, printed[-1].decode()
    return [(step, text.decode()) for step, text in zip(commands, printed, strict=False)]

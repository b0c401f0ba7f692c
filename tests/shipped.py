"""What is shipped, made once for all tests: a checkout as a clone has it, its distributions, an install of the wheel.

Each worker of pytest-xdist asks for the same folders; the first makes them, and nobody changes them afterwards.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import recipelint

ROOT = Path(__file__).parent.parent
URL = "https://git.example.org/recipelint"
"""Where the pages say that the repository is."""
TAG = f"v{recipelint.__version__}"
PIP = ("-m", "pip", "install", "-qq", "--disable-pip-version-check")
NOT_SHIPPED = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "dist", "_rules.json")
OUTER = re.compile(r"MAKE|MFLAGS|GIT_(?!SSL_)|VIRTUAL_ENV|PYTHON|COV_|PRE_COMMIT|SKIP$")
"""The variables of an outer make, git, pre-commit or Python that would change what a command does."""


def environment(settings: Mapping[str, str] | None = None, **more: str) -> dict[str, str]:
    """The environment of a command: a git user of its own, no configuration of whoever runs the tests.

    SETTINGS are those of git; they are variables because pre-commit hands these on to the git that it runs.
    """
    git = {
        "user.name": "Test",
        "user.email": "test@example.invalid",
        "commit.gpgsign": "false",
        "init.defaultBranch": "main",
        **(settings or {}),
    }
    return {
        **{name: value for name, value in os.environ.items() if not OUTER.match(name)},
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_COUNT": str(len(git)),
        **{f"GIT_CONFIG_KEY_{number}": key for number, key in enumerate(git)},
        **{f"GIT_CONFIG_VALUE_{number}": value for number, value in enumerate(git.values())},
        **more,
    }


def hosted(checkout: Path) -> dict[str, str]:
    """The setting by which git finds a checkout where the pages say that the repository is."""
    return {f"url.{checkout}.insteadOf": URL}


def run(*argv: str | Path, cwd: Path | None = None, status: int = 0, env: Mapping[str, str] | None = None) -> str:
    """What a command prints on standard output; it must end with the given status."""
    done = subprocess.run(
        argv, cwd=cwd, env=env or environment(), stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == status, f"{argv} → {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def once(shared: Path, name: str, make: Callable[[Path], object]) -> Path:
    """A folder below SHARED: the first process that asks for it makes it, the others wait."""
    folder, made = shared / name, shared / f"{name}.made"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            shutil.rmtree(folder, ignore_errors=True)
            make(folder)
            made.touch()
    return folder


def check_out(folder: Path) -> None:
    """Put the sources into a folder as a fresh clone would have them: committed, with the tag of the version."""
    shutil.copytree(ROOT, folder, ignore=NOT_SHIPPED)
    run("git", "init", "--quiet", cwd=folder)
    run("git", "add", ".", cwd=folder)
    run("git", "commit", "--quiet", "--message=A checkout", cwd=folder)
    run("git", "tag", TAG, cwd=folder)


def build(checkout: Path, out: Path) -> None:
    """Put the sdist, and the wheel that is built from it, into a folder."""
    run(sys.executable, "-m", "build", "--outdir", out, cwd=checkout)


def install(folder: Path, *what: str | Path) -> None:
    """Make a new environment with something installed."""
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin" / "python", *PIP, *what)

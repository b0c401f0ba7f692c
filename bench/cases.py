"""What is measured: the commands, and the launchers that they read."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench.corpus import many
from bench.paired import Command

SUFFIXES = frozenset({".sh", ".bash", ".slurm", ".sbatch", ".job", ".pbs"})
FIXTURES = Path(__file__).parent.parent / "tests" / "fixtures" / "molt"

Case = tuple[str, Command, Command]
"""What is compared, ours, theirs."""


def launchers(paths: Iterable[Path]) -> list[str]:
    """The launchers among the paths, folders walked, in a fixed order."""
    found: set[Path] = set()
    for path in paths:
        found.update(filter(is_launcher, path.rglob("*")) if path.is_dir() else [path])
    return [str(path) for path in sorted(found)]


def is_launcher(path: Path) -> bool:
    return path.suffix in SUFFIXES and path.is_file()


def cases(files: Sequence[str]) -> list[Case]:
    """The comparisons: all launchers against shellcheck, one launcher and `--version` against starting Python, and what
    a commit of the largest launcher waits for, with the hook of .pre-commit-hooks.yaml, against both.

    All programs are those of the environment that runs the benchmark.
    """
    bin_folder = Path(sys.executable).parent
    recipelint = str(bin_folder / "recipelint")
    uncached = (recipelint, "check", "--no-cache")
    lint = Command("recipelint", (*uncached, *files), (0, 1))
    # Its notes on style are no part of the comparison, but reading the whole file is: no severity is left out.
    shellcheck = (str(bin_folder / "shellcheck"), "--norc", "--shell=bash")
    theirs = Command("shellcheck", (*shellcheck, *files), (0, 1))
    one = Command("recipelint", (*uncached, files[0]), (0, 1))
    version = Command("recipelint --version", (recipelint, "--version"))
    bare = Command("python -c pass", (sys.executable, "-c", "pass"))
    click = Command("python -c 'import click'", (sys.executable, "-c", "import click"))
    largest = max(files, key=os.path.getsize)
    hook = Command("recipelint (hook)", (recipelint, "check", "--force-exclude", "--", largest), (0, 1))
    return [
        (f"{len(files)} launchers", lint, theirs),
        ("one launcher, cold", one, Command("shellcheck", (*shellcheck, files[0]), (0, 1))),
        ("one launcher, cold", one, bare),
        ("one launcher, cold", one, click),
        ("a commit of one", hook, Command("shellcheck", (*shellcheck, largest), (0, 1))),
        ("a commit of one", hook, click),
        ("--version", version, click),
    ]


def crowd(files: Sequence[str], count: int, folder: Path) -> list[Case]:
    """COUNT launchers made of FILES, in FOLDER: without a cache against `bash -n`, and a second run against a first."""
    models = [Path(file).read_text("utf-8") for file in files]
    made = str(many(models, count, folder / "crowd"))
    recipelint = str(Path(sys.executable).parent / "recipelint")
    bash = ("/bin/bash", "-c", 'for file in "$1"/*.sh; do bash -n "$file"; done', "bash", made)
    cold = Command("recipelint", (recipelint, "check", "--no-cache", made), (0, 1))
    warm = Command("recipelint, again", (recipelint, "check", "--cache-dir", str(folder / "cache"), made), (0, 1))
    what = f"{count} launchers"
    return [(what, cold, Command("a loop of bash -n", bash, (0, 1))), (what, warm, cold)]

"""One run of a launcher under bash, in a folder of its own where nothing real can be started.

The launcher sees a PATH of stand-ins and of tools that only read and print, a copy of its tree, and the
environment of a made-up machine: nothing of the environment that the tests run in.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from .machine import MACHINES, Machine
from .record import RecordedLaunch, split

LIMIT_S = 30

STANDINS = """
torchrun coverage coverage-3.11 python python3 python3.11 pypy3 accelerate deepspeed deepspeed.py swift megatron
llamafactory-cli xtuner automodel bash sh dash zsh ksh pdsh nerdctl gosu time unbuffer chrt flock mamba micromamba
pdm pipenv rye hatch rocprof srun sbatch salloc qsub bsub scontrol squeue scancel sinfo ray ssh scp docker podman
kubectl apptainer singularity enroot mpirun mpiexec sudo env timeout nohup setsid nice ionice stdbuf numactl taskset
uv conda poetry nsys ncu nvidia-smi rocm-smi hostname date whoami nproc uname git sleep module pip pip3 curl wget
rsync pkill ibstat aws wandb huggingface-cli mkdir rmdir touch rm cp mv ln chmod
"""

TOOLS = """
cat dirname basename head tail cut tr sed awk grep sort uniq wc seq readlink realpath tee tac rev paste od mktemp
ls xargs true false expr printf test
"""
"""Real programs: they read, compute and print, and what xargs starts is on the same PATH."""

REAL = "bash sh mkdir rmdir touch rm cp mv ln"
"""What a stand-in goes on to, after a look at its words."""

PRELUDE = """\
# A container's folders are not there: going to one succeeds, and stays.
cd() { builtin cd "$@" 2>/dev/null || true; }
"""

SHELL_OWN = ("_", "SHLVL", "PWD", "OLDPWD", "BASH_ENV", "BASH_EXECUTION_STRING")


def launches(
    tree: Path,
    launcher: str,
    *,
    env: Mapping[str, str] | None = None,
    args: Sequence[str] = (),
    machine: Machine = MACHINES[0],
    files: Sequence[str] = (),
    statuses: Sequence[int] = (),
) -> list[RecordedLaunch]:
    """The trainer calls that LAUNCHER (a path in TREE) makes on MACHINE, in order.

    env, args   what its user gives; `{job}` and other fields of the machine are filled in
    files       empty files that are there, relative to the tree, filled in likewise; folders end in `/`
    statuses    the exit statuses of the recorded calls, in order; 0 for the rest
    Calls in the background may come in any order. Raises AssertionError if the launcher does not end.
    """
    with tempfile.TemporaryDirectory(prefix="oracle-") as folder:
        box = Path(folder).resolve()
        checkout = box / machine.checkout
        shutil.copytree(tree, checkout, symlinks=True)
        for name in files:
            make(checkout / machine.fill(name), name.endswith("/"))
        start = environment(box, checkout, machine)
        furnish(box, checkout, launcher, statuses, machine)
        given = {name: machine.fill(value) for name, value in (env or {}).items()}
        run([shutil.which("bash") or "bash", launcher, *map(machine.fill, args)], checkout, {**start, **given})
        return read(box, {**start, **given})


def make(path: Path, is_folder: bool) -> None:
    """Make an empty file or folder, and the folders above it."""
    (path if is_folder else path.parent).mkdir(parents=True, exist_ok=True)
    if not is_folder:
        path.touch()


def environment(box: Path, checkout: Path, machine: Machine) -> dict[str, str]:
    """The environment that a job on MACHINE starts with."""
    return {
        **machine.environment(),
        "PATH": f"{box}/standins:{box}/tools",
        "HOME": f"{box}/home",
        "TMPDIR": f"{box}/tmp",
        "BASH_ENV": f"{box}/prelude.sh",
        "SLURM_SUBMIT_DIR": str(checkout),
    }


def furnish(box: Path, checkout: Path, launcher: str, statuses: Sequence[int], machine: Machine) -> None:
    """Put the stand-ins, the tools and the first file of every bash into BOX."""
    for name in ("standins", "tools", "home", "tmp"):
        (box / name).mkdir()
    stand_in(box, STANDINS.split(), machine, statuses, b"ray start" in (checkout / launcher).read_bytes())
    for name in TOOLS.split():
        if real := shutil.which(name):
            (box / "tools" / name).symlink_to(real)
    (box / "prelude.sh").write_text(PRELUDE + "".join(sorted(absolute_names(checkout))))


def stand_in(
    box: Path, names: Iterable[str], machine: Machine, statuses: Sequence[int] = (), starts_ray: bool = False
) -> None:
    """Put the stand-ins of NAMES into BOX. STARTS_RAY: a job waits for a cluster that starts in the background."""
    config = {
        "path": f"{box}/standins:{box}/tools",
        "real": {name: shutil.which(name) for name in REAL.split()},
        "statuses": list(statuses),
        "starts_ray": starts_ray,
        "hosts": machine.hosts,
        "machine": asdict(machine),
    }
    program = box / "standin"
    program.write_text(
        f"#!{sys.executable} -ESs\nimport sys\nsys.path[0] = {str(Path(__file__).parent)!r}\n"
        f"from standins.program import main\nmain({str(box)!r}, {config!r})\n"
    )
    program.chmod(0o755)
    for name in names:
        (box / "standins" / name).symlink_to(program)


def absolute_names(checkout: Path) -> set[str]:
    """Bash functions for the absolute names (`/opt/venv/bin/torchrun`) by which files of the tree call a stand-in."""
    names = "|".join(re.escape(name) for name in STANDINS.split())
    pattern = re.compile(rf"(?:/[\w.+-]+)+/(?:{names})(?![\w./-])")
    texts = (path.read_text(errors="replace") for path in checkout.rglob("*.sh"))
    found = {path for text in texts for path in pattern.findall(text)}
    return {f'function {path} {{ {path.rsplit("/", 1)[1]} "$@"; }}\n' for path in found}


def run(words: Sequence[str], folder: Path, env: Mapping[str, str]) -> None:
    """Run WORDS to their end, jobs in the background included; end them all if they do not."""
    with subprocess.Popen(
        words,
        cwd=folder,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{words[1]} did not end within {LIMIT_S} s") from None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def read(box: Path, start: Mapping[str, str]) -> list[RecordedLaunch]:
    """The recorded calls that name an entry point; the sandbox's own folder is written as /box in them."""
    found = []
    log = box / "log"
    for line in log.read_text().splitlines() if log.exists() else ():
        call = json.loads(line)
        entry = split(call["program"], [word.replace(str(box), "/box") for word in call["words"]])
        if entry:
            env = {name: value for name, value in call["env"].items() if name not in SHELL_OWN}
            ambient = frozenset(name for name, value in env.items() if start.get(name) == value)
            found.append(RecordedLaunch(*entry, {k: v.replace(str(box), "/box") for k, v in env.items()}, ambient))
    return found

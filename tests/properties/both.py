"""One launcher under bash and under recipelint: the trainer calls that each makes of it.

Bash runs in an empty folder with a `torchrun` that only writes down what it gets, and wrappers that only hand on what
they get (`tests/oracle/standins`), so nothing that a generated text says can start, find or change anything. A second
file may follow the launcher, after a line `#@ lib.sh`; it stands beside it.
"""

from __future__ import annotations

import atexit
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from recipelint.recipe.launchers import Launchers
from recipelint.ruleset.load import load
from recipelint.shell.evaluate import Evaluation, evaluate
from recipelint.source import SourceFile
from tests.oracle.machine import MACHINES
from tests.oracle.sandbox import stand_in

TRAIN = "torchrun -m molt.cli.train_sft"
ENTRY = (b"-m", b"molt.cli.train_sft")
TOOLS = "cat seq dirname basename tr head tail cut wc sort tee xargs true false echo"
WRAPPERS = """
bash sh env nohup srun sbatch salloc bsub qsub ray ssh docker podman singularity apptainer enroot mpirun sudo timeout
setsid nice stdbuf numactl taskset uv conda poetry nsys ncu
"""
SECOND = re.compile(rb"^#@ (\S+)\n", re.MULTILINE)
AMBIENT = frozenset(("PATH", "LC_ALL", "HOME", "_", "SHLVL", "PWD", "OLDPWD"))
"""What the machine sets, and every bash; recipelint takes it for unknown, or as no concern of a recipe's."""
LIMIT_S = 5

STUB = """\
#!/bin/sh
{ printf '%s\\0' "$#" "$@"; ENV -0; printf '\\0'; } >LOG/$$
"""


class Launch(NamedTuple):
    """One call of a trainer: the words after its entry point, and the variables that the launcher exported to it."""

    argv: tuple[bytes, ...]
    env: Mapping[bytes, bytes]


class Box:
    """An empty folder, and the few commands that a launcher in it can start."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        self.bash = shutil.which("bash") or "bash"
        for name in ("empty", "tools", "standins", "log"):
            (folder / name).mkdir()
        for name in TOOLS.split():
            (folder / "tools" / name).symlink_to(shutil.which(name) or name)
        stand_in(folder, WRAPPERS.split(), MACHINES[0])
        stub = folder / "tools" / "torchrun"
        stub.write_text(STUB.replace("LOG", str(self.log)).replace("ENV", shutil.which("env") or "env"))
        stub.chmod(0o755)
        self.env = {"PATH": f"{folder}/standins:{folder}/tools", "LC_ALL": "C.UTF-8", "HOME": "/home/nobody"}

    def run(
        self, *words: str | bytes, text: bytes = b"", env: Mapping[str, str] | None = None
    ) -> tuple[int, bytes, bytes]:
        """Bash with these words, reading TEXT: its status, what it printed, and what it complained of."""
        done = subprocess.run(
            [self.bash, *words],
            input=text,
            capture_output=True,
            cwd=self.folder / "empty",
            env={**self.env, **(env or {})},
            timeout=LIMIT_S,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    def sweep(self) -> None:
        """Remove what an earlier launcher wrote."""
        for path in (*(self.folder / "empty").iterdir(), *self.log.iterdir()):
            path.unlink()
        (self.folder / "cluster.json").unlink(missing_ok=True)

    def launches(
        self, text: bytes, args: Sequence[str] = (), env: Mapping[str, str] | None = None
    ) -> tuple[list[Launch], bytes]:
        """The trainer calls of a launcher, in order, and what bash complained of."""
        for name, part in files(text).items():
            (self.folder / name).write_bytes(part)
        self.sweep()
        _, _, complaints = self.run("../run.sh", *args, env=env)
        calls = sorted(self.log.iterdir(), key=lambda path: (path.stat().st_mtime_ns, int(path.name)))
        return list(recorded(b"".join(path.read_bytes() for path in calls))), complaints


def recorded(log: bytes) -> Iterator[Launch]:
    """The calls that the stand-in wrote down, each in a file: a count, the words, the environment, an empty entry."""
    fields = log.split(b"\0")
    at = 0
    while at < len(fields) - 1:
        count = int(fields[at])
        words = fields[at + 1 : at + 1 + count]
        at += 1 + count
        end = fields.index(b"", at)
        pairs = [pair.partition(b"=") for pair in fields[at:end]]
        at = end + 1
        if ENTRY[0] not in words:
            continue
        start = words.index(ENTRY[0]) + len(ENTRY)
        if tuple(words[start - len(ENTRY) : start]) != ENTRY:
            continue
        yield Launch(
            tuple(words[start:]),
            {name: value for name, _, value in pairs if name.decode(errors="replace") not in AMBIENT},
        )


def files(text: bytes) -> dict[str, bytes]:
    """The launcher, and the file that follows it."""
    launcher, *rest = SECOND.split(text, 1)
    return {"run.sh": launcher, **({rest[0].decode(): rest[1]} if rest else {})}


@cache
def box() -> Box:
    """The box of this process; it goes when the process does."""
    folder = tempfile.mkdtemp(prefix="properties-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Box(Path(folder).resolve())


@cache
def launchers() -> Launchers:
    return Launchers(load().launchers)


def evaluated(text: bytes, args: Sequence[str] = (), env: Mapping[str, str] | None = None) -> Evaluation:
    """The evaluation of a launcher, and of the file beside it."""
    sources = {name: SourceFile(name, part) for name, part in files(text).items()}
    return evaluate(sources["run.sh"], "run.sh", launchers(), sources.get, env or {}, args, cwd="empty")


class Undecided(AssertionError):
    """Something is unknown in a launcher."""


def resolved(text: bytes, args: Sequence[str] = (), env: Mapping[str, str] | None = None) -> list[Launch]:
    """The trainer calls that recipelint sees. Raises Undecided where it leaves anything open."""
    evaluation = evaluated(text, args, env)
    if evaluation.troubles:
        raise Undecided(str([(trouble.code, trouble.reason) for trouble in evaluation.troubles]))
    if evaluation.session.decisions and any(term for call in evaluation.calls for term in call.condition):
        raise Undecided(str(evaluation.session.decisions))
    found = []
    for call in evaluation.calls:
        if call.trainer.entry_point.s != "molt.cli.train_sft":
            continue
        texts = [*call.trainer.arguments, *call.environment.values()]
        open_texts = [evaluation.session.unknowns.display(one.s) for one in texts if not one.known]
        if open_texts:
            raise Undecided(f"unknown: {open_texts}")
        found.append(
            Launch(
                tuple(word.s.encode("latin-1") for word in call.trainer.arguments),
                {k.encode("latin-1"): v.s.encode("latin-1") for k, v in call.environment.items() if k not in AMBIENT},
            )
        )
    return found


def words_of_bash(texts: Sequence[bytes]) -> list[tuple[bytes, ...] | None]:
    """The words that the one call of each text gets in bash; None for a text that comes to no call.

    All run in subshells of one process, and the trainer is a function: a hundred times as fast as `Box.launches`.
    """
    parts = [b'shopt -s extglob\ntorchrun() { shift 2; printf \'%s\\1\' "$#" "$@"; }\n']
    parts += [b"(\n" + text + b"\n) 2>/dev/null\nprintf '\\0'\n" for text in texts]
    script = box().folder / "batch.sh"
    script.write_bytes(b"".join(parts))
    status, output, complaints = box().run("../batch.sh")
    found = output.split(b"\0")[:-1]
    assert len(found) == len(texts), f"bash ended with {status} after {len(found)} texts: {complaints.decode()}"
    return [tuple(one.split(b"\1")[1:-1]) if one else None for one in found]


def words_of_recipelint(text: bytes) -> tuple[bytes, ...] | None:
    """The words of the one call that recipelint sees; None if it sees none.

    Raises Undecided where a word is unknown.
    """
    found = resolved(b"shopt -s extglob\n" + text)
    assert len(found) <= 1
    return found[0].argv if found else None


def shown(text: bytes) -> tuple[bytes, ...] | str | None:
    """The same, or what is unknown."""
    try:
        return words_of_recipelint(text)
    except Undecided as error:
        return str(error)

"""`python -m tests.fuzz.sealed FOLDER WORD…`: recipelint in little memory and time, that may change FOLDER alone.

The exit status is recipelint's, or 99 where it did what it may not; that is told on standard error.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

from tests.fuzz.jail import jailed

MEMORY, CPU_S = 512 << 20, 100
"""Bytes of address space. The time is no measure of speed: what has no end takes for ever."""
BROKE_OUT = 99


def sealed(folder: Path, *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run recipelint so, in the folder."""
    command = [sys.executable, "-B", "-m", "tests.fuzz.sealed", str(folder), *words]
    env = {"PYTHONPATH": str(Path(__file__).parent.parent.parent), "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, cwd=folder, env=env, input=stdin, capture_output=True, check=False, timeout=900)


def main(folder: str, *words: str) -> int:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    from recipelint.cli.commands import app
    from recipelint.cli.terminal import run

    with jailed([folder]) as seen:
        status = run(app, words)
    for what in seen:
        print(ascii(what), file=sys.stderr)
    return BROKE_OUT if seen else status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""Stand-ins whose words after the options, and perhaps one or two of their own, are a command: `timeout 5m CMD`."""

from __future__ import annotations

import os

from .options import split
from .process import assign, forget

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .process import Sandbox

RUNNERS = {
    **dict.fromkeys(("conda", "mamba", "micromamba", "poetry", "pdm", "pipenv", "rye", "hatch"), ("run",)),
    "nsys": ("profile", "launch"),
    "uv": ("run",),
}
"""What runs a command only with one of these as its first word."""
OWN = {"timeout": 1, "taskset": 1, "chrt": 1, "gosu": 1, "flock": 1}
"""How many words stand between the options and the command: a duration, a mask, a priority, a user, a file."""


def prefix(box: Sandbox, name: str, words: list[str]) -> None:
    """Go on as the command."""
    if name in RUNNERS:
        if not words or words[0] not in RUNNERS[name]:
            return
        words = words[1:]
    options, inner = split(name, words)
    inner = inner[OWN.get(name, 0) :]
    if name == "uv":
        if any(option in ("-m", "--module") for option, _ in options):
            inner = ["python", "-m", *inner]
        elif inner and inner[0].endswith(".py"):
            inner = ["python", *inner]
    if name == "flock" and inner and inner[0] in ("-c", "--command"):
        box.shell(inner[1])
    box.become(inner)


def env(box: Sandbox, name: str, words: list[str]) -> None:
    """GNU env, whose options may stand together, and whose -S splits a text into further words."""
    import getopt

    long = ["ignore-environment", "unset=", "chdir=", "split-string=", "null", "debug", "block-signal=", "argv0="]
    options, rest = getopt.getopt(words, "+iu:C:S:0va:", long)
    for option, value in options:
        if option in ("-S", "--split-string"):
            import shlex

            env(box, name, [*shlex.split(value), *rest])
        if option in ("-i", "--ignore-environment"):
            forget()
        elif option in ("-u", "--unset"):
            os.environ.pop(value, None)
    if rest[:1] == ["-"]:
        forget()
        rest = rest[1:]
    inner = assign(rest)
    if inner:
        box.become(inner)
    print("\n".join(f"{key}={value}" for key, value in os.environ.items()))


PREFIXES = {
    **dict.fromkeys(
        "timeout nohup setsid nice ionice stdbuf unbuffer chrt numactl taskset flock gosu time ncu rocprof".split(),
        prefix,
    ),
    **dict.fromkeys(RUNNERS, prefix),
    "env": env,
}

"""One program behind many names: a trainer is written down, a wrapper goes on, the rest says a word at most."""

from __future__ import annotations

import os
import sys

from .process import Sandbox
from .wrappers import WRAPPERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

TRAINERS = (
    *(
        "torchrun",
        "coverage",
        "coverage-3.11",
        "accelerate",
        "deepspeed",
        "deepspeed.py",
        "swift",
        "megatron",
        "llamafactory-cli",
        "xtuner",
    ),
    *("automodel", "python", "python3", "python3.11", "pypy3"),
)
FILE_TOOLS = ("mkdir", "rmdir", "touch", "rm", "cp", "mv", "ln")


def main(folder: str, config: Mapping[str, Any]) -> None:
    """Act as the program of the name that was called, in the sandbox FOLDER."""
    box, name, words = Sandbox(folder, config), os.path.basename(sys.argv[0]), sys.argv[1:]
    status = 0
    if name in TRAINERS:
        status = python(box, name, words) if name.startswith(("python", "pypy")) else box.record(name, words)
    elif name in FILE_TOOLS:
        file_tool(box, name, words)
    elif name in WRAPPERS:
        WRAPPERS[name](box, name, words)
    else:
        said = says(box, name, words)
        if said:
            print(said)
    sys.stdout.flush()
    sys.exit(status)


def python(box: Sandbox, name: str, words: list[str]) -> int:
    """A module or a file is a trainer; code on the command line or on stdin is not, and prints a number at most."""
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] not in ("-", "-c", "-m"):
        at += 2 if words[at] in ("-W", "-X") else 1
    first = words[at] if at < len(words) else "-"
    if first == "-":
        sys.stdin.read()
    elif first != "-c":
        return box.record(name, words)
    elif "print" in "".join(words[at + 1 : at + 2]):
        print(box.machine["gpus"])
    return 0


def file_tool(box: Sandbox, name: str, words: list[str]) -> None:
    """The real one inside the sandbox; nothing, successfully, outside it."""
    places = [os.path.realpath(word) for word in words if not word.startswith("-")]
    if all(place.startswith(box.box + "/") for place in places):
        os.execv(box.real[name], [name, *words])


def says(box: Sandbox, name: str, words: list[str]) -> str:
    """What a program that only prints prints here."""
    machine = box.machine
    if name == "hostname":
        return str(machine["address"] if set(words) & {"-i", "-I", "--ip-address"} else box.hosts[0])
    if name == "nvidia-smi":
        return "\n".join(f"GPU {number}: H100" for number in range(machine["gpus"]))
    if name == "scontrol" and words[:1] == ["show"]:
        return "\n".join(box.hosts)
    fixed = {"date": "date", "whoami": "user", "nproc": "cores", "git": "job"}
    return str(machine[fixed[name]]) if name in fixed else ""

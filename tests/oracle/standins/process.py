"""What every stand-in shares: its sandbox, its environment, and becoming another command.

A launcher starts dozens of stand-ins, so a module is imported only where it is needed.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, NoReturn

KEPT = ("PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "TERM", "BASH_ENV")
"""What another host or a container has of its own, whatever its caller exports."""


class Sandbox:
    """The folder that the launcher runs in, and what it is told about its machine."""

    def __init__(self, box: str, config: Mapping[str, Any]) -> None:
        self.box = box
        self.path: str = config["path"]
        self.real: dict[str, str] = config["real"]
        self.statuses: list[int] = config["statuses"]
        self.starts_ray: bool = config["starts_ray"]
        self.hosts: list[str] = config["hosts"]
        self.machine: dict[str, Any] = config["machine"]
        self.cluster = f"{box}/cluster.json"

    def record(self, program: str, words: Sequence[str]) -> int:
        """Write a trainer's call down; give back the exit status that it shall have."""
        import json

        line = json.dumps({"program": program, "words": list(words), "env": dict(os.environ)}) + "\n"
        log = os.open(f"{self.box}/log", os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(log, line.encode())
        os.close(log)
        with open(f"{self.box}/log") as lines:
            nth = sum(1 for _ in lines) - 1
        return self.statuses[nth] if nth < len(self.statuses) else 0

    def find(self, command: str) -> str | None:
        """The stand-in or tool that COMMAND names, alone or at the end of an absolute path; or a file of the box."""
        for folder in self.path.split(":"):
            program = f"{folder}/{os.path.basename(command)}"
            if (command.startswith("/") or "/" not in command) and os.access(program, os.X_OK):
                return program
        inside = os.path.realpath(command).startswith(self.box + "/")
        return command if "/" in command and inside and os.access(command, os.X_OK) else None

    def become(self, command: Sequence[str]) -> NoReturn:
        """Go on as COMMAND; 127 if there is no such program."""
        program = self.find(command[0]) if command else None
        if program is None:
            sys.exit(127 if command else 0)
        os.environ.setdefault("PATH", self.path)
        os.execv(program, [program, *command[1:]])

    def shell(self, text: str) -> NoReturn:
        """Go on as a shell that runs TEXT."""
        self.become(["bash", "-c", text])


def forget(keep: Iterable[str] = ()) -> None:
    """Drop the caller's environment, but for KEEP."""
    for name in set(os.environ) - set(KEPT) - set(keep):
        del os.environ[name]


def assign(words: Sequence[str]) -> list[str]:
    """Take leading NAME=VALUE words into the environment; give back the others."""
    rest = list(words)
    while rest and "=" in rest[0] and rest[0].partition("=")[0].isidentifier():
        name, _, value = rest.pop(0).partition("=")
        os.environ[name] = value
    return rest


def restore(saved: Mapping[str, str]) -> None:
    """Make SAVED the environment."""
    forget()
    os.environ.update(saved)

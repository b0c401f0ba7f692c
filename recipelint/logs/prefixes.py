"""What launchers put before each line of a process: which process it is, and the line without it."""

from __future__ import annotations

import re
from typing import NamedTuple

from recipelint.ruleset.failures import Logs

DEEPEST = 8
"""Prefixes before one line."""
_ANSI = re.compile(r"\x1b(?:\[[0-9;?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,400}(?:\x07|\x1b\\)|[@-Z\\^_])")


class Process(NamedTuple):
    """Who wrote a line: its global rank where the line says so, and other names for it."""

    rank: int | None = None
    who: str = ""


class Prefixes:
    """Takes apart the lines of a log."""

    def __init__(self, logs: Logs) -> None:
        self.before = [re.compile(pattern) for pattern in logs.prefixes]
        self.after = [re.compile(f"(?:{pattern})$") for pattern in logs.suffixes]

    def split(self, line: str) -> tuple[Process, str]:
        """The process of a line, and what it wrote, without colours."""
        if "\x1b" in line:
            line = _ANSI.sub("", line)
        rank, names = None, []
        for _ in range(DEEPEST):
            found = next((m for pattern in self.before if (m := pattern.match(line))), None)
            if found is None or not found.end():
                break
            groups = found.groupdict()
            if groups.get("rank"):
                rank = int(groups["rank"])
            if groups.get("who"):
                names.append(groups["who"].strip())
            line = line[found.end() :]
        for pattern in self.after:
            at = line.rfind(" [")
            if at >= 0 and pattern.match(line, at):
                line = line[:at]
        return Process(rank, " ".join(names)), line

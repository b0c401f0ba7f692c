"""Workflow commands found in a log as the runner finds them, so that a test can say that there is none.

After ActionCommand.cs and ActionCommandManager.cs of actions/runner: `::name k=v::data` at the start of a line, blanks
before it aside; and the older `##[name k=v]data`, wherever it stands in the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

REGISTERED = frozenset(
    "internal-set-repo-path set-env set-output save-state add-mask add-path add-matcher remove-matcher warning error"
    " notice debug group endgroup echo stop-commands".split()
)
NEW = re.compile(r"::(?P<command>.+?)::(?P<data>.*)\Z", re.DOTALL)
OLD = re.compile(r"##\[(?P<command>[^\]]+)\](?P<data>.*)\Z", re.DOTALL)
OTHERS = re.compile(r"##(?:vso|teamcity)\[")
LINE = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Command:
    """A command as the runner understands it."""

    name: str
    properties: Mapping[str, str]
    data: str


def commands(log: str) -> list[Command]:
    """Every command that the runner would obey in LOG; none between `stop-commands` and its token."""
    obeyed: list[Command] = []
    token = ""
    for line in LINE.split(log):
        if token:
            token = "" if line.strip() == f"::{token}::" else token
            continue
        obeyed += _of_line(line)
        if obeyed and obeyed[-1].name == "stop-commands":
            token = obeyed[-1].data
    return obeyed


def _of_line(line: str) -> Iterator[Command]:
    text = line.lstrip()
    match = NEW.match(text) if text.startswith("::") else None
    if match and (found := _command(match["command"], match["data"], {"%3A": ":", "%2C": ","})):
        yield found
        return
    if (match := OLD.search(line)) and (found := _command(match["command"], match["data"], {"%5D": "]", "%3B": ";"})):
        yield found


def _command(head: str, data: str, others: Mapping[str, str]) -> Command | None:
    name, _, rest = head.strip().partition(" ")
    if name.lower() not in REGISTERED:
        return None
    separator = "," if "%3A" in others else ";"
    pairs = (part.partition("=") for part in rest.split(separator) if "=" in part)
    properties = {key.strip(): _unescape(value, others) for key, _, value in pairs}
    return Command(name.lower(), properties, _unescape(data, {} if separator == "," else others))


def _unescape(text: str, others: Mapping[str, str]) -> str:
    for code, char in {"%0D": "\r", "%0A": "\n", **others, "%25": "%"}.items():
        text = text.replace(code, char)
    return text

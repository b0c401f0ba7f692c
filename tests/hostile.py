"""Launchers by whoever wishes ill: names and text that a terminal, a log, a page or a parser could obey.

`read_back` splits a log as the runner of GitHub Actions does, so that a test can tell what it would obey.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import NamedTuple

from tests.readme_blocks import FIXTURES

NAMES = (
    b"plain.sh",
    b"new\nline.sh",
    b"carriage\rreturn.sh",
    b"::error::pwned.sh",
    b"100%0A,a:b=c.sh",
    b"quote\"'`$(id).sh",
    b"not-utf8-\xff\xfe.sh",
    b"\x1b[31mansi\x1b]0;pwn\x07.sh",
    "bidi-\u202ehs.gnp.sh".encode(),
    "训练 🚀.sh".encode(),
    b"##[command]pwned.sh",
    b"##vso[task.setvariable]x.sh",
    b"${{ secrets.TOKEN }}.sh",
    b"<b onclick='x'>&amp;]]>.sh",
    b" leading and trailing .sh",
    b"@team ![x](http:evil) `code`.sh",
)
FLAGS = (
    b"--x\n::error::pwned",
    b"--\xff\xfe::warning::pwned",
    b"--x\x1b]0;pwn\x07::error file=a,line=1::\xe2\x80\xae",
    b"--x%0A::stop-commands::pwned<b>&amp;@team",
    b"--x${{ secrets.TOKEN }}",
)
LAUNCHER = b"""#!/bin/bash
# ::error::pwned \xe2\x80\xae ##[command]pwned \x1b[31m
echo '\xf0\x9f\x9a\x80 \xe8\xae\xad' ; torchrun -m molt.cli.train_sft --model.model_name_or_path /m --fsdp.ep_size 8 \\
  --model.gradient_checkpoint full
torchrun -m molt.cli.train_sft --model.model_name_or_path /m '%b' 1
torchrun -m molt.cli.train_sft --model.model_name_or_path /m '::error::pwned ##[command]pwned\x1b[31m](1) @team'
"""
COMMANDS = {"error", "warning", "notice", "debug", "group", "endgroup", "add-mask", "stop-commands", "set-output"}


def repository(folder: Path) -> Path:
    """A git repository of the fixture launchers, with hostile ones in `hostile/`."""
    made = Path(shutil.copytree(FIXTURES, folder / "repository"))
    (made / ".git").mkdir()
    (made / "hostile").mkdir()
    for at, name in enumerate(NAMES):
        text = LAUNCHER.replace(b"%b", FLAGS[at % len(FLAGS)])
        (Path(os.fsdecode(os.fsencode(made / "hostile") + b"/" + name))).write_bytes(text)
    return made


class Command(NamedTuple):
    """A workflow command as the runner reads it."""

    name: str
    properties: dict[str, str]
    message: str


def read_back(log: str) -> list[Command]:
    """The commands that GitHub's runner finds in the lines of a log (ActionCommand.TryParseV2 and TryParse)."""
    found = []
    for line in re.split(r"\r\n|\n|\r", log):
        text = line.lstrip()
        assert not re.search(r"##\[|##\w+\[", text), line
        head, separator, message = text[2:].partition("::") if text.startswith("::") else ("", "", "")
        name, _, given = head.partition(" ")
        if not separator or name.lower() not in COMMANDS:
            continue
        pairs = (part.split("=", 1) for part in given.strip().split(",") if "=" in part)
        properties = {key: _decoded(value, property_=True) for key, value in pairs}
        found.append(Command(name, properties, _decoded(message)))
    return found


def _decoded(text: str, *, property_: bool = False) -> str:
    escapes = {"%0D": "\r", "%0A": "\n", **({"%3A": ":", "%2C": ","} if property_ else {}), "%25": "%"}
    for escape, char in escapes.items():
        text = text.replace(escape, char)
    return text

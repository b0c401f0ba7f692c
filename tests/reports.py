"""Reports of real runs, for the tests of the formats: launchers are linted, and the report is made."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from recipelint.discovery import discover
from recipelint.discovery.tree import around
from recipelint.report.formats import FORMATS, render
from recipelint.report.report import Report
from recipelint.run import check
from recipelint.settings import Settings
from recipelint.source import SourceFile

RECIPE = """\
#!/bin/bash
torchrun -m molt.cli.train_sft --model.model_name_or_path /m \\
  --fsdp.ep_size 8 \\
  --model.gradient_checkpoint full
"""
"""One EP001, whose fix adds a comment above line 2 and changes a word in line 4."""


def report(*paths: str, **changes: Any) -> Report:
    """The report of the files below PATHS, from the working directory; CHANGES are fields of Settings."""
    settings = Settings(paths=paths or (".",), verify_fixes=True, **changes)
    found, unread, _ = discover(settings)
    outcome = check(settings, found)
    assert not unread
    root = around(settings.paths, settings.stdin_filename)
    return Report(outcome, root, made=settings.fix, unsafe=settings.unsafe_fixes)


def of_text(text: str | bytes, path: str = "launch.sh", **changes: Any) -> Report:
    """The report of a text that no file holds."""
    data = text.encode() if isinstance(text, str) else text
    settings = Settings(verify_fixes=True, **changes)
    return Report(check(settings, [SourceFile(path, data)]), os.path.realpath("."), unsafe=settings.unsafe_fixes)


def every_format(given: Report) -> dict[str, str]:
    return {name: render(name, given) for name in FORMATS}


def as_lines(data: bytes, first: int, last: int, text: str) -> bytes:
    """DATA with the lines FIRST to LAST replaced by TEXT as a code review service does; an empty one removes them."""
    lines = data.split(b"\n")
    end = b"\r" if text and lines[last - 1].endswith(b"\r") else b""
    lines[first - 1 : last] = (text.encode() + end).split(b"\n") if text else []
    return b"\n".join(lines)


def write(folder: Path, files: dict[str, str | bytes]) -> Sequence[str]:
    """Files of a git repository in FOLDER."""
    (folder / ".git").mkdir(exist_ok=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return sorted(files)

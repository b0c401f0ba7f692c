"""What the runner of GitHub Actions is told: notices, outputs and the summary; nothing of it can be taken for more."""

from __future__ import annotations

import os
import re

from recipelint.report.plain import neutralise

SUMMARY_LIMIT = 900_000
"""Bytes; GitHub drops the whole summary of a step above 1 MiB."""


def say(kind: str, text: str) -> None:
    """An annotation of the run: KIND is error, warning or notice."""
    print(f"::{kind} title=recipelint::{neutralise(text).replace('%', '%25')}", flush=True)


def output(**values: str | int) -> None:
    """Outputs of the step. They are numbers and paths that the action made; others are refused."""
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as file:
        for name, value in values.items():
            if re.search(r"[\r\n]", str(value)):
                raise ValueError(f"the output {name} has a line break")
            file.write(f"{name.replace('_', '-')}={value}\n")


def summary(*parts: str) -> None:
    """Add Markdown to the summary of the step; each part may take an equal share, and says so if it is cut."""
    share = SUMMARY_LIMIT // len(parts)
    with open(os.environ["GITHUB_STEP_SUMMARY"], "a", encoding="utf-8") as file:
        for part in parts:
            file.write(bounded(part, share) + "\n")


def bounded(text: str, limit: int) -> str:
    """Whole lines of TEXT of at most LIMIT bytes, and how many are left out."""
    lines, size, kept = text.splitlines(keepends=True), 0, 0
    while kept < len(lines) and size + len(lines[kept].encode()) <= limit:
        size += len(lines[kept].encode())
        kept += 1
    if kept == len(lines):
        return text
    return (
        "".join(lines[:kept])
        + f"\nThe summary of a step is limited: {len(lines) - kept} more lines are left out here.\n"
    )

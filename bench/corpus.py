"""Launchers to measure with, made of those at hand: the same bytes every time, and no two of them alike."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

DEFAULT = re.compile(r"(:-)(\d+)(\})")
FLAG = re.compile(r"  --(?:logger|eval|algo|rollout)\.\S+ \S+(?: \\)?$")


def varied(text: str, random: Random) -> str:
    """A launcher with other numbers, some flags left out, and other comments."""
    text = DEFAULT.sub(lambda found: f"{found[1]}{random.choice([1, 2, 4, 8, 16])}{found[3]}", text)
    lines: list[str] = []
    for line in text.split("\n"):
        if FLAG.match(line) and random.random() < 0.1:
            continue
        if line.startswith("# ") and random.random() < 0.05:
            lines.append(f"# note {random.random()}")
        lines.append(line)
    return "\n".join(lines)


def many(models: Sequence[str], count: int, folder: Path) -> Path:
    """A folder of COUNT launchers."""
    random = Random(1)
    folder.mkdir(parents=True)
    for number, text in enumerate(endless(models, random)):
        if number == count:
            break
        (folder / f"l{number:05}.sh").write_text(text, "utf-8")
    return folder


def long(models: Sequence[str], lines: int, file: Path) -> Path:
    """One launcher of about so many lines: whole launchers, end to end."""
    text: list[str] = []
    for one in endless(models, Random(2)):
        text += one.split("\n")
        if len(text) >= lines:
            break
    file.write_text("\n".join(text) + "\n", "utf-8")
    return file


def endless(models: Sequence[str], random: Random) -> Iterator[str]:
    while True:
        for text in models:
            yield varied(text, random)

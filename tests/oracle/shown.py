"""What `recipelint show` says of a launcher, and whether it is what bash does."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .cases import ENTRY_POINTS, Case, Pair

DECOYS = {
    "MOLT_MOE_DISPATCHER": "torch",
    "GRAD_CHECKPOINT": "none",
    "EP_SIZE": "1",
    "EP": "1",
    "MODE": "none",
    "EXPERTS": "3",
    "WEIGHTS": "/decoy",
}
"""In recipelint's own environment, which it may not read."""

REPOSITORY = Path(__file__).parent.parent.parent

Shown = Mapping[str, Any]


def recipelint(tree: Path, *words: str) -> tuple[int, str]:
    """Run recipelint in TREE; its exit status and its output. Raises AssertionError where the status is 2 or worse."""
    env = {**os.environ, **DECOYS, "PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, "-m", "recipelint", *words]
    done = subprocess.run(command, cwd=tree, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode in (0, 1), f"{' '.join(words)} ended with {done.returncode}: {done.stderr[-2000:]}"
    return done.returncode, done.stdout


def show(case: Case, tree: Path) -> list[Shown]:
    """The launches of a molt trainer that recipelint sees in a case."""
    told = [word for name, value in case.env.items() for word in ("--env", f"{name}={value}")]
    told += [f"--arg={word}" for word in case.args]
    _, output = recipelint(tree, "show", "--output-format", "json", *told, case.launcher)
    found = [launch for file in json.loads(output)["files"] for launch in file["launches"]]
    return [launch for launch in found if launch["entry_point"] in ENTRY_POINTS]


def literal_parts(text: str) -> Iterator[str]:
    """The parts of an unknown word's text between its unknown pieces, `${NAME}` and `$(command)`."""
    start = at = 0
    while at < len(text):
        if text.startswith(("${", "$("), at):
            yield text[start:at]
            opening, closing = text[at + 1], {"{": "}", "(": ")"}[text[at + 1]]
            depth, at = 1, at + 2
            while at < len(text) and depth:
                depth += (text[at] == opening) - (text[at] == closing)
                at += 1
            start = at
        else:
            at += 1
    yield text[start:]


def fits(shown: Shown, real: str) -> bool:
    """Whether a shown word or value agrees with bash's; an unknown piece may stand for anything."""
    if not shown.get("unknown"):
        return bool(shown["text"] == real)
    return re.fullmatch(".*".join(map(re.escape, literal_parts(shown["text"]))), real, re.DOTALL) is not None


def words_differ(shown: Sequence[Shown], pair: Pair, excused: Mapping[str, str]) -> str:
    """How the shown words differ from bash's, or ''. A word that bash has alike on both machines must be known."""
    here, there = pair[0].argv, pair[1].argv
    if any(word.get("many") for word in shown):
        pattern = "".join(
            "(?:[^\0]*\0)*" if word.get("many") else ".*".join(map(re.escape, literal_parts(word["text"]))) + "\0"
            for word in shown
        )
        fit = re.fullmatch(pattern, "".join(word + "\0" for word in here), re.DOTALL)
        alike = [word for word in here if word in there and word not in {x["text"] for x in shown}]
        lost = [word for word in alike if word not in excused]
        return "" if fit and not lost else f"{lost} are not known" if fit else f"bash has {list(here)}"
    for number, (word, real) in enumerate(zip(shown, here, strict=False)):
        if not fits(word, real):
            return f"word {number} is {word['text']!r}, bash has {real!r}"
        if word.get("unknown") and real == there[number] and real not in excused:
            return f"word {number}, {real!r}, is shown as unknown: {word['text']!r}"
    return "" if len(shown) == len(here) else f"{len(shown)} words, bash has {len(here)}"


def environment_differs(shown: Mapping[str, Shown | None], pair: Pair) -> str:
    """How the shown environment differs from bash's, or ''. What the launcher sets must be shown."""
    here, there = pair[0].env, pair[1].env
    for name, value in shown.items():
        if value is None:
            if name in here:
                return f"{name} is not removed, bash has {here[name]!r}"
        elif name not in here and value.get("unknown"):
            continue  # it may be anything, or not be there
        elif name not in here:
            return f"{name} is {value['text']!r}, bash has none"
        elif not fits(value, here[name]):
            return f"{name} is {value['text']!r}, bash has {here[name]!r}"
        elif (
            value.get("unknown")
            and here[name] == there.get(name)
            and "/box/home" not in here[name]
            and name not in pair[0].ambient
        ):
            return f"{name}, {here[name]!r}, is shown as unknown"
    missing = sorted(set(here) - pair[0].ambient - set(shown))
    return f"{missing} of the environment are not shown" if missing else ""


def differs(shown: Shown, pair: Pair, excused: Mapping[str, str]) -> str:
    """How a shown launch differs from one of bash's, or ''."""
    if shown["entry_point"] != pair[0].entry_point:
        return f"the entry point is {shown['entry_point']}"
    return words_differ(shown["argv"], pair, excused) or environment_differs(shown["env"], pair)

"""Every wrapper and program of rules/launchers.yaml under bash: the table in wrapped.txt, judged word for word.

An entry, a name, or an option that changes the environment or the input, that no line tries makes a test fail.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from recipelint.cli.commands import app
from recipelint.ruleset.load import load

from . import RecordedLaunch, launches
from .sandbox import STANDINS, TOOLS
from .shown import differs

TABLE = Path(__file__).with_name("wrapped.txt")
SHORT = {
    "@T": "torchrun -m molt.cli.train_sft",
    "@P": "python3 -m molt.cli.train_sft",
    "@E": "export A=1 B='two words'\n",
    "¶": "\n",
}
OPTIONS = (
    "keep",
    "drop",
    "set",
    "unset",
    "export",
    "text",
    "program",
    "attach",
    "no_input",
    "unread",
    "two_values",
    "words",
    "module",
)
"""The lists of options in an entry of which each must be tried."""
FILE = re.compile(r"^#@ (\S+)\n", re.MULTILINE)


class Line(NamedTuple):
    number: int
    entry: str
    text: str
    differs: str

    @property
    def folder(self) -> str:
        return f"line{self.number}"


def lines() -> Iterator[Line]:
    reason = ""
    for number, line in enumerate(TABLE.read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("differs: "):
            reason = line.removeprefix("differs: ")
        elif line and not line.startswith("#"):
            entry, _, text = line.partition(": ")
            for short, long in SHORT.items():
                text = text.replace(short, long)
            yield Line(number, entry, text + "\n", reason)
            reason = ""


LINES = list(lines())


def entries() -> dict[str, dict[str, Any]]:
    """The entries of rules/launchers.yaml that start or wrap something."""
    rules = load().launchers
    tables = {**rules["programs"], **rules["wrappers"], **{name: {} for name in rules["commands"]}}
    return {
        **{key: dict(entry or {}) for key, entry in tables.items()},
        "ray": dict(rules["ray"]),
        "bash": dict(rules["shells"]),
    }


def tried(entry: str) -> str:
    return "\n".join(line.text for line in LINES if line.entry == entry)


def mentioned(word: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


@pytest.mark.parametrize("entry", entries())
def test_every_entry_is_tried(entry: str) -> None:
    """By each of its names, with each option that decides what gets through, and under a stand-in."""
    rules, text = entries()[entry], tried(entry)
    assert text, f"no line of {TABLE.name} tries {entry}"
    for name in rules.get("names", [entry]):
        name = name.replace(".*", ".11").replace("*", ".11")
        assert mentioned(name, text), f"{name} is not tried"
        assert name in f"{STANDINS} {TOOLS}".split(), f"{name} has no stand-in"
    for module in rules.get("modules", ()):
        assert mentioned(module, text), f"{module} is not tried"
    for key in OPTIONS:
        for option in rules.get(key, ()):
            assert all(word in text for word in option.split()), f"{key}: {option} is not tried"
    for subcommand in rules.get("subcommands", ()):
        assert any(mentioned(f"{name} {subcommand}", text) for name in rules.get("names", [entry]))


def test_the_table_is_of_entries() -> None:
    assert {line.entry for line in LINES} == set(entries())


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, list[dict[str, Any]]]]:
    """The launchers of the table, each in a folder of its own, and what recipelint shows of each."""
    tree = tmp_path_factory.mktemp("wrapped")
    for line in LINES:
        folder = tree / line.folder
        folder.mkdir()
        launcher, *others = FILE.split(line.text)
        (folder / "run.sh").write_text(launcher)
        for name, text in zip(others[::2], others[1::2], strict=True):
            (folder / name).write_text(text)
    found, folder, runner = {}, Path.cwd(), CliRunner()
    for line in LINES:
        os.chdir(tree / line.folder)
        output = runner.invoke(app, ["show", "--output-format", "json", "run.sh"], catch_exceptions=False).stdout
        found[line.folder] = json.loads(output)["files"][0]["launches"]
    os.chdir(folder)
    return tree, found


def key(launch: RecordedLaunch) -> object:
    return launch.entry_point, launch.argv, tuple(sorted(launch.env.items()))


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(
            line,
            marks=[pytest.mark.xfail(strict=True, reason=line.differs, raises=AssertionError)] if line.differs else [],
            id=f"{line.number}: {line.text[:60]!r}",
        )
        for line in LINES
    ],
)
def test_agrees_with_bash(line: Line, shown: tuple[Path, dict[str, list[dict[str, Any]]]]) -> None:
    tree, found = shown
    real = {key(one): one for one in launches(tree / line.folder, "run.sh")}.values()
    ours = found[line.folder]
    assert ours or not real
    for one in real:
        reasons = [differs(launch, (one, one), {}) for launch in ours]
        assert "" in reasons, f"bash's {one.entry_point} {one.argv} is not shown: {reasons}"
    for launch in ours:
        reasons = [differs(launch, (one, one), {}) for one in real]
        assert "" in reasons, f"bash never makes {launch['argv']}: {reasons}"

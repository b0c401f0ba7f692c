"""A launcher that bash cannot read: what it runs before it notices, and what recipelint still sees behind that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from . import launches
from .shown import recipelint

Seen = tuple[str, bool]


def seen(tree: Path) -> tuple[list[int], list[Seen]]:
    """The lines that cannot be read; and of each launch its words, and whether bash comes to it for sure."""
    _, output = recipelint(tree, "show", "--output-format", "json", "run.sh")
    (file,) = json.loads(output)["files"]
    assert file["complete"] is not any(one["code"] == "SH001" for one in file["diagnostics"])
    lines = [one["start"]["line"] for one in file["diagnostics"] if one["code"] == "SH001"]
    return lines, [
        (" ".join([one["entry_point"], *(word["text"] for word in one["argv"])]), one["certain"])
        for one in file["launches"]
    ]


@pytest.mark.parametrize(
    ("text", "lines", "found"),
    [
        pytest.param(
            "torchrun a.py\nDATA=<your data>\ntorchrun b.py --data $DATA\n",
            [2],
            [("a.py", True), ("b.py --data ${DATA}", False)],
            id="a placeholder",
        ),
        pytest.param(
            "torchrun a.py\nfor m in x y; do\n  OUT=<out>\n  torchrun b.py --m $m\ndone\ntorchrun c.py\n",
            [3],
            [("a.py", True), ("b.py --m x", False), ("b.py --m y", False), ("c.py", False)],
            id="inside of a loop, of which bash runs nothing",
        ),
        pytest.param(
            "torchrun a.py\nif [[ a b ]]; then\n  torchrun b.py\nfi\ntorchrun c.py\n",
            [2],
            [("a.py", True), ("c.py", False)],
            id="a condition takes its command with it",
        ),
        pytest.param(
            "torchrun a.py\necho )\ntorchrun b.py &&& torchrun c.py\n  torchrun d.py\n",
            [2, 3],
            [("a.py", True), ("d.py", False)],
            id="two",
        ),
        pytest.param(
            "torchrun a.py\ntorchrun b.py --x ( \\\n  --y 1\ntorchrun c.py\n",
            [2],
            [("a.py", True), ("c.py", False)],
            id="a continued line",
        ),
        pytest.param('torchrun a.py\necho "x\ntorchrun b.py\n', [2], [("a.py", True)], id="a quote takes the rest"),
        pytest.param("torchrun a.py\nif true; then\n  torchrun b.py\n", [2], [("a.py", True)], id="so does an if"),
        pytest.param("torchrun a.py\n", [], [("a.py", True)], id="noop"),
    ],
)
def test_around_what_cannot_be_read(tmp_path: Path, text: str, lines: list[int], found: list[Seen]) -> None:
    (tmp_path / "run.sh").write_text(text)
    assert seen(tmp_path) == (lines, found)
    real = [" ".join([launch.entry_point, *launch.argv]) for launch in launches(tmp_path, "run.sh")]
    assert real == [words for words, certain in found if certain]


@pytest.mark.parametrize(
    "text",
    [
        "eval 'torchrun a.py\necho )\ntorchrun b.py'\ntorchrun c.py\n",
        ". ./part.sh\ntorchrun c.py\n",
        "bash -c 'torchrun a.py\necho )\ntorchrun b.py'\ntorchrun c.py\n",
        "bash part.sh\ntorchrun c.py\n",
    ],
)
def test_another_text_ends_alone(tmp_path: Path, text: str) -> None:
    """A text or a file that bash cannot read to its end takes nothing of the launcher with it."""
    (tmp_path / "run.sh").write_text(text)
    (tmp_path / "part.sh").write_text("torchrun a.py\necho )\ntorchrun b.py\n")
    real = [launch.entry_point for launch in launches(tmp_path, "run.sh")]
    assert real == ["a.py", "c.py"]
    assert [words for words, certain in seen(tmp_path)[1] if certain] == real


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("if true; then\n  torchrun a.py\n", 1, "no 'fi' for the 'if' that starts here"),
        ("echo\nfor m in x; do\n  torchrun a.py\n", 2, "no 'done' for the 'for' that starts here"),
        ("while true\n", 1, "no 'done' for the 'while' that starts here"),
        ("case x in\n  x) torchrun a.py\n", 1, "no 'esac' for the 'case' that starts here"),
        ("f() {\n  torchrun a.py\n", 1, "no '}' for the '{' that starts here"),
        ("while true; do\n  if true; then\n    torchrun a.py\n", 2, "no 'fi' for the 'if' that starts here"),
    ],
)
def test_what_has_no_end_is_named_where_it_starts(tmp_path: Path, text: str, line: int, said: str) -> None:
    (tmp_path / "run.sh").write_text(text)
    _, output = recipelint(tmp_path, "check", "--output-format", "json", "run.sh")
    (one,) = json.loads(output)["diagnostics"]
    assert (one["code"], one["start"]["line"]) == ("SH001", line)
    assert said in one["message"]

"""Patches: git takes them, and a terminal is safe from them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from recipelint.outcome import Change
from recipelint.report.diff import patch, render
from recipelint.report.style import Stream

CASES = {
    "plain": (b"a\nb\nfull\nc\n", b"a\nb\n# why\nnone\nc\n"),
    "crlf": (b"a\r\nfull\r\nb\r\n", b"a\r\nnone\r\nb\r\n"),
    "no-last-newline": (b"a\nfull", b"a\nnone"),
    "context-without-newline": (b"full\na", b"none\na"),
    "not-text": (b"\xff\xfe\x1b[31m\x0c\x0b\nfull\n\x85\n", b"\xff\xfe\x1b[31m\x0c\x0b\nnone\n\x85\n"),
    "lone-cr": (b"a\rb\nfull\rx\n", b"a\rb\nnone\rx\n"),
    "far-apart": (b"full\n" + b"x\n" * 50 + b"full\n", b"none\n" + b"x\n" * 50 + b"none\n"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def applied(changes: tuple[Change, ...]) -> list[bytes]:
    for change in changes:
        os.makedirs(os.path.dirname(os.path.abspath(change.path)), exist_ok=True)
        Path(change.path).write_bytes(change.before)
    done = subprocess.run(["git", "apply", "--verbose", "-"], input=patch(changes), capture_output=True)
    assert done.returncode == 0, done.stderr
    return [Path(change.path).read_bytes() for change in changes]


@pytest.mark.parametrize("case", CASES)
def test_git_applies_the_patch(case: str, folder: Path) -> None:
    before, after = CASES[case]
    assert applied((Change("scripts/x.sh", before, after),)) == [after]


@pytest.mark.parametrize("name", ["a b.sh", 'quo"te\\.sh', "tab\t.sh", "训练.sh", "\udcff.sh", "./dot.sh"])
def test_names_are_written_as_git_reads_them(name: str, folder: Path) -> None:
    assert applied((Change(name, b"full\n", b"none\n"),)) == [b"none\n"]


def test_an_absolute_path_is_made_relative(folder: Path) -> None:
    changes = (Change(str(folder / "x.sh"), b"full\n", b"none\n"), Change("y.sh", b"a\n", b"b\n"))
    assert patch(changes).startswith(b"--- a/x.sh\n+++ b/x.sh\n@@ -1 +1 @@\n-full\n+none\n--- a/y.sh\n")
    assert applied(changes) == [b"none\n", b"b\n"]


def test_a_file_outside_the_working_directory_has_its_whole_path(folder: Path) -> None:
    assert patch((Change("/elsewhere/x.sh", b"a\n", b"b\n"),)).startswith(b"--- a/elsewhere/x.sh\n")


def test_a_terminal_gets_colour_and_no_control_characters(folder: Path) -> None:
    change = Change("x\x1b.sh", b"\tx\x1b[2J ::error::\r\nfull\r\n", b"\tx\x1b[2J ::error::\r\nnone\r\n")
    assert render((change,), Stream()).splitlines() == [
        '--- "a/x\\033.sh"',
        '+++ "b/x\\033.sh"',
        "@@ -1,2 +1,2 @@",
        "    x\\x1b[2J :\\x3aerror:\\x3a",
        "-full",
        "+none",
    ]
    assert "\x1b[1;32m+none\x1b[0m" in render((change,), Stream(colour=True))

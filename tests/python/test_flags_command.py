"""`recipelint flags`: where it looks, what it prints, and what it says of a trainer that is not there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from recipelint.cli.commands import app
from recipelint.cli.terminal import run as run_app
from recipelint.python.schema import UNKNOWN, Flag, Schema
from recipelint.report import flags as report
from recipelint.report.style import Stream
from recipelint.source import Location, SourceFile, Span

TRAINER = """import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--size", type=int, default=1, choices=[1, 2])
parser.parse_args()
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "train.py").write_text(TRAINER)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def flags(*args: str) -> Result:
    return CliRunner().invoke(app, ["flags", *args])


@pytest.mark.parametrize("how", ["pkg.train", "pkg/train.py", "./pkg/train.py"])
def test_a_module_or_a_path_is_found(how: str, repository: Path) -> None:
    result = flags(how)
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        f"{how} (pkg/train.py), 2 flags",
        "complete: a flag that is not here is refused",
        "",
        "  -h, --help                          prints help           pkg/train.py:3",
        "  --size                              int                   pkg/train.py:4",
        "      default 1, one of 1 2",
    ]


def test_a_folder_below_the_root_is_searched_as_the_root_is(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "pkg")
    assert "(pkg/train.py)" in flags("pkg.train").output
    assert "(pkg/train.py)" in flags("train.py").output
    assert "(pkg/train.py)" in flags(str(repository / "pkg" / "train.py")).output
    assert "(train.py)" in flags("train").output


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("pkg.trian", "there is no trainer 'pkg.trian' in this folder; did you mean 'pkg.train'?"),
        ("pkg/trian.py", "pkg/trian.py: no such file; did you mean 'pkg/train.py'?"),
        ("nothing", "there is no trainer 'nothing' in this folder"),
        ("/nothing.py", "/nothing.py: no such file"),
        ("pkg/notes", "pkg/notes: is no Python file"),
        ("pkg/nul.py", "pkg/nul.py: is binary"),
        ("pkg.nul", "pkg/nul.py: is binary"),
        ("./pkg/big.py", "./pkg/big.py: is larger than 2 MiB"),
        ("pkg.big", "pkg/big.py: is larger than 2 MiB"),
        ("pkg/folder.py", "pkg/folder.py: is a folder"),
    ],
)
def test_a_trainer_that_is_not_there_is_a_2(
    how: str, message: str, repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "pkg" / "notes").write_text("x")
    (repository / "pkg" / "nul.py").write_bytes(b"import argparse\n\0")
    (repository / "pkg" / "big.py").write_bytes(b"#" * (2 * 1024 * 1024 + 1))
    (repository / "pkg" / "folder.py").mkdir()
    assert run_app(app, ["flags", how]) == 2
    assert capsys.readouterr().err == f"recipelint: error: {message}\n"


def test_a_subcommand_without_a_name_is_called_what_it_is(repository: Path) -> None:
    text = TRAINER.replace("parser.parse_args", 'parser.add_subparsers().add_parser("run")\nparser.parse_args')
    (repository / "pkg" / "train.py").write_text(text)
    output = flags("pkg.train").output
    assert "  the subcommand                      command               pkg/train.py:5" in output.splitlines()
    assert "SUPPRESS" not in output


def test_a_link_out_of_the_repository_is_no_trainer(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "train.py"
    outside.write_text(TRAINER)
    (repository / "pkg" / "link.py").symlink_to(outside)
    assert flags("pkg.link").exit_code == 2


def test_json_has_the_place_and_says_what_is_unknown(repository: Path) -> None:
    (repository / "t.py").write_text(TRAINER.replace("default=1", "default=input()"))
    result = json.loads(flags("t.py", "--output-format", "json").output)
    assert (result["version"], result["entry_point"], result["complete"]) == (1, "t.py", True)
    size = result["flags"][1]
    assert size["choices"] == [1, 2]
    assert (size["default"], size["unknown"]) == (None, ["default"])
    assert (size["path"], size["start"]) == ("t.py", {"line": 4, "column": 1})


def test_what_the_source_says_is_harmless_on_a_terminal(repository: Path) -> None:
    (repository / "t.py").write_text(TRAINER.replace("--size", "--s\\x1b[31m::error").replace("[1, 2]", "['\\x1b']"))
    output = flags("t.py").output
    assert "\x1b" not in output
    assert "::error" not in output
    assert "--s\\x1b[31m:\\x3aerror" in output


def flag(**facts: Any) -> Flag:
    made = Flag(
        names=("--x",),
        dest="x",
        action="store",
        type=None,
        nargs=None,
        const=None,
        default=None,
        choices=None,
        required=False,
        location=Location(SourceFile("t.py", b"x"), Span(0, 1)),
    )
    return made._replace(**facts)


@pytest.mark.parametrize(
    ("facts", "shown"),
    [
        ({}, ["text"]),
        ({"nargs": 2, "type": "float", "default": (0.5, float("inf"))}, ["float float", "default (0.5, inf)"]),
        ({"nargs": "?", "const": "full", "default": "none"}, ["[text]", "default none, alone full"]),
        ({"nargs": "*"}, ["[text …]"]),
        ({"nargs": "+"}, ["text …"]),
        ({"nargs": 7}, ["text × 7"]),
        ({"open": True, "default": UNKNOWN}, ["text, unknown number", "default unknown"]),
        ({"action": "store_true", "nargs": 0, "const": True, "default": False}, ["switch"]),
        ({"action": "store_true", "nargs": 0, "const": True, "default": True}, ["switch", "default true"]),
        ({"action": "store_const", "nargs": 0, "const": 3}, ["switch", "means 3"]),
        ({"action": "append", "required": True}, ["text", "required, repeatable"]),
        ({"choices": UNKNOWN}, ["text", "choices unknown"]),
        ({"choices": ("a b", "")}, ["text", 'one of "a b" ""']),
        ({"dest": "y", "exclusive": "group 1"}, ["text", "sets y, exclusive (group 1)"]),
        ({"action": "custom"}, ["text", "an action of its own"]),
    ],
)
def test_how_a_flag_is_written(facts: dict[str, object], shown: list[str]) -> None:
    schema = Schema("t.py", "t.py", True, (flag(**facts),), True, False, "-", (), {}, ())
    lines = report.text(schema, Stream()).splitlines()[3:]
    assert [lines[0].removeprefix("  --x").removesuffix("t.py:1").strip(), *map(str.strip, lines[1:])] == shown


def test_an_open_schema_says_why() -> None:
    schema = Schema("t.py", "t.py", False, (), False, False, "-", ("t.py:1: because",), {}, ())
    assert report.text(schema, Stream()) == (
        "t.py (t.py), 0 flags\nopen: not all of it can be read\n  t.py:1: because\nabbreviations are refused\n"
    )


def test_infinity_is_text_in_json() -> None:
    schema = Schema("t.py", "t.py", True, (flag(default=float("-inf")),), True, True, "-", (), {}, ())
    assert json.loads(report.as_json(schema))["flags"][0]["default"] == "-inf"

"""Trainers of many shapes: what is read of them is what argparse holds when they run."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from recipelint.python.schema import Schema
from tests.python.comparing import assert_equal, built, read
from tests.readme_blocks import FIXTURES, ROOT

TRAINERS = ROOT / "tests" / "fixtures" / "trainers"
SHAPES = [
    "actions.py",
    "deciding.py",
    "defaults.py",
    "friend.py",
    "groups.py",
    "known.py",
    "layout.train",
    "loops.py",
    "objects.py",
    "parents.py",
    "pkg.train",
    "prefixed.py",
    "signs.py",
    "subcommands.py",
]
UNREAD = [("--callable", "default"), ("--logger.wandb.run_name", "default")]
MOLT = ["molt.cli.train_sft", "molt.cli.train_rl_ray"]


@pytest.mark.parametrize("entry_point", SHAPES)
def test_a_trainer_is_read_as_it_is_built(entry_point: str) -> None:
    assert_equal(read(TRAINERS, entry_point), built(TRAINERS, entry_point), UNREAD)


def test_every_trainer_is_tried() -> None:
    tried = {name for name in SHAPES if name.endswith(".py")}
    assert {path.name for path in TRAINERS.glob("*.py")} == tried


@pytest.mark.parametrize("entry_point", MOLT)
def test_the_trainers_of_the_fixtures_are_read_as_they_are_built(entry_point: str) -> None:
    assert_equal(read(FIXTURES, entry_point), built(FIXTURES, entry_point), UNREAD)


@pytest.mark.parametrize("entry_point", MOLT)
def test_the_trainers_of_the_fixtures_are_those_of_the_rules(entry_point: str) -> None:
    schema = read(FIXTURES, entry_point)
    rules = YAML(typ="safe").load((ROOT / "rules" / "frameworks" / "molt.yaml").read_text("utf-8"))
    known = rules["entry_points"][entry_point]
    words = {"switch": 0, "value": None, "pair": 2, "optional": "?"}
    expected = {name: words[kind] for kind, names in known["flags"].items() for name in names}
    assert {name: flag.nargs for flag in schema.flags if flag.dest != "help" for name in flag.names} == expected
    flags = {name: flag for flag in schema.flags for name in flag.names}
    for facts in known["settings"].values():
        if "flag" in facts:
            default = {"off": False}.get(facts.get("default"), facts.get("default"))
            assert flags[facts["flag"]].default == default


def test_a_place_is_that_of_the_call() -> None:
    flag = next(flag for flag in read(TRAINERS, "pkg.train").flags if flag.dest == "sibling")
    assert flag.location.path == "pkg/train/sibling.py"
    assert (flag.location.start, flag.location.end) == ((5, 5), (5, 59))


def test_how_many_words_may_follow() -> None:
    flags = {flag.names[0]: (flag.least, flag.most) for flag in read(TRAINERS, "actions.py").flags}
    expected = {"--on": (0, 0), "--tag": (1, 1), "--tags": (1, None), "--checkpoint": (0, 1), "--pair": (2, 2)}
    assert {name: flags[name] for name in expected} == expected
    assert (flags["files"], flags["rest"]) == ((0, None), (0, None))


def test_the_files_that_were_read_are_named() -> None:
    schema = read(TRAINERS, "layout.train")
    assert [source.path for source in schema.sources] == ["src/layout/train.py", "src/layout/common.py"]
    assert schema.path == "src/layout/train.py"


def names(schema: Schema) -> list[str]:
    return [name for flag in schema.flags for name in flag.names]


def test_a_byte_order_mark_moves_no_place(tmp_path: Path) -> None:
    text = 'import argparse\np = argparse.ArgumentParser(add_help=False)\np.add_argument("--a")\np.parse_args()\n'
    (tmp_path / "t.py").write_bytes(b"\xef\xbb\xbf" + text.encode())
    (flag,) = read(tmp_path, "t.py").flags
    assert flag.location.start == (3, 1)

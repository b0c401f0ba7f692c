"""Trainers made of statements in any order: whatever is read for certain is what argparse holds when they run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from recipelint.python.trainer import schema_of
from tests.python.comparing import BUILD, UNREAD, reader, shown
from tests.python.composed import MODULE, trainer

TRAINERS = 150
OUTSIDE = ("getpid", "environ", "sort()", "remove(", "insert(", "*rest")
"""What makes a value unknown, and perhaps the names of flags."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("composed")
    (made / "mod.py").write_text(MODULE)
    for seed in range(TRAINERS):
        (made / f"t{seed}.py").write_text(trainer(seed))
    return made


@pytest.fixture(scope="module")
def built(folder: Path) -> list[dict[str, Any] | None]:
    """What each trainer builds; None for one that raises. One process runs them all."""
    code = f"""
import json, runpy, sys
sys.path[:0] = [{str(folder)!r}, {str(BUILD.parent)!r}]
import argparse, build

class Done(BaseException):
    pass

def reads(parser, *args, **options):
    raise Done(build.described(parser, known_only=False))

argparse.ArgumentParser.parse_args = reads
for seed in range({TRAINERS}):
    sys.modules.pop("mod", None)
    made = None
    try:
        runpy.run_path(f"{folder}/t{{seed}}.py", run_name="__main__")
    except Done as done:
        made = done.args[0]
    except Exception:
        pass
    print(json.dumps(made))
"""
    command = [sys.executable, "-B", "-W", "ignore", "-c", code]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_what_is_read_for_certain_is_so(folder: Path, built: list[dict[str, Any] | None]) -> None:
    complete = 0
    for seed, parser in enumerate(built):
        schema = schema_of(f"t{seed}.py", reader(folder))
        assert schema is not None
        if parser is None or not schema.complete:
            continue
        complete += 1
        names = [list(flag.names) for flag in schema.flags]
        assert names == [action["names"] for action in parser["actions"]], trainer(seed)
        for flag, action in zip(schema.flags, parser["actions"], strict=True):
            read = shown(flag, action)
            known = {key: value for key, value in read.items() if value != UNREAD and key != "exclusive"}
            if flag.open:
                known = {key: value for key, value in known.items() if key not in ("nargs", "required")}
            assert known == {key: action[key] for key in known}, trainer(seed)
    assert complete > len(built) / 2


def test_what_depends_on_nothing_outside_is_read_in_full(folder: Path, built: list[dict[str, Any] | None]) -> None:
    tried = 0
    for seed, parser in enumerate(built):
        if parser is not None and not any(word in trainer(seed) for word in OUTSIDE):
            tried += 1
            schema = schema_of(f"t{seed}.py", reader(folder))
            assert schema is not None
            assert schema.complete, (schema.reasons, trainer(seed))
    assert tried > 10

"""A schema that was read beside the parser that the same trainer really builds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from recipelint.python.schema import UNKNOWN, Flag, Schema
from recipelint.python.trainer import schema_of
from recipelint.source import SourceFile

BUILD = Path(__file__).parent / "build.py"
UNREAD = {"not a literal": True}
MAY_BE_ABSENT = ("?", "*", "...")


def reader(root: Path) -> Callable[[str], SourceFile | None]:
    """The files of a folder."""

    def read(path: str) -> SourceFile | None:
        file = root / path
        return SourceFile(path, file.read_bytes()) if file.is_file() else None

    return read


def read(root: Path, entry_point: str) -> Schema:
    schema = schema_of(entry_point, reader(root))
    assert schema is not None
    return schema


def built(root: Path, entry_point: str) -> dict[str, Any]:
    """What argparse holds when the trainer reads its command line."""
    done = subprocess.run(
        [sys.executable, "-B", str(BUILD), entry_point],
        cwd=root,
        env={"PATH": os.environ.get("PATH", ""), "PYTHONPATH": os.pathsep.join([str(root), str(root / "src")])},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def assert_equal(schema: Schema, parser: dict[str, Any], unread: Collection[tuple[str, str]] = ()) -> None:
    """Everything that argparse knows, the schema says, and the same.

    UNREAD names what only running tells: that must be UNKNOWN, and nothing else may be.
    """
    assert schema.complete, schema.reasons
    facts = (schema.allow_abbrev, schema.known_only, schema.prefix_chars)
    assert facts == (parser["allow_abbrev"], parser["known_only"], parser["prefix_chars"])
    read_names = [list(flag.names) for flag in schema.flags]
    assert read_names == [action["names"] for action in parser["actions"]]
    groups: dict[str | None, int | None] = {None: None}
    for flag, action in zip(schema.flags, parser["actions"], strict=True):
        groups.setdefault(flag.exclusive, action["exclusive"])
        real = dict.fromkeys((key for name, key in unread if name in flag.names), UNREAD)
        assert shown(flag, action) == {**action, **real, "exclusive": None}
        assert groups[flag.exclusive] == action["exclusive"]
    assert len(set(groups.values())) == len(groups)
    assert list(schema.subcommands) == list(parser["subcommands"])
    for name, one in schema.subcommands.items():
        assert_equal(one, parser["subcommands"][name], unread)


def shown(flag: Flag, action: dict[str, Any]) -> dict[str, Any]:
    """A flag in the words of `build.py`."""
    result: dict[str, Any] = {
        "names": list(flag.names),
        "dest": flag.dest,
        "action": flag.action,
        "type": action["type"] if same_type(flag.type, action["type"]) else flag.type,
        "nargs": flag.nargs,
        "const": listed(flag.const),
        "default": listed(flag.default),
        "choices": listed(flag.choices),
        "required": flag.required,
        "positional": flag.positional,
        "exclusive": None,
    }
    if flag.positional and flag.nargs in MAY_BE_ABSENT:
        result["required"] = action["required"]  # what argparse writes there changed with Python 3.13, to no effect
    if isinstance(result["choices"], list) and sorted(action["choices"] or (), key=repr) == action["choices"]:
        result["choices"] = sorted(result["choices"], key=repr)
    return result


def same_type(read: str | None, real: str | None) -> bool:
    """`json.loads` and `lambda word: …` as argparse sees them: `loads`, `<lambda>`."""
    if read is None or real is None:
        return read is real
    return read.split(".")[-1] == real or (real == "<lambda>" and read.startswith("lambda"))


def listed(value: Any) -> Any:
    if value is UNKNOWN:
        return UNREAD
    if isinstance(value, tuple):
        return [listed(one) for one in value]
    return {key: listed(one) for key, one in value.items()} if isinstance(value, dict) else value

"""The compiled index of the rules, and how to tell that it still says what the YAML says.

Its first line is the index as JSON; each further line is one framework, parsed only when one of its trainers is met.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any
from zlib import crc32

from recipelint.ruleset.described import Described

VERSION = 3

Index = dict[str, Any]
"""version · files (path → [size, CRC-32]) · settings · launchers · comments · frameworks, with what finds their entry
points (heads), and packages by name · rules by code · logs · failures by name"""


def write_index(index: Index, out: str) -> None:
    """Put it in place at once: a reader sees the old one or the new one."""
    frameworks: Described = index["frameworks"]
    lines = [{**index, "frameworks": list(frameworks)}, *map(frameworks.plain, frameworks)]
    with open(f"{out}.new", "w", encoding="ascii", newline="\n") as file:
        file.writelines(json.dumps(line, ensure_ascii=True, separators=(",", ":")) + "\n" for line in lines)
    os.replace(f"{out}.new", out)


def read_index(path: str) -> Index | None:
    """The index; None when there is none that this version can read."""
    try:
        with open(path, encoding="ascii") as file:
            index = json.loads(file.readline())
            if not isinstance(index, dict) or index.get("version") != VERSION:
                return None
            index["frameworks"] = Described(dict(zip(index["frameworks"], file.read().splitlines(), strict=True)))
    except (OSError, ValueError):
        return None
    return index


def read_files(rules_dir: str) -> dict[str, bytes]:
    """The bytes of the YAML files of a folder and of the folders in it, by relative path with `/`, sorted."""
    found: dict[str, bytes] = {}
    for entry in os.scandir(rules_dir):
        if entry.is_dir() and not entry.name.startswith("."):
            for inner in os.scandir(entry.path):
                if inner.name.endswith(".yaml"):
                    found[f"{entry.name}/{inner.name}"] = _bytes(inner.path)
        elif entry.name.endswith(".yaml"):
            found[entry.name] = _bytes(entry.path)
    return dict(sorted(found.items()))


def stamps(contents: Mapping[str, bytes]) -> dict[str, list[int]]:
    """Size and CRC-32 of each file: by content, so that an index does not depend on when a checkout was made."""
    return {path: [len(data), crc32(data)] for path, data in contents.items()}


def _bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()

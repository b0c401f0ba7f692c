"""The compiled index of the rules: one JSON file, and how to tell that it still says what the YAML says."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any
from zlib import crc32

VERSION = 2

Index = dict[str, Any]
"""version · files (path → [size, CRC-32]) · settings · launchers · comments · frameworks and packages by name ·
rules by code · logs · failures by name"""


def write_index(index: Index, out: str) -> None:
    """Put it in place at once: a reader sees the old one or the new one."""
    with open(f"{out}.new", "w", encoding="ascii", newline="\n") as file:
        file.write(json.dumps(index, ensure_ascii=True, separators=(",", ":")) + "\n")
    os.replace(f"{out}.new", out)


def read_index(path: str) -> Index | None:
    """The index; None when there is none that this version can read."""
    try:
        with open(path, encoding="ascii") as file:
            index = json.load(file)
    except (OSError, ValueError):
        return None
    return index if isinstance(index, dict) and index.get("version") == VERSION else None


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

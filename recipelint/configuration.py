"""The configuration: which file it is, and what it and `--config KEY=VALUE` set.

It is data of the repository that is linted: it can narrow what is read, never widen it to files outside its own folder.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from recipelint import toml
from recipelint.keys import KEYS, SettingsError, mapping, suggestion

FILE, PYPROJECT, TABLE = "recipelint.toml", "pyproject.toml", "tool.recipelint"
MAX_SIZE = 1 << 20
"""Bytes of a configuration; a pyproject.toml that is larger is not one that people write."""
INLINE = "--config"


def find(path: str, stdin_filename: str | None = None) -> str | None:
    """The configuration nearest to PATH: in its folder or above, up to the root of its git repository."""
    return search(path, stdin_filename)[1]


def search(path: str, stdin_filename: str | None = None) -> tuple[list[str], str | None]:
    """The files that are looked for until the configuration nearest to PATH is found; and that one."""
    consulted: list[str] = []
    if path == "-":
        path = stdin_filename or "."
    folder = os.path.abspath(path)
    if not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    while True:
        for name in (FILE, PYPROJECT):
            file = os.path.join(folder, name)
            consulted.append(file)
            if os.path.isfile(file) and (name == FILE or _has_table(file)):
                return consulted, file
        parent = os.path.dirname(folder)
        if parent == folder or os.path.exists(os.path.join(folder, ".git")):
            return consulted, None
        folder = parent


def same_table(before: bytes | None, file: str) -> bool:
    """Whether a pyproject.toml has, or had not, the same table for recipelint BEFORE as it has now."""
    try:
        was = toml.loads(before) if before is not None else {}
        now = _toml(file) if os.path.isfile(file) else {}
        return bool(was.get("tool", {}).get("recipelint") == now.get("tool", {}).get("recipelint"))
    except (ValueError, AttributeError, RecursionError, SettingsError):
        return False


def read(file: str) -> dict[str, Any]:
    """The fields of Settings that a configuration file sets; raises SettingsError."""
    table = _toml(file)
    shown = os.path.relpath(file)
    where = shown
    if os.path.basename(file) == PYPROJECT:
        where = f"{shown}: [{TABLE}]"
        table = mapping(mapping(table.get("tool", {}), shown).get("recipelint", {}), where)
    elif "tool" in table:
        name = os.path.basename(file)
        raise SettingsError(f"{where}: there is no key 'tool'; leave out the [{TABLE}] heading in {name}")
    root = os.path.dirname(os.path.abspath(file))
    return {"root": root, "configuration": file, **_fields(table, where, root)}


def inline(texts: Sequence[str], root: str) -> dict[str, Any]:
    """The fields of Settings that pieces of TOML, `KEY = VALUE`, set; raises SettingsError."""
    table: dict[str, Any] = {}
    for text in texts:
        try:
            piece = toml.loads(text)
        except ValueError as error:
            raise SettingsError(
                f"{INLINE}: {text!r} is neither a file nor KEY = VALUE in TOML: {error}{_quoted(text)}"
            ) from error
        for key, value in piece.items():
            known = table.get(key)
            table[key] = {**known, **value} if isinstance(known, dict) and isinstance(value, dict) else value
    return _fields(table, INLINE, root)


def _quoted(text: str) -> str:
    """`; did you mean 'fail-level="info"'?`, where the value only lacks what TOML, and a shell, want around it."""
    from json import dumps  # the strings of TOML are written alike
    from shlex import quote

    key, _, value = (part.strip() for part in text.partition("="))
    words = [dumps(word.strip(" '\"[]")) for word in value.split(",")]
    for wanted in (value.lower(), dumps(value.strip(" '\"")), f"[{', '.join(words)}]") if value else ():
        try:
            _fields(toml.loads(f"{key}={wanted}"), INLINE, ".")
        except (ValueError, SettingsError):
            continue
        return f"; did you mean {quote(f'{key}={wanted}')}?"
    return ""


def _fields(table: dict[str, Any], where: str, root: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in KEYS:
            raise SettingsError(f"{where}: there is no key {key!r}{suggestion(key, KEYS)}")
        values[key.replace("-", "_")] = KEYS[key](value, f"{where}: {key}")
    for key in [key for key in ("paths", "rules") if key in values]:
        values[key] = tuple(_inside(path, root, f"{where}: {key}") for path in values[key])
    for key in [key for key in ("baseline", "cache-dir") if key in table]:
        name = key.replace("-", "_")
        values[name] = _inside(values[name], root, f"{where}: {key}")
    values["origins"] = tuple((key.replace("-", "_"), f"{where}: {key}") for key in table)
    return values


def _has_table(file: str) -> bool:
    """Whether a pyproject.toml has a table for recipelint; it is parsed only if it names it."""
    try:
        with open(file, "rb") as stream:
            if b"recipelint" not in stream.read(MAX_SIZE):
                return False
    except OSError as error:
        raise SettingsError(f"{os.path.relpath(file)}: {error.strerror}") from error
    tool = _toml(file).get("tool")
    return isinstance(tool, dict) and "recipelint" in tool


def _toml(file: str) -> dict[str, Any]:
    try:
        with open(file, "rb") as stream:
            data = stream.read(MAX_SIZE + 1)
        if len(data) > MAX_SIZE:
            raise SettingsError(f"{os.path.relpath(file)}: is larger than {MAX_SIZE >> 20} MiB")
        return toml.loads(data)
    except OSError as error:
        raise SettingsError(f"{os.path.relpath(file)}: {error.strerror}") from error
    except ValueError as error:
        raise SettingsError(f"{os.path.relpath(file)}: {error}") from error


def _inside(path: str, root: str, where: str) -> str:
    """A path of the configuration as seen from the working directory."""
    if "\0" in path:
        raise SettingsError(f"{where}: {path!r} is no path")
    full = os.path.normpath(os.path.join(root, path))
    real = os.path.realpath(root)
    if os.path.commonpath([os.path.realpath(full), real]) != real:
        raise SettingsError(f"{where}: {path!r} is outside the folder of the configuration")
    return os.path.relpath(full)

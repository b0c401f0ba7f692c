"""What was asked for: the command line over `[tool.recipelint]` or recipelint.toml, checked and frozen.

The configuration is data of the repository that is linted: it can narrow what is read, never widen it to files outside
its own folder.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from recipelint.diagnostic import Severity

FILE, PYPROJECT, TABLE = "recipelint.toml", "pyproject.toml", "tool.recipelint"
OUTPUT_FORMATS = tuple(
    "full concise grouped json json-lines github gitlab sarif rdjson junit checkstyle markdown".split()
)
"""The formats of the report of check."""
COMMAND_FORMATS = ("full", "concise", "json", "json-lines", "github")
"""Those of a command line's verdict: the others are of files."""
MAX_SIZE = 1 << 20
"""Bytes of a configuration; a pyproject.toml that is larger is not one that people write."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class SettingsError(Exception):
    """A configuration or an option that cannot be used; the exit status is 2."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a run depends on, beside the files.

    paths             as the user wrote them; `-` is standard input
    per_file_ignores  a glob, as in .gitignore and relative to `root`, and the selectors it ignores
    env, args         the environment and the arguments to resolve launchers for
    automodel         the revision of AutoModel that the launchers run with; empty: what the repository says
    rules             the files and folders of a team's own rules
    fail_level        the lowest severity that makes the exit status 1
    outputs           further reports: a format, and the file for it, or `-`
    verify_fixes      whether to say of each fix, though none is made, whether it would be withdrawn
    root              the folder of the configuration file, else the working directory
    exclude           globs as in .gitignore, relative to `root`
    changed_since     a revision: only what a change since then reaches is looked at; empty: everything
    consulted         the absolute paths of the configuration files that were looked for, whether there or not
    origins           what gave each setting that was given: `--select`, `recipelint.toml: ignore`; and for each
                      variable NAME of the command line, as `env.NAME`, `--env`
    """

    paths: tuple[str, ...] = (".",)
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    args: tuple[str, ...] = ()
    fail_level: Severity = Severity.WARNING
    fix: bool = False
    diff: bool = False
    unsafe_fixes: bool = False
    output_format: str = "full"
    outputs: tuple[tuple[str, str], ...] = ()
    verify_fixes: bool = False
    color: str = "auto"
    quiet: bool = False
    root: str = "."
    exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    stdin_filename: str = "<stdin>"
    automodel: str = ""
    changed_since: str = ""
    consulted: tuple[str, ...] = field(default=(), compare=False)
    rules: tuple[str, ...] = ()
    origins: tuple[tuple[str, str], ...] = field(default=(), compare=False)

    def selectors(self) -> Iterator[tuple[str, str]]:
        """Every selector of rules, after what gave it."""
        origins = dict(self.origins)
        for name, selectors in (("select", self.select), ("ignore", self.ignore)):
            yield from ((origins.get(name, name), selector) for selector in selectors)
        name = "per_file_ignores"
        for glob, selectors in self.per_file_ignores:
            yield from ((f"{origins.get(name, name)}.{glob}", selector) for selector in selectors)


def resolve(given: Mapping[str, Any], *, config: str | None = None, isolated: bool = False) -> Settings:
    """The settings of a command line: GIVEN (fields of Settings that were given) over the configuration.

    CONFIG names the configuration file; without it the nearest is looked for, unless ISOLATED. Raises SettingsError.
    """
    values: dict[str, Any] = {"root": os.getcwd()}
    consulted = [config] if config is not None else []
    if config is None and not isolated:
        consulted, config = search(next(iter(given.get("paths", ())), "."), given.get("stdin_filename"))
    values["consulted"] = tuple(map(os.path.abspath, consulted))
    if config is not None:
        values.update(read(config))
    env = {**dict(values.get("env", ())), **dict(given.get("env", ()))}
    options = {name: "--" + name.replace("_", "-") for name in given}
    options.update({f"env.{name}": "--env" for name, _ in given.get("env", ())})
    values["origins"] = tuple({**dict(values.get("origins", ())), **options}.items())
    values.update(given)
    values["env"] = tuple(env.items())
    if "exclude" in given:
        values["exclude"] = tuple(_from_root(glob, values["root"]) for glob in given["exclude"])
    return Settings(**values)


def assignment(text: str) -> tuple[str, str]:
    """The name and the value of `NAME=VALUE`; raises SettingsError."""
    name, equals, value = text.partition("=")
    if not equals or not _NAME.match(name):
        raise SettingsError(f"{text!r} is not of the form NAME=VALUE")
    return name, value


def output(text: str) -> tuple[str, str]:
    """The format and the file of `FORMAT=FILE`; raises SettingsError."""
    name, equals, file = text.partition("=")
    if not equals or not name or not file:
        raise SettingsError(f"{text!r} is not of the form FORMAT=FILE")
    return _format(name, "the format"), file


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
    from importlib import import_module

    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        was = toml.loads(before.decode("utf-8")) if before is not None else {}
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
        table = _mapping(_mapping(table.get("tool", {}), shown).get("recipelint", {}), where)
    root = os.path.dirname(os.path.abspath(file))
    values: dict[str, Any] = {"root": root}
    for key, value in table.items():
        if key == "tool":
            name = os.path.basename(file)
            raise SettingsError(f"{where}: there is no key {key!r}; leave out the [{TABLE}] heading in {name}")
        if key not in KEYS:
            raise SettingsError(f"{where}: there is no key {key!r}{suggestion(key, KEYS)}")
        values[key.replace("-", "_")] = KEYS[key](value, f"{where}: {key}")
    for key in [key for key in ("paths", "rules") if key in values]:
        values[key] = tuple(_inside(path, root, f"{where}: {key}") for path in values[key])
    values["origins"] = tuple((key.replace("-", "_"), f"{where}: {key}") for key in table)
    return values


def suggestion(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'select'?`, or nothing if no known word is near in any case."""
    from difflib import get_close_matches

    lower = {name.lower(): name for name in sorted(known)}
    near = get_close_matches(word.lower(), list(lower), n=1)
    return f"; did you mean {lower[near[0]]!r}?" if near else ""


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
    from importlib import import_module

    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        if os.path.getsize(file) > MAX_SIZE:
            raise SettingsError(f"{os.path.relpath(file)}: is larger than {MAX_SIZE >> 20} MiB")
        with open(file, "rb") as stream:
            table: dict[str, Any] = toml.load(stream)
    except OSError as error:
        raise SettingsError(f"{os.path.relpath(file)}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{os.path.relpath(file)}: {error}") from error
    return table


def _inside(path: str, root: str, where: str) -> str:
    """A path of the configuration as seen from the working directory."""
    if "\0" in path:
        raise SettingsError(f"{where}: {path!r} is no path")
    full = os.path.normpath(os.path.join(root, path))
    real = os.path.realpath(root)
    if os.path.commonpath([os.path.realpath(full), real]) != real:
        raise SettingsError(f"{where}: {path!r} is outside the folder of the configuration")
    return os.path.relpath(full)


def _from_root(glob: str, root: str) -> str:
    """A glob of the command line, which starts from the working directory if it is anchored, as seen from ROOT."""
    if "/" not in glob.removesuffix("/"):
        return glob
    folder = "/" if glob.endswith("/") else ""
    full = os.path.abspath(glob if glob.startswith(root) else glob.lstrip("/"))
    return "/" + os.path.relpath(full, root) + folder


def _strings(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise SettingsError(f"{where}: must be a list of strings")
    return tuple(value)


def _mapping(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise SettingsError(f"{where}: must be a table")
    return value


def _lists(value: object, where: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((glob, _strings(item, f"{where}.{glob}")) for glob, item in _mapping(value, where).items())


def _environment(value: object, where: str) -> tuple[tuple[str, str], ...]:
    pairs = _mapping(value, where).items()
    for name, item in pairs:
        if not _NAME.match(name):
            raise SettingsError(f"{where}: {name!r} is not the name of a variable")
        if isinstance(item, bool) or not isinstance(item, str | int):
            raise SettingsError(f"{where}.{name}: must be a string")
    return tuple((name, str(item)) for name, item in pairs)


def _boolean(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise SettingsError(f"{where}: must be true or false")
    return value


def revision(value: object, where: str) -> str:
    """A commit, a version, or a specifier; raises SettingsError."""
    text = value.strip() if isinstance(value, str) else ""
    if not text or len(text) > 200 or not text.isprintable():
        raise SettingsError(f"{where}: must be a commit or a version, as text")
    return text


def _severity(value: object, where: str) -> Severity:
    words = {severity.word: severity for severity in Severity}
    if not isinstance(value, str) or value not in words:
        raise SettingsError(f"{where}: must be one of {', '.join(words)}{suggestion(str(value), words)}")
    return words[value]


def _format(value: object, where: str) -> str:
    if not isinstance(value, str) or value not in OUTPUT_FORMATS:
        raise SettingsError(
            f"{where}: must be one of {', '.join(OUTPUT_FORMATS)}{suggestion(str(value), OUTPUT_FORMATS)}"
        )
    return value


KEYS: Mapping[str, Callable[[object, str], object]] = {
    "paths": _strings,
    "select": _strings,
    "ignore": _strings,
    "per-file-ignores": _lists,
    "env": _environment,
    "args": _strings,
    "fail-level": _severity,
    "automodel": revision,
    "rules": _strings,
    "exclude": _strings,
    "force-exclude": _boolean,
    "output-format": _format,
}
"""The keys of a configuration, each with what makes a value of it; raises SettingsError."""

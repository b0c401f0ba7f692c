"""The keys of a configuration: what may stand at each, and what is made of it. Nothing here reads a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from recipelint.diagnostic import Severity
from recipelint.lazily import regex

OUTPUT_FORMATS = tuple(
    "full concise grouped json json-lines github gitlab sarif rdjson junit checkstyle markdown".split()
)
"""The formats of the report of check."""
COMMAND_FORMATS = ("full", "concise", "json", "json-lines", "github")
"""Those of a command line's verdict: the others are of files."""
_NAME = regex(r"[A-Za-z_][A-Za-z0-9_]*\Z")
MAX_GLOBS, LONGEST_GLOB = 1000, 1000
"""How many globs a key may have, and the characters of each: every file is held against every one."""
Lists = tuple[tuple[str, tuple[str, ...]], ...]


class SettingsError(Exception):
    """A configuration or an option that cannot be used; the exit status is 2."""


def assignment(text: str) -> tuple[str, str]:
    """The name and the value of `NAME=VALUE`; raises SettingsError."""
    name, equals, value = text.partition("=")
    if not equals or not _NAME.match(name):
        raise SettingsError(f"{text!r} is not of the form NAME=VALUE")
    return name, value


def glob_and_rules(texts: Iterable[str]) -> Lists:
    """The selectors by glob of `GLOB:RULE`, in which more rules may follow after commas; raises SettingsError."""
    found: dict[str, list[str]] = {}
    for text in texts:
        glob = ""
        for part in filter(None, (part.strip() for part in text.split(","))):
            before, colon, rule = part.rpartition(":")
            glob = before.strip() if colon else glob
            if not glob or not rule.strip():
                raise SettingsError(f"{text!r} is not of the form GLOB:RULE")
            found.setdefault(glob, []).append(rule.strip())
    return tuple((glob, tuple(rules)) for glob, rules in found.items())


def output(text: str) -> tuple[str, str]:
    """The format and the file of `FORMAT=FILE`; raises SettingsError."""
    name, equals, file = text.partition("=")
    if not equals or not name or not file:
        raise SettingsError(f"{text!r} is not of the form FORMAT=FILE")
    return _format(name, "the format"), file


def suggestion(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'select'?`, or nothing if no known word is near in any case."""
    from difflib import get_close_matches

    lower = {name.lower(): name for name in sorted(known)}
    near = get_close_matches(word.lower(), list(lower), n=1)
    return f"; did you mean {lower[near[0]]!r}?" if near else ""


def mapping(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise SettingsError(f"{where}: must be a table")
    return value


def revision(value: object, where: str) -> str:
    """A commit, a version, or a specifier; raises SettingsError."""
    text = value.strip() if isinstance(value, str) else ""
    if not text or len(text) > 200 or not text.isprintable():
        raise SettingsError(f"{where}: must be a commit or a version, as text")
    return text


def _strings(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise SettingsError(f"{where}: must be a list of strings")
    return tuple(value)


def _globs(value: object, where: str) -> tuple[str, ...]:
    globs = _strings(value, where)
    if len(globs) > MAX_GLOBS:
        raise SettingsError(f"{where}: has more than {MAX_GLOBS} globs")
    if any(len(glob) > LONGEST_GLOB for glob in globs):
        raise SettingsError(f"{where}: a glob is longer than {LONGEST_GLOB} characters")
    return globs


def _lists(value: object, where: str) -> Lists:
    _globs(list(mapping(value, where)), where)
    return tuple((glob, _strings(item, f"{where}.{glob}")) for glob, item in mapping(value, where).items())


def _environment(value: object, where: str) -> tuple[tuple[str, str], ...]:
    pairs = mapping(value, where).items()
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


def _path(value: object, where: str) -> str:
    if not isinstance(value, str) or not value or "\0" in value:
        raise SettingsError(f"{where}: must be a path")
    return value


def _severity(value: object, where: str) -> Severity:
    words = {severity.word: severity for severity in Severity}
    if not isinstance(value, str) or value not in words:
        raise SettingsError(f"{where}: must be one of {', '.join(words)}{suggestion(str(value), words)}")
    return words[value]


def _severities(value: object, where: str) -> tuple[tuple[str, Severity], ...]:
    pairs = mapping(value, where).items()
    for selector, item in pairs:
        if item in ("off", "none", False):
            raise SettingsError(f"{where}.{selector}: must be info, warning or error; ignore turns a rule off")
    return tuple((selector, _severity(item, f"{where}.{selector}")) for selector, item in pairs)


def _format(value: object, where: str) -> str:
    if not isinstance(value, str) or value not in OUTPUT_FORMATS:
        raise SettingsError(
            f"{where}: must be one of {', '.join(OUTPUT_FORMATS)}{suggestion(str(value), OUTPUT_FORMATS)}"
        )
    return value


KEYS: Mapping[str, Callable[[object, str], object]] = {
    "paths": _strings,
    "select": _strings,
    "extend-select": _strings,
    "ignore": _strings,
    "per-file-ignores": _lists,
    "preview": _boolean,
    "severity": _severities,
    "fixable": _strings,
    "extend-fixable": _strings,
    "unfixable": _strings,
    "baseline": _path,
    "fail-on-stale": _boolean,
    "fail-level": _severity,
    "env": _environment,
    "args": _strings,
    "automodel": revision,
    "rules": _strings,
    "exclude": _globs,
    "force-exclude": _boolean,
    "output-format": _format,
    "cache-dir": _path,
}
"""The keys of a configuration, each with what makes a value of it; raises SettingsError."""

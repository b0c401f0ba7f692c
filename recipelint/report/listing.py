"""The files that would be checked, and the settings of a run with what gave each, as TOML or JSON."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from recipelint.diagnostic import Severity
from recipelint.keys import KEYS
from recipelint.report import json_
from recipelint.report.plain import inert, is_shown, neutralise
from recipelint.ruleset.grade import grades
from recipelint.ruleset.load import Ruleset
from recipelint.ruleset.select import active, fixable
from recipelint.settings import CHOICES, Settings

DEFAULT = "the default"
TABLES = ("per-file-ignores", "severity", "env")
VERSION = 1


def files(paths: Sequence[str], *, json: bool) -> str:
    """The paths, one a line."""
    if json:
        return json_.dump({"version": VERSION, "files": list(paths)})
    return "".join(f"{neutralise(path)}\n" for path in paths)


def settings(given: Settings, ruleset: Ruleset, *, json: bool) -> str:
    """Every key of the configuration with its value and what gave it, and the rules that are on."""
    rules, fixed, graded = active(ruleset, given), fixable(ruleset, given), grades(ruleset, given)
    values = {key: _value(key, getattr(given, key.replace("-", "_"))) for key in KEYS}
    origins = {key: given.origin(key.replace("-", "_")) or DEFAULT for key in KEYS}
    above = _above(given)
    configuration = os.path.relpath(given.configuration) if given.configuration else ""
    on = [ruleset.rules[code] for code in sorted(rules)]
    if json:
        return json_.dump(
            {
                "version": VERSION,
                "configuration": configuration or None,
                "root": given.root,
                "settings": {key: {"value": values[key], "from": origins[key]} for key in KEYS},
                "added": above,
                "rules": [
                    {
                        "code": rule.code,
                        "name": rule.name,
                        "severity": graded.get(rule.code, rule.severity).word,
                        "fixable": rule.code in fixed,
                    }
                    for rule in on
                ],
            }
        )
    head = [
        f"# configuration: {neutralise(configuration) or 'none'}",
        f"# its paths count from: {neutralise(os.path.relpath(given.root))}",
    ]
    lines = [
        f"{'# ' * (values[key] == '')}{key} = {_toml(values[key])}  # {neutralise(origins[key])}"
        for key in KEYS
        if key not in TABLES
    ]
    lines += [f"# --{key} adds: {_toml(value)}" for key, value in above.items()]
    for key in TABLES:
        lines += ["", f"[{key}]  # {neutralise(origins[key])}"]
        lines += [f"{_toml(name)} = {_toml(value)}" for name, value in values[key].items()]
    lines += ["", f"# rules that are on: {len(on)}"]
    for rule in on:
        marks = "" if rule.fix is None or rule.code in fixed else ", not fixed"
        given_by = f" ({origins['severity']})" if rule.code in graded else ""
        lines.append(
            neutralise(f"# {rule.code} {graded.get(rule.code, rule.severity).word}{given_by}{marks}  {rule.name}")
        )
    return inert("\n".join([*head, "", *lines])) + "\n"


def _above(given: Settings) -> dict[str, list[str]]:
    """What options add to the choices of the configuration, by the option."""
    found = {
        name.replace("_", "-"): list(selectors)
        for over, names in CHOICES.items()
        for name, selectors in zip(names, getattr(given, over), strict=True)
        if selectors
    }
    more = {"extend-per-file-ignores": [f"{g}:{rule}" for g, rules in given.extend_per_file_ignores for rule in rules]}
    return {**found, **{name: pairs for name, pairs in more.items() if pairs}}


def _value(key: str, value: Any) -> Any:
    """The value of a key as TOML and JSON have it."""
    if isinstance(value, Severity):
        return value.word
    if isinstance(value, tuple):
        return {name: _value("", item) for name, item in value} if key in TABLES else list(value)
    return value


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    return f"[{', '.join(map(_string, value))}]"


def _string(text: str) -> str:
    """A basic string; what may not be printed, and what a CI log would obey, is escaped as TOML has it."""
    quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("::", ":\\u003a").replace("##", "#\\u0023")
    return f'"{"".join(map(_char, quoted))}"'


def _char(char: str) -> str:
    if is_shown(char):
        return char
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"

"""The inputs of the action, as action.yml hands them on in the environment, checked and frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from recipelint.report.plain import neutralise

LEVELS = ("", "info", "warning", "error")
REFUSED = {
    "--diff": "its patch holds the text of the files as it is, which a log may obey",
    "--watch": "it does not end",
}


class InputError(Exception):
    """An input that cannot be used; the message may be printed."""


@dataclass(frozen=True)
class Inputs:
    """What the workflow asks for.

    paths   as they go to recipelint after `--`; none: those of the configuration
    args    options of `recipelint check`, each with its value in one word
    """

    paths: tuple[str, ...]
    args: tuple[str, ...]
    config: str
    fail_level: str
    working_directory: str
    fix_suggestions: bool
    upload_sarif: bool
    changed_only: bool


def read(environment: Mapping[str, str]) -> Inputs:
    """The inputs in ENVIRONMENT. Raises InputError."""
    level = environment["FAIL_LEVEL"]
    if level not in LEVELS:
        raise InputError(f"fail-level: must be info, warning or error, not {neutralise(level)}")
    return Inputs(
        tuple(map(_path, _lines(environment["PATHS"]))),
        tuple(map(_option, _lines(environment["ARGS"]))),
        environment["CONFIG"],
        level,
        environment["WORKING_DIRECTORY"] or ".",
        *(_truth(name, environment) for name in ("FIX_SUGGESTIONS", "UPLOAD_SARIF", "CHANGED_ONLY")),
    )


def _lines(text: str) -> list[str]:
    lines = (line.strip(" \t\r") for line in text.split("\n"))
    return [line for line in lines if line]


def _path(line: str) -> str:
    """A path that is no option, and not standard input."""
    return f"./{line}" if line.startswith("-") else line


def _option(line: str) -> str:
    name = line.partition("=")[0]
    if not line.startswith("-") or name in ("-", "--"):
        raise InputError(
            f"args: {neutralise(line)} is no option; write an option a line, its value after =, and paths in paths"
        )
    if name in REFUSED:
        raise InputError(f"args: {name} cannot be used here: {REFUSED[name]}")
    return line


def _truth(name: str, environment: Mapping[str, str]) -> bool:
    words = {"true": True, "false": False, "": False}
    value = environment[name].lower()
    if value not in words:
        raise InputError(f"{name.lower().replace('_', '-')}: must be true or false, not {neutralise(value)}")
    return words[value]

"""Words of a command line and values of a setting as a person reads them; all of it neutralised."""

from __future__ import annotations

import re
from collections.abc import Sequence

from recipelint.recipe.model import Argument, Setting, SettingValue
from recipelint.report.plain import neutralise

_PLAIN = re.compile(r"[\w@%+=:,./~^\[\]{}*?-]+\Z", re.ASCII)
_NUMBER = re.compile(r"-\.?[0-9]")
_ASSIGNMENT = re.compile(r"(?:\+\+?|~)?[A-Za-z_][\w./@-]*=|~[A-Za-z_]", re.ASCII)
UNKNOWN, MANY = "unknown", "unknown, may be none or several"


def word(text: str, *, unknown: bool = False) -> str:
    """A word as it could be typed: quoted where it must be, an unknown one in double quotes."""
    if text and _PLAIN.match(text):
        return neutralise(text)
    if unknown:
        return neutralise(text) if text and not re.search(r"[\s'\"\\]", text) else neutralise(f'"{text}"')
    return neutralise("'" + text.replace("'", "'\\''") + "'")


def lines(argv: Sequence[Argument]) -> list[list[Argument]]:
    """The words of a command line by flag: a flag, or a Hydra word, starts a line, and its values follow it."""
    result: list[list[Argument]] = []
    for argument in argv:
        text = argument.text
        flag = text.startswith("-") and text != "-" and not _NUMBER.match(text)
        after_flag = bool(result) and result[-1][0].text.startswith("-")
        if not result or flag or argument.many or not after_flag or _ASSIGNMENT.match(text):
            result.append([argument])
        else:
            result[-1].append(argument)
    return result


def remark(line: Sequence[Argument]) -> str:
    """What to say of a line of words that are not all known; empty where they are."""
    if any(argument.many for argument in line):
        return MANY
    return UNKNOWN if any(argument.unknown for argument in line) else ""


def value(setting: Setting) -> str:
    """The value of a setting: `8`, `none or full`, `unknown`, `absent`."""
    if len(setting.choices) > 1:
        return " or ".join("unknown" if choice is None else _scalar(choice) for choice in setting.choices)
    if setting.value is None:
        return "unknown" if setting.source == "unknown" else "absent"
    return _scalar(setting.value)


def _scalar(one: SettingValue) -> str:
    return "absent" if one is None else word(str(one))


def origin(setting: Setting, launcher: str) -> str:
    """Where a value comes from, and what would change it: `default of EP_SIZE, sft.sh:43`."""
    line = setting.location.start.line if setting.location else 0
    said = source(setting).removesuffix(f"set at line {line}").rstrip()
    if setting.location is not None and said == f"given in {neutralise(' '.join(setting.location.path.split()))}":
        said = ""
    parts = [said, place(setting, launcher)]
    if setting.override and setting.source != "default" and setting.override not in setting.detail:
        parts.append(f"{neutralise(setting.override)} overrides it")
    if setting.read_from:
        parts[0] = f"{parts[0]} ({neutralise(setting.read_from)})"
    return ", ".join(part for part in parts if part)


def place(setting: Setting, launcher: str) -> str:
    """`sft.sh:43`, or the whole path where it is not the LAUNCHER's own; empty for a trainer's default."""
    if not setting.location:
        return ""
    path = setting.location.path
    shown = path.rpartition("/")[2] if path == launcher else path
    return f"{neutralise(shown)}:{setting.location.start.line}"


def source(setting: Setting) -> str:
    """How a value is given: in the words of the framework where it has some."""
    if setting.detail:
        return neutralise(setting.detail)
    if setting.source == "default":
        return f"default of {neutralise(setting.override)}" if setting.override else "default"
    words = {"trainer-default": "the trainer's default", "environment": "the environment", "unknown": ""}
    return words.get(setting.source, setting.source)

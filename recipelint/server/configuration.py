"""The settings of an open file: the nearest configuration, under what the client asks for.

A configuration that cannot be used is told, and the file is linted without it. What the client gives has the keys of
recipelint.toml; it stands over the file, as a command line does.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from recipelint import settings as settings_module
from recipelint.discovery import matcher
from recipelint.linter import Linter
from recipelint.ruleset.document import RuleError
from recipelint.ruleset.load import Ruleset, load, load_for
from recipelint.ruleset.select import SelectError, check_selector
from recipelint.settings import KEYS, Settings, SettingsError, suggestion

SECTION = "recipelint"
UNUSED = frozenset({"paths", "fail-level", "fail-on-stale", "force-exclude", "output-format"})
"""Keys that mean nothing for one open file; they are accepted, so that a client may give what the file has."""


class Asked(NamedTuple):
    """What a client asks for: fields of Settings, and what is wrong with the rest."""

    values: Mapping[str, Any]
    problems: tuple[str, ...] = ()


NOTHING = Asked({})


def asked(options: object) -> Asked:
    """What the options of a client mean: the keys themselves, or those below `recipelint`."""
    if isinstance(options, Mapping) and isinstance(options.get(SECTION), Mapping):
        options = options[SECTION]
    if options is None:
        return NOTHING
    if not isinstance(options, Mapping):
        return Asked({}, ("the client's settings: must be an object",))
    values: dict[str, Any] = {}
    problems: list[str] = []
    for key, value in options.items():
        where = f"the client's settings: {key}"
        if value is None:
            continue
        if key not in KEYS:
            problems.append(f"the client's settings: there is no key {key!r}{suggestion(str(key), KEYS)}")
            continue
        try:
            made = {key.replace("-", "_"): KEYS[key](value, where)}
            alone = settings_module.resolve(made, isolated=True)
            checked(((where, selector) for _, selector in alone.selectors()), load())
        except SettingsError as error:
            problems.append(str(error))
        else:
            values |= made if key not in UNUSED else {}
    return Asked(values, tuple(problems))


def checked(selectors: Iterable[tuple[str, str]], ruleset: Ruleset) -> None:
    """Raises SettingsError for a selector that selects nothing."""
    at = ""
    try:
        for origin, selector in selectors:
            at = origin
            check_selector(ruleset, selector)
    except SelectError as error:
        raise SettingsError(f"{at}: {error}") from error


def settings_for(path: str | None, given: Asked) -> tuple[Settings, str]:
    """The settings of a file, or of a text without one, and what is wrong with its configuration; empty if nothing."""
    start = path if path is not None else os.getcwd()
    try:
        found = settings_module.resolve({**given.values, "paths": (start,)})
        checked(found.selectors(), load_for(found))
        return found._replace(paths=(".",)), ""
    except (SettingsError, RuleError) as error:
        found = settings_module.resolve(dict(given.values), isolated=True)
        return found._replace(paths=(".",)), str(error)


def excluded(path: str, settings: Settings) -> bool:
    """Whether the configuration leaves a file out."""
    return matcher(settings.exclude, settings.root)(path)


def linter(settings: Settings) -> Linter:
    """The rules for some settings."""
    return Linter(load_for(settings), settings)

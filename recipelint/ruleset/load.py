"""The rules of this program: from the compiled index where it is fresh, else from the YAML of a source checkout.

With a fresh index, as in a wheel, nothing that reads YAML is imported, unless a configuration names rules of a team.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from recipelint.record import NamedTuple
from recipelint.ruleset.described import Described
from recipelint.ruleset.index import Index, read_files, read_index, stamps
from recipelint.ruleset.schema import Rule, rule_from

if TYPE_CHECKING:
    from pathlib import Path

    from recipelint.ruleset.own_files import Contents
    from recipelint.settings import Settings

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INDEX = os.path.join(PACKAGE, "_rules.json")


class NoRules(Exception):
    """There is neither an index nor a folder of rules: the installation is broken."""


class Ruleset(NamedTuple):
    """All rules by code, and the knowledge that they build on, as plain values.

    settings     what each canonical setting means, its type and values
    frameworks   by name: where each entry point reads each setting, and its flags
    heads        by name: what finds the entry points of each, so that it is read only when one is met
    packages     by name: how a repository asks for each, and what each of its revisions does
    launchers    what wraps what, and which variables the machine provides
    failures     by name: how a run fails, and why
    logs         what else a log tells
    comments     what comments claim of dispatchers, and the phrases that tell it
    """

    rules: Mapping[str, Rule]
    settings: Mapping[str, Mapping[str, Any]]
    frameworks: Described
    launchers: Mapping[str, Any]
    packages: Mapping[str, Mapping[str, Any]]
    comments: Mapping[str, Any]
    heads: Mapping[str, Mapping[str, Any]]
    failures: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
    logs: Mapping[str, Any] = MappingProxyType({})


@cache
def load() -> Ruleset:
    """The rules of this installation or checkout. Raises NoRules, or RuleError for a wrong file of a checkout."""
    return ruleset_from(_index(INDEX, checkout_rules(os.path.dirname(PACKAGE))))


def load_for(settings: Settings) -> Ruleset:
    """The rules of a run: those of this program, and a team's own that the settings name. Raises NoRules or RuleError.

    The team's files are read each time, and parsed again only when one has changed.
    """
    if not settings.rules:
        return load()
    from recipelint.ruleset.own_files import contents

    origin = settings.origin("rules")
    return _with_own(contents(settings.rules, None if origin == "--rules" else settings.root, origin=origin))


@lru_cache(maxsize=8)
def _with_own(given: Contents) -> Ruleset:
    from recipelint.ruleset.own import joined

    return joined(load(), given)


def load_folder(rules_dir: Path) -> Ruleset:
    """The rules of a folder of YAML files, checked. Raises RuleError."""
    from recipelint.ruleset.compile import build_index

    return ruleset_from(build_index(rules_dir))


def checkout_rules(folder: str) -> str | None:
    """The rules of a source checkout; None where the package is installed, beside who knows what."""
    rules = os.path.join(folder, "rules")
    if os.path.isfile(os.path.join(folder, "pyproject.toml")) and os.path.isfile(os.path.join(rules, "settings.yaml")):
        return rules
    return None


def ruleset_from(index: Index) -> Ruleset:
    """The rules of an index."""
    return Ruleset(
        rules={code: rule_from(plain) for code, plain in index["rules"].items()},
        settings=index["settings"],
        frameworks=index["frameworks"],
        heads=index["heads"],
        launchers=index["launchers"],
        packages=index["packages"],
        failures=index.get("failures", {}),
        logs=index.get("logs", {}),
        comments=index["comments"],
    )


def _index(path: str, rules: str | None) -> Index:
    index = read_index(path)
    if rules is not None and (index is None or index["files"] != stamps(read_files(rules))):
        from pathlib import Path

        from recipelint.ruleset.compile import build_index

        return build_index(Path(rules))
    if index is None:
        raise NoRules(f"{path} is missing or not readable; install recipelint again")
    return index

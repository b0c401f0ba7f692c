"""What a revision of a package is known to do, by the table in `rules/packages/`; what it does not list is unknown.

Commits are compared by prefix, releases by number. Nothing is inferred from dates, branches or ranges.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from recipelint.packages.model import COMMIT, VERSION, Package, Pin
from recipelint.packages.requirement import reference, versions
from recipelint.record import NamedTuple

SHORT = 8
"""Digits of a commit in a sentence."""
LONG = 80
"""Characters of anything else in one."""


class Revision(NamedTuple):
    """A revision as it is said, and each feature that it is known to have or to lack."""

    said: str
    features: Mapping[str, bool]
    listed: bool


def revision(pin: Pin, package: Package) -> Revision:
    """What is known of what a requirement asks for."""
    entry = listed(pin, package)
    if entry is None:
        return Revision(said(pin), {}, False)
    features = dict.fromkeys(entry.get("has", ()), True)
    features.update(dict.fromkeys(entry.get("lacks", ()), False))
    return Revision(said(pin), {name: features[name] for name in package.features if name in features}, True)


def listed(pin: Pin, package: Package) -> Mapping[str, Any] | None:
    """The entry of the table for a pin; None if it has none, or if a short commit fits two."""
    if pin.kind == COMMIT:
        found = [e for e in package.revisions if "commit" in e and alike(e["commit"], pin.value)]
        return found[0] if len(found) == 1 else None
    if pin.kind == VERSION:
        number = release(pin.value)
        return next((e for e in package.revisions if "version" in e and release(e["version"]) == number), None)
    return None


def alike(one: str, other: str) -> bool:
    """Whether two commits, each perhaps cut short, are the same one."""
    return min(len(one), len(other)) >= 7 and (one.startswith(other) or other.startswith(one))


def release(version: str) -> tuple[int, ...] | str:
    """A release number to compare, `0.5` as `0.5.0`; anything that is no plain release is just its text."""
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6}){0,4}", version):
        return version
    numbers = [int(part) for part in version.split(".")]
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


def said(pin: Pin) -> str:
    """A pin for a sentence: a commit is cut short."""
    if pin.kind == COMMIT:
        return pin.value[:SHORT]
    text = " ".join(pin.value.split())
    return text if len(text) <= LONG else f"{text[:LONG]}…"


def given(text: str) -> Pin:
    """A revision that a user names: a commit, a version or a tag, or a specifier."""
    pin = reference(text.strip())
    return pin if pin.exact or not re.match(r"[<>=!~(]", text.strip()) else versions(text)

"""The frameworks by name, each read and put together when it is first asked for.

An entry point that is `like` another, of its own framework or of another one, has that one's settings and flags below
its own. Files say it once; whoever asks gets the whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

GROUPS = ("switch", "value", "pair", "optional")
"""How many words a flag takes: none, one, two, or one that may be left out."""

Plain = Mapping[str, Any]


class Described(Mapping[str, Plain]):
    """Frameworks as their files have them, as text or as plain values, and whole to whoever asks."""

    def __init__(self, given: Mapping[str, str | Plain]) -> None:
        self.given = given
        self._plain: dict[str, Plain] = {}
        self._whole: dict[str, Plain] = {}

    def __getitem__(self, name: str) -> Plain:
        if name not in self._whole:
            plain = self.plain(name)
            entries = {entry: self._entry(name, entry) for entry in plain["entry_points"]}
            self._whole[name] = {**plain, "entry_points": entries}
        return self._whole[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.given)

    def __len__(self) -> int:
        return len(self.given)

    def adding(self, name: str, framework: Plain) -> Described:
        """These and one more."""
        made = Described({**self.given, name: framework})
        made._plain.update(self._plain)
        return made

    def plain(self, name: str) -> Plain:
        """A framework as its file has it."""
        if name not in self._plain:
            given = self.given[name]
            self._plain[name] = json.loads(given) if isinstance(given, str) else given
        return self._plain[name]

    def named(self, framework: str, like: str) -> tuple[str, str]:
        """The framework and the entry point that LIKE names in a framework: `ENTRY`, or `FRAMEWORK ENTRY`."""
        other, blank, entry = like.partition(" ")
        return (framework, like) if not blank or like in self.plain(framework)["entry_points"] else (other, entry)

    def _entry(self, name: str, entry: str) -> Plain:
        own: Plain = self.plain(name)["entry_points"][entry]
        if "like" not in own:
            return own
        other, model_name = self.named(name, own["like"])
        model = self._entry(other, model_name)
        if other != name:
            model = abroad(model, self.plain(other))
        return joined(model, own)


def joined(model: Plain, own: Plain) -> dict[str, Any]:
    """An entry point with what it does not say itself from the one that it is like."""
    made: dict[str, Any] = {**model, **own}
    for key in ("like", "names", "told_by", "unless"):
        if key not in own or key == "like":
            made.pop(key, None)
    for part in ("settings", "configuration"):
        if part in model and part in own:
            made[part] = {**model[part], **own[part]}
    if "flags" in model and "flags" in own:
        mine = {flag for flags in own["flags"].values() for flag in flags}
        made["flags"] = {
            group: sorted({*own["flags"].get(group, ()), *(set(model["flags"].get(group, ())) - mine)})
            for group in GROUPS
            if group in model["flags"] or group in own["flags"]
        }
    return made


def abroad(model: Plain, framework: Plain) -> Plain:
    """An entry point of a framework for use in another: its sources are links, and it knows its file."""
    file = framework.get("file", f"rules/frameworks/{framework['name']}.yaml")
    settings = {
        name: {
            **spec,
            "source": spec["source"] if "://" in spec["source"] else f"{framework['source']}/{spec['source']}",
            "read_from": spec.get("read_from", file),
        }
        for name, spec in model["settings"].items()
    }
    return {**model, "settings": settings}

"""Which trainer a launch names: by its module, its command or the path of its script, and by flags that only it has.

Several trainers have a `train.py`. A name that does not tell them apart counts only beside a flag that does
(`told_by`), and beside none of another's (`unless`); where that leaves more than one, it is none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from recipelint.record import NamedTuple
from recipelint.shell.text import Text

Head = Mapping[str, Any]
"""What finds the entry points of a framework, as plain values: see `head`."""


class Named(NamedTuple):
    """A name of an entry point: a module, a command, the end of a script's path, or a pattern of that."""

    framework: str
    entry_point: str
    name: str
    told_by: tuple[str, ...]
    unless: tuple[str, ...]


def head(framework: Mapping[str, Any]) -> dict[str, Any]:
    """The names of a framework's entry points, and the variables that they read: those of settings, and all."""
    entries = framework["entry_points"]
    settings = [spec for entry in entries.values() for spec in entry.get("settings", {}).values()]
    variables = sorted({spec["environment"] for spec in settings if "environment" in spec})
    return {
        "entry_points": {
            name: {key: entry[key] for key in ("names", "told_by", "unless") if key in entry}
            for name, entry in entries.items()
        },
        "variables": variables,
        "watched": sorted({*variables, *framework.get("environment", ())}),
    }


class Names:
    """The entry points of all frameworks, by the last part of each name."""

    def __init__(self, heads: Mapping[str, Head]) -> None:
        self._by_stem: dict[str, list[Named]] = {}
        self._patterns: list[Named] = []
        for framework, one in heads.items():
            for entry, how in one["entry_points"].items():
                for name in how.get("names", (entry,)):
                    named = Named(framework, entry, name, tuple(how.get("told_by", ())), tuple(how.get("unless", ())))
                    if "*" in name:
                        self._patterns.append(named)
                    else:
                        self._by_stem.setdefault(stem(name), []).append(named)

    def find(self, said: str, words: Sequence[Text]) -> Named | None:
        """The entry point that SAID names in a launch with these words; None if there is none, or no single one."""
        given = Given(words)
        found = [one for one in self._named(said) if given.tell(one)]
        longest = max((len(one.name) for one in found), default=0)
        best = [one for one in found if len(one.name) == longest]
        return best[0] if len({(one.framework, one.entry_point) for one in best}) == 1 else None

    def same(self) -> Iterator[tuple[str, list[Named]]]:
        """The names that several entry points have, with these."""
        groups: dict[str, list[Named]] = {}
        for one in (*self._patterns, *(one for found in self._by_stem.values() for one in found)):
            groups.setdefault(one.name, []).append(one)
        yield from ((name, group) for name, group in groups.items() if len(group) > 1)

    def _named(self, said: str) -> Iterator[Named]:
        script = said.endswith(".py")
        dotted = said[:-3].strip("/").replace("/", ".") if script else said
        for one in self._by_stem.get(stem(said), ()):
            path, module = f"/{said}".endswith(f"/{one.name}"), f".{dotted}".endswith(f".{one.name}")
            if said == one.name or (script and (path or (module and not one.name.endswith(".py")))):
                yield one
        for one in self._patterns if script else ():
            depth = one.name.count("/") + 1
            if fnmatchcase("/".join(said.split("/")[-depth:]), one.name):
                yield one


def stem(name: str) -> str:
    """The last part of a path or a module; a command is its own."""
    return name[:-3].rpartition("/")[2] if name.endswith(".py") else name.rpartition(".")[2]


class Given(NamedTuple):
    """The words of a launch, asked for flags."""

    words: Sequence[Text]

    def tell(self, one: Named) -> bool:
        """Whether the flags of the launch let it be ONE."""
        if not one.told_by and not one.unless:
            return True
        flags = {word.s.partition("=")[0] for word in self.words if word.s.startswith("-")}
        return (not one.told_by or not flags.isdisjoint(one.told_by)) and flags.isdisjoint(one.unless)

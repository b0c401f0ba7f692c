"""How a framework's trainer reads its words: which flag or variable spells each setting, and what an absent one means.

The facts are data (`rules/frameworks/*.yaml`); this module knows argparse's rules only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from recipelint.recipe.model import Setting, SettingValue
from recipelint.shell.state import Environment
from recipelint.shell.text import ENVIRONMENT, LITERAL, Text
from recipelint.shell.unknown import Kind, Unknown, Unknowns

NEGATIVE_NUMBER = re.compile(r"-\d+$|-\d*\.\d+$")
COUNTS = {"switch": (0, 0), "value": (1, 1), "pair": (2, 2), "optional": (0, 1)}
SOURCES = {"loop": "assigned", "argument": "environment"}


class Use(NamedTuple):
    """A flag as it stands in the words: at which index, its values, and whether the value is stuck to it with `=`."""

    name: str
    at: int
    values: tuple[Text, ...]
    stuck: bool

    @property
    def end(self) -> int:
        """The index after its last word."""
        return self.at + 1 + (0 if self.stuck else len(self.values))


class EntryPoint:
    """One trainer of a framework."""

    def __init__(
        self,
        name: str,
        framework: str,
        title: str,
        settings: Mapping[str, Mapping[str, Any]],
        flags: Mapping[str, Sequence[str]],
        read: Mapping[str, Mapping[str, Any]] | None = None,
        workers: str = "",
    ) -> None:
        self.name = name
        self.framework = framework
        self.title = title
        self.settings = settings
        self.flags = flags
        self.read = read or {}
        """The variables that it reads besides those of the settings."""
        self.workers = workers
        """Who starts its workers: they have the environment of that one, not of the trainer."""

    @cached_property
    def watched(self) -> dict[str, str | None]:
        """Every variable that it reads, with the setting that it decides."""
        found: dict[str, str | None] = dict.fromkeys(self.read)
        return found | {spec["environment"]: name for name, spec in self.settings.items() if "environment" in spec}

    @cached_property
    def counts(self) -> dict[str, tuple[int, int]]:
        """How many words may follow each flag: at least, at most."""
        return {flag: COUNTS[kind] for kind, flags in self.flags.items() for flag in flags}

    def full_name(self, word: str) -> str | None:
        """The flag that a word means: itself, or the only one that it is a prefix of (argparse's allow_abbrev)."""
        if word in self.counts:
            return word
        if not self.counts:
            return word
        hits = [flag for flag in self.counts if flag.startswith(word)]
        return hits[0] if len(hits) == 1 else None

    def uses(self, words: Sequence[Text]) -> list[Use]:
        """The flags among the words, in order, as argparse takes them apart."""
        found: list[Use] = []
        at = 0
        while at < len(words):
            s = words[at].s
            if s == "--":
                break
            if not s.startswith("--"):
                at += 1
                continue
            spelt, equals, _ = s.partition("=")
            name = self.full_name(spelt)
            if equals:
                value = words[at].slice(len(spelt) + 1, len(s)) if len(s) > len(spelt) + 1 else self.empty(words[at])
                if name:
                    found.append(Use(name, at, (value,), True))
                at += 1
                continue
            most = self.counts.get(name, (0, 64))[1] if name else 64
            values: list[Text] = []
            while len(values) < most and at + 1 + len(values) < len(words) and is_value(words[at + 1 + len(values)].s):
                values.append(words[at + 1 + len(values)])
            if name:
                found.append(Use(name, at, tuple(values), False))
            at += 1 + len(values)
        return found

    def empty(self, word: Text) -> Text:
        """The empty value of `--flag=`, placed at the word's end."""
        last = word.runs[-1][1] if word.runs else None
        if last is None or last.source is None:
            return Text.of("")
        return Text.of("", type(last)(last.source, last.end, last.end, last.kind, last.knob))

    def default_text(self, name: str) -> str:
        """How to say that a setting is the trainer's default."""
        spec = self.settings[name]
        if "environment" in spec:
            return f"{self.title}'s default when {spec['environment']} is unset"
        return f"{self.title}'s default without {spec['flag']}"


def is_value(s: str) -> bool:
    """Whether argparse takes a word for a value: not an option, but a negative number or a text with a blank is one."""
    return not s.startswith("-") or s == "-" or bool(NEGATIVE_NUMBER.match(s)) or (" " in s and not s.startswith("--"))


class Frameworks:
    """All entry points that the rules know."""

    def __init__(self, data: Mapping[str, Mapping[str, Any]]) -> None:
        self._entry_points: dict[str, EntryPoint] = {}
        for framework in data.values():
            for name, entry in framework["entry_points"].items():
                self._entry_points[name] = EntryPoint(
                    name,
                    framework["name"],
                    framework.get("title", framework["name"]),
                    entry["settings"],
                    entry.get("flags", {}),
                    framework.get("environment", {}),
                    entry.get("workers", {}).get("started_by", ""),
                )
        self.variables = frozenset(
            spec["environment"]
            for entry in self._entry_points.values()
            for spec in entry.settings.values()
            if "environment" in spec
        )
        """Every environment variable that some setting reads."""
        self.watched = frozenset(name for entry in self._entry_points.values() for name in entry.watched)
        """Every environment variable that some trainer reads."""

    def entry_point(self, said: str) -> EntryPoint | None:
        """The entry point of a module name, or of its file's path."""
        found = self._entry_points.get(said)
        if found is None and said.endswith(".py"):
            dotted = said[:-3].strip("/").replace("/", ".")
            found = next(
                (e for name, e in self._entry_points.items() if dotted == name or dotted.endswith("." + name)), None
            )
        return found


class Resolver:
    """Settings of one launch, from its words and environment."""

    def __init__(self, unknowns: Unknowns, entry: EntryPoint, words: Sequence[Text], environment: Environment) -> None:
        self.unknowns = unknowns
        self.entry = entry
        self.words = words
        self.environment = environment
        self.uses = {use.name: use for use in entry.uses(words)}

    def settings(self) -> dict[str, Setting]:
        return {name: self.setting(name, spec) for name, spec in self.entry.settings.items()}

    def setting(self, name: str, spec: Mapping[str, Any]) -> Setting:
        default: SettingValue = spec.get("default")
        if "environment" in spec:
            variable: str = spec["environment"]
            text = self.environment.get(variable)
            if text is None:
                return Setting(name, default, "trainer-default", variable, None, (), self.entry.default_text(name))
            return self.valued(name, spec, text, variable)
        use = self.uses.get(spec["flag"])
        if use is None:
            return Setting(name, default, "trainer-default", None, None, (), self.entry.default_text(name))
        if not use.values:
            word = self.words[use.at]
            origin = word.origin or word.first_origin
            location = origin.location if origin else None
            return Setting(name, spec.get("const"), "literal", None, location, (), f"a bare {spec['flag']}")
        return self.valued(name, spec, use.values[-1], None)

    def valued(self, name: str, spec: Mapping[str, Any], text: Text, variable: str | None) -> Setting:
        """A setting that a text gives."""
        origin = text.origin or text.first_origin
        location = origin.location if origin else None
        knob = origin.knob if origin else None
        if not text.known:
            pieces = list(self.unknowns.pieces(text.s))
            piece = pieces[0]
            choices = (
                tuple(self.read(spec, choice) for choice in piece.choices) if len(text.s) == 1 and piece.choices else ()
            )
            override = piece.name if piece.kind in (Kind.KNOB, Kind.REQUIRED, Kind.MACHINE) and piece.name else variable
            return Setting(name, None, "unknown", override, location, choices, self.unknowns.display(text.s))
        value = self.read(spec, text.s)
        kind = origin.kind if origin else LITERAL
        source = SOURCES.get(kind, kind)
        if value is None:
            source = "unknown"
        return Setting(name, value, source, knob, location, (), self.detail(text, kind, knob, variable))

    def detail(self, text: Text, kind: str, knob: str | None, variable: str | None) -> str:
        if kind == ENVIRONMENT:
            return f"{knob or variable} in the environment"
        if knob:
            return f"the default of {knob}"
        origin = text.first_origin
        where = origin.location if origin else None
        by = f"{variable} " if variable else ""
        return f"{by}set at line {where.start.line}" if where else "given"

    def read(self, spec: Mapping[str, Any], s: str) -> SettingValue:
        """What the trainer makes of a text; None for a number that is none."""
        s = s.encode("latin-1", "replace").decode("utf-8", "replace")
        if spec.get("strip"):
            s = s.strip()
        kind = spec["type"]
        if kind == "int":
            return int(s) if re.fullmatch(r"\s*[-+]?\d{1,18}\s*", s) else None
        if spec.get("case") == "insensitive":
            s = s.lower()
        if kind == "words" and "values" in spec:
            for value, spelt in spec["values"].items():
                if s in spelt:
                    return str(value)
            return spec.get("otherwise", s)  # type: ignore[no-any-return]
        return s


def is_knob(piece: Unknown) -> bool:
    """Whether a piece is a variable or argument that only the user could give."""
    return piece.kind in (Kind.KNOB, Kind.REQUIRED)

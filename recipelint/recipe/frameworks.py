"""Settings of a launch: what a framework's trainer makes of its words and variables.

The facts are data (`rules/frameworks/*.yaml`), and those that the trainer's own source states (`trainers`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from recipelint.recipe.derived import absent
from recipelint.recipe.entry_point import Configuring, EntryPoint, listed
from recipelint.recipe.model import Setting, SettingValue
from recipelint.recipe.naming import Names, head
from recipelint.shell.state import Environment
from recipelint.shell.text import ENVIRONMENT, LITERAL, Text
from recipelint.shell.unknown import Kind, Unknown, Unknowns

if TYPE_CHECKING:
    from recipelint.recipe.configured.settings import Configured

SOURCES = {"loop": "assigned", "argument": "environment"}


class Frameworks:
    """All entry points that the rules know."""

    def __init__(
        self,
        data: Mapping[str, Mapping[str, Any]],
        vocabulary: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
        heads: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        """VOCABULARY: the canonical settings, for those that follow from others.

        HEADS say of each framework how it is found, so that none of DATA is asked for before one of its trainers.
        """
        self.vocabulary = vocabulary
        if heads is None:
            heads = {name: head(framework) for name, framework in data.items()}
        self._data = data
        self._names = Names(heads)
        self._entry_points: dict[tuple[str, str, str], EntryPoint] = {}
        self.variables = frozenset(name for one in heads.values() for name in one["variables"])
        """Every environment variable that some setting reads."""
        self.watched = frozenset(name for one in heads.values() for name in one["watched"])
        """Every environment variable that some trainer reads."""

    def entry_point(self, said: str, words: Sequence[Text] = ()) -> EntryPoint | None:
        """The entry point of a module, a command or the path of a script, in a launch with these words."""
        named = self._names.find(said, words)
        if named is None:
            return None
        shown = said.rpartition("/")[2] if "*" in named.name else named.entry_point
        key = (named.framework, named.entry_point, shown)
        if key not in self._entry_points:
            self._entry_points[key] = described(self._data[named.framework], named.entry_point, shown)
        return self._entry_points[key]


def described(framework: Mapping[str, Any], name: str, shown: str) -> EntryPoint:
    """An entry point of a framework; SHOWN is its name for people."""
    entry = framework["entry_points"][name]
    own = f"rules/frameworks/{framework['name']}.yaml"
    return EntryPoint(
        shown,
        framework["name"],
        framework.get("title", framework["name"]),
        entry["settings"],
        listed(shown, framework["name"], entry.get("flags", {}), framework["argument_style"]),
        framework.get("packages", ()),
        framework.get("environment", {}),
        entry.get("workers", {}).get("started_by", ""),
        {name: spec.get("read_from", framework.get("file", own)) for name, spec in entry["settings"].items()},
        held_rules(framework, name),
        configuring(framework, entry),
        entry.get("elsewhere", framework.get("elsewhere", {})),
    )


def held_rules(framework: Mapping[str, Any], entry_point: str) -> frozenset[str]:
    """The codes of the rules that a framework file says hold for one of its entry points."""
    return frozenset(
        code
        for code, known in framework.get("rules", {}).items()
        if entry_point in known.get("entry_points", (entry_point,))
    )


def configuring(framework: Mapping[str, Any], entry: Mapping[str, Any]) -> Configuring | None:
    """How an entry point reads its configuration: as its framework does, with what is its own."""
    if "configuration" not in framework:
        return None
    return Configuring(
        framework["argument_style"],
        {**framework["configuration"], **entry.get("configuration", {})},
        framework.get("configurations", {}),
    )


class Resolver:
    """Settings of one launch, from its words and environment."""

    def __init__(
        self,
        unknowns: Unknowns,
        entry: EntryPoint,
        words: Sequence[Text],
        environment: Environment,
        added: str = "",
        configured: Callable[[Resolver], Configured] | None = None,
    ) -> None:
        """ADDED says what may set further variables, which nobody knows; empty if nothing does. CONFIGURED reads the
        trainer's configuration."""
        self.unknowns = unknowns
        self.entry = entry
        self.words = words
        self.environment = environment
        self.added = added
        self._configured = configured
        self.uses = {use.name: use for use in entry.uses(words)}

    def settings(self) -> dict[str, Setting]:
        found = {name: self.named(name, spec) for name, spec in self.entry.settings.items()}
        for name, spec in self.entry.settings.items():
            other = spec.get("default_setting")
            if other in found and absent(found[name]):
                detail = f"{found[name].detail}, that of {other}"
                found[name] = found[other]._replace(name=name, detail=detail, read_from=found[name].read_from)
        return found

    def named(self, name: str, spec: Mapping[str, Any]) -> Setting:
        """A setting that says how it is spelt."""
        setting = self.setting(name, spec)
        spelled = setting.spelled or str(spec.get("environment") or spec.get("flag", ""))
        if setting.spelled and self.entry.configuring is not None and self.entry.configuring.style == "dotted":
            spelled = f"--{spelled}"
        return setting._replace(spelled=spelled)

    @cached_property
    def configured(self) -> Configured:
        assert self._configured is not None
        return self._configured(self)

    def setting(self, name: str, spec: Mapping[str, Any]) -> Setting:
        if "key" in spec or "cases" in spec:
            return self.configured.setting(name, spec)
        default: SettingValue = spec.get("default")
        read_from = self.entry.read_from[name]
        unread = spec.get("unread")
        unset = "unknown" if unread else "trainer-default"
        without = unread if isinstance(unread, str) else self.entry.default_text(name)
        if "environment" in spec:
            variable: str = spec["environment"]
            text = self.environment.get(variable)
            if text is None and self.added:
                detail = f"{self.entry.default_text(name)}, unless {self.added} sets it"
                return Setting(name, None, "unknown", variable, None, (default, None), detail)
            if text is None:
                return Setting(name, default, unset, variable, None, (), without, read_from)
            return self.valued(name, spec, text, variable)
        use = self.uses.get(spec["flag"])
        if use is None:
            return Setting(name, default, unset, None, None, (), without, read_from)
        if not use.values:
            word = self.words[use.at]
            origin = word.origin or word.first_origin
            location = origin.location if origin else None
            return Setting(name, spec.get("const"), "literal", None, location, (), f"a bare {spec['flag']}", read_from)
        return self.valued(name, spec, use.values[-1], None)

    def valued(self, name: str, spec: Mapping[str, Any], text: Text, variable: str | None = None) -> Setting:
        """A setting that a text gives."""
        return valued(self.unknowns, name, spec, text, variable)


def valued(unknowns: Unknowns, name: str, spec: Mapping[str, Any], text: Text, variable: str | None = None) -> Setting:
    """A setting that a text gives, read from a VARIABLE or from a word."""
    origin = text.origin or text.first_origin
    location = origin.location if origin else None
    knob = origin.knob if origin else None
    if not text.known:
        pieces = list(unknowns.pieces(text.s))
        piece = pieces[0]
        choices = (
            tuple(meaning(spec, decoded(choice)) for choice in piece.choices)
            if len(text.s) == 1 and piece.choices and not spec.get("unclear")
            else ()
        )
        override = piece.name if piece.kind in (Kind.KNOB, Kind.REQUIRED, Kind.MACHINE) and piece.name else variable
        return Setting(name, None, "unknown", override, location, choices, unknowns.display(text.s))
    value = meaning(spec, decoded(text.s))
    kind = origin.kind if origin else LITERAL
    source = SOURCES.get(kind, kind)
    if value is None:
        source = "unknown"
    return Setting(name, value, source, knob, location, (), given_by(text, kind, knob, variable))


def given_by(text: Text, kind: str, knob: str | None, variable: str | None) -> str:
    """How to say where a known text comes from."""
    if kind == ENVIRONMENT:
        return f"{knob or variable} in the environment"
    if knob:
        return f"the default of {knob}"
    origin = text.first_origin
    where = origin.location if origin else None
    by = f"{variable} " if variable else ""
    return f"{by}set at line {where.start.line}" if where else "given"


def meaning(spec: Mapping[str, Any], s: str) -> SettingValue:
    """What the trainer makes of a text; None for a number that is none."""
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


def decoded(s: str) -> str:
    """Bytes, a character each, as the text that Python makes of them."""
    return s.encode("latin-1", "replace").decode("utf-8", "replace")


def is_knob(piece: Unknown) -> bool:
    """Whether a piece is a variable or argument that only the user could give."""
    return piece.kind in (Kind.KNOB, Kind.REQUIRED)

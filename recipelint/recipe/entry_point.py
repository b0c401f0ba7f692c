"""A trainer that a framework file describes, and its flags: from the trainer's own source where that is there.

The framework file says which flag or variable spells each setting; the source, what an absent one means today.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

from recipelint.python.schema import Flag, Schema
from recipelint.recipe.command_line import read
from recipelint.recipe.spoken import word_of
from recipelint.record import NamedTuple
from recipelint.shell.text import Text
from recipelint.source import Location, SourceFile, Span

ARGPARSE, TRANSFORMERS = "argparse", "transformers"
NARGS: Mapping[str, int | str | None] = {"switch": 0, "value": None, "pair": 2, "optional": "?"}


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


class Configuring(NamedTuple):
    """How a trainer reads its configuration.

    style    how the words on top of it are spelt: hydra or dotted
    file     which option names the file, what it builds on, and what counts where none is named
    known    configurations that the framework file lists, for where their files are not there
    """

    style: str
    file: Mapping[str, Any]
    known: Mapping[str, Any]


class EntryPoint:
    """One trainer of a framework.

    settings    how each is spelled: what `rules/frameworks/*.yaml` says, with the defaults of the source if it is there
    schema      its flags: of the source, or those that the framework file lists
    packages    the packages whose revision decides what a recipe does
    reads       the variables that it reads besides those of the settings
    workers     who starts its workers: they have the environment of that one, not of the trainer
    read_from   for a setting whose default the source gave, where that stands; the framework file gave the others
    rules       the rules of this program that are known to hold for it, by code
    configuring how it reads a configuration; None for a trainer that has none
    elsewhere   what names a file that gives flags: `flags`, or true as `first_word` for a YAML or JSON file there
    """

    def __init__(
        self,
        name: str,
        framework: str,
        title: str,
        settings: Mapping[str, Mapping[str, Any]],
        schema: Schema,
        packages: Sequence[str] = (),
        reads: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
        workers: str = "",
        read_from: Mapping[str, str] = MappingProxyType({}),
        rules: frozenset[str] = frozenset(),
        configuring: Configuring | None = None,
        elsewhere: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self.name = name
        self.framework = framework
        self.title = title
        self.settings = settings
        self.schema = schema
        self.packages = packages
        self.reads = reads
        self.workers = workers
        self.read_from = read_from
        self.rules = rules
        self.configuring = configuring
        self.elsewhere = elsewhere

    def having(self, settings: Mapping[str, Mapping[str, Any]], **changes: Any) -> EntryPoint:
        """The same with other settings, and with what else CHANGES."""
        made = object.__new__(EntryPoint)
        made.__dict__.update(self.__dict__, settings=settings, **changes)
        for computed in ("watched", "flags"):
            made.__dict__.pop(computed, None)
        return made

    def uses(self, words: Sequence[Text]) -> list[Use]:
        """The flags among the words, in order, as argparse takes them apart."""
        found: list[Use] = []
        for one in read(self.schema, [word_of(word, many=False) for word in words]).occurrences:
            if one.flag.positional:
                continue
            values = tuple(words[at] for at in one.values)
            if one.stuck is not None:
                word = words[one.at]
                start = len(word.s) if word.known and not one.stuck else word.s.find("=") + 1 or len(one.spelled)
                values = (word.slice(start, len(word.s)) if len(word.s) > start else empty(word),)
            found.append(Use(one.flag.names[0], one.at, values, one.stuck is not None))
        return found

    @cached_property
    def watched(self) -> dict[str, str | None]:
        """Every variable that it reads, with the setting that it decides."""
        found: dict[str, str | None] = dict.fromkeys(self.reads)
        return found | {spec["environment"]: name for name, spec in self.settings.items() if "environment" in spec}

    @cached_property
    def flags(self) -> dict[str, Flag]:
        """The flags by each of their names."""
        return self.schema.options

    def default_text(self, name: str) -> str:
        """How to say that a setting is the trainer's default."""
        spec = self.settings[name]
        if "environment" in spec:
            return f"{self.title}'s default when {spec['environment']} is unset"
        return f"{self.title}'s default without {spec.get('flag') or keys_of(spec)[0]}"


def keys_of(spec: Mapping[str, Any]) -> list[str]:
    """The keys of a configuration, or the flags of the cases, from which a setting is read; none for a single flag."""
    cases = spec.get("cases", [spec] if "key" in spec else [])
    found = dict.fromkeys(str(case.get("key") or case["flag"]) for case in cases if "value" not in case)
    return list(found) or [str(key) for case in cases for key in case.get("when", ())]


def empty(word: Text) -> Text:
    """The empty value of `--flag=`, placed at the word's end."""
    last = word.runs[-1][1] if word.runs else None
    if last is None or last.source is None:
        return Text.of("")
    return Text.of("", type(last)(last.source, last.end, last.end, last.kind, last.knob))


def listed(name: str, framework: str, flags: Mapping[str, Sequence[str]], style: str = ARGPARSE) -> Schema:
    """The flags that a framework file lists, as an open schema: the trainer at hand may have others.

    A prefix is a flag only for argparse as it is by itself; transformers adds each name with hyphens.
    """
    place = Location(SourceFile(f"rules/frameworks/{framework}.yaml", b""), Span(0, 0))
    found = tuple(
        Flag(names_of(flag, style), flag.lstrip("-"), "store", None, NARGS[kind], None, None, None, False, place)
        for kind, names in flags.items()
        for flag in names
    )
    return Schema(name, "", False, found, style == ARGPARSE, False, "-", ("its source is not there",), {}, ())


def names_of(flag: str, style: str) -> tuple[str, ...]:
    """The names of a flag: https://github.com/huggingface/transformers/blob/v5.24.0/src/transformers/hf_argparser.py#L151"""
    hyphens = "--" + flag[2:].replace("_", "-")
    return (flag,) if style != TRANSFORMERS or hyphens == flag else (flag, hyphens)

"""What a launch gets of one flag or variable, in the words of the reports: the value, where it is decided, its setting.

All text is neutralised as it is in a report, but for `value`, which is as the trainer gets it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from recipelint.recipe.build import Recipes, Resolved
from recipelint.recipe.entry_point import Use
from recipelint.recipe.frameworks import SOURCES
from recipelint.recipe.model import Setting
from recipelint.report import words
from recipelint.report.plain import neutralise
from recipelint.shell.text import LITERAL, Text
from recipelint.shell.unknown import Kind, Unknown, Unknowns
from recipelint.source import Location

BARE = "given, without a value"
REASONS = {
    Kind.KNOB: "{name} is for the user to set",
    Kind.REQUIRED: "{name} must be set by the user",
    Kind.MACHINE: "the machine sets {name}",
    Kind.OUTPUT: "it is what {label} prints",
    Kind.DERIVED: "it depends on what cannot be known",
}


class Fact(NamedTuple):
    """One flag or variable of one launch.

    called   the flag, or the variable
    value    empty for a flag that stands alone
    known    whether no piece of the value is unknown
    origin   where the value comes from, and what would change it
    setting  what rules call it, if they speak of it
    places   the stretches of text that decide the value
    """

    called: str
    value: str
    known: bool
    origin: str
    setting: Setting | None
    places: tuple[Location, ...]
    launch: Resolved


def of_word(recipes: Recipes, resolved: Resolved, at: int, path: str) -> Fact:
    """The flag that the AT-th word of a launch belongs to."""
    unknowns = recipes.evaluation.session.unknowns
    use = use_at(resolved, at)
    if use is not None:
        texts: Sequence[Text] = use.values
        called = use.name
    else:
        called, texts = by_looks(resolved, at)
    flags = resolved.entry.settings.items() if resolved.entry is not None and use is not None else ()
    name = next((name for name, spec in flags if spec.get("flag") == called), None)
    setting = resolved.launch.settings.get(name) if name is not None else None
    return fact(called, texts, unknowns, setting, resolved, path)


def of_variable(recipes: Recipes, resolved: Resolved, name: str, path: str) -> Fact:
    """A variable of a launch's environment."""
    text = resolved.environment.get(name)
    specs = resolved.entry.settings.items() if resolved.entry is not None else ()
    spelled = next((setting for setting, spec in specs if spec.get("environment") == name), None)
    setting = resolved.launch.settings.get(spelled) if spelled is not None else None
    texts = () if text is None else (text,)
    return fact(name, texts, recipes.evaluation.session.unknowns, setting, resolved, path)


def fact(
    called: str, texts: Sequence[Text], unknowns: Unknowns, setting: Setting | None, resolved: Resolved, path: str
) -> Fact:
    value = " ".join(words.word(unknowns.display(text.s), unknown=not text.known) for text in texts)
    known = all(text.known for text in texts)
    origin = BARE if not texts else "; ".join(dict.fromkeys(decided(text, unknowns, path) for text in texts))
    return Fact(called, value, known, origin, setting, tuple(places(texts)), resolved)


def use_at(resolved: Resolved, at: int) -> Use | None:
    """The flag, as the trainer's parser takes the words, that a word belongs to."""
    uses = resolved.entry.uses(resolved.words) if resolved.entry is not None else ()
    return next((use for use in uses if use.at <= at < use.end), None)


def by_looks(resolved: Resolved, at: int) -> tuple[str, tuple[Text, ...]]:
    """The flag and the values of a word, where nobody knows the trainer's parser: by its dashes."""
    start = 0
    for line in words.lines(resolved.launch.argv):
        if start <= at < start + len(line):
            first, *rest = line
            name, equals, _ = first.text.partition("=")
            if equals and first.text.startswith("-"):
                return name, (first.value.slice(first.value.s.find("=") + 1, len(first.value.s)),)
            if first.text.startswith("-"):
                return first.text, tuple(argument.value for argument in rest)
            return first.text, (first.value,)
        start += len(line)
    return "", ()


def places(texts: Iterable[Text]) -> list[Location]:
    """The stretches of files that decide some texts, each once, in order."""
    found: dict[tuple[str, int, int], Location] = {}
    for text in texts:
        runs = [run for run in text.runs if run[0]] or list(text.runs)
        whole = text.origin
        for origin in [whole] if whole is not None else [origin for _, origin in runs]:
            if origin.location is not None:
                found.setdefault(origin.location.key, origin.location)
    return list(found.values())


def decided(text: Text, unknowns: Unknowns, path: str) -> str:
    """Where a text comes from, for a reader of the file at PATH: `default of EP_SIZE, sft.sh:43`."""
    pieces = list(dict.fromkeys(unknowns.pieces(text.s)))
    if pieces:
        return "; ".join(dict.fromkeys(reason(piece) for piece in pieces))
    origin = text.origin or text.first_origin
    if origin is None:
        return "worked out"
    if text.origin is None:
        lines = dict.fromkeys(words.place(decision(place), path) for place in places([text]))
        return f"put together from {', '.join(lines)}"
    source = SOURCES.get(origin.kind, origin.kind)
    detail = {"loop": "a turn of a loop", "argument": "an argument of the launcher"}.get(origin.kind, "")
    if origin.kind == "environment":
        detail = f"{origin.knob} in the environment"
    said = "written here" if source == LITERAL else "assigned" if source == "assigned" and not detail else detail
    return words.origin(Setting("", text.s, source, origin.knob, origin.location, (), said), path)


def decision(place: Location) -> Setting:
    """A setting that has a place, and nothing else."""
    return Setting("", None, LITERAL, None, place)


def reason(piece: Unknown) -> str:
    """Why a piece is unknown."""
    if piece.choices:
        return f"one of {', '.join(map(words.word, piece.choices))}"
    name = f"${piece.name}" if piece.name.isdigit() else piece.name
    if piece.kind is Kind.MACHINE and not name:
        return "the machine decides it"
    return neutralise(REASONS[piece.kind].format(name=name, label=piece.label))

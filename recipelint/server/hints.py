"""The effective value behind a variable, where a launch gets it and the text there does not say it.

A hint stands behind what an array, an assignment or a launch holds; not in a test or a message, nor where the value is
unknown, or is the default that stands right there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from recipelint.commenting import Layouts
from recipelint.recipe.build import Recipes
from recipelint.report import words
from recipelint.report.plain import neutralise
from recipelint.server.hover import text as hover_text
from recipelint.server.live import Live
from recipelint.server.markdown import cut
from recipelint.server.places import Seen, reached, shell
from recipelint.shell.layout import Layout
from recipelint.shell.sightings import Sighting
from recipelint.shell.text import DEFAULT, Text
from recipelint.shell.unknown import Unknowns
from recipelint.source import SourceFile, Span

LONGEST = 48
"""Characters of a value in a line of code."""
CHOICES = 3
"""More values than these are not told in a line of code."""


class Hint(NamedTuple):
    """A hint behind the byte at an offset, what it says, and its tooltip in Markdown."""

    offset: int
    label: str
    tooltip: str


def hints(live: Live, source: SourceFile, within: Span) -> list[Hint]:
    """The hints of a launcher, or of a file that launchers source, in some bytes of it."""
    layout = Layouts().of(source)
    found: dict[int, Hint] = {}
    for recipes in shell(live):
        mine = [one for one in live.sightings(recipes) if one.location.source is source and not one.assigned]
        if not mine:
            continue
        launching = commands(recipes, layout, source)
        for one in mine:
            offset = behind(source, layout, one.location.span)
            if not within.start <= offset <= within.end or not holds(layout, one.location.span, launching):
                continue
            said = label(one, recipes)
            if said:
                tooltip = hover_text([Seen(recipes, one, one.location.span)], source.path)
                found.setdefault(offset, Hint(offset, said, tooltip))
    return [hint for _, hint in sorted(found.items())]


def label(one: Sighting, recipes: Recipes) -> str:
    """What to say of a variable: `= 8 (default of EP_SIZE)`; empty for nothing."""
    unknowns = recipes.evaluation.session.unknowns
    values = [value[0] for value in one.values if len(value) == 1 and value[0].known]
    if one.more or len(values) != len(one.values) or len({value.s for value in values}) > CHOICES:
        return ""
    if all(said_there(value, one) for value in values) or not any(value.s for value in values):
        return ""
    if not any(True for _ in reached(recipes, values)):
        return ""
    shown = " or ".join(dict.fromkeys(short(value, unknowns) for value in values))
    knobs = dict.fromkeys(knob(value) for value in values)
    only = next(iter(knobs)) if len(knobs) == 1 else ""
    return f"= {shown} (default of {neutralise(only)})" if only else f"= {shown}"


def short(value: Text, unknowns: Unknowns) -> str:
    return cut(words.word(unknowns.display(value.s)), LONGEST)


def knob(value: Text) -> str:
    """The variable that would override a default; empty for what is none."""
    origin = value.origin or value.first_origin
    return origin.knob or "" if origin is not None and origin.kind == DEFAULT else ""


def said_there(value: Text, one: Sighting) -> bool:
    """Whether all of a value is written inside of the variable's own braces."""
    span = one.location.span
    return bool(value.s) and all(
        origin.source is one.location.source and span.start <= origin.start and origin.end <= span.end
        for n, origin in value.runs
        if n
    )


# --- where a hint may stand ----------------------------------------------------------------------------------


def behind(source: SourceFile, layout: Layout, span: Span) -> int:
    """Behind the variable, or behind the quotes of a word that is nothing else."""
    text = source.text
    quoted = text[span.start - 1 : span.start] == '"' == text[span.end : span.end + 1]
    slot = layout.slot(span.start)
    if quoted and slot is not None and (slot.word.start, slot.word.end) == (span.start - 1, span.end + 1):
        return span.end + 1
    return span.end


def commands(recipes: Recipes, layout: Layout, source: SourceFile) -> set[int]:
    """The commands of a file, by their start, that launch a trainer or hand it words."""
    starts: set[int] = set()
    places = [resolved.launch.location for resolved in recipes.resolved if resolved.launch.location.source is source]
    starts |= {start for place in places for start in enclosing(layout, place.span.start)}
    for resolved in recipes.resolved:
        for word in resolved.words:
            if word.s.startswith("-"):
                runs = (origin.start for n, origin in word.runs if n and origin.source is source)
                starts |= {start for at in runs for start in enclosing(layout, at)}
    return starts


def enclosing(layout: Layout, offset: int) -> Iterator[int]:
    """The start of the simple command that the word at an offset belongs to."""
    slot = layout.slot(offset)
    if slot is not None and slot.command is not None:
        yield slot.command.start


def holds(layout: Layout, span: Span, launching: set[int]) -> bool:
    """Whether a variable stands in an array, an assignment, or a command that launches."""
    slot = layout.slot(span.start)
    if slot is None:
        return False
    if slot.array is not None or any(one.value is slot.word for one, _ in layout.assignments):
        return True
    return slot.command is not None and slot.command.start in launching

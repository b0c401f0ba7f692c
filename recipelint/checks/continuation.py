"""SH003: words that a command loses because it ends before them, at a comment, a blank line or a missing backslash.

Bash runs the rest as a command of its own, named like an option, and does not find it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recipelint.checks import Context
from recipelint.checks.breaks import Break
from recipelint.checks.cuts import Cut, cuts
from recipelint.checks.rejoin import Rejoin
from recipelint.diagnostic import Label, Severity
from recipelint.finding import Finding
from recipelint.lazily import regex
from recipelint.recipe.build import Recipes, Resolved
from recipelint.shell.calls import Stray
from recipelint.shell.layout import Layout
from recipelint.shell.nodes import Simple, Unit
from recipelint.shell.parse import parse
from recipelint.shell.text import Text
from recipelint.shell.words import Word
from recipelint.source import Location, Span

FOLLOWED = regex(r"(?:[ \t]*(?:\\|#[^\n]*)?\n)+[ \t]*-")
"""After a launch: the next command starts with a dash, be it reached or not (after `exec` it is not)."""

REASONS = {
    "comment": "the comment on line {line} ends the command",
    "blank": "the blank line {line} ends the command",
    "missing": "line {line} ends the command, for want of a backslash",
    "escaped": "the blank after the backslash on line {line} ends the command",
    "carriage": "the carriage return after the backslash on line {line} ends the command",
}


def check(context: Context) -> Iterable[Finding]:
    """The cut commands of each launcher."""
    for recipes in context.recipes:
        session = recipes.evaluation.session
        nodes = [found[0].node for found in session.strays.values() if found]
        units = {id(node.unit): node.unit for node in nodes}
        for node in {id(call.node): call.node for call in session.calls}.values():
            if FOLLOWED.match(node.unit.text.s, node.end):
                units.setdefault(id(node.unit), node.unit)
        for unit in units.values():
            yield from Finder(context, recipes, unit).findings()


class Finder:
    """The cut commands of one unit of a launcher."""

    def __init__(self, context: Context, recipes: Recipes, unit: Unit) -> None:
        self.context = context
        self.recipes = recipes
        self.unit = unit
        self.unknowns = recipes.evaluation.session.unknowns
        session = recipes.evaluation.session
        found = [known for known in session.strays.values() if known and known[0].node.unit is unit]
        self.strays: dict[int, list[Stray]] = {known[0].node.start: known for known in found}
        self.launches = {call.node.start for call in session.calls if call.node.unit is unit}
        self.makers: dict[object, dict[int, Resolved]] = {}
        """The launches by the command that makes them, itself or by what it runs."""
        for resolved in recipes.resolved:
            for call in resolved.calls:
                for key in ((id(call.node.unit), call.node.start), (call.command.source, call.command.start)):
                    self.makers.setdefault(key, {})[id(resolved)] = resolved

    def findings(self) -> Iterable[Finding]:
        layout = (
            self.context.layouts.of(self.unit.source)
            if self.unit.source is not None
            else Layout(parse(self.unit), self.unit.text.s)
        )
        strays = {start: found[0] for start, found in self.strays.items()}
        for cut in cuts(self.unit.text.s, layout.neighbours, strays, self.launches):
            finding = self.finding(cut)
            if finding is not None:
                yield finding

    def finding(self, cut: Cut) -> Finding | None:
        """One finding for all that a command loses, at what cuts it first."""
        first, *others = cut.breaks
        place = self.location(first.place)
        resumed = self.location((cut.lost[0].start, cut.lost[0].end))
        if place is None or resumed is None:
            return None
        resolved = self.resolved(cut.command)
        lost = self.lost(cut)
        words = [word.s for word in lost] if lost is not None else written(cut)
        related = [Label(resumed, "bash runs this as a command of its own")]
        for one in others:
            again = self.location(one.place)
            if again is not None:
                related.append(Label(again, "here it is cut again"))
        rejoin = Rejoin(cut, self.unit, place.source, lost)
        doubt, fix = rejoin.doubt(resolved), None
        if not doubt:
            fix = rejoin.fix(self.title(), self.context.layouts, resolved, self.unknowns)
            doubt = "" if fix is not None else "the text is not the file's own"
        fields = {
            "reader": self.reader(cut.command, resolved),
            "words": self.said(words),
            "reason": reason(first, place),
        }
        return Finding(
            "SH003",
            place,
            {name: " ".join(text.split()) for name, text in fields.items()},
            "the command ends here",
            tuple(related),
            fix,
            f"not fixed: {doubt}" if doubt else "",
            self.recipes,
            tuple(resolved),
            None if resolved else Severity.WARNING,
        )

    def title(self) -> str:
        fix = self.context.ruleset.rules["SH003"].fix
        assert fix is not None
        return fix.title

    def resolved(self, command: Simple) -> list[Resolved]:
        """The launches that the cut command makes."""
        place = self.unit.origin(command.start, command.end)
        found = self.makers.get((id(self.unit), command.start), {})
        return list((found | self.makers.get((place.source, place.start), {}) if place else found).values())

    def lost(self, cut: Cut) -> list[Text] | None:
        """The words of the stretches, without what only their own breaks have put there; None if they vary."""
        out: list[Text] = []
        for at, stretch in enumerate(cut.lost):
            found = {tuple(word.s for word in one.words): one.words for one in self.strays.get(stretch.start, ())}
            texts = list(next(iter(found.values()))) if len(found) == 1 else literals(stretch) if not found else None
            if texts is None:
                return None
            spare = cut.breaks[at + 1].spare if at + 1 < len(cut.breaks) else 0
            out += texts[: len(texts) - spare]
        return out

    def reader(self, command: Simple, resolved: Sequence[Resolved]) -> str:
        """Who does not get the words."""
        if resolved:
            return resolved[0].launch.entry_point
        first = command.words[0]
        return self.unit.text.s[first.start : first.end]

    def said(self, words: Sequence[str]) -> str:
        """The first lost flag with its value, and how many words more."""
        count = 2 if len(words) > 1 and "=" not in words[0] and not words[1].startswith("-") else 1
        text = " ".join(self.unknowns.display(word) for word in words[:count])
        text = text if len(text) <= 80 else f"{text[:79]}…"
        more = len(words) - count
        return text if more <= 0 else f"{text} and {more} more word{'s' if more > 1 else ''}"

    def location(self, place: tuple[int, int]) -> Location | None:
        """A stretch of the unit in its file."""
        start, end = place
        if self.unit.source is not None:
            return Location(self.unit.source, Span(start, end))
        origin = self.unit.origin(start, end)
        if origin is None or origin.source is None:
            return None
        return Location(origin.source, Span(origin.start, max(origin.start, origin.end)))


def reason(one: Break, place: Location) -> str:
    """What ends the command, and on which line."""
    line = place.end.line if one.kind == "missing" else place.start.line
    return REASONS[one.kind].format(line=line)


def literals(command: Simple) -> list[Text] | None:
    """The words of a command that is never reached, where nothing in them expands."""
    words = [word.literal for word in command.words if isinstance(word, Word) and word.literal is not None]
    return words if len(words) == len(command.words) else None


def written(cut: Cut) -> list[str]:
    """The lost words as they are written."""
    return [word.unit.text.s[word.start : word.end] for one in cut.lost for word in one.words if isinstance(word, Word)]

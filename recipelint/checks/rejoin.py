"""The fix for a cut command: what is in the way goes, and its comments stand above the command.

It declares the words that a launch gets back. Where the text leaves a doubt about what was meant, there is no fix.
"""

from __future__ import annotations

from collections.abc import Sequence

from recipelint.checks.breaks import ODD as BLANKS
from recipelint.checks.cuts import Cut
from recipelint.commenting import Layouts, offset
from recipelint.fix import Applicability, Edit, Fix, WordChange
from recipelint.lazily import regex
from recipelint.recipe.build import Resolved
from recipelint.shell.layout import Layout
from recipelint.shell.nodes import Unit
from recipelint.shell.text import Text
from recipelint.shell.unknown import Kind, Unknowns
from recipelint.source import SourceFile

ODD = regex(BLANKS)


class Rejoin:
    """Puts one cut command of a unit together again. LOST are the words of its stretches; None: not the same always."""

    def __init__(self, cut: Cut, unit: Unit, source: SourceFile, lost: Sequence[Text] | None) -> None:
        self.cut = cut
        self.unit = unit
        self.source = source
        self.lost = lost

    def doubt(self, resolved: Sequence[Resolved]) -> str:
        """Why the words are not given back; empty if nothing speaks against it."""
        if self.cut.piped:
            return "the command is a pipeline, and the words may be meant for another part of it"
        if self.source.newline == b"\r\n" or "\r" in self.joined():
            return "the file's lines end with CRLF, which bash takes for a part of the words"
        if not all(one.certain for one in self.cut.breaks):
            return "it is not certain that the words are meant for this command"
        if self.lost is None:
            return "the lost words are not known"
        if any(is_blank(word.s) for word in self.lost):
            return "one of the lost words is a blank"
        for one in resolved:
            name = disputed([word.value.s for word in one.launch.argv], [word.s for word in self.lost])
            if name:
                return f"the command would then have {name} twice, with different values"
        return ""

    def joined(self) -> str:
        """The text of the command with what it gets back, and without what is in the way."""
        text, at, out = self.unit.text.s, self.cut.command.start, []
        for one in self.cut.breaks:
            out.append(text[at : one.rejoin[0]])
            at = one.rejoin[1]
        end = text.find("\n", self.cut.lost[-1].end)
        return "".join(out) + text[at : end if end >= 0 else len(text)]

    def edits(self, layouts: Layouts) -> tuple[Edit, ...]:
        """The bytes to change; none where the unit's text is not the file's, byte by byte."""
        out: list[Edit] = []
        for one in self.cut.breaks:
            start, end, text = one.rejoin
            edit = self.edit(start, end, text)
            if edit is None:
                return ()
            out.append(edit)
        comments = [comment for one in self.cut.breaks for comment in one.comments]
        if comments:
            place = self.comment_place(layouts)
            if place is None:
                return ()
            text = self.unit.text.s
            indent = text[place : len(text) - len(text[place:].lstrip(" \t"))]
            edit = self.edit(place, place, "".join(f"{indent}{comment}\n" for comment in comments))
            if edit is None:
                return ()
            out.append(edit)
        return tuple(out)

    def comment_place(self, layouts: Layouts) -> int | None:
        """Where the command's line starts, or that of the command that it is part of."""
        if self.unit.source is not None:
            return layouts.of(self.source).comment_place(self.cut.command.start)
        from recipelint.shell.parse import parse

        place = Layout(parse(self.unit), self.unit.text.s).comment_place(self.cut.command.start)
        return place or None

    def edit(self, start: int, end: int, text: str) -> Edit | None:
        """The edit of a stretch of the unit in the file."""
        first, last = self.offset(start), self.offset(max(start, end - 1))
        if first is None or last is None or last - first != max(start, end - 1) - start:
            return None
        return Edit(self.source.path, first, first + end - start, text.encode("latin-1"))

    def offset(self, at: int) -> int | None:
        return at if self.unit.source is not None else offset(self.unit, self.source, at)

    def fix(self, title: str, layouts: Layouts, resolved: Sequence[Resolved], unknowns: Unknowns) -> Fix | None:
        """The fix, with the words that each launch gets; None where the text cannot be changed."""
        edits = self.edits(layouts)
        if not edits or self.lost is None:
            return None
        spare = self.cut.breaks[0].spare
        words = [word for word in self.lost if not vanishes(word, unknowns)]
        said = tuple(unknowns.display(word.s) for word in words)
        unknown = frozenset(at for at, word in enumerate(words) if not word.known)
        changes = tuple(
            WordChange(one.launch.key, len(one.launch.argv) - spare, len(one.launch.argv), said, unknown)
            for one in resolved
        )
        return Fix(title, Applicability.SAFE, edits, changes)


def is_blank(word: str) -> bool:
    """Whether a word looks like none: there are blanks in it that bash takes for a part of it, and nothing else."""
    return bool(word) and not ODD.sub("", word)


def flag(word: str) -> str:
    """The flag, or the key of Hydra's, that a word sets; empty for another word."""
    name, equals, _ = word.partition("=")
    return name if name.startswith("--") or (equals and "." in name) else ""


def disputed(given: Sequence[str], lost: Sequence[str]) -> str:
    """A flag that would be there twice with different values, lost words being among them; empty if there is none."""
    values: dict[str, tuple[str, ...]] = dict(flags(given))
    for name, value in flags(lost):
        if values.setdefault(name, value) != value:
            return name
    return ""


def flags(words: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Each flag among the words, with the words after it up to the next."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for word in words:
        name = flag(word)
        if name:
            found.append((name, (word[len(name) :],)))
        elif found:
            found[-1] = (found[-1][0], (*found[-1][1], word))
    return found


def vanishes(word: Text, unknowns: Unknowns) -> bool:
    """An unquoted knob that nobody sets is no word, as shipped."""
    pieces = list(unknowns.pieces(word.s))
    return len(pieces) == len(word.s) > 0 and all(p.kind is Kind.KNOB and p.many and not p.shipped for p in pieces)

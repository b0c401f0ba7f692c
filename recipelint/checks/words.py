"""The words of a launch as its trainer's own parser takes them, and where each is written."""

from __future__ import annotations

from collections.abc import Iterator

from recipelint.commenting import Layouts
from recipelint.finding import Finding
from recipelint.fix import Applicability, Edit, Fix, WordChange
from recipelint.lazily import regex
from recipelint.python.schema import Schema
from recipelint.recipe.build import Recipes, Resolved
from recipelint.recipe.command_line import read
from recipelint.recipe.spoken import CommandLine, Occurrence, Word, word_of
from recipelint.record import NamedTuple
from recipelint.shell.fields import IN_TEXT
from recipelint.shell.text import LOOP, Text
from recipelint.source import Location

GLOB = regex(r"[*?\[]")
"""A word with one of these may be several, if it is not in quotes: the names of files."""


class Parsed(NamedTuple):
    """A launch whose trainer's source was read in full, and its words taken apart."""

    recipes: Recipes
    resolved: Resolved
    schema: Schema
    words: tuple[Word, ...]
    line: CommandLine

    def place(self, at: int | None) -> Location:
        """Where word AT is written; the trainer's word where no file says so, or without one."""
        origin = self.resolved.words[at].first_origin if at is not None else None
        location = origin.location if origin is not None else None
        return location or self.resolved.launch.trainer

    def value_place(self, one: Occurrence, at: int) -> Location:
        """Where a value is written: for one that is stuck to its flag, behind the equals sign."""
        if one.stuck is None:
            return self.place(at)
        word = self.resolved.words[at]
        start = word.s.find("=") + 1
        origin = word.slice(start, len(word.s)).first_origin if 0 < start < len(word.s) else None
        return (origin.location if origin is not None else None) or self.place(at)

    def values(self, one: Occurrence) -> Iterator[tuple[int, str]]:
        """The known values of a flag, each with its word."""
        for at in one.values:
            if self.words[at].known and not self.words[at].many:
                yield at, one.stuck if one.stuck is not None else self.words[at].text

    def awaits_user(self, at: int | None, layouts: Layouts) -> bool:
        """Whether the word after word AT is nothing as shipped, and the user's to give."""
        origin = self.resolved.words[at].first_origin if at is not None else None
        if origin is None or origin.source is None:
            return False
        slot = layouts.of(origin.source).slot(origin.start)
        forwarded = self.recipes.evaluation.session.forwarded
        if slot is None or slot.word.literal is None:
            return IN_TEXT in forwarded
        following = slot.after(1)
        return following is not None and (origin.source.path, following.start) in forwarded

    def finding(self, code: str, location: Location, fields: dict[str, str], fix: Fix | None = None) -> Finding:
        """What is wrong with a word: FIELDS and what every message about a command line tells."""
        fields = {"entry_point": self.schema.entry_point, "source": self.schema.path, **fields}
        return Finding(code, location, fields, fix=fix, recipes=self.recipes, resolved=(self.resolved,))

    def known(self, one: Occurrence) -> bool:
        """Whether every value of a flag is known."""
        return all(self.words[at].known for at in one.values)

    def rewritten(
        self, at: int, start: int, end: int, text: str, title: str, applicability: Applicability
    ) -> Fix | None:
        """A fix that puts TEXT for the bytes [start, end) of word AT, if exactly one place in a file says them."""
        word = self.resolved.words[at]
        edit = exact_edit(word.slice(start, end), text)
        if edit is None or (" " in text and (start, end) != (0, len(word.s))):
            return None
        first, *others = text.encode().decode("latin-1").split(" ")
        words = (word.s[:start] + first, *others) if others else (word.s[:start] + first + word.s[end:],)
        return Fix(title, applicability, (edit,), (WordChange(self.resolved.launch.key, at, at + 1, words),))


def exact_edit(text: Text, replacement: str) -> Edit | None:
    """The edit that writes another text, where a file has exactly this one; not in a loop's word, which has turns."""
    origin = text.origin
    if origin is None or origin.source is None or origin.kind == LOOP or not text.s:
        return None
    if origin.source.text[origin.start : origin.end] != text.s:
        return None
    return Edit(origin.source.path, origin.start, origin.end, replacement.encode())


def parsed(recipes: tuple[Recipes, ...]) -> Iterator[Parsed]:
    """The launches whose trainer's command line is wholly known: an open one accuses nobody."""
    for one in recipes:
        for resolved in one.resolved:
            schema = resolved.schema()
            if schema is None or not schema.complete:
                continue
            unknowns = one.evaluation.session.unknowns
            words = tuple(
                word_of(word, bool(GLOB.search(word.s)) or any(piece.many for piece in unknowns.pieces(word.s)))
                for word in resolved.words
            )
            line = read(schema, words)
            if any(use.flag.action in ("help", "version") for use in line.occurrences):
                continue  # it prints that, and exits with 0, whatever else there is
            yield Parsed(one, resolved, schema, words, line)

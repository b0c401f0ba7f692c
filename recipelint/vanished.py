"""Values that are empty and get lost on their way to the trainer: where one is written, and what to put there."""

from __future__ import annotations

from collections.abc import Mapping

from recipelint.commenting import Layouts
from recipelint.fix import Edit
from recipelint.recipe.build import Recipes, Resolved
from recipelint.recipe.entry_point import Use
from recipelint.shell.stretches import Slot
from recipelint.shell.text import Text
from recipelint.shell.words import Parameter, Word
from recipelint.source import SourceFile


class NoEdit(Exception):
    """There is no edit that is certain; the message says why, and what is left to do by hand."""


Change = tuple[SourceFile, list[Edit]]
"""The edits of one file; the first one gives the value."""


class LostValues:
    """The words of one launcher's launches."""

    def __init__(self, recipes: Recipes, layouts: Layouts) -> None:
        self.recipes = recipes
        self.layouts = layouts
        self.empties: Mapping[tuple[str, int], Text] = recipes.evaluation.session.empties

    def flag_slot(self, resolved: Resolved, use: Use) -> Slot | None:
        """The source word of a flag, if it is one word of its own in a file."""
        origin = resolved.words[use.at].first_origin
        if origin is None or origin.source is None:
            return None
        slot = self.layouts.of(origin.source).slot(origin.start)
        if slot is None or slot.word.literal is None:
            return None
        return slot if slot.word.literal.s.partition("=")[0] == resolved.words[use.at].s.partition("=")[0] else None

    def lost(self, resolved: Resolved, use: Use) -> Word | None:
        """The word after a bare flag that says an empty value, which the trainer does not get."""
        slot = self.flag_slot(resolved, use) if not use.values else None
        word = slot.after(1) if slot is not None else None
        return word if word is not None and self.vanishes(word) else None

    def vanishes(self, word: Word) -> bool:
        """Whether a word is there, and empty, when the launcher runs."""
        source = word.unit.source
        return source is not None and (
            (source.path, word.start) in self.empties or (word.literal is not None and not word.literal.s)
        )

    def restored(self, resolved: Resolved, lost: Word, value: str) -> Change:
        """A value for a word that is empty and gets lost."""
        source = lost.unit.source
        assert source is not None
        empty = self.empties.get((source.path, lost.start))
        if empty is not None:
            return self.filled(resolved, empty, lost, value)
        return source, [Edit(source.path, lost.start, lost.end, value.encode())]

    def filled(self, resolved: Resolved, empty: Text, lost: Word, value: str) -> Change:
        """An empty value that vanishes on its way: the empty assignment or default or, if that is exported, its use."""
        origin = next((o for _, o in empty.runs if o.source is not None), None)
        if (
            origin is None
            or origin.source is None
            or origin.source.text[origin.start : origin.end] not in ("", "''", '""')
        ):
            raise NoEdit("the flag's value is empty and gets lost between nested quotes; give it one where it is set")
        exported = any(o == origin for text in resolved.environment.values() if not text.s for _, o in text.runs)
        if not exported:
            return origin.source, [Edit(origin.source.path, origin.start, origin.end, value.encode())]
        part = lost.parts[0] if len(lost.parts) == 1 else None
        if (
            not isinstance(part, Parameter)
            or part.op
            or part.prefix
            or part.index is not None
            or lost.unit.source is None
        ):
            raise NoEdit("the flag's value is empty and gets lost between nested quotes; give it one where it is used")
        use = f"${{{part.name}:-{value}}}".encode("latin-1")
        return lost.unit.source, [Edit(lost.unit.source.path, part.start, part.end, use)]

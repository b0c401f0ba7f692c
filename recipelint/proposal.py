"""What to edit so that a launch gets another value for a setting: at the text that decides it, with a comment above.

Nothing is applied here. Where no edit is certain, a proposal says why, and what is left to do by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recipelint.commenting import Commenter, Layouts, offset, position
from recipelint.fix import Edit
from recipelint.insertion import after, before, end_in_row, end_in_text, ends_in_text
from recipelint.recipe.build import Recipes, Resolved
from recipelint.recipe.configured.options import ENDINGS as CONFIGURATIONS
from recipelint.recipe.entry_point import Use, keys_of
from recipelint.record import NamedTuple
from recipelint.shell.layout import Layout
from recipelint.shell.parse import parse
from recipelint.shell.text import LOOP, Origin, Text
from recipelint.vanished import Change, LostValues, NoEdit


class Proposal(NamedTuple):
    """Edits that give the value, or why there are none."""

    edits: tuple[Edit, ...] = ()
    reason: str = ""


def spelt(spec: Mapping[str, Any], value: str) -> str:
    """The word for a value of a setting, as its trainer spells it."""
    if "values" not in spec or "otherwise" in spec:
        return value
    words = spec["values"].get(value, ())
    if not words:
        raise NoEdit(f"{spec['flag']} has no word for {value}")
    return value if value in words else str(words[0])


class Proposer(LostValues):
    """Makes proposals for the launches of one launcher."""

    def __init__(self, recipes: Recipes, layouts: Layouts) -> None:
        super().__init__(recipes, layouts)
        self.commenter = Commenter(layouts, recipes.evaluation.session.units)

    def propose(
        self, resolved: Resolved, setting: str, value: str, comment: tuple[str, ...], at_use: bool = False
    ) -> Proposal:
        """How to give SETTING the value: at the text that decides it or, AT_USE, at the word that passes it on."""
        entry = resolved.entry
        if entry is None:
            return Proposal(reason="the trainer is not known")
        spec = entry.settings.get(setting)
        if spec is None:
            return Proposal(reason=f"{entry.name} has no {setting}")
        keys = keys_of(spec)
        if keys:
            place = resolved.launch.settings[setting].location
            where = f"in {place.path}" if place is not None and place.path.endswith(CONFIGURATIONS) else "as a word"
            taken = spec.get("values", {}).get(value, (value,))
            word = str(taken[0]) if taken else f"what the trainer takes for {value}"
            return Proposal(reason=f"set {keys[-1]} to {word}, {where}, by hand")
        if "flag" not in spec:
            return Proposal(reason=f"{setting} is read from the environment")
        use = next((u for u in reversed(entry.uses(resolved.words)) if u.name == spec["flag"]), None)
        try:
            if at_use and (use is None or not use.values):
                raise NoEdit("the place is shared with another launch")
            known = entry.flags.get(spec["flag"])
            switch = known is not None and known.most == 0
            value = value if switch else spelt(spec, value)
            if switch:
                source, changes = self.switch(resolved, spec, use, value)
            elif use is None:
                source, changes = self.absent(resolved, spec["flag"], value)
            elif not use.values:
                source, changes = self.bare(resolved, use, value)
            elif at_use:
                source, changes = self.use(resolved, use, value)
            else:
                source, changes = self.replaced(use.values[-1], value)
        except NoEdit as error:
            return Proposal(reason=str(error))
        first = changes[0]
        following = source.text.find("\n", first.start) + 1
        if first.replacement[:1] in (b"\n", b"\r") and following and self.layouts.of(source).takes_comment(following):
            # The edit is a line of its own, in an array: its comment comes with it.
            indent = first.replacement[: len(first.replacement) - len(first.replacement.lstrip())]
            block = b"".join(indent + line.encode("latin-1") for line in comment)
            return Proposal((Edit(first.path, first.start, first.end, block + first.replacement),))
        return Proposal((*changes, *self.commenter.comment(source, first.start, comment)))

    def anchor(self, resolved: Resolved, setting: str) -> Origin | None:
        """The word beside which an absent flag would be added; None where the flag is there."""
        entry = resolved.entry
        flag = entry.settings.get(setting, {}).get("flag") if entry is not None else None
        if entry is None or flag is None or any(use.name == flag for use in entry.uses(resolved.words)):
            return None
        sibling = self.sibling(resolved, flag)
        return resolved.words[sibling.at].first_origin if sibling is not None else None

    # --- where the value is ------------------------------------------------------------------------

    def replaced(self, text: Text, value: str) -> Change:
        """A value that a text gives: that text."""
        origin = text.origin
        if not text.known:
            raise NoEdit("its value cannot be known from the text")
        if origin is None:
            raise NoEdit("its value is put together from several places; change it by hand")
        if origin.source is None:
            raise NoEdit("its value is given with --env or --arg")
        if origin.kind == LOOP:
            raise NoEdit("its value is a word of a loop; give the loop a value for each turn by hand")
        written = origin.source.text[origin.start : origin.end]
        if written.lower() != text.s.lower():
            raise NoEdit("its value is computed; change it by hand")
        return origin.source, [Edit(origin.source.path, origin.start, origin.end, value.encode())]

    def use(self, resolved: Resolved, use: Use, value: str) -> Change:
        """The word that passes a shared value on."""
        slot = self.flag_slot(resolved, use)
        word = slot.after(1) if slot is not None and not use.stuck else None
        source = word.unit.source if word is not None else None
        if word is None or source is None or word.literal is not None:
            raise NoEdit("the value is shared with another launch")
        return source, [Edit(source.path, word.start, word.end, value.encode())]

    def bare(self, resolved: Resolved, use: Use, value: str) -> Change:
        """A bare flag: its value goes after it, or to where an empty one got lost."""
        flag = resolved.words[use.at]
        origin = flag.origin
        if origin is None or origin.source is None:
            raise NoEdit("the flag is put together from several places; change it by hand")
        slot = self.flag_slot(resolved, use)
        lost = slot.after(1) if slot is not None else None
        if lost is not None and self.vanishes(lost):
            return self.restored(resolved, lost, value)
        if lost is not None and lost.literal is None:
            raise NoEdit("the word after the flag comes to nothing; give it a value by hand")
        at = slot.word.end if slot is not None else origin.end
        return origin.source, [Edit(origin.source.path, at, at, b" " + value.encode())]

    def switch(self, resolved: Resolved, spec: Mapping[str, Any], use: Use | None, value: str) -> Change:
        """A flag without a value: it is there or not."""
        if use is not None:
            raise NoEdit(f"{spec['flag']} would have to go; take it away by hand")
        if str(spec.get("const")) != value:
            raise NoEdit(f"{spec['flag']} cannot say {value}")
        return self.absent(resolved, spec["flag"], "")

    # --- an absent flag ----------------------------------------------------------------------------

    def absent(self, resolved: Resolved, flag: str, value: str) -> Change:
        """A flag that is absent: beside the last one with its prefix, else the expert-parallel one, in that style."""
        sibling = self.sibling(resolved, flag)
        if sibling is None:
            raise NoEdit("there is no flag beside which to add it; add it by hand")
        origin = resolved.words[sibling.at].first_origin
        assert origin is not None
        assert origin.source is not None
        source = origin.source
        known = resolved.entry.flags.get(sibling.name) if resolved.entry is not None else None
        most = known.most if known is not None else None
        added = f"{flag}={value}" if sibling.stuck else f"{flag} {value}"
        if not value:
            added = flag
        slot = self.flag_slot(resolved, sibling)
        if slot is not None:
            stop = end_in_row(slot, sibling, most)
            if stop is None:
                return source, before(source, slot.word.start, added, slot)
            return source, after(source, slot.word.start, stop, added, slot)
        stop = self.inner_end(resolved, sibling, most)
        if stop is None:
            stop = end_in_text(source.text, origin, sibling, most)
        if stop is None:
            return source, before(source, origin.start, added, None)
        return source, after(source, origin.start, stop, added, None)

    def sibling(self, resolved: Resolved, flag: str) -> Use | None:
        """The flag to stand beside."""
        assert resolved.entry is not None
        uses = [use for use in resolved.entry.uses(resolved.words) if self.placed(resolved.words[use.at])]
        prefix = flag.partition(".")[0] + "."
        same = [use for use in uses if use.name.startswith(prefix)]
        if same:
            return same[-1]
        size = resolved.entry.settings.get("expert_parallel_size", {}).get("flag")
        return next((use for use in reversed(uses) if use.name == size), None)

    def placed(self, word: Text) -> bool:
        origin = word.first_origin
        return origin is not None and origin.source is not None and origin.kind != LOOP

    def inner_end(self, resolved: Resolved, sibling: Use, most: int | None) -> int | None:
        """Where a flag and its values end in the file, if they are words of a text that is run as a program."""
        origin = resolved.words[sibling.at].first_origin
        if origin is None or origin.source is None:
            return None
        for unit in self.recipes.evaluation.session.units:
            at = position(unit, origin.source, origin.start) if unit.source is None else None
            slot = Layout(parse(unit), unit.text.s).slot(at) if at is not None else None
            if slot is not None:
                stop = end_in_row(slot, sibling, most)
                found = offset(unit, origin.source, stop - 1) if stop is not None else None
                whole = found is not None and ends_in_text(origin.source.text, found + 1, sibling, most)
                return found + 1 if whole and found is not None else None
        return None

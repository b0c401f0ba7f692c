"""Expands words to one text each, as bash does where it does not split.

Pathnames are never expanded: what a pattern would find on the disk is nobody's to know, so it stays as it is written.
"""

from __future__ import annotations

import re

from recipelint.shell.nodes import Sequence
from recipelint.shell.parameters import Parameters
from recipelint.shell.pattern import ESCAPE, quoted
from recipelint.shell.state import World
from recipelint.shell.text import EMPTY, Text, join
from recipelint.shell.words import (
    ArithmeticExpansion,
    CommandSubstitution,
    Literal,
    Parameter,
    Part,
    ProcessSubstitution,
    Word,
)

BACKSLASH = re.compile(r"\0.|\\([^\0]?)", re.S)
GROUP = re.compile(r"\0.|([?*+@!])\(", re.S)


class Expander(Parameters):
    """Parts to texts."""

    # What later links of the chain provide.
    def run_substitution(self, body: Sequence, world: World, part: CommandSubstitution) -> Text:
        raise NotImplementedError

    def run_process(self, part: ProcessSubstitution, world: World) -> Text:
        raise NotImplementedError

    def single(self, parts: list[Part] | None, world: World) -> Text:
        """The parts as one text, unsplit: an assignment's value, a redirection's target, a case's word."""
        if not parts:
            return EMPTY
        if len(parts) == 1 and isinstance(parts[0], Literal):
            text = parts[0].text
            if parts[0].quoted or not text.s.startswith("~"):
                return text
        pieces: list[Text] = []
        for at, part in enumerate(parts):
            if isinstance(part, Literal):
                text = part.text
                if not part.quoted and text.s.startswith("~") and at == 0:
                    pieces += self.tilde(text, world)
                else:
                    pieces.append(text)
            else:
                found = self.part(part, world)
                if isinstance(found, list):
                    star = isinstance(part, Parameter) and part.name == "*"
                    separator = Text.of(self.separator(world) if star else " ")
                    for k, item in enumerate(found):
                        if k:
                            pieces.append(separator)
                        pieces.append(item)
                else:
                    pieces.append(found)
        return self.checked_size(join(pieces))

    def word_text(self, word: Word, world: World) -> Text:
        """A word as one text."""
        return word.literal if word.literal is not None else self.single(word.parts, world)

    def pattern(self, parts: list[Part] | None, world: World, extended: bool = False) -> Text:
        """The parts as a pattern (see `pattern`): quoted characters are escaped.

        EXTENDED: groups such as `@(a|b)` count, as they do after `shopt -s extglob`.
        """
        pieces: list[str] = []
        for part in parts or []:
            text = part.text if isinstance(part, Literal) else self.part(part, world)
            s = " ".join(t.s for t in text) if isinstance(text, list) else text.s
            pieces.append(quoted(s) if part.quoted else s)
        pattern = "".join(pieces)
        if "\\" in pattern:  # one that an expansion gave quotes what comes after it
            pattern = BACKSLASH.sub(lambda m: m[0] if m[1] is None else ESCAPE + (m[1] or "\\"), pattern)
        if "(" in pattern and not extended and "extglob" not in world.options:
            pattern = GROUP.sub(lambda m: m[0] if m[1] is None else m[1] + ESCAPE + "(", pattern)
        return Text.of(pattern)

    def tilde(self, text: Text, world: World) -> list[Text]:
        """`~` and `~/…` at the start of a word."""
        rest = text.s[1:]
        if rest and not rest.startswith("/"):
            return [text]
        origin = text.runs[0][1] if text.runs else None
        home = self.read(world, "HOME", origin).text
        return [home or self.machine("HOME", origin), text.slice(1, len(text.s))]

    def part(self, part: Part, world: World) -> Text | list[Text]:
        """The value of one part; a list for `@` and `*`."""
        if isinstance(part, Parameter):
            return self.parameter(part, world)
        if isinstance(part, Literal):
            return part.text
        if isinstance(part, CommandSubstitution):
            return self.run_substitution(part.body, world, part)
        if isinstance(part, ArithmeticExpansion):
            return self.arithmetic_text(part, world)
        return self.run_process(part, world)

    def arithmetic_text(self, part: ArithmeticExpansion, world: World) -> Text:
        """`$((…))` as a text: unknown where an operand is."""
        origin = part.unit.origin(part.start, part.end)
        number = self.number(self.single(part.expression, world), world)
        if number is None:
            return self.derived("${(…)}", origin, (part.start, self.single(part.expression, world).s))
        text = str(number)
        return Text.of(text, origin) if origin else Text.of(text)

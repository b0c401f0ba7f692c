"""Expands words to one text each, as bash does where it does not split.

Pathnames are never expanded: what a pattern would find on the disk is nobody's to know, so it stays as it is written.
"""

from __future__ import annotations

import re

from recipelint.lazily import regex
from recipelint.shell.arithmetic import Refused
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

ASSIGNED = regex(r"[A-Za-z_]\w*\+?=", re.ASCII)
BACKSLASH = r"\0.|\\([^\0]?)"
GROUP = r"\0.|([?*+@!])\("
"""These are rare, and compiled when they are met."""


class Expander(Parameters):
    """Parts to texts."""

    # What later links of the chain provide.
    def run_substitution(self, body: Sequence, world: World, part: CommandSubstitution) -> Text:
        raise NotImplementedError

    def run_process(self, part: ProcessSubstitution, world: World) -> Text:
        raise NotImplementedError

    def single(self, parts: list[Part] | None, world: World, assigned: bool = False) -> Text:
        """The parts as one text, unsplit: a redirection's target, a case's word, the value of what is ASSIGNED."""
        if not parts:
            return EMPTY
        if len(parts) == 1 and isinstance(parts[0], Literal) and (parts[0].quoted or "~" not in parts[0].text.s):
            return parts[0].text
        pieces: list[Text] = []
        for at, part in enumerate(parts):
            if isinstance(part, Literal):
                if part.quoted or "~" not in part.text.s:
                    pieces.append(part.text)
                else:
                    pieces += self.tildes(part.text, at, at == len(parts) - 1, world, assigned)
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
            if isinstance(part, Literal) and not part.quoted and not pieces and re.match("~(?:/|\\Z)", s):
                home = self.tildes(part.text, 0, len(parts or ()) == 1, world, assigned=False)
                pieces += [quoted(home[0].s) if len(home) > 1 else "", home[-1].s]
            else:
                pieces.append(quoted(s) if part.quoted else s)
        pattern = "".join(pieces)
        if "\\" in pattern:  # one that an expansion gave quotes what comes after it
            pattern = re.sub(
                BACKSLASH, lambda m: m[0] if m[1] is None else ESCAPE + (m[1] or "\\"), pattern, flags=re.S
            )
        if "(" in pattern and not extended and "extglob" not in world.options:
            pattern = re.sub(GROUP, lambda m: m[0] if m[1] is None else m[1] + ESCAPE + "(", pattern, flags=re.S)
        return Text.of(pattern)

    def tildes(
        self, text: Text, at: int, last: bool, world: World, assigned: bool, argument: bool = False
    ) -> list[Text]:
        """The AT-th part of a word, each `~` in it expanded: at the start, and in what is ASSIGNED after `:`.

        An ARGUMENT such as `NAME=~/x` counts as an assignment. A user's home (`~root`) stays as it is written.
        """
        named = ASSIGNED.match(text.s) if argument and not at else None
        starts = {0} if not at else set()
        if assigned or named:
            starts |= {m.end() for m in re.finditer(":", text.s)}
        if named:
            starts = {start for start in starts if start > named.end()} | {named.end()}
        pieces: list[Text] = []
        begun = 0
        for start in sorted(starts):
            after = text.s[start + 1 : start + 2]
            whole = after in ("/", ":") if after else last
            if text.s.startswith("~", start) and whole and (after != ":" or assigned or named):
                origin = text.runs[0][1] if text.runs else None
                home = self.read(world, "HOME", origin).text
                pieces += [text.slice(begun, start), home or self.machine("HOME", origin)]
                begun = start + 1
        return [*(piece for piece in pieces if piece.s), text.slice(begun, len(text.s))]

    def part(self, part: Part, world: World) -> Text | list[Text]:
        """The value of one part; a list for `@` and `*`."""
        if isinstance(part, Parameter):
            found = self.parameter(part, world)
            if self.spliced is None:
                self.saw(part.unit, part.start, part.end, part.name, found)
            return found
        if isinstance(part, Literal):
            return part.text
        if isinstance(part, CommandSubstitution):
            return self.run_substitution(part.body, world, part)
        if isinstance(part, ArithmeticExpansion):
            return self.arithmetic_text(part, world)
        return self.run_process(part, world)

    def arithmetic_text(self, part: ArithmeticExpansion, world: World) -> Text:
        """`$((…))` as a text: unknown where an operand is. Raises Refused for what bash does not take."""
        origin = part.unit.origin(part.start, part.end)
        expression = self.single(part.expression, world)
        number = self.number(expression, world)
        if number is None:
            needs = self.refused(expression, world)
            if needs is None or (needs and self.tolerant):
                return self.derived("${(…)}", origin, (part.start, expression.s))
            raise Refused(needs)
        text = str(number)
        return Text.of(text, origin) if origin else Text.of(text)

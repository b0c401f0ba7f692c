"""Expands words as bash does: parameters, substitutions, arithmetic, splitting, quote removal.

Pathnames are never expanded: what a pattern would find on the disk is nobody's to know, so it stays as it is written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recipelint.shell.arithmetic import ArithmeticFault, Expression, UnknownOperand
from recipelint.shell.nodes import (
    ArithmeticExpansion,
    CommandSubstitution,
    Literal,
    Parameter,
    Part,
    ProcessSubstitution,
    Word,
)
from recipelint.shell.parameters import Parameters
from recipelint.shell.pattern import ESCAPE, quoted
from recipelint.shell.state import World
from recipelint.shell.text import EMPTY, Text, join
from recipelint.shell.variables import IFS

if TYPE_CHECKING:
    from recipelint.shell.nodes import Sequence

FIELD = re.compile(r"[^ \t\n]+")


class Expander(Parameters):
    """Words to texts."""

    def run_substitution(self, body: Sequence, world: World, part: CommandSubstitution) -> Text:
        raise NotImplementedError

    def run_process(self, body: Sequence, world: World) -> None:
        raise NotImplementedError

    # --- one text ----------------------------------------------------------------------------------

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
                    separator = Text.of(self.separator(world) if part.name == "*" else " ")  # type: ignore[union-attr]
                    for k, item in enumerate(found):
                        if k:
                            pieces.append(separator)
                        pieces.append(item)
                else:
                    pieces.append(found)
        return self.checked_size(join(pieces))

    def word_text(self, word: Word, world: World) -> Text:
        return word.literal if word.literal is not None else self.single(word.parts, world)

    def pattern(self, parts: list[Part] | None, world: World) -> Text:
        """The parts as a pattern (see `pattern`): quoted characters are escaped."""
        pieces: list[str] = []
        for part in parts or []:
            text = part.text if isinstance(part, Literal) else self.part(part, world)
            s = " ".join(t.s for t in text) if isinstance(text, list) else text.s
            if part.quoted:
                pieces.append(quoted(s))
            elif isinstance(part, Literal):
                pieces.append(s)
            else:
                pieces.append(s.replace("\\", ESCAPE + "\\"))
        return Text.of("".join(pieces))

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
        self.run_process(part.body, world)
        return self.derived("${/dev/fd}", part.unit.origin(part.start, part.end))

    # --- fields ------------------------------------------------------------------------------------

    def fields(self, words: list[Word], world: World) -> list[Text]:
        """The words after expansion and splitting."""
        out: list[Text] = []
        for word in words:
            literal = word.literal
            if literal is not None and literal.known:
                out.append(literal)
            else:
                out += self.split(word, world)
        return out

    def split(self, word: Word, world: World) -> list[Text]:
        fields: list[Text] = []
        current: list[Text] = []
        have = False
        nothing: Text | None = None

        def close() -> None:
            nonlocal current, have
            if have:
                fields.append(join(current) if current else EMPTY)
            current, have = [], False

        for at, part in enumerate(word.parts):
            if isinstance(part, Literal):
                if at == 0 and not part.quoted and part.text.s.startswith("~"):
                    current += self.tilde(part.text, world)
                elif part.quoted:
                    current.append(part.text)
                else:
                    current.append(Text(self.unknowns.many(part.text.s), part.text.runs))
                have = have or part.quoted or bool(part.text.s)
                continue
            found = self.part(part, world)
            if part.quoted:
                if isinstance(found, list):
                    for k, item in enumerate(found):
                        if k:
                            close()
                        current.append(item)
                        have = True
                    continue
                current.append(found)
                have = True
                continue
            for k, item in enumerate(found if isinstance(found, list) else [found]):
                if k:
                    close()
                s = self.unknowns.many(item.s)
                text = item if s == item.s else Text(s, item.runs)
                if isinstance(part, ProcessSubstitution):
                    current.append(item)
                    have = True
                    continue
                if not text.s and text.runs:
                    nothing = text
                pieces, before, after = self.pieces(text, world)
                if before:
                    close()
                for n, piece in enumerate(pieces):
                    if n:
                        close()
                    current.append(piece)
                    have = True
                if after:
                    close()
        close()
        empty = fields[0] if len(fields) == 1 and not fields[0].s else nothing if not fields else None
        if empty is not None and word.unit.source is not None:
            self.empties[word.unit.source.path, word.start] = empty
        return fields

    def pieces(self, text: Text, world: World) -> tuple[list[Text], bool, bool]:
        """An unquoted value split at IFS; whether it starts, and ends, with a separator."""
        s = text.s
        if not s:
            return [], False, False
        found = world.variables.get("IFS")
        ifs = found.scalar.s if found and found.scalar is not None else IFS
        if ifs == IFS:
            pieces = [text.slice(m.start(), m.end()) for m in FIELD.finditer(s)]
            return pieces, s[0] in IFS, s[-1] in IFS
        if not ifs:
            return [text], False, False
        space = "".join(c for c in ifs if c in IFS)
        hard = "".join(c for c in ifs if c not in IFS)
        pieces = []
        body = s.strip(space) if space else s
        start = s.find(body) if body else 0
        separators = f"[{re.escape(space)}]*[{re.escape(hard)}][{re.escape(space)}]*" if space and hard else ""
        regex = re.compile("|".join(x for x in (separators, f"[{re.escape(hard)}]" if hard and not space else "",
                                                f"[{re.escape(space)}]+" if space else "") if x))  # fmt: skip
        at = 0
        for m in regex.finditer(body):
            pieces.append(text.slice(start + at, start + m.start()))
            at = m.end()
        if at < len(body):
            pieces.append(text.slice(start + at, start + len(body)))
        return pieces, s[0] in space, s[-1] in ifs

    # --- arithmetic --------------------------------------------------------------------------------

    def arithmetic_text(self, part: ArithmeticExpansion, world: World) -> Text:
        """`$((…))` as a text: unknown where an operand is."""
        origin = part.unit.origin(part.start, part.end)
        number = self.number(self.single(part.expression, world), world)
        if number is None:
            return self.derived("${(…)}", origin, (part.unit.depth, part.start, self.single(part.expression, world).s))
        text = str(number)
        return Text.of(text, origin) if origin else Text.of(text)

    def number(self, text: Text, world: World, needs: set[str] | None = None) -> int | None:
        """The value of an expression; None if it cannot be known. NEEDS takes the knobs that count as shipped."""

        def read(name: str, index: int | str | None) -> int:
            variable = world.variables.get(name)
            if index is not None and variable is not None and variable.items is not None:
                value = variable.items.get(index)  # type: ignore[call-overload]
                return evaluate(value.s if value else "0")
            found = self.read(world, name, None)
            if found.text is None:
                if found.knob and needs is None:
                    raise UnknownOperand(name)
                if found.knob and needs is not None:
                    needs.add(name)
                return 0
            return evaluate(found.text.s)

        def write(name: str, index: int | str | None, value: int) -> None:
            if index is None:
                self.assign(world, name, Text.of(str(value)))
            else:
                self.assign_element(world, name, index, Text.of(str(value)), append=False)

        depth = 0

        def evaluate(s: str) -> int:
            nonlocal depth
            s = s.replace('"', "")
            if needs is not None:
                s, missing = self.shipped(s, world.given)
                needs.update(missing)
            depth += 1
            if depth > 20:
                raise ArithmeticFault("names that stand for each other")
            value = Expression(s, read, write).value()
            depth -= 1
            return value

        try:
            return evaluate(text.s)
        except (UnknownOperand, ArithmeticFault):
            return None

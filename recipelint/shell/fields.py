"""Splits expanded words into fields (bash manual, 3.5.7), and drops quotes.

Only what an unquoted expansion gave is split; an unknown piece in it may be no field, or several.
"""

from __future__ import annotations

import re

from recipelint.shell.expand import Expander
from recipelint.shell.state import World
from recipelint.shell.text import EMPTY, PROTECTED, Text, join
from recipelint.shell.variables import IFS
from recipelint.shell.words import Literal, Parameter, Part, ProcessSubstitution, Word

IN_TEXT = ("", 0)
"""The place of a word of a text that is run as a program."""
FIELD = re.compile(r"[^ \t\n]+")


class Fields(Expander):
    """Words to the words that a command gets."""

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
        """One word as fields; where nothing at all comes of a file's word, that is noted in `empties`."""
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
            self.protecting = not part.quoted and isinstance(part, Parameter) and has_quoted_blank(part)
            found = self.part(part, world)
            self.protecting = False
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
                if not text.s and quoted_nothing(part):
                    current.append(text)
                    have = True
                    continue
                pieces, before, after = self.pieces(text, world)
                if before:
                    close()
                for n, piece in enumerate(pieces):
                    if n:
                        close()
                    current.append(
                        piece if PROTECTED not in piece.s else Text(piece.s.replace(PROTECTED, " "), piece.runs)
                    )
                    have = True
                if after:
                    close()
        close()
        empty = fields[0] if len(fields) == 1 and not fields[0].s else nothing if not fields else None
        if empty is not None and word.unit.source is not None:
            self.empties[word.unit.source.path, word.start] = empty
        if self.is_for_the_user(word, world) if not fields else any(self.is_many(field) for field in fields):
            source = word.unit.source
            self.forwarded.add((source.path, word.start) if source is not None else IN_TEXT)
        return fields

    def is_for_the_user(self, word: Word, world: World) -> bool:
        """Whether a word that is nothing as shipped is one for arguments or variables that the user may give."""
        for part in word.parts:
            if isinstance(part, Parameter) and (
                world.top
                if part.name in ("@", "*")
                else part.name not in world.variables and self.read(world, part.name, None).text is None
            ):
                return True
        return False

    def pieces(self, text: Text, world: World) -> tuple[list[Text], bool, bool]:
        """An unquoted value split at IFS; whether it starts, and ends, with a separator."""
        s = text.s
        if not s:
            return [], False, False
        self.charge(len(s) << 3)
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


def has_quoted_blank(part: Parameter) -> bool:
    """Whether the word of `${V:-…}` has a quoted blank, at which an unquoted expansion is not split."""
    return any(
        inner.quoted and (not isinstance(inner, Literal) or " " in inner.text.s) for inner in part.argument or ()
    )


def quoted_nothing(part: Part) -> bool:
    """Whether an empty value is that of quotes in its default, as in `${V:-""}`: it is a word all the same."""
    return (
        isinstance(part, Parameter)
        and part.op == ":-"
        and bool(part.argument)
        and all(inner.quoted for inner in part.argument or ())
    )

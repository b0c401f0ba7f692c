"""Splits expanded words into fields (bash manual, 3.5.7), and drops quotes.

Only what an unquoted expansion gave is split; an unknown piece in it may be no field, or several.
"""

from __future__ import annotations

import re

from recipelint.lazily import regex
from recipelint.shell.arrays import DEFAULTS
from recipelint.shell.expand import Expander
from recipelint.shell.parameters import Spliced
from recipelint.shell.state import World
from recipelint.shell.text import EMPTY, Text, join
from recipelint.shell.variables import IFS
from recipelint.shell.words import Literal, Parameter, Part, ProcessSubstitution, Word

IN_TEXT = ("", 0)
"""The place of a word of a text that is run as a program."""
FIELD = regex(r"[^ \t\n]+")


class Row:
    """The fields of one word while they are made.

    patterns  of each field, whether it has a `*` that is not quoted
    count     how many texts were added
    nothing   an empty value that came to no field
    """

    __slots__ = ("count", "current", "fields", "have", "nothing", "pattern", "patterns")

    def __init__(self) -> None:
        self.fields: list[Text] = []
        self.patterns: list[bool] = []
        self.current: list[Text] = []
        self.have = False
        self.pattern = False
        self.nothing: Text | None = None
        self.count = 0

    def add(self, text: Text, quoted: bool) -> None:
        """Add to the field under way; it is one if `have` is set, too."""
        self.current.append(text)
        self.count += 1
        if not quoted and "*" in text.s:
            self.pattern = True

    def close(self) -> None:
        """End the field under way, if it is one."""
        if self.have:
            self.fields.append(join(self.current) if self.current else EMPTY)
            self.patterns.append(self.pattern)
        self.current, self.have, self.pattern = [], False, False


MANY = 256
"""Fields of one word from which on each counts for more of the budget: nobody writes so many, and each takes time."""


class Fields(Expander):
    """Words to the words that a command gets."""

    def fields(self, words: list[Word], world: World) -> list[Text]:
        """The words after expansion and splitting, as the elements of an array."""
        out: list[Text] = []
        for word in words:
            literal = word.literal
            if literal is not None and literal.known:
                out.append(literal)
            else:
                out += self.row(word, world).fields
        return out

    def split(self, word: Word, world: World) -> list[Text]:
        """One word of a command as fields."""
        return self.row(word, world, argument=True).fields

    def patterned(self, words: list[Word], world: World) -> list[tuple[Text, bool]]:
        """The fields of WORDS, each with whether it has a `*` that is not quoted."""
        out: list[tuple[Text, bool]] = []
        for word in words:
            row = self.row(word, world, argument=True)
            out += zip(row.fields, row.patterns, strict=True)
        return out

    def row(self, word: Word, world: World, argument: bool = False) -> Row:
        """One word as its fields; where nothing at all comes of a file's word, that is noted in `empties`."""
        row = Row()
        self.add_parts(row, word.parts, world, None, argument)
        row.close()
        fields = row.fields
        self.charge(len(fields) << (5 if len(fields) < MANY else 7))
        empty = fields[0] if len(fields) == 1 and not fields[0].s else row.nothing if not fields else None
        if empty is not None and word.unit.source is not None:
            self.empties[word.unit.source.path, word.start] = empty
        if self.is_for_the_user(word, world) if not fields else any(self.is_many(field) for field in fields):
            source = word.unit.source
            self.forwarded.add((source.path, word.start) if source is not None else IN_TEXT)
        return row

    def add_parts(
        self, row: Row, parts: list[Part], world: World, default: Spliced | None = None, argument: bool = False
    ) -> None:
        """Add PARTS to a row. Those of a DEFAULT that is used are split where they are not quoted."""
        for at, part in enumerate(parts):
            if isinstance(part, Literal):
                text = part.text if default is None else default.marked(part.text)
                if not part.quoted and "~" in text.s and (default is None or (at == 0 and text.s.startswith("~"))):
                    pieces = self.tildes(text, at, at == len(parts) - 1, world, False, argument and default is None)
                    row.have = row.have or bool(text.s)
                    for piece in pieces:
                        row.add(piece if default is None else default.marked(piece), len(pieces) > 1)
                elif part.quoted:
                    row.add(text, True)
                elif default is None:
                    row.add(Text(self.unknowns.many(text.s), text.runs), False)
                    row.have = row.have or bool(text.s)
                else:
                    self.add_split(row, text, world)
                row.have = row.have or part.quoted
                continue
            self.splicing = part if isinstance(part, Parameter) and is_spliced(part) else None
            found = self.part(part, world)
            spliced, self.spliced, self.splicing = self.spliced, None, None
            if spliced is not None:
                before, fields, at_piece = row.count, len(row.fields), len(row.current)
                self.add_parts(row, spliced.parts, world, spliced)
                if row.count == before:
                    row.nothing = spliced.nothing
                if isinstance(part, Parameter) and len(row.fields) == fields:
                    whole = join(row.current[at_piece:]) if row.count > before else spliced.nothing
                    self.saw(part.unit, part.start, part.end, part.name, whole)
                row.have = row.have or part.quoted
                continue
            items = found if isinstance(found, list) else [found]
            if default is not None:
                items = [default.marked(item) for item in items]
            if part.quoted or isinstance(part, ProcessSubstitution):
                for k, item in enumerate(items):
                    if k:
                        row.close()
                    row.add(item, True)
                    row.have = True
                continue
            separator = self.separator(world) if len(items) > 1 else ""
            if separator.strip(IFS):  # else empty items are none
                items = [self.joined(items, world)]
            for k, item in enumerate(items):
                if k:
                    row.close()
                self.add_split(row, item, world)

    def add_split(self, row: Row, item: Text, world: World) -> None:
        """Add what stands unquoted: its fields at the separators."""
        s = self.unknowns.many(item.s)
        text = item if s == item.s else Text(s, item.runs)
        if not text.s and text.runs:
            row.nothing = text
        pieces, before, after = self.pieces(text, world)
        if before:
            row.close()
        for n, piece in enumerate(pieces):
            if n:
                row.close()
            row.add(piece, False)
            row.have = True
        if after:
            row.close()

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


def is_spliced(part: Parameter) -> bool:
    """Whether the word of `${V:-…}` is more than one text: some of it is quoted, or it may be several words."""
    if part.op not in DEFAULTS or part.op in (":=", "="):
        return False
    return any((inner.quoted and not part.quoted) or is_listed(inner) for inner in part.argument or ())


def is_listed(part: Part) -> bool:
    """Whether a part may be several words even in quotes."""
    return isinstance(part, Parameter) and (
        part.name == "@" or part.index is not None or bool(part.prefix) or is_spliced(part)
    )

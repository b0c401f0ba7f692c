"""What read and mapfile take from the standard input.

A line of an input that is not known is unknown, and so is all that it is read into.
"""

from __future__ import annotations

import re

from recipelint.shell.nodes import Simple
from recipelint.shell.output import Output
from recipelint.shell.state import Items, World
from recipelint.shell.status import Status, Undecided
from recipelint.shell.text import EMPTY, Text, join
from recipelint.shell.variables import IFS

MAX_LINES = 10_000


class Input(Output):
    """Lines into variables."""

    def read_builtin(self, words: list[Text], world: World, node: Simple) -> Status:
        """`read`: a line of the standard input into names."""
        options, at = letters_and_values(words, "dnNptuia")
        names = [options["a"]] if "a" in options else [word.s for word in words[at:]]
        whole, names = not names, names or ["REPLY"]
        text = world.input if options.get("u", "0") == "0" else None
        if text is None or (not text.known and "\n" not in text.s and len(text.s) > 0):
            for name in names:
                self.assign(world, name, self.derived("${" + name + "}", None, self.here))
            return Undecided(f"read {self.here}", "there is a line to read")
        if not text.s:
            for name in names:
                self.assign(world, name, EMPTY)
            return 1
        limit = options.get("N", options.get("n", ""))
        line, world.input, ended = self.line(text, options.get("d", "\n")[:1])
        if limit.isdecimal() and len(limit) < 9 and ("N" in options or int(limit) < len(line.s)):
            line, rest = text.slice(0, int(limit)), text.slice(int(limit), len(text.s))
            world.input, ended = rest if rest.s else EMPTY, len(line.s) == int(limit)
        kept = frozenset[int]()
        if "r" not in options and "\\" in line.s:
            line, kept = unescaped_line(line)
        if "a" in options:
            fields = self.read_fields(line, None, kept, world) if kept else self.pieces(line, world)[0]
            self.assign_array(world, names[0], dict(enumerate(fields)))
            return int(not ended)
        fields = [line] if whole or "N" in options else self.read_fields(line, len(names), kept, world)
        for k, name in enumerate(names):
            self.assign(world, name, fields[k] if k < len(fields) else EMPTY)
        return int(not ended)

    def read_fields(self, line: Text, count: int | None, kept: frozenset[int], world: World) -> list[Text]:
        """The line as COUNT fields, of which the last is all the rest; KEPT are the places of escaped characters."""
        found = world.variables.get("IFS")
        ifs = found.scalar.s if found and found.scalar is not None else IFS
        s, n = line.s, len(line.s)
        blank = {k for k in range(n) if s[k] in ifs and s[k] in IFS and k not in kept}
        separating = blank | {k for k in range(n) if s[k] in ifs and k not in kept}

        def word_end(at: int) -> int:
            return next((k for k in range(at, n) if k in separating), n)

        def after(at: int) -> int:
            """Over one separator with the blanks around it."""
            while at in blank:
                at += 1
            at += at in separating
            while at in blank:
                at += 1
            return at

        fields: list[Text] = []
        at = next((k for k in range(n) if k not in blank), n)
        while at < n and (count is None or len(fields) < count - 1):
            end = word_end(at)
            fields.append(line.slice(at, end) if end > at else EMPTY)
            at = after(end)
        if at < n:
            end = word_end(at)
            if after(end) < n:
                end = next(k + 1 for k in range(n - 1, -1, -1) if k not in blank)
            fields.append(line.slice(at, end) if end > at else EMPTY)
        return fields

    def line(self, text: Text, delimiter: str) -> tuple[Text, Text, bool]:
        """The first line, the rest, and whether a delimiter ended it."""
        end = text.s.find(delimiter or "\0")
        if end < 0:
            return text, EMPTY, False
        return text.slice(0, end), text.slice(end + 1, len(text.s)) if end + 1 < len(text.s) else EMPTY, True

    def mapfile(self, words: list[Text], world: World, node: Simple) -> int:
        """`mapfile -t NAME`: the standard input's lines as an array."""
        options, at = letters_and_values(words, "dnOsuCc")
        name = words[at].s if at < len(words) else "MAPFILE"
        text = world.input if options.get("u", "0") == "0" else None
        counts = [options.get(letter, "0") for letter in "nsO"]
        if text is None or not text.known or "C" in options or not all(re.fullmatch(r"\d{1,9}", n) for n in counts):
            found = self.derived("${" + name + "}", None, self.here)
            self.assign_array(world, name, {0: Text(self.unknowns.many(found.s), found.runs)})
            return 0
        count, skip, first = map(int, counts)
        delimiter = options.get("d", "\n")[:1]
        lines: list[Text] = []
        while text.s and len(lines) <= MAX_LINES and (not count or len(lines) < skip + count):
            line, text, ended = self.line(text, delimiter)
            lines.append(line if "t" in options or not ended else join([line, Text.of(delimiter or "\0")]))
        world.input = text
        items: Items = dict(enumerate(lines[skip:], first))
        variable = world.variables.get(name)
        if "O" in options and variable is not None and variable.items is not None:
            items = dict(sorted({**variable.items, **items}.items()))
        self.assign_array(world, name, items)
        return 0


def letters_and_values(words: list[Text], valued: str) -> tuple[dict[str, str], int]:
    """The options of a builtin, those of VALUED with their value, and where the words after them start."""
    options, at = dict[str, str](), 0
    while at < len(words) and len(words[at].s) > 1 and words[at].s[0] == "-" and words[at].s != "--":
        letters = words[at].s[1:]
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter in valued and not letters:
                at += 1
                letters = words[at].s if at < len(words) else ""
            options[letter], letters = (letters, "") if letter in valued else ("", letters)
        at += 1
    return options, at + int(at < len(words) and words[at].s == "--")


def unescaped_line(line: Text) -> tuple[Text, frozenset[int]]:
    """A line without its backslashes, and where the characters are that they kept from being separators."""
    out, kept, at = list[str](), set[int](), 0
    while at < len(line.s):
        c = line.s[at]
        if c == "\\":
            at += 1
            c = line.s[at : at + 1]
            kept.add(len(out))
        out += c
        at += 1
    return line.with_runs("".join(out)), frozenset(kept)

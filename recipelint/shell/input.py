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
        names, options, delimiter = list[str](), "", "\n"
        at = 0
        while at < len(words):
            word = words[at].s
            if word.startswith("-") and len(word) > 1 and not names:
                options += word[1:]
                if word[-1] in "dnNptui":
                    at += 1
                    if word[-1] == "d":
                        delimiter = words[at].s[:1] if at < len(words) else "\n"
                elif word[-1] == "a" and at + 1 < len(words):
                    at += 1
                    names.append(words[at].s)
            else:
                names.append(word)
            at += 1
        names = names or ["REPLY"]
        if world.input is None or (not world.input.known and "\n" not in world.input.s and len(world.input.s) > 0):
            for name in names:
                self.assign(world, name, self.derived("${" + name + "}", None, self.here))
            return Undecided(f"read {self.here}", "there is a line to read")
        if not world.input.s:
            for name in names:
                self.assign(world, name, EMPTY)
            return 1
        line, world.input, ended = self.line(world.input, delimiter)
        if "r" not in options and "\\" in line.s:
            line = line.with_runs(re.sub(r"\\(.)", r"\1", line.s, flags=re.S))
        fields, _, _ = self.pieces(line, world)
        if "a" in options:
            self.assign_array(world, names[0], dict(enumerate(fields)))
            return int(not ended)
        for k, name in enumerate(names):
            if k == len(names) - 1 and len(fields) > len(names):
                start = line.s.find(fields[k].s)
                rest = line.slice(max(0, start), len(line.s))
                self.assign(world, name, rest.slice(0, len(rest.s.rstrip(IFS))))
            else:
                self.assign(world, name, fields[k] if k < len(fields) else EMPTY)
        return int(not ended)

    def line(self, text: Text, delimiter: str) -> tuple[Text, Text, bool]:
        """The first line, the rest, and whether a delimiter ended it."""
        end = text.s.find(delimiter or "\0")
        if end < 0:
            return text, EMPTY, False
        return text.slice(0, end), text.slice(end + 1, len(text.s)) if end + 1 < len(text.s) else EMPTY, True

    def mapfile(self, words: list[Text], world: World, node: Simple) -> int:
        """`mapfile -t NAME`: the standard input's lines as an array."""
        options, at = dict[str, str](), 0
        while at < len(words) and len(words[at].s) > 1 and words[at].s[0] == "-" and words[at].s != "--":
            letters = words[at].s[1:]
            while letters:
                letter, letters = letters[0], letters[1:]
                if letter in "dnOsuCc" and not letters:
                    at += 1
                    letters = words[at].s if at < len(words) else ""
                options[letter], letters = (letters, "") if letter in "dnOsuCc" else ("", letters)
            at += 1
        at += at < len(words) and words[at].s == "--"
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

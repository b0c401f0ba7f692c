"""Reads whole words and arrays.

A word ends at a blank or an operator that is not quoted; braces expand here, as bash expands them on the text alone.
"""

from __future__ import annotations

import re

from recipelint.lazily import regex
from recipelint.shell.brace import expand_braces
from recipelint.shell.parse_expansion import ExpansionParser
from recipelint.shell.scanner import ShellSyntaxError, UnclosedError
from recipelint.shell.text import join
from recipelint.shell.words import Array, Literal, Part, Word

PLAIN = regex(r"[^\s|&;()<>'\"\\$`?*+@!\x00]+|[^\S \t\n]+")
WHOLE = regex(r"[\w./:=,@%+-]+(?=[ \t\n;|&)]|\Z)", re.ASCII)
"""A word without anything to expand, and what ends it: the most common kind, read in one step."""
META = frozenset(" \t\n|&;()<>")


class WordParser(ExpansionParser):
    """Words, and the arrays that are made of them."""

    # What later links of the chain provide.
    def newline(self) -> None:
        raise NotImplementedError

    def word(self) -> Word | None:
        """The word at the cursor, or None if there is none."""
        self.count()
        start = self.i
        parts = self.unquoted()
        if self.i == start or (self.i >= self.n and not parts and self.s[start : self.n] == "\\"):
            return None
        return self.made(parts, start)

    def words(self) -> list[Word]:
        """The word at the cursor after brace expansion: one, or several, or none."""
        self.count()
        m = WHOLE.match(self.s, self.i)
        if m is not None and m.end() <= self.n:
            start, self.i = self.i, m.end()
            text = self.unit.slice(start, self.i)
            word = Word([Literal(text, False)], self.unit, start, self.i)
            word.literal = text
            return [word]
        found = self.word()
        if found is None:
            return []
        if "{" in self.s[found.start : found.end]:
            lists = expand_braces(found.parts)
            if lists[0] is not found.parts:
                self.count(len(lists) * (found.end - found.start) // 10)
                return [self.made(parts, found.start) for parts in lists if parts]
        return [found]

    def made(self, parts: list[Part], start: int) -> Word:
        """A word of PARTS that ends at the cursor; `literal` is set where nothing in it expands."""
        word = Word(parts, self.unit, start, self.i)
        if all(isinstance(part, Literal) and (part.quoted or not has_tilde(part.text.s)) for part in parts):
            literals = [part.text for part in parts if isinstance(part, Literal)]
            word.literal = literals[0] if len(literals) == 1 else join(literals)
        return word

    def unquoted(self) -> list[Part]:
        """Parts up to a blank or an operator."""
        s, n = self.s, self.n
        parts: list[Part] = []
        while self.i < n:
            start = self.i
            m = PLAIN.match(s, start)
            if m:
                self.i = m.end()
                self.add(parts, start, self.i)
                continue
            c = s[start]
            if c in "?*+@!":
                if s.startswith("(", start + 1):
                    self.extended_glob(parts)
                else:
                    self.i += 1
                    self.add(parts, start, self.i)
            elif c in META:
                if c in "<>" and s.startswith("(", start + 1):
                    self.process_substitution(parts)
                    continue
                break
            elif c == "\\":
                if start + 1 >= n:
                    self.i = n
                    if self.unit.source is None:  # at the end of a file bash drops it, at the end of a text it does not
                        self.add(parts, start, n)
                elif s[start + 1] == "\n":
                    self.i += 2
                else:
                    self.i += 2
                    self.escaped(parts, start)
            elif c == "'":
                self.single_quoted(parts)
            elif c == '"':
                self.double_quoted(parts)
            elif c == "$":
                self.dollar(parts, False)
            elif c == "`":
                self.backticks(parts, False)
            else:  # a NUL, or a blank that is none to bash
                self.i += 1
                self.add(parts, start, self.i)
        return parts

    def extended_glob(self, parts: list[Part]) -> None:
        """`?(a|b)` and the like: pattern text, kept as it is."""
        start, level = self.i, 0
        while self.i < self.n:
            c = self.s[self.i]
            self.i += 1
            if c == "(":
                level += 1
            elif c == ")":
                level -= 1
                if not level:
                    self.add(parts, start, self.i)
                    return
            elif c == "\n":
                break
        raise UnclosedError(start, "an extended pattern is not closed")

    def array(self) -> Array:
        """`(…)` at the cursor: words, blanks, line ends and comments."""
        start = self.i
        self.i += 1
        elements: list[tuple[list[Part] | None, Word]] = []
        while True:
            self.blanks()
            c = self.s[self.i : self.i + 1]
            if c == ")":
                self.i += 1
                return Array(elements, self.unit, start, self.i)
            if c == "\n":
                self.newline()
            elif c == "#":
                self.skip_comment()
            elif c == "[" and (subscripted := self.subscripted()):
                elements.append(subscripted)
            else:
                before = self.i
                elements += [(None, word) for word in self.words()]
                if self.i == before:
                    if c:
                        raise ShellSyntaxError(self.i, f"unexpected {c!r} in an array")
                    raise UnclosedError(start, "an array is not closed")

    def subscripted(self) -> tuple[list[Part], Word] | None:
        """`[index]=value` at the cursor; None, with the cursor back, if it is a plain word."""
        start = self.i
        self.i += 1
        try:
            index = self.until("]", False)
        except ShellSyntaxError:
            self.i = start
            return None
        if not self.s.startswith("]=", self.i):
            self.i = start
            return None
        self.i += 2
        begun = self.i
        return index, self.made(self.unquoted(), begun)


def has_tilde(s: str) -> bool:
    """Whether unquoted text may have a `~` that expands."""
    return "~" in s and (s.startswith("~") or ":~" in s or "=~" in s)

"""Reads quotes and the bodies of here-documents, which are quoted text too.

What is read here is one word, whatever it expands to: every part is marked as quoted.
"""

from __future__ import annotations

from recipelint.lazily import regex
from recipelint.shell.escapes import ansi_c
from recipelint.shell.scanner import Scanner, UnclosedError
from recipelint.shell.words import Literal, Part

IN_QUOTES = regex(r'[^"\\$`]+')
IN_HEREDOC = regex(r"[^\\$`]+")


class QuoteParser(Scanner):
    """`'…'`, `"…"`, `$'…'` and here-documents."""

    in_heredoc = False

    # What later links of the chain provide.
    def dollar(self, parts: list[Part], quoted: bool) -> None:
        raise NotImplementedError

    def backticks(self, parts: list[Part], quoted: bool) -> None:
        raise NotImplementedError

    def single_quoted(self, parts: list[Part]) -> None:
        """`'…'` at the cursor."""
        self.count()
        start = self.i + 1
        end = self.s.find("'", start)
        if end < 0:
            raise UnclosedError(self.i, "a single quote is not closed")
        parts.append(Literal(self.unit.slice(start, end), True))
        self.i = end + 1

    def double_quoted(self, parts: list[Part]) -> None:
        """`"…"` at the cursor; one that holds nothing leaves an empty part, for it makes a word."""
        opened, s, n = self.i, self.s, self.n
        self.count()
        self.enter()
        self.i += 1
        empty = len(parts)
        while self.i < n:
            start = self.i
            m = IN_QUOTES.match(s, start)
            if m:
                self.i = m.end()
                parts.append(Literal(self.unit.slice(start, self.i), True))
                continue
            c = s[start]
            if c == '"':
                self.i += 1
                if len(parts) == empty:
                    parts.append(Literal(self.unit.slice(start, start), True))
                self.depth -= 1
                return
            self.in_double_quotes(parts, c, '$`"\\')
        raise UnclosedError(opened, "a double quote is not closed")

    def in_double_quotes(self, parts: list[Part], c: str, escapable: str) -> None:
        """A backslash, `$` or backtick inside double quotes."""
        start = self.i
        if c == "\\":
            after = self.s[start + 1 : start + 2]
            if after == "\n":
                self.i += 2
            elif after and after in escapable:
                self.i += 2
                self.escaped(parts, start)
            else:
                self.i += 1
                parts.append(Literal(self.unit.slice(start, start + 1), True))
        elif c == "$":
            self.dollar(parts, True)
        else:
            self.backticks(parts, True)

    def heredoc_parts(self, end: int) -> list[Part]:
        """The cursor up to END as an unquoted here-document's body."""
        s, parts, n = self.s, list[Part](), self.n
        self.n, self.in_heredoc = end, True
        while self.i < end:
            start = self.i
            m = IN_HEREDOC.match(s, start, end)
            if m:
                self.i = m.end()
                parts.append(Literal(self.unit.slice(start, self.i), True))
            else:
                self.in_double_quotes(parts, s[start], "$`\\")
        self.n, self.in_heredoc = n, False
        return parts

    def ansi_quoted(self, parts: list[Part]) -> None:
        """`$'…'`: each escape is a run of its own, so that the rest keeps its place."""
        start = self.i
        at = start + 2
        empty = len(parts)
        while True:
            end = at
            while end < self.n and self.s[end] not in "'\\":
                end += 1
            if end >= self.n:
                raise UnclosedError(start, "a quote is not closed")
            if end > at:
                parts.append(Literal(self.unit.slice(at, end), True))
            if self.s[end] == "'":
                break
            text, at = ansi_c(self.s, end)
            if text:
                self.mapped(parts, text, end, at)
        if len(parts) == empty:
            parts.append(Literal(self.unit.slice(end, end), True))
        self.i = end + 1

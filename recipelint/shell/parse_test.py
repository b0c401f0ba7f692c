"""Reads the expression of `[[ … ]]`.

Line ends mean nothing between its terms, and words are not split or expanded to names of files.
"""

from __future__ import annotations

from recipelint.lazily import regex
from recipelint.shell.compounds import Conditional, Test
from recipelint.shell.parse_simple import SimpleParser
from recipelint.shell.scanner import ShellSyntaxError
from recipelint.shell.words import Literal, Part, Word

UNARY = regex(r"-[a-zA-Z](?=[\s])")
BINARY = regex(r"(?:==|=~|!=|=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))(?=[\s\"'$])|[<>]")
CLOSE = regex(r"\]\](?=[\s;&|()<>]|\Z)")
IN_REGEX = regex(r"[^\s()'\"\\$`]+")


class TestParser(SimpleParser):
    """Conditional expressions."""

    __test__ = False

    def space(self) -> None:
        """Skip blanks, comments and line ends, which mean nothing between the terms of `[[ ]]`."""
        while True:
            self.blanks()
            if self.s.startswith("#", self.i) and self.s[self.i - 1].isspace():
                self.skip_comment()
            if not self.s.startswith("\n", self.i):
                return
            self.newline()

    def conditional(self, start: int) -> Conditional:
        """The rest of `[[ … ]]`, whose opening was just read."""
        test = self.test_or()
        self.space()
        m = CLOSE.match(self.s, self.i)
        if not m:
            raise ShellSyntaxError(min(self.i, max(0, self.n - 1)), "']]' expected")
        self.i = m.end()
        return Conditional(test, self.redirections(), self.unit, start, self.i)

    def test_or(self) -> Test:
        left = self.test_and()
        self.space()
        while self.s.startswith("||", self.i):
            self.i += 2
            left = Test("or", [left, self.test_and()])
            self.space()
        return left

    def test_and(self) -> Test:
        left = self.test_not()
        self.space()
        while self.s.startswith("&&", self.i):
            self.i += 2
            left = Test("and", [left, self.test_not()])
            self.space()
        return left

    def test_not(self) -> Test:
        self.space()
        if self.s.startswith("!", self.i) and self.s[self.i + 1 : self.i + 2].isspace():
            self.i += 1
            self.enter()
            inner = self.test_not()
            self.depth -= 1
            return Test("not", [inner])
        if self.s.startswith("(", self.i):
            self.i += 1
            self.enter()
            inner = self.test_or()
            self.depth -= 1
            self.space()
            if not self.s.startswith(")", self.i):
                raise ShellSyntaxError(self.i, "')' expected")
            self.i += 1
            return inner
        return self.primary()

    def primary(self) -> Test:
        """A unary or binary test, or a word that must not be empty. `-f` alone is a word."""
        m = UNARY.match(self.s, self.i)
        if m:
            before = self.i
            self.i = m.end()
            self.blanks()
            if not CLOSE.match(self.s, self.i) and not self.s.startswith(("&&", "||", ")"), self.i):
                return Test(m[0], [self.operand()])
            self.i = before
        left = self.operand()
        self.blanks()
        m = BINARY.match(self.s, self.i)
        if not m:
            if self.s.startswith(("\n", "#"), self.i):
                raise ShellSyntaxError(self.i, "an operator expected before the line ends")
            return Test("word", [left])
        self.i = m.end()
        self.blanks()
        right = self.regex() if m[0] == "=~" else self.operand()
        return Test("=" if m[0] == "==" else m[0], [left, right])

    def operand(self) -> Word:
        word = self.word()
        if word is None:
            raise ShellSyntaxError(min(self.i, max(0, self.n - 1)), "an operand expected")
        return word

    def regex(self) -> Word:
        """The right side of `=~`: up to a blank outside of parentheses and quotes."""
        s, start, level = self.s, self.i, 0
        parts: list[Part] = []
        while self.i < self.n:
            at, c = self.i, s[self.i]
            m = IN_REGEX.match(s, at)
            if m:
                self.i = m.end()
                parts.append(Literal(self.unit.slice(at, self.i), False))
            elif c.isspace() and level == 0:
                break
            elif c in "()" or c.isspace():
                if c == ")" and level == 0:
                    break
                level += (c == "(") - (c == ")")
                self.i += 1
                parts.append(Literal(self.unit.slice(at, self.i), False))
            elif c == "'":
                self.single_quoted(parts)
            elif c == '"':
                self.double_quoted(parts)
            elif c == "\\":
                self.i += 2
                parts.append(Literal(self.unit.slice(at, self.i), False))
            elif c == "$" and (s[at + 1 : at + 2] in ("", ")", "|") or s[at + 1 : at + 2].isspace()):
                self.i += 1
                parts.append(Literal(self.unit.slice(at, self.i), False))
            else:
                self.in_double_quotes_unquoted(parts, c)
        if self.i == start:
            raise ShellSyntaxError(start, "a pattern expected")
        return self.made(parts, start)

    def in_double_quotes_unquoted(self, parts: list[Part], c: str) -> None:
        if c == "$":
            self.dollar(parts, False)
        else:
            self.backticks(parts, False)

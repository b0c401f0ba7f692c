"""Reads words as bash does: quotes, `$…`, `${…}`, `$(…)`, `$((…))`, backticks, arrays, here-documents.

Everything up to the end of a construct is consumed; nothing is expanded here.
"""

from __future__ import annotations

import re

from recipelint.shell.brace import expand_braces
from recipelint.shell.escapes import ansi_c
from recipelint.shell.nodes import (
    ArithmeticExpansion,
    Array,
    CommandSubstitution,
    Literal,
    Parameter,
    Part,
    ProcessSubstitution,
    Sequence,
    Unit,
    Word,
)
from recipelint.shell.text import NOWHERE, Text, join

MAX_NESTING = 60
"""How deep quotes, substitutions and compound commands may nest. Nobody writes ten."""

PLAIN = re.compile(r"[^\s|&;()<>'\"\\$`?*+@!\x00]+|[^\S \t\n]+")
WHOLE = re.compile(r"[\w./:=,@%+-]+(?=[\s;|&)]|\Z)", re.ASCII)
"""A word without anything to expand, and what ends it: the most common kind, read in one step."""
IN_QUOTES = re.compile(r'[^"\\$`]+')
IN_HEREDOC = re.compile(r"[^\\$`]+")
IN_BRACES = re.compile(r"[^}'\"\\$`/]+")
IN_ARITHMETIC = re.compile(r"[^()'\"\\$`;]+")
BLANKS = re.compile(r"(?:[ \t]+|\\\n)+")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
PARAMETER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]")
BRACED_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-]")
OPERATOR = re.compile(r":[-=?+]|[-=?+]|##|#|%%|%|//|/|\^\^|\^|,,|,|@|:")
META = frozenset(" \t\n|&;()<>")
DIGITS = tuple("0123456789")


class ShellSyntaxError(Exception):
    """Bash would refuse the text: `at` is a character of the unit."""

    def __init__(self, at: int, reason: str) -> None:
        super().__init__(reason)
        self.at = at
        self.reason = reason


class NestingError(ShellSyntaxError):
    """The text nests deeper than the budget allows."""


class WordParser:
    """The scanner's state, and the methods that read words. `parse.Parser` adds commands."""

    def __init__(self, unit: Unit, depth: int = 0) -> None:
        self.unit = unit
        self.s = unit.text.s
        self.n = len(self.s)
        self.i = 0
        self.depth = depth

    # What the command parser provides.
    def command_list(self, closer: str) -> Sequence:
        raise NotImplementedError

    def nested(self, unit: Unit, depth: int) -> Sequence:
        raise NotImplementedError

    def newline(self) -> None:
        raise NotImplementedError

    def enter(self) -> None:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise NestingError(self.i, f"more than {MAX_NESTING} levels of nesting")

    def blanks(self) -> None:
        """Skip spaces, tabs and continued line ends."""
        c = self.s[self.i : self.i + 1]
        if c == " " or c == "\t" or c == "\\":
            m = BLANKS.match(self.s, self.i)
            if m:
                self.i = m.end()

    # --- whole words -------------------------------------------------------------------------------

    def word(self) -> Word | None:
        """The word at the cursor, or None if there is none."""
        start = self.i
        parts = self.unquoted()
        if self.i == start or (self.i >= self.n and not parts and self.s[start : self.n] == "\\"):
            return None
        return self.made(parts, start)

    def words(self) -> list[Word]:
        """The word at the cursor after brace expansion: one, or several, or none."""
        m = WHOLE.match(self.s, self.i)
        if m is not None and m.end() <= self.n:
            start, self.i = self.i, m.end()
            text = self.unit.slice(start, self.i)
            word = Word([Literal(text, False)], self.unit, start, self.i)
            word.literal = text
            return [word]
        word = self.word()
        if word is None:
            return []
        if "{" in self.s[word.start : word.end]:
            lists = expand_braces(word.parts)
            if lists[0] is not word.parts:
                return [self.made(parts, word.start) for parts in lists]
        return [word]

    def made(self, parts: list[Part], start: int) -> Word:
        word = Word(parts, self.unit, start, self.i)
        if len(parts) == 1:
            only = parts[0]
            if isinstance(only, Literal) and (only.quoted or not only.text.s.startswith("~")):
                word.literal = only.text
        elif all(isinstance(part, Literal) for part in parts):
            literals = [part for part in parts if isinstance(part, Literal)]
            if not literals or literals[0].quoted or not literals[0].text.s.startswith("~"):
                word.literal = join([part.text for part in literals])
        return word

    def unquoted(self, assignment: bool = False) -> list[Part]:
        """Parts up to a blank or an operator. (ASSIGNMENT changes nothing in what is read.)"""
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
                    # Between words a continuation is a blank's neighbour; inside one it vanishes.
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

    def add(self, parts: list[Part], start: int, end: int, quoted: bool = False) -> None:
        """Add the characters [start, end) as literal text, to the last part if that is its neighbour."""
        if parts:
            last = parts[-1]
            if isinstance(last, Literal) and last.quoted == quoted and self.unit.source is not None:
                runs = last.text.runs
                if len(runs) == 1 and runs[0][1].end == start and runs[0][0] == start - runs[0][1].start:
                    last.text = self.unit.slice(runs[0][1].start, end)
                    return
        parts.append(Literal(self.unit.slice(start, end), quoted))

    def escaped(self, parts: list[Part], start: int) -> None:
        """`\\x` at START: the character x, quoted; its origin is both characters."""
        self.mapped(parts, self.s[start + 1 : self.i], start, self.i)

    def mapped(self, parts: list[Part], text: str, start: int, end: int) -> None:
        """TEXT as quoted literal, standing for the characters [start, end)."""
        if not text.isascii() and max(text) > "\xff":
            parts.append(Literal(self.unit.slice(end - len(text), end), True))
            return
        origin = self.unit.origin(start, end) or NOWHERE
        parts.append(Literal(Text(text, ((len(text), origin),)), True))

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
        raise ShellSyntaxError(start, "an extended pattern is not closed")

    # --- quotes ------------------------------------------------------------------------------------

    def single_quoted(self, parts: list[Part]) -> None:
        start = self.i + 1
        end = self.s.find("'", start)
        if end < 0:
            raise ShellSyntaxError(self.i, "a single quote is not closed")
        parts.append(Literal(self.unit.slice(start, end), True))
        self.i = end + 1

    def double_quoted(self, parts: list[Part]) -> None:
        opened, s, n = self.i, self.s, self.n
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
        raise ShellSyntaxError(opened, "a double quote is not closed")

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
        self.n = end
        while self.i < end:
            start = self.i
            m = IN_HEREDOC.match(s, start, end)
            if m:
                self.i = m.end()
                parts.append(Literal(self.unit.slice(start, self.i), True))
            else:
                self.in_double_quotes(parts, s[start], "$`\\")
        self.n = n
        return parts

    # --- expansions --------------------------------------------------------------------------------

    def dollar(self, parts: list[Part], quoted: bool) -> None:
        s, start = self.s, self.i
        after = s[start + 1 : start + 2]
        if after == "{":
            self.enter()
            parts.append(self.braced(quoted))
            self.depth -= 1
        elif after == "(":
            if s.startswith("(", start + 2) and self.arithmetic(parts, quoted):
                return
            self.enter()
            self.i = start + 2
            body = self.command_list(")")
            self.i += 1
            self.depth -= 1
            parts.append(CommandSubstitution(body, quoted, self.unit, start, self.i))
        elif after == "'" and not quoted:
            self.ansi_quoted(parts)
        elif after == '"' and not quoted:
            self.i += 1
            self.double_quoted(parts)
        elif after == "[":
            self.i += 2
            expression = self.until("]", quoted)
            self.i += 1
            parts.append(ArithmeticExpansion(expression, quoted, self.unit, start, self.i))
        else:
            m = PARAMETER.match(s, start + 1)
            if m and m.end() <= self.n:
                self.i = m.end()
                parts.append(Parameter(m[0], quoted, self.unit, start, self.i))
            else:
                self.i += 1
                self.add(parts, start, self.i, quoted)

    def arithmetic(self, parts: list[Part], quoted: bool) -> bool:
        """`$((…))`; False, with the cursor back, if it is a command substitution that starts with a subshell."""
        start = self.i
        self.i += 3
        try:
            expression = self.arithmetic_parts()
        except ShellSyntaxError as error:
            if isinstance(error, NestingError):
                raise
            self.i = start
            return False
        parts.append(ArithmeticExpansion(expression, quoted, self.unit, start, self.i))
        return True

    def arithmetic_parts(self) -> list[Part]:
        """Parts up to and over `))`."""
        s, parts, level, opened = self.s, list[Part](), 0, self.i
        self.enter()
        while self.i < self.n:
            start = self.i
            m = IN_ARITHMETIC.match(s, start)
            if m:
                self.i = m.end()
                parts.append(Literal(self.unit.slice(start, self.i), True))
                continue
            c = s[start]
            if c == ")" and level == 0:
                if not s.startswith("))", start):
                    break
                self.i += 2
                self.depth -= 1
                return parts
            if c in "()":
                level += 1 if c == "(" else -1
            if c == "'":
                self.single_quoted(parts)
            elif c == '"':
                self.double_quoted(parts)
            elif c in "()" or c == ";":
                self.i += 1
                parts.append(Literal(self.unit.slice(start, self.i), True))
            else:
                self.in_double_quotes(parts, c, '$`"\\')
        self.depth -= 1
        raise ShellSyntaxError(opened, "an arithmetic expression is not closed")

    def braced(self, quoted: bool) -> Parameter:
        """`${…}` at the cursor."""
        s, start = self.s, self.i
        self.i += 2
        prefix = ""
        if s.startswith("#", self.i) and s[self.i + 1 : self.i + 2] not in ("}", ":", "-", "=", "+", "%", "/", ""):
            prefix = "#"
        elif s.startswith("!", self.i) and (NAME.match(s, self.i + 1) or s[self.i + 1 : self.i + 2] in DIGITS or s.startswith("#}", self.i + 1)):
            prefix = "!"
        self.i += len(prefix)
        m = BRACED_NAME.match(s, self.i)
        if not m:
            return self.bad(Parameter("", quoted, self.unit, start, start))
        self.i = m.end()
        found = Parameter(m[0], quoted, self.unit, start, start, prefix)
        if s.startswith("[", self.i):
            self.i += 1
            found.index = self.until("]", quoted)
            self.i += 1
        if s.startswith("}", self.i):
            self.i += 1
            found.end = self.i
            return found
        if prefix == "!" and s[self.i : self.i + 2] in ("*}", "@}"):
            found.op = "names"
            self.i += 2
            found.end = self.i
            return found
        m = OPERATOR.match(s, self.i)
        if not m:  # bash parses it, and stops when it runs it: "bad substitution"
            return self.bad(found)
        found.op = m[0]
        self.i = m.end()
        # Inside double quotes a single quote is a character in `${V:-…}`, but a quote in `${V%…}` and `${V/…}`.
        as_quoted = quoted and found.op in (":-", "-", ":=", "=", ":?", "?", ":+", "+", ":")
        if found.op in ("/", "//"):
            found.argument = self.until("}/", as_quoted, first_slash=True)
            if s.startswith("/", self.i):
                self.i += 1
                found.replacement = self.until("}", as_quoted)
        else:
            found.argument = self.until("}", as_quoted)
        self.i += 1
        found.end = self.i
        return found

    def bad(self, found: Parameter) -> Parameter:
        """The rest of a `${…}` that means nothing."""
        found.op = "bad"
        found.argument = self.until("}", found.quoted)
        self.i += 1
        found.end = self.i
        return found

    def until(self, stops: str, quoted: bool, first_slash: bool = False) -> list[Part]:
        """Parts up to an unquoted character of STOPS; QUOTED: the whole stands in double quotes."""
        s, parts, opened, level = self.s, list[Part](), self.i, 0
        plain = IN_BRACES if stops != "]" else None
        while self.i < self.n:
            start, c = self.i, s[self.i]
            if c in stops and level == 0 and not (first_slash and c == "/" and start == opened):
                return parts
            m = plain.match(s, start) if plain else None
            if m:
                self.i = m.end()
                self.add(parts, start, self.i, quoted)
            elif c == "\\" and not quoted:
                self.i += 2
                if s[start + 1 : start + 2] != "\n":
                    self.escaped(parts, start)
            elif c == "\\" or c == "$" or c == "`":
                if quoted:
                    self.in_double_quotes(parts, c, '$`"\\}')
                elif c == "$":
                    self.dollar(parts, False)
                else:
                    self.backticks(parts, False)
            elif c == '"':
                self.double_quoted(parts)
            elif c == "'" and not quoted:
                self.single_quoted(parts)
            else:
                level += (c == "[") - (c == "]") if stops == "]" else 0
                self.i += 1
                self.add(parts, start, self.i, quoted)
        raise ShellSyntaxError(opened, "an expansion is not closed")

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
                raise ShellSyntaxError(start, "a quote is not closed")
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

    def backticks(self, parts: list[Part], quoted: bool) -> None:
        """`` `…` ``: its text, less one level of backslashes, is a program of its own."""
        start, at, pieces = self.i, self.i + 1, list[Text]()
        escapable = '\\`$"' if quoted else "\\`$"
        begun = at
        while at < self.n and self.s[at] != "`":
            if self.s[at] == "\\" and self.s[at + 1 : at + 2] and self.s[at + 1] in escapable:
                pieces.append(self.unit.slice(begun, at))
                begun = at + 1
                at += 2
            else:
                at += 1
        if at >= self.n:
            raise ShellSyntaxError(start, "a backtick is not closed")
        pieces.append(self.unit.slice(begun, at))
        self.i = at + 1
        self.enter()
        body = self.nested(Unit(join(pieces)), self.depth)
        self.depth -= 1
        parts.append(CommandSubstitution(body, quoted, self.unit, start, self.i))

    def process_substitution(self, parts: list[Part]) -> None:
        start = self.i
        self.enter()
        self.i += 2
        body = self.command_list(")")
        self.i += 1
        self.depth -= 1
        parts.append(ProcessSubstitution(body, False, self.unit, start, self.i))

    # --- arrays ------------------------------------------------------------------------------------

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
                end = self.s.find("\n", self.i)
                self.i = self.n if end < 0 else end
            elif c == "[" and (subscripted := self.subscripted()):
                elements.append(subscripted)
            else:
                before = self.i
                elements += [(None, word) for word in self.words()]
                if self.i == before:
                    raise ShellSyntaxError(start if not c else self.i, "an array is not closed")

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

"""Reads `${…}` and what stands in it.

A `${…}` that means nothing is read to its end all the same: bash stops only when it runs it.
"""

from __future__ import annotations

from recipelint.lazily import regex
from recipelint.shell.parse_quote import QuoteParser
from recipelint.shell.scanner import BudgetError, ShellSyntaxError, UnclosedError
from recipelint.shell.words import Parameter, Part

IN_BRACES = regex(r"[^}'\"\\$`/]+")
NAME = regex(r"[A-Za-z_][A-Za-z0-9_]*")
BRACED_NAME = regex(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?!-]|\$(?![{(])")
OPERATOR = regex(r":[-=?+]|[-=?+]|##|#|%%|%|//|/|\^\^|\^|,,|,|@|:")
DIGITS = tuple("0123456789")
COUNTED = tuple("#" + after for after in "}:-=+?%/#@")


class ParameterParser(QuoteParser):
    """Parameters in braces, and subscripts."""

    def braced(self, quoted: bool) -> Parameter:
        """`${…}` at the cursor."""
        s, start = self.s, self.i
        self.i += 2
        prefix = ""
        if s.startswith("#", self.i) and s[self.i + 1 : self.i + 2] not in ("}", ":", "-", "=", "+", "%", "/", ""):
            prefix = "#"
        elif s.startswith("!", self.i) and self.indirect(self.i + 1):
            prefix = "!"
        self.i += len(prefix)
        m = BRACED_NAME.match(s, self.i)
        if not m:
            return self.bad(Parameter("", quoted, self.unit, start, start))
        self.i = m.end()
        found = Parameter(m[0], quoted, self.unit, start, start, prefix)
        if s.startswith("[", self.i):
            opened = self.i
            self.i += 1
            try:
                found.index = self.until("]", quoted)
            except BudgetError:
                raise
            except ShellSyntaxError:
                self.i = opened
                return self.bad(found)
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

    def indirect(self, at: int) -> bool:
        """Whether the `!` before AT makes `${!…` an indirection, and is not the parameter `$!`."""
        s = self.s
        return NAME.match(s, at) is not None or s.startswith(DIGITS, at) or s.startswith(COUNTED, at)

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
        paired = quoted and stops != "]" and not self.in_heredoc
        guarded = 0
        while self.i < self.n:
            start, c = self.i, s[self.i]
            if c in stops and level == 0 and start >= guarded and not (first_slash and c == "/" and start == opened):
                return parts
            m = plain.match(s, start) if plain else None
            if m:
                self.i = m.end()
                self.add(parts, start, self.i, quoted)
            elif c == "\\" and not quoted:
                self.i += 2
                if s[start + 1 : start + 2] != "\n":
                    self.escaped(parts, start)
            elif c == "\\" and quoted and s.startswith("'", start + 1):
                self.i += 2
                self.add(parts, start, self.i, quoted)
            elif c == "\\" or c == "$" or c == "`":
                if quoted and s.startswith("$'", start):
                    self.ansi_quoted(parts)
                elif quoted and s.startswith('$"', start):
                    self.i += 1
                elif quoted:
                    self.in_double_quotes(parts, c, '$`"\\}')
                elif c == "$":
                    self.dollar(parts, False)
                else:
                    self.backticks(parts, False)
            elif c == '"' and (start >= guarded or s.find('"', start + 1) < guarded):
                self.double_quoted(parts)
            elif c == "'" and not quoted:
                self.single_quoted(parts)
            elif c == "'" and paired and start >= guarded:
                # It is text, but up to the next one no brace closes.
                guarded = s.find("'", start + 1) + 1
                if not guarded:
                    raise UnclosedError(start, "a single quote is not closed")
                self.i += 1
                self.add(parts, start, self.i, quoted)
            else:
                level += (c == "[") - (c == "]") if stops == "]" else 0
                self.i += 1
                self.add(parts, start, self.i, quoted)
        raise UnclosedError(opened, "an expansion is not closed")

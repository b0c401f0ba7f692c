"""Reads what starts with `$` or a backtick, and process substitutions.

Everything up to the end of a construct is consumed; nothing is expanded here.
"""

from __future__ import annotations

import re

from recipelint.lazily import regex
from recipelint.shell.nodes import Sequence, Unit
from recipelint.shell.parse_parameter import ParameterParser
from recipelint.shell.scanner import BudgetError, ShellSyntaxError, UnclosedError
from recipelint.shell.text import Text, join
from recipelint.shell.words import (
    ArithmeticExpansion,
    CommandSubstitution,
    Literal,
    Parameter,
    Part,
    ProcessSubstitution,
)

IN_ARITHMETIC = regex(r"[^()'\"\\$`;]+")
SETS = regex(
    r"(?<![\w$])([A-Za-z_]\w*)(?:\[[^\]]{0,99}\])?\s{0,9}(?:\+\+|--|(?:<<|>>|[-+*/%&^|])?=(?!=))"
    r"|(?:\+\+|--)\s{0,9}([A-Za-z_]\w*)",
    re.ASCII,
)
"""A name that an arithmetic expression sets."""
PARAMETER = regex(r"[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]")


def names_set(expression: list[Part]) -> set[str]:
    """The names that an arithmetic expression sets, as far as they are written."""
    text = "".join(part.text.s if isinstance(part, Literal) else "$" for part in expression)
    return {m[1] or m[2] for m in SETS.finditer(text)} if "=" in text or "++" in text or "--" in text else set()


class ExpansionParser(ParameterParser):
    """`$V`, `${…}`, `$(…)`, `$((…))`, backticks, `<(…)`."""

    # What later links of the chain provide.
    assigned: set[str]

    def command_list(self, closer: str) -> Sequence:
        raise NotImplementedError

    def nested(self, unit: Unit, depth: int) -> Sequence:
        raise NotImplementedError

    def dollar(self, parts: list[Part], quoted: bool) -> None:
        """Whatever starts with the `$` at the cursor; a `$` that starts nothing is text."""
        self.count()
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
            if isinstance(error, BudgetError):
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
                self.assigned.update(names_set(parts))
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
        raise UnclosedError(opened, "an arithmetic expression is not closed")

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
            raise UnclosedError(start, "a backtick is not closed")
        pieces.append(self.unit.slice(begun, at))
        self.i = at + 1
        self.enter()
        body = self.nested(Unit(join(pieces)), self.depth)
        self.depth -= 1
        parts.append(CommandSubstitution(body, quoted, self.unit, start, self.i))

    def process_substitution(self, parts: list[Part]) -> None:
        """`<(…)` or `>(…)` at the cursor."""
        start = self.i
        self.enter()
        self.i += 2
        body = self.command_list(")")
        self.i += 1
        self.depth -= 1
        parts.append(ProcessSubstitution(body, False, self.unit, start, self.i))

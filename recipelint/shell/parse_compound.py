"""Reads compound commands: groups, `if`, loops, `case`, functions, `((…))`.

The redirections after a compound command belong to it.
"""

from __future__ import annotations

import re

from recipelint.lazily import regex
from recipelint.shell.compounds import ArithmeticCommand, Case, For, ForArithmetic, Group, If, While
from recipelint.shell.nodes import Background, Command, Function, Sequence, Simple
from recipelint.shell.parse_parameter import NAME
from recipelint.shell.parse_test import TestParser
from recipelint.shell.scanner import BudgetError, EndlessError, ShellSyntaxError, UnclosedError
from recipelint.shell.words import Literal, Part, Word

RESERVED = regex(
    r"(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|in|function|select|time|coproc|\{|\}|!|\[\[|\]\])"
    r"(?=[\s;&|()<>]|\\\n|\Z)"
)
FUNCTION_NAME = r"[^\s|&;()<>]+"
BRACKETS = r"\([ \t]*\)"
COPROCESS_NAME = r"[A-Za-z_]\w*[ \t]+(?=\{|\()"
"""These are rare, and compiled when they are met."""
ENDS = {"{": "}", "if": "fi", "while": "done", "until": "done", "for": "done", "select": "done", "case": "esac"}
"""The word that ends what each reserved word begins."""
TERMINATORS = (";;&", ";;", ";&")
CLOSERS = frozenset(("then", "else", "elif", "fi", "do", "done", "esac", "}", "in", "]]"))
FUNCTION = regex(r"([^\s|&;()<>'\"\\$`=\x00]+)[ \t]*\([ \t]*\)")


class CompoundParser(TestParser):
    """Commands that hold commands."""

    # What later links of the chain provide.
    def skip_lines(self) -> None:
        raise NotImplementedError

    def command(self) -> Command:
        """One command, simple or compound."""
        s, start = self.s, self.i
        c = s[start : start + 1]
        if c == "(":
            if s.startswith("((", start):
                found = self.arithmetic_command()
                if found:
                    return found
            self.enter()
            self.i += 1
            body = self.some(")")
            self.i += 1
            self.depth -= 1
            return Group(body, True, self.redirections(), start, self.i)
        m = RESERVED.match(s, start)
        if m:
            word = m[0]
            if word in CLOSERS:
                raise ShellSyntaxError(start, f"unexpected {word!r}")
            self.i = m.end()
            self.enter()
            command = self.compound(word, start)
            self.depth -= 1
            return command
        m = FUNCTION.match(s, start)
        if m:
            self.i = m.end()
            return self.function(m[1], start)
        return self.simple()

    def compound(self, word: str, start: int) -> Command:
        """The compound command whose reserved word was just read."""
        try:
            return self.rest_of(word, start)
        except EndlessError as error:
            end = ENDS.get(word)
            raise UnclosedError(start, f"no {end!r} for the {word!r} that starts here") if end else error from None

    def rest_of(self, word: str, start: int) -> Command:
        """What follows the reserved word of a compound command, with the word."""
        if word == "{":
            body = self.some("")
            self.expect("}")
            return Group(body, False, self.redirections(), start, self.i)
        if word == "if":
            return self.if_command(start)
        if word in ("while", "until"):
            condition = self.some("")
            body = self.do_group()
            return While(condition, word == "until", body, self.redirections(), self.unit, start, self.i)
        if word in ("for", "select"):
            return self.for_command(start)
        if word == "case":
            return self.case_command(start)
        if word == "[[":
            return self.conditional(start)
        if word == "function":
            self.blanks()
            m = re.compile(FUNCTION_NAME).match(self.s, self.i)
            if not m:
                raise ShellSyntaxError(start, "a function without a name")
            self.i = m.end()
            self.blanks()
            brackets = re.compile(BRACKETS).match(self.s, self.i)
            if brackets:
                self.i = brackets.end()
            return self.function(m[0], start)
        # coproc: the command runs beside the script, as with `&`.
        self.blanks()
        m = re.compile(COPROCESS_NAME).match(self.s, self.i)
        if m:
            self.i = m.end()
        return Background(self.command(), start, self.i)

    def some(self, closer: str) -> Sequence:
        """A list of commands, of which bash asks for one at least; a comment is none."""
        lost = len(self.lost)
        found = self.command_list(closer)
        if not found.commands and len(self.lost) == lost:
            raise ShellSyntaxError(self.i, "a command expected before this")
        return found

    def expect(self, word: str) -> None:
        """Over the reserved word WORD."""
        self.skip_lines()
        m = RESERVED.match(self.s, self.i)
        if not m or m[0] != word:
            raise ShellSyntaxError(min(self.i, max(0, self.n - 1)), f"{word!r} expected")
        self.i += len(word)

    def if_command(self, start: int) -> If:
        """The rest of `if … fi`, whose opening was just read."""
        arms: list[tuple[Sequence, Sequence]] = []
        while True:
            condition = self.some("")
            self.expect("then")
            arms.append((condition, self.some("")))
            if self.s.startswith("elif", self.i):
                self.i += 4
                continue
            otherwise = None
            if self.s.startswith("else", self.i):
                self.i += 4
                otherwise = self.some("")
            self.expect("fi")
            return If(arms, otherwise, self.redirections(), self.unit, start, self.i)

    def do_group(self) -> Sequence:
        """`do … done`, or braces, which bash takes too."""
        self.skip_lines()
        if self.s.startswith("{", self.i):
            self.i += 1
            body = self.some("")
            self.expect("}")
            return body
        self.expect("do")
        body = self.some("")
        self.expect("done")
        return body

    def for_command(self, start: int) -> Command:
        """The rest of a `for` or `select`, whose opening was just read."""
        self.blanks()
        if self.s.startswith("((", self.i):
            self.i += 2
            sections: list[list[Part]] = [[], [], []]
            at = 0
            for part in self.arithmetic_parts():
                if isinstance(part, Literal) and part.text.s == ";":
                    at += 1
                    if at > 2:
                        break
                else:
                    sections[at].append(part)
            if at != 2:
                raise ShellSyntaxError(start, "two ';' expected in the head of a loop")
            self.blanks()
            if self.s.startswith(";", self.i):
                self.i += 1
            body = self.do_group()
            return ForArithmetic(
                sections[0], sections[1], sections[2], body, self.redirections(), self.unit, start, self.i
            )
        m = NAME.match(self.s, self.i)
        if not m:
            raise ShellSyntaxError(start, "a loop without a variable")
        self.i = m.end()
        self.assigned.add(m[0])
        self.skip_lines()
        words: list[Word] | None = None
        r = RESERVED.match(self.s, self.i)
        if r and r[0] == "in":
            self.i += 2
            words = []
            while True:
                self.blanks()
                c = self.s[self.i : self.i + 1]
                if not c or c in ";\n&":
                    break
                if c == "#":
                    self.skip_comment()
                    break
                before = self.i
                words += self.words()
                if self.i == before:
                    raise ShellSyntaxError(self.i, f"unexpected {c!r}")
        if self.s.startswith(";", self.i):
            self.i += 1
        body = self.do_group()
        return For(m[0], words, body, self.redirections(), self.unit, start, self.i)

    def case_command(self, start: int) -> Case:
        """The rest of `case … esac`, whose opening was just read."""
        self.blanks()
        word = self.word()
        if word is None:
            raise ShellSyntaxError(start, "a case without a word")
        self.expect("in")
        arms: list[tuple[list[Word], Sequence, str]] = []
        while True:
            self.skip_lines()
            m = RESERVED.match(self.s, self.i)
            if m and m[0] == "esac":
                self.i = m.end()
                return Case(word, arms, self.redirections(), self.unit, start, self.i)
            if self.i >= self.n:
                raise UnclosedError(start, "a case without its esac")
            if self.s[self.i] == "(":
                self.i += 1
            patterns: list[Word] = []
            while True:
                self.blanks()
                pattern = self.word()
                if pattern is None:
                    raise ShellSyntaxError(self.i, "a pattern expected")
                patterns.append(pattern)
                self.blanks()
                c = self.s[self.i : self.i + 1]
                self.i += 1
                if c == ")":
                    break
                if c != "|":
                    raise ShellSyntaxError(self.i - 1, "')' expected after a pattern")
            body = self.command_list("")
            terminator = next((t for t in TERMINATORS if self.s.startswith(t, self.i)), "")
            self.i += len(terminator)
            arms.append((patterns, body, terminator or ";;"))

    def function(self, name: str, start: int) -> Function:
        """The body of a function, whose name was just read."""
        self.skip_lines()
        self.enter()
        body = self.command()
        if isinstance(body, Simple | Function | Background):
            raise ShellSyntaxError(start, f"the body of {name} is no compound command")
        self.depth -= 1
        return Function(name, body, self.unit, start, self.i)

    def arithmetic_command(self) -> ArithmeticCommand | None:
        """`((…))`; None, with the cursor back, if it is a subshell in a subshell."""
        start = self.i
        self.i += 2
        try:
            expression = self.arithmetic_parts()
        except BudgetError:
            raise
        except ShellSyntaxError:
            self.i = start
            return None
        return ArithmeticCommand(expression, self.redirections(), self.unit, start, self.i)

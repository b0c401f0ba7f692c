"""Reads commands as bash does, into the tree of `nodes`.

Bash runs a script one complete command at a time, so what stands before a syntax error has run: the tree of a program
ends in an `Unreadable` node there, and nothing after it is in the tree.
"""

from __future__ import annotations

import re

from recipelint.shell.nodes import (
    AndOr,
    ArithmeticCommand,
    Array,
    Assignment,
    Background,
    Case,
    Command,
    Conditional,
    For,
    ForArithmetic,
    Function,
    Group,
    If,
    Literal,
    Part,
    Pipeline,
    Program,
    Redirection,
    Sequence,
    Simple,
    Unit,
    Unreadable,
    While,
    Word,
)
from recipelint.shell.parse_test import TestParser
from recipelint.shell.parse_word import NAME, NestingError, ShellSyntaxError

RESERVED = re.compile(
    r"(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|in|function|select|time|coproc|\{|\}|!|\[\[)"
    r"(?=[\s;&|()<>]|\\\n|\Z)"
)
BLANK = frozenset((" ", "\t", "\\"))
CLOSERS = frozenset(("then", "else", "elif", "fi", "do", "done", "esac", "}", "in"))
SKIP = re.compile(r"(?:[ \t]+|\\\n|#[^\n]*)+")
ASSIGN = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\+?=|\[)")
REDIRECT = re.compile(r"(\d+|\{[A-Za-z_]\w*\})?(<<<|<<-|<<|<&|<>|<(?!\()|>>|>&|>\||>(?!\()|&>>|&>)")
FUNCTION = re.compile(r"([^\s|&;()<>'\"\\$`=\x00]+)[ \t]*\([ \t]*\)")
DECLARATIONS = frozenset(("declare", "typeset", "local", "export", "readonly"))


class Parser(TestParser):
    """The whole grammar."""

    def __init__(self, unit: Unit, depth: int = 0, assigned: set[str] | None = None) -> None:
        super().__init__(unit, depth)
        self.assigned: set[str] = set() if assigned is None else assigned
        self.pending: list[tuple[Redirection, str, bool, bool]] = []

    # --- programs and lists ------------------------------------------------------------------------

    def program(self) -> Program:
        """The whole unit; where it cannot be read the tree ends in Unreadable."""
        commands: list[Command] = []
        try:
            while True:
                self.skip_lines()
                if self.i >= self.n:
                    break
                before = self.i
                commands.append(self.and_or_item())
                if self.i == before or (self.i < self.n and self.s[self.i] not in "\n"):
                    self.separator_follows()
        except ShellSyntaxError as error:
            at = min(error.at, max(0, self.n - 1))
            kind = "budget: " if isinstance(error, NestingError) else ""
            commands.append(Unreadable(kind + error.reason, self.unit, at, min(at + 1, self.n)))
        return Program(Sequence(commands, 0, self.n), self.unit, self.assigned)

    def separator_follows(self) -> None:
        """After a command at top level: a line end must come, or the next command of the line."""
        c = self.s[self.i : self.i + 1]
        if c and c in ");|&":
            raise ShellSyntaxError(self.i, f"unexpected {c!r}")

    def nested(self, unit: Unit, depth: int) -> Sequence:
        return Parser(unit, depth, self.assigned).program().body

    def skip_lines(self) -> None:
        """Skip blanks, comments and line ends."""
        s = self.s
        while self.i < self.n:
            c = s[self.i]
            if c == "\n":
                self.newline()
            elif c == " " or c == "\t" or c == "#" or c == "\\":
                m = SKIP.match(s, self.i)
                if not m:
                    return
                self.i = m.end()
            else:
                return

    def newline(self) -> None:
        """Over a line end, and over the here-documents that start after it."""
        self.i += 1
        if self.pending:
            pending, self.pending = self.pending, []
            for redirection, delimiter, quoted, tabs in pending:
                self.heredoc(redirection, delimiter, quoted, tabs)

    def command_list(self, closer: str) -> Sequence:
        """Commands up to CLOSER (`)`, or "" for a reserved word or `;;`), which is not consumed."""
        commands: list[Command] = []
        start = self.i
        while True:
            self.skip_lines()
            if self.i >= self.n:
                raise ShellSyntaxError(start, f"no {closer or 'end'!r} for what starts here")
            c = self.s[self.i]
            if c == ")":
                if closer == ")":
                    return Sequence(commands, start, self.i)
                raise ShellSyntaxError(self.i, "unexpected ')'")
            if not closer:
                if c == ";" and self.s.startswith((";;", ";&"), self.i):
                    return Sequence(commands, start, self.i)
                m = RESERVED.match(self.s, self.i)
                if m and m[0] in CLOSERS:
                    return Sequence(commands, start, self.i)
            commands.append(self.and_or_item())

    def and_or_item(self) -> Command:
        """An and-or list with its `;` or `&`."""
        start = self.i
        command = self.and_or()
        self.blanks()
        c = self.s[self.i : self.i + 1]
        if c == "&":
            self.i += 1
            return Background(command, start, self.i)
        if c == ";" and not self.s.startswith((";;", ";&"), self.i):
            self.i += 1
        elif c == "#":
            self.skip_comment()
        elif c and c not in "\n);" and c != "}":
            raise ShellSyntaxError(self.i, f"unexpected {c!r}")
        return command

    def skip_comment(self) -> None:
        end = self.s.find("\n", self.i)
        self.i = self.n if end < 0 else end

    def and_or(self) -> Command:
        start = self.i
        first = self.pipeline()
        rest: list[tuple[str, Command]] = []
        while True:
            self.blanks()
            op = self.s[self.i : self.i + 2]
            if op not in ("&&", "||"):
                return AndOr(first, rest, start, self.i) if rest else first
            self.i += 2
            self.skip_lines()
            rest.append((op, self.pipeline()))

    def pipeline(self) -> Command:
        start, negated = self.i, False
        while True:
            m = RESERVED.match(self.s, self.i)
            if m and m[0] == "!":
                negated = not negated
            elif not (m and m[0] == "time"):
                break
            self.i = m.end()
            self.blanks()
            if m[0] == "time" and self.s.startswith("-p", self.i):
                self.i += 2
                self.blanks()
        commands = [self.command()]
        while True:
            self.blanks()
            if self.s.startswith("||", self.i) or not self.s.startswith("|", self.i):
                break
            self.i += 2 if self.s.startswith("|&", self.i) else 1
            self.skip_lines()
            commands.append(self.command())
        if len(commands) == 1 and not negated:
            return commands[0]
        return Pipeline(commands, negated, start, self.i)

    # --- commands ----------------------------------------------------------------------------------

    def command(self) -> Command:
        s, start = self.s, self.i
        c = s[start : start + 1]
        if c == "(":
            if s.startswith("((", start):
                found = self.arithmetic_command()
                if found:
                    return found
            self.enter()
            self.i += 1
            body = self.command_list(")")
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
        if word == "{":
            body = self.command_list("")
            self.expect("}")
            return Group(body, False, self.redirections(), start, self.i)
        if word == "if":
            return self.if_command(start)
        if word in ("while", "until"):
            condition = self.command_list("")
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
            m = re.compile(r"[^\s|&;()<>]+").match(self.s, self.i)
            if not m:
                raise ShellSyntaxError(start, "a function without a name")
            self.i = m.end()
            self.blanks()
            brackets = re.compile(r"\([ \t]*\)").match(self.s, self.i)
            if brackets:
                self.i = brackets.end()
            return self.function(m[0], start)
        # coproc: the command runs beside the script, as with `&`.
        self.blanks()
        m = re.compile(r"[A-Za-z_]\w*[ \t]+(?=\{|\()").match(self.s, self.i)
        if m:
            self.i = m.end()
        return Background(self.command(), start, self.i)

    def expect(self, word: str) -> None:
        """Over the reserved word WORD."""
        self.skip_lines()
        if not self.s.startswith(word, self.i):
            raise ShellSyntaxError(min(self.i, max(0, self.n - 1)), f"{word!r} expected")
        self.i += len(word)

    def if_command(self, start: int) -> If:
        arms: list[tuple[Sequence, Sequence]] = []
        while True:
            condition = self.command_list("")
            self.expect("then")
            arms.append((condition, self.command_list("")))
            if self.s.startswith("elif", self.i):
                self.i += 4
                continue
            otherwise = None
            if self.s.startswith("else", self.i):
                self.i += 4
                otherwise = self.command_list("")
            self.expect("fi")
            return If(arms, otherwise, self.redirections(), self.unit, start, self.i)

    def do_group(self) -> Sequence:
        self.skip_lines()
        if self.s.startswith("{", self.i):
            self.i += 1
            body = self.command_list("")
            self.expect("}")
            return body
        self.expect("do")
        body = self.command_list("")
        self.expect("done")
        return body

    def for_command(self, start: int) -> Command:
        self.blanks()
        if self.s.startswith("((", self.i):
            self.i += 2
            sections: list[list[Part]] = [[], [], []]
            at = 0
            for part in self.arithmetic_parts():
                if isinstance(part, Literal) and part.text.s == ";":
                    at = min(at + 1, 2)
                else:
                    sections[at].append(part)
            self.blanks()
            if self.s.startswith(";", self.i):
                self.i += 1
            body = self.do_group()
            return ForArithmetic(*sections, body, self.redirections(), self.unit, start, self.i)
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
                raise ShellSyntaxError(start, "a case without its esac")
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
            m = re.compile(r";;&|;;|;&").match(self.s, self.i)
            if m:
                self.i = m.end()
            arms.append((patterns, body, m[0] if m else ";;"))

    def function(self, name: str, start: int) -> Function:
        self.skip_lines()
        self.enter()
        body = self.command()
        self.depth -= 1
        return Function(name, body, self.unit, start, self.i)

    def arithmetic_command(self) -> ArithmeticCommand | None:
        start = self.i
        self.i += 2
        try:
            expression = self.arithmetic_parts()
        except NestingError:
            raise
        except ShellSyntaxError:
            self.i = start
            return None
        return ArithmeticCommand(expression, self.redirections(), self.unit, start, self.i)

    # --- simple commands ---------------------------------------------------------------------------

    def simple(self) -> Simple:
        s, start = self.s, self.i
        assignments: list[Assignment] = []
        words: list[Word | Assignment] = []
        redirections: list[Redirection] = []
        declaration = False
        end = start
        while True:
            at = self.i
            c = s[at : at + 1]
            if c in BLANK:
                self.blanks()
                at = self.i
                c = s[at : at + 1]
            if at >= self.n:
                break
            if c in "\n;|)#" or (c == "&" and not s.startswith("&>", at)):
                break
            if c in "<>&{0123456789":
                found = self.redirection()
                if found:
                    redirections.append(found)
                    end = self.i
                    continue
            if c == "(":
                raise ShellSyntaxError(at, "unexpected '('")
            if not words or declaration:
                assignment = self.assignment(declaration)
                if assignment:
                    (words if words else assignments).append(assignment)  # type: ignore[attr-defined]
                    end = self.i
                    continue
            found_words = self.words()
            if self.i == at:
                raise ShellSyntaxError(at, f"unexpected {c!r}")
            if not words and found_words:
                first = found_words[0].literal
                declaration = first is not None and first.s in DECLARATIONS
            words += found_words
            end = self.i
            if len(words) >= 2:
                self.note_names(words, found_words)
        if end == start:
            raise ShellSyntaxError(start, f"unexpected {s[start : start + 1]!r}")
        return Simple(assignments, words, redirections, self.unit, start, end)

    def note_names(self, words: list[Word | Assignment], new: list[Word]) -> None:
        """Remember the names that `read A B`, `printf -v A`, `export A`, `mapfile A` and the like set."""
        first = words[0]
        name = first.literal.s if isinstance(first, Word) and first.literal else ""
        if name in ("read", "mapfile", "readarray", "getopts", "printf"):
            self.assigned.update(word.literal.s for word in new if word.literal and NAME.fullmatch(word.literal.s))

    def assignment(self, declaration: bool) -> Assignment | None:
        """`NAME=…` at the cursor; None, with the cursor back, if it is a word."""
        s, start = self.s, self.i
        m = ASSIGN.match(s, start)
        if not m:
            return None
        index, op = None, m[2]
        self.i = m.end()
        if op == "[":
            try:
                index = self.until("]", False)
            except ShellSyntaxError:
                self.i = start
                return None
            op = "+=" if s.startswith("]+=", self.i) else "=" if s.startswith("]=", self.i) else ""
            if not op:
                self.i = start
                return None
            self.i += 1 + len(op)
        self.assigned.add(m[1])
        begun = self.i
        value: Word | Array
        if s.startswith("(", begun) and index is None:
            value = self.array()
        else:
            value = self.made(self.unquoted(assignment=True), begun)
        return Assignment(m[1], index, op == "+=", value, start, self.i)

    def redirections(self) -> list[Redirection]:
        """Those after a compound command."""
        found: list[Redirection] = []
        while True:
            before = self.i
            self.blanks()
            one = self.redirection()
            if one is None:
                self.i = before
                return found
            found.append(one)

    def redirection(self) -> Redirection | None:
        m = REDIRECT.match(self.s, self.i)
        if not m:
            return None
        start = self.i
        self.i = m.end()
        self.blanks()
        target = self.word()
        if target is None:
            raise ShellSyntaxError(start, f"nothing after {m[2]!r}")
        found = Redirection(m[1] or "", m[2], target)
        if m[2] in ("<<", "<<-"):
            raw = self.s[target.start : target.end]
            quoted = any(c in raw for c in "'\"\\")
            delimiter = re.sub(r"['\"\\]", "", raw)
            self.pending.append((found, delimiter, quoted, m[2] == "<<-"))
        return found

    def heredoc(self, redirection: Redirection, delimiter: str, quoted: bool, tabs: bool) -> None:
        """Read the body of a here-document from the cursor, over its delimiter line."""
        s, start = self.s, self.i
        parts: list[Part] = []
        at, run = start, start
        end = self.n
        while True:
            stop = s.find("\n", at)
            line_end = self.n if stop < 0 or stop > self.n else stop
            begun = at
            if tabs:
                while begun < line_end and s[begun] == "\t":
                    begun += 1
            if s[begun:line_end] == delimiter:
                end = at
                after = min(line_end + 1, self.n)
                break
            if tabs and begun > at:
                self.heredoc_piece(parts, run, at, quoted)
                run = begun
            if stop < 0 or stop >= self.n:
                end = after = self.n
                break
            at = stop + 1
        self.heredoc_piece(parts, run, end, quoted)
        redirection.body = parts
        self.i = after

    def heredoc_piece(self, parts: list[Part], start: int, end: int, quoted: bool) -> None:
        if end <= start:
            return
        if quoted:
            parts.append(Literal(self.unit.slice(start, end), True))
        else:
            self.i = start
            parts += self.heredoc_parts(end)


def parse(unit: Unit) -> Program:
    """The program of a unit, parsed once."""
    if unit.program is None:
        unit.program = Parser(unit, unit.depth).program()
    return unit.program

"""Reads a program as bash does, into the tree of `nodes`: lists and pipelines of commands.

Bash runs a script one complete command at a time, so what stands before a syntax error has run: the tree of a program
has an `Unreadable` node there. Of a file it goes on behind it, without the broken statement; else it ends there.
"""

from __future__ import annotations

import re

from recipelint.lazily import regex
from recipelint.shell.nodes import AndOr, Background, Command, Pipeline, Program, Sequence, Simple, Unit, Unreadable
from recipelint.shell.parse_compound import CLOSERS, RESERVED, CompoundParser
from recipelint.shell.scanner import BudgetError, EndlessError, ShellSyntaxError, UnclosedError

SKIP = regex(r"(?:[ \t]+|\\\n|#[^\n]*)+")

REST = regex(r"(?:[^\n\\]|\\.)*\n?", re.S)
"""What is left of a line and of those that continue it."""
NAMES = regex(r"\b([A-Za-z_]\w*)=")
MAX_LOST = 16
ENDS = frozenset(f"unexpected {word!r}" for word in (*CLOSERS, ")", ";"))

EMPTY_PIPELINE = regex(r";(?![;&])|\n|\Z")


class Parser(CompoundParser):
    """The whole grammar."""

    def program(self) -> Program:
        """The whole unit; where it cannot be read the tree ends in Unreadable."""
        commands: list[Command] = []
        while True:
            depth, told, start = self.depth, len(self.lost), self.i
            try:
                self.skip_lines()
                if self.i >= self.n:
                    break
                before = self.i
                found = self.and_or_item()
                commands += [*self.lost[told:], found]  # bash runs nothing of a command in which it cannot read all
                if self.i == before or (self.i < self.n and self.s[self.i] not in "\n"):
                    self.separator_follows()
            except ShellSyntaxError as error:
                if not self.recover(error, start, told, depth):
                    at = min(error.at, max(0, self.n - 1))
                    kind = "budget: " if isinstance(error, BudgetError) else ""
                    commands.append(Unreadable(kind + error.reason, self.unit, at, min(at + 1, self.n)))
                    break
                commands += self.lost[told:]
        return Program(Sequence(commands, 0, self.n), self.unit, self.assigned)

    def recover(self, error: ShellSyntaxError, start: int, told: int, depth: int) -> bool:
        """Go on behind the line where the statement of a file that begins at START is broken.

        False where all that is left belongs to it. TOLD and DEPTH: how many were broken before it, and the nesting.
        """
        if self.unit.source is None or self.inside or self.in_heredoc:
            return False
        if isinstance(error, BudgetError | UnclosedError):
            return False
        if max(self.i, error.at) >= self.n or len(self.lost) >= MAX_LOST:
            return False
        if len(self.lost) == told and not (told and error.reason in ENDS):  # else it comes of what was lost before
            self.lost.append(Unreadable(error.reason, self.unit, error.at, error.at + 1, recovered=True))
        end = REST.match(self.s, max(self.i, error.at))
        self.i = end.end() if end else self.n
        self.pending, self.depth = [], depth
        self.assigned.difference_update(NAMES.findall(self.s, start, self.i))
        return True

    def separator_follows(self) -> None:
        """After a command at top level: a line end must come, or the next command of the line."""
        c = self.s[self.i : self.i + 1]
        if c and c in ");|&":
            raise ShellSyntaxError(self.i, f"unexpected {c!r}")

    def nested(self, unit: Unit, depth: int) -> Sequence:
        """The commands of a text inside this one; their names count as assigned here."""
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

    def command_list(self, closer: str) -> Sequence:
        """Commands up to CLOSER (`)`, or "" for a reserved word or `;;`), which is not consumed."""
        if not closer:
            return self.listed(closer)
        self.inside += 1
        try:
            return self.listed(closer)
        finally:
            self.inside -= 1

    def listed(self, closer: str) -> Sequence:
        """The commands of command_list. One that is broken is left out, unless it stands between parentheses."""
        commands: list[Command] = []
        start = self.i
        while True:
            self.skip_lines()
            if self.i >= self.n:
                if not closer:
                    raise EndlessError(start, "no end for what starts here")
                raise UnclosedError(start, f"no {closer!r} for what starts here")
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
            depth, told, begun = self.depth, len(self.lost), self.i
            try:
                commands.append(self.and_or_item())
            except ShellSyntaxError as error:
                if not self.recover(error, begun, told, depth):
                    raise

    def and_or_item(self) -> Command:
        """An and-or list with its `;` or `&`."""
        self.count()
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
        elif c and c not in "\n);" and c != "}" and not self.closes(command):
            raise ShellSyntaxError(self.i, f"unexpected {c!r}")
        return command

    def closes(self, command: Command) -> bool:
        """Whether a reserved word stands at the cursor that may follow a compound COMMAND without a separator."""
        m = RESERVED.match(self.s, self.i)
        last = command.rest[-1][1] if isinstance(command, AndOr) else command
        last = last.commands[-1] if isinstance(last, Pipeline) else last
        return m is not None and m[0] in CLOSERS and not isinstance(last, Simple | Background)

    def and_or(self) -> Command:
        """Pipelines joined by `&&` and `||`."""
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
        """Commands joined by `|`, after `!` and `time`."""
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
        if self.i > start and EMPTY_PIPELINE.match(self.s, self.i):
            nothing = Simple([], [], [], self.unit, start, self.i)
            return Pipeline([nothing], negated, start, self.i) if negated else nothing
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


def parse(unit: Unit) -> Program:
    """The program of a unit, parsed once."""
    if unit.program is None:
        unit.program = Parser(unit).program()
    return unit.program

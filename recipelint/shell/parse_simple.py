"""Reads simple commands: assignments, words, redirections and here-documents.

A here-document is pending from its operator to the next line end, where its body is read.
"""

from __future__ import annotations

import re

from recipelint.lazily import regex
from recipelint.shell.nodes import Simple, Unit, Unreadable
from recipelint.shell.parse_expansion import names_set
from recipelint.shell.parse_parameter import NAME
from recipelint.shell.parse_word import WordParser
from recipelint.shell.scanner import ShellSyntaxError
from recipelint.shell.words import Array, Assignment, Literal, Part, Redirection, Word

BLANK = frozenset((" ", "\t", "\\"))
ASSIGN = regex(r"([A-Za-z_][A-Za-z0-9_]*)(\+?=|\[)")
REDIRECT = regex(r"(\d+|\{[A-Za-z_]\w*\})?(<<<|<<-|<<|<&|<>|<(?!\()|>>|>&|>\||>(?!\()|&>>|&>)")
DECLARATIONS = frozenset(("declare", "typeset", "local", "export", "readonly"))


class SimpleParser(WordParser):
    """Simple commands, and the redirections of all commands."""

    def __init__(self, unit: Unit, depth: int = 0, assigned: set[str] | None = None) -> None:
        super().__init__(unit, depth)
        self.assigned: set[str] = set() if assigned is None else assigned
        self.pending: list[tuple[Redirection, str, bool, bool]] = []
        self.lost: list[Unreadable] = []
        """The statements that were left out so far."""
        self.inside = 0
        """Lists between parentheses around the cursor."""

    def simple(self) -> Simple:
        """Assignments, words and redirections in the order in which they stand; at least one."""
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
                assignment = self.assignment()
                if assignment:
                    if words:
                        words.append(assignment)
                    else:
                        assignments.append(assignment)
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
        """Remember the names that `read A B`, `printf -v A`, `export A`, `let A=1` and the like set."""
        first = words[0]
        name = first.literal.s if isinstance(first, Word) and first.literal else ""
        if name in ("read", "mapfile", "readarray", "getopts", "printf"):
            self.assigned.update(word.literal.s for word in new if word.literal and NAME.fullmatch(word.literal.s))
        elif name == "let":
            for word in new:
                self.assigned |= names_set(word.parts)

    def assignment(self) -> Assignment | None:
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
        is_array = index is None and s.startswith("(", begun)
        value: Word | Array = self.array() if is_array else self.made(self.unquoted(), begun)
        if is_array:
            self.unquoted()  # text behind the bracket belongs to the same word, and is lost
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
        """The redirection at the cursor; None if there is none. A here-document's body comes later."""
        m = REDIRECT.match(self.s, self.i)
        if not m:
            return None
        start = self.i
        self.i = m.end()
        self.blanks()
        target = self.word() if not self.s.startswith("#", self.i) else None
        if target is None:
            raise ShellSyntaxError(start, f"nothing after {m[2]!r}")
        found = Redirection(m[1] or "", m[2], target)
        if m[2] in ("<<", "<<-"):
            raw = self.s[target.start : target.end]
            quoted = any(c in raw for c in "'\"\\")
            delimiter = re.sub(r"['\"\\]", "", raw)
            self.pending.append((found, delimiter, quoted, m[2] == "<<-"))
        return found

    def newline(self) -> None:
        """Over a line end, and over the here-documents that start after it."""
        self.i += 1
        if self.pending:
            pending, self.pending = self.pending, []
            for redirection, delimiter, quoted, tabs in pending:
                self.heredoc(redirection, delimiter, quoted, tabs)

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
        """Add the characters [start, end) of a body: whole lines, or what `<<-` leaves of one."""
        if end <= start:
            return
        if quoted:
            parts.append(Literal(self.unit.slice(start, end), True))
        else:
            self.i = start
            parts += self.heredoc_parts(end)

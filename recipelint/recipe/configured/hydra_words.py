"""Hydra's words: `a.b=c`, `+a.b=c`, `++a.b=c`, `~a`, `k=[a,b]`, `group@package=option`, taken apart as Hydra does.

The grammar is that of Hydra's override parser (https://hydra.cc/docs/advanced/override_grammar/basic/). What it would
refuse, and what only a sweep or a function would tell, is unknown. Values keep their places in the words.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from recipelint.recipe.configured.tree import MAX_PARTS, Branch, Listing, Node, Plain, Scalar, Unread
from recipelint.shell.text import EMPTY, Text, join

SET, ADD, FORCE, REMOVE = "set", "add", "force", "remove"
HEAD = re.compile(
    r"(?P<kind>\+\+|\+|~)?(?P<key>(?:\.\./)*[\w$-]+(?:[./][\w$-]+)*)(?:@(?P<package>[\w$.-]*))?(?P<equals>=)?", re.ASCII
)
KEY = re.compile(r"[ \t]*(?P<key>[\w/\-+.$%*@?|]+)[ \t]*:", re.ASCII)
FUNCTION = re.compile(r"[ \t]*[A-Za-z_]\w*\(")
INTEGER = re.compile(r"[-+]?(?:0|[1-9](?:_?[0-9])*)\Z")
PLAIN = re.compile(r"[\w/\-\\+.$%*@?|: \t]", re.ASCII)
ESCAPED = frozenset("\\()[]{}:=, \t")
MAX_DEPTH = 32


class Override(NamedTuple):
    """One word.

    kind     set, add, force or remove
    key      the key, or the group of configurations that it chooses from
    package  what follows its `@`; None without one
    value    None for a removal without one
    """

    kind: str
    key: str
    package: str | None
    value: Node | None
    word: Text

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(self.key.split("."))


class Refused(Exception):
    """Hydra would refuse the text; says why."""


def override(word: Text) -> Override | None:
    """A word as an override; None for one that is none, or whose key cannot be known."""
    m = HEAD.match(word.s)
    if m is None or m["key"].count(".") >= MAX_PARTS:
        return None
    kind = {None: SET, "+": ADD, "++": FORCE, "~": REMOVE}[m["kind"]]
    if m["equals"] is None:
        bare = kind == REMOVE and m.end() == len(word.s)
        return Override(kind, m["key"], m["package"], None, word) if bare else None
    return Override(kind, m["key"], m["package"], value(word, m.end()), word)


def value(word: Text, start: int = 0) -> Node:
    """What stands in a word from START on."""
    rest = word.slice(start, len(word.s)) if start < len(word.s) else EMPTY
    if not word.s[start:].strip(" \t"):
        return Scalar("", _empty(word))
    reader = _Reader(word, start)
    try:
        found = reader.element(0)
        if reader.peek() == ",":
            return Unread("it is swept over several values", rest)
        if reader.at < len(word.s):
            raise Refused("Hydra cannot read it")
    except Refused as error:
        return Unread(str(error), rest)
    return found


def _empty(word: Text) -> Text:
    """The empty value at a word's end, in its place."""
    last = word.runs[-1][1] if word.runs else None
    if last is None or last.source is None:
        return Text.of("")
    return Text.of("", last._replace(start=last.end))


class _Reader:
    def __init__(self, word: Text, at: int) -> None:
        self.word = word
        self.s = word.s
        self.at = at

    def peek(self) -> str:
        """The next character that is no blank."""
        while self.at < len(self.s) and self.s[self.at] in " \t":
            self.at += 1
        return self.s[self.at : self.at + 1]

    def element(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise Refused(f"it is nested deeper than {MAX_DEPTH}")
        first = self.peek()
        if first in ("'", '"'):
            return self.quoted(first)
        if first == "[":
            return Listing(tuple(self.items("]", depth)))
        if first == "{":
            return self.mapping(depth)
        if FUNCTION.match(self.s, self.at):
            raise Refused("a function makes it")
        return self.plain()

    def items(self, end: str, depth: int) -> list[Node]:
        self.at += 1
        found: list[Node] = []
        if self.peek() == end:
            self.at += 1
            return found
        while True:
            found.append(self.element(depth + 1))
            self.separated(end)
            if self.s[self.at - 1] == end:
                return found

    def separated(self, end: str) -> None:
        if self.peek() not in (",", end) or self.at >= len(self.s):
            raise Refused("Hydra cannot read it")
        self.at += 1

    def mapping(self, depth: int) -> Node:
        self.at += 1
        members: dict[str, Node] = {}
        if self.peek() == "}":
            self.at += 1
            return Branch(members)
        while True:
            m = KEY.match(self.s, self.at)
            if m is None:
                raise Refused("Hydra cannot read it")
            self.at = m.end()
            members[m["key"]] = self.element(depth + 1)
            self.separated("}")
            if self.s[self.at - 1] == "}":
                return Branch(members)

    def quoted(self, quote: str) -> Node:
        """A quoted text: a quote in it is escaped, and so are the backslashes before one."""
        start = self.at = self.at + 1
        pieces: list[Text] = []
        while True:
            m = re.compile(r"(\\*)" + quote).search(self.s, self.at)
            if m is None:
                raise Refused("a quote is open")
            slashes = len(m[1])
            pieces.append(self.cut(start, m.start() + slashes // 2))
            if slashes % 2 == 0:
                self.at = m.end()
                found = (
                    join([piece for piece in pieces if piece.s]) if any(p.s for p in pieces) else self.cut(start, start)
                )
                return self.leaf(found, quoted=True)
            start = m.end() - 1
            self.at = m.end()

    def cut(self, start: int, end: int) -> Text:
        if start < end:
            return self.word.slice(start, end)
        return _empty(self.word.slice(0, start)) if start else Text.of("")

    def plain(self) -> Node:
        start = self.at
        pieces: list[Text] = []
        escaped = False
        while self.at < len(self.s):
            c = self.s[self.at]
            if c == "\\" and self.s[self.at + 1 : self.at + 2] in ESCAPED and self.at + 1 < len(self.s):
                escaped = True
                pieces.append(self.cut(start, self.at))
                start = self.at + 1
                self.at += 2
            elif self.s.startswith("${", self.at):
                self.at = self.interpolation()
            elif PLAIN.match(c) or c > "\xff":
                self.at += 1
            else:
                break
        end = self.at
        while end > start and self.s[end - 1] in " \t" and not (escaped and end - 1 == start):
            end -= 1
        if end > start and self.s[end - 1] == ":":
            end = self.at  # a colon keeps the blanks after it
        if end == start and not pieces:
            raise Refused("Hydra cannot read it")
        pieces.append(self.cut(start, end))
        return self.leaf(join([piece for piece in pieces if piece.s]) if escaped else pieces[0], quoted=escaped)

    def interpolation(self) -> int:
        """The end of a `${…}`."""
        level, at = 0, self.at
        while at < len(self.s):
            if self.s.startswith("${", at):
                level, at = level + 1, at + 2
                continue
            if self.s[at] == "}":
                level -= 1
                if not level:
                    return at + 1
            at += 1
        raise Refused("an interpolation is open")

    def leaf(self, text: Text, quoted: bool) -> Node:
        if not text.known:
            return Unread("", text)
        return Scalar(text.s if quoted else typed(text.s), text, quoted)


def typed(s: str) -> Plain:
    """A word that is not quoted; numbers that are not whole stay text."""
    lower = s.lower()
    if lower in ("true", "false"):
        return lower == "true"
    if lower == "null":
        return None
    if INTEGER.match(s) and len(s) < 25:
        return int(s)
    return s

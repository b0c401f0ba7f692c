"""A YAML file as a tree, each value with its place.

Built from the parser's events, so that nothing recurses and no tag makes an object. An alias is the value of its
anchor, not a copy, so a file of aliases takes no more room than its text. What is past the caps is no configuration.
"""

from __future__ import annotations

import re
from typing import Any

from recipelint.recipe.configured.tree import Branch, Listing, Node, Plain, Scalar, Unread
from recipelint.shell.text import LITERAL, Origin, Text
from recipelint.source import SourceFile

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 32
MAX_NODES = 50_000
MERGE = "<<"

# The scalars of YAML 1.1, as PyYAML reads them (https://yaml.org/type/), which both OmegaConf and the trainers use.
TRUE = re.compile(r"(?:yes|Yes|YES|true|True|TRUE|on|On|ON)\Z")
FALSE = re.compile(r"(?:no|No|NO|false|False|FALSE|off|Off|OFF)\Z")
NULL = re.compile(r"(?:~|null|Null|NULL|)\Z")
INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9_]{0,24})\Z")
OCTAL = re.compile(r"[-+]?0[0-7_]{1,24}\Z")
HEXADECIMAL = re.compile(r"[-+]?0x[0-9a-fA-F_]{1,24}\Z")


class NoDocument(Exception):
    """A file is no configuration: it cannot be read as YAML, or it is past a cap. Says why."""


def document(source: SourceFile) -> Branch:
    """The mapping that a file holds. Raises NoDocument."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    if len(source.data) > MAX_BYTES:
        raise NoDocument(f"it is larger than {MAX_BYTES} bytes")
    try:
        text = source.data.decode("utf-8-sig")
        found = _Builder(source, text).tree(YAML(typ="safe", pure=True).parse(text))
    except UnicodeDecodeError:
        raise NoDocument("it is not UTF-8") from None
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise NoDocument(f"line {mark.line + 1 if mark else 1} is no YAML") from None
    except (YAMLError, ValueError, OverflowError):
        raise NoDocument("it is no YAML") from None
    if not isinstance(found, Branch):
        raise NoDocument("it is no mapping")
    return found


class _Open:
    """A collection whose end is not there yet."""

    def __init__(self, kind: str, anchor: str | None, tagged: bool) -> None:
        self.kind = kind
        self.anchor = anchor
        self.tagged = tagged
        self.items: list[Node] = []
        self.members: dict[str, Node] = {}
        self.merges: list[Node] = []
        self.key: str | None = None
        self.keyed = False

    def add(self, node: Node) -> None:
        if self.kind == "list":
            self.items.append(node)
        elif not self.keyed:
            self.key = node.word if isinstance(node, Scalar) else None
            self.keyed = True
        else:
            if self.key == MERGE:
                self.merges += node.items if isinstance(node, Listing) else [node]
            elif self.key is not None:
                self.members[self.key] = node
            self.keyed = False

    def closed(self) -> Node:
        if self.tagged:
            return Unread("a tag makes something else of it")
        if self.kind == "list":
            return Listing(tuple(self.items))
        rest, members = "", self.members
        if self.merges:
            # The first of several that are merged wins, and the mapping's own keys do before them all.
            below: dict[str, Node] = {}
            for one in reversed(self.merges):
                if isinstance(one, Branch):
                    below |= one.members
                    rest = rest or one.rest
                else:
                    rest = "what is merged into it cannot be read"
            members = below | members
        override = members.pop("_override_", None)
        return Branch(members, rest, isinstance(override, Scalar) and override.value is True)


class _Builder:
    def __init__(self, source: SourceFile, text: str) -> None:
        self.source = source
        self.text = text
        self.shift = len(source.data) - len(text.encode("utf-8"))
        self.ascii = text.isascii()
        self.chars = self.bytes = 0
        self.anchors: dict[str, Node] = {}

    def offset(self, index: int) -> int:
        """The byte offset of a character; asked for in rising order, so that each character is counted once."""
        if self.ascii:
            return index + self.shift
        if index < self.chars:
            self.chars = self.bytes = 0
        self.bytes += len(self.text[self.chars : index].encode("utf-8"))
        self.chars = index
        return self.bytes + self.shift

    def tree(self, events: Any) -> Node:
        stack: list[_Open] = []
        root: Node | None = None
        documents = nodes = merged = 0
        for event in events:
            kind = type(event).__name__
            anchor = getattr(event, "anchor", None)
            if kind == "DocumentStartEvent":
                documents += 1
                if documents > 1:
                    raise NoDocument("it holds several documents")
            if kind in ("MappingStartEvent", "SequenceStartEvent"):
                if len(stack) >= MAX_DEPTH:
                    raise NoDocument(f"it is nested deeper than {MAX_DEPTH}")
                tagged = getattr(event, "tag", None) is not None
                stack.append(_Open("list" if kind == "SequenceStartEvent" else "mapping", anchor, tagged))
                continue
            if kind == "ScalarEvent":
                node: Node = self.scalar(event)
            elif kind == "AliasEvent":
                if anchor not in self.anchors:
                    raise NoDocument(f"the alias *{anchor} stands for nothing")
                node = self.anchors[anchor]
            elif kind in ("MappingEndEvent", "SequenceEndEvent"):
                done = stack.pop()
                merged += sum(len(one.members) for one in done.merges if isinstance(one, Branch))
                node, anchor = done.closed(), done.anchor
            else:
                continue
            nodes += 1
            if nodes + merged > MAX_NODES:
                raise NoDocument("it has too many keys and values")
            if anchor and kind != "AliasEvent":
                self.anchors[anchor] = node
            if stack:
                stack[-1].add(node)
            else:
                root = node
        if root is None:
            return Branch({})
        return Branch({}) if isinstance(root, Scalar) and root.value is None else root

    def scalar(self, event: Any) -> Scalar | Unread:
        start, end = self.offset(event.start_mark.index), self.offset(event.end_mark.index)
        quoted = bool(event.style)
        value = str(event.value)
        if not quoted and self.source.data[start : start + 1] in (b"&", b"!"):
            # The event starts at its anchor; the value stands at its end.
            start = end - len(value.encode("utf-8", "replace")) if "\n" not in value else start
        origin = Origin(self.source, start, end, LITERAL)
        if getattr(event, "tag", None) is not None:
            return Unread("a tag makes something else of it", Text.of("", origin))
        plain: Plain = value if quoted else resolved(value)
        shown = value if quoted or not isinstance(plain, bool | int | None) else _spelled(value, plain)
        return Scalar(plain, Text.of(shown.encode("utf-8", "replace").decode("latin-1"), origin), quoted)


def _spelled(value: str, plain: Plain) -> str:
    """How the value of a scalar is said: as it is written, if that is how it is read, else as what it is read for."""
    if isinstance(plain, bool) and value.lower() in ("true", "false"):
        return value.lower()
    return "null" if plain is None else "true" if plain is True else "false" if plain is False else str(plain)


def resolved(value: str) -> Plain:
    """A plain scalar by YAML 1.1; numbers that are not whole stay text."""
    if TRUE.match(value):
        return True
    if FALSE.match(value):
        return False
    if NULL.match(value):
        return None
    if INTEGER.match(value):
        return int(value.replace("_", ""))
    if OCTAL.match(value):
        return int(value.replace("_", ""), 8)
    if HEXADECIMAL.match(value):
        return int(value.replace("_", ""), 16)
    return value

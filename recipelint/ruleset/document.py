"""YAML files as plain values that know their lines.

Built from the parser's events, so that nothing here recurses, no alias is followed and no tag makes an object.
Plain scalars are read by the core schema of YAML 1.2: `off` and `no` are words, not false.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NoReturn

MAX_BYTES = 256 * 1024
MAX_DEPTH = 24
MAX_NODES = 100_000
"""Keys and values of a file; reading them is what costs."""
MAX_LINE = 1000
"""Characters of a text that must be one line."""

LINK = "https://[!#-&(-;=?-_a-~]+"
"""Printable ASCII without blanks, quotes, backticks and angle brackets."""

Key = str | int
Path = tuple[Key, ...]

_INTEGER = re.compile(r"[-+]?[0-9]{1,18}\Z")
_WORDS: dict[str, bool | None] = {
    "true": True, "True": True, "TRUE": True,
    "false": False, "False": False, "FALSE": False,
    "null": None, "Null": None, "NULL": None, "~": None, "": None,
}  # fmt: skip


class RuleError(Exception):
    """A file of the rules is wrong; says which, where and why. Line 0: the file or the folder as a whole."""

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}" if line else f"{path}: {message}")
        self.path = path
        self.line = line
        self.message = message


def suggestion(word: str, known: Collection[str]) -> str:
    """`; did you mean "known"?`, or nothing when no known word is near."""
    lower = {name.lower(): name for name in sorted(known)}
    near = get_close_matches(word.lower(), list(lower), n=1, cutoff=0.6)
    return f'; did you mean "{lower[near[0]]}"?' if near else ""


@dataclass(frozen=True)
class Node:
    """A value of a document, and where it stands; the checks raise RuleError at its line."""

    file: str
    path: Path
    value: Any
    lines: dict[Path, int]

    @property
    def line(self) -> int:
        return self.lines[self.path]

    @property
    def name(self) -> str:
        return ".".join(str(key) for key in self.path) or "the file"

    def fail(self, message: str) -> NoReturn:
        raise RuleError(self.file, self.line, message)

    def __getitem__(self, key: Key) -> Node:
        return Node(self.file, (*self.path, key), self.value[key], self.lines)

    def __contains__(self, key: object) -> bool:
        return isinstance(self.value, dict) and key in self.value

    def members(self) -> Iterator[tuple[str, Node]]:
        """The members of a mapping."""
        if not isinstance(self.value, dict):
            self.fail(f"{self.name} must be a mapping")
        for key in self.value:
            yield key, self[key]

    def elements(self) -> Iterator[Node]:
        """The elements of a list that is not empty."""
        if not isinstance(self.value, list) or not self.value:
            self.fail(f"{self.name} must be a list that is not empty")
        for at in range(len(self.value)):
            yield self[at]

    def keys(self, required: Collection[str], optional: Collection[str] = ()) -> None:
        """It is a mapping that has all REQUIRED keys, and no key but these and the OPTIONAL ones."""
        known = {*required, *optional}
        for key, child in self.members():
            if key not in known:
                child.fail(f'unknown key "{key}"{suggestion(key, known)}')
        for key in required:
            if key not in self.value:
                self.fail(f'{self.name} has no "{key}"')

    def text(self) -> str:
        """A string that is not blank."""
        if not isinstance(self.value, str) or not self.value.strip():
            self.fail(f"{self.name} must be text")
        return self.value

    def one_line(self) -> str:
        """A string without a line end."""
        if "\n" in self.text():
            self.fail(f"{self.name} must be one line")
        if len(self.value) > MAX_LINE:
            self.fail(f"{self.name} is longer than {MAX_LINE} characters")
        if not self.value.isprintable():
            self.fail(f"{self.name} has a character that cannot be printed")
        return self.text()

    def link(self) -> str:
        if not re.fullmatch(LINK, self.text()):
            self.fail(f"{self.name} must be an https link")
        return self.text()

    def integer(self) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            self.fail(f"{self.name} must be a whole number")
        return self.value

    def word(self, known: Collection[str]) -> str:
        """A string that is one of KNOWN."""
        word = self.text()
        if word not in known:
            self.fail(f'{self.name} is "{word}", not one of {", ".join(sorted(known))}{suggestion(word, known)}')
        return word


def read(file: str, data: bytes, max_bytes: int = MAX_BYTES, max_nodes: int = MAX_NODES) -> Node:
    """The one document of a file; raises RuleError, also for an alias, a tag, a duplicate key, and past the caps."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    if len(data) > max_bytes:
        raise RuleError(file, 0, f"more than {max_bytes} bytes")
    try:
        text = data.decode("utf-8")
        return _build(file, YAML(typ="safe", pure=True).parse(text), max_nodes)
    except UnicodeDecodeError as error:
        raise RuleError(file, data.count(b"\n", 0, error.start) + 1, "not UTF-8") from None
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise RuleError(file, mark.line + 1 if mark else 1, str(error.problem or error.context)) from None
    except YAMLError as error:
        raise RuleError(file, 1, str(error).splitlines()[0]) from None
    except (ValueError, OverflowError):
        raise RuleError(file, 1, "has an escape that stands for no character") from None


def _build(file: str, events: Any, max_nodes: int) -> Node:
    lines: dict[Path, int] = {}
    root: list[Any] = []
    stack: list[tuple[Path, Any, list[str]]] = []  # the open collections; the list holds the key whose value is next

    for event in events:
        kind, line = type(event).__name__, event.start_mark.line + 1
        if kind == "AliasEvent" or getattr(event, "anchor", None):
            raise RuleError(file, line, "anchors and aliases are not allowed")
        if getattr(event, "tag", None) not in (None, "!"):
            raise RuleError(file, line, "tags are not allowed")
        if kind in ("MappingEndEvent", "SequenceEndEvent"):
            stack.pop()
        elif kind in ("ScalarEvent", "MappingStartEvent", "SequenceStartEvent"):
            if root and not stack:
                raise RuleError(file, line, "more than one document")
            if len(stack) > MAX_DEPTH:
                raise RuleError(file, line, f"nested deeper than {MAX_DEPTH}")
            if kind == "ScalarEvent" and any("\ud800" <= character <= "\udfff" for character in event.value):
                raise RuleError(file, line, "half of a surrogate pair is no character")
            value: Any = _scalar(event) if kind == "ScalarEvent" else {} if kind == "MappingStartEvent" else []
            path, is_key = _place(file, line, value, stack, root)
            if len(lines) >= max_nodes:
                raise RuleError(file, line, "too many keys and values")
            lines.setdefault(path, line)
            if kind != "ScalarEvent" and not is_key:
                stack.append((path, value, []))
    if not root or not isinstance(root[0], dict):
        raise RuleError(file, 1, "must be a mapping")
    return Node(file, (), root[0], lines)


def _place(
    file: str, line: int, value: Any, stack: list[tuple[Path, Any, list[str]]], root: list[Any]
) -> tuple[Path, bool]:
    """Put a value where it belongs; its path, and whether it is the key of a member rather than a value."""
    if not stack:
        root.append(value)
        return (), False
    path, parent, key = stack[-1]
    if isinstance(parent, list):
        parent.append(value)
        return (*path, len(parent) - 1), False
    if key:
        parent[key[0]] = value
        return (*path, key.pop()), False
    if not isinstance(value, str):
        raise RuleError(file, line, "a key must be text")
    if value in parent:
        raise RuleError(file, line, f'duplicate key "{value}"')
    key.append(value)
    return (*path, value), True


def _scalar(event: Any) -> str | int | bool | None:
    text = str(event.value)
    if event.style is not None and event.style != "":
        return text
    if text in _WORDS:
        return _WORDS[text]
    return int(text) if _INTEGER.match(text) else text

"""`${…}` in values: other keys of the configuration, `oc.select`, and variables of the environment, as in OmegaConf.

What a resolver of the trainer's own would make of a value is unknown, and so is an interpolation that leads to itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from recipelint.recipe.configured.tree import Node, Scalar, Unread, at
from recipelint.shell.text import Text

MAX_DEPTH = 12
MAX_STEPS = 200
"""Interpolations that one value may lead through."""
NAME = re.compile(r"[\w.]+:")
KEY = re.compile(r"\.*[\w$@/-]+(?:\.[\w$@/-]+)*\Z")

Variable = Callable[[str, "str | None"], Node]
"""What a variable of the environment is, with the default of `oc.env` where it has one."""


class Values:
    """The values of one configuration."""

    def __init__(self, tree: Node, variable: Variable, *, keys: bool = True) -> None:
        """KEYS: what stands between the braces is a key; else it is a variable, which may stand without braces."""
        self.tree = tree
        self.variable = variable
        self.keys = keys
        self.steps = 0

    def value(self, path: Sequence[str]) -> Node | None:
        """What a key comes to; None if nothing stands there."""
        self.steps = 0
        return self.found(tuple(path), 0)

    def found(self, path: tuple[str, ...], depth: int) -> Node | None:
        node: Node | None = self.tree
        for number, key in enumerate(path):
            node = at(node, (key,)) if node is not None else None
            # An interpolation may stand for a whole part.
            if isinstance(node, Scalar) and number < len(path) - 1:
                node = self.resolved(node, path[: number + 1], depth)
        return self.resolved(node, path, depth)

    def resolved(self, node: Node | None, path: tuple[str, ...], depth: int) -> Node | None:
        """A value without interpolations."""
        if not isinstance(node, Scalar) or not isinstance(node.value, str) or "$" not in node.value:
            return node
        if not self.keys:
            return Unread(f"{node.value} is filled in from the environment", node.text)
        if "${" not in node.value:
            return node
        self.steps += 1
        unread = Unread(f"{node.value} cannot be resolved", node.text)
        if depth >= MAX_DEPTH or self.steps > MAX_STEPS:
            return unread
        text = node.value
        if text.startswith("${") and inner(text, 0) == len(text):
            found = self.expression(text[2:-1], path, depth + 1)
            if found is None or (isinstance(found, Unread) and not found.text.s):
                return unread
            origin = node.text.first_origin
            if isinstance(found, Scalar) and found.text.first_origin is None and origin is not None:
                return found._replace(text=Text.of(found.word.encode("utf-8", "replace").decode("latin-1"), origin))
            return found
        pieces: list[str] = []
        start = 0
        while (begin := text.find("${", start)) >= 0:
            end = inner(text, begin)
            if end is None:
                return unread
            found = self.expression(text[begin + 2 : end - 1], path, depth + 1)
            if not isinstance(found, Scalar):
                return unread
            pieces += [text[start:begin], "None" if found.value is None else found.word]
            start = end
        joined = "".join(pieces) + text[start:]
        origin = node.text.first_origin
        shown = joined.encode("utf-8", "replace").decode("latin-1")
        return Scalar(joined, Text.of(shown, origin) if origin is not None else Text.of(shown), True)

    def expression(self, text: str, path: tuple[str, ...], depth: int) -> Node | None:
        """What stands between the braces."""
        text = text.strip()
        while (begin := text.find("${")) >= 0:  # a key with a key in it
            end = inner(text, begin)
            found = self.expression(text[begin + 2 : end - 1], path, depth + 1) if end and depth < MAX_DEPTH else None
            if end is None or not isinstance(found, Scalar):
                return None
            self.steps += 1
            if self.steps > MAX_STEPS:
                return None
            text = text[:begin] + found.word + text[end:]
        m = NAME.match(text)
        if m is None:
            return self.found(located(text, path), depth) if KEY.match(text) else None
        name, arguments = m[0][:-1], text[m.end() :]
        first, comma, default = arguments.partition(",")
        first, default = first.strip(), default.strip()
        if name in ("oc.env", "env"):
            return self.variable(first, default if comma else None)
        if name == "oc.select" and KEY.match(first):
            found = self.found(located(first, path), depth)
            return found if found is not None or not comma else typed_default(default)
        return None


def typed_default(text: str) -> Scalar:
    """The default of a resolver."""
    from recipelint.recipe.configured.hydra_words import typed

    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return Scalar(text[1:-1], quoted=True) if quoted else Scalar(typed(text))


def located(key: str, path: tuple[str, ...]) -> tuple[str, ...]:
    """The path of a key that is spelt from the root or, with leading dots, from where it is used."""
    dots = len(key) - len(key.lstrip("."))
    rest = tuple(key[dots:].split("."))
    return (*path[: max(0, len(path) - dots)], *rest) if dots else rest


def inner(text: str, begin: int) -> int | None:
    """The end of the `${…}` that starts at BEGIN."""
    level, at_ = 0, begin
    while at_ < len(text):
        if text.startswith("${", at_):
            level, at_ = level + 1, at_ + 2
        elif text[at_] == "}":
            level, at_ = level - 1, at_ + 1
            if not level:
                return at_
        else:
            at_ += 1
    return None

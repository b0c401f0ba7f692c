"""The expressions of a workflow, `${{ … }}`, with the runner's rules; what is not known here is an error, not a guess.

https://docs.github.com/en/actions/reference/workflows-and-actions/expressions
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

TOKEN = re.compile(
    r"\s*(?:(?P<string>'(?:[^']|'')*')|(?P<number>-?[0-9]+(?:\.[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_-]*)|(?P<sign>&&|\|\||==|!=|[!().,\[\]]))"
)
EMBEDDED = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
STATUS = re.compile(r"\b(?:always|success|failure|cancelled)\s*\(")
WORDS: Mapping[str, Any] = {"true": True, "false": False, "null": None}
Contexts = Mapping[str, Any]


class ExpressionError(Exception):
    """An expression that the runner would refuse, or that uses more than is known here."""


def interpolate(text: str, contexts: Contexts) -> str:
    """TEXT with each of its expressions replaced by its value, as the runner does for `env`, `with` and `run`."""
    return EMBEDDED.sub(lambda match: as_text(evaluate(match[1], contexts)), text)


def holds(condition: str, contexts: Contexts) -> bool:
    """Whether a step with this `if` runs; without a function of status, only after steps that succeeded."""
    match = re.fullmatch(r"\s*\$\{\{(.*)\}\}\s*", condition, re.DOTALL)
    expression = match[1] if match else condition
    if not STATUS.search(expression):
        expression = f"success() && ({expression})"
    return truth(evaluate(expression, contexts))


def evaluate(expression: str, contexts: Contexts) -> Any:
    """The value of an expression without its braces."""
    parser = _Parser(_tokens(expression), contexts)
    value = parser.either()
    if parser.left:
        raise ExpressionError(f"{expression!r}: {parser.left[0]!r} is too much")
    return value


def as_text(value: Any) -> str:
    """A value as the runner writes it into text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list):
        return "Object" if isinstance(value, dict) else "Array"
    return str(value)


def truth(value: Any) -> bool:
    return value not in (None, False, 0, "")


def _tokens(expression: str) -> list[tuple[str, str]]:
    found, at, text = [], 0, expression.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise ExpressionError(f"{expression!r}: {text[at:]!r} is not understood")
        found.append((str(match.lastgroup), match[str(match.lastgroup)]))
        at = match.end()
    return found


class _Parser:
    """Reads and evaluates at once, from the loosest operator to the tightest."""

    def __init__(self, tokens: list[tuple[str, str]], contexts: Contexts) -> None:
        self.left, self.contexts = tokens, contexts

    def take(self, *signs: str) -> str:
        if self.left and self.left[0][0] == "sign" and self.left[0][1] in signs:
            return self.left.pop(0)[1]
        return ""

    def need(self, sign: str) -> None:
        if not self.take(sign):
            raise ExpressionError(f"{sign!r} is missing before {self.left[:1]}")

    def either(self) -> Any:
        value = self.both()
        while self.take("||"):
            other = self.both()
            value = value if truth(value) else other
        return value

    def both(self) -> Any:
        value = self.compared()
        while self.take("&&"):
            other = self.compared()
            value = other if truth(value) else value
        return value

    def compared(self) -> Any:
        value = self.negated()
        while sign := self.take("==", "!="):
            value = _equal(value, self.negated()) == (sign == "==")
        return value

    def negated(self) -> Any:
        return not truth(self.negated()) if self.take("!") else self.term()

    def term(self) -> Any:
        if self.take("("):
            value = self.either()
            self.need(")")
            return value
        if not self.left or self.left[0][0] == "sign":
            raise ExpressionError(f"a value is missing before {self.left[:1]}")
        kind, text = self.left.pop(0)
        if kind == "string":
            return text[1:-1].replace("''", "'")
        if kind == "number":
            return float(text) if "." in text else int(text)
        if self.take("("):
            return self.call(text)
        return WORDS[text] if text in WORDS else self.reach(text)

    def call(self, name: str) -> Any:
        given = []
        while not self.take(")"):
            given.append(self.either())
            self.take(",")
        function = {**FUNCTIONS, **self.contexts.get("functions", {})}.get(name)
        if function is None:
            raise ExpressionError(f"there is no function {name}")
        return function(*given)

    def reach(self, name: str) -> Any:
        if name not in self.contexts:
            raise ExpressionError(f"there is no context {name}")
        value = self.contexts[name]
        while sign := self.take(".", "["):
            key = self.either() if sign == "[" else self.left.pop(0)[1]
            if sign == "[":
                self.need("]")
            value = value.get(key) if isinstance(value, Mapping) else None
        return value


def _equal(one: Any, other: Any) -> bool:
    """Strings without regard to case; a null or a boolean beside a string as numbers, as in JavaScript."""
    if isinstance(one, str) and isinstance(other, str):
        return one.lower() == other.lower()
    if type(one) is type(other) or one is None or other is None:
        return bool((one or "") == (other or ""))
    raise ExpressionError(f"{one!r} and {other!r} are compared, of which the kinds differ")


def _contains(where: Any, what: Any) -> bool:
    return what in where if isinstance(where, list) else as_text(what).lower() in as_text(where).lower()


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "contains": _contains,
    "startsWith": lambda text, start: as_text(text).lower().startswith(as_text(start).lower()),
    "format": lambda text, *given: re.sub(r"\{([0-9])\}", lambda match: as_text(given[int(match[1])]), text),
    "toJSON": lambda value: json.dumps(value, indent=2),
}

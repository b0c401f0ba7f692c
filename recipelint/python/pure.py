"""Python's own functions and operators on literals, within bounds: nothing here takes long or grows large.

Whatever fails, or might grow past a bound, is UNKNOWN.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from recipelint.python.schema import UNKNOWN
from recipelint.python.values import LENGTH_CAP, NotLiteral, Value, lift, plain

BIT_CAP = 256
EXPONENT_CAP = 64

_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    one.__name__: one
    for one in (abs, all, any, bool, divmod, float, int, max, min, range, repr, round, sorted, str, sum, chr, ord)
}
_TEXT = """capitalize casefold count endswith find format index isalnum isalpha isdecimal isdigit isidentifier islower
isnumeric isspace istitle isupper join lower lstrip partition removeprefix removesuffix replace rfind rindex rpartition
rsplit rstrip split splitlines startswith strip swapcase title upper""".split()
_ORDERED = ("count", "index")
_UNARY: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
_BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
}
_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, other: one in other,
    ast.NotIn: lambda one, other: one not in other,
}
_WIDE = re.compile(r"\d{4}|\*|\{[^{}]*\{|\{\w*[.\[]")
"""Formats that may write much, whose width is a value, or that look into a value."""


def function(name: str, args: Sequence[Value], kwargs: Mapping[str, Value], depth: int) -> Value:
    """What a built-in function gives; UNKNOWN if it is none of those that are known here."""
    return _bounded(_FUNCTIONS.get(name), args, kwargs, depth)


def method(receiver: Value, name: str, args: Sequence[Value], kwargs: Mapping[str, Value], depth: int) -> Value:
    """What a method of a text or a sequence gives."""
    known = (isinstance(receiver, str) and name in _TEXT) or (isinstance(receiver, tuple) and name in _ORDERED)
    if not known or not _bearable(receiver) or (name == "format" and _WIDE.search(receiver)):
        return UNKNOWN
    return _bounded(getattr(receiver, name), args, kwargs, depth)


def unary(kind: ast.unaryop, value: Value, depth: int) -> Value:
    return _bounded(_UNARY.get(type(kind)), [value], {}, depth)


def binary(kind: ast.operator, left: Value, right: Value, depth: int) -> Value:
    """LEFT and RIGHT under an operator of literals."""
    try:
        one, other = plain(left), plain(right)
    except NotLiteral:
        return UNKNOWN
    if not (_bearable(one) and _bearable(other)):
        return UNKNOWN
    if isinstance(kind, ast.Mult) and not _numbers(one, other):
        sized, times = (one, other) if hasattr(one, "__len__") else (other, one)
        if not isinstance(times, int) or not hasattr(sized, "__len__") or len(sized) * max(times, 0) > LENGTH_CAP:
            return UNKNOWN
    if isinstance(kind, ast.Mod) and isinstance(one, str) and _WIDE.search(one):
        return UNKNOWN
    if isinstance(kind, ast.Pow | ast.LShift) and not (_numbers(one, other) and abs(other) <= EXPONENT_CAP):
        return UNKNOWN
    return _bounded(_BINARY.get(type(kind)), [left, right], {}, depth)


def compare(kind: ast.cmpop, left: Value, right: Value) -> Value:
    return _bounded(_COMPARE.get(type(kind)), [left, right], {}, 0)


def interpolated(value: Value, conversion: int, spec: str) -> Value:
    """A value as an f-string writes it."""
    if _WIDE.search(spec):
        return UNKNOWN
    convert: Mapping[int, Callable[[Any], str]] = {ord("r"): repr, ord("s"): str, ord("a"): ascii}
    try:
        shown = plain(value)
        if not _bearable(shown):
            return UNKNOWN
        text = format(convert[conversion](shown) if conversion in convert else shown, spec)
    except Exception:
        return UNKNOWN
    return text if len(text) <= LENGTH_CAP else UNKNOWN


def _numbers(*values: Any) -> bool:
    return all(isinstance(value, int | float) for value in values)


def _bounded(call: Callable[..., Any] | None, args: Sequence[Value], kwargs: Mapping[str, Value], depth: int) -> Value:
    if call is None:
        return UNKNOWN
    try:
        given = [plain(arg) for arg in args]
        if not all(map(_bearable, given)):
            return UNKNOWN
        result = call(*given, **{name: plain(value) for name, value in kwargs.items()})
    except Exception:  # it would raise in the trainer as well
        return UNKNOWN
    return lift(result, depth) if _bearable(result) else UNKNOWN


def _bearable(result: Any) -> bool:
    if isinstance(result, int):
        return result.bit_length() <= BIT_CAP
    return isinstance(result, range) or not hasattr(result, "__len__") or len(result) <= LENGTH_CAP

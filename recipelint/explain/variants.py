"""A line written otherwise: the same file with one text, expansion, condition or command of the line changed.

What such a file does otherwise, the line has a say in. A variant may be no program any more; whoever evaluates it sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import count

from recipelint.explain.program import Found, is_condition
from recipelint.fix import Edit, apply
from recipelint.shell.compounds import ArithmeticCommand, Case, For, ForArithmetic
from recipelint.shell.nodes import Function, Simple
from recipelint.shell.words import (
    ArithmeticExpansion,
    Assignment,
    CommandSubstitution,
    Literal,
    Parameter,
    ProcessSubstitution,
    Word,
)
from recipelint.source import SourceFile, Span

MOST = 120
"""Variants of one line."""
_NUMBER = re.compile(rb"(?<![\w.])[0-9]{1,9}(?![\w.])")
EXPANSIONS = (Parameter, CommandSubstitution, ArithmeticExpansion, ProcessSubstitution)
ARITHMETIC = (ArithmeticExpansion, ArithmeticCommand, ForArithmetic)


def variants(found: Iterable[Found], source: SourceFile, line: Span) -> list[bytes]:
    """The texts of a file in which something of the line is otherwise, each once."""
    made: dict[bytes, None] = {}
    for one in found:
        for start, end, text in changes(one, source, line):
            made.setdefault(apply(source.data, [Edit(source.path, start, end, text)]))
            if len(made) > MOST:
                return list(made)
    return list(made)


def changes(one: Found, source: SourceFile, line: Span) -> Iterator[tuple[int, int, bytes]]:
    """Other texts for a node, as edits of the line."""
    node, span = one.node, one.span
    start, end = max(span.start, line.start), min(span.end, line.end)
    if start > end or (start == end and span.start != span.end):
        return
    whole = line.start <= span.start and span.end <= line.end
    counted = any(isinstance(outer, ARITHMETIC) for outer in one.around)
    if isinstance(node, Literal):
        if not is_name(one):
            yield from texts(source.data[start:end], start, counted=counted, taken=turns(one))
    elif isinstance(node, EXPANSIONS) and whole:
        yield start, end, b"7" if counted else b"Z"
    elif isinstance(node, ArithmeticCommand | ForArithmetic) and whole:
        yield from texts(source.data[start:end], start, counted=True)
    elif isinstance(node, Assignment) and isinstance(node.value, Word) and whole and node.value.end > node.value.start:
        length = node.value.end - node.value.start
        if source.data[end - length - 1 : end - length] == b"=":
            yield end - length, end, b""
    elif isinstance(node, Function) and line.start <= span.start < line.end:
        at = source.data.find(node.name.encode("latin-1"), span.start, line.end)
        if at >= 0:
            yield at, at, b"_"
    elif isinstance(node, Word) and whole and is_pattern(one):
        yield start, end, b"*"
    elif isinstance(node, Simple) and whole:
        yield start, end, b":"
    if line.start <= span.start < line.end and is_condition(one):
        yield span.start, span.start, b"! "


def texts(
    data: bytes, start: int, *, counted: bool, taken: frozenset[int] = frozenset()
) -> Iterator[tuple[int, int, bytes]]:
    """Other texts for a literal one: numbers stay numbers, and are none of those that are TAKEN."""
    numbers = list(_NUMBER.finditer(data)) if counted or data.isdigit() else []
    for number in numbers:
        more = next(other for other in count(int(number[0]) + 1) if other not in taken)
        for other in (more, *({0} - taken)):
            yield start + number.start(), start + number.end(), b"%d" % other
    if not numbers and not counted:
        end = start + len(data.rstrip(b" \t\\\r\n"))
        yield end, end, b"Z"


def turns(one: Found) -> frozenset[int]:
    """The numbers over which the loop goes whose list a literal stands in: two equal turns would be one launch."""
    loop = next((outer for outer in reversed(one.around) if isinstance(outer, For)), None)
    if loop is None or not any(word is outer for word in loop.words or () for outer in one.around):
        return frozenset()
    literals = [word.literal.s for word in loop.words or () if word.literal is not None]
    return frozenset(int(text) for text in literals if text.isdecimal() and len(text) < 10)


def is_name(one: Found) -> bool:
    """Whether a literal is the name of a command."""
    word = one.around[-1] if one.around else None
    outer = one.around[-2] if len(one.around) > 1 else None
    return isinstance(outer, Simple) and bool(outer.words) and outer.words[0] is word


def is_pattern(one: Found) -> bool:
    """Whether a word is a pattern of a `case`."""
    outer = one.around[-1] if one.around else None
    return isinstance(outer, Case) and any(word is one.node for patterns, _, _ in outer.arms for word in patterns)

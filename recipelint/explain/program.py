"""The parsed programs of an evaluation as trees, with the place in a file of each node, and what was run of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from recipelint.shell.compounds import ArithmeticCommand, Case, Conditional, For, ForArithmetic, Group, If, Test, While
from recipelint.shell.nodes import AndOr, Background, Function, Pipeline, Sequence, Simple, Unit, Unreadable
from recipelint.shell.parse import parse
from recipelint.shell.session import Session
from recipelint.shell.words import Literal
from recipelint.source import SourceFile, Span

COMMANDS = (
    Simple, Pipeline, AndOr, Background, Function, Unreadable, Group, If, While, For, ForArithmetic, Case,
    ArithmeticCommand, Conditional,
)  # fmt: skip


class Found(NamedTuple):
    """A node, where it stands in the file, and the nodes around it, the outermost first."""

    node: object
    span: Span
    around: tuple[object, ...]


def found(session: Session, source: SourceFile) -> Iterator[Found]:
    """Every node, of all programs of a session, that stands in a file."""
    for unit in session.units:
        if unit.source is source or any(origin.source is source for _, origin in unit.text.runs):
            yield from below(parse(unit).body, unit, source, ())


def below(node: object, unit: Unit, source: SourceFile, around: tuple[object, ...]) -> Iterator[Found]:
    """A node of a unit, and those in it."""
    if isinstance(node, list | tuple):
        for one in node:
            yield from below(one, unit, source, around)
        return
    slots = getattr(type(node), "__slots__", ())
    if not slots or isinstance(node, Unit):
        return
    unit = node.unit if isinstance(getattr(node, "unit", None), Unit) else unit  # type: ignore[attr-defined]
    for span in spans(node, unit, source):
        yield Found(node, span, around)
    inner = (*around, node)
    for name in slots:
        if name not in ("unit", "text", "literal"):
            yield from below(getattr(node, name), unit, source, inner)


def spans(node: object, unit: Unit, source: SourceFile) -> Iterator[Span]:
    """Where a node stands in a file; a literal may be in pieces."""
    if isinstance(node, Literal):
        for n, origin in node.text.runs:
            if n and origin.source is source and origin.end - origin.start >= n:
                yield Span(origin.start, origin.end)
    elif isinstance(start := getattr(node, "start", None), int):
        stretch = unit.origin(start, max(getattr(node, "end", start), start + 1))
        if stretch is not None and stretch.source is source:
            yield Span(stretch.start, max(stretch.end, stretch.start))


def ran(node: object, session: Session) -> bool:
    """Whether some path came to a command; to a list, if it came to any of it."""
    if isinstance(node, Sequence):
        return any(ran(one, session) for one in node.commands)
    return id(node) in session.ran


def is_condition(one: Found) -> bool:
    """Whether a command is what an `if`, a loop, `&&` or `||` asks."""
    inner: object = one.node
    for outer in reversed(one.around):
        if isinstance(outer, If) and any(condition is inner for condition, _ in outer.arms):
            return True
        if isinstance(outer, While) and outer.condition is inner:
            return True
        if isinstance(outer, AndOr) and (outer.first is inner or any(c is inner for _, c in outer.rest[:-1])):
            return True
        if not isinstance(outer, Sequence | Pipeline) or isinstance(inner, Test):
            return False
        inner = outer
    return False

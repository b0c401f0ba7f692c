"""The state of one reading: names and their old values, conditions that are undecided, parsers, and what is left to do.

A parser that goes where it cannot be followed is open from then on, with the place where that happened.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from recipelint.python.cost import weight
from recipelint.python.modules import Modules
from recipelint.python.parsers import Parser
from recipelint.python.schema import UNKNOWN
from recipelint.python.values import (
    PARTS_CAP,
    Function,
    Module,
    Names,
    Scope,
    Value,
    same,
)
from recipelint.source import Location, Span

STEP_CAP = 150_000
WORK_CAP = 500_000
CALL_CAP = 30
NESTING_CAP = 100
MISSING = object()
Written = dict[tuple[int, object], "tuple[Names, object, Value]"]


class Spent(Exception):
    """More work than is done for one trainer."""


class Ended(Exception):
    """The trainer ends on this path: it raises, or exits."""


class Parsed(Exception):
    """The parser that reads the command line, for certain, and refuses what it does not know."""


class Machine:
    """What the other parts of the reading share.

    depth      how many undecided conditions there are around the present statement
    written    what was bound since the innermost of them, with its old value
    doubt      how many modules are being run that may not be imported at all
    importing  the module, other than the entry point, whose statements are being run
    entry      the path of the entry point
    readers    parsers that read the command line so far: the parser, whether it tolerates unknown flags
    """

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.depth = 0
        self.doubt = 0
        self.importing: Module | None = None
        self.entry = ""
        self.nesting = 0
        self.steps = 0
        self.work = 0
        self.at: ast.AST = ast.Pass()
        self.written: Written | None = None
        self.parsers: list[Parser] = []
        self.readers: list[tuple[Parser, bool]] = []
        self.reasons: dict[str, None] = {}
        self.calls: list[ast.AST] = []
        self.naming: dict[ast.AST, tuple[frozenset[str], frozenset[str]]] = {}
        self.lost: list[Value] = []
        self.watched: list[tuple[Function, Parser, ast.AST]] = []
        self.module: Module | None = None

    # --- what the parts give each other ----------------------------------------------------------

    def value(self, node: ast.expr, scope: Scope) -> Value:
        raise NotImplementedError

    def call(
        self, function: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST, *, more: bool = False
    ) -> Value:
        raise NotImplementedError

    def truth(self, value: Value) -> bool | None:
        raise NotImplementedError

    def assign(self, target: ast.expr, value: Value, scope: Scope) -> None:
        raise NotImplementedError

    def set_attribute_of(self, owner: Value, name: str, value: Value, node: ast.AST) -> None:
        raise NotImplementedError

    def block(self, body: Sequence[ast.stmt], scope: Scope) -> object:
        raise NotImplementedError

    def run_module(self, module: Module) -> None:
        raise NotImplementedError

    def escape(self, value: Value, node: ast.AST, where: str = "") -> None:
        raise NotImplementedError

    # --- bounds ----------------------------------------------------------------------------------

    def step(self, node: ast.AST) -> None:
        """Count one piece of work. Raises Spent."""
        self.steps += 1
        if self.steps > STEP_CAP:
            raise Spent(self.place(node))
        self.at = node

    def spend(self, units: int) -> None:
        """Count work by what it costs, before it is done. Raises Spent."""
        self.work += units
        if self.work > WORK_CAP:
            raise Spent(self.place(self.at))

    @contextmanager
    def nested(self, node: ast.AST) -> Iterator[None]:
        """One level deeper into an expression. Raises Spent."""
        self.nesting += 1
        if self.nesting > NESTING_CAP * (len(self.calls) + 1):
            self.nesting -= 1
            raise Spent(self.place(node))
        try:
            yield
        finally:
            self.nesting -= 1

    # --- places ----------------------------------------------------------------------------------

    def place(self, node: ast.AST) -> str:
        """`path:line` of a piece of the module that is being read."""
        path = self.module.source.path if self.module else ""
        return f"{path}:{getattr(node, 'lineno', 1)}"

    def location(self, node: ast.expr | ast.stmt) -> Location:
        """The bytes of a piece of the module that is being read."""
        assert self.module is not None
        source = self.module.source
        starts = source.line_starts
        mark = 3 if source.data.startswith(b"\xef\xbb\xbf") else 0

        def offset(line: int, column: int) -> int:
            return min(starts[min(line, len(starts)) - 1] + column + (mark if line == 1 else 0), len(source.data))

        end = offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
        return Location(source, Span(offset(node.lineno, node.col_offset), end))

    # --- names -----------------------------------------------------------------------------------

    def bind(self, names: Names, key: object, value: Value) -> None:
        """Set a name, so that it can be undone."""
        if self.written is not None:
            self.written.setdefault((id(names), key), (names, key, names.get(key, MISSING)))
        names[key] = value

    @contextmanager
    def undecided(self) -> Iterator[None]:
        """What happens inside may not happen."""
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1

    def either(self, ways: Sequence[Callable[[], Value]], node: ast.AST) -> list[Value]:
        """What each of several ways gives, of which one is gone; names that they leave different are UNKNOWN.

        A way that ends the trainer gives MISSING and leaves nothing behind. Raises Ended if all of them do.
        """
        outer = self.written
        self.steps += len(ways)
        results: list[Value] = []
        ends: list[dict[tuple[int, object], tuple[Names, object, Value]]] = []
        try:
            for way in ways:
                self.written = {}
                try:
                    with self.undecided():
                        results.append(way())
                    ends.append({key: (n, k, n.get(k, MISSING)) for key, (n, k, _) in self.written.items()})
                except Ended:
                    results.append(MISSING)
                finally:
                    for names, key, old in self.written.values():
                        _restore(names, key, old)
        finally:
            self.written = outer
        if not ends:
            raise Ended
        for mark in {mark: None for end in ends for mark in end}:
            names, key = next((end[mark][0], end[mark][1]) for end in ends if mark in end)
            values = [end[mark][2] if mark in end else names.get(key, MISSING) for end in ends]
            if all(self.alike(values[0], value) for value in values):
                if values[0] is not MISSING:
                    self.bind(names, key, values[0])
                continue
            for value in values:
                self.escape(value, node)
            self.bind(names, key, UNKNOWN)
        return results

    def alike(self, one: Value, other: Value) -> bool:
        """Whether two values are surely one; large ones are not compared."""
        if type(one) is tuple and one is not other:
            self.spend(weight(one))
            return weight(one) < PARTS_CAP and same(one, other)
        return same(one, other)

    def merged(self, values: Sequence[Value], node: ast.AST) -> Value:
        """The one of several values that it is; UNKNOWN if they differ."""
        values = [value for value in values if value is not MISSING]
        if values and all(self.alike(values[0], value) for value in values):
            return values[0]
        for value in values:
            self.escape(value, node)
        return UNKNOWN

    # --- parsers ---------------------------------------------------------------------------------

    def open(self, parser: Parser, reason: str, node: ast.AST) -> None:
        """Say that a parser is not known in full, and why."""
        parser.reasons.setdefault(f"{self.place(node)}: {reason}")

    def open_all(self, reason: str, node: ast.AST) -> None:
        """Say so of every parser, those that are still to come included."""
        self.reasons.setdefault(f"{self.place(node)}: {reason}")


def _restore(names: Names, key: object, old: Value) -> None:
    if old is MISSING:
        names.pop(key, None)
    else:
        names[key] = old

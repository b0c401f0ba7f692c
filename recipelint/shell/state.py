"""The state of a shell in one feasible world, and what may be undecided about it.

A world is forked where a condition cannot be decided, and joined with another as soon as the two are equal.
Variables are values: a change makes a new one, so that a fork copies one dictionary.
"""

from __future__ import annotations

from typing import NamedTuple, Union

from recipelint.shell.nodes import Function
from recipelint.shell.text import Text

Conjunction = frozenset[tuple[int, bool]]
Condition = frozenset[Conjunction]
"""When a world is reached: one of the conjunctions of decisions holds."""

ALWAYS: Condition = frozenset({frozenset()})
MAX_TERMS = 12
"""A condition of more conjunctions is not worth telling: it becomes "always"."""


class Undecided(NamedTuple):
    """A status that only a run would tell; the same key always has the same answer in a world."""

    key: str
    text: str
    negated: bool = False


class AsShipped(NamedTuple):
    """A status that is `value` as shipped, because nobody gives the knobs in `needs`."""

    value: bool
    needs: frozenset[str]


Status = Union[int, Undecided, AsShipped]


class Variable(NamedTuple):
    """A variable: a text, or an array by index or key. `given`: it is from --env, and the script has not touched it."""

    value: Text | None = None
    items: dict[int, Text] | dict[str, Text] | None = None
    exported: bool = False
    given: bool = False
    attributes: str = ""
    """Of declare: i, l, u, r, n, A, a."""

    @property
    def scalar(self) -> Text | None:
        """What `$NAME` is: element 0 of an array."""
        if self.items is None:
            return self.value
        return self.items.get(0) or self.items.get("0")  # type: ignore[call-overload,no-any-return]


Environment = dict[str, Text]


class World:
    """One feasible state.

    flow       how the current path ends, and its level or place: exit, return, break, continue
    condition  the decisions under which it is reached
    output     what is printed, where that is wanted
    input      the standard input, where it is known
    files      what the launcher itself wrote, by path
    ray        the environment of `ray start`, once that was seen
    frames     for each running function what its locals hide
    given      the knobs that the user is taken to give
    removed    the variables that were unset
    top        the arguments are the launcher's own, not a function's
    """

    __slots__ = (
        "arguments", "condition", "cwd", "files", "flow", "frames", "functions", "given", "input", "name", "options", "output",
        "ray", "removed", "status", "top", "variables",
    )  # fmt: skip

    def __init__(
        self,
        variables: dict[str, Variable] | None = None,
        arguments: list[Text] | None = None,
        name: Text | None = None,
        condition: Condition = ALWAYS,
        options: frozenset[str] = frozenset(),
        cwd: str | None = None,
        output: list[Text] | None = None,
        input: Text | None = None,
        top: bool = True,
    ) -> None:
        self.variables = {} if variables is None else variables
        self.functions: dict[str, Function] = {}
        self.arguments: list[Text] = [] if arguments is None else arguments
        self.name = name
        self.status: Status = 0
        self.flow: tuple[str, int] | None = None
        self.condition = condition
        self.options = options
        self.cwd = cwd
        self.output = output
        self.input = input
        self.files: dict[str, Text] = {}
        self.ray: Environment | None = None
        self.frames: tuple[dict[str, Variable | None], ...] = ()
        self.given: frozenset[str] = frozenset()
        self.removed: frozenset[str] = frozenset()
        self.top = top

    def fork(self) -> World:
        """A copy that changes independently."""
        made = World.__new__(World)
        for name in World.__slots__:
            setattr(made, name, getattr(self, name))
        made.variables = dict(self.variables)
        made.output = None if self.output is None else list(self.output)
        made.frames = tuple(dict(frame) for frame in self.frames)
        return made

    def same(self, other: World) -> bool:
        """Whether nothing that comes can tell the two apart."""
        return (
            self.flow == other.flow
            and self.status == other.status
            and self.variables == other.variables
            and self.arguments == other.arguments
            and self.output == other.output
            and self.input == other.input
            and self.options == other.options
            and self.cwd == other.cwd
            and self.functions == other.functions
            and self.files == other.files
            and self.ray == other.ray
            and self.frames == other.frames
            and self.given == other.given
            and self.removed == other.removed
        )


def both(one: Condition, other: Condition) -> Condition:
    """The condition that both hold."""
    if one == ALWAYS:
        return other
    if other == ALWAYS:
        return one
    out = set()
    for a in one:
        for b in other:
            together = a | b
            if len({decision for decision, _ in together}) == len(together):
                out.add(together)
    return simplified(frozenset(out)) if out else one


def either(one: Condition, other: Condition) -> Condition:
    """The condition that one of the two holds."""
    return simplified(one | other)


def simplified(condition: Condition) -> Condition:
    """An equal condition with fewer conjunctions: pairs that differ in one decision's sign lose that decision."""
    terms = set(condition)
    changed = True
    while changed:
        changed = False
        for a in list(terms):
            if any(b < a for b in terms):
                terms.discard(a)
                changed = True
                continue
            for decision, value in a:
                rest = a - {(decision, value)}
                if rest | {(decision, not value)} in terms:
                    terms -= {a, rest | {(decision, not value)}}
                    terms.add(rest)
                    changed = True
                    break
            if changed:
                break
    return frozenset(terms) if len(terms) <= MAX_TERMS else ALWAYS


def assumed(condition: Condition, decision: int) -> bool | None:
    """How DECISION was taken wherever the condition holds; None if that differs or is open."""
    seen: bool | None = None
    for term in condition:
        if (decision, True) in term:
            value = True
        elif (decision, False) in term:
            value = False
        else:
            return None
        if seen is not None and seen != value:
            return None
        seen = value
    return seen

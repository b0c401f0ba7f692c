"""The state of a shell in one feasible world.

A world is forked where a condition cannot be decided, and joined with another as soon as the two are equal.
Variables are values: a change makes a new one, so that a fork copies one dictionary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recipelint.record import NamedTuple
from recipelint.shell.decisions import ALWAYS, Condition
from recipelint.shell.nodes import Function
from recipelint.shell.status import Status
from recipelint.shell.text import Text

if TYPE_CHECKING:
    from recipelint.shell.aliases import Alias

Items = dict[int | str, Text]
"""The elements of an array by index, or by key."""


Environment = dict[str, Text]


class Variable(NamedTuple):
    """A variable: a text, or an array by index or key. `given`: it is from --env, and the script has not touched it."""

    value: Text | None = None
    items: Items | None = None
    exported: bool = False
    given: bool = False
    attributes: str = ""
    """Of declare: i, l, u, r, n, A, a."""

    @property
    def scalar(self) -> Text | None:
        """What `$NAME` is: element 0 of an array."""
        if self.items is None:
            return self.value
        return self.items.get(0) or self.items.get("0")


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
    unread     the files and texts that were run here and could not be read: they may have set anything
    replacing  of the shells around this one: the variables that replace a package, and are not empty
    top        the arguments are the launcher's own, not a function's
    aliases    the aliases by name
    exit_trap  what `trap … EXIT` runs when this shell ends
    pipe       the statuses of the last command's parts, if it was a pipeline
    """

    __slots__ = (
        "aliases",
        "arguments",
        "condition",
        "cwd",
        "exit_trap",
        "files",
        "flow",
        "frames",
        "functions",
        "given",
        "input",
        "name",
        "options",
        "output",
        "pipe",
        "ray",
        "removed",
        "replacing",
        "status",
        "top",
        "unread",
        "variables",
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
        self.aliases: dict[str, Alias] = {}
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
        self.unread: frozenset[str] = frozenset()
        self.replacing: Environment = {}
        self.top = top
        self.exit_trap: Text | None = None
        self.pipe: tuple[Status, ...] = ()

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
        """Whether nothing that comes can tell the two apart; what could not be read is left out, and joined."""
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
            and self.aliases == other.aliases
            and self.files == other.files
            and self.ray == other.ray
            and self.frames == other.frames
            and self.given == other.given
            and self.removed == other.removed
            and self.exit_trap == other.exit_trap
            and self.pipe == other.pipe
        )

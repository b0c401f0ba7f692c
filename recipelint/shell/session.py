"""What one evaluation shares: the unknown pieces, the budget, the files it may read, and the door to what commands do.

The shell never touches the disk or the process: files come through `reader`, external commands through `commands`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from recipelint.record import NamedTuple
from recipelint.shell.calls import Call, Given, Step, Stray, Trainer
from recipelint.shell.nodes import Simple, Unit
from recipelint.shell.sightings import Sightings
from recipelint.shell.state import Environment, Variable, World
from recipelint.shell.text import DEFAULT, NOWHERE, Origin, Text
from recipelint.shell.unknown import Kind, Unknown, Unknowns
from recipelint.source import SourceFile

MAX_STEPS = 40_000
"""Simple commands in one launcher, all worlds and loop turns together."""
MAX_TEXT = 1 << 20
"""Characters in one value."""
MAX_DEPTH = 24
"""Calls of functions, sourced files and nested shells inside each other."""
MAX_STRAY_WORDS = 100_000
"""Words that are kept of commands that start with an option."""
MAX_LAUNCHES, MAX_LAUNCH_WORDS = 2000, 200_000
"""Launches of one launcher, all worlds and loop turns together, and the words and variables of all of them."""
MAX_WORLDS = 48
MAX_TURNS = 1_000


class BudgetExhausted(Exception):
    """The launcher needs more than the evaluator grants; `origin` is where it was stopped."""

    def __init__(self, what: str, origin: Origin | None) -> None:
        super().__init__(what)
        self.what = what
        self.origin = origin


class Inner(NamedTuple):
    """A command that runs another one, with the environment that it passes on.

    takes_input   the words of the standard input are added, as xargs does: all to one call, or so many to each
    place         what xargs puts each line of the standard input in the place of, a call for each
    opaque        the environment has more than can be known: the option that adds it, or `exec` in what runs already
    closed        the standard input does not get through
    kind          the wrapper by its entry in `rules/launchers.yaml`, with its own options
    """

    words: tuple[Text, ...]
    environment: Environment
    wrapper: str
    takes_input: bool | int = False
    opaque: str = ""
    closed: bool = False
    place: str = ""
    kind: str = ""
    given: Given = ()


class InnerShell(NamedTuple):
    """A command that gives a shell a text to run, a script with arguments, or its standard input.

    closed   the standard input does not get through
    batch    a queue takes it: the first line says what runs it, and neither its output nor its status comes back
    kind     the wrapper by its entry in `rules/launchers.yaml`, with its own options
    """

    environment: Environment
    wrapper: str
    text: Text | None = None
    script: Text | None = None
    arguments: tuple[Text, ...] = ()
    name: Text | None = None
    options: frozenset[str] = frozenset()
    opaque: str = ""
    closed: bool = False
    batch: bool = False
    kind: str = ""
    given: Given = ()


class Other(NamedTuple):
    """A command that is no trainer: it succeeds, or its status is undecided."""

    decided: bool = True
    silent: bool = False
    reads_only: bool = False
    starts_ray: bool = False


Action = Trainer | Inner | InnerShell | Other


class Commands(Protocol):
    """What external commands do; see `recipe.launchers`. `watched`: the variables that some trainer reads."""

    watched: frozenset[str]
    replacing: frozenset[str]
    """Variables that put another package in the place of the installed one, even where the trainer lacks them."""

    def resolve(self, words: Sequence[Text], environment: Environment, ray: Environment | None) -> Action:
        """What the command of WORDS does with an environment; RAY is that of `ray start`."""

    def is_machine_variable(self, name: str) -> bool:
        """Whether the machine provides NAME, so that it is unknown, not unset."""

    def sets_paths_only(self, script: str = "", command: str = "") -> bool:
        """Whether a script, or what a command prints, sets up an environment and no settings."""
        ...

    def installs(self, command: str) -> bool:
        """Whether what a command prints is an installer, so that a shell that runs it starts no trainer."""
        ...

    def bind(self, unknowns: Unknowns) -> None:
        """Take unknown pieces from one evaluation, before it asks anything."""


Reader = Callable[[str], SourceFile | None]
"""The file at a path inside the linted tree; None for one that is not there, or outside."""


class Trouble(NamedTuple):
    """A stretch that could not be read, or a budget that ran out."""

    code: str
    reason: str
    origin: Origin


class Session:
    """The shared part of one launcher's evaluation.

    empties     quoted words of a file that came to nothing, by path and start: where a value may vanish
    forwarded   words such as `"$@"` that are nothing as shipped, by path and start: the user may give any there;
                IN_TEXT for one of a text that is run
    units       every text that was run as a program
    attempts    launches met so far, recorded or not
    equalities  of the decisions that ask whether an unknown piece is a known text: both
    checked     above 0 inside a condition, where `set -e` does not end anything
    beside      above 0 in a background command, which the shell does not wait for
    outermost   the launcher's own command under way, while nested shells run
    roots       the absolute paths of the tree, where those that a launcher names may be followed
    strays      by the command's id; no more than two that differ
    running     the functions and sourced files under way, from the outermost on; "main" for a script around them
    shells      the shells around the one that runs: their variables, and what passes on from them
    rays        the environments of all `ray start`
    sightings   what the places of the launcher came to, if somebody wants to know
    ran         the commands that some path came to, by the id of their node
    calculating the functions that have an arithmetic expansion, or call one that has
    dropped     lines that were dropped for want of a knob
    tolerant    an expression that bash refuses for want of a knob is unknown, and drops nothing
    """

    def __init__(self, commands: Commands, reader: Reader, root: SourceFile) -> None:
        self.commands = commands
        self.reader = reader
        self.root = root
        self.roots: tuple[str, ...] = ()
        self.unknowns = Unknowns()
        self.assigned: set[str] = set()
        self.calls: list[Call] = []
        self.strays: dict[int, list[Stray]] = {}
        self.stray_words = 0
        self.troubles: list[Trouble] = []
        self.needs: dict[str, None] = {}
        self.followed: dict[str, SourceFile] = {}
        self.empties: dict[tuple[str, int], Text] = {}
        self.forwarded: set[tuple[str, int]] = set()
        self.units: list[Unit] = []
        self.units_by_text: dict[str, list[Unit]] = {}
        self.expanded: dict[Unit, frozenset[str]] = {}
        self.decisions: list[str] = []
        self.decision_keys: dict[str, int] = {}
        self.equalities: dict[int, tuple[str, str]] = {}
        self.steps = 0
        self.depth = 0
        self.recording = True
        self.attempts = 0
        self.launch_words = 0
        self.checked = 0
        self.beside = 0
        self.here: Origin = NOWHERE
        self.sources: list[Text] = []
        self.running: list[str] = ["main"]
        self.outermost: Origin | None = None
        self.wrappers: tuple[str, ...] = ()
        self.shells: tuple[tuple[Mapping[str, Variable], tuple[Step, ...]], ...] = ()
        self.rays: list[Environment] = []
        self.substitutions = 0
        self.sightings: Sightings | None = None
        self.ran: set[int] = set()
        self.calculating: set[str] = set()
        self.dropped = 0
        self.tolerant = False

    def trouble(self, trouble: Trouble) -> None:
        """Note a trouble once."""
        if trouble not in self.troubles:
            self.troubles.append(trouble)

    def saw(
        self, unit: Unit, start: int, end: int, name: str, found: Text | Sequence[Text], assigned: bool = False
    ) -> None:
        """Note what a place of a unit came to, if somebody wants to know; what is only tried out does not count."""
        if self.sightings is not None and self.recording:
            self.sightings.note(unit, start, end, name, found, assigned)

    def step(self, origin: Origin | None) -> None:
        """Count a command, and remember where it stands; raises BudgetExhausted."""
        self.steps += 1
        if origin is not None:
            self.here = origin
        if self.steps > MAX_STEPS:
            raise BudgetExhausted(f"more than {MAX_STEPS} commands", self.here)

    def keep(self, call: Call) -> None:
        """Keep a launch; raises BudgetExhausted."""
        self.calls.append(call)
        self.launch_words += len(call.trainer.arguments) + len(call.environment)
        if len(self.calls) > MAX_LAUNCHES:
            raise BudgetExhausted(f"{MAX_LAUNCHES} launches", self.here)
        if self.launch_words > MAX_LAUNCH_WORDS:
            raise BudgetExhausted(f"{MAX_LAUNCH_WORDS} words of launches", self.here)

    def charge(self, size: int) -> None:
        """Count the work on SIZE characters as steps."""
        self.steps += size >> 10
        if self.steps > MAX_STEPS:
            raise BudgetExhausted(f"more than {MAX_STEPS} commands", self.here)

    def enter(self) -> None:
        """One call deeper; raises BudgetExhausted."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise BudgetExhausted(f"calls nested more than {MAX_DEPTH} deep", self.here)

    def checked_size(self, text: Text) -> Text:
        """TEXT itself; raises BudgetExhausted if it is too long."""
        if len(text.s) > MAX_TEXT:
            raise BudgetExhausted(f"a value of more than {MAX_TEXT} characters", self.here)
        return text

    def unknown(self, piece: Unknown, origin: Origin | None = None, site: object = None) -> Text:
        """One unknown piece as a text; ORIGIN is where it is read."""
        return Text.of(self.unknowns.character(piece, site), origin or NOWHERE)

    def variable(self, name: str, kind: Kind, origin: Origin | None = None) -> Text:
        """The unknown value of a variable or argument."""
        return self.unknown(Unknown("${" + name + "}", kind, name), origin)

    def derived(self, label: str, origin: Origin | None = None, site: object = None) -> Text:
        """What is computed from something unknown."""
        return self.unknown(Unknown(label, Kind.DERIVED), origin, site)

    def place(self, label: str, path: str, name: str = "", origin: Origin | None = None) -> Text:
        """A path whose text cannot be known, but that is PATH inside the linted tree."""
        return self.unknown(Unknown(label, Kind.MACHINE, name, place=path), origin)

    def shipped(self, s: str, given: frozenset[str]) -> tuple[str, frozenset[str]]:
        """S with the knobs that nobody gives as they are shipped (mostly empty), and their names."""
        if s.isascii() or max(s) <= "\xff":
            return s, frozenset()
        out, needs = [], set()
        for c in s:
            if c > "\xff":
                piece = self.unknowns[c]
                if piece.kind is Kind.KNOB and piece.name not in given:
                    out.append(piece.shipped)
                    needs.add(piece.name)
                    continue
                c = self.unknowns.base(c)
            out.append(c)
        return "".join(out), frozenset(needs)

    def shipped_text(self, text: Text, given: frozenset[str]) -> tuple[str, frozenset[str]]:
        """A text as shipped, and the knobs that it needs: also where an empty default stands for one."""
        if text.s:
            return self.shipped(text.s, given)
        return "", frozenset(o.knob for _, o in text.runs if o.knob and o.kind == DEFAULT)

    def stray(self, node: Simple, words: tuple[Text, ...]) -> None:
        """Note a command that starts with an option, and in how far its words vary."""
        known = self.strays.setdefault(id(node), [])
        if len(known) < 2 and all(one.words != words for one in known) and self.stray_words < MAX_STRAY_WORDS:
            self.stray_words += len(words)
            known.append(Stray(node, words))

    def decision(self, key: str, text: str) -> int:
        """The number of an undecided condition."""
        found = self.decision_keys.get(key)
        if found is None:
            found = self.decision_keys[key] = len(self.decisions)
            self.decisions.append(text)
            value, subject = key[2:-2], key[-1:]
            if key.startswith("= ") and key[-2:-1] == " " and subject > "\xff" and max(value, default="") <= "\xff":
                self.equalities[found] = (self.unknowns.base(subject), value)
        return found

    def unread(self, world: World, what: str, origin: Origin | None) -> None:
        """Note what was run here and could not be read; it may have set anything."""
        where = origin or self.here
        line = f", line {where.source.line_number(where.start)}" if where.source is not None else ""
        world.unread |= {f"{what}{line}"}
        self.trouble(Trouble("SH004", what, where))

    def need(self, name: str) -> None:
        """Note what a user must give."""
        self.needs.setdefault("$" + name if name.isdecimal() or name in "#@" else name)

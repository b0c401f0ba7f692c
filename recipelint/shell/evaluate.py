"""Runs a launcher's text in the mind: every feasible path, and what each trainer on it gets.

Nothing is executed. `evaluate` answers for an environment and arguments that are given; what the machine provides
and what commands print stay unknown.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from recipelint.record import NamedTuple
from recipelint.shell.arithmetic import Refused
from recipelint.shell.calls import Call
from recipelint.shell.compounds import (
    ArithmeticCommand,
    Case,
    Compound,
    Conditional,
    For,
    ForArithmetic,
    If,
    While,
)
from recipelint.shell.control import Continue
from recipelint.shell.decisions import Condition
from recipelint.shell.lines import Lines
from recipelint.shell.nodes import AndOr, Background, Command, Function, Pipeline, Sequence, Simple, Unit, Unreadable
from recipelint.shell.parse import parse
from recipelint.shell.session import BudgetExhausted, Commands, Reader, Session, Trouble
from recipelint.shell.sightings import Sightings
from recipelint.shell.state import Variable, World
from recipelint.shell.status import AsShipped
from recipelint.shell.text import ARGUMENT, ENVIRONMENT, NOWHERE, Origin, Text, TextTooLarge
from recipelint.source import SourceFile


class Evaluator(Lines):
    """The dispatch over commands."""

    def run(self, command: Command, world: World) -> list[World]:
        """Run a command: the worlds that it leaves."""
        self.ran.add(id(command))
        try:
            if isinstance(command, Simple):
                return self.simple(command, world)
            if isinstance(command, Sequence):
                return self.sequence(command, world)
            if isinstance(command, AndOr):
                return self.and_or(command, world)
            if isinstance(command, Pipeline):
                return self.pipeline(command, world)
            if isinstance(command, Function):
                self.charge(len(world.functions) << 3)
                self.define(command, world)
                world.status = 0
                return [world]
            if isinstance(command, Background):
                self.beside += 1
                try:
                    return self.aside(command.command, world, 0)
                finally:
                    self.beside -= 1
            if isinstance(command, Unreadable):
                return self.unreadable(command, world)
            return self.redirected(command, world)
        except Refused as refused:
            return self.drop(command, world, refused)

    def sequence(self, body: Sequence, world: World) -> list[World]:
        """Run commands after each other, each in every world that goes on; equal worlds join after each."""
        worlds = [world]
        for command in body.commands:
            following: list[World] = []
            for current in worlds:
                if current.flow is not None:
                    following.append(current)
                else:
                    following += self.run(command, current)
            worlds = self.merged(following) if len(following) > 1 else following
            if all(current.flow is not None for current in worlds):
                break
        return worlds

    def and_or(self, node: AndOr, world: World) -> list[World]:
        """`a && b || c`: `set -e` counts for the last command only."""
        self.checked += 1
        first = self.run(node.first, world)
        self.checked -= 1
        return self.merged(self.and_or_rest(node, 0, first))

    def and_or_rest(self, node: AndOr, start: int, worlds: list[World]) -> list[World]:
        """What follows the command before the START-th operator, in each of WORLDS; equal ones join after each."""
        done: list[World] = []
        for at in range(start, len(node.rest)):
            op, command = node.rest[at]
            last = at == len(node.rest) - 1
            retest = node.first if at == 0 else None

            def run(world: World, command: Command = command, last: bool = last) -> list[World]:
                """Run a command: the worlds that it leaves."""
                self.checked += not last
                results = self.run(command, world)
                self.checked -= not last
                return results

            def skip(world: World) -> list[World]:
                return [world]

            def to_the_end(way: Continue, after: int = at + 1) -> Continue:
                return lambda given: self.and_or_rest(node, after, self.merged(way(given)))

            yes, no = (run, skip) if op == "&&" else (skip, run)
            following: list[World] = []
            for world in worlds:
                if world.flow is not None:
                    done.append(world)
                elif isinstance(world.status, AsShipped):
                    # Whether its way ends the script shows at the end of the whole list.
                    done += self.branch(world, to_the_end(yes), to_the_end(no), retest)
                else:
                    following += self.branch(world, yes, no, retest)
            worlds = self.merged(following)
            if not worlds:
                break
        return done + worlds

    def run_unit(self, unit: Unit, world: World) -> list[World]:
        """Run a text as a program."""
        self.charge(len(unit.text.s) << 5 if unit.source is None else 0)
        unit = self.same_unit(unit)
        program = parse(unit)
        self.assigned |= program.assigned
        return self.lines(program.body, unit, world)

    def same_unit(self, unit: Unit) -> Unit:
        """The unit that was run before with the same text from the same places, so that it is parsed once."""
        known = self.units_by_text.setdefault(unit.text.s, [])
        for other in known:
            if other.source is unit.source and other.text.runs == unit.text.runs:
                return other
        known.append(unit)
        self.units.append(unit)
        return unit

    def redirected(self, command: Compound, world: World) -> list[World]:
        """A compound command under its redirections."""
        redirections = command.redirections
        if not redirections:
            return self.compound(command, world)
        before_input, before_output = world.input, world.output
        target = self.redirect(redirections, world)
        results = self.compound(command, world)
        for result in results:
            self.restore(result, before_input, before_output, target)
        return results

    def compound(self, command: Compound, world: World) -> list[World]:
        """A compound command without its redirections."""
        if isinstance(command, If):
            return self.if_command(command, world)
        if isinstance(command, For):
            return self.for_command(command, world)
        if isinstance(command, While):
            return self.while_command(command, world)
        if isinstance(command, Case):
            return self.case_command(command, world)
        if isinstance(command, ForArithmetic):
            return self.for_arithmetic(command, world)
        if isinstance(command, ArithmeticCommand):
            return self.arithmetic_command(command, world)
        if isinstance(command, Conditional):
            world.status = self.conditional(command, world)
            world.pipe = ()
            self.end_unless(world)
            return [world]
        if command.subshell:
            results = self.aside(command.body, world, None)
            self.end_unless(world)
            return results
        return self.sequence(command.body, world)


UNFORESEEN: tuple[type[Exception], ...] = (Exception,)
"""A launcher that the evaluator cannot cope with must not hide the findings of the others; in the tests it may."""


class Evaluation(NamedTuple):
    """What one launcher does: its calls of trainers, and how each feasible path ends."""

    session: Session
    calls: tuple[Call, ...]
    ends: tuple[tuple[Condition, int | None], ...]
    """The condition of each path that ends well, and the byte offset where it does; None at the end of the file."""
    troubles: tuple[Trouble, ...]


def evaluate(
    source: SourceFile,
    place: str | None,
    commands: Commands,
    reader: Reader,
    env: Mapping[str, str],
    args: Collection[str],
    cwd: str = "",
    roots: tuple[str, ...] = (),
    sightings: Sightings | None = None,
) -> Evaluation:
    """Evaluate a launcher that stands at PLACE in its tree, with ENV and ARGS given and nothing else set.

    CWD is the folder in the tree where it starts; ROOTS are the absolute paths, if they count, of the tree. What its
    places come to is noted in SIGHTINGS.
    """
    evaluator = Evaluator(commands, reader, source)
    evaluator.roots = tuple(map(encoded, roots))
    evaluator.sightings = sightings
    commands.bind(evaluator.unknowns)
    name = evaluator.place("${0}", encoded(place), "0") if place is not None else evaluator.machine("0", None)
    evaluator.sources.append(name)
    world = World(
        {
            key: Variable(Text.of(encoded(value), Origin(None, 0, 0, ENVIRONMENT, key)), None, True, True)
            for key, value in env.items()
        },
        arguments=[Text.of(encoded(value), Origin(None, 0, 0, ARGUMENT)) for value in args],
        name=name,
        cwd=encoded(cwd) if place is not None else None,
        top=not args,
    )
    ends: list[tuple[Condition, int | None]] = []
    try:
        for end in evaluator.at_exit(evaluator.run_unit(Unit.of(source), world)):
            if end.flow is None:
                ends.append((end.condition, None))
            elif end.flow[1]:
                ends.append((end.condition, end.flow[1]))
    except BudgetExhausted as error:
        evaluator.trouble(Trouble("SH002", error.what, error.origin or evaluator.here))
    except TextTooLarge as error:
        evaluator.trouble(Trouble("SH002", str(error), evaluator.here))
    except RecursionError:
        evaluator.trouble(Trouble("SH002", "the text nests too deep", evaluator.here))
    except UNFORESEEN as error:
        reason = f"an internal error, {type(error).__name__}: {error}"
        evaluator.trouble(Trouble("SH001", reason, evaluator.here))
    if evaluator.here is NOWHERE:
        evaluator.here = Origin(source, 0, 0)
    return Evaluation(evaluator, tuple(evaluator.calls), tuple(ends), tuple(evaluator.troubles))


def encoded(value: str) -> str:
    """A string of the user's as the shell's characters, one a byte."""
    return value.encode("utf-8", "surrogateescape").decode("latin-1")

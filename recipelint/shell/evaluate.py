"""Runs a launcher's text in the mind: every feasible path, and what each trainer on it gets.

Nothing is executed. `evaluate` answers for an environment and arguments that are given; what the machine provides
and what commands print stay unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from recipelint.shell.loops import Loops
from recipelint.shell.nodes import (
    AndOr,
    ArithmeticCommand,
    Assignment,
    Background,
    Case,
    Command,
    CommandSubstitution,
    Conditional,
    For,
    ForArithmetic,
    Function,
    Group,
    If,
    Pipeline,
    Redirection,
    Simple,
    Unit,
    Unreadable,
    While,
)
from recipelint.shell.nodes import Sequence as SequenceNode
from recipelint.shell.parse import parse
from recipelint.shell.session import BudgetExhausted, Call, Commands, Reader, Session, Trouble
from recipelint.shell.state import Condition, Undecided, Variable, World
from recipelint.shell.text import ARGUMENT, ENVIRONMENT, NOWHERE, Origin, Text, join
from recipelint.shell.conditions import negated
from recipelint.shell.builtins import Field
from recipelint.shell.unknown import command_label
from recipelint.source import SourceFile


class Evaluator(Loops):
    """The dispatch over commands, and simple commands."""

    def run(self, command: Command, world: World) -> list[World]:
        if isinstance(command, Simple):
            return self.simple(command, world)
        if isinstance(command, SequenceNode):
            return self.sequence(command, world)
        if isinstance(command, AndOr):
            return self.and_or(command, world)
        if isinstance(command, Pipeline):
            return self.pipeline(command, world)
        if isinstance(command, Function):
            world.functions = {**world.functions, command.name: command}
            world.status = 0
            return [world]
        if isinstance(command, Background):
            return self.aside(command.command, world, 0)
        if isinstance(command, Unreadable):
            return self.unreadable(command, world)
        return self.redirected(command, world)

    def sequence(self, body: SequenceNode, world: World) -> list[World]:
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

    def unreadable(self, node: Unreadable, world: World) -> list[World]:
        origin = node.unit.origin(node.start, node.end) or self.here
        code = "SH002" if node.reason.startswith("budget: ") else "SH001"
        self.trouble(Trouble(code, node.reason.removeprefix("budget: "), origin))
        world.status = 2
        world.flow = ("exit", 0)
        return [world]

    def trouble(self, trouble: Trouble) -> None:
        if trouble not in self.troubles:
            self.troubles.append(trouble)

    def and_or(self, node: AndOr, world: World) -> list[World]:
        self.checked += 1
        first = self.run(node.first, world)
        self.checked -= 1
        return self.merged(self.and_or_rest(node, 0, first))

    def and_or_rest(self, node: AndOr, at: int, worlds: list[World]) -> list[World]:
        """What follows the command before the AT-th operator, in each of its worlds."""
        if at == len(node.rest):
            return worlds
        op, command = node.rest[at]
        last = at == len(node.rest) - 1

        def run(world: World) -> list[World]:
            self.checked += not last
            results = self.run(command, world)
            self.checked -= not last
            return self.and_or_rest(node, at + 1, results)

        def skip(world: World) -> list[World]:
            return self.and_or_rest(node, at + 1, [world])

        yes, no = (run, skip) if op == "&&" else (skip, run)
        out: list[World] = []
        for world in worlds:
            out += [world] if world.flow is not None else self.branch(world, yes, no, node.first if at == 0 else None)
        return out

    # --- processes beside the shell ----------------------------------------------------------------

    def aside(self, command: Command, world: World, status: int | None, output: bool = True) -> list[World]:
        """Run a command in a process of its own; only what outlives it comes back."""
        inner = world.fork()
        inner.output = [] if world.output is not None and output else None
        self.enter()
        results = self.run(command, inner)
        self.depth -= 1
        self.absorb(world, results, None)
        if status is not None:
            world.status = status
        return [world]

    def pipeline(self, node: Pipeline, world: World) -> list[World]:
        if len(node.commands) == 1:
            self.checked += 1
            results = self.run(node.commands[0], world)
            self.checked -= 1
            for result in results:
                if result.flow is None:
                    result.status = negated(result.status)
            return results
        text = world.input
        for at, command in enumerate(node.commands):
            last = at == len(node.commands) - 1
            inner = world.fork()
            inner.input = text
            inner.output = [] if not last or world.output is not None else None
            self.enter()
            self.checked += not last
            results = self.run(command, inner)
            self.checked -= not last
            self.depth -= 1
            if last:
                self.absorb(world, results, None)
            else:
                pieces = self.one_output([result.output or [] for result in results])
                text = join(pieces) if pieces else None
                world.files = {**world.files, **(results[0].files if results else {})}
                world.ray = world.ray or (results[0].ray if results else None)
        if node.negated:
            world.status = negated(world.status)
        else:
            self.end_unless(world)
        return [world]

    def run_substitution(self, body: SequenceNode, world: World, part: CommandSubstitution) -> Text:
        label = command_label(part.unit.text.s[part.start : part.end])
        inner = world.fork()
        inner.output = []
        origin = part.unit.origin(part.start, part.end)
        self.enter()
        checked, self.checked = self.checked, 0
        first = body.commands[0] if len(body.commands) == 1 else None
        if isinstance(first, Simple) and not first.words and len(first.redirections) == 1:
            name = first.redirections[0].target
            path = self.word_text(name, inner) if name is not None else None
            text = world.files.get(self.unknowns.bases(path.s)) if path is not None else None
            inner.output = [text] if text is not None else [self.derived(label, origin, origin)]
            results = [inner]
        else:
            results = self.sequence(body, inner)
        self.checked = checked
        self.depth -= 1
        statuses = list(dict.fromkeys(result.status for result in results))
        undecided = next((s for s in statuses if isinstance(s, Undecided)), None)
        world.status = statuses[0] if len(statuses) == 1 else undecided or 0
        for result in results:
            if result.files is not world.files:
                world.files = {**world.files, **result.files}
        return self.substituted(results, label, origin)

    def run_process(self, body: SequenceNode, world: World) -> None:
        self.aside(body, world, world.status if isinstance(world.status, int) else 0, output=False)

    def run_unit(self, unit: Unit, world: World) -> list[World]:
        """Run a text as a program."""
        program = parse(unit)
        self.assigned |= program.assigned
        self.units.append(unit)
        return self.sequence(program.body, world)

    # --- compound commands and redirections --------------------------------------------------------

    def redirected(self, command: Command, world: World) -> list[World]:
        """A compound command under its redirections."""
        assert not isinstance(command, (Simple, SequenceNode, AndOr, Pipeline, Function, Background, Unreadable))
        redirections = command.redirections
        if not redirections:
            return self.compound(command, world)
        before_input, before_output = world.input, world.output
        target = self.redirect(redirections, world)
        results = self.compound(command, world)
        for result in results:
            self.restore(result, before_input, before_output, target)
        return results

    def compound(self, command: Command, world: World) -> list[World]:
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
            self.end_unless(world)
            return [world]
        assert isinstance(command, Group)
        if command.subshell:
            results = self.aside(command.body, world, None)
            self.end_unless(world)
            return results
        return self.sequence(command.body, world)

    def redirect(self, redirections: list[Redirection], world: World) -> tuple[Text | None, bool] | None:
        """Set up input and output; where output goes to a file: its path, and whether it is appended to."""
        target: tuple[Text | None, bool] | None = None
        for one in redirections:
            if one.body is not None:
                world.input = self.single(one.body, world)
            elif one.op == "<<<" and one.target is not None:
                world.input = join([self.word_text(one.target, world), Text.of("\n")])
            elif one.op == "<" and one.fd in ("", "0") and one.target is not None:
                world.input = self.input_file(one, world)
            elif one.op in (">", ">>", ">|", "&>", "&>>") and one.fd in ("", "1") and one.target is not None:
                target = (self.word_text(one.target, world), one.op in (">>", "&>>"))
            elif one.op == ">&" and one.fd in ("", "1") and one.target is not None:
                literal = one.target.literal
                target = (None if literal is None or literal.s.isdigit() else literal, False)
        if target is not None:
            world.output = []
        return target

    def input_file(self, one: Redirection, world: World) -> Text | None:
        assert one.target is not None
        first = one.target.parts[0] if len(one.target.parts) == 1 else None
        if first is not None and hasattr(first, "body"):
            inner = world.fork()
            inner.output = []
            self.enter()
            results = self.sequence(first.body, inner)
            self.depth -= 1
            pieces = self.one_output([result.output or [] for result in results])
            return join(pieces) if pieces else None
        path = self.word_text(one.target, world)
        if path.s == "/dev/null":
            return Text.of("")
        return world.files.get(self.unknowns.bases(path.s))

    def restore(
        self, world: World, input: Text | None, output: list[Text] | None, target: tuple[Text | None, bool] | None
    ) -> None:
        """Undo redirections; what went to a file is remembered as its content."""
        if target is not None:
            path, append = target
            if (
                path is not None
                and path.s not in ("/dev/null", "/dev/stderr", "/dev/stdout")
                and world.output is not None
            ):
                self.save(world, path, join(world.output) if world.output else Text.of(""), append)
            world.output = None if output is None else list(output)
        world.input = input

    # --- simple commands ---------------------------------------------------------------------------

    def simple(self, node: Simple, world: World) -> list[World]:
        self.step(node.unit.origin(node.start, node.end))
        if not node.words:
            world.status = 0
            before_input = world.input
            target = self.redirect(node.redirections, world) if node.redirections else None
            for assignment in node.assignments:
                self.apply(assignment, world)
            if node.redirections:
                self.restore(world, before_input, world.output if target is None else None, None)
            self.end_unless(world)
            return [world]
        fields = self.command_fields(node, world)
        while fields and isinstance(fields[0], Text) and self.vanishes(fields[0]):
            fields = fields[1:]
        if not fields:
            for assignment in node.assignments:
                self.apply(assignment, world)
            return [world]
        first = fields[0]
        name = first.s if isinstance(first, Text) else ""
        before_input, before_output = world.input, world.output
        target = self.redirect(node.redirections, world) if node.redirections else None
        results = self.dispatch(name, fields, world, node)
        for result in results:
            if node.redirections and not (name == "exec" and len(fields) == 1):
                self.restore(result, before_input, before_output, target)
            elif node.redirections:
                result.output = before_output
            self.end_unless(result)
        return results

    def vanishes(self, text: Text) -> bool:
        """A command's first word that is an unset knob, unquoted: bash takes the next word."""
        shipped, needs = self.shipped(text.s, frozenset())
        return bool(needs) and not shipped and self.is_many(text)

    def command_fields(self, node: Simple, world: World) -> list[Field]:
        fields: list[Field] = []
        for word in node.words:
            if isinstance(word, Assignment):
                fields.append(word)
            elif word.literal is not None and word.literal.known:
                fields.append(word.literal)
            else:
                fields += self.split(word, world)
        return fields

    def dispatch(self, name: str, fields: list[Field], world: World, node: Simple) -> list[World]:
        """Run a command by what its name means: a function, a builtin, or something outside."""
        if name in world.functions:
            words = [field for field in fields if isinstance(field, Text)]
            return self.call(world.functions[name], words, world, node)
        world_before = None
        if node.assignments and name not in ("export", "eval", ":"):
            world_before = self.prefixed(node, world)
        found = self.builtin(name, fields[1:], world, node)
        if found is None:
            words = [field for field in fields if isinstance(field, Text)]
            results = self.external(words, self.environment(world), world, node)
        elif isinstance(found, list):
            results = found
        else:
            world.status = found
            results = [world]
        if world_before is not None:
            for result in results:
                self.unprefixed(world_before, result)
        return results

    def prefixed(self, node: Simple, world: World) -> dict[str, Variable | None]:
        """Apply `A=1 command`'s assignments, exported; give back what they hide."""
        before: dict[str, Variable | None] = {}
        for assignment in node.assignments:
            before.setdefault(assignment.name, world.variables.get(assignment.name))
            self.apply(assignment, world, exported=True)
            variable = world.variables.get(assignment.name)
            if variable is not None and not variable.exported:
                self.export(world, assignment.name, True)
        return before

    def unprefixed(self, before: dict[str, Variable | None], world: World) -> None:
        for name, variable in before.items():
            if variable is None:
                world.variables.pop(name, None)
            else:
                world.variables[name] = variable

    def run_words(self, words: list[Text], world: World, node: Simple, functions: bool) -> list[World]:
        """Run words that a builtin such as `command` or `exec` was given."""
        name = words[0].s
        if functions and name in world.functions:
            return self.call(world.functions[name], words, world, node)
        found = self.builtin(name, list(words[1:]), world, node)
        if found is None:
            return self.external(words, self.environment(world), world, node)
        if isinstance(found, list):
            return found
        world.status = found
        return [world]

    def call(self, function: Function, words: list[Text], world: World, node: Simple) -> list[World]:
        """Call a function: its arguments, its locals, its return."""
        before = self.prefixed(node, world) if node.assignments else {}
        arguments, top, frames = world.arguments, world.top, world.frames
        world.arguments, world.top, world.frames = words[1:], False, (*frames, {})
        self.enter()
        results = self.run(function.body, world)
        self.depth -= 1
        for result in results:
            for name, variable in result.frames[-1].items():
                if variable is None:
                    result.variables.pop(name, None)
                else:
                    result.variables[name] = variable
            result.arguments, result.top, result.frames = arguments, top, result.frames[:-1]
            if result.flow is not None and result.flow[0] == "return":
                result.flow = None
            self.unprefixed(before, result)
        return results


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
    args: Sequence[str],
) -> Evaluation:
    """Evaluate a launcher that stands at PLACE in its tree, with ENV and ARGS given and nothing else set."""
    evaluator = Evaluator(commands, reader, source)
    commands.bind(evaluator.unknowns)
    name = evaluator.place("${0}", place, "0") if place is not None else evaluator.machine("0", None)
    evaluator.sources.append(name)
    world = World(
        {
            key: Variable(Text.of(encoded(value), Origin(None, 0, 0, ENVIRONMENT, key)), None, True, True)
            for key, value in env.items()
        },
        arguments=[Text.of(encoded(value), Origin(None, 0, 0, ARGUMENT)) for value in args],
        name=name,
        cwd="" if place is not None else None,
        top=not args,
    )
    ends: list[tuple[Condition, int | None]] = []
    try:
        for end in evaluator.run_unit(Unit.of(source), world):
            if end.flow is None or end.flow[1]:
                ends.append((end.condition, None if end.flow is None else end.flow[1]))
    except BudgetExhausted as error:
        evaluator.trouble(Trouble("SH002", error.what, error.origin or evaluator.here))
    except RecursionError:
        evaluator.trouble(Trouble("SH002", "the text nests too deep", evaluator.here))
    if evaluator.here is NOWHERE:
        evaluator.here = Origin(source, 0, 0)
    return Evaluation(evaluator, tuple(evaluator.calls), tuple(ends), tuple(evaluator.troubles))


def encoded(value: str) -> str:
    """A string of the user's as the shell's characters, one a byte."""
    return value.encode("utf-8", "surrogateescape").decode("latin-1")

"""What runs in a process of its own: pipelines, background commands, subshells and substitutions.

Only its status, its output, the files that it wrote and Ray come back.
"""

from __future__ import annotations

import re

from recipelint.shell.nodes import Command, Pipeline, Sequence, Simple
from recipelint.shell.simple import SimpleCommands
from recipelint.shell.state import World
from recipelint.shell.status import Status, Undecided, negated, truth
from recipelint.shell.text import Text, join
from recipelint.shell.unknown import command_label
from recipelint.shell.words import CommandSubstitution, ProcessSubstitution

UNKNOWN_COMMAND = "(?:^|[;\n])\\s*[\U00010000-\U0010ffff]"
"""Where a text that is run as a program has a command that nobody knows."""


class Subshells(SimpleCommands):
    """Processes beside the shell."""

    def forked(self, world: World) -> World:
        """A copy of the world for a process; a large one counts for more."""
        self.charge(len(world.variables) << 4)
        made = world.fork()
        made.exit_trap = None
        return made

    def aside(self, command: Command, world: World, status: int | None, output: bool = True) -> list[World]:
        """Run a command in a process of its own; only what outlives it comes back."""
        inner = self.forked(world)
        inner.output = [] if world.output is not None and output else None
        self.enter()
        results = self.at_exit(self.run(command, inner))
        self.depth -= 1
        self.absorb(world, results, None)
        if status is not None:
            world.status = status
        world.pipe = ()
        return [world]

    def pipeline(self, node: Pipeline, world: World) -> list[World]:
        """`a | b | c`: each in a process of its own, with the output of the one before it as its input."""
        if len(node.commands) == 1:
            self.checked += 1
            results = self.run(node.commands[0], world)
            self.checked -= 1
            for result in results:
                if result.flow is None:
                    result.pipe = (result.status,)
                    result.status = negated(result.status)
            return results
        text = world.input
        failing, statuses = list[Status](), list[Status]()
        for at, command in enumerate(node.commands):
            last = at == len(node.commands) - 1
            inner = self.forked(world)
            inner.input = text
            inner.output = [] if not last or world.output is not None else None
            self.enter()
            self.checked += not last
            results = self.at_exit(self.run(command, inner))
            self.checked -= not last
            self.depth -= 1
            statuses.append(self.one_status([result.status for result in results], str(command.start)))
            if last:
                self.absorb(world, results, None)
            else:
                failing += [result.status for result in results if truth(result.status) is not True]
                pieces = self.one_output([result.output or [] for result in results])
                text = join(pieces) if pieces else None
                world.files = {**world.files, **(results[0].files if results else {})}
                world.ray = world.ray or (results[0].ray if results else None)
        if "p" in world.options and failing and truth(world.status) is not False:
            undecided = [status for status in (*failing, world.status) if isinstance(status, Undecided)]
            world.status = undecided[0] if undecided else failing[0]
        world.pipe = tuple(statuses)
        if node.negated:
            world.status = negated(world.status)
        else:
            self.end_unless(world)
        return [world]

    def one_status(self, statuses: list[Status], key: str) -> Status:
        """What several worlds end with: the same, or one of several."""
        if len(set(statuses)) == 1:
            return statuses[0]
        return next((s for s in statuses if isinstance(s, Undecided)), Undecided(f"status {key}", "it succeeds"))

    def run_substitution(self, body: Sequence, world: World, part: CommandSubstitution) -> Text:
        """`$(…)`: what it prints, unknown where that is; its status is the world's from now on."""
        self.substitutions += 1
        label = command_label(part.unit.text.s[part.start : part.end])
        inner = self.forked(world)
        inner.output = []
        inner.options = inner.options - {"e"}
        origin = part.unit.origin(part.start, part.end)
        self.enter()
        checked, self.checked = self.checked, 0
        first = body.commands[0] if len(body.commands) == 1 else None
        if isinstance(first, Simple) and not first.words and len(first.redirections) == 1:
            name = first.redirections[0].target
            path = self.word_text(name, inner) if name is not None else None
            text = world.files.get(self.unknowns.path_key(path.s)) if path is not None else None
            inner.output = [text] if text is not None else [self.derived(label, origin, origin)]
            results = [inner]
        else:
            results = self.at_exit(self.sequence(body, inner))
        self.checked = checked
        self.depth -= 1
        statuses = list(dict.fromkeys(result.status for result in results))
        undecided = next((s for s in statuses if isinstance(s, Undecided)), None)
        world.status = statuses[0] if len(statuses) == 1 else undecided or 0
        for result in results:
            if result.files is not world.files:
                world.files = {**world.files, **result.files}
        return self.substituted(results, label, origin)

    def run_process(self, part: ProcessSubstitution, world: World) -> Text:
        """`<(…)` and `>(…)`: a file of unknown name, but maybe of known content; the status does not count."""
        origin = part.unit.origin(part.start, part.end)
        path = self.derived("${/dev/fd}", origin, origin)
        status, output = world.status, world.output
        reads = part.unit.text.s[part.start] == "<"
        world.output = [] if reads else None
        self.aside(part.body, world, None)
        text = join(world.output) if world.output else Text.of("")
        world.status, world.output = status, output
        if reads and not re.search(UNKNOWN_COMMAND, text.s):
            world.files = {**world.files, self.unknowns.path_key(path.s): text}
        return path

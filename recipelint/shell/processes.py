"""External commands: wrappers, nested shells, files that are run or sourced, and the trainers at the end of it all.

A process of its own gets a world of its own; only what outlives the process comes back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from recipelint.lazily import regex
from recipelint.shell.calls import Call, Step, Trainer, border
from recipelint.shell.decisions import both
from recipelint.shell.nodes import Simple
from recipelint.shell.programs import Programs
from recipelint.shell.session import Inner, InnerShell, Other
from recipelint.shell.state import Environment, Variable, World
from recipelint.shell.status import Status, Undecided
from recipelint.shell.text import EMPTY, Origin, Text, join
from recipelint.shell.unknown import EXTRA, INPUT, Kind, Unknown

SHELL_FILE = regex(rb"\A#![^\n]*\b(?:ba|da|k|z)?sh\b")


def replaced(word: Text, place: str, line: Text) -> Text:
    """A word with LINE wherever PLACE is written."""
    pieces, at = list[Text](), 0
    while (found := word.s.find(place, at)) >= 0:
        pieces += [word.slice(at, found)] * (found > at) + [line]
        at = found + len(place)
    return join([*pieces, *([word.slice(at, len(word.s))] if at < len(word.s) else [])]) if pieces else word


class Processes(Programs):
    """Running external commands, and what comes back from what runs in a process of its own."""

    def external(
        self,
        words: list[Text],
        environment: Environment,
        world: World,
        node: Simple,
        steps: tuple[Step, ...] = (),
    ) -> list[World]:
        """Run an external command: its words, and the environment it gets; STEPS are the wrappers around it."""
        before, closed = world.input, False
        while True:
            script = self.script_command(words, environment, world)
            action = script or self.commands.resolve(words, environment, world.ray)
            if not isinstance(action, Inner):
                break
            steps += (Step(action.wrapper, action.environment, action.opaque, action.kind, action.given),)
            closed = closed or action.closed
            words, environment = list(action.words), action.environment
            if action.place or action.takes_input:
                calls = self.fed_calls(action, world)
                if len(calls) == 1:
                    words = calls[0]
                else:
                    return self.each(calls, environment, world, node, steps)
            self.step(None)
            if not words:
                world.status = 0
                return [world]
            if len(steps) > 12:
                break
        name = words[0].s.rpartition("/")[2]
        closed = closed or (isinstance(action, InnerShell) and action.closed)
        if closed:
            world.input = EMPTY
        if isinstance(action, Trainer):
            world.status = self.launch(action, environment, steps, world, node)
            self.write(world, None, node)
        elif isinstance(action, InnerShell):
            self.nested_shell(action, steps, world, node)
        elif isinstance(action, Other) and not self.tool(name, words[1:], world, node):
            if not action.reads_only:
                self.disturb(words, world)
            if action.starts_ray:
                self.rays.append(environment)
                world.ray = dict(environment) if world.ray is None else world.ray
            if not action.silent:
                self.write(world, None, node)
            world.status = 0 if action.decided else Undecided(self.status_key(node), self.source_text(node))
        elif isinstance(action, Other):
            world.status = 0
        if closed:
            world.input = before
        return [world]

    def disturb(self, words: list[Text], world: World) -> None:
        """Forget what the launcher wrote into the files that another command is given: it may change them."""
        named = {self.unknowns.path_key(word.s) for word in words[1:]} & world.files.keys()
        if named:
            world.files = {path: text for path, text in world.files.items() if path not in named}

    def fed_calls(self, action: Inner, world: World) -> list[list[Text]]:
        """The calls that xargs makes: one for each line that it puts at a place, or for so many words."""
        if action.place:
            lines = self.input_lines(world)
            if lines is None:
                lines = [Text.of(self.unknowns.character(INPUT))]
            return [[replaced(word, action.place, line) for word in action.words] for line in lines]
        given = self.input_words(world)
        size = len(given) or 1 if isinstance(action.takes_input, bool) else action.takes_input
        if any(EXTRA in self.unknowns.pieces(word.s) for word in given):
            size = len(given)
        return [[*action.words, *given[at : at + size]] for at in range(0, max(len(given), 1), size)]

    def each(
        self,
        calls: list[list[Text]],
        environment: Environment,
        world: World,
        node: Simple,
        steps: tuple[Step, ...],
    ) -> list[World]:
        """Run several calls that are read off the standard input, which none of them gets."""
        before, world.input = world.input, EMPTY
        world.status = 0
        for words in calls:
            self.external(words, environment, world, node, steps)
            self.step(None)
        world.input = before
        return [world]

    def input_lines(self, world: World) -> list[Text] | None:
        """The lines of the standard input as `xargs -I` takes them; None where they are not known."""
        text = world.input
        if text is None or not text.known or any(c in text.s for c in "'\"\\"):
            return None
        return [text.slice(m.start(), m.end()) for m in re.finditer(r"[^\s][^\n]*", text.s)]

    def input_words(self, world: World) -> list[Text]:
        """The words of the standard input; quotes in it are xargs' own matter, and make them unknown."""
        text = world.input
        if text is None or any(c in text.s for c in "'\"\\") or (len(text.s) == 1 and not text.known):
            return [Text.of(self.unknowns.character(EXTRA))]
        return [text.slice(m.start(), m.end()) for m in re.finditer(r"\S+", text.s)]

    def script_command(self, words: list[Text], environment: Environment, world: World) -> InnerShell | None:
        """`./other.sh args`: a shell script of the tree, run by its own name."""
        if "/" not in words[0].s:
            return None
        key = self.unknowns.path_key(words[0].s)
        if key in world.files:
            return InnerShell(environment, "bash", script=words[0], arguments=tuple(words[1:]))
        path = self.path_text(words[0], world)
        found = self.open(path) if path is not None else None
        if found is None or not (SHELL_FILE.match(found.data) or found.path.endswith((".sh", ".bash"))):
            return None
        return InnerShell(environment, "bash", script=words[0], arguments=tuple(words[1:]))

    def launch(
        self, trainer: Trainer, environment: Environment, steps: tuple[Step, ...], world: World, node: Simple
    ) -> Status:
        """Note one call of a trainer; whether it succeeds is undecided."""
        self.attempts += 1
        condition = world.condition
        if trainer.only_given:
            names = sorted({piece.name for word in trainer.missing for piece in self.unknowns.pieces(word.s)})
            said = ["$" + name if name.isdecimal() else name for name in names]
            what = f"{said[0]} is given" if len(said) == 1 else "all that it needs is given"
            number = self.decision(f"given {' '.join(said)}", what)
            condition = both(condition, frozenset({frozenset({(number, True)})}))
        if self.recording:
            here = node.unit.origin(node.start, node.end) or self.here
            shells = (*self.shells, (world.variables, (*steps, Step("", environment, ""))))
            self.keep(
                Call(
                    trainer,
                    environment,
                    world.removed,
                    condition,
                    self.outermost or here,
                    self.wrappers + tuple(step.wrapper for step in steps),
                    world.unread,
                    node,
                    tuple(border(self.commands.watched, *shell) for shell in shells),
                    world.ray,
                    self.path_text(trainer.entry_point, world),
                    world.cwd,
                    self.replacing(environment, world),
                    self.beside > 0,
                )
            )
        if trainer.meant is not None:
            self.launch(trainer.meant, environment, steps, world, node)
        return Undecided(self.status_key(node), f"{self.unknowns.display(trainer.program.s)} succeeds")

    def replacing(self, environment: Environment, world: World) -> Environment:
        """Those of a command, its shell and the shells around it that replace a package, and are not empty."""
        found = dict(world.replacing)
        for name in self.commands.replacing:
            variable = world.variables.get(name)
            text = environment.get(name) or (variable.scalar if variable is not None else None)
            if text is not None and text.s:
                found[name] = text
        return found

    def nested_shell(self, shell: InnerShell, steps: tuple[Step, ...], world: World, node: Simple) -> None:
        """Run a text, a script or the standard input in a shell of its own."""
        unit, name = self.shell_unit(shell, world)
        if unit is None:
            self.write(world, None, node)
            world.status = 0
            return
        inner = World(
            variables={
                key: Variable(value, None, True, self.was_given(world, key, value))
                for key, value in shell.environment.items()
            },
            arguments=list(shell.arguments),
            name=name,
            condition=world.condition,
            options=shell.options,
            cwd=world.cwd,
            output=[] if world.output is not None and not shell.batch else None,
            input=world.input if shell.text is not None or shell.script is not None else None,
            top=False,
        )
        inner.files, inner.ray, inner.given, inner.removed = world.files, world.ray, world.given, world.removed
        inner.unread, inner.replacing = world.unread, self.replacing(shell.environment, world)
        if shell.text is None:
            self.note_parts(unit.text, inner)
        before = self.wrappers, self.shells, self.outermost, self.checked, self.sources, self.running
        script = unit if shell.batch else None
        steps = (*steps, Step(shell.wrapper, shell.environment, shell.opaque, shell.kind, shell.given, script))
        self.wrappers += tuple(step.wrapper for step in steps)
        self.shells = (*self.shells, (world.variables, steps))
        self.outermost = self.outermost or node.unit.origin(node.start, node.end)
        self.checked = 0
        self.running = [] if shell.script is None else ["main"]
        if unit.source is not None and name is not None:
            self.sources = [name]
        self.enter()
        results = self.at_exit(self.run_unit(unit, inner))
        self.depth -= 1
        self.wrappers, self.shells, self.outermost, self.checked, self.sources, self.running = before
        self.absorb(world, results, node)
        if shell.batch:
            self.write(world, None, node)
            world.status = 0

    def was_given(self, world: World, name: str, value: Text) -> bool:
        variable = world.variables.get(name)
        return variable is not None and variable.given and variable.value == value

    def source_file(self, path: Text, arguments: list[Text], world: World) -> list[World]:
        """`source FILE`: in this very shell. What is not in the tree cannot be read, and is passed over."""
        unit, name = self.file_unit(path, world)
        if unit is None or name is None:
            said = self.unknowns.display(path.s)
            as_shipped = self.shipped(path.s, world.given)[0]
            if as_shipped and not self.commands.sets_paths_only(script=said):
                self.unread(world, said, path.first_origin)
            world.status = 0
            return [world]
        outer, top = world.arguments, world.top
        if arguments:
            world.arguments, world.top = arguments, False
        self.sources.append(name)
        self.running.append("source")
        self.enter()
        results = self.run_unit(unit, world)
        self.depth -= 1
        self.sources.pop()
        self.running.pop()
        for result in results:
            if arguments:
                result.arguments, result.top = outer, top
            if result.flow is not None and result.flow[0] == "return":
                result.flow = None
        return results

    def absorb(self, world: World, results: list[World], node: Simple | None) -> None:
        """Take back from a finished process what outlives it: its status, its output, the files it wrote, Ray."""
        statuses = list(dict.fromkeys(result.status for result in results))
        if len(statuses) == 1:
            world.status = statuses[0]
        else:
            undecided = next((s for s in statuses if isinstance(s, Undecided)), None)
            key = self.status_key(node) if node is not None else str(self.here)
            world.status = undecided or Undecided(key, "it succeeds")
        for result in results:
            if result.files is not world.files:
                world.files = {**world.files, **result.files}
            world.ray = world.ray or result.ray
        if world.output is not None:
            world.output += self.one_output([result.output or [] for result in results])

    def one_output(self, outputs: Iterable[list[Text]], label: str = "$(…)") -> list[Text]:
        """What several worlds print: the same, or one of several."""
        texts = [join(pieces) if pieces else EMPTY for pieces in outputs]
        distinct = list({text.s: text for text in texts}.values())
        if len(distinct) <= 1:
            return distinct
        choices = tuple(text.s for text in distinct) if all(text.known for text in distinct) else ()
        return [self.unknown(Unknown(label, Kind.OUTPUT, choices=choices), self.here, self.here)]

    def substituted(self, results: list[World], label: str, origin: Origin | None) -> Text:
        """A command substitution's value: what was printed, less the line ends at its end."""
        pieces = self.one_output([result.output or [] for result in results], label)
        text = self.checked_size(join(pieces)) if pieces else EMPTY
        if "\0" in text.s:
            text = text.with_runs(text.s.replace("\0", ""))
        text = Text(self.unknowns.without_content(text.s), text.runs)
        end = len(text.s.rstrip("\n"))
        text = text.slice(0, end) if end else EMPTY
        if len(text.s) == 1 and not text.known:
            piece = self.unknowns[text.s]
            if piece.choices:
                stripped = tuple(choice.rstrip("\n") for choice in piece.choices)
                return self.unknown(Unknown(label, Kind.OUTPUT, choices=stripped), origin, origin)
            if piece.kind in (Kind.OUTPUT, Kind.DERIVED) and piece.label.startswith("$("):
                return self.unknown(Unknown(label, Kind.OUTPUT), origin, origin)
            if piece.place is not None:
                return self.place(label, piece.place, piece.name, origin)
        return text

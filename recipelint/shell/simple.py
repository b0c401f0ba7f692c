"""Simple commands: their words, their assignments, and what their first word means.

An assignment before a command is undone after it.
"""

from __future__ import annotations

from recipelint.lazily import regex
from recipelint.shell.declarations import Field
from recipelint.shell.nodes import Command, Function, Simple
from recipelint.shell.redirections import Redirections
from recipelint.shell.scopes import enter, leave, put
from recipelint.shell.state import Variable, World
from recipelint.shell.text import Text
from recipelint.shell.words import Assignment

OPTION = regex(r"--?[A-Za-z]|[+~]{0,2}[A-Za-z_]\w*(?:[./@][\w-]+)+=")
"""A flag, or a word of Hydra's (`a.b=c`): no command has such a name."""
NOT_FOUND = 127


class SimpleCommands(Redirections):
    """Functions, builtins and external commands by their names."""

    # What later links of the chain provide.
    def run(self, command: Command, world: World) -> list[World]:
        raise NotImplementedError

    def simple(self, node: Simple, world: World) -> list[World]:
        """Run a simple command."""
        self.step(node.unit.origin(node.start, node.end))
        if not node.words:
            before_input = world.input
            target = self.redirect(node.redirections, world) if node.redirections else None
            ran = self.substitutions
            for assignment in node.assignments:
                self.apply(assignment, world)
            if self.substitutions == ran:  # else it is the status of the last command substitution
                world.status = 0
            world.pipe = ()
            if node.redirections:
                self.restore(world, before_input, world.output if target is None else None, None)
            self.end_unless(world)
            return [world]
        if world.aliases:
            text = self.unaliased(node, world)
            if text is not None:
                return self.run_text(text, world)
        fields = self.command_fields(node, world)
        if fields and isinstance(fields[0], Text) and OPTION.match(fields[0].s) and self.recording:
            words = tuple(field for field in fields if isinstance(field, Text))
            if words[0].s not in world.functions:
                self.stray(node, words)
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
            result.pipe = ()
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
        """The words after expansion; assignments that a declaring builtin takes stay as they are."""
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
        if node.assignments:
            world_before = self.prefixed(node, world)
        found = self.builtin(name, fields[1:], world, node)
        if found is None and isinstance(fields[0], Text) and (not name or OPTION.match(name)):
            world.status = NOT_FOUND
            results = [world]
        elif found is None:
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
        """Give back the variables that `prefixed` hid."""
        for name, variable in before.items():
            put(world, name, variable)

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
        arguments, top = world.arguments, world.top
        world.arguments, world.top = words[1:], False
        enter(world, before)
        self.enter()
        self.running.append(words[0].s)
        results = self.run(function.body, world)
        self.running.pop()
        self.depth -= 1
        for result in results:
            leave(result)
            result.arguments, result.top = arguments, top
            if result.flow is not None and result.flow[0] == "return":
                result.flow = None
        return results

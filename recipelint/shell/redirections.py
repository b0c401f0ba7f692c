"""Redirections: what a command reads and where its output goes.

Whatever a command's redirections change in a world is put back after it, except the content of the files.
"""

from __future__ import annotations

from recipelint.shell.loops import Loops
from recipelint.shell.programs import STDIN
from recipelint.shell.state import World
from recipelint.shell.text import Text, join
from recipelint.shell.unknown import command_label
from recipelint.shell.words import CommandSubstitution, ProcessSubstitution, Redirection


class Redirections(Loops):
    """Standard input and output of a command."""

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
                target = (None if literal is None or literal.s.isdecimal() else literal, False)
        if target is not None:
            world.output = []
        return target

    def input_file(self, one: Redirection, world: World) -> Text | None:
        """What `< FILE` reads: a process's output, a file that the launcher wrote, or one that is there."""
        assert one.target is not None
        first = one.target.parts[0] if len(one.target.parts) == 1 else None
        if isinstance(first, (CommandSubstitution, ProcessSubstitution)):
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
        if path.s in STDIN:
            return world.input
        written = world.files.get(self.unknowns.path_key(path.s))
        label = command_label(f"$(< {one.target.unit.text.s[one.target.start : one.target.end]})")
        return self.contents([path], world, label) if written is None else written

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

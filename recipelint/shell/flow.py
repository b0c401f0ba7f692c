"""The builtins that leave the place where they stand, or run words as commands.

A path that ends keeps where: a launch before the place of a good end may have been passed by.
"""

from __future__ import annotations

import re

from recipelint.shell.arguments import Arguments
from recipelint.shell.declarations import Result
from recipelint.shell.nodes import Simple, Unit
from recipelint.shell.numbers import whole
from recipelint.shell.state import World
from recipelint.shell.status import Status
from recipelint.shell.text import Text, join
from recipelint.shell.unknown import Kind, Unknown


class Flow(Arguments):
    """exit, return, break, eval, source, exec."""

    # What later links of the chain provide.
    def run_unit(self, unit: Unit, world: World) -> list[World]:
        raise NotImplementedError

    def run_words(self, words: list[Text], world: World, node: Simple, functions: bool) -> list[World]:
        raise NotImplementedError

    def source_file(self, path: Text, arguments: list[Text], world: World) -> list[World]:
        raise NotImplementedError

    def exit(self, words: list[Text], world: World, node: Simple) -> Result:
        """`exit`."""
        self.leave("exit", words, world)
        return world.status

    def return_builtin(self, words: list[Text], world: World, node: Simple) -> Result:
        """`return`: bash refuses it outside of functions and sourced files, and goes on."""
        if self.running in ([], ["main"]):
            return 2
        self.leave("return", words, world)
        return world.status

    def leave(self, how: str, words: list[Text], world: World) -> None:
        """End the path with the status that WORDS or the last command gives."""
        status: Status = world.status
        if words and re.fullmatch(r"-?\d{1,18}", words[0].s):
            status = int(words[0].s) & 0xFF
        world.status = status
        # Where a path ends well matters: a launch before that place may have been passed by.
        well = how == "exit" and status == 0 and self.here.source is self.root
        world.flow = (how, self.here.start if well else 0)

    def break_builtin(self, words: list[Text], world: World, node: Simple) -> Result:
        """`break N` and `continue N`."""
        world.flow = (self.command_name(node), whole(words[0].s) if words and words[0].s.isdecimal() else 1)
        return 0

    def eval(self, words: list[Text], world: World, node: Simple) -> Result:
        """`eval`: its words, joined by spaces, run as a program in this very shell."""
        pieces: list[Text] = []
        for at, word in enumerate(words):
            if at:
                pieces.append(Text(" ", ((1, word.runs[0][1]),)) if word.runs else Text.of(" "))
            pieces.append(word)
        if not pieces:
            return 0
        return self.run_text(join(pieces), world)

    def run_text(self, text: Text, world: World) -> list[World]:
        """Run a text in this very shell."""
        for piece in self.unknowns.pieces(text.s.lstrip()[:1]):
            if piece.kind is not Kind.KNOB and not self.commands.sets_paths_only(command=self.printing_command(piece)):
                self.unread(world, f"the text {piece.label}", text.first_origin)
        return self.run_unit(Unit(text), world)

    def printing_command(self, piece: Unknown) -> str:
        """The command that prints an unknown piece, by its name; empty for a piece that none does."""
        command = re.match(r"\$\((?:\S*/)?(\S+)", piece.label)
        return command[1] if command else ""

    def trap(self, words: list[Text], world: World, node: Simple) -> Result:
        """`trap TEXT EXIT`; what a signal would run is not followed."""
        if words and words[0].s == "--":
            words = words[1:]
        if not words or words[0].s in ("-l", "-p"):
            self.write(world, None, node)
            return 0
        action, signals = (None, words) if len(words) == 1 or words[0].s.isdecimal() else (words[0], words[1:])
        if any(signal.s.upper() in ("EXIT", "0") for signal in signals):
            world.exit_trap = None if action is None or action.s in ("", "-") else action
        return 0

    def at_exit(self, worlds: list[World]) -> list[World]:
        """The worlds of a shell that ends, after what `trap … EXIT` runs in each; they end where they ended before."""
        if all(world.exit_trap is None for world in worlds):
            return worlds
        out: list[World] = []
        for world in worlds:
            text, flow, status = world.exit_trap, world.flow, world.status
            if text is None:
                out.append(world)
                continue
            world.exit_trap = world.flow = None
            self.enter()
            for result in self.run_text(text, world):
                if result.flow is None:
                    result.status = status
                result.flow = flow
                out.append(result)
            self.depth -= 1
        return out

    def source(self, words: list[Text], world: World, node: Simple) -> Result:
        """`source FILE ARGUMENTS`."""
        return self.source_file(words[0], words[1:], world) if words else 2

    def exec(self, words: list[Text], world: World, node: Simple) -> Result:
        """`exec COMMAND`: the path ends with it. Without a command only its redirections count."""
        while words and words[0].s.startswith("-"):
            words = words[2:] if words[0].s == "-a" else words[1:]
        if not words:
            return 0
        results = self.run_words(words, world, node, functions=False)
        for result in results:
            result.exit_trap = None
            result.flow = ("exit", self.here.start if self.here.source is self.root else 0)
        return results

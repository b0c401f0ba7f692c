"""The programs that shells run: a text, a file of the tree or of the launcher's own making, or the standard input.

A program of which a part cannot be known is run for the rest, and the part is named.
"""

from __future__ import annotations

from recipelint.lazily import regex
from recipelint.shell.nodes import Unit
from recipelint.shell.paths import file_name
from recipelint.shell.session import InnerShell
from recipelint.shell.state import World
from recipelint.shell.text import Text, join
from recipelint.shell.tools import Tools
from recipelint.shell.unknown import Kind, Unknown
from recipelint.source import SourceFile

STDIN = frozenset(["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"])
SHELL_LINE = regex(r"#![^\n]*\b(?:ba|da|k|z)?sh\b")
PART = regex("(?:^|(?<!\\\\)\n)[ \t]*([\U00010000-\U0010ffff])(?!/)")
"""A piece at the start of a line that does not continue another one: a command's output there stands for commands."""


class Programs(Tools):
    """What a shell is given to run."""

    def shell_unit(self, shell: InnerShell, world: World) -> tuple[Unit | None, Text | None]:
        """The program a nested shell runs, and its `$0`; None if its text cannot be known."""
        if shell.text is not None:
            return Unit(shell.text), shell.name or Text.of("bash")
        name = shell.name or Text.of("bash")
        unit, own = (self.input_unit(world), name) if shell.script is None else self.file_unit(shell.script, world)
        if shell.batch and unit is not None and unit.text.s.startswith("#!") and not SHELL_LINE.match(unit.text.s):
            return None, None
        return unit, own

    def input_unit(self, world: World) -> Unit | None:
        """The standard input as a program, which takes all of it; None where nothing is given."""
        text = world.input
        if text is None or not text.s:
            return None
        world.input = Text.of("")
        return Unit(self.with_files(text))

    def file_unit(self, path: Text, world: World) -> tuple[Unit | None, Text | None]:
        """A script by its path: one that the launcher wrote itself, or a file of the tree."""
        if path.s in STDIN:
            return self.input_unit(world), path
        written = world.files.get(self.unknowns.path_key(path.s))
        if written is not None:
            return Unit(self.with_files(written)), path
        place = self.path_text(path, world)
        found = self.open(place) if place is not None else None
        if found is None or place is None:
            return None, None
        return Unit.of(found), self.place("${0}", place, "0")

    def open(self, path: str | None) -> SourceFile | None:
        """A file of the tree, read once."""
        if path is None:
            return None
        if path not in self.followed:
            found = self.reader(file_name(path))
            if found is None:
                return None
            self.followed[path] = found
        return self.followed[path]

    def with_files(self, text: Text) -> Text:
        """TEXT with the files of the tree in it that commands such as `cat` print."""
        if text.known or not any(piece.content for piece in self.unknowns.pieces(text.s)):
            return text
        pieces: list[Text] = []
        for at, c in enumerate(text.s):
            files = [self.open(path) for path in self.unknowns[c].content] if c > "\xff" else []
            found = [Unit.of(file).slice(0, len(file.text)) for file in files if file is not None and file.text]
            pieces += found if files and None not in files else [text.slice(at, at + 1)]
        return self.checked_size(join(pieces))

    def note_parts(self, text: Text, world: World) -> None:
        """Say which parts of a program, given as input, cannot be known: the whole, or what a command prints in it."""
        for m in PART.finditer(text.s):
            piece = self.unknowns[m[1]]
            whole = text.s.strip() == m[1] and piece.kind is not Kind.KNOB
            if (whole or printed(piece)) and not self.harmless(piece):
                self.unread(world, f"the text {piece.label}", text.slice(m.start(1), m.end()).first_origin)

    def harmless(self, piece: Unknown) -> bool:
        """Whether what cannot be known sets up an environment, or installs something."""
        command = self.printing_command(piece)
        return self.commands.sets_paths_only(command=command) or self.commands.installs(command)


def printed(piece: Unknown) -> bool:
    """Whether a piece is what a command prints."""
    return piece.kind in (Kind.OUTPUT, Kind.DERIVED) and piece.label.startswith("$(")

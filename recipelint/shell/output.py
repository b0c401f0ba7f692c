"""What echo prints, and where what is printed goes.

Output that cannot be known is one unknown piece; it is never left out.
"""

from __future__ import annotations

import re

from recipelint.shell.escapes import unescaped
from recipelint.shell.nodes import Simple
from recipelint.shell.printing import Printing
from recipelint.shell.state import World
from recipelint.shell.text import EMPTY, Text, join
from recipelint.shell.unknown import command_label


class Output(Printing):
    """Texts that commands print."""

    def write(self, world: World, text: Text | None, node: Simple | None = None) -> None:
        """Print TEXT where that is wanted; None is output that cannot be known, of the command NODE."""
        if world.output is None:
            return
        if text is None:
            label = command_label(node.unit.text.s[node.start : node.end]) if node is not None else "$(…)"
            text = self.derived(label, self.here, self.here)
        world.output.append(text)

    def echo(self, words: list[Text]) -> Text:
        """The output of echo."""
        newline, escapes = True, False
        while words and re.fullmatch(r"-[neE]+", words[0].s):
            newline = newline and "n" not in words[0].s
            escapes = "e" in words[0].s or (escapes and "E" not in words[0].s)
            words = words[1:]
        pieces: list[Text] = []
        for at, word in enumerate(words):
            if at:
                pieces.append(Text.of(" "))
            if escapes and "\\" in word.s:
                s, more = unescaped(word.s, "echo")
                pieces.append(word.with_runs(s))
                if not more:
                    return join(pieces)
            else:
                pieces.append(word)
        if newline:
            pieces.append(Text.of("\n"))
        return join(pieces) if pieces else EMPTY

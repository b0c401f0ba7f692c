"""What echo and printf print.

Output that cannot be known is one unknown piece; it is never left out.
"""

from __future__ import annotations

import re

from recipelint.shell.conditions import Conditions
from recipelint.shell.escapes import echo_escapes
from recipelint.shell.nodes import Simple
from recipelint.shell.quote import percent_q
from recipelint.shell.state import World
from recipelint.shell.text import EMPTY, Text, join
from recipelint.shell.unknown import command_label

FORMAT = re.compile(r"%(?:%|([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+))?([diouxXeEfFgGcsbqQ]))")
MAX_PIECES = 100_000
MAX_WIDTH = 4096
"""Of a field, and digits of a number: what asks for more is unknown."""


class Output(Conditions):
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
                s, more = echo_escapes(word.s)
                pieces.append(word.with_runs(s))
                if not more:
                    return join(pieces)
            else:
                pieces.append(word)
        if newline:
            pieces.append(Text.of("\n"))
        return join(pieces) if pieces else EMPTY

    def printf(self, words: list[Text]) -> Text | None:
        """The output of printf; None for a format that is not known or not supported."""
        if not words or not words[0].known:
            return None
        form, arguments = words[0], words[1:]
        pieces: list[Text] = []
        done = 0
        while True:
            used, more = self.printed(form, arguments, pieces)
            arguments = arguments[used:]
            self.charge(sum(len(piece.s) for piece in pieces[done:]))
            done = len(pieces)
            if not more or not arguments or not used or done > MAX_PIECES:
                return join(pieces) if pieces else EMPTY

    def printed(self, form: Text, arguments: list[Text], pieces: list[Text]) -> tuple[int, bool]:
        """One pass over the format: how many arguments it took, and whether to go on."""
        used, at = 0, 0

        def take() -> Text | None:
            nonlocal used
            used += 1
            return arguments[used - 1] if used <= len(arguments) else None

        for m in FORMAT.finditer(form.s):
            if not self.plain_format(form, at, m.start(), pieces):
                return used, False
            at = m.end()
            if m[0] == "%%":
                pieces.append(form.slice(m.start(), m.start() + 1))
                continue
            flags, width, precision, kind = m[1] or "", m[2], m[3], m[4]
            if width == "*":
                width = (take() or EMPTY).s
            if precision == "*":
                precision = (take() or EMPTY).s
            argument = take()
            pieces.append(self.converted(argument, flags, width, precision, kind))
        return used, self.plain_format(form, at, len(form.s), pieces)

    def plain_format(self, form: Text, start: int, end: int, pieces: list[Text]) -> bool:
        """Literal text of the format; False if `\\c` ends the output."""
        if end <= start:
            return True
        text = form.slice(start, end)
        if "\\" not in text.s:
            pieces.append(text)
            return True
        s, more = echo_escapes(text.s)
        pieces.append(text.with_runs(s))
        return more

    def converted(self, argument: Text | None, flags: str, width: str | None, precision: str | None, kind: str) -> Text:
        """One argument by its conversion."""
        text = argument if argument is not None else EMPTY
        columns, digits = size(width), size(precision)
        if columns is None or digits is None:
            return self.derived("$(printf)", None, (width, precision, text.s))
        if kind in "qQ":
            self.charge(len(text.s) << 3)
            guarded = Text(self.unknowns.guarded(text.s), text.runs)
            text = percent_q(guarded)
        elif kind == "b":
            text = text.with_runs(echo_escapes(text.s)[0]) if text.known else text
        elif kind in "diouxX":
            if not text.known:
                return text
            number = self.number(Text.of(text.s.strip() or "0"), World())
            base = {"o": "o", "x": "x", "X": "X"}.get(kind, "d")
            sign = "-" if (number or 0) < 0 else ""
            shown = format(abs(number or 0), base).rjust(digits, "0")
            if "0" in flags and "-" not in flags and not precision:
                shown = shown.rjust(columns - len(sign), "0")
            text = text.with_runs(sign + shown)
        elif kind in "eEfFgG":
            try:
                text = text.with_runs(f"%{flags}.{digits if precision else 6}{kind}" % float(text.s or "0"))
            except (ValueError, OverflowError):
                return self.derived("$(printf)", None, text.s)
        elif precision and kind == "s":
            text = text.slice(0, digits) if text.known else text
        elif kind == "c":
            text = text.slice(0, 1)
        if text.known and len(text.s) < columns:
            pad = Text.of(" " * (columns - len(text.s)))
            text = join([text, pad] if "-" in flags else [pad, text])
        return text


def size(digits: str | None) -> int | None:
    """A width or precision; 0 where there is none, None for one that is too large or no number."""
    if not digits:
        return 0
    if len(digits) > 6 or not (digits.isascii() and digits.isdecimal()) or int(digits) > MAX_WIDTH:
        return None
    return int(digits)

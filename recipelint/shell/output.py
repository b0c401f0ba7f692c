"""Builtins that print or read: echo, printf, read, mapfile, cat and the few text tools whose output is known."""

from __future__ import annotations

import posixpath
import re

from recipelint.shell.conditions import Conditions
from recipelint.shell.escapes import echo_escapes
from recipelint.shell.quote import percent_q
from recipelint.shell.state import World
from recipelint.shell.text import EMPTY, Text, join
from recipelint.shell.variables import IFS

FORMAT = re.compile(r"%(?:%|([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+))?([diouxXeEfFgGcsbqQ]))")
MAX_SEQ = 10_000
MAX_PIECES = 100_000


class Output(Conditions):
    """What commands print where that is known; None where it is not."""

    def write(self, world: World, text: Text | None, label: str = "") -> None:
        """Print TEXT; None is output that cannot be known."""
        if world.output is not None:
            world.output.append(text if text is not None else self.derived(label or "$(…)", self.here, self.here))

    def echo(self, words: list[Text]) -> Text:
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
        while True:
            used, more = self.printed(form, arguments, pieces)
            arguments = arguments[used:]
            if not more or not arguments or not used or len(pieces) > MAX_PIECES:
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
        if kind in "qQ":
            guarded = Text(self.unknowns.guarded(text.s), text.runs)
            text = percent_q(guarded)
        elif kind == "b":
            text = text.with_runs(echo_escapes(text.s)[0]) if text.known else text
        elif kind in "diouxX":
            if not text.known:
                return text
            number = self.number(Text.of(text.s.strip() or "0"), World())
            base = {"o": "o", "x": "x", "X": "X"}.get(kind, "d")
            text = text.with_runs(format(number or 0, (precision and f"0{precision}" or "") + base))
        elif kind in "eEfFgG":
            try:
                text = text.with_runs(f"%{flags}.{precision or 6}{kind}" % float(text.s or "0"))
            except ValueError:
                return self.derived("$(printf)", None, text.s)
        elif precision and kind == "s":
            text = text.slice(0, int(precision)) if text.known else text
        elif kind == "c":
            text = text.slice(0, 1)
        if width and width.isdigit() and text.known and len(text.s) < int(width) <= 4096:
            pad = ("0" if "0" in flags and kind in "diouxX" else " ") * (int(width) - len(text.s))
            text = join([text, Text.of(pad)] if "-" in flags else [Text.of(pad), text])
        return text

    # --- reading -----------------------------------------------------------------------------------

    def read_builtin(self, words: list[Text], world: World) -> int:
        """`read`: a line of the standard input into names."""
        names, options, delimiter = list[str](), "", "\n"
        at = 0
        while at < len(words):
            word = words[at].s
            if word.startswith("-") and len(word) > 1 and not names:
                options += word[1:]
                if word[-1] in "dnNptui":
                    at += 1
                    if word[-1] == "d":
                        delimiter = words[at].s[:1] if at < len(words) else "\n"
                elif word[-1] == "a" and at + 1 < len(words):
                    at += 1
                    names.append(words[at].s)
            else:
                names.append(word)
            at += 1
        names = names or ["REPLY"]
        if world.input is None or not world.input.known and "\n" not in world.input.s and len(world.input.s) > 0:
            for name in names:
                self.assign(world, name, self.derived("${" + name + "}", None, self.here))
            return 0
        if not world.input.s:
            for name in names:
                self.assign(world, name, EMPTY)
            return 1
        line, world.input, ended = self.line(world.input, delimiter)
        if "r" not in options and "\\" in line.s:
            line = line.with_runs(re.sub(r"\\(.)", r"\1", line.s, flags=re.S))
        fields, _, _ = self.pieces(line, world)
        if "a" in options:
            self.assign_array(world, names[0], dict(enumerate(fields)))
            return int(not ended)
        for k, name in enumerate(names):
            if k == len(names) - 1 and len(fields) > len(names):
                start = line.s.find(fields[k].s)
                rest = line.slice(max(0, start), len(line.s))
                self.assign(world, name, rest.slice(0, len(rest.s.rstrip(IFS))))
            else:
                self.assign(world, name, fields[k] if k < len(fields) else EMPTY)
        return int(not ended)

    def line(self, text: Text, delimiter: str) -> tuple[Text, Text, bool]:
        """The first line, the rest, and whether a delimiter ended it."""
        end = text.s.find(delimiter or "\0")
        if end < 0:
            return text, EMPTY, False
        return text.slice(0, end), text.slice(end + 1, len(text.s)) if end + 1 < len(text.s) else EMPTY, True

    def mapfile(self, words: list[Text], world: World) -> int:
        strip, name, at = False, "MAPFILE", 0
        while at < len(words):
            word = words[at].s
            if word.startswith("-") and len(word) > 1:
                strip = strip or "t" in word
                at += word[-1] in "dnOsucC"
            else:
                name = word
            at += 1
        text = world.input
        if text is None or not text.known:
            found = self.derived("${" + name + "}", None, self.here)
            self.assign_array(world, name, {0: Text(self.unknowns.many(found.s), found.runs)})
            return 0
        lines: list[Text] = []
        while text.s:
            line, text, ended = self.line(text, "\n")
            lines.append(line if strip or not ended else join([line, Text.of("\n")]))
            if len(lines) > MAX_SEQ:
                break
        self.assign_array(world, name, dict(enumerate(lines)))
        return 0

    # --- text tools --------------------------------------------------------------------------------

    def path_text(self, text: Text, world: World) -> str | None:
        """A path inside the linted tree, from its root: of a place with a known rest, or relative to the folder."""
        s = text.s
        if s and s[0] > "\xff":
            place = self.unknowns[s[0]].place
            if place is None or not Text.of(s[1:]).known:
                return None
            return normal(place + s[1:]) if not s[1:] or s[1] == "/" else None
        if not text.known or not s or s.startswith("/"):
            return None
        return normal(posixpath.join(world.cwd, s)) if world.cwd is not None else None

    def dirname(self, text: Text, label: str) -> Text | None:
        if len(text.s) == 1 and not text.known:
            place = self.unknowns[text.s].place
            return self.place(label, posixpath.dirname(place) if place else "") if place is not None else None
        if not text.known and "/" not in re.split("[\U00010000-\U0010ffff]", text.s)[-1]:
            return None
        head = text.s.rstrip("/").rpartition("/")[0]
        if not head:
            return Text.of("/" if text.s.startswith("/") else ".")
        return text.slice(0, len(head.rstrip("/")) or 1)

    def basename(self, words: list[Text]) -> Text | None:
        text, suffix = words[0], words[1].s if len(words) > 1 else ""
        s = text.s.rstrip("/")
        start = s.rfind("/") + 1
        if max(s[start:], default="") > "\xff":
            return None
        end = len(s)
        if suffix and s.endswith(suffix) and end - len(suffix) > start:
            end -= len(suffix)
        return text.slice(start, end)

    def seq(self, words: list[Text]) -> Text | None:
        separator = "\n"
        while words and words[0].s.startswith("-") and not re.fullmatch(r"-?\d+", words[0].s):
            if words[0].s == "-s" and len(words) > 1:
                separator, words = words[1].s, words[2:]
            elif words[0].s.startswith("-s"):
                separator, words = words[0].s[2:], words[1:]
            else:
                return None
        if not 1 <= len(words) <= 3 or not all(re.fullmatch(r"-?\d+", word.s) for word in words):
            return None
        numbers = [int(word.s) for word in words]
        first = numbers[0] if len(numbers) > 1 else 1
        step = numbers[1] if len(numbers) == 3 else 1
        last = numbers[-1]
        if step == 0 or abs(last - first) // abs(step) > MAX_SEQ:
            return None
        items = range(first, last + (1 if step > 0 else -1), step)
        return Text.of(separator.join(str(item) for item in items) + ("\n" if len(items) else ""))


def normal(path: str) -> str | None:
    """A path from the tree's root, normalised; None where it leaves the tree."""
    path = posixpath.normpath(path.lstrip("/") or ".")
    return None if path.startswith("..") else "" if path == "." else path

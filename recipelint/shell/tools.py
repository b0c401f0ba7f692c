"""Text tools whose output on known text is known: cat, dirname, basename, seq, tr, wc, head, tail, cut, tee, realpath.

A use that is not one of the plain ones is left to the launcher's knowledge of commands.
"""

from __future__ import annotations

import re

from recipelint.lazily import regex
from recipelint.shell.builtins import Builtins
from recipelint.shell.nodes import Simple
from recipelint.shell.numbers import whole
from recipelint.shell.state import World
from recipelint.shell.text import EMPTY, Text, join
from recipelint.shell.unknown import Kind, Unknown, command_label

TOOLS = frozenset(
    "cat dirname basename seq realpath readlink tr wc head tail cut tee sort uniq sed awk grep printenv".split()
)
MAX_SEQ = 10_000
PLAIN_SED = regex(r"s([#|,:])(?P<one>[\w/-]+)\1(?P<other>[\w/-]+)\1g?", re.ASCII)
"""A substitution without a regular expression in it."""


class Tools(Builtins):
    """Tools as functions of their words and their standard input."""

    def tool(self, name: str, words: list[Text], world: World, node: Simple) -> bool:
        """Print what the tool prints; False if NAME is none of them, or if it cannot be known here."""
        if name not in TOOLS:
            return False
        text = self.tool_output(name, words, world, node)
        if text is None:
            return False
        if name == "tee":
            self.tee(words, world)
        self.write(world, text)
        return True

    def tool_output(self, name: str, words: list[Text], world: World, node: Simple) -> Text | None:
        """What the tool prints; None where it cannot be known."""
        newline = Text.of("\n")
        ended = name in ("dirname", "basename") and bool(words) and words[0].s == "--"
        words = words[1:] if ended else words
        if name == "dirname":
            found = self.dirname(words[-1], command_label(self.source_text(node))) if words else None
            return join([found, newline]) if found is not None else None
        if name == "basename":
            label = command_label(self.source_text(node))
            known = bool(words) and (ended or not words[0].s.startswith("-"))
            found = self.basename(words, label) if known else None
            return join([found, newline]) if found is not None else None
        if name in ("realpath", "readlink"):
            plain = [word for word in words if not word.s.startswith("-")]
            path = self.path_text(plain[0], world) if len(plain) == 1 else None
            return (
                join([self.place(command_label(self.source_text(node)), path), newline]) if path is not None else None
            )
        if name == "seq":
            return self.seq(words)
        if name == "cat":
            return self.cat(words, world, command_label(self.source_text(node)))
        if name == "tee":
            return world.input
        text = world.input
        if text is not None and not text.known and name == "sed":
            return self.moved(words, text, world, command_label(self.source_text(node)))
        if text is None or not text.known:
            return None
        return self.filtered(name, words, text)

    def cat(self, words: list[Text], world: World, label: str) -> Text | None:
        """`cat FILES` of files that the launcher wrote, the standard input, or what LABEL says of others."""
        names = [word for word in words if not re.fullmatch(r"-[A-Za-z]+", word.s)]
        if not names or [name.s for name in names] == ["-"]:
            return world.input
        found = [world.files.get(self.unknowns.path_key(name.s)) for name in names]
        pieces = [text for text in found if text is not None]
        return join(pieces) if len(pieces) == len(found) else self.contents(names, world, label)

    def contents(self, names: list[Text], world: World, label: str) -> Text:
        """What files hold that the launcher has not written: not known, though a shell that is given it may read it."""
        written = any(self.unknowns.path_key(name.s) in world.files for name in names)
        paths = [None if written else self.path_text(name, world) for name in names]
        content = tuple(path for path in paths if path is not None)
        if len(content) < len(paths):
            return self.derived(label, self.here, self.here)
        return self.unknown(Unknown(label, Kind.OUTPUT, content=content), self.here, self.here)

    def tee(self, words: list[Text], world: World) -> None:
        """Write the standard input to the files of `tee`."""
        append = any(word.s == "-a" for word in words)
        for word in words:
            if not word.s.startswith("-") and world.input is not None:
                self.save(world, word, world.input, append)

    def save(self, world: World, path: Text, text: Text, append: bool) -> None:
        """Remember what a file holds that the launcher itself writes."""
        key = self.unknowns.path_key(path.s)
        old = world.files.get(key) if append else None
        world.files = {**world.files, key: self.checked_size(join([old, text])) if old is not None else text}

    def filtered(self, name: str, words: list[Text], text: Text) -> Text | None:
        """The simple uses of the line filters; None for the others."""
        arguments = [word.s for word in words]
        lines = text.s.splitlines()
        if any(max(a, default="") > "\xff" for a in arguments):
            return None
        if name == "wc" and arguments in (["-l"], ["-w"], ["-c"]):
            counts = {"-l": text.s.count("\n"), "-w": len(text.s.split()), "-c": len(text.s)}
            return Text.of(f"{counts[arguments[0]]}\n")
        if name == "tr":
            return self.translated(arguments, text)
        if name in ("head", "tail"):
            m = re.fullmatch(r"-(?:n ?)?(\d{1,9})", " ".join(arguments)) if arguments else None
            count = int(m[1]) if m else 10 if not arguments else None
            if count is None:
                return None
            kept = lines[:count] if name == "head" else lines[-count:] if count else []
            if kept == lines:
                return text
            return Text.of("".join(line + "\n" for line in kept))
        if name == "cut":
            return self.cut(arguments, lines)
        if name == "sort" and not arguments:
            return Text.of("".join(line + "\n" for line in sorted(lines)))
        return None

    def translated(self, arguments: list[str], text: Text) -> Text | None:
        """`tr A B` and `tr -d A` of plain sets and ranges."""
        delete = arguments[:1] == ["-d"]
        sets = [self.tr_set(a) for a in (arguments[1:] if delete else arguments)]
        if any(s is None for s in sets) or len(sets) != (1 if delete else 2):
            return None
        if delete:
            return text.with_runs("".join(c for c in text.s if c not in (sets[0] or "")))
        source, target = sets[0] or "", sets[1] or ""
        if not target:
            return None
        table = {ord(c): target[min(at, len(target) - 1)] for at, c in reversed(list(enumerate(source)))}
        return text.with_runs(text.s.translate(table))

    def tr_set(self, s: str) -> str | None:
        """The characters of a set of `tr`; None for one that is not plain."""
        named = {
            "[:upper:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
            "[:lower:]": "abcdefghijklmnopqrstuvwxyz",
            "[:space:]": " \t\n\v\f\r",
        }
        if s in named:
            return named[s]
        if s.startswith("-") or "[" in s:
            return None
        s = s.replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\")
        return re.sub(r"(.)-(.)", lambda m: "".join(chr(c) for c in range(ord(m[1]), ord(m[2]) + 1)), s, flags=re.S)

    def moved(self, words: list[Text], text: Text, world: World, label: str) -> Text | None:
        """`sed s#ONE#OTHER#` of the path of a place, where it changes a part below the tree's root: another place."""
        m = PLAIN_SED.fullmatch(words[0].s) if len(words) == 1 else None
        path = (
            self.path_text(text.slice(0, len(text.s) - 1), world) if m is not None and text.s.endswith("\n") else None
        )
        if m is None or path is None or "\n" in text.s[:-1] or f"/{path}/".count(f"/{m['one']}/") != 1:
            return None
        changed = f"/{path}/".replace(f"/{m['one']}/", f"/{m['other']}/").strip("/")
        return join([self.place(label, changed), Text.of("\n")])

    def cut(self, arguments: list[str], lines: list[str]) -> Text | None:
        """`cut -d X -f N`."""
        joined = " ".join(arguments)
        m = re.fullmatch(r"-d ?(?P<d>.) ?-f ?(?P<f>\d+)|-f ?(?P<g>\d+) -d ?(?P<e>.)", joined)
        if not m:
            return None
        delimiter, number = m["d"] or m["e"], whole(m["f"] or m["g"])
        out = []
        for line in lines:
            parts = line.split(delimiter)
            out.append(line if len(parts) == 1 else parts[number - 1] if number <= len(parts) else "")
        return Text.of("".join(line + "\n" for line in out)) if out else EMPTY

    def seq(self, words: list[Text]) -> Text | None:
        """`seq FIRST STEP LAST` of whole numbers."""
        separator = "\n"
        while words and words[0].s.startswith("-") and not re.fullmatch(r"-?\d+", words[0].s):
            if words[0].s == "-s" and len(words) > 1:
                separator, words = words[1].s, words[2:]
            elif words[0].s.startswith("-s"):
                separator, words = words[0].s[2:], words[1:]
            else:
                return None
        if not 1 <= len(words) <= 3 or not all(re.fullmatch(r"-?\d{1,18}", word.s) for word in words):
            return None
        numbers = [int(word.s) for word in words]
        first = numbers[0] if len(numbers) > 1 else 1
        step = numbers[1] if len(numbers) == 3 else 1
        last = numbers[-1]
        if step == 0 or abs(last - first) // abs(step) > MAX_SEQ:
            return None
        items = range(first, last + (1 if step > 0 else -1), step)
        return Text.of(separator.join(str(item) for item in items) + ("\n" if len(items) else ""))

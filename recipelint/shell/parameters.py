"""Parameter expansion: `$V`, `${V:-d}`, `${!V}` and their relatives (bash manual, 3.5.3).

A knob that nobody sets is one unknown, except where the expansion itself says what it is then.
"""

from __future__ import annotations

import re

from recipelint.record import NamedTuple
from recipelint.shell.arrays import DEFAULTS, Arrays
from recipelint.shell.state import World
from recipelint.shell.text import EMPTY, NOWHERE, Origin, Text
from recipelint.shell.unknown import Kind
from recipelint.shell.variables import Value
from recipelint.shell.words import Parameter, Part


class Spliced(NamedTuple):
    """The word of a default that is used, to be expanded where `${…}` stands; for KNOB see `splice`."""

    parts: list[Part]
    knob: str | None
    place: Text

    def marked(self, text: Text) -> Text:
        """TEXT as a default."""
        return text if self.knob is None else text.as_default(self.knob or None)

    @property
    def nothing(self) -> Text:
        """What the word is where it comes to nothing."""
        return self.marked(self.place)


def default_place(part: Parameter) -> Text:
    """An empty default, which has a place too: where a value could be written."""
    at = part.unit.origin(part.end - 1, part.end - 1)
    return Text("", ((0, at if at is not None and part.unit.source is not None else NOWHERE),))


class Parameters(Arrays):
    """`${…}` to texts. `splicing` is the one whose word is left to `fields`, in `spliced`."""

    splicing: Part | None = None
    spliced: Spliced | None = None

    def parameter(self, part: Parameter, world: World) -> Text | list[Text]:
        """The value of `${…}`; a list for `@` and for an array's `[@]`."""
        origin = part.unit.origin(part.start, part.end)
        name = part.name
        if name == "LINENO" and (line := self.line_here(part, world)):
            return Text.of(str(line))
        if not part.op and not part.prefix and part.index is None and name not in "@*":
            return self.plain(world, name, self.read(world, name, origin), origin)
        if part.op == "bad":
            return self.derived("${…}", origin)
        if part.op == "names":
            names = [Text.of(found) for found in sorted(world.variables) if found.startswith(name)]
            star = part.quoted and part.unit.text.s[part.end - 2] == "*"
            return self.joined(names, world) if star else names
        if part.prefix == "!" and part.index is not None and self.subscript(part) in ("@", "*"):
            items = self.items(world, name, origin)
            variable = world.variables.get(name)
            keys = self.keys(variable) if variable is not None and variable.items is not None else range(len(items))
            listed = [Text.of(str(key)) for key in keys]
            return self.joined(listed, world) if self.subscript(part) == "*" and part.quoted else listed
        if part.prefix == "!":
            target = self.read(world, name, origin).text
            if target is None or not target.known:
                return self.derived("${!" + name + "}", origin)
            m = re.fullmatch(r"([A-Za-z_]\w*|\d+)(?:\[([@*]|\d+)\])?", target.s)
            if not m:
                return EMPTY
            if m[2] in ("@", "*"):
                items = self.items(world, m[1], origin)
                if not items and part.op in DEFAULTS:
                    return self.operated(part, m[1], Value(None), world, origin)
                return items
            if m[2]:
                found = world.variables.get(m[1])
                value = Value((found.items or {}).get(int(m[2])) if found else None)
                return self.operated(part, m[1], value, world, origin)
            return self.operated(part, m[1], self.read(world, m[1], origin), world, origin)
        subscript = self.subscript(part)
        if name in "@*" or subscript in ("@", "*"):
            return self.listed(part, world, origin, subscript or name)
        if part.index is not None:
            return self.operated(part, name, self.element(world, part, origin), world, origin)
        return self.operated(part, name, self.read(world, name, origin), world, origin)

    def line_here(self, part: Parameter, world: World) -> int:
        """The line of a plain `$LINENO` whose command is on that line of a file; else 0."""
        source = part.unit.source
        if source is None or self.here.source is not source or part.op or part.prefix or "LINENO" in world.variables:
            return 0
        line = source.line_number(part.start)
        return line if source.line_number(self.here.start) == line else 0

    def plain(self, world: World, name: str, value: Value, origin: Origin | None) -> Text:
        """`$NAME`: a knob that nobody sets is one unknown."""
        if value.text is not None:
            return value.text
        if not value.knob:
            return EMPTY
        if "u" in world.options:
            self.need(name)
            world.given |= {name}
            return self.variable(name, Kind.REQUIRED, origin)
        return self.variable(name, Kind.KNOB, origin)

    def operated(self, part: Parameter, name: str, value: Value, world: World, origin: Origin | None) -> Text:
        """A value after the operator of `${name op word}`."""
        self.charge(len(value.text.s) if value.text is not None else 0)
        if part.op in DEFAULTS:
            return self.defaulted(part, name, value, world, origin)
        if part.prefix == "#":
            text = self.plain(world, name, value, origin)
            if not text.known:
                s, needs = self.shipped(text.s, world.given)
                return (
                    Text.of(str(len(s)))
                    if needs and max(s, default="") <= "\xff"
                    else self.derived("${#" + name + "}", origin)
                )
            return Text.of(str(len(text.s.encode("latin-1").decode("utf-8", "replace"))))
        text = self.plain(world, name, value, origin)
        if part.op == ":":
            return self.substring(part, text, world, origin)
        if value.text is None and text.known:
            return text  # where nothing is set, nothing is changed
        return self.changed(part, text, world, origin) if part.op else text

    def splice(self, part: Parameter, knob: str | None) -> bool:
        """Leave the word of `${V:-…}` to `fields`, if that asked for it: it may be several words.

        KNOB overrides it; empty for a default that no single variable overrides, None for what is none.
        """
        if part is not self.splicing:
            return False
        self.spliced = Spliced(part.argument or [], knob, default_place(part))
        return True

    def defaulted(self, part: Parameter, name: str, value: Value, world: World, origin: Origin | None) -> Text:
        """`:-`, `:=`, `:?`, `:+` and their forms without the colon, which look at unset only."""
        text, colon = value.text, part.op.startswith(":")
        is_set = text is not None
        usable = is_set
        if text is not None and colon:
            usable = bool(self.shipped(text.s, world.given)[0])
        if part.op in (":+", "+"):
            if not usable:
                return EMPTY
            assert text is not None
            kinds = [piece.kind for piece in self.unknowns.pieces(text.s)]
            if (
                text.s
                and len(kinds) == len(text.s)
                and all(k in (Kind.MACHINE, Kind.OUTPUT, Kind.DERIVED) for k in kinds)
            ):
                return self.derived("${" + name + "}", origin, "+")
            return EMPTY if self.splice(part, None) else self.single(part.argument, world)
        if usable:
            assert text is not None
            return text
        if part.op in (":?", "?"):
            self.need(name)
            world.given |= {name}
            required = self.variable(name, Kind.REQUIRED, origin)
            if part.index is None and re.fullmatch(r"[A-Za-z_]\w*", name):
                self.assign(world, name, required)
            return required
        named = part.index is None and re.fullmatch(r"[A-Za-z_]\w*", name) is not None
        overridable = named and not is_set and name not in world.removed
        if self.splice(part, name if overridable else ""):
            return EMPTY
        default = self.single(part.argument, world)
        if not default.runs and part.argument is not None:
            default = default_place(part)
        default = default.as_default(name if overridable else None)
        if part.op in (":=", "=") and part.index is None:
            self.assign(world, name, default)
        return default

"""Parameter expansion: `$V`, `${V:-d}`, `${V%p}`, `${A[@]}` and their relatives (bash manual, 3.5.3)."""

from __future__ import annotations

import re

from recipelint.shell.nodes import Literal, Parameter, Part
from recipelint.shell.pattern import compiled, is_plain, plain_text, prefix_end, suffix_start
from recipelint.shell.quote import percent_q
from recipelint.shell.state import World
from recipelint.shell.text import EMPTY, NOWHERE, Origin, Text, join
from recipelint.shell.unknown import Kind, Unknown
from recipelint.shell.variables import Value, Variables

DEFAULTS = (":-", "-", ":=", "=", ":?", "?", ":+", "+")


class Parameters(Variables):
    """`${…}` to texts."""

    def single(self, parts: list[Part] | None, world: World) -> Text:
        raise NotImplementedError

    def pattern(self, parts: list[Part] | None, world: World) -> Text:
        raise NotImplementedError

    def number(self, text: Text, world: World, needs: set[str] | None = None) -> int | None:
        raise NotImplementedError

    def parameter(self, part: Parameter, world: World) -> Text | list[Text]:
        """The value of `${…}`; a list for `@` and for an array's `[@]`."""
        origin = part.unit.origin(part.start, part.end)
        name = part.name
        if not part.op and not part.prefix and part.index is None and name not in "@*":
            return self.plain(world, name, self.read(world, name, origin), origin)
        if part.op == "bad":
            return self.derived("${…}", origin)
        if part.op == "names":
            return [Text.of(found) for found in sorted(world.variables) if found.startswith(name)]
        if part.prefix == "!" and part.index is not None and self.subscript(part) in ("@", "*"):
            items = self.items(world, name, origin)
            variable = world.variables.get(name)
            keys = variable.items if variable is not None and variable.items is not None else dict(enumerate(items))
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
                return self.items(world, m[1], origin)
            if m[2]:
                found = world.variables.get(m[1])
                value = Value((found.items or {}).get(int(m[2])) if found else None)  # type: ignore[call-overload]
                return self.operated(part, m[1], value, world, origin)
            return self.operated(part, m[1], self.read(world, m[1], origin), world, origin)
        subscript = self.subscript(part)
        if name in "@*" or subscript in ("@", "*"):
            return self.listed(part, world, origin, subscript or name)
        if part.index is not None:
            return self.operated(part, name, self.element(world, part, origin), world, origin)
        return self.operated(part, name, self.read(world, name, origin), world, origin)

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

    def subscript(self, part: Parameter) -> str:
        """A subscript that is one literal text; else empty."""
        if part.index and len(part.index) == 1 and isinstance(part.index[0], Literal):
            return part.index[0].text.s
        return ""

    # --- arrays ------------------------------------------------------------------------------------

    def items(self, world: World, name: str, origin: Origin | None) -> list[Text]:
        """All elements of an array, in order."""
        variable = world.variables.get(name)
        if variable is None:
            if name == "BASH_SOURCE":
                return self.sources[-1:]
            value = self.read(world, name, origin)
            if value.text is not None:
                return [value.text]
            return []
        if variable.items is not None:
            return list(variable.items.values())
        return [] if variable.value is None else [variable.value]

    def element(self, world: World, part: Parameter, origin: Origin | None) -> Value:
        """`${A[i]}`."""
        variable = world.variables.get(part.name)
        if variable is None:
            if part.name == "PIPESTATUS":
                return Value(self.special(world, "?", origin))
            if part.name in ("BASH_SOURCE", "FUNCNAME"):
                return Value(self.sources[-1]) if part.name == "BASH_SOURCE" and self.sources else Value(None)
            return Value(None, knob=part.name not in self.assigned)
        key = self.single(part.index, world)
        items: dict[int, Text] | dict[str, Text] = variable.items if variable.items is not None else {}
        if variable.items is None and variable.value is not None:
            items = {0: variable.value}
        if "A" in variable.attributes:
            return Value(items.get(key.s) if key.known else self.derived("${" + part.name + "[…]}", origin))  # type: ignore[call-overload]
        number = self.number(key, world)
        label = "${" + part.name + "[" + (str(number) if number is not None else "…") + "]}"
        if number is None or any(self.is_many(item) for item in items.values()):
            return Value(self.derived(label, origin, (part.name, number)))
        if number < 0 and items:
            number += max(int(key) for key in items) + 1
        return Value(items.get(number))  # type: ignore[call-overload]

    def listed(self, part: Parameter, world: World, origin: Origin | None, which: str) -> Text | list[Text]:
        """`$@`, `${A[*]}` and what is done to each element."""
        items = list(world.arguments) if part.name in "@*" else self.items(world, part.name, origin)
        if part.prefix == "#":
            if any(self.is_many(item) for item in items):
                return self.derived("${#" + part.name + "}", origin)
            if part.name in "@*":
                return self.special(world, "#", origin)
            return Text.of(str(len(items)))
        if part.op in DEFAULTS:
            empty = not items or (part.op[0] == ":" and all(not self.shipped(item.s, world.given)[0] for item in items))
            if part.op in (":+", "+"):
                return (
                    EMPTY
                    if empty and part.quoted and which == "*"
                    else []
                    if empty
                    else self.argument_list(part, world)
                )
            if empty:
                knob = part.name in "@*" or (part.name not in world.variables and part.name not in self.assigned)
                if part.op in (":?", "?"):
                    self.need(part.name)
                    return self.variable(part.name, Kind.REQUIRED, origin)
                default = self.argument_list(part, world)
                return [d.as_default(None) for d in default] if knob else default
        elif part.op == ":":
            items = self.sliced(part, items, world)
        elif part.op:
            items = [self.changed(part, item, world, origin) for item in items]
        if which == "*" and part.quoted:
            return self.joined(items, world)
        return items

    def argument_list(self, part: Parameter, world: World) -> list[Text]:
        """The word of `${A[@]+word}`: a list if it is itself `"${A[@]}"`."""
        if part.argument and len(part.argument) == 1 and isinstance(part.argument[0], Parameter):
            found = self.parameter(part.argument[0], world)
            return found if isinstance(found, list) else [found]
        return [self.single(part.argument, world)] if part.argument else []

    def separator(self, world: World) -> str:
        found = world.variables.get("IFS")
        if found is None or found.scalar is None:
            return " "
        return found.scalar.s[:1]

    def joined(self, items: list[Text], world: World) -> Text:
        separator = Text.of(self.separator(world))
        pieces: list[Text] = []
        for at, item in enumerate(items):
            if at:
                pieces.append(separator)
            pieces.append(item)
        return join(pieces) if pieces else EMPTY

    def sliced(self, part: Parameter, items: list[Text], world: World) -> list[Text]:
        """`${A[@]:offset:length}`; for arguments, offset 1 is the first."""
        bounds = self.bounds(part, world)
        if bounds is None:
            return [self.unknown(Unknown("${" + part.name + "}", Kind.DERIVED, many=True))]
        offset, length = bounds
        if part.name in "@*":
            items = [world.name or EMPTY, *items]
        variable = world.variables.get(part.name)
        if variable is not None and variable.items is not None and offset >= 0 and "A" not in variable.attributes:
            # The offset into an indexed array is an index, which counts where the array has holes.
            items = [item for key, item in variable.items.items() if int(key) >= offset]
            offset = 0
        start = offset if offset >= 0 else max(0, len(items) + offset)
        return items[start:] if length is None else items[start : start + max(0, length)]

    def bounds(self, part: Parameter, world: World) -> tuple[int, int | None] | None:
        """Offset and length of `:o:l`; None if one is unknown."""
        text = self.single(part.argument, world)
        first, colon, second = text.s.partition(":")
        offset = self.number(Text.of(first), world)
        length = self.number(Text.of(second), world) if colon else None
        if offset is None or (colon and length is None):
            return None
        return offset, length

    # --- one value ---------------------------------------------------------------------------------

    def operated(self, part: Parameter, name: str, value: Value, world: World, origin: Origin | None) -> Text:
        """A value after the operator of `${name op word}`."""
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
        return self.changed(part, text, world, origin) if part.op else text

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
            return self.single(part.argument, world)
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
        default = self.single(part.argument, world)
        if not default.runs and part.argument is not None:
            # An empty default has a place too: where a value could be written.
            at = part.unit.origin(part.end - 1, part.end - 1)
            default = Text("", ((0, at if at is not None and part.unit.source is not None else NOWHERE),))
        overridable = not is_set and part.index is None and name not in world.removed and bool(re.fullmatch(r"[A-Za-z_]\w*", name))
        default = default.as_default(name if overridable else None)
        if part.op in (":=", "=") and part.index is None:
            self.assign(world, name, default)
        return default

    def substring(self, part: Parameter, text: Text, world: World, origin: Origin | None) -> Text:
        bounds = self.bounds(part, world)
        if bounds is None or not text.known:
            return self.derived("${" + part.name + "}", origin, (part.start, text.s))
        offset, length = bounds
        s = text.s
        if max(s, default="") > "\x7f":
            s = s.encode("latin-1").decode("utf-8", "replace")
        start = offset if offset >= 0 else len(s) + offset
        if start < 0 or start > len(s):
            return EMPTY
        end = len(s) if length is None else start + length if length >= 0 else len(s) + length
        if s is text.s:
            return text.slice(start, max(start, end))
        return text.with_runs(s[start : max(start, end)].encode("utf-8", "replace").decode("latin-1"))

    def changed(self, part: Parameter, text: Text, world: World, origin: Origin | None) -> Text:
        """`#`, `%`, `/`, `^`, `,` and `@` operators."""
        op = part.op
        pattern = self.pattern(part.argument, world).s if op != "@" else ""
        if op in ("#", "##", "%", "%%"):
            return self.trimmed(op, text, pattern, part, origin)
        if not text.known or max(pattern, default="") > "\xff":
            s, needs = self.shipped(text.s, world.given)
            if needs and not s:
                return text
            return self.derived("${" + part.name + "}", origin, (op, pattern, text.s, part.start))
        if op in ("/", "//"):
            return self.replaced(op, text, pattern, self.single(part.replacement, world))
        if op == "@":
            return percent_q(text) if self.single(part.argument, world).s == "Q" else text
        change = str.upper if op[0] == "^" else str.lower
        allowed = compiled(pattern) if pattern else None
        s = text.s.encode("latin-1").decode("utf-8", "replace")
        out = []
        for at, c in enumerate(s):
            out.append(change(c) if (len(op) == 2 or at == 0) and (allowed is None or allowed.fullmatch(c)) else c)
        return text.with_runs("".join(out).encode("utf-8").decode("latin-1"))

    def trimmed(self, op: str, text: Text, pattern: str, part: Parameter, origin: Origin | None) -> Text:
        """A prefix or suffix taken away; unknown pieces are in the way only where the match could reach them."""
        s = text.s
        marks = [at for at, c in enumerate(s) if c > "\xff"]
        if max(pattern, default="") > "\xff" or (len(s) > 4096 and not is_plain(pattern)):
            return self.derived("${" + part.name + "}", origin, (op, pattern, s))
        cut = prefix_end(pattern, s, op == "##") if op[0] == "#" else suffix_start(pattern, s, op == "%%")
        if marks and not self.certain_cut(op, s, pattern, cut, marks):
            place = self.unknowns[s].place if len(s) == 1 else None
            if place is not None and plain_text(pattern) == "/*" and op == "%":
                return self.place("${" + part.name + "%/*}", place.rpartition("/")[0], origin=origin)
            return self.derived("${" + part.name + "}", origin, (op, pattern, s))
        if cut is None:
            return text
        return text.slice(cut, len(s)) if op[0] == "#" else text.slice(0, cut)

    def certain_cut(self, op: str, s: str, pattern: str, cut: int | None, marks: list[int]) -> bool:
        """Whether the cut is the same whatever the unknown pieces are."""
        if is_plain(pattern):
            n = len(plain_text(pattern))
            return marks[0] >= n if op[0] == "#" else marks[-1] < len(s) - n
        if op == "##" and pattern.startswith("*"):
            return cut is not None and cut > marks[-1]
        if op == "%" and pattern.endswith("*"):
            return cut is not None and cut > marks[-1]
        if op == "#" and pattern.startswith("*"):
            return cut is not None and cut <= marks[0]
        return op == "%%" and pattern.endswith("*") and cut is not None and cut < marks[0]

    def replaced(self, op: str, text: Text, pattern: str, new: Text) -> Text:
        """`${V/p/r}`, `${V//p/r}`, `${V/#p/r}`, `${V/%p/r}`."""
        s, anchor = text.s, ""
        if op == "/" and pattern[:1] in ("#", "%"):
            anchor, pattern = pattern[0], pattern[1:]
        if not pattern or len(s) > 65536:
            return text
        if anchor == "#":
            end = prefix_end(pattern, s, longest=True)
            return text if end is None else join([new, text.slice(end, len(s))])
        if anchor == "%":
            start = suffix_start(pattern, s, longest=True)
            return text if start is None else join([text.slice(0, start), new])
        pieces, at = [], 0
        for m in compiled(pattern).finditer(s):
            if m.end() == m.start():
                continue
            pieces += [text.slice(at, m.start()), new]
            at = m.end()
            if op == "/":
                break
        if not pieces:
            return text
        return join([*(p for p in pieces if p.s or p is new), text.slice(at, len(s))])

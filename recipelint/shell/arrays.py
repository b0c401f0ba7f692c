"""Arrays and the positional parameters as lists: elements, `[@]` and `[*]`, slices.

An array with an element that may be several words has no known length and no known element.
"""

from __future__ import annotations

from recipelint.shell.alteration import Alteration
from recipelint.shell.state import Items, Variable, World
from recipelint.shell.text import EMPTY, Origin, Text, join
from recipelint.shell.unknown import Kind, Unknown
from recipelint.shell.variables import LISTS, Value
from recipelint.shell.words import Literal, Parameter

DEFAULTS = (":-", "-", ":=", "=", ":?", "?", ":+", "+")


class Arrays(Alteration):
    """`${A[i]}`, `${A[@]}`, `$@`."""

    # What later links of the chain provide.
    def parameter(self, part: Parameter, world: World) -> Text | list[Text]:
        raise NotImplementedError

    def splice(self, part: Parameter, knob: str | None) -> bool:
        raise NotImplementedError

    def subscript(self, part: Parameter) -> str:
        """A subscript that is one literal text; else empty."""
        if part.index and len(part.index) == 1 and isinstance(part.index[0], Literal):
            return part.index[0].text.s
        return ""

    def items(self, world: World, name: str, origin: Origin | None) -> list[Text]:
        """All elements of an array, in order."""
        name = self.target(world, name)
        variable = world.variables.get(name)
        if variable is None:
            if name in LISTS:
                return self.list_items(world, name, origin)
            value = self.read(world, name, origin)
            if value.text is not None:
                return [value.text]
            return []
        if variable.items is not None:
            return [variable.items[key] for key in self.keys(variable)]
        return [] if variable.value is None else [variable.value]

    def keys(self, variable: Variable) -> list[int | str]:
        """The subscripts of an array in bash's order: of an associative one, that of its hash table (bash 5: FNV-1)."""
        keys = list(variable.items or ())
        if "A" not in variable.attributes:
            return keys
        newest_first = reversed([str(key) for key in keys])
        return sorted(newest_first, key=lambda key: hash_bucket(str(key)))

    def element(self, world: World, part: Parameter, origin: Origin | None) -> Value:
        """`${A[i]}`."""
        variable = world.variables.get(self.target(world, part.name))
        if variable is None:
            if part.name in LISTS:
                return self.list_element(world, part, origin)
            return Value(None, knob=part.name not in self.assigned)
        key = self.single(part.index, world)
        items: Items = variable.items if variable.items is not None else {}
        if variable.items is None and variable.value is not None:
            items = {0: variable.value}
        if "A" in variable.attributes:
            return Value(items.get(key.s) if key.known else self.derived("${" + part.name + "[…]}", origin))
        number = self.number(key, world)
        label = "${" + part.name + "[" + (str(number) if number is not None else "…") + "]}"
        if number is None or any(self.is_many(item) for item in items.values()):
            return Value(self.derived(label, origin, (part.name, number)))
        if number < 0 and items:
            number += max(int(key) for key in items) + 1
        return Value(items.get(number))

    def list_element(self, world: World, part: Parameter, origin: Origin | None) -> Value:
        """`${FUNCNAME[i]}` and its like."""
        index, found = self.number(self.single(part.index, world), world), self.list_items(world, part.name, origin)
        if index is None:
            return Value(self.derived("${" + part.name + "[…]}", origin))
        if part.name == "BASH_SOURCE":
            return Value(self.sources[0 if index == -1 else -1] if self.sources else None)
        return Value(found[index] if -len(found) <= index < len(found) else None)

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
                if empty:
                    return EMPTY if part.quoted and which == "*" else []
                return [] if self.splice(part, None) else self.argument_list(part, world)
            if empty:
                knob = part.name in "@*" or (part.name not in world.variables and part.name not in self.assigned)
                if part.op in (":?", "?"):
                    self.need(part.name)
                    return self.variable(part.name, Kind.REQUIRED, origin)
                if self.splice(part, "" if knob else None):
                    return []
                default = self.argument_list(part, world) or ([EMPTY] if part.quoted else [])
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
        """What `"$*"` puts between its items: the first character of IFS."""
        found = world.variables.get("IFS")
        if found is None or found.scalar is None:
            return " "
        return found.scalar.s[:1]

    def joined(self, items: list[Text], world: World) -> Text:
        """The items as `"$*"` joins them."""
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


def hash_bucket(key: str) -> int:
    """Where bash 5 keeps a key of an associative array (hashlib.c: hash_string, 1024 buckets)."""
    value = 2166136261
    for c in key:
        value = (value * 16777619) & 0xFFFFFFFF
        value ^= ord(c) if c < "\x80" else (ord(c) - 256) & 0xFFFFFFFF
    return value & 1023

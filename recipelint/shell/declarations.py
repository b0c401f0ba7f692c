"""Assignments and the builtins that declare variables or take them away.

A name that anything assigns is no knob from then on.
"""

from __future__ import annotations

import re

from recipelint.lazily import regex
from recipelint.shell.nodes import Simple, Unit
from recipelint.shell.paths import Paths
from recipelint.shell.scopes import at_the_bottom, exchange, make_local, mark_staying
from recipelint.shell.state import Items, Variable, World
from recipelint.shell.status import AsShipped, Undecided
from recipelint.shell.text import EMPTY, Text
from recipelint.shell.unknown import Kind, Unknown
from recipelint.shell.words import Array, Assignment, Word

Field = Text | Assignment


Result = int | Undecided | AsShipped | list[World]
NAMED = regex(r"[A-Za-z_]\w*")


class Declarations(Paths):
    """Assignments, declare and its kin, unset."""

    def status_key(self, node: Simple) -> str:
        """The key of a command's undecided status: its place."""
        return f"status {node.unit.origin(node.start, node.end)}"

    def source_text(self, node: Simple) -> str:
        """A command as it is written."""
        return node.unit.text.s[node.start : node.end]

    def command_name(self, node: Simple) -> str:
        """The builtin's name as it is written, for those that several names share."""
        first = node.words[0] if node.words else None
        return first.literal.s if isinstance(first, Word) and first.literal else "declare"

    def apply(self, assignment: Assignment, world: World, exported: bool = False, expanded: Text | None = None) -> None:
        """One assignment; EXPANDED is its value, if that was expanded before."""
        name, value = assignment.name, assignment.value
        self.assigned.add(name)
        if isinstance(value, Array):
            self.assign_elements(name, value, assignment.append, world)
        elif assignment.index is not None:
            variable = world.variables.get(name)
            text = self.word_text(value, world)
            key = self.single(assignment.index, world)
            if variable is not None and "A" in variable.attributes:
                self.assign_element(world, name, key.s, text, assignment.append)
                return
            number = self.number(key, world)
            if number is None:
                unknown = self.unknown(Unknown("${" + name + "}", Kind.DERIVED, many=True))
                self.assign_array(world, name, {0: unknown})
            else:
                self.assign_element(world, name, number, text, assignment.append)
        else:
            text = self.assigned_text(value, world) if expanded is None else expanded
            self.assign(world, name, text, assignment.append, exported)
            kept = world.variables[name].scalar if name in world.variables else None
            self.saw(value.unit, assignment.start, assignment.end, name, text if kept is None else kept, assigned=True)

    def assigned_text(self, value: Word, world: World) -> Text:
        """The value of `NAME=value`; an empty one has its place."""
        literal = value.literal
        text = literal if literal is not None else self.single(value.parts, world, assigned=True)
        if not text.s and not any(origin.source for _, origin in text.runs):
            return self.placed_empty(text, value.start, value.end, value.unit)
        return text

    def placed_empty(self, text: Text, start: int, end: int, unit: Unit) -> Text:
        """An empty value with the place of `''`, `""` or nothing, where a value could be written."""
        source = unit.text.s[start:end]
        if source not in ("", "''", '""') or unit.source is None:
            return text
        return Text.of("", unit.slice(start, end).runs[0][1])

    def assign_elements(self, name: str, array: Array, append: bool, world: World) -> None:
        """`NAME=(…)` and `NAME+=(…)`, of an indexed or an associative array."""
        name = self.target(world, name)
        variable = world.variables.get(name)
        old: Items = {}
        if append and variable is not None:
            if variable.items is not None:
                old = variable.items
            elif variable.value is not None:
                old = {0: variable.value}
        if variable is not None and "A" in variable.attributes:
            keyed: Items = {str(k): v for k, v in old.items()}
            for index, word in array.elements:
                if index is not None:
                    keyed[self.single(index, world).s] = self.word_text(word, world)
            self.assign_array(world, name, keyed, "A")
            return
        items: dict[int, Text] = {int(k): v for k, v in old.items()}
        at = max(items, default=-1) + 1
        for index, word in array.elements:
            if index is not None:
                at = self.number(self.single(index, world), world) or 0
                items[at] = self.word_text(word, world)
                at += 1
            else:
                for field in self.fields([word], world):
                    items[at] = field
                    at += 1
        self.assign_array(world, name, dict(sorted(items.items())))

    def declare(self, fields: list[Field], world: World, node: Simple) -> Result:
        """`declare`, `typeset`, `local`, `export` and `readonly`: one method, for they differ in defaults only."""
        command = self.command_name(node)
        flags, names = "", list[Field]()
        for field in fields:
            if isinstance(field, Text) and re.fullmatch(r"[-+][A-Za-z]+", field.s) and not names:
                flags += field.s[1:] if field.s[0] == "-" else "".join("+" + c for c in field.s[1:])
            else:
                names.append(field)
        if "f" in flags or "F" in flags or "p" in flags:
            return 0
        local = command == "local" or (command in ("declare", "typeset") and world.frames and "g" not in flags)
        exported = (command == "export" and "n" not in flags) or ("x" in flags and "+x" not in flags)
        if command == "local" and not world.frames:
            return 1
        values = [self.field_value(field, world) for field in names]
        for field, value in zip(names, values, strict=True):
            name = field.name if isinstance(field, Assignment) else field.s.partition("=")[0].removesuffix("+")
            if not NAMED.fullmatch(name):
                if isinstance(field, Text) and self.names_unknown(field):
                    self.unread(world, f"what {self.unknowns.display(field.s)} names", field.first_origin)
                continue
            below = at_the_bottom(world, name) if "g" in flags else None
            if local:
                make_local(world, name)
            elif below is not None:
                exchange(world, name, below)
            self.declare_one(name, field, value, flags, command, exported, world)
            if below is not None:
                exchange(world, name, below)
        return 0

    def names_unknown(self, field: Text) -> bool:
        """Whether a word that should be NAME=VALUE is itself unknown, as in `export $(cat .env)`."""
        return any(piece.kind is not Kind.KNOB for piece in self.unknowns.pieces(field.s.partition("=")[0]))

    def field_value(self, field: Field, world: World) -> Text | None:
        """The expanded value of `NAME=value`; None if there is none, or it is of an array or an element."""
        if isinstance(field, Assignment):
            if field.index is not None or isinstance(field.value, Array):
                return None
            return self.assigned_text(field.value, world)
        if "=" not in field.s:
            return None
        return field.slice(field.s.index("=") + 1, len(field.s)) if not field.s.endswith("=") else EMPTY

    def declare_one(
        self, name: str, field: Field, value: Text | None, flags: str, command: str, exported: bool, world: World
    ) -> None:
        """One name of a declaration, with its attributes and its value."""
        attributes = "".join(c for c in flags if c in "ilun" and "+" + c not in flags)
        if "A" in flags:
            attributes += "A"
        elif "a" in flags:
            attributes += "a"
        if command == "export" and "n" in flags:
            self.export(world, name, False)
            return
        if attributes:
            old = world.variables.get(name, Variable())
            merged = "".join(dict.fromkeys(old.attributes + attributes))
            items = old.items if old.items is not None or not set("Aa") & set(attributes) else {}
            world.variables[name] = old._replace(attributes=merged, items=items)
        if isinstance(field, Assignment):
            self.apply(field, world, exported, value)
        elif value is not None:
            self.assigned.add(name)
            self.assign(world, name, value, field.s.partition("=")[0].endswith("+"), exported)
        elif command in ("declare", "typeset", "local") and name not in world.variables:
            self.assigned.add(name)
        if exported:
            self.export(world, name, True)
        elif "+x" in flags:
            self.export(world, name, False)
        constant = command == "readonly" or ("r" in flags and "+r" not in flags)
        if exported or constant:
            mark_staying(world, name)
        if constant:
            old = world.variables.get(name, Variable())
            world.variables[name] = old._replace(attributes=old.attributes.replace("r", "") + "r")

    def unset_builtin(self, words: list[Text], world: World, node: Simple) -> Result:
        """`unset NAME`, `unset NAME[key]`, `unset -f NAME`."""
        functions = False
        for word in words:
            if word.s.startswith("-"):
                functions = "f" in word.s
            elif functions:
                world.functions = {k: v for k, v in world.functions.items() if k != word.s}
            elif "[" in word.s:
                name, _, key = word.s.rstrip("]").partition("[")
                variable = world.variables.get(name)
                if variable is not None and variable.items is not None:
                    number = None if "A" in variable.attributes else self.number(Text.of(key), world)
                    removed = (
                        key
                        if number is None
                        else str(
                            number if number >= 0 else max((int(k) for k in variable.items), default=-1) + 1 + number
                        )
                    )
                    items = {k: v for k, v in variable.items.items() if str(k) != removed}
                    world.variables[name] = variable._replace(items=items)
            else:
                self.unset(world, word.s)
        return 0

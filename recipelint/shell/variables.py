"""Variables and special parameters: what they are, and setting them."""

from __future__ import annotations

from recipelint.record import NamedTuple
from recipelint.shell.numbers import whole
from recipelint.shell.scopes import uncover
from recipelint.shell.session import Session
from recipelint.shell.state import Environment, Items, Variable, World
from recipelint.shell.status import AsShipped, Status, Undecided
from recipelint.shell.text import ASSIGNED, Origin, Text, join
from recipelint.shell.unknown import Kind, Unknown

DYNAMIC = frozenset(
    ("RANDOM", "SRANDOM", "SECONDS", "LINENO", "BASHPID", "PPID", "EPOCHSECONDS", "EPOCHREALTIME", "BASH_VERSION")
)
LISTS = frozenset(("BASH_SOURCE", "FUNCNAME", "PIPESTATUS"))
"""Arrays of the shell's own."""
PLACES = frozenset(("PWD", "OLDPWD"))
IFS = " \t\n"


class Value(NamedTuple):
    """What a name holds: `text` is None if it is unset; `knob` if only the user could set it."""

    text: Text | None
    knob: bool = False


class Variables(Session):
    """Reading and writing names in a world."""

    # What later links of the chain provide.
    def number(self, text: Text, world: World, needs: set[str] | None = None) -> int | None:
        raise NotImplementedError

    def read(self, world: World, name: str, origin: Origin | None) -> Value:
        """The value of NAME or of a one-character special parameter other than `@` and `*`."""
        found = world.variables.get(name)
        if found is not None:
            if "n" in found.attributes and found.value is not None and found.value.s != name:
                return self.read(world, found.value.s, origin)
            return Value(found.scalar)
        if name[0].isdecimal():
            return self.argument(world, whole(name), origin)
        if not (name[0].isalpha() or name[0] == "_") or name == "_":
            return Value(self.special(world, name, origin))
        if name in world.given:
            return Value(self.variable(name, Kind.REQUIRED, origin))
        if name == "IFS":
            return Value(Text.of(IFS))
        if name in LISTS:
            return Value(next(iter(self.list_items(world, name, origin)), None))
        if name in PLACES:
            path = world.cwd if name == "PWD" else None
            return Value(
                self.place("${" + name + "}", path, name, origin) if path is not None else self.machine(name, origin)
            )
        if name in DYNAMIC or self.commands.is_machine_variable(name):
            return Value(self.machine(name, origin))
        return Value(None, knob=name not in self.assigned)

    def machine(self, name: str, origin: Origin | None) -> Text:
        """A variable that the machine provides."""
        return self.variable(name, Kind.MACHINE, origin)

    def argument(self, world: World, number: int, origin: Origin | None) -> Value:
        """`$1`, `$2` and so on; the launcher's own are knobs."""
        if number == 0:
            return Value(world.name or self.machine("0", origin))
        if number <= len(world.arguments):
            return Value(world.arguments[number - 1])
        if world.top and str(number) in world.given:
            return Value(self.variable(str(number), Kind.REQUIRED, origin))
        return Value(None, knob=world.top)

    def special(self, world: World, name: str, origin: Origin | None) -> Text:
        """`$#`, `$?`, `$-` and those that only a run would tell."""
        if name == "#":
            if world.top and not world.arguments:
                return self.unknown(Unknown("${#}", Kind.KNOB, "#", shipped="0"), origin)
            if any(self.is_many(argument) for argument in world.arguments):
                return self.derived("${#}", origin)
            return Text.of(str(len(world.arguments)))
        if name == "?":
            return self.status_text("${?}", world.status, origin)
        if name == "-":
            return Text.of("hB")
        return self.machine(name, origin)

    def status_text(self, label: str, status: Status, origin: Origin | None) -> Text:
        """A status as `$?` has it."""
        if isinstance(status, Undecided):
            return self.derived(label, origin, (status.key, status.negated))
        return Text.of(str(int(not status.value) if isinstance(status, AsShipped) else status))

    def list_items(self, world: World, name: str, origin: Origin | None) -> list[Text]:
        """The elements of one of LISTS."""
        if name == "BASH_SOURCE":
            return self.sources[-1:]
        if name == "PIPESTATUS":
            label = "${PIPESTATUS}" if world.pipe else "${?}"
            return [self.status_text(label, status, origin) for status in world.pipe or (world.status,)]
        in_function = any(one not in ("main", "source") for one in self.running)
        return [Text.of(one) for one in reversed(self.running)] if in_function else []

    def is_many(self, text: Text) -> bool:
        """Whether the text may be no word, or several."""
        return not text.known and any(piece.many for piece in self.unknowns.pieces(text.s))

    def target(self, world: World, name: str) -> str:
        """The variable that a name stands for: itself, or what a nameref (`declare -n`) refers to."""
        for _ in range(8):
            found = world.variables.get(name)
            if found is None or "n" not in found.attributes or found.value is None or found.value.s == name:
                break
            name = found.value.s
        return name

    def assign(self, world: World, name: str, value: Text, append: bool = False, exported: bool = False) -> None:
        """NAME=value or NAME+=value; the new text is that of an assignment."""
        name = self.target(world, name)
        old = world.variables.get(name)
        value = Text(self.unknowns.single(value.s), value.runs).replace_kind(ASSIGNED)
        if append and old is not None and old.scalar is not None and "i" not in old.attributes:
            value = self.checked_size(join([old.scalar, value]))
        self.charge(len(value.s))
        attributes = old.attributes if old else ""
        if "r" in attributes:
            return  # bash says so, and keeps the old value
        if attributes:
            value = self.with_attributes(attributes, value, old.scalar if append and old else None, world)
        is_exported = exported or (old is not None and old.exported) or "a" in world.options
        if old is not None and old.items is not None:
            first: int | str = "0" if "A" in attributes else 0
            world.variables[name] = old._replace(items={**old.items, first: value}, given=False)
        else:
            world.variables[name] = Variable(value, None, is_exported, False, attributes)

    def with_attributes(self, attributes: str, value: Text, old: Text | None, world: World) -> Text:
        """The value as `declare -i`, `-l` or `-u` stores it."""
        if "i" in attributes:
            numbers = [self.number(text, world) for text in (value, old) if text is not None]
            if any(number is None for number in numbers):
                return self.derived("${(…)}", None, (value.s, old.s if old else None))
            return value.with_runs(str(sum(number or 0 for number in numbers)))
        if not value.known:
            return value
        if "l" in attributes:
            return value.with_runs(value.s.lower())
        return value.with_runs(value.s.upper()) if "u" in attributes else value

    def assign_array(self, world: World, name: str, items: Items, attributes: str = "") -> None:
        """NAME=(…): all elements anew."""
        if len(items) > 20_000:
            self.steps += len(items)
            self.step(None)
        old = world.variables.get(name)
        kind = attributes or ("A" if old is not None and "A" in old.attributes else "a")
        world.variables[name] = Variable(None, items, old.exported if old else False, False, kind)

    def assign_element(self, world: World, name: str, key: int | str, value: Text, append: bool) -> None:
        """NAME[key]=value."""
        old = world.variables.get(name)
        if old is not None and "A" in old.attributes:
            key = str(key)
        value = Text(self.unknowns.single(value.s), value.runs).replace_kind(ASSIGNED)
        items: Items
        if old is None:
            items = {}
        elif old.items is None:
            items = {} if old.value is None else {0: old.value}
        else:
            items = dict(old.items)
        if append and key in items:
            value = join([items[key], value])
        items[key] = value
        ordered = items if isinstance(key, str) else dict(sorted(items.items()))
        base = old or Variable(attributes="a")
        world.variables[name] = base._replace(value=None, items=ordered, given=False)

    def unset(self, world: World, name: str) -> None:
        """`unset NAME`: it is no knob from then on, and a command does not get what the environment gave."""
        self.assigned.add(name)
        if uncover(world, name):
            return
        old = world.variables.pop(name, None)
        if old is None or old.given:
            world.removed |= {name}

    def export(self, world: World, name: str, on: bool) -> None:
        """`export NAME` and `export -n NAME`. A name that is not set is exported once it is."""
        old = world.variables.get(name)
        if old is not None:
            world.variables[name] = old._replace(exported=on)
        elif on:
            value = self.read(world, name, None)
            if value.text is None:
                world.variables[name] = Variable(None, None, True)
                if value.knob:
                    del world.variables[name]

    def environment(self, world: World) -> Environment:
        """What a command gets: the exported variables, arrays left out, as bash does.

        A local that is not exported, or has no value, hides an exported one from the shell, not from its commands.
        """
        found = {
            name: variable.value
            for name, variable in world.variables.items()
            if variable.exported and variable.value is not None
        }
        for frame in reversed(world.frames):
            for name, hidden in frame.items():
                if hidden is not None and hidden.exported and hidden.value is not None:
                    found.setdefault(name, hidden.value)
        return found

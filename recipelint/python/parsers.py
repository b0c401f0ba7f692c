"""A parser under construction: what argparse would hold after each call, flag by flag.

It refuses what argparse refuses, by raising Refused: the trainer would end there, which is not for this module to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recipelint.python.schema import SUPPRESS, UNKNOWN, Flag, Literal, Unread
from recipelint.python.values import Class, DictValue, ListValue, Module, Names, Value, frozen
from recipelint.source import Location

SWITCHES: Mapping[str, tuple[Literal, Literal]] = {
    "store_true": (True, False),
    "store_false": (False, True),
    "count": (None, None),
    "version": (None, SUPPRESS),
    "help": (None, SUPPRESS),
    "boolean_optional": (None, None),
}
"""Actions without a value: their const, and the default where none is given."""
VALUED = ("store", "append", "extend")
CONSTANT = ("store_const", "append_const")
MAY_BE_ABSENT = ("?", "*", "...", SUPPRESS)


class Refused(Exception):
    """What argparse would not take."""


class Option:
    """A flag that may still change."""

    def __init__(self, names: list[str], dest: str, action: str, location: Location) -> None:
        self.names = names
        self.dest = dest
        self.action = action
        self.location = location
        self.type: str | None = None
        self.nargs: int | str | None = None
        self.const: Value = None
        self.default: Value = None
        self.choices: Value = None
        self.required = False
        self.positional = False
        self.open = False
        self.exclusive: str | None = None

    def frozen(self) -> Flag:
        return Flag(
            tuple(self.names),
            self.dest,
            self.action,
            self.type,
            self.nargs,
            frozen(self.const),
            frozen(self.default),
            choices_of(self.choices),
            self.required,
            self.location,
            self.positional,
            self.open,
            self.exclusive,
        )


class Parser:
    """An ArgumentParser. `reasons` says, in the order in which they came up, why it is not known in full."""

    def __init__(self, depth: int, location: Location, prefix_chars: str = "-") -> None:
        self.depth = depth
        self.location = location
        self.prefix_chars = prefix_chars
        self.options: list[Option] = []
        self.by_name: dict[str, Option] = {}
        self.defaults: dict[str, Value] = {}
        self.argument_default: Value = None
        self.resolves = False
        self.allow_abbrev = True
        self.reasons: dict[str, None] = {}
        self.subcommands: dict[str, Parser] = {}
        self.groups = 0
        self.main = True
        self.level = 0
        self.cls: Class | None = None
        self.names: Names = {}
        self.home: Module | None = None

    def add(self, option: Option) -> None:
        """Take in an option; one of the same name makes way if the parser resolves conflicts."""
        for name in [] if option.positional else list(option.names):
            other = self.by_name.get(name)
            if other is not None:
                if not self.resolves:
                    raise Refused(f"{name} is there already")
                other.names.remove(name)
                if not other.names:
                    self.options.remove(other)
            self.by_name[name] = option
        self.options.append(option)

    def set_defaults(self, values: Mapping[str, Value]) -> None:
        """Change the defaults of what is there, and of what will come."""
        self.defaults.update(values)
        for option in self.options:
            if option.dest in values:
                option.default = values[option.dest]

    def default_of(self, dest: str) -> Value:
        """The default of an option that gives none itself; raises KeyError where argparse has no opinion."""
        if dest in self.defaults:
            return self.defaults[dest]
        if self.argument_default is not None:
            return self.argument_default
        raise KeyError(dest)

    def adopt(self, parent: Parser) -> None:
        """Take over the options and defaults of a parent; they stay shared, as argparse does it."""
        names: dict[str | None, str | None] = {None: None}
        for option in parent.options:
            if option.exclusive not in names:
                names[option.exclusive] = self.new_group()
            if option.exclusive is not None:
                option.exclusive = names[option.exclusive]
            self.add(option)
        self.defaults.update(parent.defaults)
        self.reasons.update(parent.reasons)
        parent.main = False

    def new_group(self) -> str:
        self.groups += 1
        return f"group {self.groups}"


class Group:
    """An argument group of a parser; `exclusive` is its mark if it is a mutually exclusive one."""

    def __init__(self, parser: Parser, exclusive: str | None) -> None:
        self.parser = parser
        self.exclusive = exclusive


class Subparsers:
    """What `add_subparsers` gives: parsers by name, and the positional that chooses one."""

    def __init__(self, parser: Parser, option: Option) -> None:
        self.parser = parser
        self.option = option


def option_of(
    parser: Parser, words: Sequence[str], given: Mapping[str, Value], action: str, type_: str | None, location: Location
) -> Option:
    """The option that `add_argument` makes of its words and keywords; raises Refused."""
    if words and not all(words):
        raise Refused("a flag has an empty name")
    positional = not words or (len(words) == 1 and words[0][0] not in parser.prefix_chars)
    dest = given.get("dest")
    if positional:
        if words and "dest" in given:
            raise Refused("dest is given twice for a positional")
        dest = words[0] if words else dest
        names = [dest] if isinstance(dest, str) else []
    else:
        names = list(dict.fromkeys(words))
        if any(word[0] not in parser.prefix_chars for word in words):
            raise Refused("a flag starts with none of the prefix characters")
        if dest is None:
            long = [word for word in words if word[1:2] and word[1] in parser.prefix_chars]
            dest = (long or list(words))[0].lstrip(parser.prefix_chars).replace("-", "_")
    if not isinstance(dest, str) or not dest:
        raise Refused("the name that a flag is stored under is not known")
    if action == "boolean_optional":
        names = [word for name in names for word in (name, *(["--no-" + name[2:]] if name.startswith("--") else []))]
    option = Option(names, dest, action, location)
    option.positional = positional
    option.type = type_
    _values(option, parser, given)
    return option


def _values(option: Option, parser: Parser, given: Mapping[str, Value]) -> None:
    """Set const, default, nargs, choices and required as the action does."""
    action = option.action
    const, default = SWITCHES.get(action, (None, None))
    option.const = given.get("const", const) if action in (*VALUED, *CONSTANT, "custom") else const
    if "default" in given:
        option.default = given["default"]
    else:
        try:
            option.default = parser.default_of(option.dest)
        except KeyError:
            option.default = default
    if action in SWITCHES or action in CONSTANT:
        option.nargs = 0
    else:
        nargs = given.get("nargs")
        option.open = not (nargs is None or isinstance(nargs, str | int))
        option.nargs = None if option.open else nargs
        if action in VALUED and option.nargs == 0:
            raise Refused("nargs is 0")
        if action in VALUED and option.const is not None and option.nargs != "?" and not option.open:
            raise Refused("const without nargs='?'")
    option.choices = given.get("choices") if action not in SWITCHES or action == "boolean_optional" else None
    if option.nargs in ("...", "A..."):
        option.choices = None  # argparse does not check them, or the first word alone
    if option.positional:
        option.required = option.nargs not in MAY_BE_ABSENT and not option.open
    else:
        required = given.get("required", False)
        known = isinstance(required, str | int | None)
        option.required = known and bool(required)
        option.open = option.open or not known


def choices_of(value: Value) -> tuple[Literal, ...] | Unread | None:
    """The choices as a tuple; a mapping's are its keys. A text's are no list: any piece of it is one."""
    if value is None:
        return None
    if isinstance(value, DictValue) and value.known:
        value = ListValue(list(value.items), value.depth)
    if isinstance(value, str) or (isinstance(value, ListValue | DictValue) and not value.known):
        return UNKNOWN
    items: Any = frozen(value)
    if not isinstance(items, tuple) or any(item is UNKNOWN for item in items):
        return UNKNOWN
    return items

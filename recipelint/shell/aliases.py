"""Aliases, which bash puts in the place of a command's first word when it reads the command.

A script has them only after `shopt -s expand_aliases`, and only in commands that are read after the definition: on a
later line, and not in a function or loop that begins before it. Where that cannot be told it is said.
"""

from __future__ import annotations

from recipelint.lazily import regex
from recipelint.record import NamedTuple
from recipelint.shell.declarations import Result
from recipelint.shell.flow import Flow
from recipelint.shell.nodes import Simple, Unit
from recipelint.shell.session import Trouble
from recipelint.shell.state import World
from recipelint.shell.text import EMPTY, Text, join
from recipelint.shell.words import Word

FIRST_WORD = regex(r"[ \t]*([^\s|&;()<>'\"\\$`]+)(?=[\s|&;()<>]|\Z)")
OPTION = "expand_aliases"


class Alias(NamedTuple):
    """A definition: where it stands, and how many texts had been read before it was met."""

    value: Text
    unit: Unit
    end: int
    read: int


class Aliases(Flow):
    """`alias`, `unalias`, and what stands for an alias."""

    # What a later link of the chain provides.
    def same_unit(self, unit: Unit) -> Unit:
        raise NotImplementedError

    def alias(self, words: list[Text], world: World, node: Simple) -> Result:
        """`alias NAME=VALUE …`."""
        for word in words:
            name, equals, _ = word.s.partition("=")
            if equals:
                value = word.slice(len(name) + 1, len(word.s)) if len(word.s) > len(name) + 1 else EMPTY
                found = Alias(value, node.unit, node.end, len(self.units))
                world.aliases = {**world.aliases, name: found}
        if not all("=" in word.s for word in words) or not words:
            self.write(world, None, node)
        return 0

    def unalias(self, words: list[Text], world: World, node: Simple) -> Result:
        gone = {word.s for word in words}
        world.aliases = {k: v for k, v in world.aliases.items() if k not in gone and "-a" not in gone}
        return 0

    def unaliased(self, node: Simple, world: World) -> Text | None:
        """The command of NODE after its aliases; None where it has none."""
        word = node.words[0]
        if not isinstance(word, Word) or OPTION not in world.options:
            return None
        name = node.unit.text.s[word.start : word.end]
        found = world.aliases.get(name)
        if found is None or name in self.expanded.get(node.unit, ()):
            return None
        active = self.is_read_later(node, found)
        if active is False:
            return None
        if active is None or any(redirection.body is not None for redirection in node.redirections):
            origin = node.unit.origin(node.start, node.end) or self.here
            self.trouble(Trouble("SH001", f"the alias {name} is not followed here", origin))
            return None
        rest, names = node.unit.slice(word.end, node.end), {name, *self.expanded.get(node.unit, ())}
        value = self.without_aliases(found.value, names, world)
        while value.s[-1:] in (" ", "\t"):
            m = FIRST_WORD.match(rest.s)
            after = world.aliases.get(m[1]) if m else None
            if m is None or after is None:
                break
            value = join([value, self.without_aliases(after.value, names | {m[1]}, world)])
            rest = rest.slice(m.end(), len(rest.s)) if m.end() < len(rest.s) else EMPTY
        before = node.unit.slice(node.start, word.start) if word.start > node.start else EMPTY
        text = join([before, value, rest])
        self.expanded[self.same_unit(Unit(text))] = frozenset(names)
        return text

    def without_aliases(self, value: Text, names: set[str], world: World) -> Text:
        """A value whose own first word is another alias; NAMES are those that stand for themselves by now."""
        m = FIRST_WORD.match(value.s)
        found = world.aliases.get(m[1]) if m and m[1] not in names else None
        if m is None or found is None:
            return value
        names.add(m[1])
        inner = self.without_aliases(found.value, names, world)
        return join([inner, value.slice(m.end(), len(value.s))]) if m.end() < len(value.s) else inner

    def is_read_later(self, node: Simple, found: Alias) -> bool | None:
        """Whether bash reads NODE after the definition; None where that cannot be told."""
        unit = node.unit
        if unit is found.unit and unit.program is not None:
            start = max((c.start for c in unit.program.body.commands if c.start <= node.start), default=0)
            return "\n" in unit.text.s[found.end : start]
        return True if unit in self.units[found.read :] else None

"""Where paths part and meet: branches on a status, joins of equal worlds, and what a launcher needs to go on."""

from __future__ import annotations

from collections.abc import Callable

from recipelint.shell.decisions import assumed, both, either
from recipelint.shell.nodes import Command
from recipelint.shell.processes import Processes
from recipelint.shell.session import MAX_WORLDS
from recipelint.shell.state import Items, Variable, World
from recipelint.shell.status import AsShipped, Undecided, truth
from recipelint.shell.text import DEFAULT
from recipelint.shell.unknown import Kind, Unknown

Continue = Callable[[World], list[World]]


def opposite(text: str) -> str:
    """The text of a condition that holds where TEXT does not."""
    for start in ("! ", "[ ! ", "[[ ! ", "test ! "):
        if text.startswith(start) and not any(operator in text for operator in (" -a ", " -o ", "&&", "||")):
            return start.removesuffix("! ") + text.removeprefix(start)
    return f"not ({text})"


class Control(Processes):
    """Branching and joining."""

    # What later links of the chain provide.
    def run(self, command: Command, world: World) -> list[World]:
        raise NotImplementedError

    def branch(self, world: World, yes: Continue, no: Continue, retest: Command | None) -> list[World]:
        """Go on by the world's status: one way, or both.

        A status that is only as shipped goes its way; if that way ends the script, the launcher wants what is
        missing, and the other way is taken with that one unknown.
        """
        status = world.status
        if isinstance(status, int):
            return yes(world) if status == 0 else no(world)
        if isinstance(status, AsShipped):
            main, other = (yes, no) if status.value else (no, yes)
            reserve, calls = world.fork(), len(self.calls)
            results = main(world)
            if len(self.calls) > calls or not results or not all(r.flow and r.flow[0] == "exit" for r in results):
                return results
            given = self.give(reserve, status, retest)
            return other(given) if given is not None else results
        decision = self.decision(status.key, opposite(status.text) if status.negated else status.text)
        known = False if self.excluded(world, decision) else assumed(world.condition, decision)
        if known is not None:
            return yes(world) if known is not status.negated else no(world)
        holds, fails = world, world.fork()
        holds.condition = both(holds.condition, frozenset({frozenset({(decision, not status.negated)})}))
        fails.condition = both(fails.condition, frozenset({frozenset({(decision, status.negated)})}))
        return yes(holds) + no(fails)

    def excluded(self, world: World, decision: int) -> bool:
        """Whether a world cannot take DECISION: the piece that it asks for is another text wherever the world is."""
        piece, value = self.equalities.get(decision, ("", ""))
        if not piece:
            return False
        others = {one for one, (asked, text) in self.equalities.items() if asked == piece and text != value}
        return bool(others) and all(any((one, True) in term for one in others) for term in world.condition)

    def give(self, world: World, status: AsShipped, retest: Command | None) -> World | None:
        """The world in which the user gives what STATUS needs; None if no number of arguments turns it."""
        for name in sorted(status.needs - {"#"}):
            self.need(name)
        world.given |= status.needs
        self.fill(world, status.needs)
        if "#" not in status.needs:
            world.status = int(status.value)
            return world
        if retest is None:
            return None
        for count in range(1, 10):
            attempt = world.fork()
            attempt.arguments = [self.variable(str(n), Kind.REQUIRED) for n in range(1, count + 1)]
            self.checked += 1
            recording, self.recording = self.recording, False
            results = self.run(retest, attempt)
            self.recording = recording
            self.checked -= 1
            if len(results) == 1 and truth(results[0].status) is (not status.value):
                for n in range(1, count + 1):
                    self.need(str(n))
                return results[0]
        return None

    def fill(self, world: World, names: frozenset[str]) -> None:
        """Put what the user gives into the variables that are empty only because of an empty default for it."""
        for name, variable in list(world.variables.items()):
            value = variable.value
            if value is None or value.s:
                continue
            knob = next((o.knob for _, o in value.runs if o.kind == DEFAULT and o.knob in names), None)
            if knob:
                origin = value.runs[0][1]
                world.variables[name] = variable._replace(value=self.variable(knob, Kind.REQUIRED, origin))

    def merged(self, worlds: list[World]) -> list[World]:
        """The worlds with equal ones joined; beyond the cap, one whose differing variables are unknown."""
        if len(worlds) < 2:
            return worlds
        kept: list[World] = []
        for world in worlds:
            for other in kept:
                if other.same(world):
                    other.condition = either(other.condition, world.condition)
                    other.unread |= world.unread
                    break
            else:
                kept.append(world)
        live = [world for world in kept if world.flow is None]
        if len(live) <= MAX_WORLDS:
            return [
                world for world in kept if world.flow is None or world.flow[0] != "exit" or len(kept) <= 2 * MAX_WORLDS
            ]
        return [*[world for world in kept if world.flow is not None], self.widened(live)]

    def widened(self, worlds: list[World]) -> World:
        """One world for many: a variable that differs is one of its values."""
        first = worlds[0]
        for other in worlds[1:]:
            first.condition = either(first.condition, other.condition)
        for name in sorted({name for world in worlds for name in world.variables}):
            found = [world.variables.get(name) for world in worlds]
            if all(variable == found[0] for variable in found):
                continue
            first.variables[name] = self.one_of(name, found)
        if any(world.status != first.status for world in worlds):
            first.status = 0
        return first

    def one_of(self, name: str, found: list[Variable | None]) -> Variable:
        """A variable that may be any of FOUND."""
        values = [v.value for v in found if v is not None and v.value is not None]
        is_array = any(v is not None and v.items is not None for v in found)
        known = len(values) == len(found) and all(value.known for value in values)
        choices = tuple(dict.fromkeys(value.s for value in values)) if known else ()
        exported = any(v is not None and v.exported for v in found)
        piece = Unknown("${" + name + "}", Kind.DERIVED, name, choices=choices, many=is_array)
        text = self.unknown(piece, None, ("one of", name, choices))
        if is_array:
            return Variable(None, {0: text}, exported, attributes="a")
        return Variable(text, None, exported)

    def havoc(self, head: World, results: list[World]) -> set[str]:
        """The names of the variables that differ between a loop's head and the end of a turn."""
        changed: set[str] = set()
        for result in results:
            for name in result.variables.keys() | head.variables.keys():
                if result.variables.get(name) != head.variables.get(name):
                    changed.add(name)
        return changed

    def forget(self, world: World, names: set[str], origin: object) -> None:
        """Make variables unknown, as after a loop of unknown length; an array keeps what it had, and may grow."""
        for name in sorted(names):  # in an order of its own, so that every run numbers the pieces alike
            old = world.variables.get(name)
            label = "${" + name + "}"
            if old is not None and old.items is not None:
                more = self.unknown(Unknown(label, Kind.DERIVED, name, many=True), None, ("loop", name, origin))
                items: Items = dict(enumerate(old.items.values()))
                items[len(items)] = more
                world.variables[name] = Variable(None, items, old.exported, attributes="a")
            else:
                text = self.unknown(Unknown(label, Kind.DERIVED, name), None, ("loop", name, origin))
                world.variables[name] = Variable(text, None, old.exported if old else False)

    def end_unless(self, world: World) -> None:
        """`set -e` after a command: a failure ends the path, unless it is a condition's."""
        status = world.status
        if self.checked or "e" not in world.options or world.flow is not None:
            return
        if isinstance(status, Undecided):
            # The path on which it fails ends here.
            world.status = 0
        elif isinstance(status, AsShipped):
            if not status.value:
                given = self.give(world, status, None) if "#" not in status.needs else None
                if given is not None:
                    world.status = 0
                else:
                    world.flow = ("exit", 0)
        elif status != 0:
            world.flow = ("exit", 0)

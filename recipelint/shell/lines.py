"""Runs a program as bash reads it, line by line: what drops a line or the rest of a file, and a launch with it.

An arithmetic expression that bash refuses ends neither the script nor `set -e`: the rest of the whole line or compound
command around it is dropped, its status is 1, and the next line runs.
"""

from __future__ import annotations

from recipelint.lazily import regex
from recipelint.shell.arithmetic import Refused
from recipelint.shell.decisions import both
from recipelint.shell.nodes import Command, Function, Sequence, Simple, Unit, Unreadable
from recipelint.shell.session import Trouble
from recipelint.shell.state import World
from recipelint.shell.subshells import Subshells
from recipelint.shell.unknown import Kind, Unknown

DROPPED = ("dropped", 0)
MAX_KEPT = 2_000
"""Variables of a world that is kept for a second way; to copy more than that for every line would take too long."""
WORD = regex(r"[^\s;&|()<>\"'`$]+")


class Lines(Subshells):
    """Programs by their lines."""

    # What later links of the chain provide.
    def sequence(self, body: Sequence, world: World) -> list[World]:
        raise NotImplementedError

    def lines(self, body: Sequence, unit: Unit, world: World) -> list[World]:
        """Run a program's commands; equal worlds join after each."""
        if "$((" not in unit.text.s and not self.calculating:
            return self.sequence(body, world)
        worlds, last = [world], len(body.commands) - 1
        for at, command in enumerate(body.commands):
            following: list[World] = []
            for current in worlds:
                following += self.run_line(command, unit, current) if current.flow is None else [current]
            worlds = self.merged(following)
            ends = at == last or "\n" in unit.text.s[command.end : body.commands[at + 1].start]
            for current in worlds:
                if ends and current.flow == DROPPED:
                    current.flow = None
            if all(current.flow not in (None, DROPPED) for current in worlds):
                break
        return worlds

    def calculates(self, text: str) -> bool:
        """Whether a stretch has an arithmetic expansion, or may call a function that has one."""
        return "$((" in text or not self.calculating.isdisjoint(WORD.findall(text) if self.calculating else ())

    def define(self, function: Function, world: World) -> None:
        """Define a function."""
        world.functions = {**world.functions, function.name: function}
        if self.calculates(function.unit.text.s[function.start : function.end]):
            self.calculating.add(function.name)

    def run_line(self, command: Command, unit: Unit, world: World) -> list[World]:
        """Run one command of a program. If it is dropped for want of a knob, and a launch with it, it runs with that
        one unknown, as a script does that would end."""
        if len(world.variables) > MAX_KEPT or not self.calculates(unit.text.s[command.start : command.end]):
            return self.run(command, world)
        reserve, attempts, dropped = world.fork(), self.attempts, self.dropped
        results = self.run(command, world)
        if self.dropped == dropped or self.attempts > attempts or self.tolerant:
            return results
        self.tolerant = True
        others = self.run(command, reserve)
        self.tolerant = False
        return others if self.attempts > attempts else results

    def drop(self, command: Command, world: World, refused: Refused) -> list[World]:
        """Drop a command with an arithmetic expression that bash refuses, and all that is left of its line."""
        world.status, world.pipe, world.flow = 1, (), DROPPED
        for name in sorted(refused.needs):
            self.need(name)
        self.dropped += bool(refused.needs)
        if refused.needs and isinstance(command, Simple) and not command.words and len(command.assignments) == 1:
            (assignment,) = command.assignments
            if assignment.index is None and assignment.name not in world.variables:
                piece = Unknown("${(…)}", Kind.KNOB, min(refused.needs))  # empty as shipped, and the user's to give
                self.assign(world, assignment.name, self.unknown(piece, self.here, (command.unit, command.start)))
        return [world]

    def unreadable(self, node: Unreadable, world: World) -> list[World]:
        """Tell the trouble. Bash ends a script that it cannot read on; what follows would run if it could."""
        origin = node.unit.origin(node.start, node.end) or self.here
        code = "SH002" if node.reason.startswith("budget: ") else "SH001"
        self.trouble(Trouble(code, node.reason.removeprefix("budget: "), origin))
        world.status = 2
        whole = node.unit.source is self.root
        if not node.recovered:
            # A text or a file that is sourced ends alone.
            world.flow = ("exit", 0) if whole else None
            return [world]
        going = world.fork()
        going.status = 0
        going.unread |= {f"a statement, line {origin.source.line_number(origin.start)}"} if origin.source else set()
        line = origin.source.line_number(origin.start) if origin.source is not None else 0
        decision = self.decision(f"readable {origin}", f"bash can read line {line}")
        going.condition = both(going.condition, frozenset({frozenset({(decision, True)})}))
        world.condition = both(world.condition, frozenset({frozenset({(decision, False)})}))
        world.flow = ("exit", len(node.unit.text.s)) if whole else ("return", 0)
        return [world, going]

"""Runs a program as bash reads it, line by line: what drops a line, and what that means for a launch on it.

An arithmetic expression that bash refuses ends neither the script nor `set -e`: the rest of the whole line or compound
command around it is dropped, its status is 1, and the next line runs.
"""

from __future__ import annotations

from recipelint.shell.arithmetic import Refused
from recipelint.shell.nodes import Command, Sequence, Simple, Unit
from recipelint.shell.state import World
from recipelint.shell.subshells import Subshells
from recipelint.shell.unknown import Kind, Unknown

DROPPED = ("dropped", 0)


class Lines(Subshells):
    """Programs by their lines."""

    # What later links of the chain provide.
    def sequence(self, body: Sequence, world: World) -> list[World]:
        raise NotImplementedError

    def lines(self, body: Sequence, unit: Unit, world: World) -> list[World]:
        """Run a program's commands; equal worlds join after each."""
        self.calculates = self.calculates or "$((" in unit.text.s
        if not self.calculates:
            return self.sequence(body, world)
        worlds, last = [world], len(body.commands) - 1
        for at, command in enumerate(body.commands):
            following: list[World] = []
            for current in worlds:
                following += self.run_line(command, current) if current.flow is None else [current]
            worlds = self.merged(following)
            ends = at == last or "\n" in unit.text.s[command.end : body.commands[at + 1].start]
            for current in worlds:
                if ends and current.flow == DROPPED:
                    current.flow = None
            if all(current.flow not in (None, DROPPED) for current in worlds):
                break
        return worlds

    def run_line(self, command: Command, world: World) -> list[World]:
        """Run one command of a program. If it is dropped for want of a knob, and a launch with it, it runs with that
        one unknown, as a script does that would end."""
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

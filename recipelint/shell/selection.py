"""`if` and `case`: the arms that a world takes.

Where a condition is undecided, every arm that it may choose is taken, each in a world of its own.
"""

from __future__ import annotations

from recipelint.shell.compounds import Case, If
from recipelint.shell.control import Control
from recipelint.shell.nodes import Sequence
from recipelint.shell.state import World
from recipelint.shell.status import AsShipped, Status, combined
from recipelint.shell.text import Text
from recipelint.shell.words import Literal, Word


class Selection(Control):
    """Arms by their conditions."""

    # What later links of the chain provide.
    def sequence(self, body: Sequence, world: World) -> list[World]:
        raise NotImplementedError

    def condition(self, body: Sequence, world: World) -> list[World]:
        """Run commands whose failure ends nothing."""
        self.checked += 1
        results = self.sequence(body, world)
        self.checked -= 1
        return results

    def if_command(self, node: If, world: World) -> list[World]:
        """`if … elif … else … fi`."""
        return self.merged(self.if_arm(node, 0, world))

    def if_arm(self, node: If, at: int, world: World) -> list[World]:
        """The arms from the AT-th on."""
        if at == len(node.arms):
            if node.otherwise is not None:
                return self.sequence(node.otherwise, world)
            world.status = 0
            return [world]
        condition, body = node.arms[at]
        out: list[World] = []
        for found in self.condition(condition, world):
            if found.flow is not None:
                out.append(found)
                continue
            out += self.branch(
                found,
                lambda w: self.sequence(body, w),
                lambda w: self.if_arm(node, at + 1, w),
                condition,
            )
        return out

    def case_command(self, node: Case, world: World) -> list[World]:
        """`case … esac`. Where no arm leads to a launch because nobody gives the word, it is taken as given."""
        calls, reserve = len(self.calls), world.fork()
        needs: set[str] = set()
        text = self.word_text(node.word, world)
        results = self.merged(self.case_arm(node, 0, text, world, needs))
        ended = bool(results) and all(r.flow and r.flow[0] == "exit" for r in results)
        if not needs or not ended or len(self.calls) > calls:
            return results
        # Every arm that the launcher offers is a way on, once the user gives the word.
        for name in sorted(needs - {"#"}):
            self.need(name)
        reserve.given |= needs
        self.fill(reserve, frozenset(needs))
        return self.merged(self.case_arm(node, 0, self.word_text(node.word, reserve), reserve, set()))

    def case_arm(self, node: Case, at: int, text: Text, world: World, needs: set[str]) -> list[World]:
        """The arms from the AT-th on; NEEDS takes the knobs that the choice hangs on."""
        if at == len(node.arms):
            world.status = 0
            return [world]
        patterns = node.arms[at][0]
        where = node.unit.text.s[node.word.start : node.word.end]
        status: Status = 1
        for word in patterns:
            pattern = self.pattern(word.parts, world, extended=is_extended(word))
            said = f"{where} = {node.unit.text.s[patterns[0].start : patterns[-1].end]}"
            one = self.like(text, pattern, world, said)
            status = combined("or", status, one, said)
        if isinstance(status, AsShipped):
            needs.update(status.needs)
            status = int(not status.value)
        world.status = status

        def chosen(w: World) -> list[World]:
            return self.case_body(node, at, text, w, needs)

        return self.branch(world, chosen, lambda w: self.case_arm(node, at + 1, text, w, needs), None)

    def case_body(self, node: Case, at: int, text: Text, world: World, needs: set[str]) -> list[World]:
        """The commands of an arm, and of those that `;&` and `;;&` let it fall into."""
        _, body, end = node.arms[at]
        world.status = 0
        results = self.sequence(body, world)
        if end == ";;" or at + 1 >= len(node.arms):
            return results
        out: list[World] = []
        for result in results:
            if result.flow is not None:
                out.append(result)
            elif end == ";&":
                out += self.case_body(node, at + 1, text, result, needs)
            else:
                out += self.case_arm(node, at + 1, text, result, needs)
        return out


def is_extended(word: Word) -> bool:
    """Whether a pattern has a group as it is written: bash reads it after `shopt -s extglob` only."""
    return any(isinstance(part, Literal) and not part.quoted and "(" in part.text.s for part in word.parts)

"""Loops: unrolled over known data to a cap; else one turn with what the loop changes unknown.

A loop always ends: past the cap the launcher's evaluation does.
"""

from __future__ import annotations

from recipelint.shell.compounds import ArithmeticCommand, For, ForArithmetic, While
from recipelint.shell.decisions import Condition, both
from recipelint.shell.nodes import Sequence
from recipelint.shell.selection import Selection
from recipelint.shell.session import MAX_TURNS, BudgetExhausted
from recipelint.shell.state import World
from recipelint.shell.status import AsShipped, Undecided
from recipelint.shell.text import LOOP, Text
from recipelint.shell.unknown import Kind, Unknown


class Loops(Selection):
    """for, while, until and select, and `((…))`."""

    def turn(self, body: Sequence, world: World) -> tuple[list[World], list[World]]:
        """One turn of a loop: the worlds that go on, and those that leave it."""
        going, leaving = list[World](), list[World]()
        for result in self.sequence(body, world):
            flow = result.flow
            if flow is None:
                going.append(result)
            elif flow[0] in ("break", "continue"):
                outer = flow[1] > 1
                result.flow = (flow[0], flow[1] - 1) if outer else None
                (going if flow[0] == "continue" and not outer else leaving).append(result)
            else:
                leaving.append(result)
        return going, leaving

    def for_command(self, node: For, world: World) -> list[World]:
        """`for` and `select`: an item that may be several words is a turn that may be many, or none."""
        if node.words is None:
            items = list(world.arguments)
        else:
            globs = "f" not in world.options
            found = self.patterned(node.words, world)
            items = [self.globbed(item) if globs and pattern else item for item, pattern in found]
        active, done = [world], list[World]()
        for count, item in enumerate(items):
            self.step(node.unit.origin(node.start, node.start + 3))
            if count >= MAX_TURNS:
                raise BudgetExhausted(f"a loop of more than {MAX_TURNS} turns", self.here)
            following: list[World] = []
            for current in active:
                if self.is_many(item):
                    following += self.uncertain_turns(node.name, item, node.body, current, node.start)
                    continue
                self.assign(current, node.name, item.replace_kind(LOOP))
                going, leaving = self.turn(node.body, current)
                following += going
                done += leaving
            active = self.merged(following)
            if not active:
                break
        for left in active:
            if not items:
                left.status = 0
        return self.merged(active + done)

    def globbed(self, item: Text) -> Text:
        """A pattern as what it stands for: files, none or several, nobody knows which."""
        if not item.known or "*" not in item.s:
            return item
        found = self.unknown(Unknown("${file}", Kind.DERIVED, many=True), None, ("glob", item.s))
        return Text(found.s, item.runs[:1] if item.runs and item.runs[0][0] == 1 else found.runs)

    def uncertain_turns(
        self, name: str | None, item: Text | None, body: Sequence, world: World, at: int
    ) -> list[World]:
        """No turn, or one in which all that the loop changes is unknown."""
        self.step(None)
        skipped = world.fork()
        trial = world.fork()
        if name is not None and item is not None:
            self.assign(trial, name, item)
        recording, self.recording = self.recording, False
        before, self.attempts = self.attempts, 0
        going, leaving = self.turn(body, trial)
        launches, self.attempts = self.attempts, before + self.attempts
        self.recording = recording
        changed = self.havoc(skipped, going + [w for w in leaving if w.flow is None])
        if not launches and not leaving:
            # Nothing to see in the loop: only what it leaves behind matters.
            self.forget(skipped, changed, at, going)
            skipped.status = 0
            return [skipped]
        head = world
        self.forget(head, changed - ({name} if name else set()), at, going)
        if name is not None and item is not None:
            self.assign(head, name, item)
        decision = self.decision(f"loop {at} {self.here}", "the loop has a turn")
        head.condition = self.under(head, decision, True)
        skipped.condition = self.under(skipped, decision, False)
        going, leaving = self.turn(body, head)
        for result in going:
            self.forget(result, changed, at, [result])
        results = [*going, *leaving]
        if not changed:
            return self.merged([*results, skipped])
        return self.merged([skipped, *results])

    def under(self, world: World, decision: int, value: bool) -> Condition:
        """The world's condition with one more decision."""
        return both(world.condition, frozenset({frozenset({(decision, value)})}))

    def while_command(self, node: While, world: World) -> list[World]:
        """`while` and `until`. A world that comes back equal turns forever: nothing comes after it."""
        active, done = [world], list[World]()
        heads: list[World] = []
        turns = 0
        while active:
            turns += 1
            if turns > MAX_TURNS:
                raise BudgetExhausted(f"a loop of more than {MAX_TURNS} turns", node.unit.origin(node.start, node.end))
            following: list[World] = []
            for current in active:
                if any(head.same(current) for head in heads[-8:]):
                    continue  # it turns forever: whoever gets past the loop left it by a break
                heads.append(current.fork())
                for found in self.condition(node.condition, current):
                    if found.flow is not None:
                        done.append(found)
                        continue
                    status = found.status
                    if isinstance(status, Undecided):
                        done += self.uncertain_turns(None, None, node.body, found, node.start)
                        continue
                    holds = status.value if isinstance(status, AsShipped) else status == 0
                    if holds is node.until:
                        found.status = 0
                        done.append(found)
                        continue
                    going, leaving = self.turn(node.body, found)
                    following += going
                    done += leaving
            active = self.merged(following)
        if not done:
            world.flow = ("exit", 0)
            return [world]
        return self.merged(done)

    def for_arithmetic(self, node: ForArithmetic, world: World) -> list[World]:
        """`for ((first; condition; step))`."""
        self.number(self.single(node.first, world), world)
        active, done = [world], list[World]()
        turns = 0
        while active:
            turns += 1
            if turns > MAX_TURNS:
                raise BudgetExhausted(f"a loop of more than {MAX_TURNS} turns", node.unit.origin(node.start, node.end))
            following: list[World] = []
            for current in active:
                self.step(None)
                value = self.number(self.single(node.condition, current), current) if node.condition else 1
                if value is None:
                    done += self.uncertain_for(node, current)
                elif value == 0:
                    current.status = 0
                    done.append(current)
                else:
                    going, leaving = self.turn(node.body, current)
                    for one in going:
                        self.number(self.single(node.step, one), one)
                    following += going
                    done += leaving
            active = self.merged(following)
        return self.merged(done)

    def uncertain_for(self, node: ForArithmetic, world: World) -> list[World]:
        """`for ((i = 0; i < UNKNOWN; i++))`: i is unknown as well."""
        trial = world.fork()
        self.number(self.single(node.step, trial), trial)
        self.forget(world, self.havoc(world, [trial]), node.start)
        return self.uncertain_turns(None, None, node.body, world, node.start)

    def arithmetic_command(self, node: ArithmeticCommand, world: World) -> list[World]:
        """`((…))`: success if the value is not 0."""
        needs = set[str]()
        text = self.single(node.expression, world)
        number = self.number(text, world, needs)
        if number is None:
            source = node.unit.text.s[node.start : node.end]
            world.status = Undecided(f"(({text.s}))", source)
        else:
            world.status = AsShipped(number != 0, frozenset(needs)) if needs else int(number == 0)
        world.pipe = ()
        self.end_unless(world)
        return [world]

"""One pass over a log: messages put together for each process, signatures matched, facts and progress kept.

Everything that is kept is capped, whatever the log holds.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from recipelint.logs.lines import Line, wanted
from recipelint.logs.prefixes import Prefixes, Process
from recipelint.logs.recompute import NEEDLES, Message, Tensor, tokens
from recipelint.ruleset.failures import Failure, Logs, Pattern

MOST_FOUND, MOST_TENSORS, MOST_VALUES, MOST_OPEN, MOST_KEPT = 2048, 64, 8, 512, 12
PATIENCE = 2000
"""Lines of other processes after which a message that was begun counts as ended."""
TRIES = 1000
"""Lines in which a fact is looked for; what a log tells of its run it tells early."""
WORK_CAP = 150_000
"""Lines that are looked at; a long one, or one among many signatures that are under way, counts for several."""
CHARACTERS, WAITERS = 128, 16
WRAPPED = 2
"""Lines after its first into which a log may have broken a signature."""


class Mismatch(NamedTuple):
    """A message of PyTorch's comparison, of one process.

    tensors   the first of them
    shown     whether it says of any tensor in what it differs
    counts    the token counts of forward pass and recomputation, if they are what differs
    """

    process: Process
    lines: tuple[Line, ...]
    tensors: tuple[Tensor, ...]
    shown: bool
    counts: tuple[int, int] | None


class Hit(NamedTuple):
    """A signature; `first_step` is whether no step was complete before it, None where the log does not say."""

    failure: str
    process: Process
    lines: tuple[Line, ...]
    details: Mapping[str, str]
    first_step: bool | None


class Open:
    """A message under way."""

    def __init__(self, first: Line, text: str, at: int) -> None:
        self.message = Message()
        self.message.take(text)
        self.lines = [first]
        self.last = at


class Waiting(NamedTuple):
    """A signature that a line has the beginning of, and the text so far."""

    name: str
    expression: Expression
    process: Process
    lines: tuple[Line, ...]
    text: str
    since: int


class Expression:
    """A pattern ready to match."""

    def __init__(self, pattern: Pattern) -> None:
        self.text = pattern.needle
        self.needle = pattern.needle.encode()
        self.then = re.compile(pattern.then)

    def match(self, line: str) -> re.Match[str] | None:
        """What follows the needle at one of its first places in the line."""
        at = -1
        for _ in range(4):
            at = line.find(self.text, at + 1)
            if at < 0:
                return None
            if found := self.then.match(line, at + len(self.text)):
                return found
        return None


class Scan:
    """The state of one pass."""

    def __init__(self, failures: Sequence[Failure], logs: Logs) -> None:
        self.prefixes = Prefixes(logs)
        self.signatures = [(one.name, Expression(pattern)) for one in failures for pattern in one.signatures]
        self.facts = {fact.name: [Expression(pattern) for pattern in fact.patterns] for fact in logs.facts}
        self.progress = [Expression(pattern) for pattern in logs.progress]
        self.values: dict[str, dict[str, None]] = {name: {} for name in self.facts}
        self.tries = dict.fromkeys(self.facts, 0)
        self.started = self.stepped = False
        self.mismatches: list[Mismatch] = []
        self.hits: list[Hit] = []
        self.open: OrderedDict[Process, Open] = OrderedDict()
        self.waiting: list[Waiting] = []
        self.work = 0
        self.partial = ""
        self.needles = self.wanted_needles()

    def wanted_needles(self) -> tuple[bytes, ...]:
        """The words to look for, fewer the more is known."""
        words = [word.encode() for word in NEEDLES] if len(self.mismatches) < MOST_FOUND else []
        words += [one.needle for _, one in self.signatures] if len(self.hits) < MOST_FOUND else []
        words += [
            one.needle
            for name, patterns in self.facts.items()
            if len(self.values[name]) < MOST_VALUES and self.tries[name] < TRIES
            for one in patterns
        ]
        words += [] if self.stepped else [one.needle for one in self.progress]
        return tuple(dict.fromkeys(words))

    def run(self, read: Callable[[int], bytes]) -> None:
        """Read all of a log."""
        lines = wanted(read, lambda: self.needles, lambda: bool(self.open or self.waiting))
        for at, line in enumerate(lines):
            self.work += 1 + len(line.text) // CHARACTERS + len(self.waiting) // WAITERS
            if self.work > WORK_CAP:
                self.partial = f"only the first {line.number - 1} lines were read: too many have to do with failures"
                break
            self.line(line, at)
        for process in [*self.open]:
            self.close(process)

    def line(self, line: Line, at: int) -> None:
        process, text = self.prefixes.split(line.text)
        comment = text.lstrip().startswith("#")
        self.go_on(process, text, line, at)
        if not comment:
            self.signature(process, text.strip(), line, at)
            self.tell(text)

    # --- messages ----------------------------------------------------------------------------------------------------

    def go_on(self, process: Process, text: str, line: Line, at: int) -> None:
        """A line of a message that is under way, or the start of one."""
        under_way = self.open.get(process)
        starts = any(word in text for word in NEEDLES) and Message.start(text) is not None
        if under_way is not None:
            if not (starts and under_way.message.body is not None) and under_way.message.take(text):
                under_way.last = at
                if len(under_way.lines) < MOST_KEPT:
                    under_way.lines.append(line)
                self.open.move_to_end(process)
                return
            self.close(process)
        if starts and len(self.mismatches) < MOST_FOUND:
            self.open[process] = Open(line, text, at)
        while self.open:
            oldest = next(iter(self.open))
            if len(self.open) <= MOST_OPEN and at - self.open[oldest].last <= PATIENCE:
                break
            self.close(oldest)

    def close(self, process: Process) -> None:
        ended = self.open.pop(process)
        if ended.message.body is not None:
            tensors = ended.message.tensors()
            shown = any(tensor.differs != "unknown" for tensor in tensors)
            self.mismatches.append(
                Mismatch(process, tuple(ended.lines), tensors[:MOST_TENSORS], shown, tokens(tensors))
            )
            self.needles = self.wanted_needles()

    # --- signatures --------------------------------------------------------------------------------------------------

    def signature(self, process: Process, text: str, line: Line, at: int) -> None:
        """A signature in this line or, broken, in this one and those of its process before it."""
        still = []
        for one in self.waiting:
            if one.process != process:
                still += [one] if at - one.since <= PATIENCE else []
                continue
            longer = one._replace(lines=(*one.lines, line), text=f"{one.text} {text}")
            if not self.hit(longer) and len(longer.lines) <= WRAPPED:
                still.append(longer)
        self.waiting = still if len(self.hits) < MOST_FOUND else []
        for name, expression in self.signatures if len(self.hits) < MOST_FOUND else ():
            if expression.text in text:
                made = Waiting(name, expression, process, (line,), text, at)
                if not self.hit(made) and len(self.waiting) < MOST_OPEN:
                    self.waiting.append(made)

    def hit(self, one: Waiting) -> bool:
        found = one.expression.match(one.text)
        if found is None:
            return False
        if not any(hit.failure == one.name and hit.lines[0] == one.lines[0] for hit in self.hits[-4:]):
            first = not self.stepped if self.started else None
            details = {key: value for key, value in found.groupdict().items() if value}
            self.hits.append(Hit(one.name, one.process, one.lines, details, first))
            self.needles = self.wanted_needles()
        return True

    # --- facts -------------------------------------------------------------------------------------------------------

    def tell(self, text: str) -> None:
        """What else a line says."""
        for name, patterns in self.facts.items():
            for one in patterns:
                if one.text in text and self.tries[name] < TRIES and len(self.values[name]) < MOST_VALUES:
                    self.tries[name] += 1
                    if found := one.match(text):
                        self.values[name].setdefault(found[1])
                    self.needles = self.wanted_needles()
        for one in () if self.stepped else self.progress:
            if one.text in text and (found := one.match(text)):
                groups = found.groupdict()
                self.started = True
                if "done" not in groups or int(groups["done"]) or int(groups.get("epoch") or 0):
                    self.stepped = True
                    self.needles = self.wanted_needles()
                    break


def named(values: Mapping[str, Mapping[str, None]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The facts that a log tells, with their values in the order in which they were first seen."""
    for name, found in values.items():
        if found:
            yield name, tuple(found)

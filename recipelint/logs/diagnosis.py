"""What a log comes to: the failures that were recognised, and what else it says of the run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from recipelint.logs.lines import Line
from recipelint.logs.prefixes import Process
from recipelint.logs.recompute import Tensor
from recipelint.logs.widths import Width
from recipelint.ruleset.failures import Failure


class Reading(NamedTuple):
    """The token counts of one process, and the line where its message starts."""

    process: Process
    line: int
    forward: int
    recompute: int

    @property
    def drift(self) -> int:
        return self.recompute - self.forward


class Found(NamedTuple):
    """A failure as a log has it.

    lines      the first lines of it, for an excerpt
    places     how often it was found
    readings   of a drift of tokens, one a process
    tensors    each once, with the process in whose message it was first
    details    what the pattern's groups caught
    notes      what the log says for or against it
    """

    failure: Failure
    certainty: str
    lines: tuple[Line, ...]
    places: int
    processes: tuple[Process, ...] = ()
    readings: tuple[Reading, ...] = ()
    tensors: tuple[tuple[Process, Tensor], ...] = ()
    widths: Mapping[int, Width] = {}
    details: Mapping[str, str] = {}
    notes: tuple[str, ...] = ()


class Diagnosis(NamedTuple):
    """What one log says.

    cut          the lines of messages that are cut off before they say what differs
    unreadable   why the log, or its rest, could not be read
    partial      how much of it was read, if that is not all because there is too much
    """

    path: str
    found: tuple[Found, ...] = ()
    facts: Mapping[str, tuple[str, ...]] = {}
    cut: tuple[int, ...] = ()
    unreadable: str = ""
    partial: str = ""

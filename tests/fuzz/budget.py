"""How much a part of `make fuzz` may try, and what it says of it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple


@dataclass(frozen=True)
class Budget:
    """One of the two bounds is a part's own measure, and the other may be ignored; both are always there.

    examples   how many generated inputs a part that counts tries
    seconds    how long a part that mutates goes on
    seed       where chance starts; the same seed tries the same inputs
    folder     the part's own folder, kept from run to run: its corpus, and its failures
    """

    examples: int
    seconds: float
    seed: int
    folder: Path

    def deadline(self) -> float:
        """When the time is up, by `time.monotonic`."""
        return time.monotonic() + self.seconds


class Failure(NamedTuple):
    """An input, as small as the part could make it, and what is wrong with it in one line."""

    text: bytes
    reason: str


class Outcome(NamedTuple):
    """How many inputs were tried, and which of them failed."""

    tried: int
    failures: tuple[Failure, ...]

"""Holds back the signals that end a process while it writes, so that each file is the old one or the new one.

A signal takes its usual effect as soon as the file, or the files of one fix, under way are whole.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

ENDING = ("SIGINT", "SIGTERM", "SIGHUP")


@contextmanager
def held() -> Iterator[Callable[[], None]]:
    """Inside, signals wait for a call of what this gives, or for the end. In other threads nothing is held back."""
    waiting: list[int] = []
    before: dict[int, Any] = {}

    def note(number: int, _frame: FrameType | None) -> None:
        waiting.append(number)

    def deliver() -> None:
        while waiting:
            number = waiting.pop(0)
            signal.signal(number, before[number])
            signal.raise_signal(number)
            signal.signal(number, note)

    try:
        for name in ENDING:
            number = getattr(signal, name, None)  # Windows has not all of them
            if number is not None and signal.getsignal(number) not in (signal.SIG_IGN, None):
                before[number] = signal.signal(number, note)
    except ValueError:
        yield lambda: None
        return
    try:
        yield deliver
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in waiting:
            signal.raise_signal(number)

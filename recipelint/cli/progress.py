"""How far a long run is, on a terminal's standard error; gone before anything else is written.

A run of less than a second writes nothing and imports nothing for it. A thread draws, so that one launcher that takes
long does not stop the clock.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from time import time
from typing import TYPE_CHECKING

from recipelint.record import NamedTuple
from recipelint.tracking import Item, Track, untracked

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

DELAY, BETWEEN = 1.0, 0.1
"""Seconds before the first drawing, and between two."""
BAR, WIDE, NARROWEST = 20, 72, 48
"""The columns of a bar, and those of the widest line with one; where there are fewer, it is left out.

On a terminal of less than the last, a line could take two rows, of which one would stay: nothing is drawn.
"""
CLEARED = "\x1b[1A\r\x1b[K"
"""Takes back the line that click ends when a bar is left: a line up, to its start, and empty."""


class Stage(NamedTuple):
    """A loop of the run: what it does, how many items it goes through (None where nobody knows), and since when."""

    title: str
    total: int | None
    began: float


def wanted(*, quiet: bool) -> bool:
    """Whether somebody looks: standard error is a terminal that can draw, and no CI's."""
    if quiet or os.environ.get("CI") or os.environ.get("TERM", "dumb") == "dumb":
        return False
    if not sys.stderr.isatty():
        return False
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
    except OSError:
        return False
    return columns >= NARROWEST or not columns  # none: nobody knows


@contextmanager
def progress(first: str, *, quiet: bool) -> Iterator[Track]:
    """What the loops of a run are to go through; FIRST is what it does before the first of them."""
    if not wanted(quiet=quiet):
        yield untracked
        return
    from threading import Thread

    drawing = Drawing(first)
    thread = Thread(target=drawing.draw, daemon=True)
    thread.start()
    try:
        yield drawing.track
    finally:
        drawing.over.set()
        thread.join()


class Drawing:
    """The stage that a run is in and how far it is there: written by the run, and drawn by another thread."""

    def __init__(self, title: str) -> None:
        from threading import Event

        self.now = (Stage(title, None, time()), 0)
        self.over = Event()

    def track(self, title: str, items: Sequence[Item], /) -> Iterable[Item]:
        if not items:
            return
        stage = Stage(title, len(items), time())
        for done, item in enumerate(items):
            self.now = (stage, done)
            yield item
        self.now = (stage, len(items))

    def draw(self) -> None:
        """Draw from the first second on, until the run is over. A terminal that went away is left alone."""
        if not self.over.wait(DELAY):
            with suppress(OSError):
                while not self.over.is_set():
                    self._stage(self.now[0])

    def _stage(self, stage: Stage) -> None:
        """Draw one stage, and take it back from the screen."""
        from shutil import get_terminal_size

        import click

        known = stage.total is not None
        narrow = get_terminal_size().columns < WIDE
        bar: ProgressBar[int] = click.progressbar(
            count(),  # click wants something to go through, also where it is moved on by hand
            length=stage.total,
            label=stage.title,
            file=sys.stderr,
            show_pos=known,
            show_percent=False,
            bar_template="%(label)s %(info)s" if narrow or not known else "%(label)s [%(bar)s] %(info)s",
            update_min_steps=0,
            width=BAR,
        )
        bar.start = bar.last_eta = stage.began
        at, bar.pos = self.now
        with bar:
            while at is stage and not self.over.wait(BETWEEN):
                at, done = self.now
                if at is stage:
                    bar.update(done - bar.pos)
        sys.stderr.write(CLEARED)
        sys.stderr.flush()

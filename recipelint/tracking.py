"""How the layers below the command line tell it how far they are: their loops go through `track`, and print nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Track(Protocol):
    """Gives back the items of one stage of a run as they are, in their order, and sees when each is asked for."""

    def __call__(self, stage: str, items: Sequence[Item], /) -> Iterable[Item]: ...


def untracked(stage: str, items: Sequence[Item], /) -> Iterable[Item]:
    """What nobody watches."""
    return items

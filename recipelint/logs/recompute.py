"""PyTorch's message that activation checkpointing computed other tensors than the forward pass, taken apart.

The message goes on over many lines, which a log may break anywhere and other processes may interleave: the lines of one
process are joined without their spaces, and only what has the form of the message counts.
https://github.com/pytorch/pytorch/blob/main/torch/utils/checkpoint.py
"""

from __future__ import annotations

import re
from typing import NamedTuple

NEEDLES = ("CheckpointError", "Recomputed values")
_HEADER = "Recomputedvaluesforthefollowingtensorshavedifferentmetadatathanduringtheforwardpass."
_STARTS = tuple(
    lead + _HEADER
    for lead in ("CheckpointError:torch.utils.checkpoint:", "CheckpointError:", "torch.utils.checkpoint:", "")
)
_KEYWORDS = ("tensoratposition", "savedmetadata", "recomputedmetadata")
_TRIPLE = re.compile(r"tensoratposition(\d{1,9}):savedmetadata:(\{[^{}]{0,600}\})recomputedmetadata:(\{[^{}]{0,600}\})")
_SHAPE = re.compile(r"'shape':torch\.Size\(\[([\d,]{0,200})\]\)")
_DTYPE = re.compile(r"'dtype':torch\.(\w{1,40})")
_DEVICE = re.compile(r"'device':device\(type='(\w{1,40})'")
MOST_TEXT, MOST_BROKEN = 1 << 18, 4


class Metadata(NamedTuple):
    """What the message says of one tensor; None where it does not."""

    shape: tuple[int, ...] | None
    dtype: str | None
    device: str | None


class Tensor(NamedTuple):
    """One tensor of the message."""

    position: int
    saved: Metadata
    recomputed: Metadata

    @property
    def differs(self) -> str:
        """In what: dtype, device, dimensions, trailing, leading; unknown where nothing that is shown differs."""
        one, other = self.saved, self.recomputed
        if one.dtype != other.dtype:
            return "dtype"
        if one.device != other.device:
            return "device"
        if one.shape is None or other.shape is None or one.shape == other.shape:
            return "unknown"
        if len(one.shape) != len(other.shape):
            return "dimensions"
        return "leading" if one.shape[1:] == other.shape[1:] else "trailing"


def tokens(tensors: tuple[Tensor, ...]) -> tuple[int, int] | None:
    """The token counts of forward pass and recomputation, where that is what differs, and nothing else does.

    Tensors of tokens have one or two dimensions, at least one of them two. A count of 0 is no dispatch: it is what a
    parameter has that is gathered in one of the passes only.
    """
    counts: set[tuple[int, int]] = set()
    shown = [tensor for tensor in tensors if tensor.differs != "unknown"]
    for tensor in shown:
        one, other = tensor.saved.shape, tensor.recomputed.shape
        if tensor.differs != "leading" or one is None or other is None or len(one) > 2 or not (one[0] and other[0]):
            return None
        counts.add((one[0], other[0]))
    if not any(len(tensor.saved.shape or ()) == 2 for tensor in shown):
        return None
    if len({other - one for one, other in counts}) != 1:
        return None
    return min(counts)


class Message:
    """The lines of one message of one process, as they come."""

    def __init__(self) -> None:
        self.text = ""
        self.body: int | None = None
        self.broken = 0

    @staticmethod
    def start(line: str) -> int | None:
        """Where a message may start in a line; None where none does, as in a comment or a quoted name."""
        squashed = "".join(line.split())
        if squashed.startswith("#"):
            return None
        at = min((at for start in NEEDLES if (at := squashed.find(start.replace(" ", ""))) >= 0), default=None)
        if at is None:
            return None
        return at if any(begins(squashed[at:], start) for start in _STARTS) else None

    def take(self, line: str) -> bool:
        """Take a line; False if it is no part of the message any more."""
        squashed = "".join(line.split())
        if not squashed:
            return True
        if len(self.text) > MOST_TEXT:
            return False
        if self.body is None:
            return self.take_header(squashed)
        if squashed.startswith(_KEYWORDS):
            self.broken = 0
        else:
            self.broken += 1
            whole = len(self.text) == self.body or self.text.endswith("}")
            if self.broken > MOST_BROKEN or (whole and not any(word.startswith(squashed) for word in _KEYWORDS)):
                return False
        text, self.text = self.text, ""  # a text that nothing else holds grows in place
        text += squashed
        self.text = text
        return True

    def take_header(self, squashed: str) -> bool:
        if not self.text:
            at = min(at for start in NEEDLES if (at := squashed.find(start.replace(" ", ""))) >= 0)
            squashed = squashed[at:]
        self.broken += 1
        self.text += squashed
        start = next((start for start in _STARTS if begins(self.text, start)), None)
        if start is None or self.broken > 2 * MOST_BROKEN:
            return False
        if len(self.text) >= len(start):
            self.body, self.broken = len(start), 0
        return True

    def tensors(self) -> tuple[Tensor, ...]:
        """What it says; empty where it is cut off before the first tensor."""
        if self.body is None:
            return ()
        return tuple(
            Tensor(int(found[1]), metadata(found[2]), metadata(found[3]))
            for found in _TRIPLE.finditer(self.text, self.body)
        )


def begins(text: str, start: str) -> bool:
    """Whether one of two texts begins with the other."""
    return start.startswith(text) or text.startswith(start)


def metadata(text: str) -> Metadata:
    shape, dtype, device = _SHAPE.search(text), _DTYPE.search(text), _DEVICE.search(text)
    sizes = tuple(int(size[:18]) for size in shape[1].split(",") if size) if shape else None
    return Metadata(sizes, dtype[1] if dtype else None, device[1] if device else None)

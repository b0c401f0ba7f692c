"""What the widths of the tensors of an expert layer are: from what the log says, else from how they relate.

What follows from neither stays unknown. https://github.com/NVIDIA-NeMo/labs-molt/issues/60 has the three that occur.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

KNOWN, LIKELY, UNKNOWN = "known", "likely", "unknown"


class Width(NamedTuple):
    """A width, its meaning (hidden, lora_rank, gate_up, intermediate, or empty), how sure that is, and in words."""

    size: int
    meaning: str
    certainty: str
    words: str


def explain(positioned: Iterable[tuple[int, int]], facts: Mapping[str, Sequence[str]]) -> dict[int, Width]:
    """The meaning of each width; POSITIONED has it after the position of its tensor in the layer."""
    widths = list(dict.fromkeys(width for _, width in sorted(positioned)))
    said = {name: {int(value) for value in values if value.isdigit()} for name, values in facts.items()}
    found = {width: one for width in widths[:1] if (one := first(width, said)) is not None}
    for width in widths:
        if width not in found and (known := as_said(width, said)) is not None:
            found[width] = known
    left = [width for width in widths if width not in found]
    if not {"gate_up", "intermediate"} & {one.meaning for one in found.values()}:
        if len(left) == 2 and max(left) == 2 * min(left):
            half = min(left)
            found[half] = Width(half, "intermediate", LIKELY, f"likely moe_intermediate_size, half of {2 * half}")
            found[2 * half] = gate_up(2 * half)
        elif len(left) == 1 and left[0] % 2 == 0:
            found[left[0]] = gate_up(left[0])
    return {width: found.get(width, Width(width, "", UNKNOWN, "unknown")) for width in widths}


def first(width: int, said: Mapping[str, set[int]]) -> Width | None:
    """The width of the first tensor of the layer that depends on the tokens: that of the tokens themselves."""
    if width in said.get("hidden_size", ()):
        return Width(width, "hidden", KNOWN, "the hidden width, as the log says")
    if as_said(width, said) is not None:
        return None
    return Width(width, "hidden", LIKELY, "likely the hidden width, as the tokens enter the experts")


def as_said(width: int, said: Mapping[str, set[int]]) -> Width | None:
    """The meaning of a width that the log gives a name."""
    if width in said.get("lora_rank", ()):
        return Width(width, "lora_rank", KNOWN, "the LoRA rank, as the log says")
    inner = said.get("moe_intermediate_size", set())
    if width in inner:
        return Width(width, "intermediate", KNOWN, "moe_intermediate_size, as the log says")
    if width % 2 == 0 and width // 2 in inner:
        words = f"the fused gate/up projection: 2 x moe_intermediate_size {width // 2}, as the log says"
        return Width(width, "gate_up", KNOWN, words)
    return None


def gate_up(width: int) -> Width:
    words = f"likely the fused gate/up projection: 2 x moe_intermediate_size {width // 2}"
    return Width(width, "gate_up", LIKELY, words)

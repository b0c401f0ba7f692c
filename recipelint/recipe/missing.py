"""What a program starts that lacks words which the user has not given: as shipped, and as its author means it.

`torchrun --nproc_per_node $GPUS train.py` has no value for its option as shipped, and takes the script for one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from recipelint.lazily import regex
from recipelint.record import NamedTuple
from recipelint.shell.calls import Trainer
from recipelint.shell.session import Action
from recipelint.shell.text import Text
from recipelint.shell.unknown import Kind, Unknowns

NAMED = regex(r"\.py\Z|\A[A-Za-z_]\w*(?:\.\w+)+\Z")
"""What is the name of a Python program, and no value of an option that was taken for one."""


def vanishes(word: Text, unknowns: Unknowns) -> bool:
    """An unquoted knob that nobody sets: no word at all, as shipped."""
    if word.known:
        return False
    pieces = list(unknowns.pieces(word.s))
    return len(pieces) == len(word.s) and all(p.kind is Kind.KNOB and p.many and not p.shipped for p in pieces)


class Awaited(NamedTuple):
    """The words of a command without those that nobody would miss, and those among them that are not given."""

    words: tuple[Text, ...]
    missing: tuple[Text, ...]

    def trainer(self, found: Action, shipped: Action) -> Trainer | None:
        """FOUND among all the words, if that is a trainer: it starts once the missing ones are given."""
        if not isinstance(found, Trainer):
            return None
        same = isinstance(shipped, Trainer) and shipped.entry_point.s == found.entry_point.s
        scripts = {word.s for word in self.words if word.s.endswith(".py")}
        if scripts and found.entry_point.s not in scripts and not same:
            return None
        if found.entry_point.known and not same and not NAMED.search(found.entry_point.s):
            return None
        return found._replace(missing=self.missing, only_given=True)


def awaited(words: Sequence[Text], gone: Callable[[Text], bool], named: bool) -> Awaited:
    """Which words of a command are missed: those that a flag waits for, and all where no trainer is NAMED."""
    kept, missing = list[Text](), list[Text]()
    for word in words:
        if not gone(word):
            kept.append(word)
        elif kept and (not named or (kept[-1].s.startswith("-") and "=" not in kept[-1].s)):
            kept.append(word)
            missing.append(word)
    return Awaited(tuple(kept), tuple(missing))

"""What recipelint sees of a launcher against what bash does: equal, or in what way not.

A known word may never differ, no launch may be missing or invented. What a text decides may not be unknown either; the
exceptions are the exit status of a trainer and the launcher's path, which no reading can tell, and what comes after the
end of a path for want of a variable, where recipelint goes on.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from recipelint.shell.evaluate import Evaluation
from recipelint.shell.unknown import EXTRA, Unknowns, grouped

from .both import AMBIENT, Launch, box, evaluated

ENTRY_POINT = "molt.cli.train_sft"
STATUS = re.compile(r"(?:not )?\(?torchrun succeeds\)?")


class Verdict(NamedTuple):
    """KIND is one of `equal`, `unread` (bash refuses a command, or does not end: no matter), `unreadable`, `wrong`,
    `missing`, `invented`, `unknown` and `undecided`; DETAIL says more in one line."""

    kind: str
    detail: str = ""

    @property
    def bad(self) -> bool:
        return self.kind not in ("equal", "unread")


class Seen(NamedTuple):
    """A launch as recipelint has it; patterns where something is unknown."""

    argv: re.Pattern[bytes]
    env: Mapping[bytes, re.Pattern[bytes]]
    certain: bool
    several: bool
    """Further words that nobody knows: it may stand for calls of several such words."""
    open: tuple[str, ...]
    text: str

    def fits(self, real: Launch) -> bool:
        if not self.argv.fullmatch(b"".join(word + b"\0" for word in real.argv)):
            return False
        open_names = {name for name, pattern in self.env.items() if pattern.pattern == b".*"}
        if set(real.env) - set(self.env) or set(self.env) - set(real.env) - open_names:
            return False
        return all(pattern.fullmatch(real.env[name]) for name, pattern in self.env.items() if name in real.env)


def verdict(text: str, args: Sequence[str] = (), env: Mapping[str, str] | None = None) -> Verdict:
    """Run a launcher both ways."""
    try:
        real, complaints = box().launches(text.encode(), args, env)
    except subprocess.TimeoutExpired:
        return Verdict("unread", "does not end")
    if complaints:
        return Verdict("unread", complaints.partition(b"\n")[0].decode(errors="replace"))
    return judged(evaluated(text.encode(), args, env), real)


def judged(evaluation: Evaluation, real: Sequence[Launch]) -> Verdict:
    if evaluation.troubles:
        return Verdict("unreadable", str([(trouble.code, trouble.reason) for trouble in evaluation.troubles]))
    ours = list(seen(evaluation))
    for launch in real:
        if not any(one.fits(launch) for one in ours):
            return Verdict("wrong" if ours else "missing", f"{[one.text for one in ours]} where bash has {launch}")
    for one in ours:
        if one.certain and not evaluation.session.needs and not any(one.fits(launch) for launch in real):
            return Verdict("invented", f"{one.text} where bash has {real}")
    if all(one.certain and not one.several for one in ours) and not evaluation.session.needs:
        if len(ours) != len(real):
            return Verdict(
                "missing" if len(ours) < len(real) else "invented", f"{len(ours)} where bash has {len(real)}"
            )
        for one, launch in zip(ours, real, strict=True):
            if not one.fits(launch):
                return Verdict("wrong", f"{one.text} where bash has {launch}, in order")
    labels = [label for one in ours for label in one.open if label not in ("${?}", "${0}")]
    if labels:
        return Verdict("unknown", str(labels))
    decisions = [str(one) for one in evaluation.session.decisions]
    if not all(one.certain for one in ours) and not all(STATUS.fullmatch(one) for one in decisions):
        return Verdict("undecided", str(decisions))
    return Verdict("equal")


def seen(evaluation: Evaluation) -> Iterator[Seen]:
    unknowns = evaluation.session.unknowns
    for call in evaluation.calls:
        if call.trainer.entry_point.s != ENTRY_POINT:
            continue
        words = [word.s for word in call.trainer.arguments]
        env = {name: value.s for name, value in call.environment.items() if name not in AMBIENT}
        texts = [*words, *env.values()]
        yield Seen(
            re.compile(b"".join(word_pattern(word, unknowns) for word in words), re.DOTALL),
            {name.encode("latin-1"): re.compile(pattern(value), re.DOTALL) for name, value in env.items()},
            all(not term for term in call.condition),
            any(EXTRA in unknowns.pieces(word) for word in words),
            tuple(piece.label for s in texts for piece in unknowns.pieces(s)),
            ascii([unknowns.display(word) for word in words]) + ascii({k: unknowns.display(v) for k, v in env.items()}),
        )


def pattern(s: str, anything: bytes = b".*") -> bytes:
    """What a text may be: an unknown piece is anything."""
    return b"".join(re.escape(part.encode("latin-1")) if known else anything for known, part in grouped(s))


def word_pattern(s: str, unknowns: Unknowns) -> bytes:
    """The words that a word may come to, each with its end: none or several where an unknown piece is unquoted."""
    if not any(piece.many for piece in unknowns.pieces(s)):
        return pattern(s, b"[^\0]*") + b"\0"
    alone = all(not known for known, _ in grouped(s))
    return b"(?:[^\0]*\0)*" if alone else pattern(s) + b"\0"

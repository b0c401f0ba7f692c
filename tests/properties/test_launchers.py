"""Whole launchers: what each trainer call gets, word for word and variable for variable.

Everything in the generated ones is decided by their text, so nothing may be unknown. `make fuzz` tries many more.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from recipelint.run import resolve
from recipelint.settings import Settings
from recipelint.source import SourceFile

from .both import TRAIN, Launch, Undecided, box, evaluated, files, resolved
from .grammar import grown
from .verdict import ENTRY_POINT, verdict

SNIPPETS = Path(__file__).with_name("snippets.txt")


SOUND = ("equal", "unread", "unknown", "undecided")
EACH = 50
STARTS = (*range(0, 600, EACH), *range(1000, 1400, EACH))
"""A thousand launchers, in parts that may run beside each other."""
MOST_OPEN = 6
"""So many of a part may have something unknown that its text decides."""


def generated(number: int) -> str:
    return grown(random.Random(f"9/{number}").choice, "launcher").text


@pytest.mark.parametrize("start", STARTS)
def test_generated(start: int) -> None:
    """No known word differs, no launch is missing or invented; what is unknown all the same is little."""
    found = {number: verdict(generated(number)) for number in range(start, start + EACH)}
    unsound = {number: one for number, one in found.items() if one.kind not in SOUND}
    assert not unsound
    assert sum(one.kind in ("unknown", "undecided") for one in found.values()) <= MOST_OPEN, found


@pytest.mark.parametrize("number", range(25))
def test_shown_as_evaluated(number: int) -> None:
    """`recipelint show` has the same launches; equal ones are one, and a variable that differs in them is unknown."""
    text = files(generated(number).encode())["run.sh"]
    evaluation = evaluated(text)
    if evaluation.session.decisions or evaluation.session.needs or b"lib.sh" in text:
        pytest.skip("there are several worlds, or a second file")
    (launcher,) = resolve(Settings(), [SourceFile("run.sh", text)]).launchers
    display = evaluation.session.unknowns.display
    expected = {
        tuple(display(word.s) for word in call.trainer.arguments)
        for call in evaluation.calls
        if call.trainer.entry_point.s == ENTRY_POINT
    }
    assert launcher.complete
    assert {tuple(word.text for word in one.argv) for one in launcher.launches} == expected
    assert all(one.certain for one in launcher.launches)


def snippets() -> list[object]:
    """The launchers of SNIPPETS; one after a line `differs: REASON` is known to differ."""
    found: list[object] = []
    reason = ""
    for number, line in enumerate(SNIPPETS.read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("differs: "):
            reason = line.removeprefix("differs: ")
        elif line and not line.startswith("#"):
            differs = pytest.mark.xfail(strict=True, reason=reason, raises=(AssertionError, Undecided))
            marks = [differs] if reason else []
            text = line.replace("@T", TRAIN).replace("¶", "\n") + "\n"
            found.append(pytest.param(text, marks=marks, id=f"{number}: {line[:60]}"))
            reason = ""
    return found


@pytest.mark.parametrize("text", snippets())
def test_snippets(text: str) -> None:
    real, _ = box().launches(text.encode())
    found: list[Launch] = resolved(text.encode())
    assert found == real

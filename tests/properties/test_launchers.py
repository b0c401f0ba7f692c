"""Whole launchers: what each trainer call gets, word for word and variable for variable.

Everything in the generated ones is decided by their text, so nothing may be unknown. `make fuzz` tries many more.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, seed

from recipelint.run import resolve
from recipelint.settings import Settings
from recipelint.source import SourceFile

from .both import TRAIN, Launch, Undecided, box, evaluated, files, resolved
from .examples import examples
from .grammar import texts
from .verdict import ENTRY_POINT, verdict

SNIPPETS = Path(__file__).with_name("snippets.txt")


PARTS, EACH = 4, 250
"""A thousand launchers, in parts that may run beside each other."""


@pytest.mark.parametrize("part", range(PARTS))
def test_generated(part: int) -> None:
    @seed(part)
    @examples(EACH)
    @given(texts("launcher"))
    def agrees(text: str) -> None:
        found = verdict(text)
        assert not found.bad, found

    agrees()


@examples(40)
@given(texts("launcher"))
def test_shown_as_evaluated(text: str) -> None:
    """`recipelint show` has the same launches; equal ones are one, and a variable that differs in them is unknown."""
    evaluation = evaluated(text.encode())
    assume(not evaluation.session.decisions)
    sources = files(text.encode())
    (launcher,) = resolve(Settings(), [SourceFile("run.sh", sources["run.sh"])]).launchers
    assume(b"lib.sh" not in sources["run.sh"])
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

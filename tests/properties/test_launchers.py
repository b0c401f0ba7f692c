"""Whole launchers: what each trainer call gets, word for word and variable for variable.

Everything in the generated ones is decided by their text, so nothing may be unknown.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given

from recipelint.run import resolve
from recipelint.settings import Settings
from recipelint.source import SourceFile

from .both import TRAIN, Launch, Undecided, box, resolved
from .examples import examples
from .grammar import texts

SNIPPETS = Path(__file__).with_name("snippets.txt")


@examples(150)
@given(texts("launcher"))
def test_generated(text: str) -> None:
    real, complaints = box().launches(text.encode())
    assume(not complaints)  # where bash refuses a command, what follows is no matter
    assert resolved(text.encode()) == real


@examples(40)
@given(texts("launcher"))
def test_shown_as_evaluated(text: str) -> None:
    """`recipelint show` has the same launches; equal ones are one, and a variable that differs in them is unknown."""
    launches = resolved(text.encode())
    (launcher,) = resolve(Settings(), [SourceFile("run.sh", text.encode())]).launchers
    assert launcher.complete
    expected = {launch.argv for launch in launches}
    ours = {tuple(word.text.encode("utf-8", "surrogateescape") for word in one.argv) for one in launcher.launches}
    assert ours == expected
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

"""The comparison judged: what counts as the same launch, and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from .cases import Pair
from .record import RecordedLaunch
from .shown import differs, fits, literal_parts


def known(text: str) -> dict[str, Any]:
    return {"text": text}


def unknown(text: str, many: bool = False) -> dict[str, Any]:
    return {"text": text, "unknown": True, "many": many}


def pair(here: list[str], there: list[str] | None = None, **env: str) -> Pair:
    """A launch on two machines; HOME is the machine's own."""
    one = {"HOME": "/a", **env}
    other = {**one, "HOME": "/b"}
    ambient = frozenset({"HOME"})
    return RecordedLaunch("t", tuple(here), one, ambient), RecordedLaunch("t", tuple(there or here), other, ambient)


def launch(words: list[dict[str, Any]], env: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"entry_point": "t", "argv": words, "env": env or {}}


def test_literal_parts_of_unknown_words() -> None:
    assert list(literal_parts('a/${X}-$(basename "$(pwd)")/b${Y:-{}}')) == ["a/", "-", "/b", ""]
    assert list(literal_parts("plain $HOME")) == ["plain $HOME"]


def test_unknown_pieces_stand_for_anything() -> None:
    assert fits(unknown("run_${SLURM_JOB_ID}/x"), "run_12/x")
    assert fits(unknown("${A}"), "two\nlines")
    assert not fits(unknown("run_${SLURM_JOB_ID}/x"), "run_12/y")
    assert not fits(known("run_${SLURM_JOB_ID}"), "run_12")


@pytest.mark.parametrize(
    ("words", "real", "why"),
    [
        ([known("--a"), unknown("/${JOB}")], pair(["--a", "/1"], ["--a", "/2"]), ""),
        ([known("--a"), unknown("/${JOB}")], pair(["--a", "/1"]), "shown as unknown"),
        ([known("--a"), known("/2")], pair(["--a", "/1"], ["--a", "/2"]), "bash has '/1'"),
        ([known("--a")], pair(["--a", "b"]), "1 words, bash has 2"),
        ([known("--a"), known("b")], pair(["--a"]), "2 words, bash has 1"),
        ([known("--a"), unknown("$(x)", many=True), known("z")], pair(["--a", "1", "2", "z"], ["--a", "3", "z"]), ""),
        ([known("--a"), unknown("$(x)", many=True), known("z")], pair(["--a", "z"], ["--a", "3", "z"]), ""),
        ([known("--a"), unknown("$(x)", many=True), known("z")], pair(["--a", "1", "2", "z"]), "are not known"),
        ([known("--b"), unknown("$(x)", many=True)], pair(["--a", "z"], ["--a"]), "bash has"),
    ],
)
def test_words(words: list[dict[str, Any]], real: Pair, why: str) -> None:
    reason = differs(launch(words), real, {})
    assert why in reason if why else reason == ""


def test_a_word_may_be_excused() -> None:
    assert differs(launch([unknown("$(x)")]), pair(["7"]), {"7": "x is not read"}) == ""


@pytest.mark.parametrize(
    ("env", "why"),
    [
        ({"A": known("1")}, ""),
        ({"A": known("1"), "HOME": unknown("${HOME}"), "GONE": None}, ""),
        ({"A": known("2")}, "bash has '1'"),
        ({"A": unknown("${B}")}, "shown as unknown"),
        ({"A": None}, "is not removed"),
        ({"A": known("1"), "B": known("1")}, "bash has none"),
        ({}, "['A'] of the environment are not shown"),
    ],
)
def test_environment(env: dict[str, Any], why: str) -> None:
    reason = differs(launch([], env), pair([], A="1"), {})
    assert why in reason if why else reason == ""


def test_another_entry_point() -> None:
    assert "entry point" in differs({**launch([]), "entry_point": "u"}, pair([]), {})

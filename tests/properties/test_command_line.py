"""Words are taken apart as argparse does: argparse itself is the judge, for parsers and words that are made up."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from recipelint.python.schema import Flag, Schema
from recipelint.recipe.command_line import read
from recipelint.recipe.spoken import CommandLine, Word
from recipelint.source import Location, SourceFile, Span

from .examples import examples

NAMES = ["--a", "--alpha", "--alpha.beta", "--alp", "--no-a", "--size", "--s", "-s", "-t", "-x", "--b_c", "--b-c"]
NARGS: list[int | str | None] = [None, 0, 1, 2, "?", "*", "+"]
WORDS = [
    *NAMES,
    *"--al --alph --alpha.b --si --siz --b --no --zeta -y -st -s3 -s=3 -xs -xt --a=1 --a= --alpha=x=y --zeta=1".split(),
    *["", "-", "--", "1", "-1", "-.5", "-1x", "x", "y z", "-x y", "--a b", "=", "--=1"],
]
PLACE = Location(SourceFile("train.py", b""), Span(0, 0))


@st.composite
def flags(draw: st.DrawFn) -> list[tuple[str, int | str | None, bool]]:
    names = draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=1, max_size=6))
    return [(name, draw(st.sampled_from(NARGS)), draw(st.booleans())) for name in names]


class Recorder(argparse.Action):
    """Notes each use of a flag: its name, and how many values it gets."""

    uses: list[tuple[str, int]]

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        given = [] if values is None or values == [] else values if isinstance(values, list) else [values]
        self.uses.append((self.dest, len(given)))


class Refused(Exception):
    pass


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise Refused(message)


def judged(
    made: Sequence[tuple[str, int | str | None, bool]], positionals: int, rest: bool, abbrev: bool, words: Sequence[str]
) -> tuple[list[tuple[str, int]], bool]:
    """The uses that argparse sees up to its first refusal, and whether it refuses nothing."""
    uses: list[tuple[str, int]] = []
    recorder = type("Noting", (Recorder,), {"uses": uses})
    parser = Parser(add_help=False, allow_abbrev=abbrev)
    for number, (name, nargs, required) in enumerate(made):
        parser.add_argument(name, nargs=nargs, dest=f"f{number}", required=required, action=recorder)
    for number in range(positionals):
        parser.add_argument(f"p{number}", action=recorder)
    if rest:
        parser.add_argument("rest", nargs=argparse.REMAINDER, action=recorder)
    try:
        _, left = parser.parse_known_args(list(words))
    except Refused:
        return uses, False
    return uses, not left


def ours(
    made: Sequence[tuple[str, int | str | None, bool]], positionals: int, rest: bool, abbrev: bool, words: Sequence[str]
) -> CommandLine:
    return read(schema(made, positionals, rest, abbrev), [Word(word) for word in words])


def schema(made: Sequence[tuple[str, int | str | None, bool]], positionals: int, rest: bool, abbrev: bool) -> Schema:
    found = [
        Flag((name,), f"f{number}", "store", None, nargs, None, None, None, required, PLACE)
        for number, (name, nargs, required) in enumerate(made)
    ]
    found += [
        Flag((f"p{number}",), f"p{number}", "store", None, None, None, None, None, True, PLACE, positional=True)
        for number in range(positionals)
    ]
    if rest:
        found.append(Flag(("rest",), "rest", "store", None, "...", None, None, None, False, PLACE, positional=True))
    return Schema("train", "train.py", True, tuple(found), abbrev, False, "-", (), {}, ())


@examples(3000)
@given(flags(), st.integers(0, 2), st.booleans(), st.booleans(), st.lists(st.sampled_from(WORDS), max_size=8))
def test_as_argparse(
    made: list[tuple[str, int | str | None, bool]], positionals: int, rest: bool, abbrev: bool, words: list[str]
) -> None:
    assume(not ((positionals or rest) and "--" in words))  # versions of Python differ on it
    theirs, accepted = judged(made, positionals, rest, abbrev, words)
    found = ours(made, positionals, rest, abbrev, words)
    assert found.sure
    assert bool(found.refusals) == (not accepted), (found.refusals, theirs)
    if accepted:
        taken = [(one.flag.dest, len(one.values)) for one in found.occurrences]
        assert taken == [use for use in theirs if use[0] != "rest"]

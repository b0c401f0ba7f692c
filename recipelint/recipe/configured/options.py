"""The options among a trainer's words: which file is the configuration, and what is left for overrides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recipelint.record import NamedTuple
from recipelint.shell.text import EMPTY, Text

DOTTED = "dotted"
ENDINGS = (".yaml", ".yml")


class Given(NamedTuple):
    """What the words say of the configuration; None for what they do not.

    passed   the indices of the words that are no overrides
    """

    file: Text | None
    name: Text | None
    folder: Text | None
    also: tuple[Text, ...]
    passed: frozenset[int]


def given(configuration: Mapping[str, Any], style: str, words: Sequence[Text]) -> Given:
    """The options among the words: the last of each counts."""
    kinds = {
        option: kind for kind in ("file", "name", "folder", "also", "value") for option in configuration.get(kind, ())
    }
    found: dict[str, list[Text]] = {}
    passed: set[int] = set()
    at = 0
    while at < len(words):
        word = words[at]
        kind, stuck = _option(word, kinds, style)
        if kind is None:
            plain = configuration.get("first_word") and "first" not in found and not word.s.startswith("-")
            if plain and (not word.known or word.s.endswith(ENDINGS)):
                passed.add(at)
                found["first"] = [word]
            at += 1
            continue
        passed.add(at)
        if stuck is None:
            if at + 1 < len(words):
                passed.add(at + 1)
                found.setdefault(kind, []).append(words[at + 1])
            at += 1
        else:
            found.setdefault(kind, []).append(stuck)
        at += 1
    if "file" in found and "first" in found:
        passed -= {n for n, word in enumerate(words) if word is found["first"][0]}
    last = {kind: texts[-1] for kind, texts in found.items()}
    return Given(
        last.get("file", last.get("first")),
        last.get("name"),
        last.get("folder"),
        tuple(found.get("also", ())),
        frozenset(passed),
    )


def _option(word: Text, kinds: Mapping[str, str], style: str) -> tuple[str | None, Text | None]:
    """What kind of option a word is, and the value that is stuck to it."""
    s = word.s
    if not s.startswith("-"):
        return None, None
    name, equals, _ = s.partition("=")
    kind = kinds.get(name)
    if kind is None and style != DOTTED and name.startswith("--"):
        long = {kinds[option] for option in kinds if option.startswith(name)}  # argparse takes a prefix of one alone
        kind = long.pop() if len(long) == 1 else None
    if kind is None or not equals:
        return kind, None
    if style == DOTTED and kind == "file":
        return None, None  # `--config=x` sets a key of that name
    start = len(name) + 1
    return kind, word.slice(start, len(s)) if start < len(s) else EMPTY

"""Splits a wrapper's words into its options and what follows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recipelint.record import NamedTuple
from recipelint.shell.text import Text, join


class Grammar(NamedTuple):
    """Which options take a value: all but `bare` ones, or only those in `value`; a few take two.

    COMBINED: letters may stand together after one dash, and the last may have its value as the next word.
    script   a word with this ending is the program to run, and no option's value
    """

    bare: frozenset[str] | None
    value: frozenset[str]
    two: frozenset[str]
    script: str = ""
    combined: bool = False

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> Grammar:
        bare = None if "value" in entry else frozenset(entry.get("bare", ()))
        value, two = frozenset(entry.get("value", ())), frozenset(entry.get("two_values", ()))
        return cls(bare, value, two, entry.get("ending", ""), entry.get("combined", False))

    def takes(self, option: str) -> int:
        """How many words follow the option as its value."""
        if option in self.two:
            return 2
        if self.bare is not None:
            return 0 if option in self.bare else 1
        return 1 if option in self.value else 0


class Options(NamedTuple):
    """The options that were given, in order, each with its value; two values are one, with `=` between."""

    given: tuple[tuple[str, Text | None], ...]

    def has(self, name: str) -> bool:
        return any(option == name for option, _ in self.given)

    def values(self, name: str) -> list[Text]:
        return [value for option, value in self.given if option == name and value is not None]


def split_options(
    words: Sequence[Text], grammar: Grammar, stop: frozenset[str] = frozenset(), sure: bool = False
) -> tuple[Options, list[Text], Text | None]:
    """The options, the words after them, and the option of STOP that ended them, if one did.

    Values come after `=`, stuck to a short option, or as the next word. An unknown word among the options is one of
    them, unless SURE.
    """
    given: list[tuple[str, Text | None]] = []
    at = 0
    while at < len(words):
        word = words[at]
        s = word.s
        if s == "--":
            at += 1
            break
        if s in stop:
            return Options(tuple(given)), list(words[at + 1 :]), word
        if not s.startswith("-") or s == "-":
            if (
                s
                and s[0] > "\xff"
                and len(s) == 1
                and not sure
                and s not in stop
                and at + 1 < len(words)
                and is_option(words[at + 1])
            ):
                at += 1  # an unknown word among the options is taken for one of them
                continue
            break
        short = next((o for o in stop if len(o) == 2 and s.startswith(o) and not s.startswith("--")), None)
        if short is not None:
            return Options(tuple(given)), [word.slice(2, len(s)), *words[at + 1 :]], word.slice(0, 2)
        at += 1
        if s.startswith("--") and "=" in s:
            name = s.partition("=")[0]
            given.append((name, word.slice(len(name) + 1, len(s)) if len(s) > len(name) + 1 else Text.of("")))
            continue
        count = grammar.takes(s)
        if not count and not s.startswith("--") and len(s) > 2 and grammar.takes(s[:2]) and s[:2] != s:
            given.append((s[:2], word.slice(2, len(s))))
            continue
        if count == 1 and grammar.bare is not None and not s.startswith("--") and len(s) > 2 and not s[2:].isalpha():
            given.append((s[:2], word.slice(2, len(s))))
            continue
        if count == 1 and grammar.bare is not None and len(s) > 2 and all(f"-{c}" in grammar.bare for c in s[1:]):
            given += [(f"-{c}", None) for c in s[1:]]
            continue
        if grammar.combined and not count and len(s) > 2 and not s.startswith("--"):
            given += [(f"-{letter}", None) for letter in s[1:-1]]
            s = f"-{s[-1]}"
            count = grammar.takes(s)
        if count and grammar.script and at < len(words) and words[at].s.endswith(grammar.script):
            count = 0
        value = words[at] if count and at < len(words) else None
        if count == 2 and value is not None and at + 1 < len(words):
            value = join([value, Text.of("="), words[at + 1]])
        given.append((s, value))
        at += count
    return Options(tuple(given)), list(words[at:]), None


def is_option(word: Text) -> bool:
    return word.s.startswith("-") and len(word.s) > 1

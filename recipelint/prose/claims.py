"""The claims that a sentence makes, by phrases that are data: token patterns, each with bounded gaps.

A sentence that negates, doubts, supposes, instructs, or speaks of another version makes none: what cannot be told for
sure is not told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from recipelint.lazily import regex
from recipelint.prose.blocks import Sentence
from recipelint.record import NamedTuple

MAX_TOKENS = 400
HEX = frozenset("0123456789abcdef")
GAP = 8
"""The most tokens that `~` and `...` pass over."""

_TOKEN = regex(r"[A-Za-z0-9_]+(?:(?:[.'#-]|\xe2\x80\x99)[A-Za-z0-9_]+)*|[\x80-\xff]+|[^\s\x80-\xff]")
_WORD = regex(r"[a-z0-9_]+(?:-[a-z0-9_]+)*")
_DASHES = ("\xe2\x80\x94", "\xe2\x80\x93")
_APOSTROPHE = "\xe2\x80\x99"


class Token(NamedTuple):
    """A token in lower case, the groups that have it, the dispatcher that it names, and where it stands."""

    text: str
    groups: frozenset[str]
    name: str
    start: int
    end: int


class Claim(NamedTuple):
    """A claim about a dispatcher; `start` and `end` are where the sentence's text names it."""

    form: Form
    name: str
    start: int
    end: int


class Form(NamedTuple):
    """A kind of claim, as the data tells it."""

    kind: str
    of: tuple[str, ...]
    says: str
    topic: str
    unless: str
    alone: str
    setting: str
    patterns: tuple[tuple[str, ...], ...]


class Phrases:
    """What `rules/comments.yaml` says, ready to read sentences with."""

    def __init__(self, plain: Mapping[str, Any]) -> None:
        self.truths: tuple[str, str] = (plain["truth"], plain["truth_if_none_fails"])
        self.fails_unless: Mapping[str, Sequence[str]] = plain["fails_unless"]
        self.here: str = plain["here"]
        self.names = {word: name for name, words in plain["dispatchers"].items() for word in words}
        self.ambiguous = frozenset(plain["ambiguous"])
        self.silencing = frozenset(flat(plain["silencing"]))
        self.silencing_patterns = [tuple(pattern.split()) for pattern in plain["silencing_patterns"]]
        self.groups: dict[str, set[str]] = {}
        self.phrases: dict[str, list[tuple[str, ...]]] = {}
        for group, words in plain["words"].items():
            for word in flat(words):
                self.groups.setdefault(word, set()).add(group)
                if " " in word:
                    first, *_ = parts = tuple(word.split())
                    self.phrases.setdefault(first, []).append(parts)
        self.sizes = tuple(flat(plain["words"]["sizes"]))
        self.forms = [form(one) for one in plain["claims"]]

    def truth(self, failing: Sequence[str]) -> str:
        """What is so where full checkpointing is known to fail under some dispatchers."""
        some, none = self.truths
        return some.format(failing=" and ".join(failing)) if failing else none

    def mentioned(self, text: str) -> bool:
        """Whether a text may name a dispatcher in a comment: behind a `#`."""
        return any(self.names_in(line.partition("#")[2]) for line in text.split("\n") if "#" in line)

    # --- tokens ------------------------------------------------------------------------------------

    def tokens(self, text: str) -> list[Token]:
        """The tokens of a sentence, or no more than is needed to see that it has too many."""
        found: list[tuple[str, int, int]] = []
        for match in _TOKEN.finditer(text):
            word = match[0].lower().replace(_APOSTROPHE, "'")
            found.append(("—" if word in _DASHES else word, match.start(), match.end()))
            if len(found) > MAX_TOKENS:
                break
        return self.named(list(self.joined(found)))

    def joined(self, found: Sequence[tuple[str, int, int]]) -> Iterable[Token]:
        """The tokens, with entries of several words taken as one."""
        at = 0
        while at < len(found):
            word, start, end = found[at]
            count = 1
            for parts in self.phrases.get(word, ()):
                if tuple(text for text, _, _ in found[at : at + len(parts)]) == parts and len(parts) > count:
                    count = len(parts)
            if count > 1:
                word, end = " ".join(text for text, _, _ in found[at : at + count]), found[at + count - 1][2]
            yield Token(word, frozenset(self.groups.get(word, ())), "", start, end)
            at += count

    def named(self, tokens: list[Token]) -> list[Token]:
        """The tokens with the dispatchers that they name."""
        return [
            token._replace(name=self.names[token.text])
            if token.text in self.names and (self.names[token.text] not in self.ambiguous or self.beside(tokens, at))
            else token
            for at, token in enumerate(tokens)
        ]

    def beside(self, tokens: Sequence[Token], at: int) -> bool:
        """Whether a name stands before a dispatcher's noun, or is said of one."""
        following = [token for token in tokens[at + 1 : at + 3] if token.text != "moe"]
        if following and "noun" in following[0].groups:
            return True
        before = [token for token in tokens[max(0, at - 3) : at] if token.text != "here"]
        return len(before) > 1 and "is" in before[-1].groups and not before[-2].groups.isdisjoint({"noun", "variable"})

    # --- claims ------------------------------------------------------------------------------------

    def names_in(self, text: str) -> set[str]:
        """The dispatchers that a text may name, ambiguous ones too."""
        return {self.names[word] for word in _WORD.findall(text.lower()) if word in self.names}

    def claims(self, sentence: Sentence) -> list[Claim]:
        """What a sentence claims; nothing where it is no plain statement."""
        tokens = self.tokens(sentence.text)
        if len(tokens) > MAX_TOKENS or not any(token.name for token in tokens) or self.silent(tokens):
            return []
        found: dict[tuple[str, int], Claim] = {}
        said = {f"<{group}>" for token in tokens for group in token.groups} | {token.text for token in tokens}
        for one in self.forms:
            if f"<{one.topic}>" in said and f"<{one.unless}>" not in said:
                fitting = (pattern for pattern in one.patterns if said.issuperset(needed(pattern)))
                for at in sorted({at for pattern in fitting for at in self.search(pattern, tokens, one)}):
                    claim = Claim(one, tokens[at].name, tokens[at].start, tokens[at].end)
                    found.setdefault((one.kind, at), claim)
        return list(found.values())

    def silent(self, tokens: Sequence[Token]) -> bool:
        """Whether a sentence is something else than a plain statement."""
        return (
            any(token.text in self.silencing or token.text.endswith("n't") or dated(token.text) for token in tokens)
            or tokens[-1].text == "?"
            or any(self.search(pattern, tokens, None) for pattern in self.silencing_patterns)
        )

    def search(self, pattern: Sequence[str], tokens: Sequence[Token], of: Form | None) -> set[int]:
        """Where the pattern's name stands in the tokens, each time that it fits; -1 for a pattern without one."""
        found: set[int] = set()
        for start in range(1 if pattern[0] == "^" else len(tokens)):
            states: set[tuple[int, int]] = {(start, -1)}
            if pattern[0] != "^" and not self.fits(pattern[0], tokens[start], of):
                continue
            for element in pattern:
                states = {new for state in states for new in self.step(element, tokens, state, of)}
                if not states:
                    break
            found |= {name for _, name in states}
        return found

    def step(
        self, element: str, tokens: Sequence[Token], state: tuple[int, int], of: Form | None
    ) -> Iterable[tuple[int, int]]:
        """Where a pattern may go on after one of its elements."""
        at, name = state
        if element == "^":
            yield state
        elif element in ("~", "..."):
            yield state
            for end in range(at, min(at + GAP, len(tokens))):
                token = tokens[end]
                if token.name or ("filler" not in token.groups if element == "~" else "breaks" in token.groups):
                    break
                yield end + 1, name
        elif at < len(tokens) and self.fits(element, tokens[at], of):
            yield at + 1, at if element == "<name>" else name

    def fits(self, element: str, token: Token, of: Form | None) -> bool:
        if element == "<name>":
            return bool(token.name) and of is not None and (not of.of or token.name in of.of)
        if element == "<size>":
            return token.text.rstrip("0123456789") in self.sizes and token.text[-1].isdigit()
        if element.startswith("<"):
            return element[1:-1] in token.groups
        return token.text in element.split("|") if element != "|" else token.text == "|"


def dated(word: str) -> bool:
    """Whether a word is an issue, a version, a commit or a date: its sentence is about one time, not about any."""
    number = word.rpartition("#")[2]
    if number != word:
        return number.isdigit()
    parts = word.removeprefix("v").replace("-", ".").split(".")
    if len(parts) > 1:
        return all(part.isdigit() for part in parts)
    return 7 <= len(word) <= 40 and not word.isalpha() and not word.isdigit() and HEX.issuperset(word)


@cache
def needed(pattern: tuple[str, ...]) -> tuple[str, ...]:
    """The groups and words without which a pattern cannot fit."""
    return tuple(one for one in pattern if one not in ("^", "~", "...", "<name>", "<size>") and "|" not in one)


def form(plain: Mapping[str, Any]) -> Form:
    """A kind of claim of the checked data; `other` is written as no names at all: which are meant is asked later."""
    return Form(
        plain["kind"],
        () if plain["of"] == "other" else tuple(plain["of"]),
        plain["says"],
        plain["topic"],
        plain.get("unless", ""),
        plain.get("alone", ""),
        plain.get("setting", ""),
        tuple(tuple(pattern.split()) for pattern in plain["patterns"]),
    )


def flat(words: Iterable[Any]) -> list[str]:
    """The words of a list, or of a list of lists."""
    return [word for part in words for word in ([part] if isinstance(part, str) else part)]

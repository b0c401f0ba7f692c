"""Which sentences claim that an option prevents a failure. The words are data; what is known here is how they combine.

A claim is a whole one: what is weakened (`helps avoid`), doubted (`whether it prevents`), denied in the same
paragraph or another that speaks of the failure, or said of one cause of the failure only (`avoids an error from
re-routing`) claims nothing that is false.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from recipelint.python.prose import Block, Sentence

_SPACES = re.compile(r"[\s`*\"]+")
_OFF = re.compile(r"[\"'\]]*\s*[:=]\s*(?:bool\s*=\s*)?(?:false|0|off|no)\b")
LONGEST = 2000
"""Characters of a sentence that are looked at."""


class Claim(NamedTuple):
    """The sentences of a block that make a claim, and whether they name the option."""

    block: Block
    sentences: tuple[Sentence, ...]
    named: bool


class Phrases:
    """The words of claims, from a rule's facts.

    words      the option's names
    subjects   what a comment speaks of that means the option without naming it
    failures   names of the failure
    before     what makes a claim when it stands before the failure; `after`: behind it; `adjacent`: just before it
    weak       words just before `before` that make it no claim
    links      words just behind the failure that restrict it to a cause, if one of `causes` follows
    doubts     what makes a sentence no claim; `denials`: what makes a block none
    """

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self.facts = facts

    @cached_property
    def names(self) -> tuple[str, ...]:
        return (*self.facts["words"], *self.facts["aliases"])

    def claims(self, block: Block) -> Iterator[Claim]:
        """The claims of a block."""
        if not any(failure in _normal(line.text) for line in _joined(block) for failure in self.facts["failures"]):
            return
        denied = [has(_normal(_text(paragraph)), self.facts["denials"]) for paragraph in block.paragraphs]
        if any(no and self.concerns(paragraph) for no, paragraph in zip(denied, block.paragraphs, strict=True)):
            return
        for no, paragraph in zip(denied, block.paragraphs, strict=True):
            for at, sentence in enumerate(paragraph):
                if not no and self.claims_it(_normal(sentence.text[:LONGEST])):
                    opening = block.lines[sentence.lines[0]].opening
                    first = at
                    while first > max(0, at - 2) and not self.names_it(opening, paragraph[first : at + 1]):
                        first -= 1
                    named = self.names_it(opening, paragraph[first : at + 1])
                    yield Claim(block, paragraph[first if named else at : at + 1], named)

    def concerns(self, paragraph: Sequence[Sentence]) -> bool:
        """Whether a paragraph speaks of the failure or of the option, so that what it denies may be a claim."""
        text = _normal(_text(paragraph))
        return any(word in text for word in (*self.facts["failures"], *self.names))

    def names_it(self, opening: str, sentences: Sequence[Sentence]) -> bool:
        """Whether sentences name the option, and not as switched off; OPENING stands before the first."""
        text = f"{opening} {_text(sentences)}".lower()
        for name in self.names:
            for found in re.finditer(rf"(?<![\w]){re.escape(name)}(?!\w)", text):
                if not _OFF.match(text, found.end()):
                    return True
        return False

    def means_it(self, block: Block) -> bool:
        """Whether a block speaks of what the option is about."""
        text = _normal(" ".join(line.text for line in block.lines))
        return any(subject in text for subject in self.facts["subjects"])

    def claims_it(self, text: str) -> bool:
        """Whether a sentence, in lower case and with single blanks, says that the failure is prevented."""
        if has(text, self.facts["doubts"]) or text.rstrip().endswith("?"):
            return False
        for failure in self.facts["failures"]:
            for found in re.finditer(re.escape(failure), text):
                if self.prevented(text[: found.start()], text[found.end() :]):
                    return True
        return False

    def prevented(self, before: str, after: str) -> bool:
        """Whether the words around a failure say that it does not happen."""
        link = next((link for link in self.facts["links"] if after.lstrip(" s").startswith(link + " ")), None)
        if link is not None and any(cause in after[: len(link) + 60] for cause in self.facts["causes"]):
            return False
        if any(before.rstrip(" (").endswith(" " + word) for word in self.facts["adjacent"]):
            return True
        if has(after, self.facts["after"]):
            return True
        for at in places(before, self.facts["before"]):
            if not set(before[:at].split()[-2:]) & set(self.facts["weak"]):
                return True
        return has(before, self.facts["otherwise"])


def has(text: str, phrases: Sequence[str]) -> bool:
    """Whether a text has one of some phrases, as whole words."""
    return next(places(text, phrases), None) is not None


def places(text: str, phrases: Sequence[str]) -> Iterator[int]:
    """Where the phrases begin in a text, as whole words."""
    for phrase in phrases:
        at = text.find(phrase)
        while at >= 0:
            end = at + len(phrase)
            if not text[at - 1 : at].isalnum() and not text[end : end + 1].isalnum():
                yield at
            at = text.find(phrase, at + 1)


def _normal(text: str) -> str:
    """Lower case, single blanks, no contractions, and the error without its module."""
    text = _SPACES.sub(" ", text).lower().replace("\u2019", "'").replace("torch.utils.checkpoint.", "")
    return text.replace("can't", "cannot").replace("n't", " not")


def _text(sentences: Sequence[Sentence]) -> str:
    return " ".join(sentence.text for sentence in sentences)


def _joined(block: Block) -> Iterator[Any]:
    """Each line of a block, and each two that follow one another: a name may be split between them."""
    yield from block.lines
    for one, other in pairwise(block.lines):
        yield one._replace(text=f"{one.text} {other.text}")

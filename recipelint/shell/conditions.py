"""The expressions of `test`, `[ ]` and `[[ ]]`.

Each is true, false, undecided, or false only because nobody gives a knob.
"""

from __future__ import annotations

import re

from recipelint.shell.compounds import Conditional, Test
from recipelint.shell.primaries import FILE_BINARY, NUMBER, STRING, Primaries
from recipelint.shell.state import World
from recipelint.shell.status import Status, combined, needs_of, negated, truth
from recipelint.shell.text import Text
from recipelint.shell.words import Word


class Conditions(Primaries):
    """Conditional expressions over texts."""

    def test_words(self, words: list[Text], world: World, text: str) -> Status:
        """`test WORDS`; TEXT is how an undecided one is told."""
        try:
            status, rest = self.test_or(words, world, text)
        except IndexError:
            return 2
        return 2 if rest else status

    def test_or(self, words: list[Text], world: World, text: str) -> tuple[Status, list[Text]]:
        """Terms joined by `-o`, and the words after them."""
        status, rest = self.test_and(words, world, text)
        while rest and rest[0].s == "-o":
            right, rest = self.test_and(rest[1:], world, text)
            status = combined("or", status, right, text)
        return status, rest

    def test_and(self, words: list[Text], world: World, text: str) -> tuple[Status, list[Text]]:
        """Primaries joined by `-a`, and the words after them."""
        status, rest = self.test_primary(words, world, text)
        while rest and rest[0].s == "-a":
            right, rest = self.test_primary(rest[1:], world, text)
            status = combined("and", status, right, text)
        return status, rest

    def test_primary(self, words: list[Text], world: World, text: str) -> tuple[Status, list[Text]]:
        """A primary at the start of WORDS, and the words after it, by the rules for few words first (POSIX test)."""
        if not words:
            return 1, []
        first = words[0].s
        if len(words) >= 3 and (words[1].s in STRING or words[1].s in NUMBER or words[1].s in FILE_BINARY):
            return self.binary(words[1].s, words[0], words[2], world, text), words[3:]
        if first == "!" and len(words) > 1:
            status, rest = self.test_primary(words[1:], world, text)
            return negated(status), rest
        if first == "(" and len(words) > 2:
            status, rest = self.test_or(words[1:], world, text)
            if not rest or rest[0].s != ")":
                return 2, []
            return status, rest[1:]
        if len(words) >= 2 and re.fullmatch(r"-[a-zA-Z]", first) and words[1].s not in ("-a", "-o"):
            return self.unary(first, words[1], world, text), words[2:]
        return self.unary("-n", words[0], world, text), words[1:]

    def conditional(self, node: Conditional, world: World) -> Status:
        """`[[ … ]]`."""
        text = node.unit.text.s[node.start : node.end]
        return self.evaluate_test(node.test, world, text)

    def evaluate_test(self, test: Test, world: World, text: str) -> Status:
        """One node of `[[ … ]]`; TEXT is how an undecided one is told."""
        op, operands = test.op, test.operands
        if op == "not":
            assert isinstance(operands[0], Test)
            return negated(self.evaluate_test(operands[0], world, text))
        if op in ("and", "or"):
            assert isinstance(operands[0], Test)
            assert isinstance(operands[1], Test)
            left = self.evaluate_test(operands[0], world, text)
            if truth(left) is (op == "or") and not needs_of(left):
                return left
            return combined(op, left, self.evaluate_test(operands[1], world, text), text)
        words = [operand for operand in operands if isinstance(operand, Word)]
        left_text = self.word_text(words[0], world)
        if op == "word":
            return self.unary("-n", left_text, world, text)
        if len(words) == 1:
            return self.unary(op, left_text, world, text)
        if op in ("=", "!="):
            pattern = self.pattern(words[1].parts, world, extended=True)
            status = self.like(left_text, pattern, world, text)
            return status if op == "=" else negated(status)
        if op == "=~":
            return self.regex_match(left_text, words[1], world, text)
        if op in NUMBER:
            return self.numeric(op, left_text, self.word_text(words[1], world), world, text, arithmetic=True)
        return self.binary(op, left_text, self.word_text(words[1], world), world, text)

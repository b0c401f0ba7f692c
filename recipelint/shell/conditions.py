"""`test`, `[ ]` and `[[ ]]`: true, false, undecided, or false only because nobody gives a knob.

A file test is undecided: what stands on the disk of the machine that runs the launcher is not ours to know.
"""

from __future__ import annotations

import re

from recipelint.shell.expand import Expander
from recipelint.shell.nodes import Conditional, Literal, Test, Word
from recipelint.shell.pattern import is_plain, matches
from recipelint.shell.state import AsShipped, Status, Undecided, World
from recipelint.shell.text import Text
from recipelint.shell.unknown import Kind

FILE_TESTS = frozenset("-a -b -c -d -e -f -g -h -k -p -r -s -u -w -x -G -L -N -O -S -t".split())
STRING = frozenset(("=", "==", "!=", "<", ">"))
NUMBER = {
    "-eq": lambda a, b: a == b,
    "-ne": lambda a, b: a != b,
    "-lt": lambda a, b: a < b,
    "-le": lambda a, b: a <= b,
    "-gt": lambda a, b: a > b,
    "-ge": lambda a, b: a >= b,
}
FILE_BINARY = frozenset(("-nt", "-ot", "-ef"))
NO_NEEDS: frozenset[str] = frozenset()


def status_of(holds: bool, needs: frozenset[str] = NO_NEEDS) -> Status:
    """0 for true, 1 for false; as shipped where it depends on knobs that nobody gives."""
    return AsShipped(holds, needs) if needs else int(not holds)


def negated(status: Status) -> Status:
    if isinstance(status, Undecided):
        return status._replace(negated=not status.negated)
    if isinstance(status, AsShipped):
        return AsShipped(not status.value, status.needs)
    return int(not status)


def truth(status: Status) -> bool | None:
    """Whether the status is success; None where it is undecided."""
    if isinstance(status, Undecided):
        return None
    return status.value if isinstance(status, AsShipped) else status == 0


def needs_of(status: Status) -> frozenset[str]:
    return status.needs if isinstance(status, AsShipped) else NO_NEEDS


class Conditions(Expander):
    """Conditional expressions over texts."""

    def test_words(self, words: list[Text], world: World, text: str) -> Status:
        """`test WORDS`; TEXT is how an undecided one is told."""
        try:
            status, rest = self.test_or(words, world, text)
        except IndexError:
            return 2
        return 2 if rest else status

    def test_or(self, words: list[Text], world: World, text: str) -> tuple[Status, list[Text]]:
        status, rest = self.test_and(words, world, text)
        while rest and rest[0].s == "-o":
            right, rest = self.test_and(rest[1:], world, text)
            status = self.combined("or", status, right, text)
        return status, rest

    def test_and(self, words: list[Text], world: World, text: str) -> tuple[Status, list[Text]]:
        status, rest = self.test_primary(words, world, text)
        while rest and rest[0].s == "-a":
            right, rest = self.test_primary(rest[1:], world, text)
            status = self.combined("and", status, right, text)
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

    # --- [[ ]] -------------------------------------------------------------------------------------

    def conditional(self, node: Conditional, world: World) -> Status:
        text = node.unit.text.s[node.start : node.end]
        return self.evaluate_test(node.test, world, text)

    def evaluate_test(self, test: Test, world: World, text: str) -> Status:
        op, operands = test.op, test.operands
        if op == "not":
            assert isinstance(operands[0], Test)
            return negated(self.evaluate_test(operands[0], world, text))
        if op in ("and", "or"):
            assert isinstance(operands[0], Test) and isinstance(operands[1], Test)
            left = self.evaluate_test(operands[0], world, text)
            if truth(left) is (op == "or") and not needs_of(left):
                return left
            return self.combined(op, left, self.evaluate_test(operands[1], world, text), text)
        words = [operand for operand in operands if isinstance(operand, Word)]
        left_text = self.word_text(words[0], world)
        if op == "word":
            return self.unary("-n", left_text, world, text)
        if len(words) == 1:
            return self.unary(op, left_text, world, text)
        if op in ("=", "!="):
            pattern = self.pattern(words[1].parts, world)
            status = self.like(left_text, pattern, world, text)
            return status if op == "=" else negated(status)
        if op == "=~":
            return self.regex_match(left_text, words[1], world, text)
        if op in NUMBER:
            return self.numeric(op, left_text, self.word_text(words[1], world), world, text, arithmetic=True)
        return self.binary(op, left_text, self.word_text(words[1], world), world, text)

    def combined(self, op: str, left: Status, right: Status, text: str) -> Status:
        """`and` and `or` of two statuses, each of which may be undecided."""
        stop = op == "or"
        for one in (left, right):
            if truth(one) is stop and not needs_of(one):
                return one
        needs = needs_of(left) | needs_of(right)
        if truth(left) is None or truth(right) is None:
            shipped_stop = truth(left) is stop or truth(right) is stop
            if shipped_stop:
                return AsShipped(stop, needs)
            if truth(left) is not None and truth(left) is not stop:
                return right
            if truth(right) is not None and truth(right) is not stop:
                return left
            keys = "|".join(s.key + ("!" if s.negated else "") for s in (left, right) if isinstance(s, Undecided))
            return Undecided(f"{op}({keys})", text)
        holds = truth(left) or truth(right) if stop else truth(left) and truth(right)
        return status_of(bool(holds), needs)

    # --- primaries ---------------------------------------------------------------------------------

    def undecided(self, key: str, text: str) -> Undecided:
        return Undecided(key, text)

    def unary(self, op: str, operand: Text, world: World, text: str) -> Status:
        if op in ("-z", "-n"):
            s, needs = self.shipped_text(operand, world.given)
            unknown = list(self.unknowns.pieces(s))
            if unknown and len(unknown) == len(s):
                if not any(p.kind is Kind.REQUIRED or p.place is not None for p in unknown):
                    status: Status = self.undecided(f"-n {s}", text)
                    return negated(status) if op == "-z" else status
            return status_of(bool(s) == (op == "-n"), needs)
        if op == "-v":
            name = operand.s.partition("[")[0]
            if not re.fullmatch(r"\w+", name):
                return 1
            value = self.read(world, name, None)
            if value.text is None:
                return status_of(False, frozenset({name}) if value.knob else NO_NEEDS)
            if name not in world.variables and not value.text.known:
                return self.undecided(f"-v {name}", text)
            return 0
        if op == "-o":
            return int({"errexit": "e", "nounset": "u", "pipefail": "p"}.get(operand.s, "") not in world.options)
        if op in FILE_TESTS:
            s, needs = self.shipped(operand.s, world.given)
            if not s:
                return status_of(False, needs)
            if self.unknowns.bases(s) in world.files and op in ("-e", "-f", "-r", "-a"):
                return 0
            return self.undecided(f"{op} {s} {world.cwd}", text)
        return 2

    def binary(self, op: str, left: Text, right: Text, world: World, text: str) -> Status:
        if op in ("=", "=="):
            return self.equal(left, right, world, text)
        if op == "!=":
            return negated(self.equal(left, right, world, text))
        if op in NUMBER:
            return self.numeric(op, left, right, world, text, arithmetic=False)
        if op in ("<", ">"):
            if left.known and right.known:
                return status_of(left.s < right.s if op == "<" else left.s > right.s)
            return self.undecided(f"{op} {left.s} {right.s}", text)
        return self.undecided(f"{op} {left.s} {right.s} {world.cwd}", text)

    def equal(self, left: Text, right: Text, world: World, text: str) -> Status:
        a, needs_a = self.shipped_text(left, world.given)
        b, needs_b = self.shipped_text(right, world.given)
        needs = needs_a | needs_b
        if a == b:
            return status_of(True, needs)
        if max(a + b, default="") <= "\xff":
            return status_of(False, needs)
        if not self.possible(a, b):
            return status_of(False, needs)
        return self.undecided("= " + " ".join(sorted((a, b))), text)

    def possible(self, a: str, b: str) -> bool:
        """Whether two texts with unknown pieces may be equal: False only where their known ends differ."""
        for one, other in ((a, b), (b, a)):
            if max(other, default="") <= "\xff":
                regex = "".join(".*" if c > "\xff" else re.escape(c) for c in one)
                if not re.fullmatch(re.sub(r"(?:\.\*)+", ".*", regex), other, re.S):
                    return False
                sure = [p for p in self.unknowns.pieces(one) if p.kind is Kind.REQUIRED or p.place is not None]
                if not other and sure:
                    return False
        return True

    def like(self, left: Text, pattern: Text, world: World, text: str) -> Status:
        """`[[ left == pattern ]]`, or a case's arm."""
        s, needs = self.shipped_text(left, world.given)
        p, more = self.shipped(pattern.s, world.given)
        p = p.replace("\0\0", "\0")
        needs |= more
        if max(s + p, default="") <= "\xff":
            return status_of(matches(p, s), needs)
        if p == "*":
            return status_of(True, needs)
        if is_plain(p):
            plain = re.sub(r"\0(.)", r"\1", p, flags=re.S)
            return self.equal(Text.of(s), Text.of(plain), world, text)
        if len(s) > 1 and max(p, default="") <= "\xff" and self.settled(s, p):
            return status_of(True, needs)
        return self.undecided(f"~ {s} {p}", text)

    def settled(self, s: str, pattern: str) -> bool:
        """Whether `*text*` is found in a known stretch of S, so that the unknown pieces do not matter."""
        inner = pattern.strip("*")
        if not (pattern.startswith("*") and pattern.endswith("*") and inner and is_plain(inner)):
            return False
        plain = re.sub(r"\0(.)", r"\1", inner, flags=re.S)
        return any(plain in stretch for stretch in re.split("[\U00010000-\U0010ffff]+", s))

    def regex_match(self, left: Text, word: Word, world: World, text: str) -> Status:
        """`=~`: quoted stretches match themselves."""
        source = []
        for part in word.parts:
            value = part.text if isinstance(part, Literal) else self.part(part, world)
            s = " ".join(t.s for t in value) if isinstance(value, list) else value.s
            source.append(re.escape(s) if part.quoted else s)
        regex = "".join(source)
        for name, inside in (
            ("[:alpha:]", "a-zA-Z"),
            ("[:digit:]", "0-9"),
            ("[:alnum:]", "a-zA-Z0-9"),
            ("[:space:]", r"\s"),
        ):
            regex = regex.replace(name, inside)
        s, needs = self.shipped(left.s, world.given)
        if max(s + regex, default="") > "\xff" or len(s) > 4096 or re.search(r"[+*}]\)?[+*{]", regex):
            return self.undecided(f"=~ {s} {regex}", text)
        try:
            m = re.compile(regex).search(s)
        except (re.error, OverflowError):
            return 2
        groups = [] if m is None else [m[0], *(g or "" for g in m.groups())]
        self.assign_array(world, "BASH_REMATCH", {k: Text.of(g) for k, g in enumerate(groups)})
        return status_of(m is not None, needs)

    def numeric(self, op: str, left: Text, right: Text, world: World, text: str, arithmetic: bool) -> Status:
        """`-eq` and its kind; in `[[ ]]` the operands are expressions, in `[ ]` they must be whole numbers."""
        numbers, needs = [], set[str]()
        for operand in (left, right):
            s, missing = self.shipped(operand.s, world.given)
            needs |= missing
            if max(s, default="") > "\xff":
                return self.undecided(f"{op} {left.s} {right.s}", text)
            if arithmetic:
                found = set[str]()
                number = self.number(Text.of(s), world, found)
                needs |= found
                if number is None:
                    return self.undecided(f"{op} {left.s} {right.s}", text)
            elif re.fullmatch(r"\s*[-+]?\d+\s*", s):
                number = int(s)
            else:
                return status_of(False, frozenset(needs)) if needs else 2
            numbers.append(number)
        return status_of(NUMBER[op](numbers[0], numbers[1]), frozenset(needs))

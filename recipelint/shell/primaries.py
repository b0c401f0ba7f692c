"""The primaries of `test`, `[ ]` and `[[ ]]`: strings, numbers, patterns, variables, files.

A file test is undecided: what stands on the disk of the machine that runs the launcher is not ours to know.
"""

from __future__ import annotations

import re

from recipelint.lazily import regex
from recipelint.shell.fields import Fields
from recipelint.shell.pattern import is_hard, is_hard_regex, is_plain, matches
from recipelint.shell.state import World
from recipelint.shell.status import NO_NEEDS, Status, Undecided, negated, status_of
from recipelint.shell.text import Text
from recipelint.shell.unknown import Kind
from recipelint.shell.words import Literal, Word

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
FOREIGN = regex(r"[+*}?][+*{?]|\(\?")
"""What Python reads otherwise than an extended regular expression of POSIX."""
FILE_BINARY = frozenset(("-nt", "-ot", "-ef"))


class Primaries(Fields):
    """One comparison, or one question about a text."""

    def unary(self, op: str, operand: Text, world: World, text: str) -> Status:
        """`-z`, `-n`, `-v`, `-o` and the file tests."""
        if op in ("-z", "-n"):
            s, needs = self.shipped_text(operand, world.given)
            unknown = list(self.unknowns.pieces(s))
            open_ended = not any(p.kind is Kind.REQUIRED or p.place is not None for p in unknown)
            if unknown and len(unknown) == len(s) and open_ended:
                return Undecided(f"-n {s}", text, negated=op == "-z")
            return status_of(bool(s) == (op == "-n"), needs)
        if op == "-v":
            name = operand.s.partition("[")[0]
            if not re.fullmatch(r"\w+", name):
                return 1
            if name != operand.s:
                return self.element_test(name, operand.s[len(name) + 1 :].removesuffix("]"), text, world)
            value = self.read(world, name, None)
            if value.text is None:
                return status_of(False, frozenset({name}) if value.knob else NO_NEEDS)
            if name not in world.variables and not value.text.known:
                return Undecided(f"-v {name}", text)
            return 0
        if op == "-o":
            return int({"errexit": "e", "nounset": "u", "pipefail": "p"}.get(operand.s, "") not in world.options)
        if op in FILE_TESTS:
            s, needs = self.shipped(operand.s, world.given)
            if not s:
                return status_of(False, needs)
            if self.unknowns.path_key(s) in world.files and op in ("-e", "-f", "-r", "-a"):
                return 0
            return Undecided(f"{op} {s} {world.cwd}", text)
        return 2

    def element_test(self, name: str, key: str, text: str, world: World) -> Status:
        """`-v NAME[key]`: whether the element is set."""
        variable = world.variables.get(name)
        if variable is None:
            return 1
        items = variable.items if variable.items is not None else {0: variable.value} if variable.value else {}
        if key in ("@", "*"):
            return int(not items)
        found = key if "A" in variable.attributes else self.number(Text.of(key), world)
        if found is None or max(key, default="") > "\xff" or any(self.is_many(item) for item in items.values() if item):
            return Undecided(f"-v {name}[{key}]", text)
        return int(found not in items)

    def binary(self, op: str, left: Text, right: Text, world: World, text: str) -> Status:
        """Two operands of `[ ]`, or of `[[ ]]` where it has no rule of its own."""
        if op in ("=", "=="):
            return self.equal(left, right, world, text)
        if op == "!=":
            return negated(self.equal(left, right, world, text))
        if op in NUMBER:
            return self.numeric(op, left, right, world, text, arithmetic=False)
        if op in ("<", ">"):
            if left.known and right.known:
                return status_of(left.s < right.s if op == "<" else left.s > right.s)
            return Undecided(f"{op} {left.s} {right.s}", text)
        return Undecided(f"{op} {left.s} {right.s} {world.cwd}", text)

    def equal(self, left: Text, right: Text, world: World, text: str) -> Status:
        """Whether two texts are the same; undecided where unknown pieces could make them so."""
        a, needs_a = self.shipped_text(left, world.given)
        b, needs_b = self.shipped_text(right, world.given)
        needs = needs_a | needs_b
        if a == b:
            return status_of(True, needs)
        if max(a + b, default="") <= "\xff":
            return status_of(False, needs)
        if not self.possible(a, b):
            return status_of(False, needs)
        return Undecided("= " + " ".join(sorted((a, b))), text)

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
            if is_hard(p, s):
                return Undecided(f"~ {s} {p}", text)
            return status_of(matches(p, s), needs)
        if p == "*":
            return status_of(True, needs)
        if is_plain(p):
            plain = re.sub(r"\0(.)", r"\1", p, flags=re.S)
            return self.equal(Text.of(s), Text.of(plain), world, text)
        if len(s) > 1 and max(p, default="") <= "\xff" and self.settled(s, p):
            return status_of(True, needs)
        return Undecided(f"~ {s} {p}", text)

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
        if max(s + regex, default="") > "\xff" or FOREIGN.search(regex) or is_hard_regex(regex, s):
            return Undecided(f"=~ {s} {regex}", text)
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
                return Undecided(f"{op} {left.s} {right.s}", text)
            if arithmetic:
                found = set[str]()
                number = self.number(Text.of(s), world, found)
                needs |= found
                if number is None:
                    return Undecided(f"{op} {left.s} {right.s}", text)
            elif re.fullmatch(r"\s*[-+]?0*\d{1,18}\s*", s):
                number = int(s.strip().lstrip("+-0") or "0") * (-1 if "-" in s else 1)
            else:
                return status_of(False, frozenset(needs)) if needs else 2
            numbers.append(number)
        return status_of(NUMBER[op](numbers[0], numbers[1]), frozenset(needs))

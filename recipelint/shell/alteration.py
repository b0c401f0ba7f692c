"""What the operators of `${…}` make of one value: slices, prefixes and suffixes, replacement, case (manual, 3.5.3).

Unknown pieces are kept where the operator cannot touch them; otherwise the result is unknown.
"""

from __future__ import annotations

from recipelint.shell.calculation import Calculation
from recipelint.shell.pattern import (
    ESCAPE,
    characters,
    compiled,
    is_hard,
    is_plain,
    plain_text,
    prefix_end,
    stretches,
    suffix_start,
)
from recipelint.shell.quote import at_q
from recipelint.shell.state import World
from recipelint.shell.text import EMPTY, Origin, Text, join
from recipelint.shell.words import Parameter, Part


class Alteration(Calculation):
    """Texts out of texts."""

    # What later links of the chain provide.
    def single(self, parts: list[Part] | None, world: World) -> Text:
        raise NotImplementedError

    def pattern(self, parts: list[Part] | None, world: World) -> Text:
        raise NotImplementedError

    def bounds(self, part: Parameter, world: World) -> tuple[int, int | None] | None:
        """Offset and length of `:o:l`; None if one is unknown."""
        text = self.single(part.argument, world)
        first, colon, second = text.s.partition(":")
        offset = self.number(Text.of(first), world)
        length = self.number(Text.of(second), world) if colon else None
        if offset is None or (colon and length is None):
            return None
        return offset, length

    def substring(self, part: Parameter, text: Text, world: World, origin: Origin | None) -> Text:
        bounds = self.bounds(part, world)
        if bounds is None or not text.known:
            return self.derived("${" + part.name + "}", origin, (part.start, text.s))
        offset, length = bounds
        s = text.s
        if max(s, default="") > "\x7f":
            s = s.encode("latin-1").decode("utf-8", "replace")
        start = offset if offset >= 0 else len(s) + offset
        if start < 0 or start > len(s):
            return EMPTY
        end = len(s) if length is None else start + length if length >= 0 else len(s) + length
        if s is text.s:
            return text.slice(start, max(start, end))
        return text.with_runs(s[start : max(start, end)].encode("utf-8", "replace").decode("latin-1"))

    def changed(self, part: Parameter, text: Text, world: World, origin: Origin | None) -> Text:
        """`#`, `%`, `/`, `^`, `,` and `@` operators."""
        op = part.op
        pattern = self.pattern(part.argument, world).s if op != "@" else ""
        if op in ("#", "##", "%", "%%"):
            return self.trimmed(op, text, pattern, part, origin)
        if not text.known or max(pattern, default="") > "\xff":
            s, needs = self.shipped(text.s, world.given)
            if needs and not s:
                return text
            return self.derived("${" + part.name + "}", origin, (op, pattern, text.s, part.start))
        if op in ("/", "//"):
            if is_hard(pattern, text.s, tries=len(text.s)):
                return self.derived("${" + part.name + "}", origin, (op, pattern, text.s))
            if "&" in self.pattern(part.replacement, world).s.replace(ESCAPE + "&", "").replace("\\&", ""):
                # Bash 5.2 puts what was matched there, an earlier one the sign itself.
                return self.derived("${" + part.name + "}", origin, (op, pattern, text.s, "&"))
            return self.replaced(op, text, pattern, self.single(part.replacement, world))
        if op == "@":
            letter = self.single(part.argument, world).s
            if letter == "Q":
                self.charge(len(text.s) << 6)
                return at_q(text)
            if letter not in ("U", "u", "L"):
                plain = letter in ("E", "P") and not set(text.s) & set("\\$`")
                return text if plain else self.derived("${" + part.name + "@" + letter + "}", origin, text.s)
            op = {"U": "^^", "u": "^", "L": ",,"}[letter]
        change = str.upper if op[0] == "^" else str.lower
        allowed = compiled(characters(pattern)) if pattern else None
        s = text.s.encode("latin-1").decode("utf-8", "replace")
        out = []
        for at, c in enumerate(s):
            out.append(change(c) if (len(op) == 2 or at == 0) and (allowed is None or allowed.fullmatch(c)) else c)
        return text.with_runs("".join(out).encode("utf-8").decode("latin-1"))

    def trimmed(self, op: str, text: Text, pattern: str, part: Parameter, origin: Origin | None) -> Text:
        """A prefix or suffix taken away; unknown pieces are in the way only where the match could reach them."""
        s = text.s
        marks = [at for at, c in enumerate(s) if c > "\xff"]
        if max(pattern, default="") > "\xff" or is_hard(pattern, s, tries=len(s)):
            return self.derived("${" + part.name + "}", origin, (op, pattern, s))
        if marks and not is_plain(pattern) and any("\x80" <= c <= "\xff" for c in s):
            return self.derived("${" + part.name + "}", origin, (op, pattern, s))
        cut = prefix_end(pattern, s, op == "##") if op[0] == "#" else suffix_start(pattern, s, op == "%%")
        if marks and not self.certain_cut(op, s, pattern, cut, marks):
            place = self.unknowns[s].place if len(s) == 1 else None
            if place is not None and plain_text(pattern) == "/*" and op == "%":
                return self.place("${" + part.name + "%/*}", place.rpartition("/")[0], origin=origin)
            return self.derived("${" + part.name + "}", origin, (op, pattern, s))
        if cut is None:
            return text
        return text.slice(cut, len(s)) if op[0] == "#" else text.slice(0, cut)

    def certain_cut(self, op: str, s: str, pattern: str, cut: int | None, marks: list[int]) -> bool:
        """Whether the cut is the same whatever the unknown pieces are."""
        if is_plain(pattern):
            n = len(plain_text(pattern))
            return marks[0] >= n if op[0] == "#" else marks[-1] < len(s) - n
        if op == "##" and pattern.startswith("*"):
            return cut is not None and cut > marks[-1]
        if op == "%" and pattern.endswith("*"):
            return cut is not None and cut > marks[-1]
        if op == "#" and pattern.startswith("*"):
            return cut is not None and cut <= marks[0]
        return op == "%%" and pattern.endswith("*") and cut is not None and cut < marks[0]

    def replaced(self, op: str, text: Text, pattern: str, new: Text) -> Text:
        """`${V/p/r}`, `${V//p/r}`, `${V/#p/r}`, `${V/%p/r}`."""
        s, anchor = text.s, ""
        if op == "/" and pattern[:1] in ("#", "%"):
            anchor, pattern = pattern[0], pattern[1:]
        if not pattern:
            return text if not anchor else join([new, text] if anchor == "#" else [text, new])
        if anchor == "#":
            end = prefix_end(pattern, s, longest=True)
            return text if end is None else join([new, text.slice(end, len(s))])
        if anchor == "%":
            start = suffix_start(pattern, s, longest=True)
            return text if start is None else join([text.slice(0, start), new])
        pieces, at = list[Text](), 0
        for matches, (start, end) in enumerate(stretches(pattern, s), 1):
            pieces += [text.slice(at, start), new] if start > at else [new]
            at = end
            if not matches % 64:
                self.charge(1 << 14)
            if op == "/":
                break
        if not pieces:
            return text
        return join([*(p for p in pieces if p.s or p is new), text.slice(at, len(s))])

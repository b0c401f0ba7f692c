"""What printf prints, as bash's own does (builtins/printf.def); what depends on the machine is unknown."""

from __future__ import annotations

import re

from recipelint.record import NamedTuple
from recipelint.shell.conditions import Conditions
from recipelint.shell.escapes import unescaped
from recipelint.shell.quote import percent_q
from recipelint.shell.text import EMPTY, Text, join

SPEC = r"%(?:%|(?P<flags>[-+ #0']*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d*))?[hlLjtz]*(?P<kind>.)?)"
INTEGER = r"[ \t\n]*([-+]?)(?:0[xX]([0-9a-fA-F]+)|(0[0-7]*)|([1-9]\d*))"
FLOAT = r"[ \t\n]*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?"
"""These are rare, and compiled when they are met."""
MAX_PIECES = 100_000
MAX_WIDTH = 4096
"""Of a field, and digits of a number: what asks for more is unknown."""


class Spec(NamedTuple):
    """One conversion of a format; a PRECISION of -1 is none."""

    flags: str
    width: int
    precision: int
    kind: str


class Printing(Conditions):
    """A format and its arguments to a text."""

    def printf(self, words: list[Text]) -> Text | None:
        """The output of printf; None for a format that is not known or not supported."""
        if not words or not words[0].known:
            return None
        form, arguments = words[0], words[1:]
        pieces: list[Text] = []
        done = 0
        while True:
            used, more = self.printed(form, arguments, pieces)
            arguments = arguments[used:]
            self.charge(sum(len(piece.s) for piece in pieces[done:]))
            done = len(pieces)
            if not more or not arguments or not used or done > MAX_PIECES:
                return join(pieces) if pieces else EMPTY

    def printed(self, form: Text, arguments: list[Text], pieces: list[Text]) -> tuple[int, bool]:
        """One pass over the format: how many arguments it took, and whether to go on."""
        used, at = 0, 0

        def take() -> Text:
            nonlocal used
            used += 1
            return arguments[used - 1] if used <= len(arguments) else EMPTY

        for m in re.finditer(SPEC, form.s, re.S):
            self.plain_format(form, at, m.start(), pieces)
            at = m.end()
            if m[0] == "%%":
                pieces.append(form.slice(m.start(), m.start() + 1))
                continue
            flags, kind = m["flags"] or "", m["kind"] or ""
            if kind not in "diouxXeEfFgGaAcsbqQn(" or not kind:
                return used, False  # bash complains, and prints no more
            width = size(take().s if m["width"] == "*" else m["width"] or "0")
            precision = m["precision"]
            digits = -1 if precision is None else size(take().s if precision == "*" else precision or "0")
            argument = take()
            if width is None or digits is None or kind in "aAn(" or ("'" in flags and kind not in "csbqQ"):
                pieces.append(self.derived("$(printf)", None, (m[0], argument.s)))
                if kind == "(":
                    return used, False
                continue
            spec = Spec(flags + "-" * (width < 0), abs(width), max(digits, -1), kind)
            text, more = self.converted(argument, spec)
            pieces.append(text)
            if not more:
                return used, False
        self.plain_format(form, at, len(form.s), pieces)
        return used, True

    def plain_format(self, form: Text, start: int, end: int, pieces: list[Text]) -> None:
        """Literal text of the format."""
        if end > start:
            text = form.slice(start, end)
            pieces.append(text if "\\" not in text.s else text.with_runs(unescaped(text.s, "format")[0]))

    def converted(self, text: Text, spec: Spec) -> tuple[Text, bool]:
        """One argument by its conversion; False where a `\\c` of `%b` ends the output."""
        kind, precision, more = spec.kind, spec.precision, True
        if kind in "diouxXeEfFgG":
            if not text.known:
                return text, True
            shown = integer(text.s, spec) if kind in "diouxX" else floating(text.s, spec)
            if shown is None:
                return self.derived("$(printf)", None, (spec, text.s)), True
            return text.with_runs(shown), True
        if kind == "Q" and precision >= 0 and text.known:
            text = text.slice(0, precision)
        if kind in "qQ":
            self.charge(len(text.s) << 6)
            text = percent_q(Text(self.unknowns.guarded(text.s), text.runs))
        elif kind == "b" and "\\" in text.s:
            s, more = unescaped(text.s, "b")
            text = text.with_runs(s)
        elif kind == "c":
            text = text.slice(0, 1) if text.s else Text.of("\0")
        if precision >= 0 and kind in "sbq" and text.known:
            text = text.slice(0, precision)
        if text.known and len(text.s) < spec.width:
            pad = Text.of(" " * (spec.width - len(text.s)))
            text = join([text, pad] if "-" in spec.flags else [pad, text])
        return text, more


def size(digits: str) -> int | None:
    """A width or precision; None for one that is too large or no number."""
    if not digits:
        return 0
    if not re.fullmatch(r"-?\d{1,6}", digits, re.ASCII) or abs(int(digits)) > MAX_WIDTH:
        return None
    return int(digits)


def parsed(s: str) -> int:
    """An argument as strtoimax takes it: up to what is no digit; `'c` is the number of a character."""
    if s[:1] in ("'", '"'):
        return ord(s[1:].encode("latin-1").decode("utf-8", "replace")[:1] or "\0")
    m = re.match(INTEGER, s)
    if m is None or len(m[0]) > MAX_WIDTH:
        return 0
    value = int(m[2], 16) if m[2] else int(m[3], 8) if m[3] else int(m[4])
    return -value if m[1] == "-" else value


def integer(s: str, spec: Spec) -> str:
    """An argument of `%d` and its kind; beyond 64 bits it is the last number within."""
    value, flags = parsed(s), spec.flags
    sign, prefix = "", ""
    if spec.kind in "di":
        value = max(-(1 << 63), min(value, (1 << 63) - 1))
        sign = "-" if value < 0 else "+" if "+" in flags else " " if " " in flags else ""
        digits = str(abs(value))
    else:
        value = (1 << 64) - 1 if abs(value) >= 1 << 64 else value % (1 << 64)
        digits = format(value, {"u": "d", "i": "d"}.get(spec.kind, spec.kind))
        prefix = "0" + spec.kind if "#" in flags and value and spec.kind in "xX" else ""
    digits = "" if not value and spec.precision == 0 else digits.rjust(spec.precision, "0")
    if spec.kind == "o" and "#" in flags and not digits.startswith("0"):
        digits = "0" + digits
    if "0" in flags and "-" not in flags and spec.precision < 0:
        digits = digits.rjust(spec.width - len(sign + prefix), "0")
    shown = sign + prefix + digits
    return shown.ljust(spec.width) if "-" in flags else shown.rjust(spec.width)


def floating(s: str, spec: Spec) -> str | None:
    """An argument of `%f` and its kind; None where the machine's own precision could decide its last digit."""
    if re.match(r"[ \t\n]*[-+]?(?:0[xX]|inf|nan)", s, re.I):
        return None
    m = re.match(FLOAT, s)
    value = float(parsed(s)) if s[:1] in ("'", '"') else float(m[0]) if m else 0.0
    form = f"%{spec.flags}{spec.width or ''}.{spec.precision if spec.precision >= 0 else 6}{spec.kind}"
    if value in (float("inf"), float("-inf")):
        return None
    shown = form % value
    if len({form % (value * (1 + step)) for step in (-(2**-52), 0, 2**-52)}) > 1 and m:
        from decimal import Decimal

        if Decimal(m[0].strip()) != Decimal(value):
            return None
    return shown

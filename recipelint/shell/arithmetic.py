"""Shell arithmetic (bash manual, 6.5): 64-bit integers, C's operators, names that stand for their values."""

from __future__ import annotations

from collections.abc import Callable

from recipelint.lazily import regex

TOKEN = regex(
    r"\s*(?:(0[xX][0-9a-fA-F]+|\d+#[0-9a-zA-Z@_]+|\d+)|([A-Za-z_]\w*)|([\U00010000-\U0010ffff]+\w*)"
    r"|(\*\*|<<=|>>=|\+\+|--|&&|\|\||<<|>>|<=|>=|==|!=|[-+*/%&^|]=|[-+*/%<>=!~&^|?:,()\[\]])|(\S))"
)
BINARY = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10, "**": 11,
}  # fmt: skip
ASSIGNING = frozenset(("=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|="))
MAX_DEPTH = 64


class ArithmeticFault(Exception):
    """Bash would refuse the expression."""


class UnknownOperand(Exception):
    """The value depends on a piece that cannot be known, or is too much to compute."""


class Refused(Exception):
    """Bash refuses the expression that a command has; `needs` are the knobs whose want makes it so."""

    def __init__(self, needs: frozenset[str]) -> None:
        super().__init__(needs)
        self.needs = needs


def wrapped(value: int) -> int:
    """A number as a signed 64-bit integer."""
    return (value + 2**63) % 2**64 - 2**63


Read = Callable[[str, "int | str | None"], int]
"""The value of a name, with its subscript if any; raises UnknownOperand."""
Write = Callable[[str, "int | str | None", int], None]


class Expression:
    """One evaluation: a Pratt parser that computes as it reads.

    skip   above 0 in the arm that `?:`, `&&` or `||` leave out: it is read, but reads and writes no name
    """

    def __init__(self, text: str, read: Read, write: Write, keyed: Callable[[str], bool] = lambda name: False) -> None:
        self.tokens: list[tuple[str, str]] = []
        for m in TOKEN.finditer(text):
            kind = ("number", "name", "unknown", "op", "bad")[(m.lastindex or 5) - 1]
            if kind in ("name", "unknown") or len(self.tokens) < 2 or self.tokens[-1][1] not in ("++", "--"):
                pass
            elif self.tokens[-2][0] not in ("name", "unknown") and self.tokens[-2][1] != "]":
                self.tokens[-1:] = [("op", self.tokens[-1][1][0])] * 2
            self.tokens.append((kind, m[m.lastindex or 5]))
        self.at = 0
        self.read = read
        self.write = write
        self.keyed = keyed
        self.skip = 0
        self.depth = 0

    def value(self) -> int:
        """The value of the whole; 0 for nothing. Raises ArithmeticFault and UnknownOperand."""
        if not self.tokens:
            return 0
        result = self.comma()
        if self.at < len(self.tokens):
            raise ArithmeticFault(f"unexpected {self.tokens[self.at][1]!r}")
        return result

    def peek(self) -> str:
        """The operator at the cursor; empty at a name, a number or the end."""
        if self.at < len(self.tokens) and self.tokens[self.at][0] == "op":
            return self.tokens[self.at][1]
        return ""

    def comma(self) -> int:
        result = self.ternary()
        while self.peek() == ",":
            self.at += 1
            result = self.ternary()
        return result

    def ternary(self) -> int:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise UnknownOperand("too deep")
        condition = self.binary(1, first=True)
        if self.peek() == "?":
            self.at += 1
            self.skip += not condition
            yes = self.comma()
            self.skip -= not condition
            if self.peek() != ":":
                raise ArithmeticFault("':' expected")
            self.at += 1
            self.skip += bool(condition)
            no = self.ternary()
            self.skip -= bool(condition)
            condition = yes if condition else no
        self.depth -= 1
        return condition

    def binary(self, least: int, first: bool = False) -> int:
        """Binary operators that bind at least as tightly as LEAST; FIRST: a name may be set at the start."""
        left = self.unary(first)
        while True:
            op = self.peek()
            power = BINARY.get(op, 0)
            if power < least:
                return left
            self.at += 1
            if op in ("&&", "||"):
                decided = (op == "&&") != bool(left)
                self.skip += decided
                right = self.binary(power + 1)
                self.skip -= decided
                left = int(bool(left) and bool(right)) if op == "&&" else int(bool(left) or bool(right))
            else:
                right = self.binary(power if op == "**" else power + 1)
                left = 0 if self.skip else compute(op, left, right)

    def unary(self, first: bool = False) -> int:
        if self.at >= len(self.tokens):
            raise ArithmeticFault("an operand expected")
        kind, text = self.tokens[self.at]
        if kind == "op" and text in ("-", "+", "!", "~"):
            self.at += 1
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise UnknownOperand("too deep")
            value = self.unary()
            self.depth -= 1
            return wrapped({"-": -value, "+": value, "!": int(not value), "~": ~value}[text])
        if kind == "op" and text in ("++", "--"):
            self.at += 1
            name, index = self.name()
            value = wrapped(self.get(name, index) + (1 if text == "++" else -1))
            self.put(name, index, value)
            return value
        return self.primary(first)

    def primary(self, first: bool) -> int:
        kind, text = self.tokens[self.at]
        if kind == "number":
            self.at += 1
            return number(text)
        if kind == "unknown":
            self.at += 1
            if self.skip:
                return 0
            raise UnknownOperand(text)
        if kind == "op" and text == "(":
            self.at += 1
            value = self.comma()
            if self.peek() != ")":
                raise ArithmeticFault("')' expected")
            self.at += 1
            return value
        if kind != "name":
            raise ArithmeticFault(f"unexpected {text!r}")
        name, index = self.name()
        op = self.peek()
        if op in ("++", "--"):
            self.at += 1
            value = self.get(name, index)
            self.put(name, index, wrapped(value + (1 if op == "++" else -1)))
            return value
        if op in ASSIGNING:
            if not first:
                raise ArithmeticFault("a value set to what is no variable")
            self.at += 1
            left = 0 if op == "=" else self.get(name, index)
            right = self.ternary()
            value = right if op == "=" else 0 if self.skip else compute(op[:-1], left, right)
            self.put(name, index, value)
            return value
        return self.get(name, index)

    def name(self) -> tuple[str, int | str | None]:
        """The name at the cursor, and its subscript."""
        if self.at >= len(self.tokens) or self.tokens[self.at][0] != "name":
            raise ArithmeticFault("a name expected")
        text = self.tokens[self.at][1]
        self.at += 1
        if self.peek() != "[":
            return text, None
        self.at += 1
        index = self.key() if self.keyed(text) else self.comma()
        if self.peek() != "]":
            raise ArithmeticFault("']' expected")
        self.at += 1
        return text, index

    def key(self) -> str:
        """The subscript of an associative array, a text: known here where it is one word."""
        kind, text = self.tokens[self.at] if self.at < len(self.tokens) else ("bad", "")
        if kind not in ("name", "number"):
            raise UnknownOperand("a key that is not plain")
        self.at += 1
        return text

    def get(self, name: str, index: int | str | None) -> int:
        return 0 if self.skip else self.read(name, index)

    def put(self, name: str, index: int | str | None, value: int) -> None:
        if not self.skip:
            self.write(name, index, value)


def number(text: str) -> int:
    """A constant: decimal, 0octal, 0xhex or base#digits."""
    if "#" in text:
        base, _, digits = text.partition("#")
        if len(base) > 2 or len(digits) > 64:
            raise UnknownOperand("a number too long")
        if base[0] == "0" or base == "1":
            raise ArithmeticFault(f"no base {base}")
        order = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_"
        radix, value = int(base), 0
        for c in digits:
            place = order.find(c.lower() if radix <= 36 else c)
            if not 0 <= place < radix <= 64:
                raise ArithmeticFault(f"bad digit {c!r}")
            value = value * radix + place
        return wrapped(value)
    if len(text) > 40:
        raise UnknownOperand("a number too long")
    if text[:2] in ("0x", "0X"):
        return wrapped(int(text, 16))
    if text[0] == "0" and len(text) > 1:
        try:
            return wrapped(int(text, 8))
        except ValueError as error:
            raise ArithmeticFault(f"{text} is no octal number") from error
    return wrapped(int(text))


def compute(op: str, a: int, b: int) -> int:
    """One binary operation; division truncates toward zero, as in C."""
    if op in ("/", "%"):
        if b == 0:
            raise ArithmeticFault("division by 0")
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return wrapped(quotient if op == "/" else a - b * quotient)
    if op == "**":
        if b < 0:
            raise ArithmeticFault("exponent less than 0")
        return wrapped(pow(a, b, 2**64))
    if op in ("<<", ">>"):
        return wrapped(a << (b % 64)) if op == "<<" else a >> (b % 64)
    simple: dict[str, int] = {
        "+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b,
        "==": int(a == b), "!=": int(a != b), "<": int(a < b), ">": int(a > b), "<=": int(a <= b), ">=": int(a >= b),
    }  # fmt: skip
    return wrapped(simple[op])

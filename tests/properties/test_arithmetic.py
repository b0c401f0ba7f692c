"""Expressions of `$(( ))`: their values, and what they leave behind."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from .both import TRAIN, box, shown, words_of_bash
from .examples import examples

START = "a=5 b=-3 e= s='1 + 2' t=hello v=a arr=(10 20 30); unset u w"
LEAVES = (
    *("0", "1", "2", "3", "7", "8", "010", "0x1F", "0xff", "2#101", "16#fF", "36#zZ", "64#@_", "63", "64", "65"),
    *("9223372036854775807", "9223372036854775808", "99999999999999999999"),
    *("a", "b", "u", "w", "$a", "e", "s", "v", "arr", "arr[1]", "arr[a - 4]"),
    *("${#t}", "${arr[2]}", "$((a + 1))", '"2"'),
)
BINARY = "+ - * / % ** << >> < <= > >= == != & ^ | && || ,".split()
ASSIGNING = "= += -= *= /= %= <<= >>= &= ^= |=".split()
STEPS = ("++a", "a++", "--b", "b--", "++u", "u++", "arr[0]++", "++arr[1]")


@st.composite
def expression(draw: st.DrawFn, depth: int = 4) -> str:
    """Any expression that bash can parse; operators stand apart, so that `- -a` stays two of them."""
    kind = draw(st.integers(0, 13)) if depth else 0
    if kind <= 1:
        return draw(st.sampled_from(LEAVES))
    inner = expression(depth - 1)
    if kind <= 7:
        space = draw(st.sampled_from([" ", " ", "  ", "\n"]))
        return f"{draw(operand(depth))}{space}{draw(st.sampled_from(BINARY))} {draw(operand(depth))}"
    if kind == 8:
        return f"{draw(st.sampled_from(['-', '+', '!', '~']))} {draw(operand(depth))}"
    if kind == 9:
        return f"({draw(inner)})"
    if kind <= 11:
        return f"{draw(operand(depth))} ? {draw(inner)} : {draw(operand(depth))}"
    if kind == 12:
        name = draw(st.sampled_from(["a", "b", "u", "w", "arr[2]"]))
        return f"({name} {draw(st.sampled_from(ASSIGNING))} {draw(simple(depth))})"
    return draw(st.sampled_from(STEPS))


@st.composite
def operand(draw: st.DrawFn, depth: int) -> str:
    """An expression beside an operator; one with an assignment or a comma stands in parentheses."""
    text = draw(expression(depth - 1))
    return f"({text})" if "," in text or "?" in text else text


@st.composite
def simple(draw: st.DrawFn, depth: int) -> str:
    """An expression that changes no variable, as the right side of an assignment."""
    text = draw(expression(depth - 1).filter(lambda text: "=" not in text and "++" not in text and "--" not in text))
    return f"({text})" if "," in text else text


def launcher(text: str) -> bytes:
    """A launcher that hands on the value, and then what the variables are."""
    return f'{START}\nx=$(({text}))\n{TRAIN} "$x" "$a" "$b" "${{u-unset}}" "${{w-unset}}" "${{arr[*]}}"\n'.encode()


@examples(100)
@given(st.lists(expression(), min_size=1, max_size=30))
def test_expressions(expressions: list[str]) -> None:
    texts = [launcher(text) for text in expressions]
    for text, real in zip(texts, words_of_bash(texts), strict=True):
        found = shown(text)
        if real is None or real[0] == b"":
            # bash refuses it: division by 0, a negative exponent. That ends the subshell; a script loses the line.
            assert isinstance(found, str) or [found] == [one.argv for one in box().launches(text)[0]], text
        else:
            assert found == real, text


@examples(30)
@given(st.lists(expression(2), min_size=1, max_size=30))
def test_conditions(expressions: list[str]) -> None:
    """`(( ))` as a command is true unless its value is 0."""
    texts = [f"{START}\nx=no; (({text})) && x=yes\n{TRAIN} $x\n".encode() for text in expressions]
    for text, real in zip(texts, words_of_bash(texts), strict=True):
        found = shown(text)
        assert found == real or isinstance(found, str), text

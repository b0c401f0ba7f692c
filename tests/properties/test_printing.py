"""What printf and echo print, and how printf quotes."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recipelint.shell.quote import percent_q
from recipelint.shell.text import Text

from .both import TRAIN, box, shown, words_of_bash
from .examples import examples

AT_ONCE = 400
SHELL = "ab~#=: '\"$\\\n\r{},!^*?[]()<>|&;`%@-+/._0\x01\x1b\x7fé€😀\u3000"
WORDS = st.text(st.sampled_from(SHELL), max_size=8).map(str.encode)


def quoted_by_bash(values: list[bytes]) -> list[bytes]:
    """`printf %q` of each value, many in one process."""
    out: list[bytes] = []
    for start in range(0, len(values), AT_ONCE):
        script = r'for v; do printf "%q\0" "$v"; done'
        _, output, _ = box().run("-c", script, "bash", *values[start : start + AT_ONCE])
        out += output.split(b"\0")[:-1]
    return out


def quoted(value: bytes) -> bytes:
    return percent_q(Text.of(value.decode("latin-1"))).s.encode("latin-1")


def word(value: bytes) -> bytes:
    """VALUE as a word of the shell's, in single quotes."""
    return b"'" + value.replace(b"'", b"'\\''") + b"'"


# --- %q ------------------------------------------------------------------------------------------------


def test_quotes_every_byte() -> None:
    values = [bytes([one]) for one in range(1, 256) if one != 9] + [b""]
    assert [quoted(value) for value in values] == quoted_by_bash(values)


def test_quotes_every_byte_after_each_that_matters() -> None:
    values = [bytes(pair) for pair in product(b"a~#=: $'\n", range(1, 128)) if 9 not in pair]
    assert [quoted(value) for value in values] == quoted_by_bash(values)


@examples(40)
@given(st.lists(WORDS, min_size=1, max_size=40))
def test_quotes_text(values: list[bytes]) -> None:
    assert [quoted(value) for value in values] == quoted_by_bash(values)


@examples(40)
@given(st.lists(st.binary(min_size=1, max_size=4).filter(lambda value: 0 not in value), min_size=1, max_size=40))
def test_what_it_quotes_is_one_word_to_bash(values: list[bytes]) -> None:
    """Also where bash would write it another way."""
    text = b"for v in " + b" ".join(map(quoted, values)) + b'; do printf "%s\\0" "$v"; done'
    _, output, _ = box().run(text=text)
    assert output.split(b"\0")[:-1] == values


# --- the other conversions -----------------------------------------------------------------------------

NUMBERS = st.one_of(
    st.integers(-(2**63), 2**63 - 1).map(str),
    st.integers(-300, 300).map(str),
    st.sampled_from(["", "0x1f", "017", "+3", " 5", "0", "-0"]),
).map(str.encode)
COUNTS = NUMBERS.filter(lambda number: b"-" not in number)
DECIMALS = st.one_of(
    st.decimals(-1000, 1000, places=3).map(str), st.sampled_from(["1e-5", "3e8", "0.00001234", "1e6", "5", ".5"])
).map(str.encode)
TEXTS = st.text(st.sampled_from("ab c\\n\\tx41'\"%-é~$"), max_size=6).map(str.encode)
PLAIN_TEXTS = st.text(st.sampled_from("ab c'\"%-~$/=,"), max_size=6).map(str.encode)
CONVERSIONS = {
    "%s": TEXTS, "%5s": PLAIN_TEXTS, "%-5s": PLAIN_TEXTS, "%.2s": PLAIN_TEXTS, "%b": TEXTS,
    "%c": PLAIN_TEXTS.filter(bool),
    "%d": NUMBERS, "%i": NUMBERS, "%5d": NUMBERS, "%-5d": NUMBERS, "%05d": COUNTS, "%03d": COUNTS,
    "%x": COUNTS, "%X": COUNTS, "%o": COUNTS,
    "%f": DECIMALS, "%.2f": DECIMALS, "%e": DECIMALS, "%g": DECIMALS, "%8.3f": DECIMALS, "%.0f": DECIMALS, "%q": WORDS,
}  # fmt: skip
BETWEEN = st.sampled_from(["", " ", "=", ",", "\\n", "\\t", "--x=", "%%", "\\x41", "\\101", "a", "\\\\"])


@st.composite
def printf(draw: st.DrawFn) -> bytes:
    """A printf with as many arguments as its format takes, or twice, or some fewer."""
    kinds = draw(st.lists(st.sampled_from(sorted(CONVERSIONS)), min_size=1, max_size=3))
    form = "".join(draw(BETWEEN) + kind for kind in kinds) + draw(BETWEEN)
    turns = draw(st.integers(1, 2))
    given_words = [draw(CONVERSIONS[kind]) for _ in range(turns) for kind in kinds]
    missing = draw(st.integers(0, 1)) if not set(kinds) & {"%c"} else 0
    return b" ".join([b"printf -v V --", word(form.encode()), *map(word, given_words[: len(given_words) - missing])])


@st.composite
def echo(draw: st.DrawFn) -> bytes:
    options = draw(st.sampled_from(["", "-e", "-n", "-e -n", "-ne", "-E", "-x", "--", "-en"]))
    words = draw(st.lists(TEXTS.filter(lambda text: not text.startswith(b"-")), max_size=3))
    escapes = "e" in options
    allowed = [text for text in words if not escapes or is_common(text)]
    return b"V=$(echo " + b" ".join([options.encode(), *map(word, allowed)]) + b"; printf x)"


def is_common(text: bytes) -> bool:
    """Whether each backslash starts an escape that real launchers write."""
    at = text.find(b"\\")
    while at >= 0:
        if text[at + 1 : at + 2] not in (b"n", b"t", b"\\", b"a", b"b") or not text[at + 1 : at + 2]:
            return False
        at = text.find(b"\\", at + 2)
    return True


def agree(commands: list[bytes]) -> None:
    """Whether V is the same in both after each of the commands."""
    texts = [command + b"\n" + TRAIN.encode() + b' "$V"\n' for command in commands]
    for text, real in zip(texts, words_of_bash(texts), strict=True):
        assert shown(text) == real, text


@examples(60)
@given(st.lists(printf(), min_size=1, max_size=30))
def test_printf(commands: list[bytes]) -> None:
    agree(commands)


@examples(40)
@given(st.lists(echo(), min_size=1, max_size=30))
def test_echo(commands: list[bytes]) -> None:
    agree(commands)


@pytest.mark.parametrize("escape", [*"abeEfnrtv", "\\", "x41", "u00e9", "U0001F600", "101"])
def test_escapes(escape: str) -> None:
    """Each alone, in a format, for %b and in `$'…'`."""
    texts = (f"printf -v V '<\\{escape}>'", f"printf -v V %b '<\\{escape}>'", f"V=$'<\\{escape}>'")
    agree([text.encode() for text in texts])

"""Patterns, and the expansions of `${…}`, on generated values."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from .both import TRAIN, shown, words_of_bash
from .examples import examples

CHARACTERS = st.sampled_from([*"abAB1-_./ *?[]\\\n~(|)!+^$=,:@#%\"'"])
VALUES = st.text(CHARACTERS, max_size=6)
SOME = st.text(CHARACTERS, min_size=1, max_size=6)
WIDE = st.text(st.sampled_from("aB é€😀"), max_size=6)
QUOTED_PATTERNS = ("a", "*", "a*", "?", "[a]", "", "b", "-", "\\*")
"""What `$q` may hold, a pattern in a variable."""
PIECES = (
    *("a", "b", "A", "1", "-", ".", "/", "*", "?", "*", "?", "_", "]", "{", "}", ",", "=", ":", "+", "@", "a b", "x*"),
    *("[ab]", "[!a]", "[^b]", "[a-z]", "[A-C]", "[[:alpha:]]", "[[:digit:]_]"),
    *("[[:upper:]]", "[[:space:]]", "[[:punct:]]"),
    *("[]a]", "[a-]", "[\\]]", '["a"]', "[a\\-z]", "[.]", "[*?]", "[!0-9]"),
    *("\\*", "\\?", "\\a", "\\\\", "\\[", "'*'", "'a'", '"b"', '"?"', "${q}", '"$q"', "'[a]'"),
)
GROUPS = ("@(a|b)", "*(a|b)", "+(a)", "?(a|b)", "!(a)", "+([ab])", "@(a*|?b)", "*([0-9])")


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def pattern(least: int = 1, groups: bool = False) -> st.SearchStrategy[str]:
    """A pattern, as it is written in a launcher; a blank stands in quotes."""
    made = st.lists(st.sampled_from(PIECES), min_size=least, max_size=4).map("".join)
    if groups:
        made = st.tuples(st.sampled_from(["", "", "", *GROUPS]), made).map("".join)
    return made.map(lambda text: text.replace("a b", "a\\ b"))


@st.composite
def start(draw: st.DrawFn, values_of: st.SearchStrategy[str] = VALUES) -> str:
    """The variables: V and E are set, U and Z are not. What stands on the disk is no matter."""
    values = [quoted(draw(values_of)) for _ in range(5)]
    q = quoted(draw(st.sampled_from(QUOTED_PATTERNS)))
    unset = "E= N=3 U=1 Z=(1); unset U Z; set -f"
    return f"V={values[0]} q={q} {unset}; A=({values[1]} {values[2]} 'x y'); set -- {values[3]} {values[4]}\n"


def launcher(before: str, *words: str) -> bytes:
    return f"{before}{TRAIN} {' '.join(words)}\n".encode()


def agree(texts: list[bytes]) -> None:
    for text, real in zip(texts, words_of_bash(texts), strict=True):
        assert shown(text) == real, text.decode()


# --- patterns ------------------------------------------------------------------------------------------


@st.composite
def matching(draw: st.DrawFn) -> bytes:
    """`case` or `[[ ]]` of a value and some patterns.

    A value like its pattern matches more often than chance allows.
    """
    p = draw(pattern(groups=True))
    bare = "".join(c for c in p if c not in "\\'\"") if draw(st.booleans()) else None
    before = draw(start())
    if bare is not None:
        before += f"V={quoted(bare.replace('*', 'b').replace('?', 'a'))}\n"
    if draw(st.booleans()):
        other = draw(pattern())
        return launcher(f'{before}case "$V" in {other}) W=1;; {p}|x) W=2;; *) W=3;; esac\n', "$W")
    return launcher(f"{before}[[ $V {draw(st.sampled_from(['==', '!=', '=']))} {p} ]] && W=yes || W=no\n", "$W")


@examples(60)
@given(st.lists(matching(), min_size=1, max_size=30))
def test_matching(texts: list[bytes]) -> None:
    agree(texts)


@st.composite
def trimming(draw: st.DrawFn) -> bytes:
    op, p = draw(st.sampled_from(["#", "##", "%", "%%"])), draw(pattern(groups=True))
    return launcher(draw(start()), f'"${{V{op}{p}}}"', f"${{V{op}{p}}}", f'"${{A[@]{op}{p}}}"')


@examples(60)
@given(st.lists(trimming(), min_size=1, max_size=30))
def test_trimming(texts: list[bytes]) -> None:
    agree(texts)


@st.composite
def replacing(draw: st.DrawFn) -> bytes:
    op, p = draw(st.sampled_from(["/", "//", "/", "//", "/#", "/%"])), draw(pattern()).replace("/", "\\/")
    new = draw(st.sampled_from(["", "X", "/", "$N", '"$N"', "a b", "\\/", "${V}", "'x'", '"x y"', "x\\\\"]))
    return launcher(draw(start(SOME)), f'"${{V{op}{p}/{new}}}"', f'"${{A[@]{op}{p}/{new}}}"', f'"${{V{op}{p}}}"')


@examples(60)
@given(st.lists(replacing(), min_size=1, max_size=30))
def test_replacing(texts: list[bytes]) -> None:
    agree(texts)


# --- parts of values -----------------------------------------------------------------------------------


@st.composite
def slicing(draw: st.DrawFn) -> bytes:
    offset = draw(st.sampled_from(["0", "1", "2", " -1", " -2", "N", "(-1)", "99", "$N", "N-2", " N - 1", ""]))
    length = draw(st.sampled_from(["", ":1", ":2", ":0", ":N", ":99", ":"]))
    if not offset and length in ("", ":"):
        length = ":1"
    start_of_arguments = offset.replace("0", "1") if offset else "1"
    return launcher(
        draw(start(draw(st.sampled_from([VALUES, WIDE])))),
        f'"${{V:{offset}{length}}}"',
        f'"${{A[@]:{offset}{length}}}"',
        f'"${{@:{start_of_arguments}{length}}}"',
        '"${*:1}"',
        f"${{V:{offset}{length}}}",
    )


@examples(40)
@given(st.lists(slicing(), min_size=1, max_size=30))
def test_slicing(texts: list[bytes]) -> None:
    agree(texts)


@st.composite
def changing_case(draw: st.DrawFn) -> bytes:
    op = draw(st.sampled_from(["^", "^^", ",", ",,"]))
    some = draw(st.sampled_from(["", "[ab]", "a", "?", "*", "[[:alpha:]]"]))
    return launcher(draw(start()), f'"${{V{op}}}"', f'"${{V{op}{some}}}"', f'"${{A[@]{op}}}"', f"${{V{op}}}")


@examples(30)
@given(st.lists(changing_case(), min_size=1, max_size=30))
def test_changing_case(texts: list[bytes]) -> None:
    agree(texts)


@examples(20)
@given(st.lists(start(st.one_of(VALUES, WIDE)), min_size=1, max_size=30))
def test_lengths(starts: list[str]) -> None:
    names = ("${#V}", "${#E}", "${#U}", "${#A[@]}", "${#A[0]}", "${#@}", "$#", "${#*}", "${#Z[@]}", "${#1}", "${!A[@]}")
    agree([launcher(before, *names) for before in starts])


# --- defaults ------------------------------------------------------------------------------------------

NAMES = ("V", "E", "U", "A[0]", "A[7]", "1", "2", "3", "A[@]", "A[*]", "@", "*", "A")
WORDS_OF_DEFAULTS = (
    *("", "d", "a b", '"$V"', "$V", "$N x", "${U:-n}"),
    *("$(echo hi)", "$((N + 1))", "a  b", "${N}b", "--x $N", "*", "{a,b}"),
    *("\\}", '"}"', "a/b", "[1]", '"a"b', "${E:-${U-deep}}", "$(echo 'x y')", "#", "`echo x`", "~x"),
)


@st.composite
def defaulting(draw: st.DrawFn) -> bytes:
    name, op = draw(st.sampled_from(NAMES)), draw(st.sampled_from([":-", "-", ":+", "+", ":=", "="]))
    if op in (":=", "=") and (name[0] in "123@*" or "[" in name):
        op = ":-"
    default = draw(st.sampled_from(WORDS_OF_DEFAULTS if name[-1] not in "@*]" else WORDS_OF_DEFAULTS[1:]))
    found = f"${{{name}{op}{default}}}"
    line = SOME.filter(lambda text: "\n" not in text)
    return launcher(draw(start(line)), f'"{found}"', found, f"x{found}y", '"${U-unset}"')


@examples(60)
@given(st.lists(defaulting(), min_size=1, max_size=30))
def test_defaults(texts: list[bytes]) -> None:
    agree(texts)


# --- splitting -----------------------------------------------------------------------------------------


USUAL = " \t\n"


@st.composite
def splitting(draw: st.DrawFn) -> bytes:
    ifs = draw(st.sampled_from([USUAL, USUAL, ",", ":", ", ", "", "\n", " ", "-_", "a"]))
    value = draw(st.text(st.sampled_from(" ,:-_ab\n\t"), min_size=1, max_size=8))
    before = f"set -f; IFS={quoted(ifs)}\nV={quoted(value)} A=({quoted(value)} b); set -- {quoted(value)} b\n"
    words = ['"$V"', "$V", "x$V", "${V}y", '"${A[*]}"', '"$*"', '"$@"z', '$(echo "$V")', "$V$V", "${U-$V}", "${V:+$V}"]
    if ifs == USUAL:
        words += ["$*", "$@", "${A[@]}", "${A[@]}$V"]
    return launcher(before, draw(st.sampled_from(words)), draw(st.sampled_from(words)))


@examples(60)
@given(st.lists(splitting(), min_size=1, max_size=30))
def test_splitting(texts: list[bytes]) -> None:
    agree([b"U=1; unset U\n" + text for text in texts])

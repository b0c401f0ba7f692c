"""Texts that nobody would write: each is read to its end, or told to be too much; none hangs or crashes."""

from __future__ import annotations

import resource
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recipelint.shell.evaluate import evaluate
from recipelint.source import SourceFile

from .both import TRAIN, evaluated, launchers
from .examples import examples

LIMIT_S = 60
"""No measure of speed: what is quadratic or worse takes minutes."""
MEMORY = 768 << 20
"""What one launcher may take at most, in bytes."""
STEPS = 40_000
"""The evaluator's budget. Steps are what bounds its time, so they are what is asserted."""

LAUNCH = f"\n{TRAIN} x\n".encode()


class TooLong(Exception):
    """The guard went off."""


@contextmanager
def guarded() -> Iterator[None]:
    """Raise TooLong after LIMIT_S, MemoryError beyond MEMORY."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong(f"more than {LIMIT_S} s")

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if sys.platform == "linux":
        with open("/proc/self/statm") as stream:
            taken = int(stream.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (taken + MEMORY, hard))
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, LIMIT_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def told(text: bytes) -> tuple[set[str], int]:
    """The codes of what could not be read, and how many trainer calls there are; both within the budget."""
    with guarded():
        evaluation = evaluated(text)
    reasons = [trouble.reason for trouble in evaluation.troubles]
    assert not any("internal" in reason for reason in reasons), reasons
    codes = {trouble.code for trouble in evaluation.troubles}
    assert codes <= {"SH001", "SH002", "SH004"}, reasons
    assert evaluation.session.steps <= STEPS + 1 or "SH002" in codes
    assert len(evaluation.calls) <= STEPS
    return codes, len(evaluation.calls)


def deep(opening: str, closing: str, count: int = 10_000, inside: str = "") -> str:
    return opening * count + inside + closing * count


def chain(text: str, count: int) -> str:
    """TEXT with `#` as a number, one after the other."""
    return "".join(text.replace("#", str(number)) for number in range(count))


def nested_bash(levels: int) -> str:
    text = f"{TRAIN} y"
    for _ in range(levels):
        text = "bash -c " + shlex.quote(text)
    return text


LONG = "a" * 4000
NINES = "9" * 9000
DEEP = {
    "substitutions": "x=" + deep("$( ", ")"),
    "substitutions, open": "x=" + "$( " * 10_000,
    "substitutions in quotes": "x=" + '"$( ' * 10_000,
    "subshells": deep("( ", " )", inside=":"),
    "groups": deep("{ ", "}; ", inside=":; "),
    "functions": deep("f() { ", "}; ", inside=":; "),
    "defaults": "x=" + deep("${a:-", "}"),
    "defaults, open": "x=" + "${a:-" * 10_000,
    "defaults in quotes": "x=" + deep('"${a:-', '}"'),
    "backticks": "x=`" + "\\`" * 5000,
    "backticks, even": "echo `echo " + "\\\\`" * 2000 + "`",
    "subscripts": "echo ${a" + deep("[", "]") + "}",
    "ifs": deep("if true; then ", "fi; ", inside=":; "),
    "loops": deep("for i in a; do ", "done; ", inside=":; "),
    "loops of unknown length": deep("while [ -f x ]; do ", "done; ", 20, ":; "),
    "conditions": "[[ " + deep("( ", " )", inside="a") + " ]]",
    "conditions, not": "[[ " + "! " * 10_000 + "a ]]",
    "test, not": "[ " + "! " * 10_000 + "a ]",
    "test, parentheses": "[ " + deep("\\( ", " \\)", inside="a") + " ]",
    "arithmetic": "echo $((" + deep("(", ")", inside="1") + "))",
    "arithmetic, signs": "echo $((" + "- " * 10_000 + "1))",
    "arithmetic, choices": "echo $((" + "1?" * 5000 + "1" + ":1" * 5000 + "))",
    "arithmetic, subscripts": "echo $((a" + deep("[a", "]", 5000) + "))",
    "arithmetic, powers": "echo $((1" + "**1" * 5000 + "))",
    "extended patterns": "[[ a == " + deep("@(", ")", 5000, "a") + " ]]",
    "groups of a regex": "[[ a =~ " + deep("(", ")", 5000, "a") + " ]]",
    "braces": "echo " + deep("{a,", "}", 500),
    "braces, open": "echo " + "{" * 20_000,
    "braces, open with commas": "echo " + "{a," * 3000,
    "here-documents": "x=$(cat <<E\n" * 2000,
    "bash -c": nested_bash(9),
    "bash -c, open": "bash -c '" * 2000,
    "eval": "eval " * 200 + f"{TRAIN} y",
    "command": "command " * 5000 + f"{TRAIN} y",
    "env": "env " * 5000 + f"{TRAIN} y",
    "nohup": "nohup " * 5000 + f"{TRAIN} y",
    "exec": "exec " * 2000 + f"{TRAIN} y",
    "time": "time " * 5000 + "true",
    "bang": "! " * 5000 + "true",
}
LOOPS = {
    "for over a range": "for i in {1..100000}; do :; done",
    "for over seq": "for i in $(seq 1 100000); do :; done",
    "for in for": "for i in {1..900}; do for j in {1..900}; do a=$((a + 1)); done; done",
    "arithmetic for": "for ((i = 0; i < 1000000000; i++)); do :; done",
    "while that counts": "i=0; while [ $i -lt 1000000 ]; do i=$((i+1)); done",
    "while that grows": "while [ -z $done ]; do a=x$a; done; done=1",
    "while that reads": "while read -r x <<< a; do y=$y$x; done",
    "getopts again and again": "set -- -a; while getopts a o; do OPTIND=1; y=x$y; done",
    "launches in loops": f"for i in {{1..900}}; do for j in {{1..60}}; do {TRAIN} $i $j; done; done",
    "launches": f"{TRAIN} x\n" * 1000,
    "launches in the background": f"{TRAIN} x & " * 1000,
    "launches of unknown number": f"for i in $(ls); do {TRAIN} $i; done\n" * 30,
    "recursion": "f() { f; }; f",
    "recursion, twice": "f() { f; f; }; f",
    "recursion in pipes": ":(){ :|:& };:",
    "recursion in substitutions": "f() { echo $(f) $(f); }; f",
    "recursion under conditions": "f() { [ -f x ] && f; [ -f y ] && f; }; f",
    "recursion with more and more words": 'f() { f "$@" "$@"; }; f a',
    "recursion of eval": "a='eval $a; eval $a'; eval $a",
    "recursion of bash": 'export X=\'bash -c "$X"; bash -c "$X"\'; bash -c "$X"',
    "functions that call twice": "".join(f"f{n}() {{ f{n + 1}; f{n + 1}; }}\n" for n in range(18)) + "f18() { :; }; f0",
}
GROWTH = {
    "brace bomb": "echo " + "{a,b}" * 40,
    "brace bombs": "echo " + ("{a,b}" * 11 + " ") * 20,
    "brace bombs in an array": "A=(" + ("{a,b}" * 12 + " ") * 8 + ")",
    "brace bombs, line by line": ("echo " + "{a,b}" * 12 + "\n") * 200,
    "a value by @Q": 'a="a b"\n' + "a=${a@Q}\n" * 60,
    "brace range": "echo {1..1000000000}",
    "brace ranges": "echo {1..4000}{1..4000}{1..4000}",
    "brace range of long numbers": "echo {" + "9" * 9000 + "..1} {1.." + "9" * 30 + ".." + "9" * 30 + "} {1..3..0}",
    "brace range with many zeros": "echo {" + "0" * 10_000 + "1..3}",
    "commas": "echo {" + "," * 20_000 + "}",
    "closing braces": "echo " + "}" * 20_000,
    "a value": "a=xxxxxxxx\n" + "a=$a$a\n" * 60,
    "a value in a loop": "a=x; while [ -n $a ]; do a=$a$a; done",
    "a value by replacing": "a=xxxxxxxx\n" + "a=${a//x/xx}\n" * 60,
    "a value by %q": 'a="a b"\n' + "printf -v a '%q' \"$a\"\n" * 60,
    "an array": "a=(x x)\n" + 'a=("${a[@]}" "${a[@]}")\n' * 40,
    "an array by appending": "a=(x x)\n" + 'a+=("${a[@]}")\n' * 40,
    "the arguments": "set -- x x\n" + 'set -- "$@" "$@"\n' * 40,
    "a file": "echo aaaaaaaa > f; " + "cat f f > g; cat g g > f; " * 40,
    "wide formats": "printf -v a '%1000000000s' x; printf -v b '%*s' 1000000000 x; printf -v c '%01000000000d' 1",
    "precise formats": "printf -v a '%.1000000000f' 1; printf -v b '%.*f' 999999999 1; printf -v c '%.999999999d' 1",
    "long numbers": f"x={NINES}; [ $x -gt 5 ]; [[ $x -gt 5 ]]; ((x > 5)); echo $(({NINES})) $((9#{'8' * 2000}))",
    "long counts": f"set -- a; shift {NINES}; echo ${NINES}; seq {NINES}; f() {{ return {NINES}; }}; f",
    "huge shifts": "echo $((1 << 9223372036854775807)) $((9**9**9**9)) $((2**9223372036854775807))",
    "names for each other": "a=b b=a; echo $((a)); c='c+c'; echo $((c)) ${!a}",
    "names that double": "a=1; " + " ".join(f"a{n}='a{n + 1}+a{n + 1}'" for n in range(18)) + " a18=1; echo $((a0))",
    "references to each other": "declare -n r=s; declare -n s=r; echo $r; r=1; echo $r",
    "integers for each other": "declare -i a; a=a; a+=a; declare -i b='b+b'; b+=1",
}
LENGTH = {
    "a sum": "echo $((1" + "+1" * 50_000 + "))",
    "a pipeline": "echo a" + " | cat" * 2000,
    "links": "true" + " && true" * 10_000,
    "links, or": "false" + " || false" * 10_000,
    "links of unknown answer": "[ -f a ]" + " && [ -f b ]" * 3000,
    "links, mixed": "[ -f a ]" + chain(" && [ -f b# ] || x#=1", 100),
    "elif arms": "if false; then :; " + "elif false; then :; " * 10_000 + "fi",
    "elif arms of unknown answer": "if [ -f a ]; then :; " + chain("elif [ -f a# ]; then x=#; ", 300) + "fi",
    "case arms": "case x in " + "a) :;; " * 5000 + "esac",
    "case arms of unknown answer": "case $HOME in " + chain("a#) x=#;; ", 200) + "esac",
    "case arms that fall": "case a in " + "a) :;& " * 200 + "esac",
    "case patterns": "case a in " + "b|" * 5000 + "a) :;; esac",
    "conditions in a row": chain("if [ -f a# ]; then x#=1; fi\n", 60),
    "flags under conditions": chain("if [ -f a# ]; then A+=(--x#); fi\n", 100) + f'{TRAIN} "${{A[@]}}"',
    "worlds": chain("[ -f a# ] && x=$x#\n", 100) + f"{TRAIN} $x",
    "worlds of case": chain("case $HOME in a#) x=$x#;; b*) x=y$x;; *) x=z$x;; esac\n", 40) + f"{TRAIN} $x",
    "test, and": "[ a" + " -a a" * 3000 + " ]",
    "conditions, and": "[[ a" + " && a" * 5000 + " ]]",
    "50000 lines": "x=1\n" * 50_000,
    "10000 commands": 'echo hello world "$x"\n' * 10_000,
    "a line of 5 MB": "echo " + "a" * 5_000_000,
    "a comment of 5 MB": "#" + "a" * 5_000_000,
    "blanks of 5 MB": "echo a" + " " * 5_000_000,
    "a value of 1 MB": "a=" + "x" * 1_000_000,
    "words": "echo " + "a " * 40_000,
    "words of 5 MB": "echo " + "a " * 2_500_000,
    "elements of 5 MB": "A=(" + "a " * 2_500_000 + ")",
    "expansions of 5 MB": "echo " + "$b" * 2_500_000,
    "quotes of 5 MB": "echo " + "''" * 2_500_000,
    "semicolons of 5 MB": ":;" * 2_500_000,
    "comments of 5 MB": "# a\n" * 1_250_000,
    "expansions": "echo " + "$b" * 40_000,
    "expansions in quotes": 'echo "' + "a$b" * 40_000 + '"',
    "backslashes": "echo " + "\\a" * 40_000,
    "quotes": "echo " + "''" * 40_000,
    "semicolons": ":;" * 10_000,
    "continuations": "echo a" + "\\\n" * 500_000,
    "empty lines": "\n" * 2_000_000,
    "here-documents": "cat" + " <<E" * 1000 + "\n" + "a\nE\n" * 1000,
    "a here-document": "cat <<E\n" + "a$b\n" * 20_000 + "E\n",
    "a here-document with tabs": "cat <<-E\n" + "\t\ta\n" * 20_000 + "E\n",
    "redirections": "echo x" + " >a" * 5000,
    "prefixes": "A=1 " * 5000 + f"{TRAIN} y",
    "variables": chain("v#=#\n", 5000),
    "functions": chain("f#() { :; }\n", 5000),
    "keys": "declare -A M; " + chain("M[k#]=v; ", 3000),
    "elements": "A=(" + "x " * 20_000 + f')\n{TRAIN} "${{A[@]}}"',
    "far elements": "A[999999999999999999]=x; A[-1]=y; echo \"${A[@]}\" ${A[99999999999999999]}",
    "fields": "IFS=abc; V=" + "axbxcx" * 5000 + "; echo $V",
}  # fmt: skip
MATCHING = {
    "stars": "[[ " + "a" * 100 + " == " + "a*" * 20 + "b ]]",
    "stars before letters": f"[[ {LONG} == {'*a' * 8}b ]]",
    "stars in case": "case " + "a" * 500 + " in " + "*a" * 200 + "*b) :;; esac",
    "trimming": f"V={LONG}; echo ${{V##*a*a*a*b}} ${{V%%*a*a*a*b}} ${{V#*b}} ${{V%b*}}",
    "trimming again and again": f"V={LONG}; echo " + "${V%%*a*b} " * 20,
    "replacing": "V=" + "a" * 20_000 + "; echo ${V//*b/x} ${V/a*b/} ${V//a*a*b/x}",
    "changing case": "V=" + "a" * 50_000 + "; echo ${V^^[a-z]} ${V^^*(a)}",
    "groups in groups": "V=" + "a" * 40 + "; [[ $V == *(*(a))b ]]; [[ $V == +(a|aa)b ]]; echo ${V##+(a|a|a)b}",
    "groups, not": "V=" + "a" * 25 + "; case $V in !(!(!(!(a*)b)c)d)) :;; esac; [[ $V == +(+(+(a)))b ]]",
    "regex, star of star": f"[[ {LONG[:2000]} =~ (a*)*b ]]",
    "regex, choices": "[[ " + "a" * 40 + " =~ (a|a)*b ]]",
    "regex, choices of length": "[[ " + "aa" * 30 + "b =~ ^((a|aa|aaa)*)c$ ]]",
    "regex, stars": f"[[ {LONG} =~ a*a*a*a*a*a*b ]]",
    "regex, dots": f"[[ {LONG} =~ {'.*' * 8}y ]]",
    "regex, groups": "[[ " + "a" * 30 + " =~ " + "(.*)" * 10 + "b ]]",
    "regex, mail": "[[ " + "a" * 30 + " =~ ^(([a-z])+.)+[A-Z]([a-z])+$ ]]",
    "regex, optional": "[[ " + "a" * 30 + "! =~ ^(a?){30}a{30}$ ]]",
    "regex, optional in a row": "[[ " + "a" * 30 + " =~ " + "a?" * 30 + "a" * 30 + " ]]",
    "regex, repeated": "[[ a =~ (a{1000}){1000} ]]",
    "regex, wrong": "[[ a =~ a{2,1} ]]; [[ a =~ *a ]]; [[ a =~ (?i)A ]]; [[ a =~ [b-a] ]]",
    "unknown pieces": '[ "$HOME' + "a$HOME" * 30 + 'b" = ' + "a" * 300 + "c ]",
}
OPEN = (
    *(
        "echo 'a",
        'echo "a',
        "echo `a",
        "echo $'a",
        "echo ${a",
        "(echo",
        "{ echo",
        "a=(1 2",
        "echo $((1+",
        "[[ a",
        "case a in",
    ),
    *(
        "if",
        "while",
        "for x in",
        "f() {",
        "echo <<EOF",
        "cat <<",
        "a=$(",
        "echo <(",
        "${",
        "$[1",
        "a[",
        "a=([",
        "((",
        "!",
    ),
    *("&&", "coproc"),
)
BYTES = {
    "NUL": b"a\0b",
    "CR": b"a\r\nb \\\r\nif true\r\n",
    "a byte order mark": b"\xef\xbb\xbf",
    "every byte": bytes(range(1, 256)),
    "no UTF-8": b"echo \xff\xfe\x80 ${x:-\xe9} $'\\xff\\xe9' \xed\xa0\x80",
    "strange escapes": b"x=$'\\U99999999 \\uD800 \\UFFFFFFFF \\x \\c \\777'; y=$(echo -e '\\UD800 \\uDFFF')",
    "case of no UTF-8": b"x=$'\\xff\\xe9'; echo ${x^^} ${x:0:1} ${#x}; y=$'\\u0149\\uDF'; echo ${y^^} ${y,,} ${y^}",
    "an escape without end": b"echo $'\\c",
    "an odd OPTIND": b"OPTIND=abc; getopts a o; OPTIND=-5; getopts a o -a",
    "odd numbers": b"shift x; break 0; printf '%d' \"'\"; printf -v y '%c' ''; echo ${x:y:z} ${@:-5:-5}",
    **{f"open: {text}": text.encode() for text in OPEN},
}


def cases(**tables: dict[str, str]) -> list[object]:
    found: list[object] = []
    for kind, table in tables.items():
        for name, text in table.items():
            found.append(pytest.param(text.encode(), id=f"{kind}: {name}"))
    return found


@pytest.mark.parametrize("text", cases(deep=DEEP, loops=LOOPS, growth=GROWTH, length=LENGTH, matching=MATCHING))
def test_too_much(text: bytes) -> None:
    """What stands behind it is seen, or it is told that it was not."""
    codes, launches = told(text + LAUNCH)
    assert codes or launches


@pytest.mark.parametrize("text", ["while :; do :; done", "until false; do :; done", "while true; do continue; done"])
def test_endless(text: str) -> None:
    """Bash never comes past it."""
    assert told(text.encode() + LAUNCH) in ((set(), 0), ({"SH002"}, 0))


@pytest.mark.parametrize("text", BYTES.values(), ids=BYTES)
def test_bytes(text: bytes) -> None:
    told(text + LAUNCH)
    told(text)


@examples(300)
@given(st.binary(max_size=200))
def test_arbitrary_bytes(text: bytes) -> None:
    told(text)


FRAGMENTS = st.sampled_from(
    [
        *"$( ${ $(( (( )) ( ) { } [[ ]] [ ] ` ' \" \\ ; ;; & && || | < > <<E <<'E' <<< <(".split(),
        *"# = * ? ! ~ , .. 1 x -e".split(),
        *"$' $@ [@]} $[ =~ {a,b} {1..3} +( a* ^^ /# -1} a= a+= a=( a[0]= $a ${a :- ## // @] set+e IFS=".split(),
        *(
            "if ",
            "then ",
            "else ",
            "elif ",
            "fi",
            "do ",
            "done",
            "for x in ",
            "while ",
            "case x in ",
            "esac",
            "a) ",
            "f() ",
        ),
        *(
            "function f ",
            "! ",
            "time ",
            "export ",
            "set -- ",
            "eval ",
            "bash -c ",
            "printf -v a ",
            "%q ",
            "%s ",
            "shift ",
        ),
        *(
            "local ",
            "declare -A ",
            "read ",
            "exec ",
            "trap ",
            "unset ",
            "exit ",
            "return ",
            "break ",
            "set -e",
            f"{TRAIN} ",
        ),
        *("\n", "\nE\n", " ", " ", " ", "\t", "\r", "\xff", "\0", "é", ": -1}", "; "),
    ]
)


@examples(600)
@given(st.lists(FRAGMENTS, max_size=25).map("".join))
def test_arbitrary_shell(text: str) -> None:
    told(text.encode("latin-1", "replace"))


@pytest.mark.parametrize(
    "text",
    ["source run.sh; . ./run.sh", "bash run.sh; bash run.sh", 'source "$(dirname "$0")/run.sh"', "./run.sh & ./run.sh"],
)
def test_files_that_run_themselves(text: str) -> None:
    source = SourceFile("run.sh", text.encode() + LAUNCH)
    with guarded():
        evaluation = evaluate(source, "run.sh", launchers(), {"run.sh": source}.get, {}, [])
    assert {trouble.code for trouble in evaluation.troubles} == {"SH002"}
    assert evaluation.session.steps <= STEPS

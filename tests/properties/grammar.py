"""Small launchers as a hypothesis grammar: every construct that real ones use, in texts that a person might write.

All that such a launcher does is decided by its text: every plain `$NAME` is of a name that it sets or unsets itself,
every knob stands with a default, nothing asks the machine.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from .both import TRAIN

Texts = SearchStrategy[str]

SCALARS = ("EP", "MODE", "TAG", "EXTRA")
ARRAYS = ("ARGS", "MORE")
KNOBS = ("LR", "NODES", "MTP_SIZE")
EXPORTED = ("MOLT_MOE_DISPATCHER", "NCCL_DEBUG")

PLAIN = (
    *(
        "8",
        "full",
        "none",
        "--fsdp.ep_size",
        "--x=1",
        "1e-6",
        "a/b.c",
        "x_y",
        "0",
        "-1",
        "a,b",
        "k=[1,2]",
        "+a.b=c",
        "~x",
    ),
    *("a:b", "@x", "100%", "x#y", "--"),
)
QUOTED = (
    *(
        "''",
        '""',
        "'a b'",
        '"a b"',
        "'a\"b'",
        '"it\'s"',
        '"a\\"b"',
        "$'a\\tb'",
        '"\\$x"',
        "a\\ b",
        "'$x'",
        "'*'",
        "\\*",
    ),
    *(
        '"a\\\\b"',
        "'a\\b'",
        '"\\a"',
        "$'it\\'s'",
        "'  x  '",
        '"#"',
        "\\#",
        "'{\"k\": [1, 2]}'",
        "x'y'\"z\"",
        '"a\\\nb"',
        "'~'",
    ),
    *('"{a,b}"', "'a;b'", '"a&b"', '"|"', "'!'", '"é"'),
)
PATTERNS = (
    *(
        "a",
        "*",
        "?",
        "a*",
        "*b",
        "*/",
        "/*",
        "*.c",
        "[a-z]",
        "[!0-9]*",
        '"*"',
        "\\*",
        "full",
        "8",
        "x*y",
        "*_*",
        "--*",
        '"a b"',
    ),
    *("a?b", "*,", ",*", "[[:digit:]]*"),
)


def choice(*words: str) -> Texts:
    return st.sampled_from(words)


SCALAR = st.sampled_from(SCALARS)
ARRAY = st.sampled_from(ARRAYS)
KNOB = st.sampled_from(KNOBS)
PATTERN = st.sampled_from(PATTERNS)
OFFSET = choice("0", "1", "2", " -1", " -2", "1:1", "0:2", ":1", "1:0", " -2:1")


@st.composite
def arithmetic(draw: DrawFn, depth: int = 2) -> str:
    """An expression over small numbers; the names in it hold numbers, or nothing."""
    if depth == 0 or draw(st.booleans()):
        return draw(choice("0", "1", "2", "3", "8", "16", "N", "M", "$N", "${M}", "(N + 1)", "${#ARGS[@]}", "0x10"))
    op = draw(choice("+", "-", "*", "%", "<<", "<", ">=", "==", "!=", "&&", "||", "&", "|", "/", "**"))
    left, right = draw(arithmetic(depth - 1)), draw(arithmetic(depth - 1))
    if op in ("/", "%", "**", "<<"):
        right = draw(choice("2", "3", "8"))
        left = left if left.isalnum() else f"({left})"
    if draw(st.integers(0, 5)) == 0:
        return f"({left} {op} {right}) ? {left} : {right}"
    return f"{left} {op} {right}"


@st.composite
def expansion(draw: DrawFn, depth: int) -> tuple[str, bool]:
    """A `$…`, and whether it may stand without quotes."""
    kind = draw(st.integers(0, 15))
    name = draw(SCALAR)
    if kind <= 1:
        return draw(choice(f"${name}", f"${{{name}}}")), True
    if kind <= 3:
        op = draw(choice(":-", "-", ":+", "+", ":=", ":-", ":+"))
        of = draw(st.sampled_from([name, draw(KNOB)])) if op in (":-", "-", ":=", ":+") else name
        return f"${{{of}{op}{draw(default(depth))}}}", True
    if kind == 4:
        return f"${{{name}{draw(choice('#', '##', '%', '%%'))}{draw(PATTERN)}}}", True
    if kind == 5:
        pattern = draw(PATTERN).replace("/", "\\/")
        return f"${{{name}{draw(choice('/', '//', '/'))}{pattern}/{draw(choice('', 'X', '_', '-x', '$EP'))}}}", True
    if kind == 6:
        return draw(
            choice(f"${{#{name}}}", f"${{{name}^^}}", f"${{{name},,}}", f"${{{name}^}}", f"${{{name}:{draw(OFFSET)}}}")
        ), True
    if kind == 7:
        array = draw(ARRAY)
        return draw(
            choice(
                f"${{{array}[@]}}",
                f"${{{array}[*]}}",
                f"${{{array}[@]}}",
                f"${{{array}[@]:{draw(choice('0', '1', '1:1', ' -1'))}}}",
            )
        ), True
    if kind == 8:
        array = draw(ARRAY)
        return draw(
            choice(
                f"${{{array}[0]}}", f"${{{array}[1]}}", f"${{#{array}[@]}}", f"${{{array}[$M]}}", f"${{{array}[N-1]}}", f"${{{array}[-1]:-x}}",
                f"${{{array}[@]+\"${{{array}[@]}}\"}}", f"${{!{array}[@]}}", f"${{{array}[@]/a/b}}", f"${{{array}[@]%,*}}", f"${array}",
                f"${{{array}[@]/#/--x=}}", f"${{{array}[@]:-}}",
            )
        ), True  # fmt: skip
    if kind == 9:
        return draw(choice("$@", "$*", "$#", "$1", "${2:-x}", "${1-y}", "${@:2}", "${*:1:1}", "${#}", "${@: -1}")), True
    if kind == 10:
        return f"$(({draw(arithmetic())}))", True
    if kind == 11 and depth:
        return f"$({draw(printing(depth - 1))})", True
    if kind == 12:
        return draw(choice("${!REF}", "${!REF:-x}", "${REF}")), True
    if kind == 13 and depth:
        return f"`echo {draw(simple_word())}`", True
    return draw(choice("$N", "$M", "${N}", "$N")), True


@st.composite
def default(draw: DrawFn, depth: int) -> str:
    """The word of `${V:-word}`."""
    if depth == 0:
        return draw(choice("", "8", "full", "a b", "'a b'", '"a b"', "$EP", '"$TAG"', "a\\ b", "a/b", "--x 1", "[1,2]"))
    return draw(
        st.one_of(
            choice(
                "",
                "8",
                "a b",
                "'a b'",
                '"a b"',
                "$EP",
                '"$TAG"',
                "--x $TAG",
                '--x "$TAG"',
                '"${ARGS[@]}"',
                "$((N + 1))",
                "a\\ b",
            ),
            expansion(depth - 1).map(lambda found: found[0]),
            expansion(depth - 1).map(lambda found: f'"{found[0]}"'),
        )
    )


@st.composite
def printing(draw: DrawFn, depth: int) -> str:
    """A command that prints what is known."""
    kind = draw(st.integers(0, 6))
    words = " ".join(draw(st.lists(word(depth), min_size=0, max_size=3)))
    if kind <= 2:
        return f"echo {words}"
    if kind == 3:
        return f"printf '%s\\n' {words}"
    if kind == 4:
        return f"printf '%s,' {words}"
    if kind == 5:
        return f'IFS={draw(choice(",", ":", "-", ""))}; echo "${{{draw(ARRAY)}[*]}}"'
    return draw(
        choice(
            "seq 1 3",
            "echo a; echo b",
            "true",
            "echo -n x",
            "echo a b | tr ab xy",
            "basename a/b.c .c",
            "dirname a/b.c",
            "[ $N -gt 1 ] && echo --big || true",
        )
    )


@st.composite
def simple_word(draw: DrawFn) -> str:
    return draw(st.one_of(st.sampled_from(PLAIN), st.sampled_from(QUOTED)))


@st.composite
def piece(draw: DrawFn, depth: int) -> str:
    kind = draw(st.integers(0, 9))
    if kind <= 2:
        return draw(st.sampled_from(PLAIN))
    if kind <= 4:
        return draw(st.sampled_from(QUOTED))
    found, bare = draw(expansion(depth))
    if kind <= 7 or not bare:
        before, after = draw(choice("", "", "a", "x ", "--y=")), draw(choice("", "", "-b", " z", "/"))
        return f'"{before}{found}{after}"'
    return found


@st.composite
def word(draw: DrawFn, depth: int = 1) -> str:
    """A word of a command."""
    kind = draw(st.integers(0, 11))
    if kind == 0:
        inner = draw(
            choice(
                "{a,b}",
                "{1..3}",
                "{x,}",
                "{a,b}{1,2}",
                "{a,{b,c}}",
                "{01..3}",
                "{c..a}",
                "{a}",
                "{a,b",
                "{1..5..2}",
                "{}",
                "{'a b',c}",
                "{$EP,x}",
            )
        )
        return draw(choice("", "--x=", "a")) + inner + draw(choice("", "z", '"$TAG"'))
    if kind == 1:
        return draw(piece(depth)) + draw(piece(depth))
    return draw(piece(depth))


def words(depth: int = 1, least: int = 0, most: int = 4) -> Texts:
    return st.lists(word(depth), min_size=least, max_size=most).map(" ".join)


@st.composite
def value(draw: DrawFn, depth: int = 1) -> str:
    """What stands after `NAME=`: a word in which nothing is split; no brace expansion."""
    return draw(st.one_of(piece(depth), st.lists(piece(depth), min_size=2, max_size=2).map("".join), st.just("")))


@st.composite
def assignment(draw: DrawFn, depth: int) -> str:
    name, array = draw(SCALAR), draw(ARRAY)
    kind = draw(st.integers(0, 21))
    if kind <= 3:
        return f"{name}{draw(choice('=', '=', '+='))}{draw(value(depth))}"
    if kind <= 6:
        inner = draw(st.lists(word(depth), max_size=4).map(draw(choice(" ", "\n  ", "  # note\n  ")).join))
        return f"{array}{draw(choice('=', '+=', '+='))}({inner})"
    if kind == 7:
        return f"{array}[{draw(choice('0', '1', '2', 'N', '$M', '${#' + array + '[@]}'))}]{draw(choice('=', '+='))}{draw(value(depth))}"
    if kind == 8:
        return f"export {draw(st.sampled_from(EXPORTED))}={draw(value(depth))}"
    if kind == 9:
        return draw(
            choice(
                f"export {name}",
                f"export -n {name}",
                f"unset {name}",
                f"unset {array}",
                f"{name}=",
                f"unset -v {name}",
                f"{array}=()",
                f"unset '{array}[0]'",
            )
        )
    if kind == 10:
        return f': "${{{draw(st.sampled_from([name, *KNOBS]))}:={draw(default(depth))}}}"'
    if kind == 11:
        return f"{draw(choice('N', 'M'))}=$(({draw(arithmetic())}))"
    if kind == 12:
        return draw(
            choice(
                "((N++)) || true",
                "(( M += 2 )) || true",
                "let N=M+1 || true",
                "let 'N += 1' || true",
                "((N = M > 2 ? 1 : 4)) || true",
                "(( N = 3, M = N ** 2 ))",
            )
        )
    if kind == 13:
        form = draw(choice("'%s'", "' %q'", "'%s-%s'", "'%03d' 7 #", "'%s\\n'"))
        return f"printf -v {name} {form} {draw(words(depth, 0, 3))}"
    if kind == 14:
        return draw(
            choice(
                f'IFS=, read -ra {array} <<< "${name}"', f'read -r {name} EXTRA <<< "${draw(SCALAR)} x"', f'IFS=: read -r {name} MODE <<< "a:b:c"',
                f'mapfile -t {array} <<< "${name}"', f'IFS=\' \' read -r -a {array} <<< "${name}"',
                f'read -ra {array} <<< "${name}"', f"mapfile -t {array} < <(printf '%s\\n' a 'b c')", f'read {name} <<< "a\\ b"',
            )
        )  # fmt: skip
    if kind == 15:
        return f"declare {draw(choice('', '-x ', '-g '))}{name}={draw(value(depth))}"
    if kind == 16:
        return f"{name}=$({draw(printing(depth))})"
    if kind == 17:
        return f"export {name}={draw(value(depth))} {draw(choice('', 'NCCL_DEBUG=1', 'MODE'))}"
    if kind == 18:
        return f"REF={draw(choice('EP', 'MODE', 'ARGS[0]', 'ARGS[@]', 'TAG'))}"
    if kind == 19:
        return f"{name}={draw(value(depth))} {draw(SCALAR)}={draw(value(depth))}"
    if kind == 20:
        return f"set -- {draw(words(depth))}"
    return draw(
        choice(
            "shift || true",
            "shift 2 || true",
            'set -- "$@" x',
            'set -- x "$@"',
            "set -f",
            "set +f",
            "IFS=,",
            "unset IFS",
            "IFS=$' \\t\\n'",
            "set -o pipefail",
        )
    )


@st.composite
def test(draw: DrawFn, depth: int = 1) -> str:
    """A condition."""
    name = draw(SCALAR)
    kind = draw(st.integers(0, 13))
    if kind == 0:
        return f'[ "${name}" {draw(choice("=", "!=", "=="))} {draw(simple_word())} ]'
    if kind == 1:
        return f'[ {draw(choice("-z", "-n"))} "${{{draw(st.sampled_from([name, *KNOBS]))}:-}}" ]'
    if kind <= 3:
        return f"[[ ${name} {draw(choice('==', '!=', '='))} {draw(PATTERN)} ]]"
    if kind == 4:
        return (
            f"[[ {draw(choice('-z', '-n'))} ${name} {draw(choice('&&', '||'))} $N -gt {draw(choice('1', 'M', '10'))} ]]"
        )
    if kind == 5:
        return f"(( {draw(arithmetic())} ))"
    if kind == 6:
        return f"[ $# {draw(choice('-gt', '-eq', '-lt', '-ge'))} {draw(choice('0', '1', '2'))} ]"
    if kind == 7:
        return draw(choice("true", "false", ": x", "! true", "[ a ]", "[ '' ]", "[[ a < b ]]", "[ -n ]", "! [ a = b ]"))
    if kind == 8:
        return f"[[ ${name} =~ {draw(choice('^[0-9]+$', 'a', '^--', '(a|b)', '.', 'a.b', '[a-z]+'))} ]]"
    if kind == 9 and depth:
        return f"{draw(test(0))} {draw(choice('&&', '||'))} {draw(test(0))}"
    if kind == 10:
        return f"[ ${{#{draw(ARRAY)}[@]}} -{draw(choice('gt', 'eq', 'ne'))} {draw(choice('0', '1', '2'))} ]"
    if kind == 11:
        return f'[ "${name}" = a -o "$MODE" = full ] && [ ! "$N" -gt 3 ]'
    if kind == 12:
        return f"test x{draw(choice('$N', '$M'))} = x{draw(choice('1', '2', '4'))}"
    return (
        f"[[ -v {name} ]]" if draw(st.booleans()) else f"[[ ! ( ${name} == a* ) && {draw(choice('a', '$MODE'))} != b ]]"
    )


@st.composite
def launch(draw: DrawFn, depth: int = 1) -> str:
    """One call of the trainer."""
    prefix = draw(
        choice(
            "",
            "",
            "",
            "",
            "A=1 ",
            'NCCL_DEBUG="$EP" ',
            "A=1 B=$TAG ",
            "env A=2 ",
            "env -u NCCL_DEBUG ",
            "exec ",
            "command ",
            "nohup ",
            "time ",
            'env A="$TAG" B=2 ',
        )
        if depth
        else st.just("")
    )
    if prefix == "exec ":
        prefix = ""
    given = draw(st.lists(word(depth), max_size=5))
    joint = draw(choice(" ", " ", " \\\n    "))
    after = draw(
        choice(
            "",
            "",
            "",
            " # note",
            " 2>&1 | cat",
            " >/dev/null",
            " &>> /dev/null",
            " 2>/dev/null || true",
            " < /dev/null",
        )
    )
    return f"{prefix}{TRAIN} {joint.join(given)}{after}"


def block(depth: int, in_function: bool = False, most: int = 3) -> Texts:
    return st.lists(statement(depth, in_function), min_size=1, max_size=most).map("\n".join)


def quote_double(text: str) -> str:
    """TEXT in double quotes, so that the inner shell gets TEXT."""
    return '"' + "".join("\\" + c if c in '"\\$`' else c for c in text) + '"'


@st.composite
def nested(draw: DrawFn, depth: int) -> str:
    """A shell in the shell."""
    kind = draw(st.integers(0, 9))
    inner = f"{TRAIN} {draw(st.lists(simple_word(), max_size=3).map(' '.join))}"
    if kind == 0:
        return f"printf -v Q ' %q' {draw(words(depth))}\n" + f'bash -c "{TRAIN}$Q"'
    if kind == 1:
        inner_text = quote_double(draw(block(0)) + "\n" + inner)
        return f"bash -c {inner_text}"
    if kind == 2:
        return f'EP=$EP bash -c \'{TRAIN} "$EP" "$@" $#\' x {draw(words(depth))}'
    if kind == 3:
        return f"eval {quote_double(inner)}"
    if kind == 4:
        way = draw(choice("eval $CMD", "$CMD", 'bash -c "$CMD"', 'eval "$CMD"'))
        return f'CMD="{TRAIN} --a $N"\nCMD+=" --b \'c d\'"\n{way}'
    if kind == 5:
        mark = draw(choice("EOF", "'EOF'", '"EOF"', "\\EOF"))
        quoted = mark != "EOF"
        body = inner if quoted else f"{TRAIN} $N \"$EP\" \\$M '${{MODE:-x}}' $((N + 1)) \\\\ `echo q`"
        return f"bash <<{mark}\n{body}\nEOF"
    if kind == 6:
        return f'cat <<-EOF | bash -s -- {draw(words(depth, 0, 2))}\n\t{TRAIN} "\\$@" $N\n\tEOF'
    if kind == 7:
        return f'CMD=$(cat <<EOF\n{TRAIN} $N \\\n  \'x y\' "$M"\nEOF\n)\neval "$CMD"'
    if kind == 8:
        first = draw(choice("", '"${CMD[@]}"\n'))
        return f'CMD=({TRAIN} {draw(words(depth))})\n{first}CMD+=(--y "$TAG")\n"${{CMD[@]}}"'
    return f'echo {draw(words(depth, 0, 2))} | while read -r x; do {TRAIN} "$x" $N; done'


@st.composite
def statement(draw: DrawFn, depth: int, in_function: bool = False) -> str:
    kind = draw(st.integers(0, 23 if depth else 9))
    if kind <= 8:
        if in_function and draw(st.integers(0, 3)) == 0:
            return draw(
                choice(
                    "local TAG=x",
                    "local EP",
                    'local EP="$1" MODE=${2:-full}',
                    "local -a ARGS=(a 'b c')",
                    "shift || true",
                    "local N=$((M + 1))",
                    "return 0",
                    "return 1",
                )
            )
        return draw(assignment(1))
    if kind == 9:
        return draw(launch())
    inner = lambda: draw(block(depth - 1, in_function))  # noqa: E731
    if kind <= 11:
        text = f"if {draw(test())}; then\n{inner()}\n"
        if draw(st.booleans()):
            text += f"elif {draw(test())}\nthen\n{inner()}\n"
        return text + (f"else\n{inner()}\nfi" if draw(st.booleans()) else "fi")
    if kind == 12:
        arms = "\n".join(
            f"  {draw(choice('', '('))}{draw(st.lists(PATTERN, min_size=1, max_size=2).map(draw(choice(' | ', '|')).join))}) {inner()} {draw(choice(';;', ';;', ';&', ';;&'))}"
            for _ in range(draw(st.integers(1, 3)))
        )
        subject = draw(choice("$MODE", '"$EP"', "${TAG:-x}", "$1x"))
        return f"case {subject} in\n{arms}\n  *) {inner()}\nesac"
    if kind <= 14:
        loop = draw(
            choice(
                f"for x in {draw(words(1))}",
                'for x in "${ARGS[@]}"',
                'for x in "$@"',
                "for x in 1 2",
                "for x",
                "for x in ${TAG//,/ }",
            )
        )
        leave = draw(choice("", "", f"{draw(test(0))} && break\n", f"if {draw(test(0))}; then continue; fi\n"))
        use = draw(
            choice('ARGS+=("$x")', 'TAG+=",$x"', f'{TRAIN} "$x" $x', "EP=$x", "((N += 1)) || true", "MORE+=(--x $x)")
        )
        return f"{loop}; do\n{leave}{use}\n{inner()}\ndone"
    if kind == 15:
        k = f"k{depth}"
        grow = draw(choice("", f"MORE+=(${k})\n"))
        return f"for (({k} = 0; {k} < {draw(choice('2', '3', 'N % 4'))}; {k}++)); do\n{grow}{inner()}\ndone"
    if kind == 16:
        j = f"j{depth}"
        condition = draw(choice(f"while [ ${j} -lt 2 ]", f"until (( {j} >= 2 ))", f"while (({j} < 2))", "while :"))
        return f"{j}=0\n{condition}; do\n{j}=$(({j} + 1))\n[ ${j} -gt 3 ] && break\n{inner()}\ndone"
    if kind == 17:
        return f"({draw(choice('', ' '))}\n{inner()}\n)" if draw(st.booleans()) else f"{{ {inner()}\n}}"
    if kind == 18 and not in_function:
        name = draw(choice("run", "setup", "add_args"))
        body = draw(block(depth - 1, True))
        call = f"{name} {draw(words(1))}"
        call = draw(
            choice(
                call, call, f"{call} && EP=ok", f"{call} || MODE=failed", f"if {call}; then TAG=yes; fi", f"A=3 {call}"
            )
        )
        return f"{draw(choice(name + '()', 'function ' + name, name + ' ()'))} {{\n{body}\n}}\n{call}"
    if kind == 19:
        return f"{draw(test())} {draw(choice('&&', '||'))} {draw(assignment(0))}"
    if kind == 20:
        return f'while [ $# -gt 0 ]; do\n  case $1 in\n    --x|a*) EP=${{2:-}}; shift; shift || true;;\n    --*=*) MODE=${{1#*=}}; shift;;\n    --) shift; break;;\n    *) MORE+=("$1"); shift;;\n  esac\ndone'
    if kind == 21:
        return f"{draw(test())}\n{draw(choice('N=$?', 'rc=$?; [ $rc -eq 0 ] && MODE=ok', 'if [ $? -ne 0 ]; then EP=bad; fi'))}"
    return draw(nested(1))


@st.composite
def launcher(draw: DrawFn) -> str:
    """A whole launcher."""
    lines = [f"N={draw(choice('1', '2', '4'))} M={draw(choice('0', '3', '8'))} REF=EP Q= CMD= x= rc=0"]
    for name in SCALARS:
        lines.append(
            draw(
                choice(
                    f"{name}=",
                    f"unset {name}",
                    f"{name}=full",
                    f"{name}='a b'",
                    f"{name}=a,b,c",
                    f"{name}=8",
                    f"{name}=--x=1",
                    f"{name}='a  *'",
                    f"{name}=a/b.c",
                    f"{name}=' x\ty '",
                )
            )
        )
    for name in ARRAYS:
        lines.append(
            draw(choice(f"{name}=()", f"{name}=(a 'b c')", f"{name}=(--x 1 --y '')", f"{name}=(8)", f"unset {name}"))
        )
    lines.append(draw(choice("set -- a 'b c'", "set -- --x=1 -- y", "set --")))
    lines += draw(st.lists(statement(2), max_size=5))
    lines.append(draw(launch()))
    return "\n".join(lines) + "\n"

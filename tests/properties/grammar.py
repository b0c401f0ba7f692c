"""Small launchers, drawn from a grammar of what real ones write.

All that such a launcher does is decided by its text: every plain `$NAME` is of a name that it sets or unsets itself,
every knob stands with a default, and nothing asks the machine.

The grammar is data. A phrase is a line; in it `<symbol>` stands for one of that symbol's phrases, `<dq:symbol>` for one
in double quotes such that a shell that reads it gets it back, `¶` for a line end, `ε` for nothing, and `§` for the
nesting, which keeps the counters of nested loops apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from hypothesis import strategies as st

from .both import TRAIN

DEPTH = 9
"""How many symbols deep a launcher goes: three compound commands inside each other."""

HOLE = re.compile(r"<(?:(dq):)?([a-z]+)>")

GRAMMAR: dict[str, str] = {
    "scalar": "EP MODE TAG EXTRA",
    "array": "ARGS MORE",
    "knob": "LR NODES MTP_SIZE",
    "exported": "MOLT_MOE_DISPATCHER NCCL_DEBUG",
    "number": "N M",
    "plain": """
        8
        full
        --fsdp.ep_size
        --x=1
        1e-6
        a/b.c
        x_y
        0
        -1
        a,b
        k=[1,2]
        +a.b=c
        @x
        100%
        x#y
        --
    """,
    "quoted": r"""
        ''
        ""
        'a b'
        "a b"
        'a"b'
        "it's"
        "a\"b"
        $'a b'
        "\$x"
        a\ b
        '$x'
        '*'
        \*
        "a\\b"
        'a\b'
        "\a"
        $'it\'s'
        '  x  '
        "#"
        \#
        '{"k": [1, 2]}'
        x'y'"z"
        "a\¶b"
        '~'
        "{a,b}"
        'a;b'
        "a&b"
        "|"
        "é"
        'two¶lines'
        --name='a b'
        --x="1"
    """,
    "pattern": r"""
        a
        *
        ?
        a*
        *b
        */
        /*
        *.c
        [a-z]
        [!0-9]*
        "*"
        \*
        full
        8
        *_*
        --*
        "a b"
        a?b
        *,
        ,*
        [[:digit:]]*
    """,
    "arithmetic": """
        1
        8
        <number>
        $<number>
        (N + 1)
        ${#ARGS[@]}
        <arithmetic> + <arithmetic>
        <arithmetic> * <arithmetic>
        <number> - <arithmetic>
        (<arithmetic>) % 3
        (<arithmetic>) / 2
        <number> ** 2
        1 << <number>
        <arithmetic> < <arithmetic>
        <number> == <arithmetic>
        <number> > 1 ? <arithmetic> : <arithmetic>
        N && M
        !N || <arithmetic>
    """,
    # --- words
    "default": """
        ε
        8
        a b
        a/b
        [1,2]
        --x $TAG
        $EP
        $((N + 1))
        <one>
    """,
    "one": """
        $<scalar>
        ${<scalar>}
        $<number>
        ${<scalar>:-<default>}
        ${<scalar>-<default>}
        ${<scalar>:+<default>}
        ${<scalar>+<default>}
        ${<knob>:-<default>}
        ${<knob>:=<default>}
        ${<knob>:+--x}
        ${<scalar>#<pattern>}
        ${<scalar>##*/}
        ${<scalar>%<pattern>}
        ${<scalar>%%,*}
        ${<scalar>/a/X}
        ${<scalar>//,/ }
        ${<scalar>// /_}
        ${<scalar>/%c/x}
        ${<scalar>/#a/$EP}
        ${#<scalar>}
        ${<scalar>^^}
        ${<scalar>,,}
        ${<scalar>:1}
        ${<scalar>:0:2}
        ${<scalar>: -1}
        ${<array>[0]}
        ${<array>[1]:-x}
        ${<array>[N]}
        ${<array>[-1]:-x}
        ${#<array>[@]}
        ${<array>[*]}
        $#
        $1
        ${2:-x}
        $((<arithmetic>))
        $(<printing>)
        `echo <plain>`
        ${!REF}
    """,
    "many": """
        ${<array>[@]}
        ${<array>[@]}
        ${<array>[@]:1}
        ${<array>[@]:0:1}
        ${<array>[@]/a/b}
        ${<array>[@]%,*}
        ${<array>[@]^^}
        ${!<array>[@]}
        $@
        $*
        ${@:2}
        ${*:1:1}
        ${@//a/b}
    """,
    "expansion": """
        <one>
        <one>
        <one>
        <many>
    """,
    "piece": """
        <plain>
        <plain>
        <quoted>
        <expansion>
        "<expansion>"
        "<expansion>"
        "a <expansion>-b"
        --y="<expansion>"
        "${<scalar>:-"<one>"}"
        "${<scalar>:-'a b'}"
        ${<scalar>:-"a b"}
        ${<scalar>:-'a b'}
        ${TAG:+"$TAG"}
        ${EP:+--x "$EP"}
    """,
    "braces": """
        {a,b}
        {1..3}
        {a,b}{1,2}
        {a,{b,c}}
        {01..3}
        {c..a}
        {a}
        {a,b
        {1..5..2}
        {}
        {'a b',c}
        {$EP,x}
        --x={1,2}
        x{,y}"$TAG"
    """,
    "word": """
        <piece>
        <piece>
        <piece>
        <piece>
        <piece>
        <piece><quoted>
        <quoted><expansion>
        <braces>
    """,
    "words": """
        ε
        <word>
        <word> <word>
        <word> <word>
        <word> <word> <word>
        "$@"
        "${ARGS[@]}" <word>
    """,
    "printing": """
        echo <words>
        echo "<expansion>"
        printf '%s\\n' <words>
        printf '%s,' <words>
        printf -- '--x=%s ' <words>
        IFS=,; echo "${<array>[*]}"
        IFS=-; echo "$*"
        seq 1 3
        echo a; echo b
        true
        echo -n x
        basename a/b.c .c
        dirname a/b.c
        <test> && echo --big || true
        for x in <words>; do echo "$x"; done
        cat <<EOF¶$TAG "$N"¶EOF¶
        if <test>; then echo yes; fi
    """,
    # --- simple commands
    "assignment": """
        <scalar>=<piece>
        <scalar>=<piece>
        <scalar>="<expansion> <expansion>"
        <scalar>=
        <scalar>+=<piece>
        <scalar>+=" <expansion>"
        <scalar>=$(<printing>)
        <scalar>="$(<printing>)"
        <scalar>=<piece> <scalar>=<piece>
        <array>=(<words>)
        <array>=(<words>)
        <array>+=(<words>)
        <array>+=(<words>)
        <array>+=(¶  <words>  # note¶¶  # another¶  <words>¶)
        <array>=("${<array>[@]}" <words>)
        <array>=($<scalar>)
        <array>[1]=<piece>
        <array>[N]+=<piece>
        <array>[${#<array>[@]}]=<piece>
        export <exported>=<piece>
        export <exported>=<piece>
        export <scalar>
        export <scalar>=<piece> <exported>=1
        export -n <scalar>
        declare <scalar>=<piece>
        declare -x <scalar>=<piece>
        unset <scalar>
        unset <array>
        unset <exported>
        : "${<scalar>:=<default>}"
        : ${<knob>:=<default>}
        <number>=$((<arithmetic>))
        ((N++)) || true
        (( M += 2 )) || true
        let N=M+1 || true
        ((N = M > 2 ? 1 : 4)) || true
        printf -v <scalar> '%s' <words>
        printf -v <scalar> ' %q' <words>
        printf -v <scalar> '%s-%s' <words>
        printf -v <scalar> '%03d' $<number>
        IFS=, read -ra <array> <<< "$<scalar>"
        read -r <scalar> EXTRA <<< "$<scalar> x"
        IFS=: read -r <scalar> MODE <<< "a:b:c"
        mapfile -t <array> <<< "$<scalar>"
        mapfile -t <array> < <(printf '%s\\n' a 'b c')
        REF=<scalar>
        REF=<array>[0]
        REF=<array>[@]
        set -- <words>
        set -- "$@" <words>
        shift || true
        <test> && <scalar>=<piece>
        <test> || <array>+=(<words>)
    """,
    "test": """
        [ "$<scalar>" = <plain> ]
        [ "$<scalar>" != "<expansion>" ]
        [ -z "${<knob>:-}" ]
        [ -n "${<scalar>:-}" ]
        [[ $<scalar> == <pattern> ]]
        [[ $<scalar> != <pattern> ]]
        [[ "$<scalar>" == "<expansion>" ]]
        [[ -z $<scalar> || $<number> -gt 1 ]]
        [[ -n $<scalar> && $<number> -lt M ]]
        [[ ! ( $<scalar> == a* ) && $MODE != b ]]
        [[ $<scalar> =~ ^[0-9]+$ ]]
        [[ $<scalar> =~ (a|b) ]]
        (( <arithmetic> ))
        [ $# -gt 1 ]
        [ "$#" -eq 0 ]
        [ ${#<array>[@]} -gt 1 ]
        [ "$<number>" -ge 2 ]
        test x$N = x2
        true
        false
        ! true
        [ "$<scalar>" = a -o "$MODE" = full ]
        [ ! "$N" -gt 3 ]
        [[ " ${<array>[*]} " == *" a "* ]]
        <test> && <test>
        <test> || <test>
    """,
    "launch": """
        TRAIN <words>
        TRAIN <words> <words>
        TRAIN "${ARGS[@]}" <words>
        TRAIN ${<scalar>:+--x "$N"} ${<knob>:+--y} <words>
        TRAIN ¶TRAIN \\¶  <words> \\¶  <words>
        A=1 TRAIN <words>
        NCCL_DEBUG="$EP" TRAIN "$EP"
        A=1 B=$TAG TRAIN <words>
        env A=2 B="$TAG" TRAIN <words>
        env -u NCCL_DEBUG TRAIN <words>
        command TRAIN <words>
        nohup TRAIN <words> >/dev/null 2>&1
        TRAIN <words> 2>&1 | tee /dev/null
        TRAIN <words> # note
        TRAIN <words> < /dev/null &>> /dev/null
        (export A=1; TRAIN <words>)
        (cd . && TRAIN <words>)
    """,
    # --- compound commands
    "nested": r"""
        printf -v Q ' %q' <words>¶bash -c "TRAIN$Q"
        printf -v Q ' %q' "${<array>[@]}"¶bash -c "A=1 TRAIN $Q x"
        Q=$(printf '%q ' <words>)¶eval "TRAIN $Q"
        bash -c <dq:inner>
        bash -c <dq:block>
        bash -c 'TRAIN "$0" "$@" $#' <plain> <words>
        EP=$EP bash -c 'TRAIN "$EP"'
        sh -c "TRAIN <plain> $N"
        eval <dq:inner>
        eval <dq:block>
        CMD="TRAIN --a $N"¶CMD+=" --b 'c d'"¶eval "$CMD"
        CMD="TRAIN --a $N <plain>"¶$CMD --z
        CMD="TRAIN --a $N"¶bash -c "$CMD '$M'"
        CMD=(TRAIN <words>)¶"${CMD[@]}"¶CMD+=(--y "$TAG")¶"${CMD[@]}"
        bash <<EOF¶TRAIN $N "$N" \$M '${LR:-x}' $((N + 1)) \\ `echo q` "a b"¶EOF
        bash <<'EOF'¶<inner>¶EOF
        bash -s -- <words> <<'EOF'¶TRAIN "$@" $#¶EOF
        cat <<-EOF | bash¶	TRAIN $N "\$M"¶	EOF
        CMD=$(cat <<EOF¶TRAIN $N \¶  'x y' "$M"¶EOF¶)¶eval "$CMD"
        echo <words> | while read -r x; do TRAIN "$x" $N; done
        echo <plain> <plain> | xargs TRAIN --y
        echo "TRAIN <plain>" > ../job.sh¶echo 'TRAIN "$1"' >> ../job.sh¶bash ../job.sh <plain>
        while IFS=, read -r x y; do TRAIN "$x" "$y"; done <<< "$<scalar>"
    """,
    "inner": r"""
        TRAIN <quoted> <plain>
        TRAIN "$@" $#
        export A=<quoted> && TRAIN <plain>
        x=<quoted>; TRAIN "$x" $x
        TRAIN <braces> "<expansion>"
    """,
    "loop": """
        for x in <words>
        for x in "${ARGS[@]}"
        for x in "$@"
        for x in 1 2
        for x
        for x in ${TAG//,/ }
        for x in $(<printing>)
        for ((k§ = 0; k§ < 2; k§++))
        for ((k§ = N, l§ = 0; l§ < 2; k§--, l§++))
    """,
    "turn": """
        ARGS+=("$x")
        MORE+=(--x $x)
        TAG+=",$x"
        EP=$x
        <test> && break
        if <test>; then continue; fi
        TRAIN "$x" $x
        case $x in <pattern>) continue ;; esac
    """,
    "function": """
        f§() {
        function f§ {
        f§ () {
    """,
    "local": """
        local TAG=x
        local EP
        local EP="$1" MODE=${2:-full}
        local -a ARGS=(a 'b c')
        local N=$((M + 1))
        local MORE=("$@")
        shift || true
        TAG="$*"
        ARGS+=("$@")
        <assignment>
    """,
    "call": """
        f§ <words>
        f§ <words>
        f§ "$@"
        f§ <words> && EP=ok
        f§ <words> || MODE=failed
        if f§ <words>; then TAG=yes; else TAG=no; fi
        A=3 f§ <words>
        (f§ <words>)
    """,
    "return": """
        :
        return 0
        return 1
        true
    """,
    "statement": """
        <assignment>
        <assignment>
        <assignment>
        <assignment>
        <assignment>
        <assignment>
        <assignment>
        <launch>¶:
        <launch>¶:
        if <test>; then¶<block>¶fi
        if <test>; then¶<block>¶else¶<block>¶fi
        if <test>; then <assignment>¶elif <test>¶then¶<block>¶else <block>¶fi
        case $<scalar> in¶  <pattern>) <block> ;;¶  <pattern>|<pattern>) <block> ;;¶  *) <block>¶esac
        case "<expansion>" in¶(<pattern>)¶<block>¶;&¶<pattern>) <block> ;;& *) <block>; esac
        <loop>; do¶<turn>¶<block>¶done
        <loop>; do <turn>; done
        <loop>¶do¶<turn>¶<turn>¶done
        j§=0¶while [ $j§ -lt 2 ]; do¶j§=$((j§ + 1))¶<block>¶done
        j§=0¶while :; do¶((++j§ > 2)) && break¶<block>¶done
        j§=0¶until ((j§ >= 2)); do¶((j§ += 1))¶<block>¶done
        (¶<block>¶)
        { <block>¶}
        <function>¶<local>¶<block>¶<return>¶}¶<call>
        <function>¶<local>¶<local>¶<launch>¶:¶}¶<call>
        while [ $# -gt 0 ]; do¶  case $1 in¶    --x|a*) EP=${2:-}; shift; shift || true;;¶    --*=*) MODE=${1#*=}; shift;;¶    --) shift; break;;¶    *) MORE+=("$1"); shift;;¶  esac¶done
        <nested>¶:
        <nested>¶:
    """,  # noqa: E501
    "block": """
        <statement>
        <statement>¶<statement>
        <statement>¶<statement>¶<statement>
    """,
    "held": """
        ε
        full
        'a b'
        a,b,c
        8
        --x=1
        'a  ?'
        a/b.c
        ' x y '
    """,
    "list": """
        (a 'b c')
        (--x 1 --y '')
        (8)
        ()
    """,
    "start": """
        N=2 M=3 Q= CMD= x= y= REF=EP
        N=4 M=0 Q= CMD= x= y= REF=MODE
        N=1 M=8 Q= CMD= x= y= REF=ARGS[0]
    """,
    "arguments": """
        set -- a 'b c'
        set -- --x=1 -- y
        set --
    """,
    "launcher": """
        <start>¶EP=<held> MODE=<held>¶TAG=<held>¶EXTRA=<held>¶ARGS=<list> MORE=<list>¶<arguments>¶<block>¶<block>¶<launch>¶
        <start>¶EP=<held> TAG=<held>; unset MODE EXTRA ARGS¶MORE=<list>¶<arguments>¶<block>¶<launch>¶<block>¶<launch>¶
    """,  # noqa: E501
}


@cache
def phrases(symbol: str) -> tuple[str, ...]:
    """The phrases of a symbol."""
    text = GRAMMAR[symbol]
    found = [line.strip(" ") for line in text.strip("\n ").split("\n")] if "\n" in text else text.split()
    return tuple(phrase.replace("ε", "").replace("¶", "\n").replace("TRAIN", TRAIN) for phrase in found)


@cache
def height(phrase: str, seen: tuple[str, ...] = ()) -> int:
    """How many symbols deep the flattest text of a phrase goes."""
    below = [hole[2] for hole in HOLE.finditer(phrase)]
    if any(symbol in seen for symbol in below):
        return 99
    return max((1 + min(height(one, (*seen, symbol)) for one in phrases(symbol)) for symbol in below), default=0)


@cache
def within(symbol: str, depth: int) -> tuple[str, ...]:
    """The phrases of a symbol that come to an end within DEPTH symbols."""
    return tuple(phrase for phrase in phrases(symbol) if height(phrase) <= depth)


def in_double_quotes(text: str) -> str:
    """TEXT so that a shell that reads it gets it back."""
    return '"' + "".join("\\" + c if c in '"\\$`' else c for c in text) + '"'


def written(choose: Callable[[tuple[str, ...]], str], symbol: str, depth: int = DEPTH) -> str:
    """A text of a symbol, of the phrases that CHOOSE takes."""

    def fill(hole: re.Match[str]) -> str:
        text = written(choose, hole[2], depth - 1)
        return in_double_quotes(text) if hole[1] else text

    return HOLE.sub(fill, choose(within(symbol, depth)).replace("§", str(depth)))


@st.composite
def texts(draw: st.DrawFn, symbol: str) -> str:
    """A text of a symbol."""
    return written(lambda phrases: draw(st.sampled_from(phrases)), symbol)

"""What launchers are made of, by the constructs that a real one writes. See `grammar` for how to read it."""

from __future__ import annotations

GRAMMAR: dict[str, str] = {
    "scalar": "EP MODE TAG EXTRA",
    "array": "ARGS MORE",
    "knob": "LR NODES MTP_SIZE",
    "exported": "MOLT_MOE_DISPATCHER NCCL_DEBUG",
    "number": "N M",
    "plain": r"""
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
    "arithmetic": r"""
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
        <number>++
        --<number>
        <number> += <arithmetic>
        N = M, N + 1
        0x1f & ~<number>
        010 | <number> ^ 2
        (<arithmetic>) % 4 == 0
        <number> >= 2 || <arithmetic>
        ${ARGS[0]:-2} * 0 + 1
        ${#TAG} - 1
        MAP[a] + 0
        10#08
        -<number>
    """,
    # --- words
    "default": r"""
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
    "one": r"""
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
        ${<scalar>@Q}
        ${<scalar>^}
        ${<scalar>,}
        ${<scalar>/[ab]/x}
        ${<scalar>//[[:space:]]/_}
        ${<scalar>:(-2):1}
        ${<scalar>:N:M}
        ${<scalar>/<pattern>}
        ${<scalar>//<pattern>/-}
        ${<scalar>%%<pattern>}
        ${<scalar>#"$EP"}
        ${!#}
        ${@: -1}
        ${MAP[a]}
        ${MAP[$EP]:-none}
        ${MAP[x y]-unset}
        ${#MAP[@]}
        ${#<array>[0]}
        $[N + M]
        $?
        ${<scalar>:?}
        ${<knob>:-${LR:-<default>}}
        ${<array>[-1]}
        ${<array>[$((N - 1))]:-none}
        ${#*}
    """,
    "many": r"""
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
        ${<array>[@]: -1}
        ${<array>[@]@Q}
        ${<array>[@]#--}
        ${<array>[@]/#/x=}
        ${<array>[@]/%/.json}
        ${<array>[@]:N}
        ${@: -1}
        ${@#a}
        ${<array>[@]:-<default>}
        ${<array>[@]+"${<array>[@]}"}
        ${@:1:$#}
    """,
    "expansion": r"""
        <one>
        <one>
        <one>
        <many>
    """,
    "piece": r"""
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
    "braces": r"""
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
        {a..e..2}
        {3..-1}
        --{x,y}=$N
        {"a b",'c d'}
        $EP{1,2}
        {a,b}"{c,d}"
        {,x}
        {1..N}
    """,
    "word": r"""
        <piece>
        <piece>
        <piece>
        <piece>
        <piece>
        <piece><quoted>
        <quoted><expansion>
        <braces>
    """,
    "words": r"""
        ε
        <word>
        <word> <word>
        <word> <word>
        <word> <word> <word>
        "$@"
        "${ARGS[@]}" <word>
    """,
    "printing": r"""
        echo <words>
        echo "<expansion>"
        printf '%s\n' <words>
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
        echo "$TAG" | cut -d, -f1
        echo "$TAG" | tr ',a' ' b'
        echo <plain> <plain> | wc -w
        printf '%s\n' <words> | sort
        printf '%s\n' <words> | head -n 1
        printf '%s\n' <words> | tail -n 1
        IFS=,; echo "${<array>[*]:1}"
        echo $((<arithmetic>))
        printf '%02d' <number>
        printf '%q ' <words>
        printf '%b' "<expansion>"
        printf '%5.1f|%-4s|' 1.25 <plain>
        dirname "$TAG"
        basename -- "$EP"
        case $EP in <pattern>) echo 1;; *) echo 2;; esac
        <test> || echo --no
        cat <<'EOF'¶<plain> $x¶EOF¶
        (echo <plain>; exit 3)
        echo <plain> >&2; echo <plain>
        set -- <words>; echo "$2$#"
        local_=<piece>; echo "$local_"
        exit 2
        while read -r l; do echo "[$l]"; done <<< "$TAG"
        printf '%s' "${<array>[@]/%/,}"
        echo "${<array>[@]}" | xargs
    """,
    # --- simple commands
    "assignment": r"""
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
        mapfile -t <array> < <(printf '%s\n' a 'b c')
        REF=<scalar>
        REF=<array>[0]
        REF=<array>[@]
        set -- <words>
        set -- "$@" <words>
        shift || true
        <test> && <scalar>=<piece>
        <test> || <array>+=(<words>)
        MAP[<key>]=<piece>
        MAP[<key>]+=<piece>
        MAP[$EP]=<piece>
        MAP=([a]=<piece> [x y]=2)
        declare -A MAP=([a]=<piece> ["$TAG"]=<piece>)
        unset 'MAP[a]'
        unset MAP; declare -A MAP
        <array>=([2]=<piece> [0]=<piece>)
        <array>=(<braces>)
        <array>=("${<array>[@]/#/--}")
        <array>=("${<array>[@]:1}")
        <array>=($(<printing>))
        unset '<array>[0]'
        unset "<array>[-1]" 2> /dev/null || true
        <array>=
        declare -a <array>=(<words>)
        declare -i <number>=M+1
        declare -l <scalar>=<piece>
        declare -u <scalar>=<piece>
        declare +x <exported>
        typeset <scalar>=<piece>
        export <exported>
        unset -v <scalar>
        eval "<scalar>='x y'"
        eval <scalar>=\$<scalar>
        declare "$NAME=<expansion>"
        export "$NAME=<expansion>"
        printf -v "$NAME" '%s' <piece>
        NAME=<scalar>
        readarray -t <array> <<EOF¶$TAG¶<plain>¶EOF
        mapfile -t <array> < <(<printing>)
        read -r -d '' <scalar> <<EOF || true¶<plain>¶$TAG¶EOF
        read -ra <array> <<< "<expansion>"
        IFS=' ,' read -r <scalar> <scalar> <<< "<expansion>"
        printf -v <scalar> '%s,' "${<array>[@]}"; <scalar>=${<scalar>%,}
        set -- "${@:2}"
        set -- <braces>
        set -- "${<array>[@]}"
        shift $(( $# > 1 ? 2 : 0 ))
        IFS=,; set -- $TAG; unset IFS
        set -f; <array>=($<scalar>); set +f
        (( N > 1 )) && <scalar>=<piece> || <scalar>=<piece>
        [[ $TAG =~ ^(.)(.*)$ ]] && EP=${BASH_REMATCH[2]} || true
        [[ $TAG =~ <regex> ]] && <scalar>=${BASH_REMATCH[0]} || <scalar>=none
        set -a; <scalar>=<piece>; set +a
        <scalar>=<piece> <scalar>=$<scalar>
        <scalar>=${<scalar>:-<default>}
        <scalar>="<expansion>"'<plain>'"<expansion>"
        <scalar>=<braces>
        <scalar>="x¶y  z"
        declare -n ref=<scalar>; ref=<piece>; unset -n ref
        let "<number> += 2" <number>=3 || true
        <array>+=([5]=<piece>)
        pushd . > /dev/null
        : "<expansion>" <words>
        true <words>
        alias t='TRAIN --al'
    """,
    "test": r"""
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
        [[ $TAG =~ <regex> ]]
        [[ "$EP" < "$TAG" ]]
        [[ -v <scalar> ]]
        [[ ${MAP[a]:-} == "<expansion>" ]]
        [[ -n ${MAP[a]+x} ]]
        [[ $N -eq 2 && ( $M -gt 1 || -z $TAG ) ]]
        [[ $EP == @(a|full|8) ]]
        [ "$N" -eq 2 ] && [ -n "$TAG" ]
        [ -z "$TAG" ] || [ "$EP" = a ]
        [ "$EP" ]
        test -n "$TAG" -a "$N" -gt 1
        ! <test>
        [[ -z "<expansion>" ]]
        case $EP in <pattern>) true;; *) false;; esac
        { <test>; }
        ( <test> )
        (( N > M )) && (( M ))
    """,
    "launch": r"""
        TRAIN <words>
        TRAIN <words> <words>
        TRAIN "${ARGS[@]}" <words>
        TRAIN ${<scalar>:+--x "$N"} ${<knob>:+--y} <words>
        TRAIN ¶TRAIN \¶  <words> \¶  <words>
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
        TRAIN "${MAP[@]}" "${#MAP[@]}"
        TRAIN --a \¶# <plain>
        if ! TRAIN <words>; then TAG=failed; fi
        TRAIN <words> && TRAIN <words> || TRAIN failed
        TRAIN <words> &¶wait
        { time TRAIN <words>; } 2> /dev/null
        { TRAIN <words>; } > /dev/null 2>&1
        A="$EP" B="<expansion>" TRAIN "$@"
        TRAIN --flag=<piece> -- <braces>
        NCCL_DEBUG= TRAIN "${@:-none}"
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
        <wrapper> TRAIN <words>
        <wrapper> TRAIN "${<array>[@]}" <words>
        <wrapper> <wrapper> TRAIN <words>
        <wrapper> bash -c <dq:inner>
        <wrapper> bash -c 'TRAIN "$0" "$@" "$EP"' <words>
        <exporting>¶<wrapper> TRAIN <words>
        <exporting>¶<wrapper> env A=1 TRAIN <words>
        <exporting>¶<wrapper> bash -lc "TRAIN $EP \"\$EP\" \$NCCL_DEBUG"
        <exporting>¶sbatch --wrap <dq:inner>
        <exporting>¶sbatch <slurm> --wrap "TRAIN $N '$M' \"\$A\""
        <exporting>¶sbatch --parsable ../lib.sh <words>
        ssh host TRAIN <words>
        ssh -p 22 me@host "A=1 TRAIN $N '$M'"
        <exporting>¶ray start --head¶<exporting>¶ray job submit -- TRAIN <words>
        <exporting>¶ray start --head --port 1¶<exporting>¶ray job submit --runtime-env-json='{"env_vars": {"A": "2 3"}}' -- bash -c 'TRAIN "$A" "$EP"'
        <exporting>¶ray job submit --runtime-env-json "{\"env_vars\": {\"A\": \"$N\"}}" -- env B=2 TRAIN <words>
        printf -v Q ' %q' <words>¶srun -N 2 bash -lc "A=1 && ray job submit -- bash -lc 'TRAIN$Q'"
        printf -v Q ' %q' <words>¶bash -c "bash -c 'TRAIN$Q x'"
        Q=$(printf ' %q' "${<array>[@]}")¶ssh host "cd / && TRAIN$Q"
        srun bash <<EOF¶export A=$N¶TRAIN "\$A" \$EP¶EOF
        bash -c "$(cat <<'EOF'¶TRAIN "$0" $#¶EOF¶)"
        bash -ec <dq:inner>
        bash -c "set -- $N; <scalar>=x; TRAIN \$1 \$<scalar>"
        eval "$(printf 'TRAIN %s\n' <plain> <plain>)"
        CMD='TRAIN "$EP"'¶eval "$CMD"¶EP=z¶eval "$CMD" $N
        run() { "$@" --last; }¶run TRAIN <words>
        run() { echo "+ $*"; "$@"; }¶run <wrapper> TRAIN <words>
        (exec TRAIN <words>; TRAIN never)
        (set -e; <test>; TRAIN <words>)
        (set -e; false || true; TRAIN a; <test> && TRAIN b; TRAIN c)
        (set -u; TRAIN "${LR-x}" $N)
        (TRAIN a; exit 0; TRAIN b)
        (trap 'TRAIN "$EP" $?' EXIT; EP=late; <test>)
        bash -c 'trap "TRAIN bye" EXIT; TRAIN "$@"; exit 3' <words> || TAG=left
        bash -ce '<test>; TRAIN $#; exit; TRAIN never' || true
        <lib>
        <lib> <words>
        printf '%s\n' <words> | while IFS= read -r l; do TRAIN "$l"; done
        printf '%s\n' <words> > ../list; while read -r l; do TRAIN "$l"; done < ../list
        printf '%s\n' <words> | xargs -n 1 TRAIN
        echo 'a b' | xargs -I {} TRAIN --x={} {}
        OPTIND=1; while getopts ':a:bx' o; do case $o in a) EP=$OPTARG;; b) TAG=b;; *) MORE+=("$o$OPTARG");; esac; done; shift $((OPTIND - 1))
        for x in <words>; do for y in 1 2; do <test> && continue 2; TRAIN "$x$y"; done; done
        shopt -s expand_aliases¶alias t='TRAIN --al'¶t <words>
        shopt -s expand_aliases¶alias t="TRAIN $N" u='t '¶u <words>
        shopt -s expand_aliases¶alias run='timeout 5m '¶alias t='TRAIN'¶run t <words>
    """,  # noqa: E501
    "inner": r"""
        TRAIN <quoted> <plain>
        TRAIN "$@" $#
        export A=<quoted> && TRAIN <plain>
        x=<quoted>; TRAIN "$x" $x
        TRAIN <braces> "<expansion>"
        set -- <words>; TRAIN "$2" $#
        if <test>; then TRAIN <plain>; else TRAIN no; fi
        for i in 1 2; do TRAIN $i <plain>; done
        export A=<quoted> B=2 && cd / && TRAIN "$A"
        TRAIN <words> && TRAIN <plain> || TRAIN no
        f() { TRAIN "$1" "$@"; }; f <words>
        Q=(<words>); TRAIN "${Q[@]}"
    """,
    "loop": r"""
        for x in <words>
        for x in "${ARGS[@]}"
        for x in "$@"
        for x in 1 2
        for x
        for x in ${TAG//,/ }
        for x in $(<printing>)
        for ((k§ = 0; k§ < 2; k§++))
        for ((k§ = N, l§ = 0; l§ < 2; k§--, l§++))
        for x in <braces>
        for x in "${!ARGS[@]}"
        for x in "${MAP[@]}"
        for x in $(seq 1 2)
        for x in "$TAG" $EP
        for (( k§=1; k§<=2; k§++ ))
    """,
    "turn": r"""
        ARGS+=("$x")
        MORE+=(--x $x)
        TAG+=",$x"
        EP=$x
        <test> && break
        if <test>; then continue; fi
        TRAIN "$x" $x
        case $x in <pattern>) continue ;; esac
        MAP[$x]=$N
        TAG="${TAG:+$TAG,}$x"
        printf -v EP '%s-%s' "$x" "$N"
        export MOLT_MOE_DISPATCHER=$x
        (( N++ < 4 )) || break
    """,
    "function": r"""
        f§() {
        function f§ {
        f§ () {
    """,
    "captured": r"""
        EP=$(f§ <words>)
        TAG="$(f§ "$EP")$?"
        ARGS+=($(f§ <words>))
        EP=$(f§ <words>) || MODE=failed
        local_=$(f§ "$@"); EP="$local_,$EP"
    """,
    "parted": r"""
        f§() (
        function f§ (
    """,
    "local": r"""
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
        local IFS=,
        local -A MAP=([a]=1)
        local -i N=M*2
        local -r R§="$*"
        local -x A="$1"
        local x y=$EP
        declare EP=inner
        declare -g TAG="$1"
        local EP=$1 TAG=$EP
        local "$NAME=v"
        unset EP
        local -n ref§=MODE; ref§="$1"
        set -- "$@" z
        export EP="$1"
        local -a MORE; MORE+=("$@")
    """,
    "call": r"""
        f§ <words>
        f§ <words>
        f§ "$@"
        f§ <words> && EP=ok
        f§ <words> || MODE=failed
        if f§ <words>; then TAG=yes; else TAG=no; fi
        A=3 f§ <words>
        (f§ <words>)
        f§ <words> > /dev/null
        f§ "${ARGS[@]}"; TAG=$?
        ! f§ <words>
        f§ <words> | cat
        if ! f§ <words>; then return 1 2> /dev/null || true; fi
    """,
    "return": r"""
        :
        return 0
        return 1
        true
        return $N
        return 2; TRAIN never
        <test>
        <test> && return 3
        <test> || return
        echo "$EP" "$@"
        printf '%s\n' "$#"
    """,
    "statement": r"""
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
        <nested>¶:
        <nested>¶:
        if [[ $TAG =~ <regex> ]]; then¶<assignment>¶else¶<assignment>¶<launch>¶fi
        <function>¶<local>¶<block>¶<return>¶}¶<call>¶<assignment>¶<call>
        <function>¶<assignment>¶}¶<call>¶<launch>¶:
        if <test> && <test> || <test>; then <launch>¶:¶fi
        <function>¶<local>¶<assignment>¶<return>¶}¶<captured>
        <function>¶<local>¶<local>¶<printing>¶}¶<captured>
        <parted>¶<local>¶<block>¶)¶<call>
        case "$EP,$TAG" in¶  *,a*) <assignment> ;;¶  full,* | 8,*) <assignment> ;;¶esac
        if ((N > 1)); then¶ARGS+=(--nodes "$N")¶fi
    """,  # noqa: E501
    "block": r"""
        <statement>
        <statement>¶<statement>
        <statement>¶<statement>¶<statement>
    """,
    "held": r"""
        ε
        full
        'a b'
        a,b,c
        8
        --x=1
        'a  ?'
        a/b.c
        ' x y '
        'a*'
        'x|y'
        abc
        '70B'
        '"q" z'
        -
    """,
    "list": r"""
        (a 'b c')
        (--x 1 --y '')
        (8)
        ()
    """,
    "start": r"""
        N=2 M=3 Q= CMD= x= y=; unset A B; REF=EP NAME=TAG; declare -A MAP=([a]=1)
        N=4 M=0 Q= CMD= x= y=; unset A B; REF=MODE NAME=EP; declare -A MAP=([b]='x y')
        N=1 M=8 Q= CMD= x= y=; unset A B; REF=ARGS[0] NAME=EXTRA; declare -A MAP=([full]=5)
    """,
    "arguments": r"""
        set -- a 'b c'
        set -- --x=1 -- y
        set --
    """,
    # --- wrappers and other files
    "key": r"""
        a
        "x y"
        $N
        b
        "$TAG"
    """,
    "regex": r"""
        ^[0-9]+$
        ^([a-z]+)[,/](.*)$
        (a|b)
        ^.b
        ([0-9]+)B?$
        \.
        ^$
        [[:space:]]
        ^--([a-z_]+)=
    """,
    "wrapper": r"""
        srun -N 2 --ntasks-per-node=1
        srun --export=ALL,A=1
        srun --export=NONE,B=2
        srun --export=A,EP
        srun --export=NONE
        srun --overlap -u
        timeout 5m
        timeout -k 5 --signal=INT 1h
        nice -n 5
        nohup
        setsid
        stdbuf -oL
        numactl --membind=0
        taskset -c 0-3
        env A=2 B="$TAG"
        env -i C=3
        env -u A -u EP
        sudo -E
        sudo A=4
        sudo
        mpirun -np 8 -x A=1 -x EP
        docker run --rm --gpus all -e A -e B="$TAG" image
        docker run -v /a:/b --env EP --env=A=2 image
        podman run --rm image
        singularity exec --nv image.sif
        apptainer exec --cleanenv --env A=1,B=2 image.sif
        apptainer exec -e image.sif
        enroot start --rw -e A=1 image
        uv run --extra gpu
        conda run -n name --no-capture-output
        poetry run
        nsys profile -o out
        ncu -f -o out
        command
        bsub -q q -n 2
        A=5
    """,
    "slurm": r"""
        -N 1
        --export=ALL,A=1
        --export=NONE
        --export=A,EP -J name
    """,
    "exporting": r"""
        export A=1 EP
        export EP
        export A="$TAG" B=2
        export -n A EP
        unset A
        :
    """,
    "lib": r"""
        source "$(dirname "$0")/lib.sh"
        . "${BASH_SOURCE[0]%/*}/lib.sh"
        HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"; source "$HERE/lib.sh"
        bash "$(dirname "$0")/lib.sh"
        EP=sourced . "$(dirname "$0")/lib.sh"
    """,
    "file": r"""
        <assignment>¶<assignment>
        <assignment>¶<launch>¶:
        <test> && return 0 2> /dev/null¶<assignment>
        TAG="$1$#"¶<launch>¶:
        f9() { <launch>¶}¶f9 <words>
        export A="$EP" B=lib¶<launch>¶:
    """,
    "launcher": r"""
        <start>¶EP=<held> MODE=<held>¶TAG=<held>¶EXTRA=<held>¶ARGS=<list> MORE=<list>¶<arguments>¶<block>¶<block>¶<launch>¶#@ lib.sh¶<file>¶
        <start>¶EP=<held> TAG=<held>; unset MODE EXTRA ARGS¶MORE=<list>¶<arguments>¶<block>¶<launch>¶<block>¶<launch>¶#@ lib.sh¶<file>¶
        set -euo pipefail¶<start>¶EP=<held> MODE=<held>¶TAG=<held>¶EXTRA=<held>¶ARGS=<list> MORE=<list>¶<arguments>¶<block>¶<block>¶<launch>¶#@ lib.sh¶<file>¶
        shopt -s extglob¶<start>¶EP=<held> MODE=<held>¶TAG=<held>¶EXTRA=<held>¶ARGS=<list> MORE=<list>¶<arguments>¶<block>¶<block>¶<launch>¶#@ lib.sh¶<file>¶
    """,  # noqa: E501
}

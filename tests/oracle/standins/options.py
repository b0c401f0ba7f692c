"""Where a wrapper's options end and its inner command starts."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Options = list[tuple[str, str | None]]

BARE = {
    "srun": "--overlap --exclusive --exact --unbuffered --label --overcommit --pty --no-kill --kill-on-bad-exit"
    " --no-container-mount-home --container-writable --container-remap-root -u -l -O -K -k -Q -v",
    "sbatch": "--parsable --exclusive --overcommit --requeue --no-requeue --hold --wait -H -W -Q -v",
    "salloc": "--exclusive --overcommit --no-shell -Q -v",
    "qsub": "-V -h -I -X -x -z -cwd -terse -notify",
    "bsub": "-B -H -I -Ip -Is -K -N -r -x",
    "kubectl": "--stdin --tty --quiet -i -t -it -q",
    "ray": "--no-wait --verbose -v",
    "docker": "--rm --init --privileged --detach --interactive --tty --read-only -d -i -t -it -ti -dit -itd -P",
    "apptainer": "--nv --rocm --cleanenv --contain --containall --writable --writable-tmpfs --no-home -e -c -C",
    "enroot": "--root --rw -r -w",
    "ssh": "-4 -6 -A -C -N -T -X -Y -f -n -q -t -tt -v",
    "sudo": "--preserve-env --non-interactive --login --shell -E -s -H -S -b -i -k -n",
    "mpirun": "--allow-run-as-root --oversubscribe --tag-output --report-bindings --display-map -v -q",
    "timeout": "--foreground --preserve-status --verbose -v",
    "setsid": "--ctty --fork --wait -c -f -w",
    "taskset": "--all-tasks --cpu-list --pid -a -c -p",
    "numactl": "--localalloc --all -l -a",
    "nohup": "",
    "nice": "",
    "ionice": "--ignore -t",
    "stdbuf": "",
    "uv": "--no-sync --frozen --locked --active --isolated --no-project --all-extras --module -m -q -v",
    "conda": "--no-capture-output --live-stream --debug-wrapper-scripts -v",
    "poetry": "--quiet -q -v -n",
    "nsys": "",
    "ncu": "--call-stack --nvtx --csv --quiet --verbose --disable-extra-suffixes --force-overwrite -f -q -v",
    "pdsh": "-b -N -S -q -d -a -h",
    "gosu": "",
    "unbuffer": "-p",
    "chrt": "--fifo --rr --other --batch --idle --reset-on-fork --verbose -f -r -o -b -i -R -v",
    "flock": "--shared --exclusive --nonblock --nb --unlock --close --no-fork --verbose -s -x -e -n -u -o -F",
    "time": "--verbose --portability --quiet --append -v -p -q -a",
    "rocprof": "--stats --hip-trace --hsa-trace --sys-trace --roctx-trace",
}
"""The options that take no value; any other option has one, after `=` or as the next word."""

TWO = ("--mca", "-mca", "--gmca", "-gmca", "--pmca", "-genv", "--genv", "-pe")
"""The options that take two values, given as one with a space between."""

ALIASES = {
    "podman": "docker",
    "nerdctl": "docker",
    "singularity": "apptainer",
    "mpiexec": "mpirun",
    **dict.fromkeys(("mamba", "micromamba"), "conda"),
    **dict.fromkeys(("pdm", "pipenv", "rye", "hatch"), "poetry"),
}


def split(program: str, words: Sequence[str]) -> tuple[Options, list[str]]:
    """The leading options of a call of PROGRAM, and the words after them (and after a `--`)."""
    bare = BARE[ALIASES.get(program, program)].split()
    options: Options = []
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] != "-":
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if word == "--":
            break
        if equals and word.startswith("--"):
            options.append((name, value))
        elif word in TWO:
            options.append((word, " ".join(rest[:2])))
            del rest[:2]
        elif word in bare:
            options.append((word, None))
        elif len(word) > 2 and all(f"-{letter}" in bare for letter in word[1:]):
            options += [(f"-{letter}", None) for letter in word[1:]]
        elif len(word) > 2 and not word.startswith("--") and program not in ("mpirun", "mpiexec", "bsub", "qsub"):
            options.append((word[:2], word[2:]))
        else:
            options.append((word, rest.pop(0) if rest else None))
    return options, rest


def values(options: Options, *names: str) -> Iterable[str]:
    """The values given to the options of these names, in order."""
    return [value for name, value in options if name in names and value is not None]


def given(options: Options, *names: str) -> bool:
    """Whether an option of these names is there, with a value or without."""
    return any(name in names for name, _ in options)

"""Stand-ins that hand their inner command on, with the environment that the real program would give it."""

from __future__ import annotations

import os
import sys
import time

from .options import given, split, values
from .prefixes import PREFIXES
from .process import assign, forget, restore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .options import Options
    from .process import Sandbox

RAY_WAIT_S = 10.0


def shells(box: Sandbox, name: str, words: list[str]) -> None:
    """Real bash or sh, never a login or interactive one: those would read the machine's own profile."""
    words, at = list(words), 0
    while at < len(words) and words[at].startswith("-") and words[at] != "--":
        if words[at].startswith("--"):
            at += words[at] != "--login"
            words = [word for word in words if word != "--login"]
            continue
        words[at] = words[at].replace("l", "").replace("i", "")
        if words[at] == "-":
            del words[at]
            continue
        at += 2 if words[at].endswith(("o", "O")) else 1
    real = "sh" if name in ("sh", "dash") else "bash"
    os.execv(box.real[real], [name, *words])


def export_option(options: Options) -> None:
    """Slurm's --export: ALL by default; NONE; or names and NAME=VALUE, with ALL or alone."""
    for listed in values(options, "--export"):
        parts = listed.split(",")
        if "ALL" not in parts:
            forget([name for name in os.environ if name.startswith("SLURM_")] + parts)
        assign([part for part in parts if "=" in part])


def srun(box: Sandbox, name: str, words: list[str]) -> None:
    """Go on as the command; salloc without one starts a shell, unless it is told not to."""
    options, inner = split(name, words)
    export_option(options)
    box.become(inner or ["bash"] * (name == "salloc" and not given(options, "--no-shell")))


def close_input() -> None:
    """Let whatever comes read nothing."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)


def sbatch(box: Sandbox, name: str, words: list[str]) -> None:
    """Say the job's number, then run the job to its end: --wrap, a script with its words, or one on stdin."""
    options, inner = split(name, words)
    export_option(options)
    job = box.machine["job"] + 1
    print(job if given(options, "--parsable") else f"Submitted batch job {job}", flush=True)
    queue(inner, list(values(options, "--wrap")))


def queue(script: list[str], texts: list[str]) -> None:
    """Run a job to its end: a text, a script with its words, or one on stdin, unless its first line is no shell's."""
    import subprocess

    text = None
    if texts:
        command = ["bash", "-c", texts[0]]
    elif script and script[0] != "-":
        command = ["bash", *script]
    else:
        text = sys.stdin.buffer.read()
        command = ["bash", "-s", *script[1:]]
    first = text.partition(b"\n")[0] if text else b""
    if first.startswith(b"#!") and not first.endswith(b"sh"):
        return
    if texts or text or os.path.exists(script[0]):
        subprocess.run(command, input=text, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def qsub(box: Sandbox, name: str, words: list[str]) -> None:
    """PBS and Grid Engine: only -V passes the environment; -v what it names."""
    options, inner = split(name, words)
    print(f"{box.machine['job'] + 1}.server", flush=True)
    keep_named(options, "-v", everything=given(options, "-V"))
    if ("-b", "y") in options:
        box.become(inner)
    queue(inner, [])


def bsub(box: Sandbox, name: str, words: list[str]) -> None:
    """LSF: the words are a command for a shell; without any the script is on stdin."""
    options, inner = split(name, words)
    print(f"Job <{box.machine['job'] + 1}> is submitted to queue <normal>.", flush=True)
    for listed in values(options, "-env"):
        keep_named([("-v", listed.replace(", ", ","))], "-v", everything=listed.startswith("all"))
    queue([], [" ".join(inner)] if inner else [])


def keep_named(options: Options, option: str, everything: bool) -> None:
    """Keep of the environment all or nothing, and what OPTION names, with a value or the caller's."""
    listed = [part for value in values(options, option) for part in value.split(",")]
    if not everything:
        forget(listed)
    assign([part for part in listed if "=" in part])


def ray(box: Sandbox, name: str, words: list[str]) -> None:
    """A job gets the environment of the cluster's first `ray start`, and its runtime environment's variables."""
    import json
    import shlex

    if words[:1] == ["start"] and not os.path.exists(box.cluster):
        with open(f"{box.cluster}.{os.getpid()}", "w") as out:
            json.dump(dict(os.environ), out)
        os.rename(f"{box.cluster}.{os.getpid()}", box.cluster)
    elif words[:1] == ["status"]:
        print("Active:\n" + "\n".join(f" 1 node_{host}" for host in box.hosts))
    elif words[:2] == ["job", "submit"]:
        options, inner = split(name, words[2:])
        end = time.monotonic() + RAY_WAIT_S
        while box.starts_ray and not os.path.exists(box.cluster) and time.monotonic() < end:
            time.sleep(0.02)  # the head is started in the background
        if os.path.exists(box.cluster):
            with open(box.cluster) as saved:
                restore(json.load(saved))
        for text in values(options, "--runtime-env-json"):
            os.environ.update(json.loads(text).get("env_vars", {}))
        box.shell(shlex.join(inner))


def docker(box: Sandbox, name: str, words: list[str]) -> None:
    """Only what -e names gets in: a value, or the caller's; and stdin only with -i."""
    if words[:1] not in (["run"], ["exec"]):
        return
    options, inner = split(name, words[1:])
    if not any(
        "i" in option for option, _ in options if option in ("--interactive", "--stdin") or not option.startswith("--")
    ):
        close_input()
    outside = dict(os.environ)
    forget()
    for named in values(options, "-e", "--env"):
        if "=" in named:
            assign([named])
        elif named in outside:
            os.environ[named] = outside[named]
    box.become(
        [*values(options, "--entrypoint"), *(inner[2:] if inner[1:2] == ["--"] and name == "kubectl" else inner[1:])]
    )


def apptainer(box: Sandbox, name: str, words: list[str]) -> None:
    """The caller's environment gets in, unless it is asked to stay out; APPTAINERENV_A is A inside, always."""
    if words[:1] not in (["exec"], ["run"]):
        return
    options, inner = split(name, words[1:])
    prefixed = {
        named.partition("ENV_")[2]: os.environ.pop(named)
        for named in sorted(os.environ, reverse=True)  # Apptainer prefers its own
        if named.startswith(("APPTAINERENV_", "SINGULARITYENV_"))
    }
    if given(options, "--cleanenv", "-e", "--containall", "-C"):
        forget()
    os.environ.update(prefixed)
    for listed in values(options, "--env"):
        assign(listed.split(","))
    box.become(inner[1:])


def enroot(box: Sandbox, name: str, words: list[str]) -> None:
    """`enroot start` passes the environment, and what --env adds."""
    if words[:1] == ["start"]:
        options, inner = split(name, words[1:])
        assign([named for named in values(options, "-e", "--env") if "=" in named])
        box.become(inner[1:])


def ssh(box: Sandbox, name: str, words: list[str]) -> None:
    """The words after the host and its options are joined for a shell of the host; with none, it reads stdin."""
    options, inner = split(name, words)
    after, command = split(name, inner[1:])
    forget()
    if given([*options, *after], "-n", "-f"):
        close_input()
    if given([*options, *after], "-N"):
        sys.exit(0)
    if command:
        box.shell(" ".join(command))
    box.become(["bash"])


def pdsh(box: Sandbox, name: str, words: list[str]) -> None:
    """The words are joined with spaces, for a shell of each host; one host here."""
    _, inner = split(name, words)
    forget()
    if inner:
        box.shell(" ".join(inner))


def sudo(box: Sandbox, name: str, words: list[str]) -> None:
    options, inner = split(name, words)
    kept = [part for listed in values(options, "--preserve-env") for part in listed.split(",")]
    if not given(options, "-E") and ("--preserve-env", None) not in options:
        forget(kept)
    box.become(assign(inner) or ["bash"] * given(options, "-s", "-i", "--shell", "--login"))


def mpirun(box: Sandbox, name: str, words: list[str]) -> None:
    options, inner = split(name, words)
    assign([named for named in values(options, "-x") if "=" in named])
    for pair in values(options, "-genv", "--genv"):
        variable, _, value = pair.partition(" ")
        os.environ[variable] = value
    box.become(inner)


WRAPPERS = {
    **PREFIXES,
    **dict.fromkeys(("bash", "sh", "dash", "zsh", "ksh"), shells),
    **dict.fromkeys(("srun", "salloc"), srun),
    **dict.fromkeys(("docker", "podman", "nerdctl"), docker),
    **dict.fromkeys(("apptainer", "singularity"), apptainer),
    **dict.fromkeys(("mpirun", "mpiexec"), mpirun),
    "enroot": enroot,
    "kubectl": docker,
    "pdsh": pdsh,
    "bsub": bsub,
    "qsub": qsub,
    "ray": ray,
    "sbatch": sbatch,
    "ssh": ssh,
    "sudo": sudo,
}

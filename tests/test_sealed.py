"""The worst that a tree can hold, through the whole program in 512 MiB and bounded time: it is told, the rest is done.

What the program may not do at that is watched by an audit hook, see `fuzz.jail`.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fuzz.jail import jailed
from tests.fuzz.sealed import BROKE_OUT, sealed
from tests.hostile import NAMES
from tests.own_rules import RULE, write_rule

WRONG = b"torchrun -m molt.cli.train_sft --fsdp.ep_size 8 --model.gradient_checkpoint full\n"
BOMBS = {
    "substitutions": b"x=" + b"$( " * 10_000 + b")" * 10_000,
    "open substitutions": b"x=" + b"$( " * 10_000,
    "braces": b"echo " + b"{a,b}" * 40,
    "brace range": b"echo {1..1000000000}",
    "loop": b"for ((i = 0; i < 1000000000; i++)); do a=x$a; done",
    "range": b"for i in {1..1000000000}; do :; done",
    "seq": b"for i in $(seq 1000000000); do :; done",
    "function": b'f() { f "$@" "$@"; f; }; f a',
    "fork": b":(){ :|:& };:",
    "source": b"source source.sh; source other.sh",
    "other": b"source source.sh; bash other.sh",
    "heredoc": b"cat <<E\n" * 5000,
    "text": b"a=xxxxxxxx\n" + b"a=$a$a\n" * 60,
    "launches": b"for i in {1..900}; do for j in {1..60}; do " + WRONG[:-1] + b" --x $i $j; done; done",
    "words": b"A=({1..4000}); A+=(${A[@]}); for i in {1..900}; do " + WRONG[:-1] + b' "${A[@]}" $i; done',
    "NUL": b"echo a\0b",
    "no UTF-8": b"echo \xff\xfe ${x:-\xe9} # \xed\xa0\x80",
}
SWALLOWING = ("NUL", "heredoc")
"""What is no text, and what takes the launch for its own text."""
PYTHON = {
    "brackets": b"x = " + b"(" * 50_000 + b")" * 50_000,
    "indentation": b"".join(b" " * at + b"if x:\n" for at in range(500)) + b" " * 500 + b"pass\n",
    "calls": b"x = " + b"f(" * 20_000 + b")" * 20_000,
    "signs": b"x = " + b"-" * 200_000 + b"1",
    "attributes": b"x = a" + b".a" * 100_000,
    "strings": b"x = " + b"f'{" * 300 + b"1" + b"}'" * 300,
    "NUL": b"import argparse\0",
    "no UTF-8": b"# \xff\xfe\nx = '\xe9'\n",
}
SEEN = b"# gradient_checkpoint full ep_size CheckpointError ignore_router_for_ac\nimport argparse\n"
"""What makes recipelint look into a Python file."""
ALIASES = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "good.sh").write_bytes(WRONG)
    return tmp_path


def found(tree: Path, *words: str) -> dict[str, set[str]]:
    """The codes of a check, by file."""
    done = sealed(tree, "check", "--output-format", "json", *words)
    assert done.returncode in (1, 2), (done.returncode, done.stderr)
    codes: dict[str, set[str]] = {}
    for one in json.loads(done.stdout)["diagnostics"]:
        codes.setdefault(one["path"], set()).add(one["code"])
    return codes


def test_the_hook_sees_what_it_is_to_see(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    attempts: list[Callable[[], object]] = [
        lambda: subprocess.run(["true"], check=True),
        lambda: os.system("true"),
        lambda: __import__("socket").socket(),
        lambda: outside.write_bytes(b""),
        lambda: os.open(outside, os.O_CREAT),
        lambda: os.mkdir(outside),
        lambda: os.rename(inside, outside),
        lambda: os.symlink("x", outside),
    ]
    for attempt in attempts:
        with jailed([str(inside)]) as seen, contextlib.suppress(OSError):
            attempt()
        assert len(seen) >= 1, attempt
        if outside.is_dir():
            outside.rmdir()
        else:
            outside.unlink(missing_ok=True)
        inside.mkdir(exist_ok=True)
    with jailed([str(inside)]) as seen:
        (inside / "a").write_bytes(b"")
        outside.exists()
        os.replace(inside / "a", inside / "b")
    assert seen == []


@pytest.fixture
def museum(tree: Path) -> Path:
    """A tree of launchers that are bombs, each with a launch behind it that is wrong."""
    for kind, text in BOMBS.items():
        (tree / f"{kind}.sh").write_bytes(text + b"\n" + WRONG)
    return tree


def test_launchers(museum: Path) -> None:
    codes = found(museum, ".")
    assert codes.pop("good.sh") == {"EP001"}
    told = {f"{kind}.sh" for kind in BOMBS if kind not in SWALLOWING}
    assert {name for name, some in codes.items() if some & {"SH001", "SH002", "EP001"}} == told
    done = sealed(museum, "show", "--output-format", "json", ".")
    assert done.returncode == 2  # one of them is binary
    assert [one["path"] for one in json.loads(done.stdout)["unreadable"]] == ["NUL.sh"]


def test_launchers_are_fixed(museum: Path) -> None:
    names = sorted(os.listdir(museum))
    done = sealed(museum, "--fix", "--unsafe-fixes", ".")
    assert done.returncode == 2, done.stderr
    assert b"gradient_checkpoint none" in (museum / "good.sh").read_bytes()
    assert b"gradient_checkpoint none" in (museum / "no UTF-8.sh").read_bytes()
    assert (museum / "no UTF-8.sh").read_bytes().startswith(BOMBS["no UTF-8"])
    assert sorted(os.listdir(museum)) == names


def test_trainers(tree: Path) -> None:
    for kind, text in PYTHON.items():
        (tree / f"{kind}.py").write_bytes(SEEN + text + b"\nargparse.ArgumentParser().parse_args()\n")
        (tree / f"{kind}.sh").write_bytes(f"torchrun '{kind}.py' --size 8\n".encode())
    codes = found(tree, "--select", "ALL", ".", *(f"{kind}.py" for kind in PYTHON))
    assert "EP001" in codes["good.sh"]
    assert sealed(tree, "--fix", "--unsafe-fixes", ".").returncode == 2  # one of them is binary
    assert b"gradient_checkpoint none" in (tree / "good.sh").read_bytes()


@pytest.mark.parametrize("kind", ["brackets", "NUL"])
def test_flags_of_a_trainer(tree: Path, kind: str) -> None:
    (tree / "train.py").write_bytes(SEEN + PYTHON[kind])
    done = sealed(tree, "flags", "train.py")
    assert done.returncode in (0, 2)
    assert b"complete: a flag" not in done.stdout


@pytest.mark.parametrize("text", [ALIASES, "a: &a {b: *a}\n", "[" * 50_000, "? " * 50_000, "{" * 1000 + "}" * 1000])
def test_rules(tree: Path, text: str) -> None:
    write_rule(tree / "ci", cases=False)
    (tree / "recipelint.toml").write_text('rules = ["ci"]\n')
    for whole in (text, (tree / "ci" / RULE).read_text() + text):
        (tree / "ci" / RULE).write_text(whole)
        for words in (["check", "."], ["rules", "check", "ci"]):
            done = sealed(tree, *words)
            assert done.returncode == 2
            assert done.stderr.startswith(b"recipelint: error: ci/"), done.stderr
            assert len(done.stderr) < 1000


NESTED = {"recipelint.toml": "x = " + "[" * 50_000, "pyproject.toml": "[tool.recipelint]\n" + "a." * 50_000 + "a = 1"}


@pytest.mark.parametrize("name", NESTED)
def test_configurations(tree: Path, name: str) -> None:
    (tree / name).write_text(NESTED[name])
    done = sealed(tree, ".")
    assert (done.returncode, name.encode() in done.stderr) == (2, True)


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"version": 1, "fingerprints": "v1", "findings": [' + "{}," * 100_000]
)
def test_baselines(tree: Path, text: str) -> None:
    (tree / "known.json").write_text(text)
    done = sealed(tree, "--baseline", "known.json", ".")
    assert (done.returncode, done.stderr.startswith(b"recipelint: error: known.json: is no baseline")) == (2, True)


def test_a_baseline_of_a_hundred_thousand(tree: Path) -> None:
    """Each of a file of its own that is gone; the one that is there keeps its finding."""
    done = sealed(tree, "--write-baseline", "known.json", ".")
    assert done.returncode == 0, done.stderr
    made = json.loads((tree / "known.json").read_bytes())
    (real,) = made["findings"]
    made["findings"] += [
        {**real, "path": f"{n}.sh", "fingerprint": f"{n:016x}", "message": "m"} for n in range(100_000)
    ]
    (tree / "known.json").write_text(json.dumps(made))
    done = sealed(tree, "--baseline", "known.json", "--output-format", "json", ".")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["diagnostics"] == []


LINE = 100 << 20


def test_a_line_of_100_mb(tree: Path) -> None:
    """Whatever kind of file it is in, it is not read, or by pieces."""
    line = b"x" * LINE
    for name in ("huge.sh", "huge.py", "known.json", "huge.log"):
        (tree / name).write_bytes(line)
    done = sealed(tree, ".", "huge.py", "--output-format", "concise")
    assert done.returncode == 2
    assert sorted(done.stderr.splitlines()) == [
        b"recipelint: huge.py: is larger than 2 MiB",
        b"recipelint: huge.sh: is larger than 2 MiB",
    ]
    assert done.stdout.startswith(b"good.sh:1:")
    done = sealed(tree, "-", stdin=line)
    assert (done.returncode, done.stderr) == (2, b"recipelint: <stdin>: is larger than 2 MiB\n")
    done = sealed(tree, "--baseline", "known.json", ".")
    assert (done.returncode, done.stderr) == (2, b"recipelint: error: known.json: is larger than 16 MiB\n")
    assert sealed(tree, "diagnose", "huge.log").stdout == b"No known failure in 1 log\n"
    for name in ("recipelint.toml", f"ci/{RULE}", ".gitignore"):
        for old in ("recipelint.toml", ".gitignore"):
            (tree / old).unlink(missing_ok=True)
        (tree / "ci").mkdir(exist_ok=True)
        (tree / "recipelint.toml").write_text('rules = ["ci"]\n')
        (tree / name).write_bytes(line)
        done = sealed(tree, "good.sh")
        assert done.returncode == 2 if name != ".gitignore" else 1, done.stderr
        assert len(done.stderr) < 1000
        if name == f"ci/{RULE}":
            (tree / name).unlink()
            write_rule(tree / "ci")


def test_a_packed_log_that_unpacks_to_much(tree: Path) -> None:
    (tree / "a.log.gz").write_bytes(gzip.compress(b"x" * LINE, 9) * 3)
    done = sealed(tree, "diagnose", "a.log.gz")
    assert done.returncode == 0
    assert b"it unpacks to much more than what is packed" in done.stderr


ENDLESS: dict[str, Callable[[Path], object]] = {
    "FIFO": os.mkfifo,
    "link": lambda path: path.symlink_to("/dev/zero"),
    "folder": lambda path: path.mkdir(),
}
READ_BY_NAME = ("recipelint.toml", "pyproject.toml", "requirements.txt", "uv.lock", "setup.py", ".gitignore")


@pytest.mark.parametrize("kind", ENDLESS)
def test_what_is_no_file(tree: Path, kind: str) -> None:
    """In the place of each file that is read: launcher, sourced file, trainer, and what is looked for by its name."""
    for name in ("endless.sh", "train.py", *READ_BY_NAME):
        ENDLESS[kind](tree / name)
    (tree / "run.sh").write_bytes(b"source ./endless.sh\nbash endless.sh < endless.sh\ntorchrun train.py\n" + WRONG)
    done = sealed(tree, "--isolated", "--output-format", "concise", ".")
    assert done.returncode == (2 if kind == "FIFO" else 1), done.stderr
    assert done.stdout.startswith(b"good.sh:1:")
    assert b"run.sh:4:" in done.stdout
    done = sealed(tree, "endless.sh", "good.sh", "--isolated")
    assert done.returncode == (1 if kind == "folder" else 2)
    assert sealed(tree, "good.sh", "--baseline", "endless.sh").returncode == 2
    if kind != "FIFO":  # whoever names a pipe wants what comes out of it: --config <(...)
        assert sealed(tree, "good.sh", "--config", "endless.sh").returncode == 2
    assert sealed(tree, "flags", "train.py").returncode == 2
    assert sealed(tree, "good.sh").returncode in (1, 2)


@pytest.mark.parametrize("kind", ["link", "folder"])
def test_a_log_that_is_no_file(tree: Path, kind: str) -> None:
    ENDLESS[kind](tree / "a.log")
    done = sealed(tree, "diagnose", "a.log")
    assert done.returncode == 2
    assert done.stderr == b"recipelint: a.log: %s\n" % (
        b"is a device, not a file" if kind == "link" else b"Is a directory"
    )


def test_strange_names(tree: Path) -> None:
    for name in NAMES:
        Path(os.fsdecode(os.fsencode(tree) + b"/" + name)).write_bytes(WRONG)
    (tree / "x.sh").mkdir()
    codes = found(tree, ".")
    assert (len(codes), set().union(*codes.values())) == (len(NAMES) + 1, {"EP001"})
    done = sealed(tree, "--fix", ".")
    assert done.returncode == 0, done.stderr
    texts = [Path(entry.path).read_bytes() for entry in os.scandir(tree) if entry.is_file()]
    assert all(b"gradient_checkpoint none" in text for text in texts)
    assert len(texts) == len(NAMES) + 1


def test_a_child_that_breaks_out_is_told(tree: Path) -> None:
    """What is sealed may write in its folder alone."""
    done = sealed(tree, "--output", f"json={tree.parent}/elsewhere.json", "good.sh")
    assert done.returncode == BROKE_OUT
    assert b"elsewhere.json" in done.stderr or b".recipelint-" in done.stderr
    (tree.parent / "elsewhere.json").unlink()


@pytest.mark.parametrize("words", [["--changed-since", "HEAD"]])
def test_git_is_the_one_process(tree: Path, words: list[str]) -> None:
    done = sealed(tree, *words, ".")
    assert done.returncode == BROKE_OUT or b"git cannot be run" in done.stderr
    assert b"subprocess.Popen" in done.stderr or b"git cannot be run" in done.stderr

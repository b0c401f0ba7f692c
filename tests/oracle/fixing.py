"""`python -m tests.oracle.fixing REPOSITORY…`: --fix --unsafe-fixes over copies of repositories, judged by bash.

Every fix must be verified or withdrawn, every changed file must parse as before, bash must hand each trainer what it
handed it before but for what recipelint says that it changed, and a second run must change nothing. Else exit status 1.
"""

from __future__ import annotations

import ast
import difflib
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .record import RecordedLaunch
from .sandbox import launches
from .shown import Shown, fits

FIX = ("check", "--fix", "--unsafe-fixes", "--preview", "--output-format", "json", ".")
NOT_COPIED = shutil.ignore_patterns("objects", "*.png", "*.jpg", "*.gif", "*.mp4", "*.pdf")
Change = tuple[tuple[str, ...], tuple[str, ...]]
"""Words that went, and those that came in their place."""
Declared = tuple[tuple[Shown, ...], tuple[Shown, ...]]
"""The same as recipelint shows them."""


def main(repositories: Sequence[str]) -> int:
    wrong = 0
    for repository in repositories:
        with tempfile.TemporaryDirectory(prefix="fixing-") as folder:
            before, after = Path(folder, "before"), Path(folder, "after")
            for tree in (before, after):
                shutil.copytree(repository, tree, symlinks=True, ignore=NOT_COPIED)
            counts, complaints = judged(before, after)
        shown = ", ".join(f"{number} {what}" for what, number in counts.items())
        print(f"{Path(repository).name}: {shown or 'nothing to fix'}", flush=True)
        for complaint in complaints:
            print(f"  {complaint}", flush=True)
        wrong += len(complaints)
    return 1 if wrong else 0


def judged(before: Path, after: Path) -> tuple[Counter[str], list[str]]:
    """What there is to count, and what is wrong, in AFTER, which is fixed here."""
    counts: Counter[str] = Counter()
    complaints: list[str] = []
    report = recipelint(after, *FIX)
    counts["fixed"] += report["summary"]["fixed"]
    notes = [str(one.get("note", "")) for one in report["diagnostics"]]
    counts["withdrawn"] += sum("fix withdrawn" in note for note in notes)
    complaints += [f"not written: {one}" for one in report["unreadable"] if "not written" in one["reason"]]
    paths = [
        path.relative_to(after) for path in sorted(after.rglob("*")) if path.is_file() and ".git" not in path.parts
    ]
    changed = [path for path in paths if (after / path).read_bytes() != (before / path).read_bytes()]
    for path in changed:
        counts["files"] += 1
        if path.suffix == ".py":
            ast.parse((after / path).read_bytes())
            continue
        if bash_n(before, path) != bash_n(after, path):
            complaints.append(f"{path}: bash -n says otherwise")
        found, difference = differs(before, after, str(path))
        counts["launches run"] += found
        complaints += [f"{path}: {one}" for one in difference]
    texts = [(after / path).read_bytes() for path in paths]
    recipelint(after, *FIX)
    again = [path for path, text in zip(paths, texts, strict=True) if (after / path).read_bytes() != text]
    complaints += [f"{path}: changed by a second run" for path in again]
    return counts, complaints


def differs(before: Path, after: Path, path: str) -> tuple[int, list[str]]:
    """How many launches bash makes, and where they differ in another way than recipelint says."""
    needs = shown(before, path)["needs"]
    env = {name: f"given/{name}" for name in needs if not name.isdecimal()}
    args = [
        f"given/{number}" for number in range(1, max((int(name) for name in needs if name.isdecimal()), default=0) + 1)
    ]
    try:
        old, new = (launches(tree, path, env=env, args=args) for tree in (before, after))
    except AssertionError as error:
        return 0, [str(error)]
    if len(old) != len(new):
        return len(old), [f"{len(old)} launches become {len(new)}"]
    told = [word for name, value in env.items() for word in ("--env", f"{name}={value}")]
    declared = said(*(shown(tree, path, *told, *(f"--arg={word}" for word in args)) for tree in (before, after)))
    real = [(change, one) for one, other in zip(old, new, strict=True) for change in recorded(one, other)]
    undeclared = [(change, one) for change, one in real if not is_declared(change, declared)]
    if undeclared:  # a process id or a time is another in each run
        again = {word for one in launches(before, path, env=env, args=args) for word in words(one)}
        undeclared = [(change, one) for change, one in undeclared if again.issuperset(change[0])]
    return len(old), [f"{one.entry_point}: {change}" for change, one in undeclared]


def words(launch: RecordedLaunch) -> list[str]:
    """The words of a recorded launch, and its variables as NAME=VALUE."""
    return [*launch.argv, *(f"{name}={value}" for name, value in launch.env.items())]


def recorded(old: RecordedLaunch, new: RecordedLaunch) -> list[Change]:
    """How two recorded launches differ, variables like words."""
    found = changes(old.argv, new.argv)
    for name in sorted({*old.env, *new.env}):
        if old.env.get(name) != new.env.get(name):
            found.append((of(name, old.env), of(name, new.env)))
    return found


def of(name: str, env: Mapping[str, str]) -> tuple[str, ...]:
    """A variable as NAME=VALUE, if it is there."""
    return (f"{name}={env[name]}",) if name in env else ()


def shown(tree: Path, path: str, *told: str) -> Shown:
    """What recipelint shows of a launcher."""
    found: Shown = recipelint(tree, "show", "--output-format", "json", *told, path)["files"][0]
    return found


def said(old: Shown, new: Shown) -> list[Declared]:
    """How the launches of a launcher differ by what recipelint shows of them."""
    found: list[Declared] = []
    for one, other in zip(old["launches"], new["launches"], strict=True):
        texts = [[word["text"] for word in launch["argv"]] for launch in (one, other)]
        for (a, b), (c, d) in stretches(*texts):
            found.append((tuple(one["argv"][a:b]), tuple(other["argv"][c:d])))
        for name in {*one["env"], *other["env"]}:
            was, now = (
                ({**value, "text": f"{name}={value['text']}"},) if (value := launch["env"].get(name)) else ()
                for launch in (one, other)
            )
            found.append((was, now))
    return found


def is_declared(change: Change, declared: Sequence[Declared]) -> bool:
    """Whether a change is one of those that recipelint shows; what is unknown in it may be anything."""
    return any(
        all(len(one) == len(real) and all(map(fits, one, real)) for one, real in zip(pair, change, strict=True))
        for pair in declared
    )


def changes(old: Sequence[str], new: Sequence[str]) -> list[Change]:
    return [(tuple(old[a:b]), tuple(new[c:d])) for (a, b), (c, d) in stretches(old, new)]


def stretches(old: Sequence[str], new: Sequence[str]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where two lists of words differ."""
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return [((a, b), (c, d)) for kind, a, b, c, d in matcher.get_opcodes() if kind != "equal"]


def bash_n(tree: Path, path: Path) -> tuple[int, str]:
    done = subprocess.run(["bash", "-n", path], cwd=tree, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def recipelint(tree: Path, *words: str) -> Any:
    """The JSON of a command in a tree."""
    command = [sys.executable, "-m", "recipelint", *words]
    done = subprocess.run(command, cwd=tree, capture_output=True, check=False)
    if done.returncode not in (0, 1, 2) or not done.stdout:
        raise RuntimeError(done.stderr.decode())
    return json.loads(done.stdout)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

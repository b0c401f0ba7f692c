"""What `explain` says of a line, bash shows: with a text of the line changed, those words are others, and no more.

Texts are taken from every fixture launcher, evenly over its lines: values that are set, defaults, flags, their values.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from recipelint.explain.explain import Asked
from recipelint.explain.place import Place
from recipelint.explanation import ARGUMENT, RUN, VARIABLE, Explanation, Part, Say
from recipelint.settings import Settings

from .cases import FIXTURES, Case, every_case
from .machine import MACHINES
from .record import RecordedLaunch
from .sandbox import STANDINS, TOOLS, launches

TEXT = re.compile(
    r"(?:(?<==)|(?<=:-)|(?<==[\"'])|(?<=[A-Z]-)|(?<= ))(?:--)?"
    r"(?P<text>[A-Za-z0-9][\w./-]*[A-Za-z0-9]|[0-9])(?=[ \"'})\\;]|$)"
)
NOT_TEXT = re.compile(
    r"if|then|else|elif|fi|for|in|do|done|case|esac|while|until|function|torchrun|python3?|m|molt\..*"
)
COMMANDS = {*STANDINS.split(), *TOOLS.split()}
"""That one of them is not found is not what a text decides."""
MACHINE = re.compile(r"\b(?:scontrol|hostname)\b")
PER_FILE = 2


def texts(data: str) -> Iterator[tuple[int, int, int]]:
    """The texts that may be changed: the line, and where they stand in the file."""
    at = 0
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        # The name of an option of bash is no text. Of scontrol and the like one takes it that they succeed.
        if not line.lstrip().startswith(("#", "set -")) and not MACHINE.search(line):
            for found in TEXT.finditer(line.rstrip("\n")):
                before = line[: found.start("text")].rstrip("-")
                if before.strip() and not NOT_TEXT.fullmatch(found["text"]) and found["text"] not in COMMANDS:
                    yield number, at + found.start("text"), at + found.end("text")
        at += len(line)


def chosen(path: Path) -> list[tuple[int, int, int]]:
    found = list(texts(path.read_bytes().decode("utf-8")))
    step = max(1, len(found) // PER_FILE)
    return found[::step][:PER_FILE]


def other(text: str) -> str:
    return str(int(text) + 1) if text.isdecimal() else text + "q"


CASES = [
    pytest.param(case, *place, id=f"{case.name}:{place[0]}:{place[1]}")
    for case in every_case()
    if not case.env and not case.args
    for place in chosen(FIXTURES / case.tree / case.launcher)
]


def real(case: Case, tree: Path) -> list[RecordedLaunch]:
    """The launches that bash makes, in the first world of the case."""
    world = case.worlds[0]
    return launches(tree, case.launcher, env=world.env, machine=MACHINES[0], files=world.files, statuses=world.statuses)


def paired(
    before: list[RecordedLaunch], after: list[RecordedLaunch]
) -> Iterator[tuple[RecordedLaunch, RecordedLaunch]]:
    """Each launch with the one most like it; the same ones first, as those in the background come in any order."""
    left = list(after)

    def unlike(one: RecordedLaunch, two: RecordedLaunch) -> int:
        other = len(one.env.items() ^ two.env.items())
        return lost(one.argv, two.argv).total() + lost(two.argv, one.argv).total() + other

    for one in sorted(before, key=lambda one: min(unlike(one, two) for two in after)):
        two = min(left, key=lambda two: unlike(one, two))
        left.remove(two)
        yield one, two


def lost(before: Sequence[str], after: Sequence[str]) -> Counter[str]:
    """The words that are not there any more, one for each place."""
    return Counter(before) - Counter(after)


def covers(shown: str, unknown: bool, word: str) -> bool:
    """Whether a word that is shown may be the one that bash has."""
    if not unknown:
        return shown == word
    parts = re.split(r"\$\{[^}]*\}|\$\([^)]*\)|\$\(…\)", shown)
    return re.fullmatch(".*".join(map(re.escape, parts)), word, re.DOTALL) is not None


def said(explanation: Explanation, decides: bool) -> list[tuple[Say, Part]]:
    return [
        (say, part) for say in explanation.says for part in (say.decides if decides else (*say.decides, *say.affects))
    ]


@pytest.mark.parametrize(("case", "line", "start", "end"), CASES)
def test_bash_agrees_on_what_a_text_decides(
    case: Case, line: int, start: int, end: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = Path(shutil.copytree(FIXTURES / case.tree, tmp_path / "repository"))
    monkeypatch.chdir(tree)
    data = (tree / case.launcher).read_bytes().decode("utf-8")
    asked = Asked(case.launcher, Settings(paths=(case.launcher,)), (case.launcher,))
    before = real(case, tree)
    (tree / case.launcher).write_bytes((data[:start] + other(data[start:end]) + data[end:]).encode())
    after = real(case, tree)
    (tree / case.launcher).write_bytes(data.encode())
    wrong = unclaimed(before, after, said(asked.at(Place(case.launcher, line)), decides=False))
    if wrong:  # what a clock or mktemp decides is another in every run
        wrong -= unclaimed(before, real(case, tree), [])
    assert not wrong, f"{wrong} is not claimed"
    column = end - data.rfind("\n", 0, end - 1) - 1
    for say, part in said(asked.at(Place(case.launcher, line, column)), decides=True):
        words = [say.launch.argv[at] for at in part.words]
        mine = [one for one in before if all(word.text in one.argv for word in words)]
        if words and mine and len(before) == len(after) and not any(word.unknown for word in words):
            assert any(one in mine and lost(one.argv, two.argv) for one, two in paired(before, after)), f"{part}"


def unclaimed(before: list[RecordedLaunch], after: list[RecordedLaunch], claims: list[tuple[Say, Part]]) -> set[str]:
    """What became otherwise though nobody says so: words, variables, `run` for a launch."""
    if len(before) != len(after):
        return set() if any(part.kind == RUN for _, part in claims) else {RUN}
    claimed = [say.launch.argv[at] for say, part in claims for at in part.words]
    names = {part.name for _, part in claims if part.kind == VARIABLE}
    out: set[str] = set()
    for one, two in paired(before, after):
        gone = lost(one.argv, two.argv)
        out |= {word for word in gone if not any(covers(arg.text, arg.unknown, word) for arg in claimed)}
        if not gone and len(two.argv) > len(one.argv) and not any(part == Part(ARGUMENT, "") for _, part in claims):
            out.add("further words")
        differing = {name for name in one.env.keys() | two.env.keys() if one.env.get(name) != two.env.get(name)}
        out |= differing - names - one.ambient - two.ambient
    return out

"""However much a launcher and a team's rules hold, what is said of it stays small, and is worked out in little time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from recipelint import linter, run
from recipelint.diagnostic import LONGEST, MOST, Label, shortened
from recipelint.discovery import discover
from recipelint.recipe.model import Launch
from recipelint.report.formats import FORMATS, render
from recipelint.report.report import Report
from recipelint.ruleset import match
from recipelint.ruleset.load import load_for
from recipelint.settings import resolve
from recipelint.shell import session
from tests.outcomes import at, diagnostic, safe_fix, source
from tests.own_rules import write_rule


def test_texts_of_a_diagnostic_are_cut() -> None:
    file = source("x y\n")
    place, long = at(file, "x"), "a" * 5000 + "z"
    fix = safe_fix(place)._replace(title=long)
    given = diagnostic(
        place, *[Label(place, long)] * (MOST + 1), message=long, label=long, help=long, note=long, fix=fix
    )
    one = given.bounded()
    assert one.fix is not None
    assert len(one.related) == MOST
    for text in (one.message, one.label, one.help, one.note, one.fix.title, one.related[0].text):
        assert len(text) == LONGEST
        assert (text[0], text[-1]) == ("a", "z")
    assert one.bounded() == one
    small = diagnostic(place, Label(place, "b"), message="a" * LONGEST, fix=safe_fix(place))
    assert small.bounded() == small


def test_shortened() -> None:
    assert shortened("abcdefghij", 9) == "abcde…hij"
    assert shortened("abcdefghi", 9) == "abcdefghi"


def test_what_a_huge_value_is_said_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value of 200 kB, twenty times in each text of a team's rule, and in what the program itself finds."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    texts = {
        "message: ": "{model} " * 19 + "{model}",
        "help: ": "{model} " * 19 + "{model}",
    }
    path = write_rule(tmp_path / "r", cases=False)
    lines = path.read_text("utf-8").splitlines()
    lines = [next((f'{key}"{text}"' for key, text in texts.items() if line.startswith(key)), line) for line in lines]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    (tmp_path / "recipelint.toml").write_text('rules = ["r"]\n')
    huge = "x" * 200_000
    (tmp_path / "a.sh").write_text(
        f"M={huge}\n"
        "export MOLT_MOE_DISPATCHER=$M\n"
        "torchrun -m molt.cli.train_sft --model.model_name_or_path $M --train.micro_batch_size 8 --fsdp.ep_size 8\n"
    )
    settings = resolve({})
    outcome = run.check(settings, discover(settings).files)
    assert {"EP004", "TEAM001"} == {one.code for one in outcome.diagnostics}
    for one in outcome.diagnostics:
        assert len(one.message) + len(one.help) + len(one.note) <= 3 * LONGEST
    made = Report(outcome, str(tmp_path), ruleset=load_for(settings))
    for name in FORMATS:
        if name != "rdjson":  # a suggestion is the whole line
            assert len(render(name, made)) < 100_000, name


def test_each_launch_is_asked_once_for_each_launcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Verifying fixes takes no more for a launcher where there are more of them."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    asked: list[object] = []
    real: Callable[[Launch], tuple[object, ...]] = Launch.key.fget  # type: ignore[attr-defined]

    def key(launch: Launch) -> tuple[object, ...]:
        asked.append(launch)
        return real(launch)

    monkeypatch.setattr(Launch, "key", property(key))

    def count(launchers: int) -> float:
        for number in range(launchers):
            (tmp_path / f"{number}.sh").write_text(
                "torchrun -m molt.cli.train_sft --fsdp.ep_size 8 --model.gradient_checkpoint full\n"
            )
        asked.clear()
        settings = resolve({"diff": True})
        outcome = run.check(settings, discover(settings).files)
        assert len(outcome.fixed) == launchers
        return len(asked) / launchers

    few = count(5)
    assert count(20) <= few


LAUNCH = "torchrun -m molt.cli.train_sft --fsdp.ep_size 8 --model.gradient_checkpoint full\n"
WORDS = len("--fsdp.ep_size 8 --model.gradient_checkpoint full".split())


@pytest.mark.parametrize(
    ("module", "name", "most", "reason", "findings", "launches"),
    [
        (session, "MAX_LAUNCHES", 3, "3 launches", 4, 4),
        (session, "MAX_LAUNCH_WORDS", 2 * WORDS, "8 words of launches", 3, 3),
        (linter, "MOST_MATCHES", 3, "3 findings", 3, 6),
        (match, "MAX_TRIED", 10, "200000 values for rules", None, 6),
        (session, "MAX_LAUNCHES", 6, "", 6, 6),
        (linter, "MOST_MATCHES", 6, "", 6, 6),
    ],
)
def test_what_is_said_of_one_launcher_is_bounded(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    module: object,
    name: str,
    most: int,
    reason: str,
    findings: int | None,
    launches: int,
) -> None:
    """What is past a budget is told; the launcher beside it has a budget of its own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.sh").write_text(LAUNCH * 6)
    (tmp_path / "b.sh").write_text(LAUNCH)
    monkeypatch.setattr(module, name, most)
    settings = resolve({})
    outcome = run.check(settings, discover(settings).files)
    of = {path: [one for one in outcome.diagnostics if one.location.path == path] for path in ("a.sh", "b.sh")}
    told = [one.message for one in of["a.sh"] if one.code == "SH002"]
    assert len(told) == bool(reason)
    assert all(f"the budget of {reason} ran out here" in message for message in told)
    if findings is not None:
        assert sum(one.code == "EP001" for one in of["a.sh"]) == findings
        assert [one.code for one in of["b.sh"]] == ["EP001"]
    by_path = {launcher.source.path: launcher for launcher in outcome.launchers}
    assert len(by_path["a.sh"].launches) == launches
    assert by_path["a.sh"].complete is not bool(reason)

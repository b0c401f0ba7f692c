"""Every rule on its examples and cases; bash is the judge of the recorded texts themselves."""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from recipelint.ruleset.cases import Case
from recipelint.trying import Trial, tried, working_in
from tests.oracle import RecordedLaunch, launches
from tests.rule_cases import RULES, collect, lay_out

CASES = collect()
ALL = [*CASES.valid, *CASES.noops, *CASES.invalid, *CASES.fixes]
DISPATCHERS = ("hybridep", "deepep")
"""Of EP001, whose cases bash judges; the cases of other rules are judged beside their checks."""


def ids(cases: Sequence[Case]) -> list[str]:
    return [f"{case.rule.code}: {case.name}" for case in cases]


@pytest.mark.parametrize("case", ALL, ids=ids(ALL))
def test_case(case: Case) -> None:
    assert tried(case, RULES) is None


MILD = [case for case in CASES.invalid if case.severity not in (None, "error")]


@pytest.mark.parametrize("case", MILD, ids=ids(MILD))
def test_what_may_run_is_not_fixed_unasked(case: Case, tmp_path: Path) -> None:
    lay_out(case, tmp_path)
    with working_in(str(tmp_path)):
        (found,) = Trial(case, RULES).lint().diagnostics
    assert found.fix is None or found.fix.applicability.word == "unsafe"


UNFIXED = [case for case in CASES.invalid if case.rule.fix is None]


@pytest.mark.parametrize("case", UNFIXED, ids=ids(UNFIXED))
def test_a_rule_whose_findings_can_have_a_fix_says_so(case: Case, tmp_path: Path) -> None:
    lay_out(case, tmp_path)
    with working_in(str(tmp_path)):
        assert [one.fix for one in Trial(case, RULES).lint().diagnostics] == [None]


TEXTS = [(case, text) for case in CASES.fixes for text in case.after if text != case.text and case.rule.code == "EP001"]


@pytest.mark.parametrize(("case", "text"), TEXTS, ids=ids([case for case, _ in TEXTS]))
def test_fixed_text_under_bash(case: Case, text: bytes, tmp_path: Path) -> None:
    """The recorded text passes `bash -n`, and bash hands over the same words and environment but for the mode."""
    file = lay_out(case, tmp_path / "after", text)
    syntax = subprocess.run(["bash", "-n", file], capture_output=True, text=True, check=False)
    assert syntax.returncode == 0, syntax.stderr
    lay_out(case, tmp_path / "before")
    before = launches(tmp_path / "before", case.run)
    after = launches(tmp_path / "after", case.run)
    assert [wrong(launch) for launch in after] == [False] * len(before)
    assert any(wrong(launch) for launch in before)
    for old, new in zip(before, after, strict=True):
        then, now = own_environment(old), own_environment(new)
        assert then.keys() == now.keys()
        if wrong(old):
            assert mode(new) == "none"
            assert without_mode(new) == without_mode(old)
            assert all(now[name] in (then[name], "none") for name in then), "more than an exported knob"
        else:
            assert (new.argv, now) == (old.argv, then)


NOOPS = [case for case in CASES.noops if case.rule.code == "EP001"]


@pytest.mark.parametrize("case", NOOPS, ids=ids(NOOPS))
def test_noop_under_bash(case: Case, tmp_path: Path) -> None:
    """What is recorded as right is right."""
    lay_out(case, tmp_path)
    assert not any(wrong(launch) for launch in launches(tmp_path, case.run))


SURE = [case for case in CASES.invalid if case.confidence is None and case.rule.code == "EP001"]


@pytest.mark.parametrize("case", SURE, ids=ids(SURE))
def test_invalid_under_bash(case: Case, tmp_path: Path) -> None:
    """What is recorded as wrong is wrong."""
    lay_out(case, tmp_path)
    assert any(wrong(launch) for launch in launches(tmp_path, case.run))


def parser(launch: RecordedLaunch) -> argparse.ArgumentParser:
    """The trainer's argument parser, as its flags say."""
    made = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    for group, flags in RULES.frameworks["molt"]["entry_points"][launch.entry_point]["flags"].items():
        for flag in flags:
            if group == "switch":
                made.add_argument(flag, action="store_true")
            elif group == "optional":
                made.add_argument(flag, nargs="?", const="full", default="full")
            else:
                made.add_argument(flag, nargs=2 if group == "pair" else None)
    return made


def own_environment(launch: RecordedLaunch) -> dict[str, str]:
    """What the launcher set: not what the machine gave."""
    return {name: value for name, value in launch.env.items() if name not in launch.ambient}


def mode(launch: RecordedLaunch) -> str:
    values = vars(parser(launch).parse_args(list(launch.argv)))
    return str(values.get("model.gradient_checkpoint", values.get("actor.gradient_checkpoint"))).strip().lower()


def wrong(launch: RecordedLaunch) -> bool:
    """The trainer crashes at its first backward pass."""
    size = vars(parser(launch).parse_args(list(launch.argv)))["fsdp.ep_size"]
    full = mode(launch) not in ("", "none", "off", "false", "0", "selective")
    return full and int(size or 1) > 1 and launch.env.get("MOLT_MOE_DISPATCHER", "hybridep") in DISPATCHERS


def without_mode(launch: RecordedLaunch) -> list[str]:
    """The words but for the last checkpointing flag and its value."""
    words = list(launch.argv)
    flags = [at for at, word in enumerate(words) if is_mode_flag(word.split("=")[0])]
    if flags:
        at = flags[-1]
        bare = "=" in words[at] or words[at + 1 : at + 2] == [] or words[at + 1].startswith("--")
        del words[at : at + (1 if bare else 2)]
    return words


def is_mode_flag(word: str) -> bool:
    """One of the two flags, or a prefix of it that is no prefix of another."""
    return any(
        flag.startswith(word) and len(word) > 8
        for flag in ("--model.gradient_checkpoint", "--actor.gradient_checkpoint")
    )

"""ENV001 under bash: the trainer lacks the variable, and has it after the fix, with nothing else changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from recipelint.ruleset.cases import Case
from tests.rule_cases import collect, lay_out

from . import RecordedLaunch, launches
from .shown import recipelint

ALL = collect()
WRONG = [case for case in ALL.invalid if case.rule.code == "ENV001"]
RIGHT = {case.name: case for case in ALL.valid if case.rule.code == "ENV001"}
GIVEN = {
    "changed after ray start": {"MOLT_MOE_DISPATCHER": "deepep"},
    "the driver sees it, its workers do not": {"MOLT_MOE_DISPATCHER": "torch"},
    "inside of a job's own command": {"MOLT_MOE_DISPATCHER": "torch"},
}
"""What the trainer gets in spite of the finding: an older value, or what only the driver sees. Else nothing."""

FIXED = {
    "a default that is not exported": ("MOLT_MOE_DISPATCHER", "torch"),
    "a variable that decides no setting": ("MOLT_GATE_PRECISION", "bf16"),
    "a value from another variable": ("MOLT_MOE_DISPATCHER", "torch"),
}
"""The cases with an unsafe fix, and what the trainer is to get."""

SEEN = {
    "exported, in four ways": [
        {"MOLT_MOE_DISPATCHER": "torch"},
        {
            "MOLT_MOE_DISPATCHER": "torch",
            "MOLT_RMS_NORM": "te",
            "MOLT_LINEAR_BACKEND": "te",
            "MOLT_MOE_EXPERTS": "te",
        },
    ],
    "before one command": [{"MOLT_MOE_DISPATCHER": "torch"}, {}],
    "taken away on purpose": [{}, {}],
    "handed on by name": [{"MOLT_MOE_DISPATCHER": "torch"}] * 4,
    "before ray start, and in the runtime environment": [{"MOLT_MOE_DISPATCHER": "torch", "MOLT_MOE_EXPERTS": "te"}],
    "a trainer without Ray's workers": [{"MOLT_MOE_DISPATCHER": "torch"}],
}
"""What the trainers get where the rule is silent."""


def own(launch: RecordedLaunch) -> dict[str, str]:
    return {name: value for name, value in launch.env.items() if name.startswith("MOLT_")}


@pytest.mark.parametrize("case", WRONG, ids=[case.name for case in WRONG])
def test_the_trainer_lacks_it(case: Case, tmp_path: Path) -> None:
    lay_out(case, tmp_path)
    found = [launch for launch in launches(tmp_path, case.run) if launch.entry_point.startswith("molt.")]
    assert found
    for launch in found:
        assert own(launch) == GIVEN.get(case.name, {})


@pytest.mark.parametrize("name", SEEN)
def test_the_trainer_sees_it(name: str, tmp_path: Path) -> None:
    case = RIGHT[name]
    lay_out(case, tmp_path)
    found = [launch for launch in launches(tmp_path, case.run) if launch.entry_point.startswith("molt.")]
    assert [own(launch) for launch in found] == SEEN[name]


@pytest.mark.parametrize("name", FIXED)
def test_the_unsafe_fix(name: str, tmp_path: Path) -> None:
    case = next(case for case in WRONG if case.name == name)
    variable, value = FIXED[name]
    file = lay_out(case, tmp_path / "after")
    words = ("--fix", "--unsafe-fixes", "--select", "ENV001", ".")
    assert recipelint(tmp_path / "after", *words)[0] == 0
    text = case.text.decode()
    fixed = text.replace(f"{variable}=", f"export {variable}=", 1)
    assert file.read_text() == fixed != text
    assert recipelint(tmp_path / "after", *words)[0] == 0
    assert file.read_text() == fixed, "the second run changes it again"
    lay_out(case, tmp_path / "before")
    before, after = launches(tmp_path / "before", case.run), launches(tmp_path / "after", case.run)
    assert len(before) == len(after) > 0
    for old, new in zip(before, after, strict=True):
        assert (new.entry_point, new.argv) == (old.entry_point, old.argv)
        assert dict(new.env) == {**old.env, variable: value}

"""GitLab's code quality report, against the schema of its documentation."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from recipelint.diagnostic import Confidence, Severity
from recipelint.fingerprint import fingerprints
from recipelint.outcome import Outcome
from recipelint.report.gitlab import render
from recipelint.report.report import Report
from tests.hostile import repository
from tests.outcomes import at, between, diagnostic, source
from tests.reports import RECIPE, of_text, report

SCHEMA = json.loads((Path(__file__).parent / "schemas" / "gitlab-code-quality.json").read_text("utf-8"))


def entries(given: Report) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(render(given))
    Draft202012Validator(SCHEMA).validate(found)
    assert len({one["fingerprint"] for one in found}) == len(found)
    return found


def test_an_entry() -> None:
    given = of_text(RECIPE)
    (one,) = entries(given)
    assert one == {
        "description": given.outcome.diagnostics[0].message,
        "check_name": "EP001",
        "fingerprint": fingerprints(given.outcome.diagnostics, given.root)[0],
        "severity": "critical",
        "location": {"path": "launch.sh", "lines": {"begin": 4, "end": 4}},
    }
    assert one["description"].startswith("expert_parallel_size 8 with activation_checkpointing full")


def test_nothing_found_is_an_empty_list() -> None:
    assert render(Report(Outcome())) == "[]\n"


def test_severities() -> None:
    file = source()
    place = between(file, "torchrun", "full")
    found = tuple(
        diagnostic(place, severity=severity, confidence=confidence)
        for severity in reversed(Severity)
        for confidence in Confidence
    )
    shown = entries(Report(Outcome(diagnostics=found), os.path.realpath(".")))
    assert [one["severity"] for one in shown] == ["critical", "major", "major", "minor", "info", "info"]
    assert shown[0]["location"]["lines"] == {"begin": 4, "end": 6}


def test_fingerprints_outlive_moved_lines() -> None:
    moved = of_text(RECIPE.replace("torchrun", "# one\n# two\n\ntorchrun"))
    (before,), (after,) = entries(of_text(RECIPE)), entries(moved)
    assert (before["location"]["lines"]["begin"], after["location"]["lines"]["begin"]) == (4, 7)
    assert before["fingerprint"] == after["fingerprint"]


def test_the_fixtures_and_hostile_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository(tmp_path))
    shown = entries(report())
    assert len(shown) == len(report().outcome.diagnostics) > 40
    paths = {one["location"]["path"] for one in shown}
    assert {"hostile/new\nline.sh", "hostile/not-utf8-\\xff\\xfe.sh", "hostile/训练 🚀.sh"} <= paths
    assert all(path.encode("utf-8") for path in paths)  # strict readers refuse lone surrogates
    assert all(one["description"].isprintable() for one in shown)


def test_a_place_of_ascii_stays(tmp_path: Path) -> None:
    (one,) = entries(Report(Outcome(diagnostics=(diagnostic(at(source(), "full")),)), str(tmp_path)))
    assert one["location"]["path"] == "slurm/sft.sh"

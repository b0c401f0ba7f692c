"""Reviewdog's diagnostic format: the schema of its documentation, and suggestions applied as a reviewer does."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from recipelint.diagnostic import Severity
from recipelint.fix import Applicability, Edit, Fix, apply
from recipelint.outcome import Outcome
from recipelint.report.markdown import harmless
from recipelint.report.rdjson import render
from recipelint.report.report import Report
from recipelint.run import check
from recipelint.settings import Settings
from recipelint.source import SourceFile
from tests.hostile import repository
from tests.outcomes import at, diagnostic, safe_fix, source
from tests.readme_blocks import FIXTURES
from tests.reports import RECIPE, as_lines, of_text, report

SCHEMA = json.loads((Path(__file__).parent / "schemas" / "rdjson.json").read_text("utf-8"))


def findings(given: Report) -> list[dict[str, Any]]:
    shown = json.loads(render(given))
    Draft202012Validator(SCHEMA).validate(shown)
    json.dumps(shown, ensure_ascii=False).encode("utf-8")  # protojson refuses lone surrogates
    assert shown["source"] == {"name": "recipelint"}
    found: list[dict[str, Any]] = shown["diagnostics"]
    return found


def applied(data: bytes, one: dict[str, Any]) -> bytes:
    (made,) = one["suggestions"]
    return as_lines(data, made["range"]["start"]["line"], made["range"]["end"]["line"], made["text"])


def test_a_finding() -> None:
    given = of_text(RECIPE)
    (one,) = findings(given)
    made = given.outcome.diagnostics[0]
    comment = min(made.fix.edits).replacement.decode() if made.fix else ""
    assert comment.startswith("# Full activation checkpointing")
    assert one == {
        "message": f"{made.message}\n\nhelp: {made.help}",
        "location": {
            "path": "launch.sh",
            "range": {"start": {"line": 4, "column": 31}, "end": {"line": 4, "column": 35}},
        },
        "severity": "ERROR",
        "code": {"value": "EP001", "url": made.url},
        "suggestions": [
            {
                "range": {"start": {"line": 2}, "end": {"line": 4}},
                "text": comment + RECIPE.partition("\n")[2].replace("full", "none").rstrip("\n"),
            }
        ],
        "related_locations": one["related_locations"],
        "original_output": f"launch.sh:4:31: EP001 [error] {made.message}",
    }
    assert {"line": 3, "column": 18} in [place["location"]["range"]["start"] for place in one["related_locations"]]


def test_nothing_found_is_an_empty_result() -> None:
    assert findings(Report(Outcome())) == []


def test_columns_are_bytes() -> None:
    file = source("\ufeff训🚀 full\n")
    (one,) = findings(Report(Outcome(diagnostics=(diagnostic(at(file, "full"), severity=Severity.INFO),))))
    assert one["location"]["range"] == {"start": {"line": 1, "column": 12}, "end": {"line": 1, "column": 16}}
    assert one["severity"] == "INFO"


@pytest.mark.parametrize("unsafe", [False, True])
def test_each_suggestion_gives_the_bytes_that_its_fix_gives(
    unsafe: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = repository(tmp_path)
    monkeypatch.chdir(folder)
    given = report(unsafe_fixes=unsafe)
    least = Applicability.UNSAFE if unsafe else Applicability.SAFE
    count = 0
    for one, found in zip(findings(given), given.outcome.diagnostics, strict=True):
        wanted = found.fix is not None and found.fix.applicability >= least
        alone = found.fix is not None and found.fix.paths == (found.location.path,)
        assert ("suggestions" in one) == (wanted and alone)
        if wanted and alone and found.fix is not None:
            count += 1
            data = Path(found.location.path).read_bytes()
            assert applied(data, one) == apply(data, found.fix.edits) != data
    assert count >= 20


def test_suggestions_of_every_finding_of_a_file_give_what_fix_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shutil.copytree(FIXTURES, tmp_path / "molt"))
    (tmp_path / "molt" / ".git").mkdir()
    suggested = {}
    for one in findings(report("examples")):
        if "suggestions" in one:
            path = one["location"]["path"]
            assert path not in suggested
            suggested[path] = applied(Path(path).read_bytes(), one)
    report("examples", fix=True)
    assert len(suggested) == 7
    assert {path: Path(path).read_bytes() for path in suggested} == suggested


def test_a_suggestion_is_clean_when_it_is_applied() -> None:
    recipe = RECIPE.replace(" \\\n", "").replace("full", "full # no carriage return in the word").replace("\n", "\r\n")
    assert recipe.count("\n") == 2
    (one,) = findings(of_text(recipe))
    text = applied(recipe.encode(), one)
    assert text.count(b"\n") == text.count(b"\r\n") == 5
    assert check(Settings(), [SourceFile("launch.sh", text)]).diagnostics == ()


def test_unsafe_fixes_are_suggested_when_they_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = RECIPE.replace("full", "none").replace("ep_size", "epsize")
    monkeypatch.chdir(repository(tmp_path))
    Path("a.sh").write_text(text)
    (quiet,), (asked,) = findings(report("a.sh")), findings(report("a.sh", unsafe_fixes=True))
    assert "suggestions" not in quiet
    assert "fix" not in quiet["message"]
    assert asked["code"]["value"] == "ARG001"
    assert applied(text.encode(), asked) == text.replace("epsize", "ep_size").encode()


def test_a_fix_of_another_file_is_told_and_not_suggested() -> None:
    file, place = source(), at(source(), "full")
    edits = (*safe_fix(place).edits, Edit("other.sh", 0, 1, b"x"))
    fix = Fix("change both", Applicability.SAFE, edits)
    (one,) = findings(Report(Outcome(diagnostics=(diagnostic(at(file, "full"), fix=fix),)), os.path.realpath(".")))
    assert "suggestions" not in one
    assert one["message"].endswith("fix (safe): change both; make it with recipelint --fix, as it changes other.sh")


def test_a_fix_that_is_only_shown_is_neither() -> None:
    place = at(source(), "full")
    fix = safe_fix(place)._replace(applicability=Applicability.DISPLAY)
    (one,) = findings(Report(Outcome(diagnostics=(diagnostic(place, fix=fix),)), unsafe=True))
    assert "suggestions" not in one
    assert one["message"] == "full under hybridep"


def test_a_line_that_is_no_utf_8_has_its_fix_told() -> None:
    text = RECIPE.encode().replace(b"/m", b"/\xff")
    (one,) = findings(of_text(text))
    assert "suggestions" not in one
    assert one["message"].endswith("make it with recipelint --fix")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("expert_parallel_size 8 under hybridep (molt's default)", None),
        ("the flag --fsdp.ep_size: did you mean --fsdp.ep?", None),
        ("@team", "`@team`"),
        ("![x](http://evil)", "`![x](http://evil)`"),
        ("<img src=x>", "`<img src=x>`"),
        ("a `b` c", "``a `b` c``"),
        ("`", "`` ` ``"),
        ("see #1", "`see #1`"),
        ("_x_", "`_x_`"),
        ("- a list", "`- a list`"),
        ("1. a list", "`1. a list`"),
        ("a\\_b", "`a\\_b`"),
        ("https://evil", "`https://evil`"),
        ("GH-1 :tada:", "`GH-1 :tada:`"),
    ],
)
def test_markdown_shows_text_as_it_is(text: str, shown: str | None) -> None:
    assert harmless(text) == (shown or text)


def test_what_would_end_the_fence_of_a_suggestion_is_told() -> None:
    """reviewdog counts the backticks that stand at the start of a line, and not those behind blanks."""
    for end, suggested in (("  ```", False), ("x ```", True)):
        file = source(f"a=full \\\n{end}\nb=full\n")
        edits = (*safe_fix(at(file, "full")).edits, *safe_fix(at(file, "full", 2)).edits)
        fix = Fix("set it to none", Applicability.SAFE, edits)
        (one,) = findings(Report(Outcome(diagnostics=(diagnostic(at(file, "full"), fix=fix),))))
        assert ("suggestions" in one) is suggested
        assert ("make it with recipelint --fix" in one["message"]) is not suggested


def test_the_address_of_a_rule_stays_in_its_link() -> None:
    file = source("full\n")
    for url, given in (
        ("https://x/)![i](https://y)", "https://x/%29!%5Bi%5D%28https://y%29"),
        ("https://x/a#b", "https://x/a#b"),
    ):
        (one,) = findings(Report(Outcome(diagnostics=(diagnostic(at(file, "full"), url=url),))))
        assert one["code"]["url"] == given

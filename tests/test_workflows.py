"""The actions, the workflows and their scripts are without fault for the tools that know; and these look at them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.actions.linting import BIN, ROOT, faults, of_schema, workflow
from tests.actions.machine import FIXTURES
from tests.readme_blocks import blocks, run

MATCHER = ROOT / ".github" / "recipelint-matcher.json"
PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
WORKFLOW = next(block.body for block in blocks(PAGE, "yaml") if "\njobs:" in block.body)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The parts of the project that GitHub reads."""
    for name in (".github", "suggest"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "action.yml", tmp_path)
    return tmp_path


def test_the_actions_and_the_workflows_are_without_fault(project: Path) -> None:
    assert faults(project) == ""


@pytest.mark.parametrize(
    ("file", "old", "new", "fault"),
    [
        ("action.yml", '"$GITHUB_ACTION_PATH/action/install.sh"', "${{ inputs.version }}", "template-injection"),
        ("action.yml", "bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0", "v7", "unpinned-uses"),
        ("suggest/action.yml", "d8a7baabd7f3e8544ee4dbde3ee41d0011c3a93f # v1.5.0", "v1", "unpinned-uses"),
        (".github/workflows/tests.yml", "persist-credentials: false", "fetch-depth: 0", "artipacked"),
        (".github/workflows/tests.yml", "permissions: {}", "permissions: write-all", "excessive-permissions"),
        (".github/workflows/tests.yml", "  pull_request:", "  pull_request_target:", "dangerous-triggers"),
        (".github/workflows/tests.yml", "runs-on: ubuntu-24.04", "runs-on: ubuntu-1.0", "runner-label"),
        (".github/workflows/tests.yml", "make test PYTHON=python", "make $PYTHON", "SC2086"),
        (".github/workflows/action.yml", "args: --select=EP001", "arguments: x", 'input "arguments" is not defined'),
        (".github/workflows/action.yml", "steps.wrong.outputs.errors", "steps.wrong.outputs.mistakes", '"mistakes"'),
    ],
)
def test_a_fault_would_be_found(file: str, old: str, new: str, fault: str, project: Path) -> None:
    path = project / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    assert fault in faults(project)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("changed-only:", "changes-only:"),
        ("your-org/recipelint@", "your-org/recipelint@v1 # "),
        ("contents: read", "contents: wirte"),
    ],
)
def test_a_fault_in_the_documentation_would_be_found(old: str, new: str, tmp_path: Path) -> None:
    assert old in WORKFLOW
    with pytest.raises(AssertionError):
        workflow(WORKFLOW.replace(old, new, 1), tmp_path)


@pytest.mark.parametrize("name", ["vendor.gitlab-ci", "vendor.azure-pipelines"])
def test_a_pipeline_that_is_none_would_be_found(name: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        of_schema(name, "recipelint:\n  script: {}\nsteps: 1\n", tmp_path)


def test_the_metadata_of_the_actions_is_valid() -> None:
    words = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions"]
    files = [ROOT / "action.yml", ROOT / "suggest" / "action.yml"]
    subprocess.run([*words, *files], check=True)


def test_the_scripts_are_without_fault_for_shellcheck(tmp_path: Path) -> None:
    scripts = sorted((ROOT / "action").glob("*.sh"))
    assert len(scripts) == 2
    subprocess.run([BIN / "shellcheck", *scripts], check=True)
    (tmp_path / "bad.sh").write_text("#!/bin/bash\nrm $1\n")
    assert subprocess.run([BIN / "shellcheck", tmp_path / "bad.sh"], check=False, capture_output=True).returncode == 1


def matched(line: str) -> dict[str, str]:
    """What the runner makes of a line of a log with the problem matcher; nothing if no pattern matches."""
    for matcher in json.loads(MATCHER.read_text("utf-8"))["problemMatcher"]:
        (pattern,) = matcher["pattern"]
        if match := re.search(pattern["regexp"], line, re.ASCII):
            groups = {key: match[number] for key, number in pattern.items() if key != "regexp"}
            return {"severity": matcher.get("severity", ""), **groups}
    return {}


def test_the_problem_matcher_finds_what_concise_prints(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(FIXTURES, tmp_path / "molt"))
    printed = run("recipelint check --output-format concise examples molt", folder).splitlines()
    found = json.loads(run("recipelint check --output-format json examples molt", folder))["diagnostics"]
    assert len(found) > 8
    assert {one["severity"] for one in found} == {"error", "warning"}
    real = [made for line in printed if (made := matched(line))]
    assert real == [
        {
            "severity": one["severity"],
            "file": one["path"],
            "line": str(one["start"]["line"]),
            "column": str(one["start"]["column"]),
            "code": one["code"],
            "message": one["message"],
        }
        for one in found
    ]


@pytest.mark.parametrize(
    ("line", "severity", "file"),
    [
        ("a b.sh:3:4: EP001 [possible error] text: 1:2", "error", "a b.sh"),
        ("a.sh:3:4: ABC123 [info] text", "notice", "a.sh"),
        ("a.sh:3:4: ABC123 [possible info] text", "notice", "a.sh"),
        ("fixed a.sh:3: EP001 set x to y", "", ""),
        ("Found 1 error in 1 file, 1 launch", "", ""),
        ("a.sh:3:4: warning: text", "", ""),
        ("a.sh:3:4: EP001 [fatal] text", "", ""),
    ],
)
def test_the_problem_matcher_on_a_line(line: str, severity: str, file: str) -> None:
    made = matched(line)
    assert (made.get("severity", ""), made.get("file", "")) == (severity, file)


def test_the_problem_matcher_is_of_the_form_that_the_runner_takes() -> None:
    """https://github.com/actions/runner/blob/main/src/Runner.Worker/IssueMatcher.cs"""
    matchers = json.loads(MATCHER.read_text("utf-8"))["problemMatcher"]
    assert len({matcher["owner"] for matcher in matchers}) == len(matchers)
    for matcher in matchers:
        assert set(matcher) <= {"owner", "severity", "pattern"}
        assert set(matcher["pattern"][0]) <= {"regexp", "file", "line", "column", "severity", "code", "message"}
        assert re.compile(matcher["pattern"][0]["regexp"]).groups == len(matcher["pattern"][0]) - 1

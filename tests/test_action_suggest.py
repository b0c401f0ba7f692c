"""The second action: what another run left behind becomes suggestions, and may have been written by anybody."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from action.suggestions import diagnostic
from tests.actions.commands import commands
from tests.actions.machine import ROOT, UPLOAD, machine, pull_request, told, use
from tests.actions.runner import Job, Result, run_action

COMMIT = "c" * 40
DOWNLOAD, REVIEWDOG = "actions/download-artifact", "reviewdog/action-setup"
WRONG = "examples/scripts/slurm/sft_omni3_30b.sh"
HONEST: dict[str, Any] = {
    "message": "expert_parallel_size 8",
    "severity": "ERROR",
    "code": {"value": "EP001", "url": "https://example.invalid"},
    "location": {"path": "a.sh", "range": {"start": {"line": 3, "column": 2}, "end": {"line": 3, "column": 6}}},
    "suggestions": [{"range": {"start": {"line": 3}, "end": {"line": 3}}, "text": "\tx=none\n\ty=1"}],
    "original_output": "::error::x",
}


def workflow_run(**given: Any) -> dict[str, Any]:
    run = {
        "id": 99,
        "event": "pull_request",
        "head_sha": COMMIT,
        "head_branch": "a/branch&state=closed",
        "head_repository": {"owner": {"login": "someone"}},
        **given,
    }
    return {"workflow_run": run, "action": "completed"}


def pulls(*heads: tuple[int, str]) -> list[dict[str, Any]]:
    return [{"number": number, "head": {"sha": sha}} for number, sha in heads]


def suggesting(folder: Path, artifact: Path | None, found: object = None, event: object = None, **given: Any) -> Job:
    """A machine whose gh and reviewdog note what they are asked, and whose artifact is a copy of a folder."""
    tools = folder / "tools"
    tools.mkdir(parents=True)
    answer = tools / "answer.json"
    answer.write_text(json.dumps(pulls((7, COMMIT)) if found is None else found))
    scripts = {
        "gh": f'printf "%s\\n" "$@" >{tools}/gh.asked; cat {answer}',
        "reviewdog": f'printf "%s\\n" "$@" >{tools}/reviewdog.asked; env >{tools}/reviewdog.env; '
        f'pwd >{tools}/reviewdog.folder; cat >{tools}/reviewdog.read; echo "::error::from reviewdog"',
    }
    for name, script in scripts.items():
        (tools / name).write_text(f"#!/bin/bash\n{script}\n")
        (tools / name).chmod(0o755)

    def download(asked: Mapping[str, str]) -> Mapping[str, str]:
        if artifact:
            shutil.copytree(artifact, asked["path"], symlinks=True)
        return {}

    variables = {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    stubs = {DOWNLOAD: download, REVIEWDOG: lambda asked: {}}
    event = event or workflow_run()
    return machine(folder, None, event_name="workflow_run", event=event, stubs=stubs, variables=variables, **given)


def suggest(job: Job) -> Result:
    return run_action(job, ROOT / "suggest", {})


def kept(folder: Path, *diagnostics: object) -> Path:
    """A folder as an artifact would hold it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "recipelint.rdjson").write_text(json.dumps({"diagnostics": diagnostics}))
    return folder


def test_what_the_first_action_keeps_the_second_suggests(tmp_path: Path) -> None:
    event = pull_request("0" * 40, COMMIT, fork=True)
    first = machine(tmp_path / "first", event_name="pull_request", event=event)
    use(first, paths=WRONG, fix_suggestions="true")
    artifact = Path(first.given(UPLOAD)[0]["path"])
    (tmp_path / "artifact").mkdir()
    shutil.copy(artifact, tmp_path / "artifact")
    job = suggesting(tmp_path / "second", tmp_path / "artifact")
    result = suggest(job)
    assert result.success, job.log
    assert result.outputs == {"pull-request": "7", "suggestions": "1"}
    tools = tmp_path / "second" / "tools"
    asked = (tools / "gh.asked").read_text().splitlines()
    assert asked[:3] == ["api", "--method=GET", "repos/team/recipes/pulls"]
    assert asked[-1] == "--raw-field=head=someone:a/branch&state=closed"
    assert job.given(DOWNLOAD)[0]["run-id"] == "99"
    assert (tools / "reviewdog.asked").read_text().split()[:3] == [
        "-f=rdjson",
        "-name=recipelint",
        "-reporter=github-pr-review",
    ]
    environment = dict(line.split("=", 1) for line in (tools / "reviewdog.env").read_text().splitlines() if "=" in line)
    assert environment["CI_PULL_REQUEST"] == "7"
    assert environment["CI_COMMIT"] == COMMIT
    assert (environment["CI_REPO_OWNER"], environment["CI_REPO_NAME"]) == ("team", "recipes")
    assert "GITHUB_ACTIONS" not in environment
    (passed,) = json.loads((tools / "reviewdog.read").read_text())["diagnostics"]
    (made,) = json.loads(artifact.read_text())["diagnostics"]
    assert passed["suggestions"] == made["suggestions"]
    assert passed["message"].startswith("expert_parallel_size 8 with activation_checkpointing full")
    assert "](" not in passed["message"]
    assert not told(job, "error")


@pytest.mark.parametrize(
    ("found", "event"),
    [
        ([], None),
        (pulls((7, "d" * 40)), None),
        (None, workflow_run(event="push")),
        (None, workflow_run(head_repository=None)),
    ],
    ids=["closed", "moved on", "no pull request", "fork is gone"],
)
def test_without_a_pull_request_nothing_is_read_or_posted(found: object, event: object, tmp_path: Path) -> None:
    job = suggesting(tmp_path, kept(tmp_path / "artifact", HONEST), found, event)
    result = suggest(job)
    assert result.success
    assert result.outputs == {"pull-request": "", "suggestions": ""}
    assert not job.used
    assert "no open pull request" in told(job, "notice")[0].data
    assert not (tmp_path / "tools" / "reviewdog.asked").exists()


def test_only_a_run_that_follows_another_may_suggest(tmp_path: Path) -> None:
    job = suggesting(tmp_path, None)
    job.event_name = "pull_request"
    assert not suggest(job).success
    job = suggesting(tmp_path / "commit", None, event=workflow_run(head_sha="main\nnumber=1"))
    assert not suggest(job).success
    assert not job.used


@pytest.mark.parametrize("what", ["missing", "link", "folder", "large", "no json", "list", "deep"])
def test_an_artifact_that_is_none_is_not_posted(what: str, tmp_path: Path) -> None:
    artifact = tmp_path / "artifact"
    artifact.mkdir()
    file = artifact / "recipelint.rdjson"
    secret = tmp_path / "secret"
    secret.write_text(json.dumps({"diagnostics": [HONEST]}))
    if what == "link":
        file.symlink_to(secret)
    elif what == "folder":
        file.mkdir()
    elif what != "missing":
        texts = {"large": " " * 5_000_000, "no json": "{", "list": "[]", "deep": "[" * 200_000}
        file.write_text(texts[what])
    job = suggesting(tmp_path, artifact)
    assert suggest(job).success, job.log
    assert not job.given(REVIEWDOG)
    assert len(told(job, "notice", "warning")) == 1


def test_an_artifact_without_findings_takes_old_suggestions_back(tmp_path: Path) -> None:
    job = suggesting(tmp_path, kept(tmp_path / "artifact"))
    assert suggest(job).outputs["suggestions"] == "0"
    assert json.loads((tmp_path / "tools" / "reviewdog.read").read_text())["diagnostics"] == []


def altered(**given: object) -> dict[str, Any]:
    return {**HONEST, **given}


@pytest.mark.parametrize(
    "hostile",
    [
        None,
        "text",
        altered(code={"value": "[x](https://x)"}),
        altered(code="EP001"),
        altered(severity="CRITICAL"),
        altered(suggestions=[]),
        altered(suggestions="x"),
        altered(message=["x"]),
        altered(message="x" * 5000),
        altered(location={"path": "../../etc/passwd", "range": HONEST["location"]["range"]}),
        altered(location={"path": "/etc/passwd", "range": HONEST["location"]["range"]}),
        altered(location={"path": "a\n::error::b", "range": HONEST["location"]["range"]}),
        altered(location={"path": "a.sh"}),
        altered(location={"path": "a.sh", "range": {"start": {"line": -1}}}),
        altered(location={"path": "a.sh", "range": {"start": {"line": True}}}),
        altered(location={"path": "a.sh", "range": {"start": {"line": "1"}}}),
        altered(location={"path": "a.sh", "range": {"start": {"line": 1 << 40}}}),
        altered(suggestions=[{"range": {"start": {"line": 3}}, "text": "x=\u202e1"}]),
        altered(suggestions=[{"range": {"start": {"line": 3}}, "text": "x\x1b[31m"}]),
        altered(suggestions=[{"range": {"start": {"line": 3}}, "text": "x\u3164=1"}]),
        altered(suggestions=[{"range": {"start": {"line": 3}}, "text": "x\U000e0101\U000e0133"}]),
        altered(suggestions=[{"range": {"start": {"line": 3}}, "text": "x" * 50_000}]),
        altered(suggestions=[{"range": {"start": {"line": 3}}, "text": None}]),
        altered(suggestions=[{"text": "x"}]),
        altered(suggestions=HONEST["suggestions"] * 2),
        altered(suggestions=[{"range": {"start": {"line": 3, "column": 1}, "end": {"line": 3}}, "text": "x"}]),
        altered(suggestions=[{"range": {"start": {"line": 3}}, "text": "x\n ```\n\n@team ![x](https://evil.example)"}]),
        altered(suggestions=[{"range": {"start": {"line": 3}}, "text": "   ````"}]),
    ],
    ids=lambda hostile: json.dumps(hostile)[:80],
)
def test_what_an_honest_finding_does_not_look_like_is_left_out(hostile: object, tmp_path: Path) -> None:
    job = suggesting(tmp_path, kept(tmp_path / "artifact", hostile, HONEST))
    result = suggest(job)
    assert result.success, job.log
    assert result.outputs["suggestions"] == "1"
    assert "1 findings without a suggestion" in told(job, "notice")[0].data


def test_an_honest_finding_is_passed_on_without_what_nobody_needs() -> None:
    passed = diagnostic(HONEST)
    assert {**passed, "original_output": ""} == {
        **HONEST,
        "code": {"value": "EP001"},
        "original_output": "",
    }
    assert passed["original_output"] == "a.sh:3: EP001"


@pytest.mark.parametrize("text", ["```", "x\n```\n~~~ @team", "    ```", "\t```", "echo ```", "  ``"])
def test_a_suggestion_that_reviewdog_fences_is_passed_on(text: str) -> None:
    """It counts the backticks at the start of a line, and takes one more."""
    passed = diagnostic(altered(suggestions=[{"range": {"start": {"line": 3}}, "text": text}]))
    (suggestion,) = passed["suggestions"]
    fence = "`" * max(3, 1 + max(len(line) - len(line.lstrip("`")) for line in text.split("\n")))
    block, after = MarkdownIt("commonmark").parse(f"{fence}suggestion\n{suggestion['text']}\n{fence}\n\nx")[:2]
    assert (block.type, block.content, after.type) == ("fence", f"{text}\n", "paragraph_open")


@pytest.mark.parametrize(
    "message",
    [
        "@team look [here](https://evil.example)",
        "![x](https://evil.example/x.png) <img src=x onerror=y>",
        "``` ```suggestion\nrm -rf\n```",
        "```` @team ````",
        "see www.evil.example, https://evil.example and #1",
        "<!-- __reviewdog__:abc -->",
        "`@team` @team",
        "` @team `@team` `",
        "\\`@team\\`",
        "::error::x ##[error]x",
        "a\n\n# @team\n\n- [x] b",
        "1. a\n- b\n---\n===\n+ c\n    d",
        "/close\n\n!1 %2",
    ],
)
def test_a_message_is_text_and_nothing_else(message: str) -> None:
    said = diagnostic(altered(message=message))["message"]
    assert not commands(said)
    html = MarkdownIt("commonmark").enable("table").parse(said)
    inline = [child for token in html for child in token.children or []]
    assert {token.type for token in html} <= {"paragraph_open", "inline", "paragraph_close"}
    assert {child.type for child in inline} <= {"text", "code_inline", "softbreak"}
    texts = "".join(child.content for child in inline if child.type == "text")
    assert not set("@<>[]#&") & set(texts)
    assert "//" not in texts
    assert "www." not in texts


def test_what_reviewdog_prints_is_no_command(tmp_path: Path) -> None:
    job = suggesting(tmp_path, kept(tmp_path / "artifact", HONEST))
    suggest(job)
    assert not told(job, "error")
    lines = job.log.splitlines()
    (stop,) = told(job, "stop-commands")
    assert len(stop.data) == 32
    assert lines[-1] == f"::{stop.data}::"
    assert lines.index("::error::from reviewdog") > lines.index(f"::stop-commands::{stop.data}")

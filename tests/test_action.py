"""The action: its steps run as the runner of GitHub Actions runs them, on repositories of launchers."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from action.runner import bounded
from tests.actions.machine import (
    CODE_SCANNING,
    ROOT,
    SETUP,
    UPLOAD,
    commit,
    counted,
    git,
    machine,
    pull_request,
    told,
    use,
)
from tests.actions.runner import Job, document, run_action, run_job

CLEAN = "examples/scripts/slurm/rl_glm5_2_753b.sh"
WRONG = "examples/scripts/slurm/sft_omni3_30b.sh"


def report(job: Job, *options: str) -> dict[str, object]:
    """What recipelint itself says in the workspace."""
    words = [sys.executable, "-m", "recipelint", "check", "--output-format=json", *options]
    done = subprocess.run(words, cwd=job.workspace, capture_output=True, encoding="utf-8", check=False)
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_a_right_recipe_passes(tmp_path: Path) -> None:
    job = machine(tmp_path)
    result = use(job, paths=CLEAN)
    assert result.success, job.log
    assert result.outputs == {"findings": "0", "errors": "0", "warnings": "0", "fixed": "0", "sarif-file": ""}
    assert counted(job) == {}
    assert "No problems in 1 file, 1 launch" in job.summary
    assert job.used == [(SETUP, {"python-version": "3.13", "update-environment": "false"})]


def test_wrong_recipes_fail_with_annotations_a_summary_and_outputs(tmp_path: Path) -> None:
    job = machine(tmp_path)
    result = use(job, paths=f"examples/scripts/quick_start\n\n  {WRONG}\n", args="--select=EP001")
    assert not result.success
    assert result.outputs["findings"] == result.outputs["errors"] == "3"
    assert counted(job) == {"error": 3}
    found = report(job, "--select=EP001", "examples/scripts/quick_start", WRONG)["diagnostics"]
    assert isinstance(found, list)
    places = {(one["path"], str(one["start"]["line"])) for one in found}
    assert {(one.properties["file"], one.properties["line"]) for one in told(job, "error")} == places
    for path, line in places:
        assert f"| error | EP001 | {path}:{line}:" in job.summary
    assert "Found 3 errors in 5 files, 5 launches" in job.summary
    assert re.search(rf"^\| {WRONG} \| 8 \(line 29\) \| full \(line 34\) \|.* EP001 error \|$", job.summary, re.M)


@pytest.mark.parametrize(("level", "success"), [("", False), ("warning", False), ("error", True)])
def test_fail_level(level: str, success: bool, tmp_path: Path) -> None:
    job = machine(tmp_path)
    result = use(job, paths="molt", fail_level=level)
    assert result.success is success
    assert result.outputs["warnings"] == "3"
    assert counted(job) == {"warning": 3}


def test_the_configuration_and_the_folder_count(tmp_path: Path) -> None:
    job = machine(tmp_path)
    (job.workspace / "examples" / "recipelint.toml").write_text('paths = ["scripts/slurm"]\n')
    (job.workspace / "examples" / "mild.toml").write_text('paths = ["scripts/quick_start"]\nignore = ["ALL"]\n')
    result = use(job, working_directory="examples", args="--select=EP001")
    assert result.outputs["errors"] == "5"
    assert {one.properties["file"].rpartition("/")[0] for one in told(job, "error")} == {"examples/scripts/slurm"}
    result = use(job, working_directory="examples", config="mild.toml")
    assert result.success
    assert "in 4 files" in job.log.splitlines()[-1]


def test_what_cannot_be_read_fails_and_is_told(tmp_path: Path) -> None:
    job = machine(tmp_path)
    result = use(job, paths=f"{CLEAN}\nno/such.sh")
    assert not result.success
    assert result.outputs["findings"] == "0"
    assert [one.data for one in told(job, "error")] == ["no/such.sh: no such file or folder"]
    assert "no/such.sh: no such file or folder (not read)" in job.summary


def test_fixes_in_the_workspace_are_counted(tmp_path: Path) -> None:
    job = machine(tmp_path)
    first = use(job, args="--fix\n--unsafe-fixes")
    assert first.success
    assert (first.outputs["findings"], first.outputs["fixed"]) == ("0", "12")
    assert git(job.workspace, "diff", "--name-only", "--", WRONG) == WRONG
    assert use(job).outputs["fixed"] == "0"


def test_findings_go_to_code_scanning(tmp_path: Path) -> None:
    job = machine(tmp_path)
    result = use(job, paths=WRONG, upload_sarif="true")
    assert not result.success
    (given,) = job.given(CODE_SCANNING)
    assert given == {"sarif_file": result.outputs["sarif-file"], "category": "recipelint"}
    made = json.loads(Path(given["sarif_file"]).read_text("utf-8"))
    (found,) = made["runs"][0]["results"]
    assert found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == WRONG


@pytest.mark.parametrize("dependabot", [False, True])
def test_a_token_that_may_only_read_is_enough(dependabot: bool, tmp_path: Path) -> None:
    event = pull_request("0" * 40, "1" * 40, fork=not dependabot)
    job = machine(tmp_path, event_name="pull_request", event=event)
    if dependabot:
        job.variables = {"GITHUB_ACTOR": "dependabot[bot]"}
    result = use(job, paths=WRONG, upload_sarif="true", fix_suggestions="true")
    assert counted(job) == {"error": 1, "notice": 1}
    assert "the token of this run may only read" in told(job, "notice")[0].data
    assert not job.given(CODE_SCANNING)
    assert Path(result.outputs["sarif-file"]).is_file()
    assert len(job.given(UPLOAD)) == 1


@pytest.mark.parametrize("given", [{"changed_only": "true"}, {"args": "--changed-since=HEAD^"}], ids=str)
def test_findings_of_a_part_do_not_go_to_code_scanning(given: dict[str, str], tmp_path: Path) -> None:
    """Code scanning would take what is not in the file for repaired."""
    job = machine(tmp_path, event_name="pull_request")
    before, head, _ = changed(job)
    job.event = pull_request(before, head)
    result = use(job, upload_sarif="true", **given)
    assert not job.given(CODE_SCANNING)
    assert counted(job) == {"error": 1, "notice": 1}
    assert "would close the alerts of all others" in told(job, "notice")[0].data
    assert Path(result.outputs["sarif-file"]).is_file()


def test_where_everything_is_checked_after_all_the_findings_go_there(tmp_path: Path) -> None:
    job = machine(tmp_path, event_name="push", event={"before": "0" * 40})
    use(job, upload_sarif="true", changed_only="true")
    assert len(job.given(CODE_SCANNING)) == 1


def test_suggestions_are_kept_for_a_second_workflow(tmp_path: Path) -> None:
    job = machine(tmp_path)
    assert not use(job, paths=WRONG, fix_suggestions="true").success
    (given,) = job.given(UPLOAD)
    assert given["name"] == "recipelint-suggestions"
    made = json.loads(Path(given["path"]).read_text("utf-8"))
    assert Path(given["path"]).name == "recipelint.rdjson"
    assert 'GRAD_CHECKPOINT="${GRAD_CHECKPOINT-none}"' in made["diagnostics"][0]["suggestions"][0]["text"]
    quiet = machine(tmp_path / "quiet")
    use(quiet, paths=WRONG)
    assert not quiet.given(UPLOAD)


def changed(job: Job) -> tuple[str, str, str]:
    """A branch with a new wrong launcher, merged as GitHub would: the commits of base, branch and merge."""
    before = git(job.workspace, "rev-parse", "HEAD")
    git(job.workspace, "switch", "--quiet", "--create", "change")
    shutil.copy(job.workspace / WRONG, job.workspace / "new.sh")
    head = commit(job.workspace)
    git(job.workspace, "switch", "--quiet", "--detach", "main")
    (job.workspace / "unrelated.txt").write_text("later\n")
    base = commit(job.workspace)
    git(job.workspace, "merge", "--quiet", "--no-ff", "--message=Merge", head)
    assert before != base
    return before, head, git(job.workspace, "rev-parse", "HEAD")


def test_only_what_a_pull_request_changes(tmp_path: Path) -> None:
    job = machine(tmp_path, event_name="pull_request")
    before, head, _ = changed(job)
    job.event = pull_request(before, head)
    result = use(job, changed_only="true")
    assert result.outputs["errors"] == "1"
    assert [one.properties["file"] for one in told(job, "error")] == ["new.sh"]
    assert counted(job) == {"error": 1}
    assert "### Recipes that the change reaches" in job.summary
    assert [line.split()[1] for line in job.summary.splitlines() if "(line 29)" in line] == ["new.sh"]


def test_everything_is_checked_and_what_changed_is_in_the_summary(tmp_path: Path) -> None:
    job = machine(tmp_path, event_name="pull_request")
    before, head, _ = changed(job)
    job.event = pull_request(before, head)
    result = use(job, args="--select=EP001")
    assert result.outputs["errors"] == "8"
    assert [line.split()[1] for line in job.summary.splitlines() if "(line 29)" in line] == ["new.sh"]


def test_a_checkout_of_the_branch_is_compared_from_where_it_parted(tmp_path: Path) -> None:
    job = machine(tmp_path, event_name="pull_request_target")
    _, head, merged = changed(job)
    git(job.workspace, "checkout", "--quiet", head)
    job.event = pull_request(git(job.workspace, "rev-parse", f"{merged}^1"), head)
    use(job, changed_only="true")
    assert [one.properties["file"] for one in told(job, "error")] == ["new.sh"]


def test_only_what_a_push_or_a_merge_queue_changes(tmp_path: Path) -> None:
    job = machine(tmp_path)
    before, _, _ = changed(job)
    job.event = {"before": before}
    assert use(job, changed_only="true").outputs["errors"] == "1"
    job.event_name, job.event = "merge_group", {"merge_group": {"base_sha": before}}
    assert use(job, changed_only="true").outputs["errors"] == "1"
    assert counted(job) == {"error": 2}


@pytest.mark.parametrize(
    ("event_name", "event", "why"),
    [
        ("push", {"before": "0" * 40}, "the branch is new"),
        ("push", {"before": "a" * 40}, "commit aaaaaaaaaaaa is not here; set fetch-depth: 0"),
        ("push", {"before": "--output=pwned"}, "the event names no commit"),
        ("push", {"before": "$(touch pwned)"}, "the event names no commit"),
        ("push", {}, "the event names no commit"),
        ("pull_request", pull_request("b" * 40, "c" * 40), "commit bbbbbbbbbbbb is not here; set fetch-depth: 0"),
        ("schedule", {}, "the event schedule has no commit before it"),
    ],
)
def test_without_a_commit_to_compare_with_everything_is_checked(
    event_name: str, event: dict[str, object], why: str, tmp_path: Path
) -> None:
    job = machine(tmp_path, event_name=event_name, event=event)
    result = use(job, changed_only="true", paths="examples", args="--select=EP001")
    assert result.outputs["errors"] == "7"
    (warning,) = told(job, "warning")
    assert warning.data.startswith(f"changed-only: everything is checked: {why}")
    assert not list(tmp_path.rglob("pwned"))


@pytest.mark.parametrize(("depth", "errors"), [(1, "8"), (2, "1")])
def test_a_shallow_checkout(depth: int, errors: str, tmp_path: Path) -> None:
    job = machine(tmp_path, event_name="pull_request")
    before, head, merged = changed(job)
    job.event = pull_request(before, head)
    git(job.workspace, "branch", "--force", "merged", merged)
    shallow = tmp_path / "shallow"
    url = f"file://{job.workspace}"
    git(tmp_path, "clone", "--quiet", f"--depth={depth}", "--branch=merged", url, str(shallow))
    job.workspace = shallow
    assert use(job, changed_only="true", args="--select=EP001").outputs["errors"] == errors
    assert len(told(job, "warning")) == (depth == 1)


@pytest.mark.parametrize(
    "given",
    [
        {"fail_level": "none"},
        {"fail_level": "error\n::error::x"},
        {"upload_sarif": "yes"},
        {"changed_only": "$(touch pwned)"},
        {"args": "examples"},
        {"args": "--"},
        {"args": "-"},
        {"args": "--diff"},
        {"args": "--watch"},
        {"args": "--select=EP001\n; touch pwned"},
        {"working_directory": "no/such"},
        {"working_directory": "::error::x"},
    ],
    ids=str,
)
def test_inputs_that_cannot_be_used_are_refused(given: dict[str, str], tmp_path: Path) -> None:
    job = machine(tmp_path)
    result = use(job, **given)
    assert not result.success
    assert result.outputs["findings"] == ""
    (error,) = told(job, "error")
    assert error.data.partition(":")[0] == next(iter(given)).replace("_", "-")
    assert not list(tmp_path.rglob("pwned"))


@pytest.mark.parametrize(
    "given",
    [
        {"args": "--no-such-option"},
        {"args": "--output-format=no-such"},
        {"config": "no-such.toml"},
        {"config": "--isolated"},
        {"args": "--select=$(touch pwned)"},
        {"args": "--help"},
    ],
    ids=str,
)
def test_what_recipelint_refuses_is_in_the_log(given: dict[str, str], tmp_path: Path) -> None:
    job = machine(tmp_path)
    result = use(job, paths=CLEAN, **given)
    assert not result.success
    assert [one.data for one in told(job, "error")] == ["recipelint did not report; the log says why"]
    assert not list(tmp_path.rglob("pwned"))


def test_long_summaries_are_cut_and_say_so() -> None:
    text = "| é |\n" * 5
    assert bounded(text, 35) == text
    cut = bounded(text, 34)
    assert cut.count("| é |\n") == 4
    assert "1 more lines are left out here" in cut
    assert bounded("x" * 50, 10).count("x") == 0


def test_errors_are_annotated_before_warnings_and_the_rest_is_counted(tmp_path: Path) -> None:
    job = machine(tmp_path)
    for number in range(12):
        shutil.copy(job.workspace / WRONG, job.workspace / f"copy{number:02}.sh")
    use(job, args="--select=EP001,DOC001,GUARD001")
    kinds = [one.name for one in told(job, "error", "warning", "notice")]
    assert kinds == ["error"] * 19 + ["warning"] * 3 + ["notice"]
    assert "9 errors" in told(job, "notice")[0].data


@pytest.mark.parametrize(
    "version",
    [
        "v0.1",
        "0.1.0; touch pwned",
        "$(touch pwned)",
        "--index-url=x",
        "0.1.0\nevil",
        "git+https://x",
        ">=0",
        "0.1.0 x",
        "*",
    ],
)
def test_a_version_that_is_none_is_refused(version: str, tmp_path: Path) -> None:
    job = machine(tmp_path)
    job.stubs = {name: stub for name, stub in job.stubs.items() if name != "install"}
    result = use(job, version=version)
    assert not result.success
    assert [one.data for one in told(job, "error")] == ["version: must be empty, or a version such as 0.1.0"]
    assert result.steps["check"]["outcome"] == "skipped"
    assert not list(tmp_path.rglob("pwned"))
    assert not list(job.temp.glob("recipelint.*"))


def test_a_version_is_installed_as_it_is(tmp_path: Path) -> None:
    """A Python that only notes what it is asked shows what pip is given, and that another version is not taken."""
    job = machine(tmp_path)
    noted, fake = tmp_path / "noted", tmp_path / "python"
    script = f"""#!/bin/bash
printf '%s\\n' "$*" >>{noted}
case "$*" in
  "-I -m venv .") mkdir bin && cp {fake} bin/python ;;
  *--version) echo recipelint 0.1.0 ;;
esac
"""
    fake.write_text(script)
    fake.chmod(0o755)
    stubs = {name: stub for name, stub in job.stubs.items() if name != "install"}
    job.stubs = {**stubs, SETUP: lambda given: {"python-path": str(fake)}}
    assert use(job, version="0.1.0").steps["install"]["outcome"] == "success"
    pip = "-I -m pip install --quiet --no-input --disable-pip-version-check --"
    assert noted.read_text().splitlines()[:3] == [
        "-I -m venv .",
        f"{pip} recipelint==0.1.0",
        "-I -m recipelint --version",
    ]
    noted.unlink()
    use(job)
    assert f"{pip} {ROOT}" in noted.read_text().splitlines()
    assert use(job, version="0.2.0rc1").steps["install"]["outcome"] == "failure"
    assert told(job, "error")[-1].data == "version: another one was installed"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as GitHub would check it out."""
    folder = tmp_path_factory.mktemp("checkout") / "recipelint"
    git(ROOT, "clone", "--quiet", f"file://{ROOT}", str(folder))
    for name in ("action", "suggest", "recipelint", "tests", ".github", "action.yml", "pyproject.toml"):
        source, target = ROOT / name, folder / name
        if source.is_dir():
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "_rules.json"))
        else:
            shutil.copy(source, target)
    return folder


def test_the_commit_of_the_action_is_installed_whatever_the_repository_holds(checkout: Path, tmp_path: Path) -> None:
    """With a repository whose modules have the names of those that the action runs."""
    job = machine(tmp_path)
    job.stubs = {name: stub for name, stub in job.stubs.items() if name != "install"}
    for name in ("recipelint", "action", "pip", "venv", "json", "subprocess", "click", "sitecustomize", "ensurepip"):
        folder = job.workspace / name
        folder.mkdir()
        for file in ("__init__.py", "__main__.py"):
            (folder / file).write_text(f"open({str(tmp_path / 'pwned')!r}, 'w')\n")
    result = run_action(job, checkout, {"paths": WRONG})
    assert result.steps["install"]["outcome"] == "success", job.log
    assert result.outputs["errors"] == "1", job.log
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("name", ["wrong", "fixed"])
def test_the_project_uses_its_action(name: str, checkout: Path, tmp_path: Path) -> None:
    """The jobs of the project's own workflow, in a checkout of it."""
    workspace = Path(shutil.copytree(checkout, tmp_path / "recipelint"))
    job = machine(tmp_path / "machine", None, stubs={"actions/checkout": lambda given: {}})
    job.workspace = workspace
    result = run_job(job, ROOT / ".github" / "workflows" / "action.yml", name)
    assert result.success, job.log


def test_every_use_of_the_projects_workflows_names_a_known_commit() -> None:
    """One commit an action, and the version that it is beside it."""
    pinned: dict[str, set[str]] = {}
    files = [ROOT / "action.yml", ROOT / "suggest" / "action.yml", *(ROOT / ".github" / "workflows").glob("*.yml")]
    for file in files:
        for line in file.read_text("utf-8").splitlines():
            if match := re.search(r"uses: (\S+?)@(.*)", line):
                pinned.setdefault(match[1], set()).add(match[2])
    assert all(len(commits) == 1 for commits in pinned.values()), pinned
    assert all(re.fullmatch(r"[0-9a-f]{40} # v[0-9.]+", one) for commits in pinned.values() for one in commits)


def test_options_for_the_table_are_those_that_both_commands_take() -> None:
    from action.__main__ import FOR_TABLE
    from recipelint.cli.commands import check, table

    shared = {name for one in check.params for name in one.opts} & {name for one in table.params for name in one.opts}
    assert set(FOR_TABLE) <= shared


def test_inputs_are_all_in_the_documentation() -> None:
    page = (ROOT / "docs" / "ci.md").read_text("utf-8")
    action = document(ROOT / "action.yml")
    assert re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE) == [*action["inputs"], *action["outputs"]]

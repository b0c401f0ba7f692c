"""The workflows of docs/ci.md do what the page says of them, on pull requests that try to switch them off as well."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.actions.machine import (
    CODE_SCANNING,
    FIXTURES,
    ROOT,
    UPLOAD,
    commit,
    counted,
    git,
    machine,
    pull_request,
    told,
    use,
)
from tests.actions.runner import Job, Result, run_action, run_job
from tests.readme_blocks import blocks, run

PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
WORKFLOWS = [block.body for block in blocks(PAGE, "yaml") if "\njobs:" in block.body]
GUARDED = next(body for body in WORKFLOWS if body.startswith("name: Guarded"))
COMPLETE = next(body for body in WORKFLOWS if "  alerts:\n" in body)
SUGGESTIONS = next(body for body in WORKFLOWS if "workflow_run:" in body)
OURS, CHECKOUT = "your-org/recipelint", "actions/checkout"
LAUNCHER = "examples/scripts/quick_start/sft_qwen3_6_35b.sh"
OTHER = "examples/scripts/slurm/sft_omni3_30b.sh"
RULE = "ci/recipe-rules/TEAM001-big-batch.yaml"
BASELINE = "recipelint-baseline.json"


def the(job: Job, body: str, name: str) -> Result:
    """Run a job of a workflow of the page; how its use of the action ended."""
    made: list[Result] = []

    def action(given: dict[str, str]) -> dict[str, str]:
        made.append(run_action(job, ROOT, given))
        return made[0].outputs

    job.stubs = {**job.stubs, OURS: action, CHECKOUT: lambda given: {}}  # type: ignore[dict-item]
    file = job.temp / "workflow.yml"
    file.write_text(body, "utf-8")
    assert run_job(job, file, name).success
    (result,) = made
    return result


@pytest.fixture
def guarded(tmp_path: Path) -> Job:
    """A repository with a configuration, a rule of its own, and a baseline with the finding of one launcher."""
    job = machine(tmp_path, event_name="pull_request")
    run("recipelint rules new TEAM001 big-batch ci/recipe-rules", job.workspace)
    assert (job.workspace / RULE).is_file()
    (job.workspace / "recipelint.toml").write_text('rules = ["ci/recipe-rules"]\nselect = ["EP001", "TEAM001"]\n')
    run(f"recipelint --write-baseline {BASELINE} {OTHER}", job.workspace)
    (job.workspace / "recipelint.toml").write_text(
        f'rules = ["ci/recipe-rules"]\nselect = ["EP001", "TEAM001"]\nbaseline = "{BASELINE}"\n'
    )
    commit(job.workspace)
    return job


def merge(job: Job, change: Callable[[Path], object]) -> None:
    """What GitHub checks out for a pull request that makes the launchers wrong in a new way, and this change."""
    before = git(job.workspace, "rev-parse", "HEAD")
    git(job.workspace, "switch", "--quiet", "--create", "change")
    for name in (LAUNCHER, OTHER):
        launcher = job.workspace / name
        launcher.write_text(launcher.read_text("utf-8") + "echo done\n", "utf-8")
    change(job.workspace)
    git(job.workspace, "add", "--all", "--force")
    head = commit(job.workspace)
    git(job.workspace, "switch", "--quiet", "--detach", "main")
    git(job.workspace, "merge", "--quiet", "--no-ff", "--message=Merge", head)
    job.event = pull_request(before, head)


def write(name: str, text: str) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")

    return change


def baseline(folder: Path) -> None:
    run(f"recipelint --write-baseline {BASELINE} --select ALL .", folder)


def without_rules(folder: Path) -> None:
    for name in ("recipelint.toml", BASELINE):
        (folder / name).unlink()
    run("rm -r ci && ln -s examples ci", folder)


OFF = 'ignore = ["ALL"]\n'
SWITCHES: dict[str, Callable[[Path], object]] = {
    "configuration": write("recipelint.toml", OFF),
    "level": write("recipelint.toml", 'fail-level = "error"\nseverity = {EP001 = "info"}\n'),
    "nearer": write("examples/scripts/recipelint.toml", OFF),
    "pyproject": write("examples/scripts/pyproject.toml", f"[tool.recipelint]\n{OFF}"),
    "baseline": baseline,
    "gitignore": write(".gitignore", "*.sh\n"),
    "nested": write("examples/scripts/quick_start/.gitignore", "*\n"),
    "removed": without_rules,
    "more rules": write("ci/recipe-rules/broken.yaml", "code: 1\n"),
}


@pytest.mark.parametrize("name", SWITCHES)
def test_a_pull_request_cannot_switch_a_guarded_workflow_off(name: str, guarded: Job) -> None:
    merge(guarded, SWITCHES[name])
    result = the(guarded, GUARDED, "recipes")
    assert not result.success
    found = {(one.properties["file"], one.properties["title"].split()[0]) for one in told(guarded, "error")}
    assert (LAUNCHER, "EP001") in found, guarded.log
    assert OTHER not in {file for file, _ in found}, "it is in the baseline"
    assert len(found) == 1 or name == "pyproject", "which could name another AutoModel, so it reaches all"


@pytest.mark.parametrize("name", sorted({*SWITCHES} - {"removed", "more rules"}))
def test_it_can_switch_another_off(name: str, guarded: Job) -> None:
    """So the test above would see a switch that works."""
    merge(guarded, SWITCHES[name])
    assert use(guarded, paths="examples/scripts", changed_only="true").success, guarded.log


def test_rules_of_the_target_branch_count(guarded: Job) -> None:
    """A launcher that is wrong by such a rule alone, and a pull request that takes the rule out."""
    text = (FIXTURES / LAUNCHER).read_text("utf-8").replace("checkpoint full", "checkpoint none")
    write(LAUNCHER, text.replace("micro_batch_size 1", "micro_batch_size 8"))(guarded.workspace)
    commit(guarded.workspace)
    merge(guarded, lambda folder: (folder / RULE).unlink())
    assert the(guarded, GUARDED, "recipes").outputs["warnings"] == "1", guarded.log


def test_without_a_configuration_none_is_read(tmp_path: Path) -> None:
    """The other way of the page, whose words are those of its `args`."""
    assert "`--isolated`" in PAGE
    assert "`--select=EP,SH`" in PAGE
    job = machine(tmp_path, event_name="pull_request")
    merge(job, SWITCHES["configuration"])
    result = use(job, paths="examples/scripts", changed_only="true", args="--isolated\n--select=EP,SH")
    assert result.outputs["errors"] == "2", job.log


def test_all_of_it_in_a_pull_request(tmp_path: Path) -> None:
    job = machine(tmp_path, event_name="pull_request")
    merge(job, lambda folder: None)
    assert not the(job, COMPLETE, "recipes").success
    assert {one.properties["file"] for one in told(job, "error")} == {LAUNCHER, OTHER}
    assert "notice" not in counted(job)
    assert len(job.given(UPLOAD)) == 1
    assert not job.given(CODE_SCANNING)


def test_all_of_it_for_the_branch(tmp_path: Path) -> None:
    job = machine(tmp_path, event={"before": "0" * 40})
    assert the(job, COMPLETE, "alerts").outputs["errors"] == "7"
    assert "notice" not in counted(job)
    assert len(job.given(CODE_SCANNING)) == 1
    assert not job.given(UPLOAD)


def test_suggestions_follow_the_workflows_of_one_name() -> None:
    """Both workflows of that name are for the same file, so that there is one."""
    yaml = YAML(typ="safe")
    (followed,) = yaml.load(SUGGESTIONS)[True if True in yaml.load(SUGGESTIONS) else "on"]["workflow_run"]["workflows"]
    assert yaml.load(COMPLETE)["name"] == followed
    assert [yaml.load(body)["name"] for body in WORKFLOWS].count(followed) == 2
    assert "takes the place of the first workflow" in " ".join(PAGE.split())

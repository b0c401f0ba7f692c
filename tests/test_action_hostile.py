"""What a repository holds cannot command the runner, nor who reads a report, whatever its files are called and say."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from tests.actions.commands import Command, commands
from tests.actions.machine import CODE_SCANNING, FIXTURES, UPLOAD, commit, git, machine, pull_request, use
from tests.actions.runner import Job, pairs

NASTY = [
    "::error::pwned",
    "##[error]pwned",
    "##vso[task.setvariable variable=x]pwned",
    "::set-output name=findings::99",
    "::add-mask::a",
    "::stop-commands::x",
    "\x1b[31mred\x1b]8;;https://evil.example\x07",
    "\u202egnp.exe\u2066",
    "${{ github.token }}",
    "`x` | <img src=x> ![i](https://evil.example/i.png) [l](https://evil.example) @team",
    "$(touch pwned)",
    "'; touch pwned; '",
    "<!-- x --> <script>x</script>",
    "findings<<END",
    "%0A::error::pwned",
]
NAMES = [text.replace("/", "_") for text in NASTY] + ["a\n::error::pwned\nfindings=99.sh", "-rf.sh", "--fix.sh"]


def launcher(text: str) -> str:
    """A wrong recipe that gives TEXT to the trainer and to settings, says it in a comment, and sources it."""
    quoted = "'" + text.replace("'", "'\\''") + "'"
    comment = "".join(char if char.isprintable() else " " for char in text)
    return f"""#!/bin/bash
# {comment}; full checkpointing is safe with hybridep
EP={quoted}
torchrun -m molt.cli.train_sft --fsdp.ep_size 8 --model.gradient_checkpoint full \\
  --data.dataset {quoted} --fsdp.attn_implementation {quoted} --no_such{quoted} 1
if [ "$X" = {quoted} ]; then
  torchrun -m molt.cli.train_sft --fsdp.ep_size 8 --model.gradient_checkpoint full
fi
source {quoted}/common.sh
"""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Job:
    """The action, run on launchers of nasty names that say nasty things, with all that it can make of them."""
    job = machine(tmp_path_factory.mktemp("hostile"), event_name="pull_request")
    shutil.rmtree(job.workspace / "examples")  # the fewer files, the sooner each fix is verified
    before = commit(job.workspace)
    for number, name in enumerate(NAMES):
        path = job.workspace / (name if name.endswith(".sh") else f"{name}.sh")
        path.write_text(launcher(NASTY[number % len(NASTY)]), "utf-8")
    job.event = pull_request(before, commit(job.workspace))
    result = use(
        job,
        paths="\n".join(
            ["*", "$(touch pwned)", "; touch pwned", "--fix", "-", ".", "${{ github.token }}", "`touch pwned`"]
        ),
        upload_sarif="true",
        fix_suggestions="true",
    )
    job.variables = {"outputs": json.dumps(result.outputs)}
    return job


def test_nothing_was_run_or_changed(hostile: Job) -> None:
    assert not list(hostile.workspace.parent.rglob("pwned"))
    assert git(hostile.workspace, "status", "--porcelain") == ""


def test_the_log_has_the_annotations_of_the_findings_and_no_other_command(hostile: Job) -> None:
    found = commands(hostile.log)
    assert {one.name for one in found} == {"error", "warning", "notice"}
    assert all(one.data != "pwned" for one in found)
    named = {one.properties["file"] for one in found if "file" in one.properties}
    names = {
        name if name.endswith(".sh") else f"{name}.sh" for name in NAMES if name.isprintable() and "##" not in name
    }
    assert named >= names
    for one in found:
        assert one.properties["title"].isprintable()
        assert not commands(f"{one.data}\n{one.properties['title']}"), one
    for line in hostile.log.split("\n"):
        assert line.isprintable() or line.replace("\t", "").isprintable()
        assert "##[" not in line


def test_a_command_would_be_seen() -> None:
    """The reader of the log, by which the others are judged."""
    assert commands("  ::error file=a%2Cb,line=1::x%0Ay") == [Command("error", {"file": "a,b", "line": "1"}, "x\ny")]
    assert [one.name for one in commands("text ##[add-mask]x\r::notice::y")] == ["add-mask", "notice"]
    assert commands("text ::error::x\n::no-such::y\n ::error x") == []
    assert [one.name for one in commands("::stop-commands::t\n::error::x\n::t::\n::debug::y")] == [
        "stop-commands",
        "debug",
    ]


def test_outputs_are_numbers_and_a_file(hostile: Job) -> None:
    outputs = json.loads(hostile.variables["outputs"])
    assert all(outputs[name].isdecimal() for name in ("findings", "errors", "warnings", "fixed"))
    assert int(outputs["errors"]) > len(NAMES)
    assert outputs["fixed"] == "0"
    assert Path(outputs["sarif-file"]).parent.parent == hostile.temp
    with pytest.raises(Exception, match="END is missing"):
        pairs("a=1\nb<<END\nx")


def test_the_summary_is_text_and_nothing_else(hostile: Job) -> None:
    assert "pwned" in hostile.summary
    tokens = MarkdownIt("commonmark").enable(["table"]).parse(hostile.summary)
    blocks = {token.type.removesuffix("_open").removesuffix("_close") for token in tokens}
    assert blocks == {"heading", "paragraph", "inline", "table", "thead", "tbody", "tr", "th", "td", "hardbreak"} - {
        "hardbreak"
    }
    inline = [child for token in tokens for child in token.children or []]
    assert {child.type for child in inline} <= {"text", "code_inline", "softbreak", "hardbreak"}
    text = "".join(child.content for child in inline if child.type == "text")
    assert not set("@<>[]#&`$") & set(text)
    assert "//" not in text
    assert "evil.example" in "".join(child.content for child in inline if child.type == "code_inline")
    rows = [line for line in hostile.summary.splitlines() if line.startswith("|")]
    assert len(rows) > 2 * len(NAMES)
    for kind, count in (("td", 5), ("th", 5)):
        per_row = [0]
        for token in tokens:
            per_row[-1] += token.type == f"{kind}_open"
            if token.type == "tr_close":
                per_row.append(0)
        assert set(per_row) <= {0, count, 6}


def test_the_files_for_services_are_inert(hostile: Job) -> None:
    sarif = Path(hostile.given(UPLOAD)[0]["path"]).parent / "recipelint.sarif"
    for file in (Path(hostile.given(UPLOAD)[0]["path"]), sarif):
        text = file.read_text("utf-8")
        assert not commands(text)
        assert text.isascii()
        assert "\x1b" not in text
        json.loads(text)
    assert hostile.given(CODE_SCANNING)


@pytest.mark.parametrize(
    "name", ["paths", "args", "config", "fail_level", "working_directory", "version", "changed_only"]
)
@pytest.mark.parametrize(
    "text",
    [NASTY[1], NASTY[6], "${{ github.token }}", "a\n::error::pwned\nfindings=99; touch pwned", "\u2028$(touch pwned)"],
)
def test_inputs_are_inert(name: str, text: str, tmp_path: Path) -> None:
    """Whatever a workflow puts into an input, of an event perhaps."""
    job = machine(tmp_path, FIXTURES / "examples" / "scripts" / "slurm")
    if name == "version":
        job.stubs = {key: stub for key, stub in job.stubs.items() if key != "install"}
    given = {"paths": "rl_glm5_2_753b.sh", name: text}
    result = use(job, **given)
    assert not result.success
    assert result.outputs["findings"] in ("", "0")
    assert not list(tmp_path.rglob("pwned"))
    found = commands(job.log)
    assert {one.name for one in found} == {"error"}
    assert all(one.data != "pwned" for one in found)
    assert "ghs_secret" not in job.log
    assert "\x1b" not in job.log
    assert "\u202e" not in job.log


@pytest.mark.parametrize("planted", [False, True])
def test_a_folder_that_looks_like_a_repository_is_none(planted: bool, tmp_path: Path) -> None:
    """A pull request can commit all that a bare repository holds, and git would take its configuration."""
    job = machine(tmp_path, event_name="pull_request")
    before = git(job.workspace, "rev-parse", "HEAD")
    folder = job.workspace / "examples"
    if planted:
        for inner in ("objects/x", "refs/x"):
            (folder / inner).mkdir(parents=True)
            (folder / inner / "kept").touch()
        (folder / "HEAD").write_text("ref: refs/heads/main\n")
        (folder / "config").write_text(
            "[core]\nrepositoryformatversion = 1\nbare = true\n[extensions]\npartialClone = origin\n"
            f'[remote "origin"]\nurl = .\npromisor = true\nuploadpack = "touch {tmp_path}/pwned; false"\n'
            f'[core]\nfsmonitor = "touch {tmp_path}/pwned"\n'
        )
    changed = folder / "scripts" / "quick_start" / "sft_qwen3_6_35b.sh"
    changed.write_text(changed.read_text("utf-8") + "# more\n", "utf-8")
    job.event = pull_request(before, commit(job.workspace))
    result = use(job, working_directory="examples", changed_only="true", paths="scripts")
    assert not (tmp_path / "pwned").exists()
    assert result.outputs["errors"] == "1"
    assert "### Recipes that the change reaches" in job.summary


@pytest.mark.parametrize("name", ["paths", "working_directory", "config"])
@pytest.mark.parametrize("inside", [False, True])
def test_no_link_leads_out_of_the_workspace(name: str, inside: bool, tmp_path: Path) -> None:
    """A pull request can put a link in the place of a folder or a file that the workflow names."""
    job = machine(tmp_path)
    away = job.workspace / "inner" if inside else tmp_path / "away"
    (away / "a").mkdir(parents=True)
    (away / "a" / "secret.sh").write_text("torchrun -m molt.cli.train_sft --fsdp.ep_size 8 # secret\n")
    (away / "a" / "b.toml").write_text('ignore = ["ALL"]\n')
    (job.workspace / "recipes").symlink_to(away)
    commit(job.workspace)
    given = {"paths": "recipes/a", "working_directory": "recipes/a", "config": "recipes/a/b.toml"}
    result = use(job, **{"paths": "secret.sh" if name == "working_directory" else "recipes", name: given[name]})
    if inside:
        assert "leads out" not in job.log
        assert result.outputs["findings"] != ""
    else:
        assert not result.success
        assert "leads out of the workspace" in job.log
        assert "secret" not in job.log + job.summary


def test_what_the_workflow_itself_names_outside_is_checked(tmp_path: Path) -> None:
    job = machine(tmp_path)
    (tmp_path / "away").mkdir()
    (tmp_path / "away" / "a.sh").write_text("echo\n")
    assert use(job, paths=f"{tmp_path / 'away'}\n../away").success

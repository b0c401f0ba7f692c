"""The hooks of .pre-commit-hooks.yaml, run by pre-commit itself in scratch repositories, mostly by a real `git commit`.

All tests share one environment of the hooks, which pre-commit installs from a checkout under its own lock.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from recipelint.discovery.walk import EXTENSIONS, PYTHON
from tests.readme_blocks import FIXTURES, ROOT, blocks
from tests.shipped import TAG, URL, environment, hosted, run

WRONG = """\
#!/bin/bash
GRAD_CHECKPOINT="${GRAD_CHECKPOINT-full}"

torchrun --nproc_per_node=8 -m molt.cli.train_sft \\
  --model.model_name_or_path /m \\
  --fsdp.ep_size 8 \\
  --model.gradient_checkpoint "$GRAD_CHECKPOINT"

echo done
"""
RIGHT = WRONG.replace("-full}", "-none}")
SOURCING = WRONG.replace(
    'GRAD_CHECKPOINT="${GRAD_CHECKPOINT-full}"\n', 'source "$(dirname "${BASH_SOURCE[0]}")/common.sh"\n'
)
CHECKED = [{"id": "recipelint"}]
FIXED = [{"id": "recipelint-fix"}]
AS_JSON = [{"id": "recipelint", "args": ["--output-format", "json", "--"]}]
PAGE = (ROOT / "docs" / "pre-commit.md").read_text("utf-8")


class Repository:
    """A scratch repository in which the hooks are installed; what pre-commit needs is what a user's git would have."""

    def __init__(self, folder: Path, env: dict[str, str]) -> None:
        self.folder = folder
        self.env = env
        folder.mkdir()
        self.git("init", "--quiet")
        self.pre_commit("install")

    def git(self, *words: str, status: int = 0) -> str:
        return run("git", *words, cwd=self.folder, env=self.env, status=status)

    def pre_commit(self, *words: str, status: int = 0) -> str:
        return run(sys.executable, "-m", "pre_commit", *words, cwd=self.folder, env=self.env, status=status)

    def use(self, hooks: list[dict[str, Any]], **top: object) -> None:
        """Have pre-commit run hooks; JSON is YAML."""
        config = {"repos": [{"repo": URL, "rev": TAG, "hooks": hooks}], **top}
        self.write(".pre-commit-config.yaml", json.dumps(config))
        self.git("add", ".pre-commit-config.yaml")

    def write(self, name: str, text: str) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def read(self, name: str) -> str:
        return (self.folder / name).read_text("utf-8")

    def stage(self, name: str, text: str) -> None:
        self.write(name, text)
        self.git("add", "--", name)

    def staged(self, name: str) -> str:
        return self.git("show", f":{name}")

    def commit(self, *, stopped: bool = False, **env: str) -> str:
        """Commit what is staged: what git and the hooks print. A commit that a hook stops is not made."""
        before = self.git("rev-list", "--all", "--count")
        argv = ("sh", "-c", "git commit --message=Change 2>&1")
        report = run(*argv, cwd=self.folder, env={**self.env, **env}, status=int(stopped))
        assert (self.git("rev-list", "--all", "--count") == before) is stopped
        return report

    def amid(self, name: str, text: str) -> None:
        """Commit a file without the hooks."""
        self.stage(name, text)
        self.git("commit", "--quiet", "--no-verify", "--message=Before")


@pytest.fixture
def repository(checkout: Path, shared: Path, tmp_path: Path) -> Repository:
    env = environment(hosted(checkout), PRE_COMMIT_HOME=str(shared / "pre-commit"))
    return Repository(tmp_path / "repository", env)


def outcome(report: str) -> str:
    """What pre-commit says of its one hook: Passed, Failed, Skipped."""
    line = next(line for line in report.splitlines() if line.startswith("recipelint") and "..." in line)
    return line.rpartition(".")[2].rpartition(")")[2]


def found(report: str) -> list[str]:
    """The paths of the findings in what a hook printed as JSON; of several runs, one after the other."""
    paths: list[str] = []
    at = report.find("{")
    while at >= 0:
        document, end = json.JSONDecoder().raw_decode(report, at)
        paths += [diagnostic["path"] for diagnostic in document["diagnostics"]]
        at = report.find("{", end)
    return paths


def of_the_page(word: str, *, only: str = "") -> list[dict[str, Any]]:
    """The hooks of the first block of docs/pre-commit.md in which a word stands; the one in whose name another does."""
    body = next(block.body for block in blocks(PAGE, "yaml") if word in block.body)
    return [hook for hook in YAML(typ="safe").load(body)["repos"][0]["hooks"] if only in hook.get("name", "")]


WHOLE_FOLDER = of_the_page("always_run")
REACHED = of_the_page("--changed-since", only="reaches")


def test_the_manifest_is_one(repository: Repository) -> None:
    repository.pre_commit("validate-manifest", str(ROOT / ".pre-commit-hooks.yaml"))


@pytest.mark.parametrize("hooks", [CHECKED, FIXED], ids=["check", "fix"])
def test_a_clean_launcher_is_committed(repository: Repository, hooks: list[dict[str, Any]]) -> None:
    repository.use(hooks)
    repository.stage("a.sh", RIGHT)
    assert outcome(repository.commit()) == "Passed"
    assert repository.read("a.sh") == RIGHT


def test_a_wrong_launcher_is_not_committed(repository: Repository) -> None:
    repository.use(CHECKED)
    repository.stage("a.sh", WRONG)
    report = repository.commit(stopped=True)
    assert outcome(report) == "Failed"
    assert "- exit code: 1\n" in report
    assert "error[EP001]" in report
    assert "files were modified" not in report
    assert repository.read("a.sh") == repository.staged("a.sh") == WRONG
    assert outcome(repository.commit(SKIP="recipelint")) == "Skipped"


def test_a_fixed_launcher_is_committed_once_it_is_added(repository: Repository) -> None:
    repository.use(FIXED)
    repository.stage("a.sh", WRONG)
    report = repository.commit(stopped=True)
    assert "- exit code: 1\n- files were modified by this hook\n" in report
    assert "fixed a.sh:2: EP001" in report
    assert 'GRAD_CHECKPOINT="${GRAD_CHECKPOINT-none}"\n' in repository.read("a.sh")
    assert repository.staged("a.sh") == WRONG
    repository.git("add", "a.sh")
    assert outcome(repository.commit()) == "Passed"
    assert repository.git("status", "--porcelain") == ""


def test_what_has_no_safe_fix_fails_and_stays(repository: Repository) -> None:
    text = WRONG.replace("\n\n", '\n[ "$(hostname)" != login ] || GRAD_CHECKPOINT=none\n', 1)
    repository.use(FIXED)
    repository.stage("a.sh", text)
    report = repository.commit(stopped=True)
    assert "error[EP001]" in report
    assert "files were modified" not in report
    assert repository.read("a.sh") == text


def test_what_is_staged_is_what_counts(repository: Repository) -> None:
    repository.use(CHECKED)
    repository.stage("a.sh", WRONG)
    repository.write("a.sh", RIGHT)
    repository.commit(stopped=True)
    assert (repository.staged("a.sh"), repository.read("a.sh")) == (WRONG, RIGHT)
    repository.stage("a.sh", RIGHT)
    repository.write("a.sh", WRONG)
    repository.commit()
    assert (repository.git("show", "HEAD:a.sh"), repository.read("a.sh")) == (RIGHT, WRONG)


def test_a_fix_leaves_the_unstaged_rest_alone(repository: Repository) -> None:
    repository.use(FIXED)
    repository.stage("a.sh", WRONG)
    repository.write("a.sh", WRONG.replace("echo done", "echo finished"))
    repository.commit(stopped=True)
    assert repository.staged("a.sh") == WRONG
    assert "-none}" in repository.read("a.sh")
    assert "echo finished" in repository.read("a.sh")


def test_a_fix_of_lines_with_unstaged_changes_is_undone_and_nothing_is_lost(repository: Repository) -> None:
    mine = WRONG.replace('"${GRAD_CHECKPOINT-full}"', '"${GRAD_CHECKPOINT-full}"  # ask Kim')
    repository.use(FIXED)
    repository.stage("a.sh", WRONG)
    repository.write("a.sh", mine)
    report = repository.commit(stopped=True)
    assert "Stashed changes conflicted with hook auto-fixes... Rolling back fixes..." in report
    assert (repository.staged("a.sh"), repository.read("a.sh")) == (WRONG, mine)


@pytest.mark.parametrize("hooks", [WHOLE_FOLDER, REACHED], ids=["folder", "reached"])
@pytest.mark.parametrize(
    ("name", "safe", "alone"),
    [("common.sh", "GRAD_CHECKPOINT=none\n", "Passed"), ("cluster.env", "GRAD_CHECKPOINT=none\n", "Skipped")],
)
def test_a_launcher_whose_sourced_file_changed(
    repository: Repository, hooks: list[dict[str, Any]], name: str, safe: str, alone: str
) -> None:
    """It is not in the commit, so only what the page recommends finds it."""
    repository.amid(f"examples/scripts/{name}", safe)
    repository.amid("examples/scripts/a.sh", SOURCING.replace("common.sh", name))
    repository.use(CHECKED)
    repository.stage(f"examples/scripts/{name}", safe.replace("none", "full"))
    assert outcome(repository.commit()) == alone
    repository.git("reset", "--quiet", "--soft", "HEAD^")

    repository.use(hooks)
    report = repository.commit(stopped=True)
    assert "error[EP001]" in report
    assert f"--> examples/scripts/{name}:1:" in report
    repository.stage(f"examples/scripts/{name}", safe)
    assert outcome(repository.commit()) == "Passed"


@pytest.mark.parametrize("hooks", [WHOLE_FOLDER, REACHED], ids=["folder", "reached"])
def test_a_commit_that_only_deletes_what_kept_a_launcher_quiet(
    repository: Repository, hooks: list[dict[str, Any]]
) -> None:
    repository.amid("examples/scripts/a.sh", WRONG)
    repository.amid("recipelint.toml", 'ignore = ["EP001"]\n')
    repository.use(hooks)
    assert outcome(repository.commit()) == "Passed"
    repository.git("rm", "--quiet", "recipelint.toml")
    assert "error[EP001]" in repository.commit(stopped=True)


def test_a_launcher_that_the_commit_does_not_reach(repository: Repository) -> None:
    repository.amid("examples/scripts/old.sh", WRONG)
    repository.stage("examples/scripts/new.sh", RIGHT)
    repository.use(WHOLE_FOLDER)
    assert "examples/scripts/old.sh:" in repository.commit(stopped=True)
    repository.use(REACHED)
    assert outcome(repository.commit()) == "Passed"
    repository.stage("examples/scripts/new.sh", WRONG)
    report = repository.commit(stopped=True)
    assert "examples/scripts/new.sh:" in report
    assert "examples/scripts/old.sh:" not in report


@pytest.mark.parametrize("hooks", [WHOLE_FOLDER, REACHED], ids=["folder", "reached"])
@pytest.mark.parametrize("file", [".git/info/exclude", ".gitignore"])
def test_a_draft_that_is_not_added(repository: Repository, hooks: list[dict[str, Any]], file: str) -> None:
    """It stops a commit of something else, unless git ignores it or the hook is the plain one."""
    repository.amid("examples/scripts/a.sh", RIGHT)
    repository.write("examples/scripts/draft.sh", WRONG)
    repository.stage("notes.sh", "echo notes\n")
    repository.use(hooks)
    assert "examples/scripts/draft.sh:" in repository.commit(stopped=True)
    repository.use(CHECKED)
    assert outcome(repository.commit()) == "Passed"
    repository.use(hooks)
    repository.write(file, "draft.sh\n")
    assert outcome(repository.commit()) == "Passed"


def test_the_first_commit_of_a_repository_has_nothing_to_compare_with(repository: Repository) -> None:
    repository.stage("examples/scripts/a.sh", RIGHT)
    repository.use(REACHED)
    assert "- exit code: 2\n" in repository.commit(stopped=True)
    repository.use(WHOLE_FOLDER)
    assert outcome(repository.commit()) == "Passed"


@pytest.mark.parametrize("hooks", [CHECKED, [{"id": "recipelint", "args": ["--select", "EP001"]}]])
@pytest.mark.parametrize("whose", ["recipelint", "pre-commit"])
def test_an_excluded_path(repository: Repository, whose: str, hooks: list[dict[str, Any]]) -> None:
    repository.use(hooks, **({"exclude": "^attic/"} if whose == "pre-commit" else {}))
    if whose == "recipelint":
        repository.stage("recipelint.toml", 'exclude = ["attic/"]\n')
    repository.stage("attic/a.sh", WRONG)
    assert outcome(repository.commit()) == ("Skipped" if whose == "pre-commit" else "Passed")
    repository.stage("b.sh", WRONG)
    report = repository.commit(stopped=True)
    assert "b.sh:" in report
    assert "attic" not in report


def test_options_of_the_user_replace_those_of_the_hook(repository: Repository) -> None:
    repository.use([{"id": "recipelint", "args": ["--select", "SH003"]}])
    repository.stage("a.sh", WRONG)
    repository.commit()
    repository.use(of_the_page("--fail-level"))
    repository.stage("-b.sh", WRONG)
    assert "fixed -b.sh:2: EP001" in repository.commit(stopped=True)


def test_names_of_all_kinds(repository: Repository) -> None:
    names = [
        "-x.sh",
        "--fix.sh",
        "$(touch hacked).sh",
        "a b/c  d.sh",
        "new\nline.sh",
        "quote'\".sh",
        "训练.sh",
        "é*.sh",
    ]
    repository.use(CHECKED)
    for name in names:
        repository.stage(name, WRONG)
    report = repository.commit(stopped=True)
    assert f"Found {len(names)} errors in {len(names)} files" in report
    assert "new\nline.sh" not in report
    repository.use(AS_JSON)
    assert sorted(found(repository.commit(stopped=True))) == sorted(names)
    repository.use(FIXED)
    repository.commit(stopped=True)
    repository.git("add", ".")
    assert outcome(repository.commit()) == "Passed"
    assert not (repository.folder / "hacked").exists()


def test_every_kind_of_file_that_a_folder_is_searched_for(repository: Repository) -> None:
    names = [f"a{extension}" for extension in EXTENSIONS]
    others = ["a.txt", "a.sh.orig", "Makefile", "plain", "a.zsh"]
    claim = '"""Set MOLT_MOE_DISPATCHER=torch: the default hybridep dispatcher is safe with full checkpointing."""\n'
    repository.use(AS_JSON)
    for name in (*names, *others):
        repository.stage(name, WRONG)
    repository.stage(f"a{PYTHON}", claim)
    assert set(found(repository.commit(stopped=True))) - {f"a{PYTHON}"} == set(names)


def test_launchers_without_an_extension(repository: Repository) -> None:
    repository.use([{**hook, **AS_JSON[0]} for hook in of_the_page("no extension")])
    for name in ("bin/train", "bin/not-executable"):
        repository.stage(name, WRONG)
    repository.stage("bin/python", "#!/usr/bin/env python3\n" + WRONG)
    for name in ("bin/train", "bin/python"):
        (repository.folder / name).chmod(0o755)
    repository.git("add", ".")
    assert found(repository.commit(stopped=True)) == ["bin/train"]


def test_a_symbolic_link_is_not_followed(repository: Repository) -> None:
    repository.amid("a.sh", WRONG)
    repository.use(FIXED)
    (repository.folder / "link.sh").symlink_to("a.sh")
    repository.git("add", "link.sh")
    assert outcome(repository.commit()) == "Skipped"
    assert repository.read("a.sh") == WRONG


def test_a_deleted_file_is_not_read(repository: Repository) -> None:
    repository.amid("a.sh", WRONG)
    repository.use(CHECKED)
    repository.git("rm", "--quiet", "a.sh")
    assert outcome(repository.commit()) == "Skipped"


def test_a_binary_file_is_left_out_unless_its_name_says_that_it_is_text(repository: Repository) -> None:
    repository.use(CHECKED)
    repository.amid("a.slurm", "")
    (repository.folder / "a.slurm").write_bytes(b"\x7fELF\0\0")
    repository.git("add", "a.slurm")
    assert outcome(repository.commit()) == "Skipped"
    (repository.folder / "b.sh").write_bytes(b"\x7fELF\0\0")
    repository.git("add", "b.sh")
    assert "- exit code: 2\n\nNo launchers were read\nrecipelint: b.sh: is binary\n" in repository.commit(stopped=True)


def test_more_files_than_one_command_line_holds(repository: Repository) -> None:
    folder = "/".join(letter * 200 for letter in "abcd")
    wrong = [f"{folder}/{number:03}.sh" for number in (0, 80, 179)]
    for number in range(180):
        repository.write(f"{folder}/{number:03}.sh", WRONG if f"{folder}/{number:03}.sh" in wrong else RIGHT)
    repository.git("add", ".")
    repository.use(AS_JSON)
    report = repository.commit(stopped=True)
    assert report.count('"summary"') > 1
    assert sorted(found(report)) == wrong


def test_all_files(repository: Repository) -> None:
    shutil.copytree(FIXTURES, repository.folder, dirs_exist_ok=True)
    repository.git("add", ".")
    repository.use(CHECKED)
    report = repository.pre_commit("run", "--all-files", status=1)
    alone = run(sys.executable, "-m", "recipelint", ".", cwd=repository.folder, env={"PYTHONPATH": str(ROOT)}, status=1)
    assert alone.splitlines()[-1] in report.splitlines()
    assert repository.git("diff", "--name-only") == ""


def test_hooks_differ_in_what_they_are_for_alone() -> None:
    check, fix = YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    own = {"id", "name", "description", "entry"}
    assert {key: check[key] for key in check.keys() - own} == {key: fix[key] for key in fix.keys() - own}
    assert sorted(fix["entry"].split()) == sorted([*check["entry"].split(), "--fix", "--exit-non-zero-on-fix"])

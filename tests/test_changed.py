"""--changed-since: each kind of dependency, in real git repositories, reaches exactly the launchers that have it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from recipelint import git, run
from recipelint.discovery import discover
from recipelint.outcome import Outcome
from recipelint.settings import SettingsError, resolve

SFT = "torchrun -m molt.cli.train_sft --model.model_name_or_path /m --fsdp.ep_size 8"
TRAINER = (
    "import argparse\nfrom options import add\nparser = argparse.ArgumentParser()\nadd(parser)\nparser.parse_args()\n"
)
OPTIONS = "def add(parser):\n    parser.add_argument('--lr', type=float)\n"
ENTRY = """\
import argparse
from molt.cli.common import add
def main():
    parser = argparse.ArgumentParser()
    add(parser)
    parser.add_argument("--model.gradient_checkpoint", nargs="?", const="full", default="full")
    parser.add_argument("--model.model_name_or_path")
    args = parser.parse_args()
if __name__ == "__main__":
    main()
"""
COMMON = "def add(parser):\n    parser.add_argument('--fsdp.ep_size', type=int, default=1)\n"
FILES = {
    "alone.sh": "echo alone\n",
    "sources.sh": f'source "$(dirname "$0")/lib/common.sh"\n{SFT.replace("-m molt.cli.train_sft", "-m other.train")}\n',
    "again.sh": "source lib/common.sh\necho again\n",
    "calls.sh": "bash run/inner.sh\n",
    "submits.sh": "sbatch run/inner.sh\n",
    "misses.sh": "source lib/missing.sh\n",
    "trains.sh": "python scripts/train.py --lr 1\n",
    "trains2.sh": "python scripts/train.py --lr 2\n",
    "deep/molt.sh": f"{SFT} --model.gradient_checkpoint none\n",
    "deep/molt2.sh": f"{SFT} --model.gradient_checkpoint full\n",
    "lib/common.sh": "source lib/inner.sh\n",
    "lib/inner.sh": "LR=1\n",
    "run/inner.sh": "echo inner\n",
    "scripts/train.py": TRAINER,
    "scripts/options.py": OPTIONS,
    "molt/__init__.py": "",
    "molt/cli/__init__.py": "",
    "molt/cli/train_sft.py": ENTRY,
    "molt/cli/common.py": COMMON,
    "deep/requirements.txt": "-r more.txt\n",
    "deep/more.txt": "nemo-automodel==0.5.0\n",
    "notes.md": "nothing\n",
}
SHARED = {"sources.sh", "again.sh", "lib/common.sh"}
MOLT = {"deep/molt.sh", "deep/molt2.sh", "molt/cli/train_sft.py"}
TRAINS = {"trains.sh", "trains2.sh"}
PACKAGE = {"molt/cli/train_sft.py", "molt/cli/common.py", "molt/cli/__init__.py"}
"""The Python files that are looked into: those in the folder of an entry point."""
EVERYTHING = {name for name in FILES if name.endswith(".sh")} | PACKAGE


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without a configuration of git, and no repository that the environment names."""
    folder = tmp_path / "home"
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return folder


def in_git(folder: Path, *words: str) -> str:
    settings = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "protocol.file.allow=always")
    done = subprocess.run(["git", *settings, *words], cwd=folder, check=True, capture_output=True, encoding="utf-8")
    return done.stdout.strip()


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


def commit(folder: Path, message: str = "more") -> str:
    in_git(folder, "add", "-A")
    in_git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return in_git(folder, "rev-parse", "HEAD")


def made(folder: Path, files: Mapping[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    in_git(folder, "init", "-q", "-b", "main")
    write(folder, files)
    commit(folder, "first")
    return folder


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = made(tmp_path / "repo", FILES)
    monkeypatch.chdir(folder)
    return folder


def check(revision: str = "HEAD", *paths: str, **options: object) -> Outcome:
    settings = resolve({"paths": paths or (".",), "changed_since": revision, **options})
    return run.check(settings, discover(settings).files)


def seen(outcome: Outcome) -> set[str]:
    return {one.source.path for one in outcome.launchers} | {one.path for one in outcome.python}


def reached(revision: str = "HEAD", *paths: str) -> set[str]:
    """The files that are looked into; the launchers that are not are said to be unchanged."""
    outcome = check(revision, *paths)
    everything = resolve({"paths": paths or (".",)})
    launchers = {one.source.path for one in run.check(everything, discover(everything).files).launchers}
    assert outcome.unchanged is not None
    assert set(outcome.unchanged) == launchers - seen(outcome)
    return seen(outcome)


def append(path: Path, text: str = "# more\n") -> None:
    path.write_bytes(path.read_bytes() + text.encode())


# --- dependencies --------------------------------------------------------------------------------------


def test_where_nothing_changed_nothing_is_reached(repo: Path) -> None:
    assert reached() == set()


def test_the_files_are_all_looked_into_without_the_option(repo: Path) -> None:
    settings = resolve({"paths": (".",)})
    assert seen(run.check(settings, discover(settings).files)) == EVERYTHING


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("alone.sh", {"alone.sh"}),
        ("lib/common.sh", SHARED),
        ("lib/inner.sh", {*SHARED, "lib/inner.sh"}),
        ("run/inner.sh", {"calls.sh", "submits.sh", "run/inner.sh"}),
        ("scripts/train.py", TRAINS),
        ("scripts/options.py", TRAINS),
        ("molt/cli/train_sft.py", MOLT),
        ("molt/cli/common.py", {*MOLT, "molt/cli/common.py"}),
        ("molt/cli/__init__.py", {*MOLT, "molt/cli/__init__.py"}),
        ("molt/__init__.py", MOLT),
        ("deep/requirements.txt", {"deep/molt.sh", "deep/molt2.sh"}),
        ("deep/more.txt", {"deep/molt.sh", "deep/molt2.sh"}),
        ("notes.md", set()),
    ],
)
@pytest.mark.parametrize("how", ["edit", "stage", "commit", "delete"])
def test_a_change_reaches_what_reads_the_file(repo: Path, name: str, expected: set[str], how: str) -> None:
    if how == "delete":
        (repo / name).unlink()
    else:
        append(repo / name)
    if how == "stage":
        in_git(repo, "add", name)
    if how == "commit":
        commit(repo)
    found = reached("HEAD~1" if how == "commit" else "HEAD")
    gone = {name} if how == "delete" else set()
    assert found == expected - gone


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("lib/missing.sh", "A=1\n", {"misses.sh", "lib/missing.sh"}),
        ("scripts/argparse_extra.py", "", set()),
        ("src/molt/__init__.py", "", MOLT),
        ("deep/uv.lock", "", {"deep/molt.sh", "deep/molt2.sh"}),
        ("deep/pyproject.toml", "", {"deep/molt.sh", "deep/molt2.sh"}),
        # For the launchers the requirement is found in deep/, nearer; for the entry point it is looked for up here.
        ("setup.py", "", {"molt/cli/train_sft.py"}),
        ("lib/other.sh", "A=1\n", {"lib/other.sh"}),
    ],
)
def test_a_new_file_reaches_what_looked_for_it(repo: Path, name: str, text: str, expected: set[str]) -> None:
    write(repo, {name: text})
    assert reached() == expected


def test_where_no_requirement_is_found_each_that_was_looked_for_counts(repo: Path) -> None:
    write(repo, {"deep/requirements.txt": "torch\n", "deep/more.txt": ""})
    commit(repo)
    write(repo, {"setup.py": ""})
    # The package's own file is judged by what the repository asks for as well.
    assert reached() == {"deep/molt.sh", "deep/molt2.sh", "molt/cli/train_sft.py"}


def test_an_untracked_file_that_git_ignores_is_no_change(repo: Path) -> None:
    write(repo, {".gitignore": "lib/missing.sh\n"})
    commit(repo)
    write(repo, {"lib/missing.sh": "A=1\n"})
    assert reached() == set()
    assert reached("HEAD", "misses.sh", "lib/missing.sh") == set()


def test_a_tracked_file_that_git_would_ignore_is_one(repo: Path) -> None:
    write(repo, {".gitignore": "lib/common.sh\n"})
    commit(repo)
    append(repo / "lib/common.sh")
    assert reached() == SHARED - {"lib/common.sh"}  # which is not looked for in the folder
    in_git(repo, "rm", "-q", "--cached", "lib/common.sh")
    assert reached() == SHARED - {"lib/common.sh"}


def test_touching_a_file_is_no_change(repo: Path) -> None:
    os.utime(repo / "lib/common.sh", (1, 1))
    (repo / "alone.sh").write_bytes((repo / "alone.sh").read_bytes())
    assert reached() == set()


def test_what_is_staged_and_taken_back_is_no_change(repo: Path) -> None:
    append(repo / "alone.sh")
    in_git(repo, "add", "alone.sh")
    write(repo, {"alone.sh": FILES["alone.sh"]})
    assert reached() == set()


def test_a_rename_reaches_both_ends(repo: Path) -> None:
    in_git(repo, "mv", "lib/common.sh", "lib/missing.sh")
    assert reached() == {"sources.sh", "again.sh", "misses.sh", "lib/missing.sh"}


def test_a_folder_that_becomes_a_link_reaches_what_is_behind_it(repo: Path) -> None:
    shutil.move(repo / "lib", repo / "lib2")
    (repo / "lib").symlink_to("lib2")
    assert reached() == {"sources.sh", "again.sh", "misses.sh", "lib2/common.sh", "lib2/inner.sh"}
    commit(repo)
    assert reached() == set()
    append(repo / "lib2/inner.sh")
    assert reached() == {"sources.sh", "again.sh", "lib2/inner.sh", "lib2/common.sh"}
    in_git(repo, "checkout", "-q", ".")
    (repo / "lib").unlink()
    assert reached() == {"sources.sh", "again.sh", "misses.sh", "lib2/common.sh"}


def test_a_link_counts_with_its_target(repo: Path) -> None:
    (repo / "linked.sh").symlink_to("alone.sh")
    (repo / "calls.sh").write_text("bash linked.sh\n")
    commit(repo)
    assert reached() == set()
    append(repo / "alone.sh")
    assert reached() == {"alone.sh", "calls.sh"}
    assert reached("HEAD", "linked.sh") == {"linked.sh"}
    in_git(repo, "checkout", "-q", ".")
    (repo / "linked.sh").unlink()
    (repo / "linked.sh").symlink_to("again.sh")
    assert reached() == {"calls.sh"}


@pytest.mark.parametrize("target", ["../out.sh", "/etc/hostname"])
def test_a_link_that_leads_outside_is_what_it_was(repo: Path, target: str) -> None:
    (repo.parent / "out.sh").write_text("A=1\n")
    (repo / "lib/missing.sh").symlink_to(target)
    commit(repo)
    (repo.parent / "out.sh").write_text("A=2\n")
    assert reached() == set()


def test_a_link_to_itself_ends(repo: Path) -> None:
    (repo / "lib/missing.sh").symlink_to("missing.sh")
    commit(repo)
    assert reached() == {"misses.sh"}


# --- the configuration ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["recipelint.toml", "pyproject.toml"])
def test_the_configuration_reaches_everything(repo: Path, name: str) -> None:
    heading = "[tool.recipelint]\n" if name == "pyproject.toml" else ""
    write(repo, {name: f'{heading}ignore = ["DOC001"]\n'})
    assert reached() == EVERYTHING  # it is new
    commit(repo)
    assert reached() == set()
    write(repo, {name: f'{heading}ignore = ["DOC002"]\n'})
    assert reached() == EVERYTHING
    (repo / name).unlink()
    assert reached() == EVERYTHING


def test_what_else_stands_in_a_pyproject_is_no_configuration(repo: Path) -> None:
    write(repo, {"pyproject.toml": '[tool.recipelint]\nignore = ["DOC001"]\n'})
    commit(repo)
    append(repo / "pyproject.toml", "[tool.other]\na = 1\n")
    # The package's own file is judged by what the repository asks for, of which this may be a part.
    assert reached() == {"molt/cli/train_sft.py"}
    write(repo, {"pyproject.toml": "["})
    assert run_cli(repo, "--changed-since", "HEAD", "--isolated", "alone.sh")[0] == 0


def test_the_configuration_that_is_named_is_the_one_that_counts(repo: Path) -> None:
    write(repo, {"mine.toml": "", "recipelint.toml": ""})
    commit(repo)
    append(repo / "mine.toml", 'ignore = ["DOC001"]\n')
    assert reached() == set()
    settings = resolve({"paths": (".",), "changed_since": "HEAD"}, config="mine.toml")
    assert seen(run.check(settings, discover(settings).files)) == EVERYTHING
    settings = resolve({"paths": (".",), "changed_since": "HEAD"}, isolated=True)
    append(repo / "recipelint.toml", 'ignore = ["DOC001"]\n')
    assert seen(run.check(settings, discover(settings).files)) == set()


# --- revisions -----------------------------------------------------------------------------------------


def test_what_others_did_since_the_branch_was_made_does_not_count(repo: Path) -> None:
    in_git(repo, "checkout", "-q", "-b", "topic")
    append(repo / "alone.sh")
    commit(repo)
    in_git(repo, "checkout", "-q", "main")
    append(repo / "calls.sh")
    commit(repo)
    in_git(repo, "checkout", "-q", "topic")
    assert reached("main") == {"alone.sh"}
    append(repo / "submits.sh")
    assert reached("main") == {"alone.sh", "submits.sh"}
    assert reached("HEAD") == {"submits.sh"}


@pytest.mark.parametrize("revision", ["main", "HEAD", "v1", "HEAD~0", "@", "main^{commit}", ":/first"])
def test_any_spelling_of_a_revision(repo: Path, revision: str) -> None:
    in_git(repo, "tag", "-a", "v1", "-m", "tag")
    append(repo / "alone.sh")
    assert reached(revision) == {"alone.sh"}


@pytest.mark.parametrize("revision", ["nope", "--all", "-h", "HEAD:alone.sh", "main..HEAD", "HEAD\n", "\0", "--help"])
def test_what_is_no_revision_is_an_error(repo: Path, revision: str) -> None:
    with pytest.raises(SettingsError, match=r"--changed-since: there is no revision '"):
        check(revision)


def test_histories_without_a_common_commit(repo: Path) -> None:
    in_git(repo, "checkout", "-q", "--orphan", "other")
    commit(repo)
    with pytest.raises(SettingsError, match=r"'main' and HEAD have no commit in common$"):
        check("main")


def test_a_repository_without_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "fresh"
    folder.mkdir()
    in_git(folder, "init", "-q")
    monkeypatch.chdir(folder)
    write(folder, {"a.sh": ""})
    with pytest.raises(SettingsError, match=r"there is no revision 'HEAD'$"):
        check("HEAD")


def test_a_shallow_clone_that_lacks_the_revision(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = in_git(repo, "rev-parse", "HEAD")
    in_git(repo, "checkout", "-q", "-b", "topic")
    append(repo / "alone.sh")
    commit(repo)
    in_git(repo, "checkout", "-q", "main")
    append(repo / "calls.sh")
    commit(repo)
    source = f"file://{repo}"
    in_git(tmp_path, "clone", "-q", "--depth", "1", "--no-single-branch", "-b", "topic", source, "shallow")
    monkeypatch.chdir(tmp_path / "shallow")
    with pytest.raises(SettingsError, match=r"no revision .* the clone is shallow: fetch the whole history \(fetch-de"):
        check(first)
    with pytest.raises(SettingsError, match="no commit in common; the clone is shallow"):
        check("origin/main")
    in_git(tmp_path / "shallow", "fetch", "-q", "--unshallow")
    assert reached("origin/main") == {"alone.sh"}


# --- repositories --------------------------------------------------------------------------------------


def test_no_repository_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "plain"
    write(folder, {"a.sh": "", "empty/.keep": ""})
    monkeypatch.chdir(folder)
    for path in ("a.sh", ".", "empty"):
        with pytest.raises(SettingsError, match="is in no git repository"):
            check("HEAD", path)


def test_a_broken_repository_is_an_error(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(repo, {"inner/a.sh": "", "inner/.git/empty": ""})
    monkeypatch.chdir(repo / "inner")
    with pytest.raises(SettingsError, match="not a git repository"):
        check("HEAD")


def test_a_worktree_has_a_file_for_its_git_folder(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_git(repo, "worktree", "add", "-q", str(tmp_path / "second"))
    monkeypatch.chdir(tmp_path / "second")
    assert (tmp_path / "second/.git").is_file()
    assert reached() == set()
    append(tmp_path / "second/lib/common.sh")
    append(repo / "alone.sh")
    assert reached() == SHARED


def test_the_repository_of_a_path_counts_not_the_working_directory(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = made(tmp_path / "other", {"x.sh": "source y.sh\n", "y.sh": "", "z.sh": ""})
    in_git(other, "tag", "only-here")
    append(other / "y.sh")
    append(repo / "alone.sh")
    assert reached("HEAD", "../other", ".") == {"../other/x.sh", "../other/y.sh", "alone.sh"}
    assert reached("only-here", "../other") == {"../other/x.sh", "../other/y.sh"}
    with pytest.raises(SettingsError, match="there is no revision 'only-here'"):
        check("only-here", "../other", ".")
    monkeypatch.chdir(tmp_path)  # in no repository itself
    assert reached("HEAD", "other") == {"other/x.sh", "other/y.sh"}
    assert reached("HEAD", "repo", "other") == {"repo/alone.sh", "other/x.sh", "other/y.sh"}


def test_the_environment_of_a_hook_names_no_other_repository(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = made(tmp_path / "other", {"x.sh": ""})
    append(repo / "alone.sh")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / "nothing"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other / ".git/objects"))
    assert seen(check()) == {"alone.sh"}


@pytest.fixture
def outer(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the other one as its submodule, at vendor/sub."""
    folder = made(tmp_path / "outer", {"user.sh": "source vendor/sub/lib/common.sh\n", "own.sh": ""})
    in_git(folder, "submodule", "--quiet", "add", str(repo), "vendor/sub")
    commit(folder)
    monkeypatch.chdir(folder)
    return folder


def test_a_submodule_is_held_against_the_commit_that_was_named_for_it(outer: Path) -> None:
    sub = outer / "vendor/sub"
    assert reached() == set()
    append(sub / "lib/common.sh")
    expected = {"user.sh", *(f"vendor/sub/{name}" for name in SHARED)}
    assert reached() == expected
    commit(sub)  # the submodule is at another commit, the repository around it does not say so
    assert reached() == expected
    commit(outer)
    assert reached() == set()
    assert reached("HEAD~1") == expected
    in_git(outer, "tag", "around")
    with pytest.raises(SettingsError, match="vendor/sub: there is no revision 'around'"):
        check("around", "vendor/sub")  # named itself, it is its own repository
    assert reached("HEAD~1", "vendor/sub") == expected - {"user.sh"}


def test_a_submodule_that_came_or_went(outer: Path) -> None:
    within = {f"vendor/sub/{name}" for name in EVERYTHING}
    assert reached("HEAD~1") == {"user.sh", *within}
    in_git(outer, "rm", "-q", "-f", "vendor/sub")
    assert reached() == {"user.sh"}


def test_a_submodule_that_is_not_checked_out(outer: Path) -> None:
    in_git(outer, "submodule", "--quiet", "deinit", "-f", "--all")
    assert (outer / "vendor/sub").is_dir()
    assert reached() == set()
    assert reached("HEAD~1") == {"user.sh"}
    blank = in_git(outer, "rev-parse", "HEAD")
    in_git(outer, "update-index", "--cacheinfo", f"160000,{blank},vendor/sub")
    assert reached() == {"user.sh"}


def test_a_repository_in_another_that_does_not_track_it_is_new(repo: Path) -> None:
    made(repo / "nested", {"n.sh": ""})
    assert reached() == {"nested/n.sh"}
    write(repo, {".gitignore": "nested/\n"})
    assert reached() == set()
    assert reached("HEAD", "nested") == set()
    append(repo / "nested/n.sh")
    assert reached("HEAD", "nested") == {"nested/n.sh"}


def test_a_sparse_checkout_has_not_deleted_what_it_leaves_out(repo: Path) -> None:
    in_git(repo, "sparse-checkout", "set", "--no-cone", "/*", "!/lib/")
    assert not (repo / "lib").exists()
    assert reached() == set()


def test_a_repository_of_longer_ids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "long"
    folder.mkdir()
    in_git(folder, "init", "-q", "--object-format=sha256")
    write(folder, {"a.sh": "", "b.sh": ""})
    commit(folder)
    monkeypatch.chdir(folder)
    assert reached() == set()
    append(folder / "a.sh")
    assert reached() == {"a.sh"}


@pytest.mark.parametrize("name", [b"b\xfcn.sh", "bün ☃.sh".encode(), b"a\nb.sh", b"a\tb.sh", b"--x.sh", b'q"q.sh'])
def test_any_name_of_a_file(repo: Path, name: bytes) -> None:
    path = os.fsdecode(name)
    (repo / path).write_bytes(b"echo\n")
    commit(repo)
    assert reached() == set()
    append(repo / path)
    assert reached() == {path}
    assert reached("HEAD", f"./{path}") == {f"./{path}"}


@pytest.mark.parametrize("name", [b"b\xfcn", "bün ☃".encode()])
def test_any_name_of_a_file_that_others_read(repo: Path, name: bytes) -> None:
    folder = repo / os.fsdecode(name)
    folder.mkdir()
    (folder / "user.sh").write_bytes(b"source '" + name + b'/common.sh\'\nbash "${0%/*}/called.sh"\npython3 t.py\n')
    (folder / "common.sh").write_bytes(b"A=1\n")
    (folder / "called.sh").write_bytes(b"python3 '" + name + b"/t.py' --lr 1\n")
    (folder / "t.py").write_text("import argparse\nargparse.ArgumentParser().parse_args()\n")
    commit(repo)
    assert reached() == set()
    user, called = (f"{folder.name}/{one}.sh" for one in ("user", "called"))
    for one, expected in (("common.sh", {user}), ("called.sh", {user, called}), ("t.py", {user, called})):
        append(folder / one)
        found = reached()
        assert found - {f"{folder.name}/{one}"} == expected - {f"{folder.name}/{one}"}
        in_git(repo, "checkout", "-q", ".")


def test_a_path_through_a_link_to_the_repository(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "alias").symlink_to(repo)
    append(repo / "lib/common.sh")
    monkeypatch.chdir(tmp_path)
    assert reached("HEAD", "alias") == {f"alias/{name}" for name in SHARED}


# --- nothing of the repository is run ------------------------------------------------------------------


def test_nothing_that_a_repository_configures_is_run(repo: Path) -> None:
    trap = repo / "trap"
    trap.write_text("#!/bin/sh\ntouch pwned\ncat\n")
    trap.chmod(0o755)
    write(repo, {".gitattributes": "* filter=trap diff=trap\n"})
    commit(repo)
    hooks = repo / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "post-checkout", "pre-commit", "fsmonitor-watchman"):
        shutil.copy(trap, hooks / name)
    for key in (
        "core.fsmonitor", "filter.trap.clean", "filter.trap.smudge", "filter.trap.process", "diff.trap.command",
        "diff.trap.textconv", "diff.external", "core.pager", "core.editor", "core.sshCommand", "core.askPass",
        "core.alternateRefsCommand", "credential.helper", "pager.ls-files", "pager.rev-parse", "gpg.program",
        "alias.ls-files", "alias.ls-tree",
    ):  # fmt: skip
        in_git(repo, "config", key, str(trap) if not key.startswith("alias") else f"!{trap}")
    in_git(repo, "config", "core.hooksPath", str(hooks))
    append(repo / "alone.sh")
    write(repo, {"new.sh": ""})
    for path in repo.glob("*.sh"):
        os.utime(path)
    for rest in (repo, repo.parent):
        assert not (rest / "pwned").exists()
    assert check().unchanged
    assert {"alone.sh", "new.sh"} <= seen(check())
    assert not (repo / "pwned").exists()


def test_nothing_is_fetched_whatever_a_repository_allows(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A git that is older than GIT_NO_LAZY_FETCH would ask the promisor for what is missing, by a command of its."""
    real = git.environment
    monkeypatch.setattr(
        git, "environment", lambda root: {k: v for k, v in real(root).items() if k != "GIT_NO_LAZY_FETCH"}
    )
    for key, value in {
        "core.repositoryFormatVersion": "1", "extensions.partialClone": "evil", "remote.evil.promisor": "true",
        "remote.evil.url": ".", "remote.evil.uploadpack": f"touch {repo}/pwned; false", "protocol.file.allow": "always",
    }.items():  # fmt: skip
        in_git(repo, "config", key, value)
    there, missing = in_git(repo, "rev-parse", "HEAD"), "a" * 40
    subprocess.run(["git", "cat-file", "-t", missing], cwd=repo, capture_output=True, check=False)
    assert (repo / "pwned").exists()
    (repo / "pwned").unlink()
    repository = git.Repository(str(repo))
    assert not repository.run("cat-file", "-t", missing).ok
    assert repository.run("cat-file", "-t", there).text == "commit\n"
    assert not (repo / "pwned").exists()


def test_no_program_of_the_working_directory_is_taken_for_git(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = repo / "git"
    fake.write_text("#!/bin/sh\ntouch pwned\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", os.environ["PATH"]]))
    assert check().unchanged
    assert not (repo / "pwned").exists()
    monkeypatch.setenv("PATH", os.pathsep.join(["", "."]))
    with pytest.raises(SettingsError, match=r"^--changed-since: there is no git on the PATH$"):
        check()


def test_git_that_does_not_answer(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "bin/git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setattr(git, "TIMEOUT", 0.2)
    monkeypatch.setenv("PATH", os.pathsep.join([str(slow.parent), os.environ["PATH"]]))
    with pytest.raises(SettingsError, match="git took longer than"):
        check()


def test_without_the_option_no_process_is_started(repo: Path, audit: Callable[[str], list[str]]) -> None:
    seen = audit("subprocess.Popen os.system os.exec os.posix_spawn socket.connect socket.bind")
    settings = resolve({"paths": (".",)})
    run.check(settings, discover(settings).files)
    assert seen == []
    check()
    assert set(seen) == {"subprocess.Popen"}


# --- fixing --------------------------------------------------------------------------------------------


def test_only_what_is_reached_is_fixed(repo: Path) -> None:
    before = {name: (repo / name).read_bytes() for name in FILES}
    write(repo, {"deep/molt3.sh": FILES["deep/molt2.sh"]})
    outcome = check(fix=True)
    assert [(one.path, one.code) for one in outcome.fixed] == [("deep/molt3.sh", "EP001")]
    assert {name: (repo / name).read_bytes() for name in FILES} == before
    assert b"gradient_checkpoint none" in (repo / "deep/molt3.sh").read_bytes()


@pytest.mark.parametrize("shared", [True, False])
def test_a_fix_may_not_change_a_launcher_that_is_not_reached(repo: Path, shared: bool) -> None:
    """What one.sh reads is changed; other.sh runs the text of one.sh, and does not read that."""
    text = f'[ -z "$MODE" ] && source lib/extra.sh\n{SFT.replace(" 8", " ${EP:-8}")} --model.gradient_checkpoint full\n'
    write(repo, {"one.sh": text, "lib/extra.sh": "X=1\n"})
    if shared:
        write(repo, {"other.sh": "MODE=x\nEP=1\nsource one.sh\n"})
    commit(repo)
    append(repo / "lib/extra.sh")
    outcome = check(fix=True)
    assert seen(outcome) == {"one.sh", "lib/extra.sh"}
    assert bool(outcome.fixed) is not shared
    if shared:
        assert (repo / "one.sh").read_text() == text
        (note,) = (one.note for one in outcome.diagnostics if one.code == "EP001")
        assert note == "fix withdrawn: other.sh: the launch at line 2 would get other words"


# --- the command line ----------------------------------------------------------------------------------


def run_cli(folder: Path, *words: str, stdin: str = "") -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "recipelint", *words],
        cwd=folder, input=stdin, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_what_is_said(repo: Path) -> None:
    assert run_cli(repo, "--changed-since", "HEAD") == (
        0,
        "No launcher is reached by a change; 13 launchers unchanged\n",
        "",
    )
    append(repo / "deep/molt2.sh")
    status, out, _ = run_cli(repo, "--changed-since", "HEAD", "--output-format", "concise")
    assert (status, out.splitlines()[-1]) == (
        1, "Found 1 error in 1 file, 1 launch; 1 fixable with --fix; 12 launchers unchanged",
    )  # fmt: skip
    status, out, err = run_cli(repo, "show", "--changed-since", "HEAD")
    assert out.startswith("deep/molt2.sh\n")
    assert err == "recipelint: 12 launchers unchanged since HEAD\n"
    status, out, err = run_cli(repo, "table", "--changed-since", "HEAD")
    assert "molt2.sh" in out
    assert "molt.sh" not in out
    status, out, err = run_cli(repo, "--changed-since", "HEAD", "alone.sh")
    assert (status, out) == (0, "No launcher is reached by a change; 1 launcher unchanged\n")


def test_what_is_said_to_programs(repo: Path) -> None:
    import json

    append(repo / "alone.sh")
    for words, where in (("check",), "summary"), (("show",), None):
        out = json.loads(run_cli(repo, *words, "--changed-since", "HEAD", "--output-format", "json")[1])
        assert (out[where] if where else out)["unchanged"] == 12
        out = json.loads(run_cli(repo, *words, "--output-format", "json")[1])
        assert "unchanged" not in (out[where] if where else out)


def test_standard_input_is_always_reached(repo: Path) -> None:
    text = FILES["deep/molt2.sh"]
    status, out, _ = run_cli(
        repo,
        "--changed-since",
        "HEAD",
        "-",
        "--stdin-filename",
        "deep/molt2.sh",
        "--output-format",
        "concise",
        stdin=text,
    )
    assert (status, out.count("EP001")) == (1, 1)


def test_errors_of_the_command_line(repo: Path) -> None:
    assert run_cli(repo, "--changed-since", "nope") == (
        2, "", "recipelint: error: --changed-since: there is no revision 'nope'\n",
    )  # fmt: skip
    (repo / "binary.sh").write_bytes(b"\0")
    assert run_cli(repo, "--changed-since", "HEAD")[0] == 2
    commit(repo)
    assert run_cli(repo, "--changed-since", "HEAD")[0] == 0

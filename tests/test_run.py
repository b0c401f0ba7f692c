"""Reading and writing files: what a fix may touch, and what it must leave alone."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from recipelint import run
from recipelint.discovery import DiscoveredFile
from recipelint.outcome import Change, Outcome
from recipelint.settings import Settings
from recipelint.source import SourceFile
from recipelint.writing import Refused, replace_file

WRONG = b"""#!/bin/bash
torchrun -m molt.cli.train_sft --model.model_name_or_path /m --fsdp.ep_size 8 --model.gradient_checkpoint full
"""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fix(*paths: str, **settings: object) -> Outcome:
    return run.check(Settings(fix=True, **settings), [DiscoveredFile(path, True) for path in paths])  # type: ignore[arg-type]


def test_a_fix_keeps_the_mode_and_leaves_no_other_file(tree: Path) -> None:
    (tree / "a.sh").write_bytes(WRONG)
    (tree / "a.sh").chmod(0o751)
    outcome = fix("a.sh")
    assert [(one.path, one.line, one.code) for one in outcome.fixed] == [("a.sh", 2, "EP001")]
    assert b"--model.gradient_checkpoint none\n" in (tree / "a.sh").read_bytes()
    assert stat.S_IMODE((tree / "a.sh").stat().st_mode) == 0o751
    assert sorted(os.listdir(tree)) == [".git", "a.sh"]


def test_the_same_file_without_a_finding_is_not_written(tree: Path) -> None:
    (tree / "a.sh").write_bytes(WRONG.replace(b"full", b"none"))
    before = (tree / "a.sh").stat()
    outcome = fix("a.sh")
    after = (tree / "a.sh").stat()
    assert not outcome.fixed
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


CLAIMS = b"""#!/bin/bash
# Activation checkpointing is safe under hybridep.
GRAD=full
# The recipe is EP8/CP1/deepep.
# The torch dispatcher raises CheckpointError under AC.
torchrun -m molt.cli.train_sft --model.model_name_or_path /m --fsdp.ep_size 8 --model.gradient_checkpoint "$GRAD"
"""


def test_a_fix_says_which_comments_contradict_it(tree: Path) -> None:
    (tree / "a.sh").write_bytes(CLAIMS)
    outcome = fix("a.sh")
    assert [(one.code, one.line, one.note) for one in outcome.fixed] == [
        ("EP001", 3, "the comments at lines 2 and 8 say otherwise (DOC002); --unsafe-fixes replaces them")
    ]
    found = [(one.code, one.location.start.line) for one in outcome.diagnostics]
    assert found == [("DOC002", 2), ("DOC002", 7), ("DOC002", 8)]
    assert "activation_checkpointing none under hybridep" in outcome.diagnostics[0].message


def test_a_fix_names_the_one_comment_that_contradicts_it(tree: Path) -> None:
    (tree / "a.sh").write_bytes(CLAIMS.replace(b"# The torch dispatcher raises", b"# Nobody raises"))
    (note,) = (one.note for one in fix("a.sh").fixed)
    assert note == "the comment at line 2 says otherwise (DOC002); --unsafe-fixes replaces it"


def test_two_false_sentences_of_a_comment_become_one_true_one(tree: Path) -> None:
    both = b"# Full AC is safe under hybridep. The torch dispatcher raises CheckpointError.\n"
    (tree / "a.sh").write_bytes(both + WRONG)
    assert not fix("a.sh", unsafe_fixes=True).diagnostics
    assert (tree / "a.sh").read_bytes().count(b"torch is not affected. The") == 1
    assert b"The torch dispatcher" not in (tree / "a.sh").read_bytes()


def test_a_false_sentence_goes_only_where_the_truth_takes_its_place(tree: Path) -> None:
    long = b"# Full AC is safe under hybridep" + b" and so are many things" * 30 + b".\n"
    (tree / "a.sh").write_bytes(long + b"# The torch dispatcher raises CheckpointError.\n" + WRONG)
    outcome = fix("a.sh", unsafe_fixes=True)
    assert [one.note for one in outcome.diagnostics] == ["not fixed: the sentence says much else"]
    assert (tree / "a.sh").read_bytes().startswith(long + b"# Full checkpointing with parallel experts ends in")


@pytest.mark.parametrize("settings", [{"unsafe_fixes": True}, {"select": ("EP001",)}])
def test_a_fix_that_nothing_contradicts_has_no_note(tree: Path, settings: dict[str, object]) -> None:
    (tree / "a.sh").write_bytes(CLAIMS)
    outcome = fix("a.sh", **settings)
    assert not outcome.diagnostics
    assert [one.note for one in outcome.fixed if one.code == "EP001"] == [""]
    assert b"GRAD=none\n" in (tree / "a.sh").read_bytes()


def test_diff_writes_nothing(tree: Path) -> None:
    (tree / "a.sh").write_bytes(WRONG)
    outcome = run.check(Settings(diff=True), [DiscoveredFile("a.sh", True)])
    assert (tree / "a.sh").read_bytes() == WRONG
    assert [change.path for change in outcome.changes] == ["a.sh"]
    assert not outcome.diagnostics


def test_no_symbolic_link_is_written_through(tree: Path) -> None:
    (tree / "real.txt").write_bytes(WRONG)
    (tree / "a.sh").symlink_to("real.txt")
    outcome = fix("a.sh")
    assert (tree / "real.txt").read_bytes() == WRONG
    assert (tree / "a.sh").is_symlink()
    assert [(one.path, one.reason) for one in outcome.unreadable] == [("a.sh", "not written: it is a symbolic link")]
    assert [one.code for one in outcome.diagnostics] == ["EP001"]
    assert not outcome.fixed


@pytest.mark.parametrize("repository", [False, True])
def test_no_folder_that_leads_out_of_the_tree_is_written_through(
    repository: bool, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, outside = tree / "repo", tree / "out"
    (inside / ".git").mkdir(parents=True)
    outside.mkdir()
    if repository:
        (outside / ".git").mkdir()
    (outside / "a.sh").write_bytes(WRONG)
    (inside / "linked").symlink_to(outside)
    monkeypatch.chdir(inside)
    outcome = fix("linked/a.sh")
    assert (outside / "a.sh").read_bytes() == WRONG
    assert "leads elsewhere" in outcome.unreadable[0].reason


def test_a_repository_in_another_is_written_to(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tree / "repo" / "inner"
    for folder in (inner.parent, inner):
        (folder / ".git").mkdir(parents=True)
    (inner / "a.sh").write_bytes(WRONG)
    (inner.parent / "linked").symlink_to(inner)
    monkeypatch.chdir(inner.parent)
    for path in ("inner/a.sh", "linked/a.sh"):
        (inner / "a.sh").write_bytes(WRONG)
        assert not fix(path).unreadable
        assert (inner / "a.sh").read_bytes() != WRONG


def test_a_file_with_another_name_is_left_alone(tree: Path) -> None:
    (tree / "a.sh").write_bytes(WRONG)
    os.link(tree / "a.sh", tree / "b.txt")
    outcome = fix("a.sh")
    assert (tree / "b.txt").read_bytes() == WRONG
    assert "hard link" in outcome.unreadable[0].reason


def test_no_right_is_lent(tree: Path) -> None:
    (tree / "a.sh").write_bytes(WRONG)
    (tree / "a.sh").chmod(0o4755)
    fix("a.sh")
    assert stat.S_IMODE((tree / "a.sh").stat().st_mode) == 0o755


def test_no_file_that_changed_meanwhile_is_overwritten(tree: Path) -> None:
    (tree / "a.sh").write_bytes(b"# new\n" + WRONG)
    with pytest.raises(Refused, match="changed meanwhile"):
        replace_file(Change("a.sh", WRONG, b"# fixed\n"), str(tree))
    assert (tree / "a.sh").read_bytes() == b"# new\n" + WRONG


def test_a_failing_write_leaves_the_old_file(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "a.sh").write_bytes(WRONG)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    outcome = fix("a.sh")
    assert (tree / "a.sh").read_bytes() == WRONG
    assert [(one.path, one.reason) for one in outcome.unreadable] == [("a.sh", "not written: No space left on device")]
    assert sorted(os.listdir(tree)) == [".git", "a.sh"]


COMMON = b'ARGS=(--fsdp.ep_size 8 --model.gradient_checkpoint "${AC:-full}")\n'
USER = b"""#!/bin/bash
source "$(dirname "$0")/common.sh"
torchrun -m molt.cli.train_sft --model.model_name_or_path /m "${ARGS[@]}"
"""


def test_a_sourced_file_is_fixed_only_if_it_was_given(tree: Path) -> None:
    (tree / "common.sh").write_bytes(COMMON)
    (tree / "a.sh").write_bytes(USER)
    outcome = fix("a.sh")
    assert (tree / "common.sh").read_bytes() == COMMON
    (found,) = outcome.diagnostics
    assert (found.location.path, found.location.start.line) == ("common.sh", 1)
    assert found.note.startswith("not fixed: it is decided in common.sh, which is outside the given paths; ")
    assert not fix("a.sh", "common.sh").diagnostics
    assert b"${AC:-none}" in (tree / "common.sh").read_bytes()
    assert (tree / "a.sh").read_bytes() == USER


def test_a_sourced_file_that_a_right_launcher_shares_is_left_alone(tree: Path) -> None:
    dense = USER + b'torchrun -m molt.cli.train_sft --model.model_name_or_path /d "${ARGS[@]}" --fsdp.ep_size 1\n'
    (tree / "common.sh").write_bytes(COMMON)
    (tree / "a.sh").write_bytes(USER)
    (tree / "b.sh").write_bytes(dense)
    outcome = fix("a.sh", "b.sh", "common.sh")
    assert (tree / "common.sh").read_bytes() == COMMON
    (found,) = outcome.diagnostics
    assert found.fix is not None
    assert found.fix.applicability.word == "unsafe"
    assert not fix("a.sh", "b.sh", "common.sh", unsafe_fixes=True).diagnostics


@pytest.mark.parametrize("name", ["../outside.sh", "/etc/profile", "link.sh"])
def test_nothing_outside_of_the_tree_is_read(tree: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tree / "repo"
    (inside / ".git").mkdir(parents=True)
    (tree / "outside.sh").write_bytes(b"EP=8\n")
    (inside / "link.sh").symlink_to(tree / "outside.sh")
    (inside / "a.sh").write_bytes(
        f'#!/bin/bash\nEP=1\nsource "{name}"\ntorchrun -m molt.cli.train_sft --fsdp.ep_size $EP\n'.encode()
    )
    monkeypatch.chdir(inside)
    outcome = run.resolve(Settings(), [DiscoveredFile("a.sh", True)])
    (launcher,) = outcome.launchers
    assert [launch.settings["expert_parallel_size"].value for launch in launcher.launches] == [1]
    assert not launcher.followed


def test_standard_input_is_fixed_but_never_written(tree: Path) -> None:
    outcome = run.check(Settings(fix=True), [SourceFile("examples/new.sh", WRONG)])
    assert b"none" in outcome.launchers[0].source.data
    assert sorted(os.listdir(tree)) == [".git"]


def test_the_same_launcher_by_two_names_is_fixed_once(tree: Path) -> None:
    (tree / "a.sh").write_bytes(WRONG)
    outcome = fix("a.sh", "./a.sh")
    assert (tree / "a.sh").read_bytes().count(b"Automodel#3325") == 1
    assert not outcome.diagnostics


def test_neither_a_process_nor_a_socket_is_started(tree: Path, audit: Callable[[str], list[str]]) -> None:
    (tree / "a.sh").write_bytes(WRONG + b"$(touch pwned)\n`touch pwned`\neval 'touch pwned'\n")
    seen = audit("subprocess.Popen os.system os.exec os.posix_spawn os.fork socket.connect socket.bind")
    fix("a.sh")
    assert seen == []
    assert not (tree / "pwned").exists()

"""--watch, with the real program on a terminal of its own, and real changes of files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest

from recipelint.cli.interest import Interest, interest_of
from recipelint.cli.reading import Read
from recipelint.cli.watching import named
from recipelint.outcome import Outcome, Unreadable
from recipelint.settings import Settings

pytest.importorskip("watchfiles")

PROGRAM = str(Path(sys.executable).with_name("recipelint"))
WATCHING = "watching for changes; Ctrl-C stops"
WRONG = "torchrun -m molt.cli.train_sft --fsdp.ep_size 8\n"
RIGHT = "torchrun -m molt.cli.train_sft --fsdp.ep_size 8 --model.gradient_checkpoint none\n"
TRAINER = """import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--mode", choices=[{choices}])
args = parser.parse_args()
"""
CLEARED = "\x1b[2J"


class Watch:
    """The program while it watches a folder."""

    def __init__(self, child: pexpect.spawn[str]) -> None:
        self.child = child

    def round(self) -> str:
        """What the next check prints; it is on the screen alone."""
        self.child.expect_exact(WATCHING)
        before, cleared, text = self.child.before.rpartition(CLEARED)
        assert cleared, before
        return str(text)

    def until(self, *words: str) -> str:
        """The first check that prints all the words; a change may be told in two."""
        while True:
            text = self.round()
            if all(word in text for word in words):
                return text


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Callable[..., Watch]]:
    """Starts the program in the folder."""
    children: list[pexpect.spawn[str]] = []

    def start(*args: str) -> Watch:
        env = {"PATH": os.environ["PATH"], "TERM": "xterm", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
        child: pexpect.spawn[str] = pexpect.spawn(
            PROGRAM,
            ["--watch", "--output-format", "concise", *args],
            cwd=str(tmp_path),
            env=env,
            encoding="utf-8",
            timeout=60,
            dimensions=(50, 200),
        )
        children.append(child)
        return Watch(child)

    (tmp_path / ".git").mkdir()
    yield start
    for child in children:
        child.close(force=True)


def test_a_launcher_that_changes_comes_and_goes(tmp_path: Path, watch: Callable[..., Watch]) -> None:
    (tmp_path / "a.sh").write_text(RIGHT)
    running = watch()
    assert "No problems in 1 file, 1 launch" in running.round()
    (tmp_path / "a.sh").write_text(WRONG)
    assert "recipelint: a.sh changed" in running.until("a.sh:1:1: EP001 [error]", "Found 1 error")
    (tmp_path / "new").mkdir()
    running.until("new changed", "Found 1 error")
    (tmp_path / "new" / "b.sh").write_text(WRONG)
    running.until("new/b.sh:1:1: EP001 [error]", "Found 2 errors in 2 files")
    shutil.rmtree(tmp_path / "new")
    running.until("Found 1 error in 1 file")
    os.replace(tmp_path / "a.sh", tmp_path / "c.sh")
    running.until("c.sh:1:1: EP001 [error]", "Found 1 error in 1 file")
    (tmp_path / "c.sh").unlink()
    running.until("No launchers were read")


def test_a_folder_that_comes_back_is_watched_again(tmp_path: Path, watch: Callable[..., Watch]) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "a.sh").write_text(RIGHT)
    running = watch("jobs")
    assert "No problems" in running.round()
    shutil.rmtree(tmp_path / "jobs")
    assert "recipelint: jobs: no such file or folder" in running.until("No launchers were read")
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "a.sh").write_text(RIGHT)
    running.until("No problems in 1 file")
    (tmp_path / "jobs" / "a.sh").write_text(WRONG)
    running.until("Found 1 error")


def test_a_sourced_file_that_is_not_below_the_paths(tmp_path: Path, watch: Callable[..., Watch]) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "a.sh").write_text(f'source "$(dirname "$0")/../lib/common.sh"\n{WRONG.rstrip()} $MORE\n')
    running = watch("jobs/a.sh")
    assert "SH004" in running.round()
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "common.sh").write_text("MORE='--model.gradient_checkpoint none'\n")
    running.until("No problems")
    (tmp_path / "lib" / "common.sh").write_text("MORE=\n")
    running.until("lib/common.sh changed", "Found 1 error")


def test_the_source_of_the_trainer(tmp_path: Path, watch: Callable[..., Watch]) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "jobs").mkdir()
    (tmp_path / "src" / "train.py").write_text(TRAINER.format(choices="'fast'"))
    (tmp_path / "jobs" / "a.sh").write_text("torchrun src/train.py --mode slow\n")
    running = watch("jobs")
    assert "ARG002" in running.round()
    (tmp_path / "src" / "train.py").write_text(TRAINER.format(choices="'fast', 'slow'"))
    running.until("src/train.py changed", "No problems")


def test_the_configuration_may_come_be_wrong_and_go(tmp_path: Path, watch: Callable[..., Watch]) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "a.sh").write_text(WRONG)
    running = watch("jobs")
    assert "Found 1 error" in running.round()
    config = tmp_path / "recipelint.toml"
    config.write_text('ignore = ["EP001"]\n')
    running.until("recipelint.toml changed", "No problems")
    config.write_text('ignore = ["EP999"]\n')
    running.until("error: recipelint.toml: ignore: there is no rule 'EP999'")
    config.write_text("ignore = [\n")
    running.until("error: recipelint.toml:")
    (tmp_path / "jobs" / "a.sh").write_text(RIGHT)  # still watched
    running.until("jobs/a.sh changed", "error: recipelint.toml:")
    (tmp_path / "jobs" / "a.sh").write_text(WRONG)
    running.until("jobs/a.sh changed", "error: recipelint.toml:")
    config.unlink()
    running.until("Found 1 error")


def test_a_teams_rule_and_a_baseline(tmp_path: Path, watch: Callable[..., Watch]) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "a.sh").write_text(WRONG)
    (tmp_path / "ci").mkdir()
    (tmp_path / "recipelint.toml").write_text('rules = ["ci"]\n')
    running = watch("jobs")
    assert "Found 1 error" in running.round()
    subprocess.run([PROGRAM, "rules", "new", "TEAM001", "nodes-too-few", "ci"], cwd=tmp_path, check=True)
    running.until("ci", "changed", "Found 1 error")
    rule = next((tmp_path / "ci").rglob("TEAM001*.yaml"))
    rule.write_text("nonsense\n")
    running.until(str(rule.relative_to(tmp_path)), "error: ")
    rule.unlink()
    running.until("Found 1 error")
    subprocess.run([PROGRAM, "--write-baseline", "known.json", "jobs"], cwd=tmp_path, check=True, capture_output=True)
    (tmp_path / "recipelint.toml").write_text('baseline = "known.json"\n')
    running.until("recipelint.toml changed", "No new problems")
    (tmp_path / "known.json").write_text("nonsense\n")
    running.until("known.json changed", "error: ")


def test_a_configuration_that_is_wrong_from_the_start(tmp_path: Path, watch: Callable[..., Watch]) -> None:
    (tmp_path / "a.sh").write_text(RIGHT)
    (tmp_path / "other.toml").write_text("nonsense = 1\n")
    running = watch("--config", "other.toml")
    assert "there is no key 'nonsense'" in running.round()
    (tmp_path / "other.toml").write_text("")
    running.until("other.toml changed", "No problems")


def test_other_files_start_no_check(tmp_path: Path, watch: Callable[..., Watch]) -> None:
    (tmp_path / "a.sh").write_text(RIGHT)
    running = watch()
    running.round()
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / ".git" / "index.lock").write_text("x")
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "a.sh").write_text(WRONG)
    assert "recipelint: a.sh changed\r\n" in running.round()


def test_a_temporary_file_is_not_named(tmp_path: Path, watch: Callable[..., Watch]) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "a.sh").write_text(RIGHT)
    running = watch()
    running.round()
    subprocess.run(["sed", "-i", "s/ --model.gradient_checkpoint none//", "jobs/a.sh"], cwd=tmp_path, check=True)
    assert "recipelint: jobs/a.sh changed\r\n" in running.until("Found 1 error")


def test_what_is_named_of_changes(tmp_path: Path) -> None:
    for name in ("a.sh", "new"):
        (tmp_path / name).touch()
    there, new, gone, temporary = (f"{tmp_path}/{name}" for name in ("a.sh", "new", "gone.sh", "sedTG1dXa"))
    known = Interest(frozenset({there, gone}), frozenset({str(tmp_path)}))
    assert named({new, there, gone, temporary}, known) == [there, gone, new]
    assert named({temporary}, known) == [temporary]


def test_an_interrupt_ends_it(tmp_path: Path, watch: Callable[..., Watch]) -> None:
    (tmp_path / "a.sh").write_text(RIGHT)
    running = watch()
    running.round()
    running.child.sendintr()
    running.child.expect(pexpect.EOF)
    running.child.close()
    assert (running.child.exitstatus, running.child.signalstatus) == (130, None)
    assert "Traceback" not in running.child.before


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--fix", "."], "--fix and --watch exclude each other"),
        (["--add-ignore", "."], "--add-ignore and --watch exclude each other"),
        (["--write-baseline", "known.json", "."], "--write-baseline and --watch exclude each other"),
        (["-"], "standard input cannot be watched"),
    ],
)
def test_what_cannot_be_watched(tmp_path: Path, args: list[str], message: str) -> None:
    done = subprocess.run(
        [PROGRAM, "--watch", *args], cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"recipelint: error: {message}\n")


def test_without_watchfiles_it_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['watchfiles'] = None; sys.argv[1:] = ['--watch'];"
        "from recipelint.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "recipelint: error: --watch needs watchfiles, of recipelint's extra 'watch': pip install 'watchfiles>=1'\n"
    )


# --- what is of interest ---------------------------------------------------------------------------


def test_interest(tmp_path: Path) -> None:
    given = {"paths": (), "config": (), "isolated": True}
    launchers = Interest(
        frozenset({f"{tmp_path}/lib/common.sh", f"{tmp_path}/gone/deep/x.sh"}), frozenset({f"{tmp_path}/jobs"})
    )
    met = ("lib/common.sh", "gone", "gone/deep", "jobs/new.slurm", "jobs/t.py", "jobs/folder", "jobs/.gitignore")
    assert [path for path in met if launchers.meets(f"{tmp_path}/{path}")] == list(met)
    for path in ("lib/other.sh", "jobs/out.json", "jobs/below/a.sh", "jobs/__pycache__", "gone.sh", "other"):
        assert not launchers.meets(f"{tmp_path}/{path}")
    (tmp_path / "lib").mkdir()
    assert launchers.folders() == {f"{tmp_path}/lib", str(tmp_path)}  # jobs is not there, nor is gone
    broken = Read(Settings(paths=("a",)), {}, Outcome(unreadable=(Unreadable("b/x.sh", "is binary"),)))
    assert interest_of(broken, given).files == {os.path.abspath("a"), os.path.abspath("b/x.sh")}


def test_a_link_is_of_interest_where_it_is_and_where_it_leads(tmp_path: Path) -> None:
    given = {"paths": (), "config": (), "isolated": True}
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.sh").touch()
    (tmp_path / "way").symlink_to("real")
    (tmp_path / "b.sh").symlink_to("way/a.sh")
    read = Read(Settings(paths=(f"{tmp_path}/b.sh", f"{tmp_path}/way/a.sh")), {}, Outcome())
    assert interest_of(read, given).files == {f"{tmp_path}/b.sh", f"{tmp_path}/real/a.sh"}


def test_what_says_which_automodel_is_used_was_consulted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is not there yet is of interest as well: it may come."""
    from recipelint import run
    from recipelint.discovery import DiscoveredFile

    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.sh").write_text(WRONG)
    (tmp_path / "requirements.txt").write_text("torch\n")
    consulted = dict(run.check(Settings(), [DiscoveredFile("a.sh", explicit=True)]).consulted)
    assert consulted[f"{tmp_path}/requirements.txt"] is True
    assert consulted[f"{tmp_path}/uv.lock"] is False

"""With and without what an earlier run kept, and with any number of processes, every report is the same bytes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from recipelint import run, spread, workers
from recipelint.discovery import discover
from recipelint.discovery.tree import around
from recipelint.linter import Linter
from recipelint.outcome import Outcome
from recipelint.python import trainer
from recipelint.report.formats import FORMATS, render
from recipelint.report.report import Report
from recipelint.settings import Settings, resolve
from tests.readme_blocks import FIXTURES, ROOT
from tests.test_changed import FILES

PROGRAM = [sys.executable, "-m", "recipelint"]
MORE = {
    "shared/values.sh": "EP=8\nGRAD=full\nMOLT_MOE_DISPATCHER=deepep\n",
    **{
        f"shared/run{n:02}.sh": 'source "$(dirname "$0")/values.sh"\n'
        f"torchrun -m molt.cli.train_sft --fsdp.ep_size $EP --model.gradient_checkpoint $GRAD --x.seed {n}\n"
        for n in range(6)
    },
    "broken.sh": "torchrun -m molt.cli.train_sft --fsdp.ep_size 8 \\\n# note\n  --model.gradient_checkpoint full\n(\n",
    "quiet.sh": "# recipelint: ignore EP001\necho\n",
    "odd\tname.sh": "torchrun -m molt.cli.train_sft --fsdp.ep_size 8 --model.gradient_checkpoint full\n",
    "check.py": "# recipelint: ignore\n",
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    shutil.copy(FIXTURES / "examples/scripts/quick_start/sft_qwen3_6_35b.sh", folder)
    for path, text in {**FILES, **MORE}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (folder / ".git").mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def cache(tmp_path: Path) -> str:
    return str(tmp_path / "cache")


@pytest.fixture(params=["in one", "one by one", "by processes"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """How many launchers are checked."""
    many = {"in one": 10**6, "one by one": 3, "by processes": 3}[request.param]
    monkeypatch.setattr(spread, "MANY", many)
    monkeypatch.setattr(run, "MANY", many)
    monkeypatch.setattr(workers, "processors", lambda: 3 if request.param == "by processes" else 1)
    yield request.param
    with pytest.raises(ChildProcessError):  # none is left behind
        os.waitpid(-1, os.WNOHANG)


def check(cache: str | None = None, **given: Any) -> Outcome:
    settings = resolve({"paths": (".",), **given}, isolated=True)
    if cache is not None:
        settings = settings._replace(cache=(cache, cache))
    found, unread, _ = discover(settings)
    assert not unread
    return run.check(settings, found)


def reports(outcome: Outcome) -> dict[str, str]:
    """Every report there is."""
    report = Report(outcome, around((".",), "<stdin>"))
    return {
        **{name: render(name, report) for name in FORMATS},
        "counted": render("full", report._replace(statistics=True)),
        "fingerprints": "\n".join(sorted(report.fingerprints().values())),
        "files": "\n".join((*report.linted(), *sorted(report.sources()))),
    }


def plainly(monkeypatch: pytest.MonkeyPatch, **given: Any) -> dict[str, str]:
    """The reports of one lint of all files together, as it is without any of this."""
    with monkeypatch.context() as patch:
        patch.setattr(run, "MANY", 10**6)
        return reports(check(**given))


def test_each_way_gives_the_same_reports(tree: Path, cache: str, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = plainly(monkeypatch)
    assert "EP001" in expected["concise"]
    assert "SH001" in expected["concise"]
    assert reports(check()) == expected
    assert reports(check(cache)) == expected
    assert reports(check(cache)) == expected
    monkeypatch.setattr(Linter, "resolve", None)
    assert reports(check(cache)) == expected  # nothing was resolved for it


def test_a_configuration_of_several_launchers_is_found_wrong_once(
    tree: Path, cache: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where one of the launchers is new, and what the others come to was kept."""
    (tree / "a.yaml").write_text(
        "distributed: {ep_size: 8, activation_checkpointing: true}\nmodel: {backend: {dispatcher: deepep}}\n"
    )
    for number in range(5):
        (tree / f"automodel{number}.sh").write_text(f"automodel a.yaml --nproc-per-node 8 --x {number}\n")
        expected = plainly(monkeypatch)
        assert expected["concise"].count("a.yaml:1:") == 1
        assert reports(check()) == expected
        assert reports(check(cache)) == expected
        assert reports(check(cache)) == expected


@pytest.mark.parametrize(
    "given",
    [
        {"select": ("ALL",)},
        {"ignore": ("EP001",)},
        {"env": (("MOLT_MOE_DISPATCHER", "torch"),)},
        {"args": ("a",)},
        {"automodel": "0.5.0"},
        {"per_file_ignores": (("shared/", ("EP001",)),)},
        {"fixable": ("SH003",)},
        {"preview": True},
        {"paths": ("shared", "deep")},
    ],
)
def test_other_settings_are_another_question(
    tree: Path, cache: str, given: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    check(cache)
    expected = plainly(monkeypatch, **given)
    assert reports(check(cache, **given)) == expected
    assert reports(check(cache, **given)) == expected


CHANGES: dict[str, Callable[[Path], object]] = {
    "a launcher": lambda tree: edit(tree / "deep/molt.sh", "none", "full"),
    "a launcher goes": lambda tree: (tree / "shared/run03.sh").unlink(),
    "what launchers source": lambda tree: edit(tree / "shared/values.sh", "=full", "=none"),
    "what launchers source goes": lambda tree: (tree / "shared/values.sh").unlink(),
    "sourced by way of another": lambda tree: (tree / "lib/inner.sh").write_text(
        "torchrun -m molt.cli.train_sft --fsdp.ep_size 8 --model.gradient_checkpoint full\n"
    ),
    "what was not there comes": lambda tree: (tree / "lib/missing.sh").write_text(
        "torchrun -m molt.cli.train_sft --fsdp.ep_size 8 --model.gradient_checkpoint full\n"
    ),
    "a launcher shares": lambda tree: (tree / "shared/z.sh").write_text(
        "source shared/values.sh\ntorchrun -m molt.cli.train_sft --fsdp.ep_size 1 --model.gradient_checkpoint $GRAD\n"
    ),
    "a trainer": lambda tree: edit(tree / "scripts/options.py", "--lr", "--rate"),
    "a trainer's import": lambda tree: edit(tree / "molt/cli/common.py", "--fsdp.ep_size", "--fsdp.size"),
    "a pin": lambda tree: edit(tree / "deep/more.txt", "0.5.0", "0.4.0"),
    "a pin comes": lambda tree: (tree / "requirements.txt").write_text("nemo-automodel==0.5.0\n"),
    "a comment that ignores": lambda tree: (tree / "shared/values.sh").write_text(
        "EP=8\nGRAD=full  # recipelint: ignore EP001\nMOLT_MOE_DISPATCHER=deepep\n"
    ),
}


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_anything_it_hangs_on_is_seen(
    tree: Path, cache: str, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = reports(check(cache))
    CHANGES[change](tree)
    expected = plainly(monkeypatch)
    assert expected != before
    assert reports(check(cache)) == expected
    assert reports(check(cache)) == expected


def test_only_what_a_change_reaches_is_worked_out_again(
    tree: Path, cache: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(cache)
    edit(tree / "deep/molt.sh", "none", "full")
    seen: list[str] = []
    real = Linter.resolve

    def noted(self: Linter, file: Any, *args: Any, **named: Any) -> Any:
        seen.append(file.source.path)
        return real(self, file, *args, **named)

    monkeypatch.setattr(Linter, "resolve", noted)
    check(cache)
    assert seen == ["deep/molt.sh"]


def test_what_was_read_of_a_trainer_is_kept_apart(tree: Path, cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check(cache)
    (tree / "trains.sh").write_text("python scripts/train.py --lt 1\n")
    expected = plainly(monkeypatch)
    assert "trains.sh:1:25: ARG001" in expected["concise"]
    real = trainer._read

    def read(entry_point: str, path: str, modules: Any) -> Any:
        assert path != "scripts/train.py"
        return real(entry_point, path, modules)

    monkeypatch.setattr(trainer, "_read", read)
    assert reports(check(cache)) == expected


def test_another_release_takes_nothing(tree: Path, cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from recipelint import release

    check(cache)
    asked = len(os.listdir(cache))
    monkeypatch.setattr(release, "__version__", "0.0.0")
    release.stamp.cache_clear()
    try:
        check(cache)
    finally:
        release.stamp.cache_clear()
    assert len([name for name in os.listdir(cache) if name.startswith("launcher-")]) > asked / 2
    assert len(os.listdir(cache)) > asked


def test_damaged_entries_do_no_harm(tree: Path, cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = reports(check(cache))
    for number, entry in enumerate(sorted(Path(cache).glob("*.entry"))):
        data = entry.read_bytes()
        entry.write_bytes((b"", data[:-5], data.replace(b"EP001", b"EP009"), b"null")[number % 4])
    assert reports(check(cache)) == expected


# --- processes -------------------------------------------------------------------------------------


def test_a_fault_in_a_process_is_told_as_any_other(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "MANY", 3)
    monkeypatch.setattr(spread, "MANY", 3)
    monkeypatch.setattr(workers, "processors", lambda: 2)

    def fault(*_: object, **__: object) -> None:
        raise KeyError("a fault")

    monkeypatch.setattr(Linter, "resolve", fault)
    with pytest.raises(KeyError, match="a fault"):
        check()


@pytest.mark.parametrize("allowed", [0, 1])
def test_where_no_more_processes_may_be_started_there_are_fewer(
    tree: Path, allowed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = plainly(monkeypatch)
    monkeypatch.setattr(run, "MANY", 3)
    monkeypatch.setattr(spread, "MANY", 3)
    monkeypatch.setattr(workers, "processors", lambda: 3)
    real = workers.copied
    started: list[int] = []

    def copied() -> int:
        if len(started) == allowed:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        started.append(1)
        return real()

    monkeypatch.setattr(workers, "copied", copied)
    assert reports(check()) == expected
    assert len(started) == allowed


def test_a_process_that_dies_is_an_error(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "MANY", 3)
    monkeypatch.setattr(spread, "MANY", 3)
    monkeypatch.setattr(workers, "processors", lambda: 2)
    here, real = os.getpid(), Linter.resolve

    def die(self: Linter, file: Any, *args: Any, **named: Any) -> Any:
        if os.getpid() != here and file.source.path == "shared/run03.sh":
            os.kill(os.getpid(), signal.SIGKILL)
        return real(self, file, *args, **named)

    monkeypatch.setattr(Linter, "resolve", die)
    with pytest.raises(workers.WorkerDied, match="-9"):
        check()


def test_ctrl_c_ends_all_processes(tmp_path: Path) -> None:
    for number in range(200):
        shutil.copy(FIXTURES / "examples/scripts/slurm/rl_omni3_30b.sh", tmp_path / f"{number}.sh")
    code = (
        "from recipelint import workers\nworkers.processors = lambda: 3\n"
        "import sys; sys.argv = ['recipelint', '--no-cache', '.']\nfrom recipelint.cli import main\nmain()"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    # A group of its own, as a terminal's Ctrl-C reaches all of a group.
    running = subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, env=env, start_new_session=True, stdout=-1, stderr=-1
    )
    children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
    while len(children.read_text().split()) < 3:
        assert running.poll() is None
        time.sleep(0.01)
    ours = children.read_text().split()
    os.killpg(running.pid, signal.SIGINT)
    out, errors = running.communicate(timeout=60)
    assert (running.returncode, out, errors.strip()) == (130, b"", b"")
    ended_by = time.monotonic() + 30
    while any(map(runs, ours)):
        assert time.monotonic() < ended_by
        time.sleep(0.01)


def runs(pid: str) -> bool:
    """Whether a process has not ended; one that nobody waits for has."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


# --- the command line ------------------------------------------------------------------------------


def program(*words: str, folder: Path, **env: str) -> subprocess.CompletedProcess[bytes]:
    inherited = {name: value for name, value in os.environ.items() if name != "RECIPELINT_NO_CACHE"}
    given = {**inherited, "PYTHONPATH": str(ROOT), **env}
    return subprocess.run([*PROGRAM, *words], cwd=folder, env=given, capture_output=True, check=False)


def listing(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_where_it_is_kept(tree: Path, tmp_path: Path) -> None:
    there = listing(tree)
    home, named, other = (tmp_path / name for name in ("home", "named", "other"))
    env = {"HOME": str(home), "XDG_CACHE_HOME": ""}
    nothing = program("deep", "--no-cache", folder=tree, **env)
    assert nothing.returncode == 1
    assert not home.exists()
    done = [
        program("deep", folder=tree, **env),
        program("deep", folder=tree, **env),
        program("deep", "--cache-dir", str(named), folder=tree, **env),
        program("deep", folder=tree, **env, RECIPELINT_CACHE_DIR=str(other)),
        program("deep", folder=tree, **env, RECIPELINT_NO_CACHE="1", RECIPELINT_CACHE_DIR=str(tmp_path / "no")),
        program("deep", "--cache-dir", "/proc/nowhere", folder=tree, **env),
    ]
    assert [(one.stdout, one.stderr, one.returncode) for one in done] == [(nothing.stdout, b"", 1)] * len(done)
    for folder in (home / ".cache/recipelint", named, other):
        assert len(list(folder.glob("launcher-*"))) == 2
    assert not (tmp_path / "no").exists()
    assert listing(tree) == there


def test_a_fix_is_written_and_seen_with_a_cache_as_without(tree: Path, tmp_path: Path) -> None:
    words = ("deep/molt2.sh", "--output-format", "concise", "--cache-dir", str(tmp_path / "named"))
    assert program(*words, folder=tree).returncode == 1
    fixed = program(*words, "--fix", "--unsafe-fixes", folder=tree)
    assert b"gradient_checkpoint none" in (tree / "deep/molt2.sh").read_bytes()
    assert fixed.returncode == 0
    assert program(*words, folder=tree).stdout == b"No problems in 1 file, 1 launch\n"


def test_a_repository_cannot_bring_what_was_kept(tree: Path, tmp_path: Path) -> None:
    """Its configuration may name a folder of its own; entries in it that are sealed otherwise are not taken."""
    home = {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": ""}
    (tree / "recipelint.toml").write_text('cache-dir = "kept"\n')
    first = program("deep", folder=tree, HOME=str(tmp_path / "theirs"), XDG_CACHE_HOME="")
    assert not (tree / "kept/key").exists()
    names = list((tree / "kept").glob("launcher-*"))
    assert len(names) == 2
    for path in names:
        path.write_bytes(path.read_bytes().replace(b"EP001", b"EP009"))
    shutil.copy(tmp_path / "theirs/.cache/recipelint/key", tree / "kept/key")
    again = program("deep", folder=tree, **home)
    assert (again.stdout, again.returncode) == (first.stdout, 1)
    assert b"EP009" not in again.stdout


@pytest.mark.parametrize("folder", ["../kept", "/tmp/kept", "link"])
def test_a_repository_cannot_have_it_written_elsewhere(tree: Path, tmp_path: Path, folder: str) -> None:
    (tree / "recipelint.toml").write_text(f'cache-dir = "{folder}"\n')
    (tree / "link").symlink_to(tmp_path)
    done = program("deep", folder=tree, HOME=str(tmp_path / "home"))
    assert done.returncode == 2
    assert b"is outside the folder of the configuration" in done.stderr
    assert not (tmp_path / "kept").exists()
    assert not (tmp_path / "home").exists()


def test_settings_say_nothing_of_it_by_default() -> None:
    assert Settings().cache is None

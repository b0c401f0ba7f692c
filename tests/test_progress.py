"""Progress: on a terminal's standard error alone, once a run takes long, and gone before the report."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pexpect
import pytest

from recipelint.cli import progress
from recipelint.cli.progress import CLEARED
from recipelint.tracking import untracked

FIXTURES = Path(__file__).parent / "fixtures" / "molt"
LATE, NOW = 3600, 0
CODE = """
import sys
from recipelint.cli import main, progress
progress.DELAY = {delay}
sys.argv[1:] = {args!r}
try:
    main()
finally:
    print("DRAWN" if "click._termui_impl" in sys.modules else "NOT DRAWN")
"""
BAR = re.compile(r"Checking \[[#-]{20}\] \d+/\d+")


@pytest.fixture
def launchers(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FIXTURES, tmp_path / "molt"))


def command(*args: str, delay: int = NOW, code: str = CODE) -> list[str]:
    return [sys.executable, "-c", code.format(delay=delay, args=list(args))]


def on_terminal(folder: Path, argv: list[str], columns: int = 100, **environ: str) -> str:
    """What a command writes to a terminal that is its standard output and error."""
    env = {"PATH": os.environ["PATH"], "TERM": "xterm", "NO_COLOR": "1", "LC_ALL": "C.UTF-8", **environ}
    child: pexpect.spawn[str] = pexpect.spawn(
        argv[0], argv[1:], cwd=str(folder), env=env, encoding="utf-8", timeout=60, dimensions=(40, columns)
    )
    child.expect(pexpect.EOF)
    return str(child.before)


@pytest.mark.parametrize(
    ("args", "stages"),
    [
        (["check", "--output-format", "concise"], ["Checking", "Preparing fixes"]),
        (["check", "--output-format", "concise", "--fix"], ["Checking", "Preparing fixes", "Checking fixes, pass 1"]),
        (["show"], ["Resolving"]),
        (["table"], ["Checking"]),
    ],
    ids=lambda one: " ".join(one),
)
def test_a_long_run_shows_how_far_it_is(launchers: Path, args: list[str], stages: list[str]) -> None:
    text = on_terminal(launchers, command(*args))
    for stage in stages:
        if stage != "Preparing fixes":  # may be over before anything is drawn
            assert f"{stage} [" in text
    *drawn, report = text.split(CLEARED)
    assert drawn
    assert "\x1b" not in report
    assert "[#" not in report
    assert report.endswith("DRAWN\r\n")
    if args == ["check", "--output-format", "concise"]:
        assert BAR.search(text)


def test_the_cursor_is_there_again(launchers: Path) -> None:
    text = on_terminal(launchers, command())
    assert "\x1b[?25l" in text
    assert text.rindex("\x1b[?25h") > text.rindex("\x1b[?25l")


def test_a_narrow_terminal_gets_no_bar(launchers: Path) -> None:
    text = on_terminal(launchers, command(), columns=60)
    assert re.search(r"Checking \d+/\d+", text)
    assert "[#" not in text
    assert "[-" not in text


@pytest.mark.parametrize("columns", [20, 40])
def test_a_very_narrow_terminal_gets_nothing(launchers: Path, columns: int) -> None:
    """What is drawn would take several rows, and only one of them could be taken back."""
    text = on_terminal(launchers, command(), columns=columns)
    assert "\x1b" not in text
    assert text.endswith("NOT DRAWN\r\n")


def test_a_short_run_writes_and_imports_nothing_for_it(launchers: Path) -> None:
    text = on_terminal(launchers, command(delay=LATE))
    assert "\x1b" not in text
    assert text.endswith("NOT DRAWN\r\n")


@pytest.mark.parametrize(
    ("args", "environ"),
    [(["-q"], {}), ([], {"CI": "true"}), ([], {"TERM": "dumb"})],
    ids=["quiet", "CI", "dumb"],
)
def test_where_it_is_not_wanted(launchers: Path, args: list[str], environ: dict[str, str]) -> None:
    text = on_terminal(launchers, command(*args), 100, **environ)
    assert "\x1b" not in text
    assert text.endswith("NOT DRAWN\r\n")


def test_a_pipe_gets_none(launchers: Path) -> None:
    env = {"PATH": os.environ["PATH"], "TERM": "xterm"}
    done = subprocess.run(command(), cwd=launchers, env=env, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.endswith("\nNOT DRAWN\n")


def test_standard_output_may_be_a_pipe(launchers: Path) -> None:
    text = on_terminal(launchers, ["/bin/sh", "-c", '"$@" >out.json', "sh", *command("--output-format", "json")])
    assert BAR.search(text)
    assert text.endswith(CLEARED)
    assert (launchers / "out.json").read_text().startswith("{")


def test_items_come_in_order_and_a_failure_leaves_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "wanted", lambda quiet: True)
    monkeypatch.setattr(progress, "DELAY", LATE)
    before = threading.active_count()

    def work() -> None:
        with progress.progress("Looking", quiet=False) as track:
            assert threading.active_count() == before + 1
            assert list(track("Reading", [3, 1, 2])) == [3, 1, 2]
            assert list(track("Nothing", [])) == []
            raise KeyError("stop")

    with pytest.raises(KeyError, match="stop"):
        work()
    assert threading.active_count() == before


def test_nobody_watches_where_it_is_not_wanted() -> None:
    with progress.progress("Looking", quiet=True) as track:
        assert track is untracked

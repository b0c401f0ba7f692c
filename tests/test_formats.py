"""All formats together: the registry, paths, order, what is inert, and which files a report speaks of."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from recipelint.keys import COMMAND_FORMATS, OUTPUT_FORMATS
from recipelint.report import formats
from recipelint.report.formats import FORMATS, render
from recipelint.report.report import Report
from tests.hostile import NAMES, read_back, repository
from tests.reports import RECIPE, every_format, of_text, report, write

SERVICES = [name for name, kind in FORMATS.items() if kind.service]
ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository(tmp_path_factory.mktemp("hostile"))


@pytest.fixture
def here(hostile: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(hostile)
    return hostile


def test_the_settings_name_the_formats_that_there_are() -> None:
    assert list(FORMATS) == list(OUTPUT_FORMATS)
    assert set(COMMAND_FORMATS) <= set(OUTPUT_FORMATS)


def test_a_run_loads_no_other_format_and_nothing_that_only_services_need() -> None:
    code = (
        "import sys; from recipelint.cli import main\n"
        "sys.argv[1:] = ['--isolated', 'tests/fixtures/molt/examples/scripts/docker_run.sh']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted(name for name in sys.modules if name.startswith('recipelint.report.')))\n"
        "print([name for name in ('hashlib', 'recipelint.fixer', 'bashlex', 'urllib') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    loaded, slow = done.stdout.splitlines()[-2:]
    others = {f"recipelint.report.{kind.module}" for kind in FORMATS.values()} - {"recipelint.report.people"}
    assert "recipelint.report.full" in loaded
    assert not [name for name in others if f"'{name}'" in loaded]
    assert slow == "[]"


def test_every_format_is_the_same_each_time_and_ends_its_last_line(here: Path) -> None:
    first, second = (every_format(report()) for _ in range(2))
    assert first == second
    assert all(text.endswith("\n") for text in first.values())


def test_nothing_hostile_comes_out(here: Path) -> None:
    found = report("hostile")
    assert len(found.outcome.diagnostics) >= 2 * len(NAMES)
    for name, text in every_format(found).items():
        for line in text.split("\n"):
            assert line.isprintable(), (name, line)
        commands = read_back(text)
        assert bool(commands) == (name == "github"), name
        if name not in ("full", "concise", "grouped", "github", "markdown"):  # these show letters as they are
            assert text.isascii(), name


def test_a_name_that_could_be_a_command_is_none_even_alone_in_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"::error::x.sh": RECIPE})
    for name, text in every_format(report()).items():
        assert [command.name for command in read_back(text)] == (["error"] if name == "github" else []), name
        assert "::error::x" not in text


@pytest.mark.parametrize("name", SERVICES)
def test_services_are_told_paths_from_the_root_of_the_repository(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"a/b/launch.sh": RECIPE})
    texts = []
    for folder, path in (
        (".", "a"),
        ("a/b", "."),
        ("a/b", "launch.sh"),
        ("a", "b/../b/launch.sh"),
        ("a", str(tmp_path / "a" / "b")),
    ):
        monkeypatch.chdir(tmp_path / folder)
        texts.append(render(name, report(path)))
    assert "a/b/launch.sh" in texts[0]
    assert len(set(texts)) == 1


def test_with_diff_services_speak_of_the_files_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"launch.sh": RECIPE})
    plain, diff = report(), report(diff=True)
    assert diff.outcome.diagnostics == ()
    for name in SERVICES:
        assert render(name, diff) == render(name, plain), name
    assert "EP001" in render("github", diff)
    assert json.loads(render("json", diff))["diagnostics"] == []
    assert render("json-lines", diff) == ""
    fixed = report(fix=True)
    assert "EP001" not in render("github", fixed)
    assert (tmp_path / "launch.sh").read_text() != RECIPE


def test_json_lines_are_the_diagnostics_of_the_json(here: Path) -> None:
    found = report("hostile", "examples")
    lines = [json.loads(line) for line in render("json-lines", found).splitlines()]
    assert lines == json.loads(render("json", found))["diagnostics"]
    assert len(lines) > len(NAMES)
    assert render("json-lines", Report(found.outcome._replace(diagnostics=()))) == ""


def test_grouped() -> None:
    text = render("grouped", of_text(RECIPE + RECIPE.partition("\n")[2].replace("full", "selective")))
    name, first, second, empty, totals = text.split("\n")[:5]
    assert name == "launch.sh:"
    assert first.startswith("  4:31  EP001  [error]    expert_parallel_size 8 with")
    assert second.startswith("  7:31  EP002  [warning]  ")
    assert (empty, totals.partition(" in ")[0]) == ("", "Found 1 error and 1 warning")


def test_a_fix_that_would_be_withdrawn_is_offered_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recipelint.verify.Verification.failure", lambda self: "it would not do")
    (found,) = of_text(RECIPE).outcome.diagnostics
    assert (found.fix, found.note) == (None, "fix withdrawn: it would not do")
    monkeypatch.undo()
    (found,) = of_text(RECIPE).outcome.diagnostics
    assert found.fix is not None


def test_each_fix_is_judged_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    from recipelint.verify import Verification

    real = Verification.failure

    def failure(self: Verification) -> str:
        if any(one.location.start.line == 7 for one in self.chosen):
            return "not this one"
        return real(self)

    monkeypatch.setattr(Verification, "failure", failure)
    launch = RECIPE.partition("\n")[2]
    found = of_text(RECIPE + launch + launch).outcome.diagnostics
    assert [(one.location.start.line, one.fix is not None) for one in found] == [(4, True), (7, False), (10, True)]
    assert [one.note == "fix withdrawn: not this one" for one in found] == [False, True, False]


def test_an_unknown_format_is_a_fault_of_the_program() -> None:
    with pytest.raises(KeyError):
        formats.render("yaml", of_text(RECIPE))

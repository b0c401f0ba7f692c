"""--output: several reports of one run, where they go, and what is refused before and after it."""

from __future__ import annotations

import json
import os
import stat
import threading
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from recipelint.cli.commands import app
from recipelint.cli.terminal import run as run_app
from tests.reports import RECIPE, write

CLEAN = RECIPE.replace("full", "none")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a launcher that has one finding."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"launch.sh": RECIPE})
    return tmp_path


def invoke(*args: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, list(args), input=stdin, catch_exceptions=False)


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """What is said of a command line that is refused: in one line or two, with status 2, and nothing printed."""
    assert run_app(app, list(args)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err.splitlines()[0]


def test_several_reports_of_one_run(here: Path) -> None:
    done = invoke(
        *("--output", "sarif=a.sarif", "--output", "junit=b.xml", "--output=github=-", "--output", "json=c.json"),
        *("--output-format", "concise", "launch.sh"),
    )
    assert done.exit_code == 1
    concise, totals, github = done.stdout.splitlines()
    assert concise.startswith("launch.sh:4:31: EP001 [error] ")
    assert totals.startswith("Found 1 error in 1 file")
    assert github.startswith("::error file=launch.sh,line=4,")
    assert json.loads((here / "a.sarif").read_text())["runs"][0]["results"][0]["ruleId"] == "EP001"
    assert ElementTree.parse(here / "b.xml").getroot().attrib["failures"] == "1"
    assert json.loads((here / "c.json").read_text()) == json.loads(
        invoke("--output-format", "json", "launch.sh").stdout
    )
    assert (here / "launch.sh").read_text() == RECIPE


def test_reports_of_a_clean_run_are_written_too(here: Path) -> None:
    write(here, {"launch.sh": CLEAN})
    assert invoke("--output", "gitlab=a.json", "--output", "json-lines=b", "launch.sh").exit_code == 0
    assert (here / "a.json").read_text() == "[]\n"
    assert (here / "b").read_text() == ""


def test_a_report_for_people_in_a_file_has_no_colour_unless_it_is_asked_for(here: Path) -> None:
    invoke("--output", "full=plain", "launch.sh")
    invoke("--output", "full=coloured", "--color", "always", "launch.sh")
    assert "\x1b[" not in (here / "plain").read_text()
    assert "\x1b[" in (here / "coloured").read_text()
    assert (here / "plain").read_text().endswith("; 1 fixable with --fix\n")


def test_quiet_leaves_the_totals_out_of_every_report(here: Path) -> None:
    invoke("-q", "--output", "grouped=a", "launch.sh")
    assert (here / "a").read_text().count("\n") == 3


def test_the_format_may_stand_in_the_configuration(here: Path) -> None:
    (here / "recipelint.toml").write_text('output-format = "github"\n')
    assert invoke("launch.sh").stdout.startswith("::error ")
    assert invoke("--output-format", "json-lines", "launch.sh").stdout.startswith('{"code": "EP001"')
    assert invoke("check-command", "--", "true").stdout == ""
    (here / "recipelint.toml").write_text('output-format = "sarif"\n')
    command = ("torchrun", "-m", "molt.cli.train_sft", "--fsdp.ep_size", "8")
    assert invoke("check-command", "--", *command).stdout.startswith("error[EP001]")


def test_a_wrong_format_in_the_configuration(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "recipelint.toml").write_text('output-format = "sarf"\n')
    said = refused(capsys, "launch.sh")
    assert said.startswith("recipelint: error: recipelint.toml: output-format: must be one of full, concise, ")
    assert said.endswith("; did you mean 'sarif'?")


@pytest.mark.parametrize("name", ["json-lines", "github"])
def test_a_command_line_can_be_told_in_lines(name: str) -> None:
    command = ("torchrun", "-m", "molt.cli.train_sft", "--fsdp.ep_size", "8")
    done = invoke("check-command", "--output-format", name, "--", *command)
    assert done.exit_code == 1
    (line,) = done.stdout.splitlines()
    assert line.startswith({"json-lines": '{"code": "EP001"', "github": "::error title=EP001 "}[name])


# --- with --fix, --diff and standard input ------------------------------------------------------------------------


def test_with_fix_reports_are_of_the_fixed_files(here: Path) -> None:
    done = invoke("--fix", "--output", "json=a.json", "--output", "gitlab=b.json", "launch.sh")
    assert done.exit_code == 0
    assert json.loads((here / "a.json").read_text())["summary"]["fixed"] == 1
    assert (here / "b.json").read_text() == "[]\n"
    assert "gradient_checkpoint none" in (here / "launch.sh").read_text()


def test_with_diff_the_patch_stands_alone_and_services_hear_of_the_files_as_they_are(here: Path) -> None:
    done = invoke("--diff", "--output", "rdjson=a.json", "launch.sh")
    assert done.exit_code == 1
    assert done.stdout.startswith("--- a/launch.sh\n+++ b/launch.sh\n")
    (found,) = json.loads((here / "a.json").read_text())["diagnostics"]
    assert found["suggestions"][0]["range"] == {"start": {"line": 2}, "end": {"line": 4}}
    assert (here / "launch.sh").read_text() == RECIPE


@pytest.mark.parametrize("args", [["--diff", "launch.sh"], ["--fix", "-"]])
def test_where_standard_output_is_taken_no_report_goes_there(
    args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, "--output", "github=-", *args)
    assert said == "recipelint: error: --output github=-: standard output is for what --fix or --diff prints"


def test_standard_input_is_reported_under_its_name(here: Path) -> None:
    invoke("--output", "github=a", "--stdin-filename", "sub/x.sh", "-", stdin=RECIPE)
    assert (here / "a").read_text().startswith("::error file=sub/x.sh,line=4,")
    invoke("--output", "github=a", "-", stdin=RECIPE)
    assert (here / "a").read_text().startswith("::error title=EP001 ")
    done = invoke("--fix", "--output", "json=b", "-", stdin=RECIPE)
    assert "gradient_checkpoint none" in done.stdout
    assert json.loads((here / "b").read_text())["summary"]["fixed"] == 1


# --- refused before the run ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outputs", "said"),
    [
        (["sarif"], "'sarif' is not of the form FORMAT=FILE"),
        (["sarif="], "'sarif=' is not of the form FORMAT=FILE"),
        (["=a"], "'=a' is not of the form FORMAT=FILE"),
        (["sarf=a"], "did you mean 'sarif'?"),
        (["sarif=a", "junit=./a"], "--output: sarif and junit go to one file, ./a"),
        (["sarif=a", "sarif=link/../a"], "--output: sarif and sarif go to one file, link/../a"),
        (["sarif=-"], "--output: standard output cannot hold both sarif and full; name a file, or use --output-format"),
        (["github=-", "json=-"], "--output: standard output cannot hold both json and github; name a file"),
        (["sarif=gone/a"], "--output: gone/a: there is no folder gone"),
        (["sarif=.git"], "--output: .git: is a folder"),
        (["sarif=link"], "--output: link: is a symbolic link"),
        (["sarif=dangling"], "--output: dangling: is a symbolic link"),
        (["sarif=launch.sh"], "--output: launch.sh: is a file to check"),
        (["sarif=./launch.sh"], "--output: ./launch.sh: is a file to check"),
    ],
)
def test_refused_before_anything_is_read(
    outputs: list[str], said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "kept").write_text("kept")
    (here / "link").symlink_to("kept")
    (here / "dangling").symlink_to("gone.txt")
    args = [word for output in outputs for word in ("--output", output)]
    before = sorted(os.listdir(here))
    assert said in refused(capsys, "--fix", *args, "launch.sh")
    assert (here / "launch.sh").read_text() == RECIPE
    assert (here / "kept").read_text() == "kept"
    assert sorted(os.listdir(here)) == before


def test_json_may_have_standard_output_for_itself() -> None:
    done = invoke("--output-format", "json", "--output", "github=a", "launch.sh")
    assert len(json.loads(done.stdout)["diagnostics"]) == 1


# --- written after it ---------------------------------------------------------------------------------------------


def test_a_file_that_a_launcher_sources_is_not_written_over(here: Path) -> None:
    write(here, {"launch.sh": "source common.inc\n" + RECIPE, "common.inc": "A=1\n"})
    done = invoke("--output", "sarif=common.inc", "launch.sh")
    assert done.exit_code == 2
    assert "recipelint: common.inc: not written: it is a file that was checked\n" in done.stderr
    assert (here / "common.inc").read_text() == "A=1\n"


def test_an_older_report_is_replaced_and_keeps_its_mode(here: Path) -> None:
    (here / "a.json").write_text("old")
    (here / "a.json").chmod(0o640)
    old = os.open(here / "a.json", os.O_RDONLY)
    try:
        invoke("--output", "gitlab=a.json", "launch.sh")
        assert os.read(old, 10) == b"old"  # whoever reads it has the old one, whole
    finally:
        os.close(old)
    assert json.loads((here / "a.json").read_text())
    assert stat.S_IMODE((here / "a.json").stat().st_mode) == 0o640
    assert sorted(os.listdir(here)) == [".git", "a.json", "launch.sh"]


def test_a_new_report_has_the_mode_of_new_files(here: Path) -> None:
    before = os.umask(0o027)
    try:
        invoke("--output", "gitlab=a.json", "launch.sh")
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(before)
    assert stat.S_IMODE((here / "a.json").stat().st_mode) == 0o640


@pytest.mark.parametrize("repository", [False, True])
def test_no_report_goes_through_a_folder_that_leads_elsewhere(
    repository: bool, here: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    away = tmp_path_factory.mktemp("away")
    (here / ".git").mkdir(exist_ok=True)
    if repository:
        (away / ".git").mkdir()
    (here / "out").symlink_to(away)
    done = invoke("--output", "gitlab=out/a.json", "launch.sh")
    assert done.exit_code == 2
    assert "recipelint: out/a.json: not written: it is reached through a folder that leads elsewhere" in done.stderr
    assert os.listdir(away) == [".git"] * repository


def test_one_that_cannot_be_written_is_a_2_and_the_others_are(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.replace

    def replace(source: str, target: str) -> None:
        if target == "a":
            raise OSError(28, "No space left on device")
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    done = invoke("--exit-zero", "--output", "gitlab=a", "--output", "junit=b", "launch.sh")
    assert done.exit_code == 2
    assert "recipelint: a: not written: No space left on device\n" in done.stderr
    assert done.stdout.startswith("error[EP001]")
    assert sorted(os.listdir(here)) == [".git", "b", "launch.sh"]


def test_devices_and_pipes_are_written_to_as_they_are(here: Path) -> None:
    os.mkfifo(here / "pipe")
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append((here / "pipe").read_text()))
    reader.start()
    done = invoke("--output", f"gitlab={here / 'pipe'}", "--output", "sarif=/dev/null", "launch.sh")
    reader.join(10)
    assert done.exit_code == 1
    assert json.loads(read[0])[0]["check_name"] == "EP001"
    assert stat.S_ISFIFO((here / "pipe").stat().st_mode)
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)

"""The command line: words in, an exit status and a report out. What a run finds is given by hand."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

import recipelint
from recipelint import cli
from recipelint.cli import terminal
from recipelint.cli.commands import app
from recipelint.cli.group import DefaultGroup
from recipelint.diagnostic import Severity
from recipelint.discovery import DiscoveredFile
from recipelint.outcome import Outcome, Unreadable
from recipelint.ruleset.select import SelectError
from recipelint.settings import Settings
from recipelint.source import SourceFile
from recipelint.tracking import Track
from tests.outcomes import LAUNCHER, at, diagnostic, launcher, repaired, source, wrong
from tests.own_rules import write_rule

ROOT = Path(__file__).parent.parent
Files = Sequence[SourceFile | DiscoveredFile]


class Run:
    """Stands in for recipelint.run: keeps what it is asked, and gives back an outcome."""

    def __init__(self) -> None:
        self.outcome: Outcome | Exception = Outcome()
        self.settings = Settings()
        self.files: list[SourceFile | DiscoveredFile] = []
        self.called = ""

    def check(self, settings: Settings, files: Files, *, track: Track) -> Outcome:
        return self._answer("check", settings, files)

    def resolve(self, settings: Settings, files: Files, *, track: Track) -> Outcome:
        return self._answer("resolve", settings, files)

    def _answer(self, name: str, settings: Settings, files: Files) -> Outcome:
        self.called, self.settings, self.files = name, settings, list(files)
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """A run that finds nothing, in an empty repository with one launcher."""
    stub = Run()
    module = SimpleNamespace(check=stub.check, judge=stub.check, resolve=stub.resolve)
    monkeypatch.setitem(sys.modules, "recipelint.run", module)
    monkeypatch.setattr(recipelint, "run", module, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.sh").write_text(LAUNCHER)
    return stub


def invoke(*args: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, list(args), input=stdin, catch_exceptions=False)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ([], ["check"]),
        (["a"], ["check", "a"]),
        (["--fix", "a"], ["check", "--fix", "a"]),
        (["check", "a"], ["check", "a"]),
        (["show", "a"], ["show", "a"]),
        (["a", "show"], ["check", "a", "show"]),
        (["./show"], ["check", "./show"]),
        (["--", "show"], ["check", "--", "show"]),
        (["--select", "EP001", "--fix", "dir"], ["check", "--select", "EP001", "--fix", "dir"]),
        (["--select=EP001", "dir"], ["check", "--select=EP001", "dir"]),
        (["--env", "A=1", "show", "x"], ["show", "--env", "A=1", "x"]),
        (["--select", "show", "x"], ["check", "--select", "show", "x"]),
        (["--arg", "table", "table", "x"], ["table", "--arg", "table", "x"]),
        (["-q", "rule"], ["rule", "-q"]),
        (["-"], ["check", "-"]),
        (["--fix", "--help"], ["check", "--fix", "--help"]),
        (["--help"], ["--help"]),
        (["-h", "x"], ["-h", "x"]),
        (["--fix", "--version"], ["--version"]),
        (["--select"], ["check", "--select"]),
    ],
)
def test_the_command_may_be_left_out(given: list[str], meant: list[str]) -> None:
    assert isinstance(app, DefaultGroup)
    assert app.with_command(given) == meant


def test_check_is_the_default_and_gets_its_settings(run: Run) -> None:
    result = invoke(
        *("--fix", "--unsafe-fixes", "--select", "EP001,SH", "--select", "moe", "--ignore", "SH002"),
        *("--env", "A=1", "--env", "B=x=y", "--env", "A=2", "--arg", "one", "--arg", "-2", "--fail-level", "error"),
        *("--exclude", "old/", "--force-exclude", "--quiet", "a.sh", "--color", "never"),
    )
    assert (result.exit_code, run.called) == (0, "check")
    assert run.files == [DiscoveredFile("a.sh", True)]
    assert run.settings == Settings(
        paths=("a.sh",),
        select=("EP001", "SH", "moe"),
        ignore=("SH002",),
        env=(("A", "2"), ("B", "x=y")),
        args=("one", "-2"),
        fail_level=Severity.ERROR,
        fix=True,
        unsafe_fixes=True,
        color="never",
        quiet=True,
        root=os.getcwd(),
        exclude=("old/",),
        force_exclude=True,
    )


def test_without_paths_those_of_the_configuration_count(run: Run) -> None:
    assert invoke().exit_code == 0
    assert run.files == [DiscoveredFile("a.sh", False)]
    Path("recipelint.toml").write_text('paths = ["a.sh"]\nselect = ["EP"]\n')
    assert invoke().exit_code == 0
    assert (run.files, run.settings.select) == ([DiscoveredFile("a.sh", True)], ("EP",))
    assert invoke("--isolated").exit_code == 0
    assert run.files == [DiscoveredFile("a.sh", False)]
    Path("other.toml").write_text('select = ["SH"]\n')
    assert invoke("--config", "other.toml").exit_code == 0
    assert run.settings.select == ("SH",)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--fix", "--diff", "a.sh"], "--fix and --diff exclude each other"),
        (["--nonsense"], "No such option"),
        (["--env", "A"], "'A' is not of the form NAME=VALUE"),
        (["--output-format", "xml"], "'xml' is not one of"),
        (["show", "--fix", "a.sh"], "No such option"),
        (["--config", "x", "--isolated"], "--config and --isolated exclude each other"),
        (["--config", "gone.toml"], "gone.toml: No such file or directory"),
        (["table", "--columns", "expert_paralel_size"], "no column 'expert_paralel_size'; did you mean 'expert_par"),
        (
            ["table", "--columns", "zzz"],
            "--columns: there is no column 'zzz'; there are recipe, framework, entry_point,",
        ),
        (["rule", "EP01"], "there is no rule 'EP01'; did you mean 'EP001'?"),
        (["--select", "EP01", "a.sh"], "--select: there is no rule 'EP01'; did you mean 'EP001'?"),
        (["show", "--ignore", "EP01", "a.sh"], "No such option"),
        (["--select", "", "a.sh"], "Invalid value for '--select': a selector is empty"),
        (["--select", "EP,", "a.sh"], "Invalid value for '--select': a selector is empty"),
        (["--select", "EP", "--ignore", " ", "a.sh"], "Invalid value for '--ignore': a selector is empty"),
        (["check-command", "--select", "", "--", "a"], "Invalid value for '--select': a selector is empty"),
        (["--unfixable", "", "a.sh"], "Invalid value for '--unfixable': a selector is empty"),
        (["--changed-since", "", "a.sh"], "Invalid value for '--changed-since': the revision is empty"),
        (["table", "--changed-since=", "a.sh"], "Invalid value for '--changed-since': the revision is empty"),
    ],
)
def test_usage_errors_are_a_2(run: Run, args: list[str], message: str) -> None:
    result = invoke(*args)
    assert result.exit_code == 2
    assert message in result.stderr.replace("\n", " ")
    assert (result.stdout, run.called) == ("", "")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["completion"], "Missing argument 'bash | zsh | fish'. Choose from: bash, zsh, fish"),
        (["rules", "new", "TEAM001"], "Missing argument 'NAME'."),
        (
            ["check", "--fail-level", "x"],
            "Invalid value for '--fail-level': 'x' is not one of 'info', 'warning', 'error'.",
        ),
    ],
)
def test_what_click_says_is_one_line(args: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert terminal.run(app, args) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first == f"recipelint: error: {message}"
    assert second.startswith("recipelint: see recipelint ")


def test_what_a_user_wrote_cannot_break_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert terminal.run(app, ["rule", "EP\n::error::x"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "EP\\n:\\x3aerror" in line


def test_a_wrong_configuration_or_selector_is_a_2(run: Run) -> None:
    Path("recipelint.toml").write_text("selct = 1\n")
    result = invoke("a.sh")
    assert (result.exit_code, "recipelint.toml: there is no key 'selct'" in result.stderr) == (2, True)
    Path("recipelint.toml").unlink()
    Path("recipelint.toml").write_text('ignore = ["EP01"]\n')
    for command in ("check", "show", "table"):
        result = invoke(command, "a.sh")
        assert result.exit_code == 2
        assert "recipelint.toml: ignore: there is no rule 'EP01'; did you mean 'EP001'?" in result.stderr
    Path("recipelint.toml").write_text('[per-file-ignores]\n"*.sh" = ["ep001"]\n')
    assert "recipelint.toml: per-file-ignores.*.sh: there is no rule 'ep001'; did you" in invoke("a.sh").stderr
    Path("recipelint.toml").unlink()
    run.outcome = SelectError("selects nothing")
    result = invoke("a.sh")
    assert (result.exit_code, "selects nothing" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["chekc", "a.sh"], "chekc: no such file, folder or command; did you mean 'check'?"),
        (["--fix", "tabel"], "tabel: no such file, folder or command; did you mean 'table'?"),
        (["gone", "chekc"], "gone: no such file or folder"),
        (["gone", "chekc"], "chekc: no such file or folder"),
        (["show.sh"], "show.sh: no such file or folder"),
        (["show", "chekc"], "chekc: no such file or folder"),
    ],
)
def test_a_misspelt_command_is_no_file(run: Run, args: list[str], reason: str) -> None:
    result = invoke(*args)
    assert result.exit_code == 2
    assert f"recipelint: {reason}\n" in result.stderr


def test_files_that_are_excluded_are_counted(run: Run) -> None:
    Path("b.yaml").touch()
    result = invoke("--exclude", "a.sh", "--force-exclude", "a.sh")
    assert (result.exit_code, result.stdout) == (0, "1 file excluded\n")
    assert invoke("--exclude", "a.sh").stdout == invoke("table", "--exclude", "a.sh").stdout == "1 file excluded\n"
    result = invoke("b.yaml")
    assert (result.exit_code, result.stderr) == (2, "recipelint: b.yaml: is neither a shell script nor Python\n")


def test_a_variable_that_no_launcher_reads_is_named(run: Run) -> None:
    run.outcome = wrong()
    note = "recipelint: --env: no launcher mentions EP_SIZ\n"
    given = ("--env", "EP_SIZ=1", "--env", "EP_SIZE=1", "--env", "MOLT_MOE_DISPATCHER=torch", "a.sh")
    for command in ("check", "show", "table"):
        assert invoke(command, *given).stderr == note
    assert invoke("--quiet", *given).stderr == invoke("--output-format", "json", *given).stderr == ""
    Path("recipelint.toml").write_text('env = {EP_SIZ = "1"}\n')
    assert invoke("a.sh").stderr == ""


def test_a_revision_is_told_with_what_gave_it(run: Run) -> None:
    assert invoke("--automodel", " ").exit_code == 2
    run.outcome = wrong()
    Path("recipelint.toml").write_text('automodel = "0.5.0"\n')
    invoke("a.sh")
    assert run.settings.automodel == "0.5.0"
    assert dict(run.settings.origins)["automodel"] == "recipelint.toml: automodel"
    invoke("--automodel", "0.7.0", "a.sh")
    assert (run.settings.automodel, dict(run.settings.origins)["automodel"]) == ("0.7.0", "--automodel")


def test_exit_status_follows_the_fail_level(run: Run) -> None:
    file = source()
    for severity, level, expected in (
        (Severity.ERROR, "error", 1),
        (Severity.WARNING, "error", 0),
        (Severity.WARNING, None, 1),
        (Severity.INFO, None, 0),
        (Severity.INFO, "info", 1),
    ):
        run.outcome = Outcome((launcher(file),), (diagnostic(at(file, "full"), severity=severity),))
        options = ["--fail-level", level] if level else []
        assert invoke(*options, "a.sh").exit_code == expected, (severity, level)
        assert invoke("--exit-zero", *options, "a.sh").exit_code == 0


def test_full_is_the_default_and_ends_with_the_totals(run: Run) -> None:
    run.outcome = wrong()
    result = invoke("a.sh")
    assert result.exit_code == 1
    assert result.stdout.startswith("error[EP001] full-checkpointing-under-ep-dispatcher: full under hybridep\n")
    assert result.stdout.endswith("\n\nFound 1 error in 1 file, 1 launch; 1 fixable with --fix\n")
    assert result.stderr == ""
    assert "Found" not in invoke("--quiet", "a.sh").stdout


def test_concise_and_json(run: Run) -> None:
    run.outcome = wrong()
    assert invoke("--output-format", "concise", "-q", "a.sh").stdout == (
        "slurm/sft.sh:6:31: EP001 [error] full under hybridep\n"
    )
    result = invoke("a.sh", "--output-format=json")
    assert result.exit_code == 1
    assert [one["code"] for one in json.loads(result.stdout)["diagnostics"]] == ["EP001"]


def test_fix_says_what_was_fixed_and_ends_with_0(run: Run) -> None:
    run.outcome = repaired()
    result = invoke("--fix", "a.sh")
    assert result.exit_code == 0
    assert result.stdout == (
        "fixed slurm/sft.sh:6: EP001 set activation_checkpointing to none\n"
        "\n"
        "Fixed 1 problem in 1 file\n"
        "No problems in 1 file, 1 launch\n"
    )
    assert invoke("--fix", "--quiet", "a.sh").stdout == ""
    assert invoke("--fix", "--exit-non-zero-on-fix", "a.sh").exit_code == 1
    assert json.loads(invoke("--fix", "--output-format", "json", "a.sh").stdout)["summary"]["fixed"] == 1


def test_diff_prints_a_patch_alone_and_the_report_elsewhere(run: Run) -> None:
    run.outcome = repaired()
    result = invoke("--diff", "a.sh")
    assert result.exit_code == 1
    assert result.stdout.startswith("--- a/slurm/sft.sh\n+++ b/slurm/sft.sh\n")
    assert result.stdout.endswith("+  --model.gradient_checkpoint none\n")
    assert result.stderr.startswith("would fix slurm/sft.sh:6: EP001 ")
    assert result.stderr.endswith("Would fix 1 problem in 1 file\nWould leave no problems in 1 file, 1 launch\n")
    run.outcome = Outcome((launcher(source()),))
    result = invoke("--diff", "a.sh")
    assert (result.exit_code, result.stdout) == (0, "")


def test_diff_keeps_the_bytes_of_the_files(run: Run) -> None:
    run.outcome = repaired(SourceFile("x.sh", b"# \xff\x1b\r\ntorchrun full\r\n"))
    assert invoke("--diff", "a.sh").stdout_bytes.endswith(b" # \xff\x1b\r\n-torchrun full\r\n+torchrun none\r\n")


def test_unreadable_input_is_a_2_and_the_rest_is_reported(run: Run) -> None:
    run.outcome = wrong()._replace(unreadable=(Unreadable("b\x1b.sh", "is binary"),))
    for options in ([], ["--exit-zero"]):
        result = invoke(*options, "gone.sh", "a.sh")
        assert result.exit_code == 2
        assert result.stderr == "recipelint: gone.sh: no such file or folder\nrecipelint: b\\x1b.sh: is binary\n"
        assert "error[EP001]" in result.stdout
    shown = json.loads(invoke("--output-format", "json", "gone.sh", "a.sh").stdout)
    assert [one["path"] for one in shown["unreadable"]] == ["gone.sh", "b\x1b.sh"]
    for command in ("show", "table"):
        assert invoke(command, "gone.sh", "a.sh").exit_code == 2


def test_standard_input(run: Run) -> None:
    assert invoke("-", stdin="echo\n").exit_code == 0
    (file,) = run.files
    assert isinstance(file, SourceFile)
    assert (file.path, file.data) == ("<stdin>", b"echo\n")
    invoke("-", "--stdin-filename", "slurm/x.sh", "a.sh", stdin="echo\n")
    assert [file.path for file in run.files] == ["a.sh", "slurm/x.sh"]
    result = invoke("-", stdin=b"echo\0")
    assert (result.exit_code, result.stderr) == (2, "recipelint: <stdin>: is binary\n")


def test_fixing_standard_input_writes_the_fixed_text_alone(run: Run) -> None:
    run.outcome = repaired(source(path="<stdin>"))
    result = invoke("--fix", "-", stdin=LAUNCHER)
    assert result.stdout == LAUNCHER.replace("full", "none")
    assert result.stderr.startswith("fixed <stdin>:6: ")
    run.outcome = Outcome((launcher(source("echo\r\n", "<stdin>")),))
    assert invoke("--fix", "-", stdin="echo\r\n").stdout_bytes == b"echo\r\n"


def test_show(run: Run) -> None:
    run.outcome = wrong()
    result = invoke("show", "--env", "A=1", "--arg", "x", "a.sh")
    assert (result.exit_code, run.called) == (0, "resolve")
    assert (run.settings.env, run.settings.args) == ((("A", "1"),), ("x",))
    assert "molt.cli.train_sft (molt), line 4, through torchrun\n" in result.stdout
    shown = json.loads(invoke("show", "--output-format", "json", "a.sh").stdout)
    assert shown["files"][0]["launches"][0]["entry_point"] == "molt.cli.train_sft"


def test_table(run: Run) -> None:
    run.outcome = wrong()
    result = invoke("table", "a.sh")
    assert (result.exit_code, run.called, run.settings.fix) == (0, "check", False)
    assert result.stdout.splitlines()[2].split()[-2:] == ["EP001", "error"]
    assert invoke("table", "--format", "markdown", "--columns", "recipe,verdict", "a.sh").stdout == (
        "| recipe | verdict |\n| --- | --- |\n| slurm/sft.sh | EP001 error |\n"
    )
    assert invoke("table", "--output-format", "csv", "--columns", "verdict", "a.sh").stdout == "verdict\nEP001 error\n"
    assert json.loads(invoke("table", "--format", "json", "--columns", "model", "a.sh").stdout)["rows"] == [
        {"model": None, "when": []}
    ]


@pytest.mark.parametrize("name", ["EP001", "ep001", "full-checkpointing-under-ep-dispatcher"])
def test_rule(name: str) -> None:
    result = invoke("rule", name)
    assert result.exit_code == 0
    assert result.stdout.startswith("# EP001: full-checkpointing-under-ep-dispatcher\n")
    shown = json.loads(invoke("rule", name, "--output-format", "json").stdout)
    assert [(one["code"], one["severity"]) for one in shown["rules"]] == [("EP001", "error")]


def test_rules_are_listed() -> None:
    lines = invoke("rule").stdout.splitlines()
    rows = [line.split() for line in lines]
    for row in (
        "EP001 error full-checkpointing-under-ep-dispatcher (safe fix)",
        "EP002 warning selective-checkpointing-under-hybridep",
        "RL001 warning unused-ignore (safe fix)",
        "EP003 info right-only-by-an-overridable-default (off unless selected)",
    ):
        assert row.split() in rows
    codes = [one["code"] for one in json.loads(invoke("rule", "--output-format", "json").stdout)["rules"]]
    assert {"EP001", "SH001", "SH002", "RL001"} <= set(codes)


def test_a_rule_in_preview_is_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for code, status in (("TEAM001", "preview"), ("TEAM002", "stable")):
        path = write_rule(tmp_path / "r", ("status: stable", f"status: {status}"), code=code, name=f"is-{status}")
        assert path.exists()
    rows = [line.split() for line in invoke("rule", "--rules", "r").stdout.splitlines()]
    assert "TEAM001 warning is-preview (unsafe fix; preview)".split() in rows
    assert "TEAM002 warning is-stable (unsafe fix)".split() in rows


def test_help_names_the_commands_and_the_options() -> None:
    text = invoke("--help").stdout
    for word in ("check", "show", "table", "rule", "--version"):
        assert word in text
    text = invoke("check", "--help").stdout
    for option in ("--fix", "--diff", "--unsafe-fixes", "--select", "--ignore", "--env", "--arg", "--fail-level"):
        assert option in text
    text = " ".join(invoke("table", "--help").stdout.split())
    assert "Settings: model the checkpoint that is trained" in text
    assert "activation_checkpointing which activations" in text


def test_a_rule_fits_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    from recipelint.cli import terminal
    from recipelint.report.style import Stream

    monkeypatch.setattr(terminal, "stream_of", lambda color: Stream(width=60))
    lines = invoke("rule", "EP001").stdout.splitlines()
    assert "Full activation checkpointing together with expert" in lines
    assert max(map(len, invoke("rule").stdout.splitlines())) <= 60


def test_a_crash_is_not_hidden_from_the_tests(run: Run) -> None:
    run.outcome = ZeroDivisionError("a bug")
    with pytest.raises(ZeroDivisionError):
        invoke("a.sh")


def main(monkeypatch: pytest.MonkeyPatch, *args: str) -> int:
    """The exit status of the program."""
    monkeypatch.setattr(sys, "argv", ["recipelint", *args])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert isinstance(caught.value.code, int)
    return caught.value.code


def test_main_gives_the_status_to_the_shell(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(monkeypatch, "a.sh") == 0
    run.outcome = wrong()
    assert main(monkeypatch, "a.sh") == 1
    assert main(monkeypatch, "gone.sh") == 2
    capsys.readouterr()
    assert main(monkeypatch, "--fix", "--diff") == 2
    assert capsys.readouterr().err == (
        "recipelint: error: --fix and --diff exclude each other\nrecipelint: see recipelint check --help\n"
    )
    assert main(monkeypatch, "--select\x1b[31m::error::") == 2
    assert "\\x1b[31m:\\x3aerror" in capsys.readouterr().err
    assert main(monkeypatch, "rule", "nothing-like-it") == 2
    assert capsys.readouterr().err == "recipelint: error: there is no rule 'nothing-like-it'\n"
    assert main(monkeypatch, "--help") == 0


def test_an_internal_error_is_one_line_and_a_2(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("RECIPELINT_DEBUG", raising=False)
    run.outcome = ZeroDivisionError("a\nbug\x1b")
    assert main(monkeypatch, "a.sh") == 2
    assert capsys.readouterr().err == (
        "recipelint: internal error: ZeroDivisionError: a\\nbug\\x1b (RECIPELINT_DEBUG=1 shows where)\n"
    )
    monkeypatch.setenv("RECIPELINT_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(monkeypatch, "a.sh")


@pytest.mark.parametrize(
    ("error", "status"), [(KeyboardInterrupt(), 130), (click.Abort(), 130), (BrokenPipeError(), 2)]
)
def test_an_interrupt_and_a_reader_that_left(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(app, "main", fail)
    monkeypatch.setattr(terminal, "silence", lambda: None)
    assert main(monkeypatch, "a.sh") == status


def python(*args: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Another process, with this checkout."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), **options.pop("env", {})}
    return subprocess.run([sys.executable, *args], env=env, text=True, check=False, **options)


def test_version_imports_next_to_nothing() -> None:
    done = python("-X", "importtime", "-m", "recipelint", "--version", capture_output=True)
    assert (done.returncode, done.stdout) == (0, f"recipelint {recipelint.__version__}\n")
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "recipelint.cli" in imported
    assert not imported & {"click", "recipelint.settings", "recipelint.report", "dataclasses", "json"}
    assert invoke("--version").stdout == done.stdout


def test_the_command_line_imports_click_and_no_library_that_is_slow_to_load() -> None:
    slow = ["rich", "ruamel", "bashlex", "libcst", "tree_sitter", "pathspec", "recipelint.run", "json", "difflib"]
    code = f"import sys, recipelint.cli.commands; print([name for name in {slow} if name in sys.modules])"
    assert python("-c", code, capture_output=True).stdout == "[]\n"


def test_a_reader_that_leaves_early_changes_no_status() -> None:
    code = (
        "import sys; from recipelint.cli import terminal\n"
        "for _ in range(2000): terminal.emit('x' * 1000)\n"
        "terminal.emit(b'y'); sys.exit(1)"
    )
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = python("-c", code, stdout=writing, stderr=subprocess.PIPE)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")


def test_what_the_terminal_cannot_encode_is_escaped() -> None:
    code = "from recipelint.cli.terminal import emit; emit('训 \\udcff\\n')"
    done = python("-c", code, capture_output=True, env={"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stdout) == (0, "\\u8bad \\udcff\n")


@pytest.mark.parametrize(
    ("color", "env", "expected"),
    [
        ("auto", {}, True),
        ("auto", {"NO_COLOR": "1"}, False),
        ("auto", {"TERM": "dumb"}, False),
        ("auto", {"NO_COLOR": ""}, True),
        ("always", {"NO_COLOR": "1"}, True),
        ("never", {}, False),
    ],
)
def test_colour_on_a_terminal(color: str, env: dict[str, str], expected: bool) -> None:
    ours, theirs = pty.openpty()
    code = f"from recipelint.cli.terminal import stream_of; print(stream_of({color!r}))"
    try:
        python("-c", code, stdout=theirs, env={"TERM": "xterm", "NO_COLOR": "", "COLUMNS": "97", **env})
        text = os.read(ours, 1000).decode()
    finally:
        os.close(theirs)
        os.close(ours)
    assert text.strip() == f"Stream(colour={expected}, width=97, host=None)"


def test_colour_elsewhere(run: Run) -> None:
    run.outcome = wrong()
    assert "\x1b[" not in invoke("a.sh").stdout
    assert "\x1b[1;31m" in invoke("--color", "always", "a.sh").stdout


def test_diff_on_a_terminal_is_safe_to_look_at(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from recipelint.cli import reporting

    run.outcome = repaired(SourceFile("x.sh", b"# \x1b[2J\ntorchrun full\n"))
    monkeypatch.setattr(reporting, "_to_terminal", lambda: True)
    assert "\n # \\x1b[2J\n-torchrun full\n+torchrun none\n" in invoke("--diff", "a.sh").stdout


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_is_closed_changes_nothing(tmp_path: Path, closed: str) -> None:
    launcher = b"torchrun -m molt.cli.train_sft --fsdp.ep_size 8 --model.gradient_checkpoint full\n"
    (tmp_path / "a.sh").write_bytes(launcher)
    command = f'exec "{sys.executable}" -m recipelint --no-cache --fix a.sh {closed}'
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "a.sh").read_bytes().endswith(launcher.replace(b"full", b"none"))
    assert not done.stdout if ">&-" in closed.split() else "ixed" in done.stdout


def test_a_standard_input_that_is_closed_is_no_empty_launcher(tmp_path: Path) -> None:
    command = f'exec "{sys.executable}" -m recipelint --no-cache - <&-'
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Bad file descriptor" in done.stdout + done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_report_that_cannot_be_written_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text("echo\n")
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "recipelint", "--no-cache", "a.sh"]
        done = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "recipelint: error: the report cannot be written: No space left on device\n"

"""Completion: what a shell is offered, asked as it asks, and what the shells themselves make of it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pexpect
import pytest

from recipelint.cli.commands import app
from recipelint.cli.completing import BY_METAVAR, BY_NAME, script
from recipelint.cli.group import DefaultGroup
from recipelint.ruleset.load import load
from tests.proofs import proved_by
from tests.readme_blocks import run

PROGRAM = Path(sys.executable).with_name("recipelint")
CODES = sorted(load().rules)


def offered(*words: str, shell: str = "bash") -> list[str]:
    """What the last of the words, begun, is completed to, in the lines that the shell's script reads."""
    env = {
        **os.environ,
        "_RECIPELINT_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": "\n".join(["recipelint", *words]),
        "COMP_CWORD": words[-1] if shell == "fish" else str(len(words)),
    }
    done = subprocess.run([PROGRAM], env=env, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def plain(*words: str) -> list[str]:
    return [line.removeprefix("plain,") for line in offered(*words) if line.startswith("plain,")]


def test_a_command_may_be_left_out_and_so_may_be_meant() -> None:
    assert plain("") == sorted(app.commands)
    assert offered("sh") == ["file,sh", "plain,show"]
    assert offered("--quiet", "ta") == ["file,ta", "plain,table"]
    assert offered("examples/") == ["file,examples/"]
    assert offered("--fix", "a.sh", "sh") == ["file,sh"]  # after a path no command can follow
    assert offered("--", "sh") == ["file,sh"]
    assert offered("show", "sh") == ["file,sh"]


def test_options_are_those_of_the_command() -> None:
    assert {"--fix", "--fail-level", "--force-exclude"} <= set(plain("--f"))
    assert plain("--vers") == ["--version"]
    assert plain("check", "--vers") == []
    assert plain("table", "--co") == ["--columns", "--config", "--color"]
    assert "--fix" not in plain("show", "--")


def test_values_of_options() -> None:
    assert set(plain("--output-format", "")) >= {"full", "concise", "json"}
    assert offered("--config", "re") == ["file,re"]
    assert offered("--config", "") == ["file,"]  # not a command: the option lacks its value
    assert plain("table", "--columns", "recipe,expert") == [
        "recipe,expert_parallel_size",
        "recipe,expert_tensor_parallel_size",
    ]
    assert plain("--env", "MOLT_GATE") == ["MOLT_GATE_PRECISION="]
    assert "plain,molt.cli.train_sft" in offered("flags", "molt")
    assert offered("flags", "src/") == ["file,src/"]
    assert plain("completion", "") == ["bash", "zsh", "fish"]


def test_rules_are_codes_families_and_once_begun_names() -> None:
    families = sorted({rule.family for rule in load().rules.values()})
    assert plain("--select", "") == [*CODES, *families, "ALL"]
    assert plain("--select", "EP001,full") == ["EP001,full-checkpointing-under-ep-dispatcher"]
    assert plain("--ignore", "mo") == ["moe"]
    assert plain("rule", "") == CODES
    assert plain("rule", "GU") == ["GUARD001"]


def test_a_teams_own_rules_are_completed_where_the_configuration_names_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ci").mkdir()
    subprocess.run([PROGRAM, "rules", "new", "TEAM001", "nodes-too-few", "ci"], check=True, capture_output=True)
    assert plain("rule", "TEAM") == []
    (tmp_path / "recipelint.toml").write_text('rules = ["ci"]\n')
    assert plain("rule", "TEAM") == ["TEAM001"]
    (tmp_path / "recipelint.toml").write_text("rules = [\n")
    assert plain("rule", "GU") == ["GUARD001"]


def test_an_output_is_a_format_and_a_file() -> None:
    assert plain("--output", "sar") == ["sarif="]
    assert offered("--output=sarif=re", shell="zsh") == ["file", "sarif=re", "_"]


@pytest.mark.parametrize("words", [("--select", "=", "mo"), ("--select=mo",)], ids=["as bash", "as zsh"])
def test_a_value_after_an_equals_sign(words: tuple[str, ...]) -> None:
    assert plain(*words) == ["moe" if "=" in words else "--select=moe"]


def test_help_stands_beside_the_words_in_zsh_and_fish() -> None:
    summary = load().rules["EP001"].summary
    assert offered("rule", "EP001", shell="zsh") == ["plain", "EP001", summary]
    assert offered("rule", "EP001", shell="fish") == [f"plain,EP001\t{summary}"]
    assert offered("sho", shell="fish") == ["file,sho", f"plain,show\t{app.commands['show'].short_help}"]


def parameters(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Parameter]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from parameters(command, f"{path}{name} ")
        for param in command.params:
            yield f"{path}{name} {param.opts[0]}", param


FREE = {"VALUE", "REV", "TEXT", "WORD", "CODE", "NAME"}
"""What nobody can complete: the last two are those of a new rule."""


@pytest.mark.parametrize(("name", "param"), list(parameters(app)), ids=lambda one: one if isinstance(one, str) else "")
def test_every_value_is_completed_or_known_to_be_free(name: str, param: click.Parameter) -> None:
    """A parameter that is added has a type that click completes, or a metavar that is in one of the tables."""
    flag = isinstance(param, click.Option) and (param.is_flag or param.count)
    by_click = isinstance(param.type, click.Choice | click.Path | click.File)
    in_table = param.metavar in BY_METAVAR or param.name in BY_NAME
    free = (param.metavar or str(param.name).upper()) in FREE
    assert flag or by_click or in_table or free, f"{name} {param.metavar}"


def test_the_page_puts_scripts_where_shells_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ((_, _, block),) = proved_by("tests/test_completion.py::test_the_page_puts_scripts_where_shells_look")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert run(block.body, tmp_path) == ""
    for shell, place in {
        "bash": ".local/share/bash-completion/completions/recipelint",
        "zsh": ".zfunc/_recipelint",
        "fish": ".config/fish/completions/recipelint.fish",
    }.items():
        assert (tmp_path / place).read_text("utf-8") == run(f"recipelint completion {shell}", tmp_path) != ""


def test_nothing_for_completion_is_imported_where_nobody_asks() -> None:
    code = "import sys, recipelint.cli.commands; print('recipelint.cli.completing' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_group_knows_where_a_command_may_stand() -> None:
    assert isinstance(app, DefaultGroup)
    assert app.command_may_follow([])
    assert app.command_may_follow(["--fix", "--select", "EP001"])
    assert not app.command_may_follow(["--select"])
    assert not app.command_may_follow(["show"])
    assert not app.command_may_follow(["--"])
    assert not app.command_may_follow(["-"])


# --- the shells themselves -------------------------------------------------------------------------

SHELLS = {
    "bash": (["--norc", "--noprofile", "-i"], "PS1='ready>'; bind 'set enable-bracketed-paste off'"),
    "zsh": (
        ["-f", "-i"],
        "PS1='ready>'; bindkey -e; autoload -Uz compinit && compinit -u -D",
    ),
    "fish": (["--no-config", "-i"], "function fish_prompt; echo -n 'ready>'; end"),
}


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[pexpect.spawn[str]]:
    """A shell at its prompt, that has read the script, in a folder with a launcher."""
    name: str = request.param
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"{name} is not installed")
    (tmp_path / "launchers").mkdir()
    (tmp_path / "launchers" / "train_sft.sh").write_text("echo\n")
    (tmp_path / "complete").write_text(script(app, name))
    args, setup = SHELLS[name]
    env = {
        "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "TERM": "dumb" if name != "fish" else "xterm",
        "LC_ALL": "C.UTF-8",
    }
    child: pexpect.spawn[str] = pexpect.spawn(
        program, args, cwd=str(tmp_path), env=env, encoding="utf-8", timeout=30, dimensions=(50, 200)
    )
    child.sendline(f"{setup}; source ./complete; echo READ''Y")
    child.expect("READY")
    child.expect("ready>")
    yield child
    child.close(force=True)


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("recipelint sho", "recipelint show "),
        ("recipelint rule GU", "recipelint rule GUARD001 "),
        ("recipelint --select environ", "recipelint --select environment "),
        ("recipelint --select EP001,GU", "recipelint --select EP001,GUARD001 "),
        ("recipelint --output-format conc", "recipelint --output-format concise "),
        ("recipelint --unsafe", "recipelint --unsafe-fixes "),
        ("recipelint launchers/tr", "recipelint launchers/train_sft.sh "),
        ("recipelint check launchers/tr", "recipelint check launchers/train_sft.sh "),
    ],
)
def test_a_shell_completes(shell: pexpect.spawn[str], typed: str, completed: str) -> None:
    shell.send(f"{typed}\t")
    shell.send("\x01echo GOT: \x05\r")  # at the start of the line, and back to its end
    shell.expect(rf"GOT: {re.escape(completed.rstrip())} *\r*\n")


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_shows_the_whole_text_beside_a_word(tmp_path: Path) -> None:
    """Fish itself says what it would show: commas do not end a text, and a word without any stays as it is."""
    (tmp_path / "complete").write_text(script(app, "fish"))
    env = {"PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}

    def shown(line: str) -> list[str]:
        code = f"source ./complete; complete -C '{line}'"
        words = ["fish", "--no-config", "-c", code]
        done = subprocess.run(words, cwd=tmp_path, env=env, stdout=subprocess.PIPE, encoding="utf-8", check=True)
        return done.stdout.splitlines()

    rules = load().rules
    assert "," in rules["ARG004"].summary
    assert "," not in rules["EP001"].summary
    for code in ("ARG004", "EP001"):
        assert shown(f"recipelint rule {code}") == [f"{code}\t{rules[code].summary}"]
    family = ", ".join(sorted(code for code, rule in rules.items() if rule.family == "moe"))
    assert shown("recipelint --ignore EP001,mo") == [f"EP001,moe\t{family}"]


def test_a_value_goes_on_after_an_equals_sign(shell: pexpect.spawn[str]) -> None:
    if "zsh" in str(shell.command):
        pytest.skip("zsh ends every word with a space")
    shell.send("recipelint --env MOLT_GATE\t")
    shell.send("1\x01echo GOT: \x05\r")
    shell.expect(r"GOT: recipelint --env MOLT_GATE_PRECISION=1 *\r*\n")

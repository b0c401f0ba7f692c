"""The man page: it says all that the commands take, the readers of such pages have nothing to say of it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from recipelint.cli import roff
from recipelint.cli.commands import app
from recipelint.cli.manual import page

ROOT = Path(__file__).parent.parent
MANUAL = ROOT / "docs" / "man" / "recipelint.1"


def test_the_page_is_up_to_date_and_the_check_sees_when_it_is_not(tmp_path: Path) -> None:
    check = (sys.executable, "-m", "recipelint.cli.manual", "--check")
    assert subprocess.run([*check, MANUAL], check=False).returncode == 0
    old = tmp_path / "recipelint.1"
    old.write_text(MANUAL.read_text("ascii").replace("Apply safe fixes", "Apply fixes"))
    done = subprocess.run([*check, old], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "is not up to date" in done.stderr
    subprocess.run([sys.executable, "-m", "recipelint.cli.manual", old], check=True)
    assert old.read_text() == MANUAL.read_text("ascii")


def commands(group: click.Group, path: str = "recipelint") -> list[tuple[str, click.Command]]:
    return [
        one
        for name, command in group.commands.items()
        for one in (
            commands(command, f"{path} {name}") if isinstance(command, click.Group) else [(f"{path} {name}", command)]
        )
    ]


def read(reader: str) -> str:
    """The page as it is read."""
    program = shutil.which(reader)
    if program is None:
        pytest.skip(f"{reader} is not installed")
    args = {"man": ("--warnings", "-l"), "mandoc": ("-Tutf8",), "groff": ("-ww", "-man", "-Tutf8")}[reader]
    env = {"PATH": "/usr/bin:/bin", "MANWIDTH": "100", "LC_ALL": "C.UTF-8", "PAGER": "cat"}
    done = subprocess.run([program, *args, MANUAL], env=env, capture_output=True, encoding="utf-8", check=True)
    assert done.stderr == ""
    return re.sub(r".\x08|\x1b\[[\d;]*m", "", done.stdout)


@pytest.mark.parametrize("reader", ["man", "mandoc", "groff"])
def test_a_reader_shows_every_command_with_its_options(reader: str) -> None:
    text = read(reader)
    parts = re.split(r"^   (recipelint .*)$", text, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    assert list(sections) == sorted(name for name, command in commands(app) if not command.hidden)
    for name, command in commands(app):
        for param in command.params:
            if isinstance(param, click.Option) and not param.hidden:
                assert any(re.search(rf"(?<![\w-]){option}(?![\w-])", sections[name]) for option in param.opts), name
    for phrase in ("~/.config/fish/completions/recipelint.fish", "--output-format [full|", "EXIT STATUS", "($1, …)"):
        assert phrase in text


def test_mandoc_has_nothing_to_say_but_that_there_is_no_date() -> None:
    program = shutil.which("mandoc")
    if program is None:
        pytest.skip("mandoc is not installed")
    done = subprocess.run([program, "-T", "lint", "-W", "warning", MANUAL], capture_output=True, text=True, check=False)
    assert re.fullmatch(r"mandoc: .*: WARNING: missing date.*\n", done.stdout)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("as-shipped, with --fix-all or -q", "as-shipped, with \\-\\-fix\\-all or \\-q"),
        (".hidden", "\\&.hidden"),
        ("'quoted'", "\\&'quoted'"),
        ("back\\slash ~ ^ ` …", "back\\eslash \\(ti \\(ha \\(ga \\[u2026]"),
    ],
)
def test_text_is_no_macro(text: str, source: str) -> None:
    assert roff.line(text) == source


def test_an_option_is_its_names_and_its_value() -> None:
    assert roff.option("-q, --quiet") == "\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR"
    assert roff.option("--config FILE") == "\\fB\\-\\-config\\fR \\fIFILE\\fR"
    assert roff.option("--color [auto|never]") == "\\fB\\-\\-color\\fR \\fI[auto|\\:never]\\fR"
    assert roff.option("--pair A B") == "\\fB\\-\\-pair\\fR \\fIA B\\fR"


def test_groups_in_groups_and_hidden_commands() -> None:
    @click.group()
    def outer() -> None:
        """Say it. Then more."""

    @outer.group()
    def inner() -> None: ...

    @inner.command()
    @click.option("--one", help="First.")
    def deep(one: str) -> None:
        """Go deep.

        \b
        kept
          lines
        """

    @outer.command(hidden=True)
    def secret() -> None: ...

    made = page(outer)
    assert ".SS recipelint inner deep\n\\fBrecipelint inner deep\\fR \\fI[OPTIONS]\\fR\n" in made
    assert ".PP\n.nf\nkept\n  lines\n.fi\n" in made
    assert "\\fB\\-\\-one\\fR \\fITEXT\\fR\nFirst.\n" in made
    assert "secret" not in made

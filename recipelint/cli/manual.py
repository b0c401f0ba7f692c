"""The man page, made from the commands themselves: whatever they take is in it, and nothing that they do not.

`python -m recipelint.cli.manual docs/man/recipelint.1` writes it; with `--check` it says whether it is up to date. It
holds the version and no date, so that it is the same whenever it is made.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import NamedTuple

import click

from recipelint import __version__
from recipelint.cli import roff
from recipelint.cli.terminal import PROGRAM

SHARED = 3
"""In so many commands an option must be the same to be told of once for all; and no other may have its name."""
WIDE = 10_000
"""Columns of the help that the page is made from: it is not to be broken into lines."""

DESCRIPTION = """
recipelint reads the shell scripts that launch training, and works out what each trainer would get: its flags, its
environment and its settings. It runs none of them. Recipes that cannot run as written are reported, with the places
that decide it, and fixed where a fix can be proved to change nothing else.

Without a command, check is meant. Options may stand before the command.
"""
LISTS = {
    "EXIT STATUS": (
        ("0", "Nothing at or above --fail-level is left."),
        ("1", "Something is; or --diff has something to change; or, with --exit-non-zero-on-fix, something was fixed."),
        ("2", "The command line, the configuration or a file could not be used. Whatever could be read was checked."),
        ("130", "Interrupted, as with Ctrl-C."),
    ),
    "ENVIRONMENT": (
        ("NO_COLOR", "If it is not empty, no colours are written unless --color always asks for them."),
        ("TERM", "With dumb, no colours, no hyperlinks and no progress are written."),
        ("CI", "If it is not empty, no progress is written."),
        ("FORCE_HYPERLINK", "With 0, no hyperlinks are written; with another value, they are wherever colours are."),
        ("WATCHFILES_FORCE_POLLING", "With 1, --watch looks for changes time and again, as network folders need."),
        ("RECIPELINT_DEBUG", "If it is not empty, an internal error shows where it happened."),
    ),
    "FILES": (
        ("pyproject.toml", "The configuration, in the table tool.recipelint."),
        ("recipelint.toml", "The configuration; it wins over a pyproject.toml in the same folder."),
    ),
    "EXAMPLES": (
        ("recipelint", "Check the launchers below the working directory, or those that the configuration names."),
        ("recipelint --fix examples/scripts", "Fix what can be fixed safely."),
        ("recipelint --diff train.sh", "Show what --fix would change."),
        ("recipelint run -- sbatch train.slurm", "Submit a job, unless something is wrong with it."),
        ("recipelint rule EP001", "Say what a rule is about."),
    ),
}


class Entry(NamedTuple):
    """A command that does something: the words that call it, how it is used, what it is for, and its options."""

    words: str
    usage: str
    help: str
    options: tuple[roff.Row, ...]


def page(app: click.Group) -> str:
    """The whole page, in the man macros."""
    return "".join(f"{line}\n" for line in _page(app))


def _page(app: click.Group) -> Iterator[str]:
    entries = list(_entries(app, PROGRAM))
    often = Counter(option for entry in entries for option in entry.options)
    spelled = Counter(_name(written) for written, _ in often)
    shared = [one for one in often if often[one] >= SHARED and spelled[_name(one[0])] == 1]
    yield '.\\" Made by python -m recipelint.cli.manual. Edit the commands, not this page.'
    yield f'.TH {PROGRAM.upper()} 1 "" "{PROGRAM} {__version__}" "User Commands"'
    yield ".nh"
    yield ".ad l"
    yield ".SH NAME"
    yield f"{PROGRAM} \\- {roff.line(_summary(app))}"
    yield ".SH SYNOPSIS"
    for number, entry in enumerate(entries):
        yield from [".br"] if number else []
        yield entry.usage
    yield ".SH DESCRIPTION"
    yield from roff.paragraphs(DESCRIPTION)
    yield ".SH COMMANDS"
    for entry in entries:
        yield from _command(entry, shared)
    yield ".SH SHARED OPTIONS"
    yield from roff.rows(shared)
    for title, rows in LISTS.items():
        yield f".SH {title}"
        yield from roff.rows(rows, literal=True)
    yield ".SH SEE ALSO"
    yield ".BR bash (1),"
    yield ".BR shellcheck (1)"


def _command(entry: Entry, shared: list[roff.Row]) -> Iterator[str]:
    yield f".SS {roff.line(entry.words)}"
    yield entry.usage
    yield ".PP"
    yield from roff.paragraphs(entry.help)
    yield from roff.rows(one for one in entry.options if one not in shared)
    common = [roff.bold(_name(one[0])) for one in entry.options if one in shared]
    if common:
        yield ".PP"
        yield "Of the shared options, it takes"
        yield from (f"{one}{',' if one != common[-1] else '.'}" for one in common)


def _entries(group: click.Group, path: str) -> Iterator[Entry]:
    """The commands in the order of their names; those of a group in its place."""
    for name, command in sorted(group.commands.items()):
        words = f"{path} {name}"
        if isinstance(command, click.Group):
            yield from _entries(command, words)
        elif not command.hidden:
            ctx = click.Context(command, info_name=words, max_content_width=WIDE, terminal_width=WIDE)
            usage = " ".join([roff.bold(words), *map(roff.italic, command.collect_usage_pieces(ctx))])
            options = (one.get_help_record(ctx) for one in command.get_params(ctx) if isinstance(one, click.Option))
            yield Entry(words, usage, cleandoc(command.help or ""), tuple(one for one in options if one is not None))


def _name(written: str) -> str:
    """The longest name of an option."""
    return max(roff.names(written), key=len)


def _summary(app: click.Group) -> str:
    first = (app.help or "").split("\n")[0].rstrip(".")
    return first[:1].lower() + first[1:]


def main() -> None:
    from recipelint.cli.commands import app

    file = Path(sys.argv[-1])
    made = page(app)
    if "--check" not in sys.argv[1:]:
        file.write_text(made, "ascii")
    elif not file.is_file() or file.read_text("utf-8") != made:
        sys.exit(f"{file} is not up to date: python -m recipelint.cli.manual {file} writes it")


if __name__ == "__main__":
    main()

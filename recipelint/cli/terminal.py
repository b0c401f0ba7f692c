"""Where output goes: standard output and error, their colour and width, and how an exit looks to the shell."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import TYPE_CHECKING, TextIO

from recipelint.cli.hyperlinks import host
from recipelint.report.plain import neutralise
from recipelint.report.style import Stream

if TYPE_CHECKING:
    import click

NARROWEST = 40
PROGRAM = "recipelint"
COMPLETING = "_RECIPELINT_COMPLETE"
"""Set by a shell that wants completions: click answers then, and runs no command."""


def run(app: click.Command, args: Sequence[str]) -> int:
    """Run a click command, and give back its exit status; what click refuses is said in one line, and is a 2."""
    import click

    if COMPLETING in os.environ and isinstance(app, click.Group):
        from recipelint.cli.completing import equip

        equip(app)
    try:
        status = app.main(list(args), prog_name=PROGRAM, standalone_mode=False)
    except click.ClickException as error:
        return refused(error)
    except click.Abort:
        return 130
    except BrokenPipeError:
        silence()
        return 2
    return status if isinstance(status, int) else 0


def refused(error: Exception) -> int:
    """Say what click or a command refuses; the exit status. Any other error is raised again."""
    import click

    if not isinstance(error, click.ClickException):
        raise error
    say(f"error: {refusal(error)}")
    if isinstance(error, click.UsageError) and error.ctx:
        say(f"see {error.ctx.command_path} --help")
    return 2


def refusal(error: click.ClickException) -> str:
    """What is wrong, in one line: click itself breaks the lines of a list of choices."""
    import click

    text = error.format_message()
    return re.sub(r"\s*\n\s*", " ", text) if isinstance(error, click.UsageError) else text


def say(message: str) -> None:
    """A line on standard error, whose text may be untrusted."""
    sys.stderr.write(f"recipelint: {neutralise(message)}\n")
    sys.stderr.flush()


def emit(text: str | bytes, *, err: bool = False) -> None:
    """Write a report; bytes as they are. A reader that went away ends it, and the exit status stays what it is.

    Raises ClickException where it cannot be written, as to a full disk.
    """
    stream = sys.stderr if err else sys.stdout
    try:
        if isinstance(text, bytes):
            stream.flush()
            stream.buffer.write(text)
        else:
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
            stream.write(text)
        stream.flush()
    except BrokenPipeError:
        silence()
    except OSError as error:
        silence()
        import click

        raise click.ClickException(f"the report cannot be written: {error.strerror or error}") from error


def silence() -> None:
    """Send what is still to be written to standard output nowhere, so that the interpreter can exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def stream_of(color: str, *, err: bool = False) -> Stream:
    """How to write to standard output or error: plain where it is no terminal, or where NO_COLOR is set."""
    return _stream(sys.stderr if err else sys.stdout, color)


def _stream(file: TextIO, color: str) -> Stream:
    terminal = file.isatty()
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    colour = color == "always" or (color == "auto" and terminal and not plain)
    width = max(NARROWEST, _columns()) if terminal else None
    return Stream(colour, width, host(os.environ, terminal=terminal) if colour else None)


def _columns() -> int:
    """How wide the terminal is; asked of a library that takes a while to load, and only where there is one."""
    from shutil import get_terminal_size

    return get_terminal_size().columns

"""The command diagnose: logs in, what made the run fail out. Status 1: a known failure, 0: none, 2: unreadable."""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING, BinaryIO

import click

from recipelint.cli import ERROR
from recipelint.cli.options import COLOR, HELP, PATHS, QUIET

if TYPE_CHECKING:
    from recipelint.logs.diagnose import Diagnoser
    from recipelint.logs.diagnosis import Diagnosis
    from recipelint.logs.unpacking import AsItIs, Unpacked

STDIN = "-"


@click.command(short_help="Say what made a training run fail, from its log.")
@click.argument("logs", nargs=-1, metavar="[LOGS]...", type=PATHS)
@click.option(
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print it."
)
@COLOR
@QUIET
@HELP
@click.pass_context
def diagnose(ctx: click.Context, /, logs: tuple[str, ...], output_format: str, color: str, quiet: bool) -> None:
    """Say what made a training run fail. LOGS are files, may be gzipped, or - for standard input (the default)."""
    if not logs and sys.stdin.isatty():
        raise click.UsageError("name a log, or - for standard input", ctx)
    from recipelint.cli import reading
    from recipelint.cli.terminal import emit, say, stream_of
    from recipelint.logs.diagnose import Diagnoser
    from recipelint.report import diagnosis
    from recipelint.ruleset.load import load

    with reading.user_errors():
        diagnoser = Diagnoser(load())
    made = [diagnosed(diagnoser, path) for path in logs or (STDIN,)]
    emit(diagnosis.json(made) if output_format == "json" else diagnosis.text(made, stream_of(color), quiet=quiet))
    for one in made:
        for line in one.cut if not quiet else ():
            say(f"{one.path}:{line}: the message of a CheckpointError is cut off before it says what differs")
        if one.partial:
            say(f"{one.path}: {one.partial}")
        if one.unreadable:
            say(f"{one.path}: {one.unreadable}")
    ctx.exit(ERROR if any(one.unreadable for one in made) else int(any(one.found for one in made)))


def diagnosed(diagnoser: Diagnoser, path: str) -> Diagnosis:
    """The diagnosis of one log, read as it comes."""
    from recipelint.logs.diagnosis import Diagnosis
    from recipelint.logs.unpacking import opened

    try:
        if path == STDIN:
            return read(diagnoser, "<stdin>", opened(sys.stdin.buffer))
        with open(path, "rb") as file:  # a pipe is welcome: diagnose <(zstdcat train.log.zst)
            if _endless(file):
                return Diagnosis(path, unreadable="is a device, not a file")
            return read(diagnoser, path, opened(file))
    except OSError as error:
        return Diagnosis(path, unreadable=error.strerror or str(error))


def read(diagnoser: Diagnoser, path: str, log: Unpacked | AsItIs) -> Diagnosis:
    """The diagnosis of an open log, with what was left of it."""
    made = diagnoser.diagnose(path, log.read)
    return made._replace(partial=made.partial or log.partial)


def _endless(file: BinaryIO) -> bool:
    """Whether a file is a device that may have no end, as /dev/zero has none; a terminal has."""
    return stat.S_ISCHR(os.fstat(file.fileno()).st_mode) and not file.isatty()

"""The command diagnose: logs in, what made the run fail out. Status 1: a known failure, 0: none, 2: unreadable."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, BinaryIO, cast

import click

from recipelint.cli import ERROR
from recipelint.cli.options import COLOR, HELP, QUIET

if TYPE_CHECKING:
    from recipelint.logs.diagnose import Diagnoser
    from recipelint.logs.diagnosis import Diagnosis

STDIN, GZIP = "-", b"\x1f\x8b"


@click.command(short_help="Say what made a training run fail, from its log.")
@click.argument("logs", nargs=-1, metavar="[LOGS]...", type=click.Path(path_type=str, allow_dash=True))
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
        if one.unreadable:
            say(f"{one.path}: {one.unreadable}")
    ctx.exit(ERROR if any(one.unreadable for one in made) else int(any(one.found for one in made)))


def diagnosed(diagnoser: Diagnoser, path: str) -> Diagnosis:
    """The diagnosis of one log, read as it comes."""
    from recipelint.logs.diagnosis import Diagnosis

    try:
        if path == STDIN:
            return diagnoser.diagnose("<stdin>", plain(sys.stdin.buffer).read)
        with open(path, "rb") as file:
            return diagnoser.diagnose(path, plain(file).read)
    except OSError as error:
        return Diagnosis(path, unreadable=error.strerror or str(error))


def plain(file: BinaryIO) -> BinaryIO:
    """The file, unpacked if it is gzipped."""
    peek = getattr(file, "peek", None)
    if peek is None or peek(2)[:2] != GZIP:
        return file
    import gzip

    return cast(BinaryIO, gzip.GzipFile(fileobj=file))

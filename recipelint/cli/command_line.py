"""The commands that take a command line: check-command judges it, run starts it where nothing is wrong with it.

Only here is the environment of this process read: the user asks for the verdict on starting the command in it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from recipelint.cli.options import (
    AUTOMODEL,
    COLOR,
    COMMAND_FORMAT,
    CONFIG,
    ENV,
    EXIT_ZERO,
    EXTEND_SELECT,
    FAIL_LEVEL,
    HELP,
    IGNORE,
    ISOLATED,
    PREVIEW,
    QUIET,
    RULES,
    SELECT,
    UserError,
    decorate,
    settings_of,
)

if TYPE_CHECKING:
    from recipelint.outcome import Judged
    from recipelint.settings import Settings

# Options end where the command begins: what follows is the command's own, with or without `--` before it.
WORDS = {"allow_interspersed_args": False}
_words: Callable[[Any], Any] = click.argument(
    "words", metavar="[--] COMMAND [ARGS]...", nargs=-1, type=click.UNPROCESSED
)
_SHARED = (
    *(SELECT, EXTEND_SELECT, IGNORE, PREVIEW, FAIL_LEVEL, COMMAND_FORMAT, AUTOMODEL, RULES),
    *(CONFIG, ISOLATED, COLOR, QUIET, HELP),
)


def _options(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda command: decorate(command, options)


@click.command("check-command", context_settings=WORDS, short_help="Check a command line in the present environment.")
@_words
@_options(ENV, EXIT_ZERO, *_SHARED)
@click.pass_context
def check_command(ctx: click.Context, /, words: tuple[str, ...], exit_zero: bool, **given: Any) -> None:
    """Check what COMMAND would give its trainers if it were started here and now. It is not started."""
    settings = settings_of(given)
    judged = _judged(ctx, words, settings, os.environ)
    _report(judged, settings, err=False)
    _tell_unknown(judged, settings)
    ctx.exit(0 if exit_zero else _status(judged, settings))


@click.command("run", context_settings=WORDS, short_help="Start a command line if nothing is wrong with it.")
@_words
@_options(*_SHARED)
@click.pass_context
def run(ctx: click.Context, /, words: tuple[str, ...], **given: Any) -> None:
    """Start COMMAND unless something at or above the fail level is wrong with it.

    It takes the place of recipelint: same words, same environment, same standard input and output. To set a variable
    for both the verdict and the command, write: run -- env NAME=VALUE COMMAND.
    """
    settings = settings_of(given)
    from recipelint.cli.starting import environment, start

    present = environment()
    judged = _judged(ctx, words, settings, present)
    if judged.outcome.diagnostics:
        _report(judged, settings, err=True)
    if _status(judged, settings):
        ctx.exit(_status(judged, settings))
    _tell_unknown(judged, settings)
    ctx.exit(start(words, present))


def _judged(ctx: click.Context, words: tuple[str, ...], settings: Settings, environment: Mapping[str, str]) -> Judged:
    if not words:
        raise click.UsageError("there is no command", ctx)
    if re.match(r"[A-Za-z_][A-Za-z0-9_]*=", words[0]):
        raise UserError(
            f"{words[0]!r} is no command; to set a variable, write it before recipelint, or: env {words[0]}"
        )
    if len(words) == 1 and re.search(r"\s", words[0].strip()):
        raise UserError("the command is one word with blanks in it; give its words without the quotes around them all")
    from recipelint import commandline
    from recipelint.cli import reading

    with reading.user_errors():
        reading.check_selectors(settings)
        return commandline.judge(words, environment, settings)


def _report(judged: Judged, settings: Settings, *, err: bool) -> None:
    from recipelint.cli.terminal import emit, stream_of
    from recipelint.report import command

    name = settings.output_format
    if name == "json":
        emit(command.json(judged), err=err)
    elif name in ("json-lines", "github"):
        from recipelint.discovery.tree import around
        from recipelint.report import formats
        from recipelint.report.report import Report

        emit(formats.render(name, Report(judged.outcome, around((), ""), quiet=settings.quiet)), err=err)
    else:
        stream = stream_of(settings.color, err=err)
        emit(command.text(judged, stream, short=name == "concise", quiet=settings.quiet), err=err)


def _tell_unknown(judged: Judged, settings: Settings) -> None:
    if not judged.judged and not settings.quiet:
        from recipelint.cli.terminal import say
        from recipelint.report.command import NOT_JUDGED

        say(NOT_JUDGED)


def _status(judged: Judged, settings: Settings) -> int:
    return int(any(one.severity >= settings.fail_level for one in judged.outcome.diagnostics))

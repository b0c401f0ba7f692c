"""The command `explain`: what a line of a launcher decides."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from recipelint.cli import ERROR
from recipelint.cli.options import ARGS, AUTOMODEL, COLOR, CONFIG, ENV, HELP, ISOLATED, RULES, decorate, settings_of
from recipelint.lazily import regex

if TYPE_CHECKING:
    from recipelint.explain.explain import Place

_PLACE = regex(r"(.+?):([0-9]{1,9})(?::([0-9]{1,9}))?", re.DOTALL)
_OPTIONS: Sequence[Callable[[Any], Any]] = (ENV, ARGS, AUTOMODEL, RULES, CONFIG, ISOLATED, COLOR, HELP)


@click.command(short_help="Explain what a line of a launcher decides.")
@click.argument("places", nargs=-1, required=True, metavar="FILE:LINE[:COLUMN]...")
@click.option(
    "--launchers",
    multiple=True,
    metavar="PATH",
    help="Where to look for the launchers that run the file.  [default: its repository]",
)
@click.option(
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print it."
)
@click.pass_context
def explain(ctx: click.Context, /, places: tuple[str, ...], launchers: tuple[str, ...], **given: Any) -> None:
    """Tell for a line which launches it reaches, what it decides in each, and what would override that."""
    asked = [_place(word, ctx) for word in places]
    settings = settings_of({**given, "paths": (asked[0].path,)})
    from recipelint.cli import reading
    from recipelint.cli.terminal import emit, say, stream_of
    from recipelint.explain import explain as answering
    from recipelint.report import explained

    with reading.user_errors():
        answers = answering.explain(asked, settings, launchers)
    if settings.output_format == "json":
        emit(explained.as_json(answers))
    else:
        emit(explained.text(answers, stream_of(settings.color)))
    for one in answers.unreadable:
        say(f"{one.path}: {one.reason}")
    ctx.exit(ERROR if answers.unreadable else 0)


def _place(word: str, ctx: click.Context) -> Place:
    from recipelint.explain.explain import Place

    found = _PLACE.fullmatch(word)
    if found is None:
        raise click.UsageError(f"{word!r} is not of the form FILE:LINE or FILE:LINE:COLUMN", ctx)
    path, line, column = found[1], int(found[2]), int(found[3] or 0)
    if found[3] and not os.path.exists(path) and os.path.exists(f"{path}:{found[2]}"):
        return Place(f"{path}:{found[2]}", column)
    return Place(path, line, column)


explain = decorate(explain, _OPTIONS)

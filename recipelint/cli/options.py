"""Options that commands share, and the settings that they come to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from recipelint.diagnostic import Severity
from recipelint.settings import Settings, SettingsError, assignment, resolve, revision

Command = TypeVar("Command", bound=Callable[..., Any])


class UserError(click.ClickException):
    """What a user can put right: the configuration, a selector, a name; the exit status is 2."""

    exit_code = 2


def _assignments(ctx: click.Context, param: click.Parameter, values: Sequence[str]) -> tuple[tuple[str, str], ...]:
    try:
        return tuple(dict(map(assignment, values)).items())
    except SettingsError as error:
        raise click.BadParameter(str(error), ctx, param) from error


def split(ctx: click.Context, param: click.Parameter, values: Sequence[str]) -> tuple[str, ...]:
    """Values that may be repeated, or separated by commas."""
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


def _severity(ctx: click.Context, param: click.Parameter, value: str | None) -> Severity | None:
    return Severity[value.upper()] if value else None


def _revision(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    try:
        return None if value is None else revision(value, "--automodel")
    except SettingsError as error:
        raise click.BadParameter(str(error), ctx, param) from error


PATHS = click.Path(path_type=str, allow_dash=True, readable=False)
"""Any paths: of those that are not there or cannot be read, the run itself has more to say, and reads the others."""
paths = click.argument("paths", nargs=-1, type=PATHS)


ENV = click.option(
    "--env",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_assignments,
    help="Resolve launchers with this variable set. Repeatable.",
)
CONFIG = click.option("--config", metavar="FILE", help="The configuration; by default the nearest one is taken.")
ISOLATED = click.option("--isolated", is_flag=True, help="Take no configuration file.")
COLOR = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="When to use colours.",
)
QUIET = click.option("-q", "--quiet", is_flag=True, help="Print no totals.")
HELP = click.help_option("-h", "--help")
SELECT = click.option(
    "--select",
    multiple=True,
    metavar="RULE",
    callback=split,
    help="Check only these: codes, names, prefixes, families. Repeatable, or with commas.",
)
IGNORE = click.option("--ignore", multiple=True, metavar="RULE", callback=split, help="Do not check these.")
FAIL_LEVEL = click.option(
    "--fail-level",
    type=click.Choice(["info", "warning", "error"]),
    callback=_severity,
    help="The lowest severity that makes the exit status 1.  [default: warning]",
)
OUTPUT_FORMAT = click.option(
    "--output-format",
    type=click.Choice(["full", "concise", "json"]),
    default="full",
    show_default=True,
    help="How to report.",
)
EXIT_ZERO = click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")

AUTOMODEL = click.option(
    "--automodel",
    metavar="REV",
    callback=_revision,
    help="The AutoModel that the launchers run with: a commit or a version.  [default: what the repository says]",
)

_INPUT = (
    ENV,
    click.option(
        "--arg", "args", multiple=True, metavar="VALUE", help="Give launchers this argument ($1, …). Repeatable."
    ),
    AUTOMODEL,
    click.option("--exclude", multiple=True, metavar="GLOB", callback=split, help="Leave out, as .gitignore would."),
    click.option("--force-exclude", is_flag=True, default=None, help="Leave out excluded files even where named."),
    click.option("--stdin-filename", metavar="PATH", help="The name to give to standard input (-)."),
    CONFIG,
    ISOLATED,
    COLOR,
    QUIET,
    HELP,
)

_CHECK = (
    click.option("--fix", is_flag=True, help="Apply safe fixes."),
    click.option("--diff", is_flag=True, help="Print what --fix would change, and change nothing."),
    click.option("--unsafe-fixes", is_flag=True, help="Take unsafe fixes as well, with --fix or --diff."),
    SELECT,
    IGNORE,
    FAIL_LEVEL,
    OUTPUT_FORMAT,
    EXIT_ZERO,
    click.option("--watch", is_flag=True, help="Check again whenever something changes, until Ctrl-C."),
    click.option("--exit-non-zero-on-fix", is_flag=True, help="Exit with 1 if something was fixed."),
)


def input_options(command: Command) -> Command:
    """The options of every command that reads launchers."""
    return decorate(command, _INPUT)


def check_options(command: Command) -> Command:
    """The options of check alone."""
    return decorate(command, _CHECK)


def decorate(command: Command, options: Sequence[Callable[[Command], Command]]) -> Command:
    """The command with OPTIONS, in the order in which its help lists them."""
    for option in reversed(options):
        command = option(command)
    return command


def settings_of(given: dict[str, Any]) -> Settings:
    """The settings of a command's options over those of the configuration. Raises UserError."""
    options = dict(given)
    config, isolated = options.pop("config"), options.pop("isolated")
    if config and isolated:
        raise click.UsageError("--config and --isolated exclude each other")
    try:
        return resolve(
            {name: value for name, value in options.items() if value not in (None, ())},
            config=config,
            isolated=isolated,
        )
    except SettingsError as error:
        raise UserError(str(error)) from error

"""Options that commands share, and the settings that they come to."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from recipelint.cli.reason import GIVEN, OPTION
from recipelint.cli.settling import settle
from recipelint.diagnostic import Severity
from recipelint.keys import COMMAND_FORMATS, OUTPUT_FORMATS, glob_and_rules, output
from recipelint.settings import Settings, SettingsError, assignment, revision

Command = TypeVar("Command", bound=Callable[..., Any])


class UserError(click.ClickException):
    """What a user can put right: the configuration, a selector, a name; the exit status is 2."""

    exit_code = 2


def _assignments(ctx: click.Context, param: click.Parameter, values: Sequence[str]) -> tuple[tuple[str, str], ...]:
    try:
        return tuple(dict(map(assignment, values)).items())
    except SettingsError as error:
        raise click.BadParameter(str(error), ctx, param) from error


def _outputs(ctx: click.Context, param: click.Parameter, values: Sequence[str]) -> tuple[tuple[str, str], ...]:
    try:
        return tuple(map(output, values))
    except SettingsError as error:
        raise click.BadParameter(str(error), ctx, param) from error


def split(ctx: click.Context, param: click.Parameter, values: Sequence[str]) -> tuple[str, ...]:
    """Values that may be repeated, or separated by commas."""
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


def _selectors(ctx: click.Context, param: click.Parameter, values: Sequence[str]) -> tuple[str, ...]:
    """Selectors of rules. An empty one, as of a variable that is not set, is refused and not passed over."""
    parts = tuple(part.strip() for value in values for part in value.split(","))
    if "" in parts:
        raise click.BadParameter("a selector is empty", ctx, param)
    return parts


def _since(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """A revision. An empty one is refused: everything would be checked, unasked."""
    if value is not None and not value.strip():
        raise click.BadParameter("the revision is empty", ctx, param)
    return value


def _severity(ctx: click.Context, param: click.Parameter, value: str | None) -> Severity | None:
    return Severity[value.upper()] if value else None


def _by_glob(
    ctx: click.Context, param: click.Parameter, values: Sequence[str]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    try:
        return glob_and_rules(values)
    except SettingsError as error:
        raise click.BadParameter(str(error), ctx, param) from error


def _reason(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    text = value.strip() if value is not None else None
    if text is not None and (not text or not text.isprintable() or text.endswith("\\")):
        option = ctx.meta.get(GIVEN, OPTION)
        raise click.BadParameter("must be text in one line, without a backslash at its end", ctx, param, f"'{option}'")
    return text


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
CONFIG = click.option(
    "--config",
    metavar="FILE | KEY=VALUE",
    multiple=True,
    help="The configuration, by default the nearest one; or a key of it, in TOML. Repeatable.",
)
ISOLATED = click.option("--isolated", is_flag=True, help="Take no configuration file.")
RULES = click.option(
    "--rules",
    multiple=True,
    metavar="DIR",
    help="Take a team's own rules from this folder, in place of those that the configuration names. Repeatable.",
)
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
    callback=_selectors,
    help="Check only these: codes, names, prefixes, families. Repeatable, or with commas.",
)
IGNORE = click.option("--ignore", multiple=True, metavar="RULE", callback=_selectors, help="Do not check these.")
EXTEND_SELECT = click.option(
    "--extend-select", multiple=True, metavar="RULE", callback=_selectors, help="Check these as well."
)
PREVIEW = click.option("--preview/--no-preview", default=None, help="Take rules in preview for rules like others.")
FAIL_LEVEL = click.option(
    "--fail-level",
    type=click.Choice(["info", "warning", "error"]),
    callback=_severity,
    help="The lowest severity that makes the exit status 1.  [default: warning]",
)
OUTPUT_FORMAT = click.option(
    "--output-format",
    type=click.Choice(OUTPUT_FORMATS),
    help="How to report.  [default: full]",
)
COMMAND_FORMAT = click.option(
    "--output-format",
    type=click.Choice(COMMAND_FORMATS),
    help="How to report.  [default: full]",
)
OUTPUT = click.option(
    "--output",
    "outputs",
    multiple=True,
    metavar="FORMAT=FILE",
    callback=_outputs,
    help="Write a report in this format to a file as well (-: standard output). Repeatable.",
)
EXIT_ZERO = click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")

ARGS = click.option(
    "--arg", "args", multiple=True, metavar="VALUE", help="Give launchers this argument ($1, …). Repeatable."
)
AUTOMODEL = click.option(
    "--automodel",
    metavar="REV",
    callback=_revision,
    help="The AutoModel that the launchers run with: a commit or a version.  [default: what the repository says]",
)

_INPUT = (
    ENV,
    ARGS,
    AUTOMODEL,
    click.option(
        "--changed-since",
        metavar="REV",
        callback=_since,
        help="Only what has changed since this revision of git, and what such a change reaches.",
    ),
    click.option("--exclude", multiple=True, metavar="GLOB", callback=split, help="Leave out, as .gitignore would."),
    click.option("--force-exclude", is_flag=True, default=None, help="Leave out excluded files even where named."),
    click.option("--stdin-filename", metavar="PATH", help="The name to give to standard input (-)."),
    RULES,
    CONFIG,
    ISOLATED,
    click.option("-n", "--no-cache", is_flag=True, envvar="RECIPELINT_NO_CACHE", help="Keep nothing for the next run."),
    click.option(
        "--cache-dir",
        metavar="DIR",
        envvar="RECIPELINT_CACHE_DIR",
        help="Keep it in this folder.  [default: recipelint in the user's cache folder]",
    ),
    COLOR,
    QUIET,
    HELP,
)

_CHECK = (
    click.option("--fix", is_flag=True, help="Apply safe fixes."),
    click.option("--diff", is_flag=True, help="Print what --fix would change, and change nothing."),
    click.option(
        "--unsafe-fixes", is_flag=True, help="Take unsafe fixes as well: with --fix, --diff, or as suggestions."
    ),
    SELECT,
    EXTEND_SELECT,
    IGNORE,
    click.option(
        "--per-file-ignores",
        multiple=True,
        metavar="GLOB:RULE",
        callback=_by_glob,
        help="Do not check these in those files. Repeatable, or with commas.",
    ),
    click.option(
        "--extend-per-file-ignores",
        multiple=True,
        metavar="GLOB:RULE",
        callback=_by_glob,
        help="The same, beside those of the configuration.",
    ),
    PREVIEW,
    click.option("--fixable", multiple=True, metavar="RULE", callback=_selectors, help="Fix only what these find."),
    click.option(
        "--extend-fixable", multiple=True, metavar="RULE", callback=_selectors, help="Fix what these find as well."
    ),
    click.option("--unfixable", multiple=True, metavar="RULE", callback=_selectors, help="Do not fix what these find."),
    click.option("--add-ignore", is_flag=True, help="Write a comment that ignores it, for each finding.  [=REASON]"),
    click.option("--reason", metavar="TEXT", callback=_reason, help="Why, for the comments of --add-ignore."),
    click.option("--baseline", metavar="FILE", help="Keep the findings in it quiet; report those that are gone."),
    click.option("--no-baseline", is_flag=True, help="Take no baseline."),
    click.option("--write-baseline", metavar="FILE", help="Write what is found into a baseline."),
    click.option(
        "--fail-on-stale", is_flag=True, default=None, help="Exit with 1 if the baseline has more than is found."
    ),
    FAIL_LEVEL,
    OUTPUT_FORMAT,
    OUTPUT,
    click.option("--statistics", is_flag=True, help="Print how often each rule found something, instead of where."),
    click.option("--show-files", is_flag=True, help="Print the files that would be checked, and check nothing."),
    click.option("--show-settings", is_flag=True, help="Print the settings and what gave each, and check nothing."),
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
    given, isolated, no_cache = options.pop("config"), options.pop("isolated"), options.pop("no_cache", True)
    pieces = [one for one in given if "=" in one and not os.path.exists(one)]
    files = [one for one in given if one not in pieces]
    if len(files) > 1:
        raise click.UsageError("--config names more than one file")
    if files and isolated:
        raise click.UsageError("--config and --isolated exclude each other, but for --config KEY=VALUE")
    try:
        return settle(
            options,
            config=files[0] if files else None,
            isolated=isolated,
            pieces=pieces,
            no_cache=no_cache,
        )
    except SettingsError as error:
        raise UserError(str(error)) from error

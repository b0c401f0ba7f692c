"""The group of all commands, and check, show, table, flags and rule. What they need is imported when they run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from recipelint import __version__
from recipelint.cli import ERROR, modes
from recipelint.cli.command_line import check_command
from recipelint.cli.command_line import run as run_command
from recipelint.cli.explain import explain
from recipelint.cli.group import DefaultGroup
from recipelint.cli.logs import diagnose
from recipelint.cli.options import (
    CONFIG,
    HELP,
    ISOLATED,
    RULES,
    UserError,
    check_options,
    input_options,
    paths,
    settings_of,
    split,
)
from recipelint.cli.reason import WithReason
from recipelint.cli.rules import rules as own_rules
from recipelint.cli.server import server
from recipelint.cli.settings_help import WithSettings

if TYPE_CHECKING:
    from recipelint.ruleset.load import Ruleset
    from recipelint.ruleset.schema import Rule
    from recipelint.settings import Settings


@click.group(
    cls=DefaultGroup,
    options_metavar="[COMMAND]",
    subcommand_metavar="[OPTIONS] [PATHS]...",
    epilog="Without a command: check. Its options: recipelint check --help",
)
@click.version_option(__version__, prog_name="recipelint", message="%(prog)s %(version)s")
@click.help_option("-h", "--help")
def app() -> None:
    """Find training recipes that cannot run as written, and fix them."""


@app.command(cls=WithReason, short_help="Check launchers, and fix them (the default).")
@paths
@check_options
@input_options
@click.pass_context
def check(ctx: click.Context, /, exit_zero: bool, exit_non_zero_on_fix: bool, watch: bool, **given: Any) -> None:
    """Check launchers, and with --fix make them run. PATHS are files, folders, or - for standard input."""
    if watch:
        from recipelint.cli.watching import keep_checking

        keep_checking(ctx, given, lambda: ctx.invoke(check, **{**ctx.params, "watch": False}))
    show = modes.of(ctx, given)
    settings = settings_of(given)
    if show:
        ctx.exit(modes.show(show, settings))
    modes.refuse_missing(settings)
    from recipelint import run
    from recipelint.cli import reading, reporting

    settings = reporting.prepared(settings)
    outcome = reading.outcome_of(settings, run.check)
    written = reporting.report(outcome, settings)
    status = reporting.status(outcome, settings, exit_zero=exit_zero, on_fix=exit_non_zero_on_fix)
    ctx.exit(status if written else ERROR)


@app.command(short_help="Show what each launch gives its trainer.")
@paths
@click.option(
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print it."
)
@input_options
@click.pass_context
def show(ctx: click.Context, /, **given: Any) -> None:
    """Show each launch: its words, its environment and its settings, and where each is decided."""
    settings = settings_of(given)
    from recipelint import run
    from recipelint.cli import reading, reporting
    from recipelint.cli.terminal import emit, stream_of

    outcome = reading.outcome_of(settings, run.resolve)
    if settings.output_format == "json":
        from recipelint.report import json_

        emit(json_.show(outcome))
    else:
        from recipelint.report import show as text

        emit(text.render(outcome, stream_of(settings.color)))
        reporting.narrowed(outcome, settings)
    reporting.complain(outcome, settings)
    ctx.exit(ERROR if outcome.unreadable else 0)


@app.command(cls=WithSettings, short_help="Print recipes by settings.")
@paths
@click.option(
    "--format",
    "--output-format",
    "output_format",
    type=click.Choice(["terminal", "markdown", "json", "csv"]),
    default="terminal",
    show_default=True,
    help="How to print it.",
)
@click.option(
    "--columns",
    multiple=True,
    metavar="NAME",
    callback=split,
    help="recipe, framework, entry_point, wrappers, when, verdict, or a setting. Repeatable, or with commas.",
)
@input_options
@click.pass_context
def table(ctx: click.Context, /, columns: tuple[str, ...], **given: Any) -> None:
    """Print recipes by settings, with the lines that decide them and a verdict."""
    settings = settings_of(given)
    from recipelint import run
    from recipelint.cli import reading, reporting
    from recipelint.cli.terminal import emit, stream_of
    from recipelint.report import table as tables
    from recipelint.report import table_format
    from recipelint.ruleset.load import load_for
    from recipelint.ruleset.unjudged import unjudged

    with reading.user_errors():
        _check_columns(columns, settings)
    outcome = reading.outcome_of(settings, run.judge)
    ruleset = load_for(settings)
    made = tables.table(outcome, columns or tables.DEFAULT_COLUMNS, lambda launch: unjudged(launch, ruleset))
    if settings.output_format != "json":
        reporting.narrowed(outcome, settings)
    if settings.output_format == "terminal" and outcome.unchanged is not None and not outcome.files:
        pass
    elif settings.output_format == "terminal":
        emit(table_format.terminal(made, stream_of(settings.color)))
    else:
        emit(table_format.WRITERS[settings.output_format](made))
    reporting.complain(outcome, settings)
    ctx.exit(ERROR if outcome.unreadable else 0)


def _check_columns(columns: tuple[str, ...], settings: Settings) -> None:
    from recipelint.report.table import COLUMNS
    from recipelint.ruleset.load import load_for
    from recipelint.settings import suggestion

    known = [*COLUMNS, *load_for(settings).settings]
    for name in columns:
        if name not in known:
            near = suggestion(name, known) or f"; there are {', '.join(known)}"
            raise UserError(f"--columns: there is no column {name!r}{near}")


@app.command(short_help="Print the flags that a trainer takes.")
@click.argument("entry_point", metavar="MODULE | FILE")
@click.option(
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print it."
)
@click.help_option("-h", "--help")
def flags(entry_point: str, output_format: str) -> None:
    """Print what a trainer's command line takes, read from its source: molt.cli.train_sft, or the path of a file."""
    from recipelint.cli.flags import schema_for
    from recipelint.cli.terminal import emit, stream_of
    from recipelint.report import flags as report

    schema = schema_for(entry_point)
    emit(report.as_json(schema) if output_format == "json" else report.text(schema, stream_of("auto")))


@app.command(short_help="Explain a rule, or list them all.")
@click.argument("code", metavar="[CODE | NAME]", required=False)
@click.option("--all", "every", is_flag=True, help="Explain all rules, one after another.")
@click.option(
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print it."
)
@RULES
@CONFIG
@ISOLATED
@HELP
@click.pass_context
def rule(ctx: click.Context, /, code: str | None, every: bool, output_format: str, **given: Any) -> None:
    """Print what a rule is about, or list all rules, a team's own among them."""
    if code and every:
        raise click.UsageError("CODE and --all exclude each other", ctx)
    settings = settings_of(given)
    from recipelint.cli import reading
    from recipelint.cli.terminal import emit, stream_of
    from recipelint.report import rules
    from recipelint.ruleset.load import load_for

    with reading.user_errors():
        ruleset = load_for(settings)
    chosen = [_find(ruleset, code)] if code else list(ruleset.rules.values())
    if output_format == "json":
        emit(rules.json(chosen))
    elif code or every:
        emit("\n".join(rules.page(one, ruleset, stream_of("auto")) for one in chosen))
    else:
        emit(rules.listing(chosen, stream_of("auto")))


def _find(ruleset: Ruleset, code: str) -> Rule:
    from recipelint.ruleset.select import SelectError, find, names
    from recipelint.settings import suggestion

    try:
        return find(ruleset, code)
    except SelectError as error:
        raise UserError(f"there is no rule {code!r}{suggestion(code, names(ruleset))}") from error


@app.command(short_help="Print what completes recipelint's words in a shell.")
@click.argument("shell", metavar="bash | zsh | fish", type=click.Choice(["bash", "zsh", "fish"]))
@click.help_option("-h", "--help")
def completion(shell: str) -> None:
    """Print the script that lets a shell complete commands, options, rules and files.

    Its place: for bash ~/.local/share/bash-completion/completions/recipelint, for zsh a file _recipelint in a folder of
    $fpath, for fish ~/.config/fish/completions/recipelint.fish.
    """
    from recipelint.cli.completing import script
    from recipelint.cli.terminal import emit

    emit(script(app, shell))


app.add_command(check_command)
app.add_command(run_command)
app.add_command(diagnose)
app.add_command(own_rules)
app.add_command(server)
app.add_command(explain)

"""The commands about a team's own rules: check tries them, new writes one, schema prints what editors need."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Any

import click

from recipelint.cli import ERROR
from recipelint.cli.options import COLOR, CONFIG, HELP, ISOLATED, QUIET, UserError, settings_of

if TYPE_CHECKING:
    from recipelint.ruleset.load import Ruleset
    from recipelint.settings import Settings

FAILED = 1


@click.group(short_help="Check, begin and describe a team's own rules.", invoke_without_command=True)
@HELP
@click.pass_context
def rules(ctx: click.Context) -> None:
    """Check, begin and describe a team's own rules."""
    if ctx.invoked_subcommand is None:
        raise click.UsageError("name a command: check, new or schema; a folder of this name is ./rules", ctx)


@rules.command(short_help="Check rule files, and try them on their examples and cases.")
@click.argument("folders", nargs=-1, metavar="[DIR | FILE]...", type=click.Path(path_type=str))
@click.option(
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print it."
)
@CONFIG
@ISOLATED
@COLOR
@QUIET
@HELP
@click.pass_context
def check(ctx: click.Context, /, folders: tuple[str, ...], **given: Any) -> None:
    """Check rule files, and try each rule on its examples and its cases.

    Without DIR: those that the configuration names. Exit status: 1 if a rule fails a case, 2 if a file cannot be used.
    """
    settings = settings_of(given)
    from recipelint.cli.reading import user_errors
    from recipelint.cli.terminal import emit, say, stream_of
    from recipelint.report import trials
    from recipelint.ruleset.load import load
    from recipelint.ruleset.own_check import read_own
    from recipelint.trying import tried

    if not folders and not settings.rules:
        raise UserError("name a folder of rules, or set rules in the configuration")
    with user_errors():
        if folders:
            reading = read_own(load(), folders, None)
        else:
            reading = read_own(load(), settings.rules, settings.root, settings.origin("rules"))
    if not reading.rules and not reading.errors:
        raise UserError(f"{', '.join(folders or settings.rules)}: there is no rule file")
    made = []
    for one in reading.rules:
        found = [(case, tried(case, reading.ruleset)) for case in (*one.examples, *one.cases)]
        failures = tuple((case, failure) for case, failure in found if failure is not None)
        made.append(trials.Tried(one, failures))
    if settings.output_format == "json":
        emit(trials.json(made, reading.errors))
    else:
        shown = [one for one in made if one.failures] if settings.quiet else made
        emit(trials.text(shown, stream_of(settings.color)))
    for error in reading.errors:
        say(f"error: {error}")
    ctx.exit(ERROR if reading.errors else FAILED if any(one.failures for one in made) else 0)


@rules.command(short_help="Write a new rule and its cases.")
@click.argument("code")
@click.argument("name")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=str))
@click.option("--family", metavar="WORD", help="The family of the rule.  [default: the letters of its code]")
@CONFIG
@ISOLATED
@HELP
def new(code: str, name: str, folder: str | None, family: str | None, **given: Any) -> None:
    """Write a rule and its cases into DIR, as a beginning: they hold as they stand.

    CODE is capitals and three digits, as TEAM001; NAME is two or more words joined by hyphens. Without DIR: the folder
    that the configuration names. Nothing is overwritten.
    """
    settings = settings_of(given)
    from recipelint.cli.terminal import emit
    from recipelint.ruleset.template import new_files

    target = folder or _only_folder(settings)
    family = family or code.rstrip("0123456789").lower()
    _check_words(settings, target, code, name, family)
    files = {os.path.join(target, inner): text for inner, text in new_files(code, name, family).items()}
    there = [path for path in files if os.path.lexists(path)]
    if there:
        raise UserError(f"{there[0]} is there already")
    made = [_written(path, text) for path, text in files.items()]
    made += [_written(path, text) for path, text in _schemas(settings, target).items() if not os.path.lexists(path)]
    steps = [
        "say in the rule what it is to find, and in its examples and cases where",
        f"recipelint rules check {shlex.quote(target)}",
    ]
    if os.path.normpath(target) not in map(os.path.normpath, settings.rules):
        from json import dumps  # the strings of TOML are written alike

        inside = dumps(os.path.relpath(target, settings.root))
        steps.append(f"name the folder in the configuration: rules = [{inside}]")
    rows = [f"wrote {path}" for path in made] + ["next:"] + [f"  {at}. {step}" for at, step in enumerate(steps, 1)]
    from recipelint.report.plain import block

    emit(block("".join(f"{row}\n" for row in rows)))


@rules.command(short_help="Print the JSON Schema of rule files, for editors.")
@click.option("--cases", is_flag=True, help="That of case files.")
@CONFIG
@ISOLATED
@HELP
def schema(cases: bool, **given: Any) -> None:
    """Print the JSON Schema of rule files, with the settings that the configuration's rules add."""
    settings = settings_of(given)
    from recipelint.cli.terminal import emit
    from recipelint.ruleset.rule_schema import cases_schema, dump, rule_schema

    emit(dump(cases_schema() if cases else rule_schema(_ruleset(settings))))


def _ruleset(settings: Settings) -> Ruleset:
    from recipelint.cli.reading import user_errors
    from recipelint.ruleset.load import load_for

    with user_errors():
        return load_for(settings)


def _only_folder(settings: Settings) -> str:
    """The folder of the configuration."""
    if len(settings.rules) == 1 and not os.path.isfile(settings.rules[0]):
        return settings.rules[0]
    raise UserError("say into which folder: recipelint rules new CODE NAME DIR")


def _check_words(settings: Settings, target: str, code: str, name: str, family: str) -> None:
    """Raises UserError for a word that cannot be, and for a code or a name that there is."""
    from recipelint.cli.reading import user_errors
    from recipelint.ruleset.heading import Taken, code_problem, family_problem, name_problem
    from recipelint.ruleset.load import load
    from recipelint.ruleset.own_check import read_own

    taken = Taken({one.code: one.name for one in load().rules.values()})
    problem = code_problem(code) or taken.code_problem(code) or name_problem(name) or taken.name_problem(name)
    if problem or (problem := family_problem(family)):
        raise UserError(problem)
    folders = dict.fromkeys(os.path.normpath(path) for path in (target, *settings.rules) if os.path.exists(path))
    with user_errors():
        known = read_own(load(), tuple(folders), None).rules if folders else ()
    for rule in (one.rule for one in known):
        if rule.code == code or rule.name == name:
            raise UserError(f"{code if rule.code == code else name} is used by {rule.file}")


def _schemas(settings: Settings, target: str) -> dict[str, str]:
    """The schemas that the new files name, beside them, where an editor finds them without a network."""
    from recipelint.ruleset.load import load
    from recipelint.ruleset.rule_schema import CASES_FILE, RULE_FILE, cases_schema, dump, rule_schema

    texts = {RULE_FILE: rule_schema(load()), CASES_FILE: cases_schema()}
    return {os.path.join(target, name): dump(text) for name, text in texts.items()}


def _written(path: str, text: str) -> str:
    """Write a file that is not there yet; its path."""
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
    return path

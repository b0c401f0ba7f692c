"""Completion in a shell, by click: with commands where one may be left out, and with values that click cannot know.

Imported only when a shell asks. What a value is, is told by what the help calls it (`RULE`, `FILE`), so that an option
that is added later is completed as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    get_completion_class,
)

from recipelint.cli.group import DefaultGroup
from recipelint.cli.terminal import COMPLETING, PROGRAM
from recipelint.report.plain import neutralise

if TYPE_CHECKING:
    from recipelint.ruleset.load import Ruleset

    ParamType = click.ParamType[Any]
else:
    ParamType = click.ParamType  # not generic in older versions

Item: TypeAlias = "CompletionItem[Any]"
Word = tuple[str, str]
"""What can be written, and what it means."""


class Words(ParamType):
    """A value, or several with commas between them, of known words; or a file, if one may stand there."""

    name = "word"

    def __init__(self, words: Callable[[str], Iterable[Word]], *, or_file: bool = False) -> None:
        self.words = words
        self.or_file = or_file

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Item]:
        before, comma, begun = incomplete.rpartition(",")
        found = [
            CompletionItem(before + comma + word, help=neutralise(means))
            for word, means in self.words(begun)
            if word.startswith(begun)
        ]
        return [*([CompletionItem(incomplete, type="file")] if self.or_file else []), *found]


class Outputs(ParamType):
    """A format of the command's reports, an equals sign, and a file."""

    name = "output"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Item]:
        if "=" in incomplete:
            return [CompletionItem(incomplete, type="file")]
        formats = next((one.type for one in ctx.command.params if one.name == "output_format"), None)
        known = formats.choices if isinstance(formats, click.Choice) else ()
        return [CompletionItem(f"{name}=") for name in known if name.startswith(incomplete)]


def _ruleset() -> Ruleset:
    """The rules of the nearest configuration; where that is wrong, those of this program."""
    from recipelint.ruleset.document import RuleError
    from recipelint.ruleset.load import load, load_for
    from recipelint.settings import SettingsError, resolve

    try:
        return load_for(resolve({}))
    except (SettingsError, RuleError):
        return load()


def selectors(begun: str) -> Iterator[Word]:
    """Codes, families and ALL; names as well once one is begun, as they are longer words for the codes."""
    from recipelint.ruleset.select import ALL

    known = _ruleset().rules
    yield from rules(begun)
    for family in sorted({rule.family for rule in known.values()}):
        yield family, ", ".join(code for code, rule in sorted(known.items()) if rule.family == family)
    yield ALL, "all rules"


def rules(begun: str) -> Iterator[Word]:
    """Codes, and names once one is begun."""
    for code, rule in sorted(_ruleset().rules.items()):
        yield code, rule.summary
        if begun:
            yield rule.name, f"{code}: {rule.summary}"


def columns(begun: str) -> Iterator[Word]:
    """The columns of a table."""
    from recipelint.report.table import COLUMNS

    yield from ((name, "") for name in COLUMNS)
    yield from ((name, str(facts["means"])) for name, facts in _ruleset().settings.items())


def variables(begun: str) -> Iterator[Word]:
    """The variables that trainers read, each with its equals sign."""
    for framework, facts in _ruleset().frameworks.items():
        yield from ((f"{name}=", f"read by {framework}") for name in facts.get("environment", ()))


def entry_points(begun: str) -> Iterator[Word]:
    """The trainers that recipelint knows by module."""
    for framework, facts in _ruleset().frameworks.items():
        yield from ((name, framework) for name in facts["entry_points"])


PATH = click.Path()
BY_METAVAR: Mapping[str, ParamType] = {
    "RULE": Words(selectors),
    "[CODE | NAME]": Words(rules),
    "NAME=VALUE": Words(variables),
    "MODULE | FILE": Words(entry_points, or_file=True),
    "FORMAT=FILE": Outputs(),
    "FILE": PATH,
    "FILE:LINE[:COLUMN]...": PATH,
    "FILE | KEY=VALUE": PATH,
    "GLOB:RULE": PATH,
    "PATH": PATH,
    "GLOB": PATH,
    "DIR": click.Path(file_okay=False),
    "[--] COMMAND [ARGS]...": PATH,
}
"""By what the help calls a value, and no type of click's says: how it is completed."""
BY_NAME: Mapping[str, ParamType] = {"columns": Words(columns)}


def equip(group: click.Group) -> None:
    """Let the parameters of all commands know what completes them. For a process that runs none of them."""
    for command in group.commands.values():
        if isinstance(command, click.Group):
            equip(command)
        for param in command.params:
            known = BY_NAME.get(param.name or "") or BY_METAVAR.get(param.metavar or "")
            if known is not None:
                param.type = known


class Completing(ShellComplete):
    """What is the same in every shell; it stands before click's class for the shell."""

    def get_completions(self, args: list[str], incomplete: str) -> list[Item]:
        if args[-1:] == ["="]:
            args = args[:-1]  # bash takes it for a word of its own
        found = super().get_completions(list(args), incomplete)
        if isinstance(self.cli, DefaultGroup) and self.cli.command_may_follow(args):
            found += self.cli.shell_complete(click.Context(self.cli, info_name=self.prog_name), incomplete)
        if incomplete.startswith("-") and "=" in incomplete:
            option = incomplete.partition("=")[0]
            found = [one if one.type != "plain" else _prefixed(f"{option}=", one) for one in found]
        return list({(one.type, one.value): one for one in found}.values())


def _prefixed(before: str, item: Item) -> Item:
    return CompletionItem(before + item.value, help=item.help)


@add_completion_class
class Bash(Completing, BashComplete):
    """In bash, which offers a file where no word fits, and goes on without a space after an equals sign."""

    def source(self) -> str:
        added = 'COMPREPLY+=("$value"); [[ $value == *= ]] && compopt -o nospace'
        return super().source().replace("COMPREPLY+=($value)", added)


@add_completion_class
class Zsh(Completing, ZshComplete):
    """In zsh."""


@add_completion_class
class Fish(Completing, FishComplete):
    """In fish, where an answer goes on after the first comma: that one ends its kind, the others are its own."""

    def source(self) -> str:
        return super().source().replace('string split ","', 'string split --max 1 ","')


def script(group: click.Group, shell: str) -> str:
    """What the shell is to read, so that it asks."""
    made = get_completion_class(shell)
    assert made is not None, shell
    return made(group, {}, PROGRAM, COMPLETING).source()

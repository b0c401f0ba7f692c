"""A group of commands of which one may be left out: `recipelint --fix dir` is `recipelint check --fix dir`."""

from __future__ import annotations

import click

from recipelint.cli import IMPLIED

DEFAULT = "check"


class DefaultGroup(click.Group):
    """Puts `check` before words whose first that is no option, nor an option's value, names no command.

    Options may stand before the command. A path that is named as a command is: write `./show`, or put `--` before it.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = self.with_command(args)
        if len(given) > len(args):
            ctx.meta[IMPLIED] = list(self.commands)
        return super().parse_args(ctx, given)

    def with_command(self, args: list[str]) -> list[str]:
        """ARGS with the command first."""
        if args[:1] in (["-h"], ["--help"]):
            return args
        at = self._after_options(args)
        word = args[at] if at < len(args) else ""
        if word == "--version":
            return [word]
        if word in self.commands:
            return [word, *args[:at], *args[at + 1 :]]
        return [DEFAULT, *args]

    def command_may_follow(self, args: list[str]) -> bool:
        """Whether a word after ARGS could be a command: all of them are options that have their values."""
        return self._after_options(args) == len(args)

    def _after_options(self, args: list[str]) -> int:
        """Where the options at the start of ARGS end, or `--version` stands; past the end where one lacks its value."""
        valued = self._valued_options()
        at = 0
        while at < len(args) and args[at].startswith("-") and args[at] not in ("-", "--", "--version"):
            at += 2 if args[at] in valued else 1
        return at

    def _valued_options(self) -> set[str]:
        """The options, of any command, whose value is the next word."""
        return {
            name
            for command in self.commands.values()
            for option in command.params
            if isinstance(option, click.Option) and not option.is_flag and not option.count
            for name in option.opts
        }

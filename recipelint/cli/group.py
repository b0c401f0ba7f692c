"""A group of commands of which one may be left out: `recipelint --fix dir` is `recipelint check --fix dir`."""

from __future__ import annotations

import click

DEFAULT = "check"
IMPLIED = "recipelint.commands"
"""The key, in a context's `meta`, of the names of all commands, where none of them was given."""


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
        valued = self._valued_options()
        at = 0
        while at < len(args) and args[at] != "--":
            word = args[at]
            if word == "--version":
                return [word]
            if word == "-" or not word.startswith("-"):
                if word in self.commands:
                    return [word, *args[:at], *args[at + 1 :]]
                break
            at += 2 if word in valued else 1
        return [DEFAULT, *args]

    def _valued_options(self) -> set[str]:
        """The options, of any command, whose value is the next word."""
        return {
            name
            for command in self.commands.values()
            for option in command.params
            if isinstance(option, click.Option) and not option.is_flag and not option.count
            for name in option.opts
        }

"""A command whose `--add-ignore` may carry its reason, as in `--add-ignore=REASON`; click knows no such option."""

from __future__ import annotations

import click

FLAG, OPTION = "--add-ignore", "--reason"
GIVEN = "recipelint.reason"
"""The key, in a context's `meta`, of the option that carries the reason."""


class WithReason(click.Command):
    """Takes `--add-ignore=REASON` for `--add-ignore --reason=REASON`, but where it is the value of another option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = self.spelt_out(args)
        if given != args:
            ctx.meta[GIVEN] = FLAG
        return super().parse_args(ctx, given)

    def spelt_out(self, args: list[str]) -> list[str]:
        """ARGS with the reason as an option of its own."""
        valued = {
            name
            for option in self.params
            if isinstance(option, click.Option) and not option.is_flag and not option.count
            for name in option.opts
        }
        out: list[str] = []
        at = 0
        while at < len(args) and args[at] != "--":
            word = args[at]
            if word.startswith(f"{FLAG}="):
                out += [FLAG, f"{OPTION}={word.partition('=')[2]}"]
            else:
                out += args[at : at + 2] if word in valued else [word]
                at += word in valued
            at += 1
        return out + args[at:]

"""A command whose help lists the settings that there are; the rules are read when the help is asked for."""

from __future__ import annotations

import click


class WithSettings(click.Command):
    """Writes each setting and what it means below the options."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from recipelint.ruleset.load import load

        with formatter.section("Settings"):
            formatter.write_dl([(name, str(facts["means"])) for name, facts in load().settings.items()])
        super().format_epilog(ctx, formatter)

"""A command whose help lists the settings that there are; the rules are read when the help is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click


class WithSettings(click.Command):
    """Writes each setting and what it means below the options."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        settings = _settings()
        with formatter.section("Settings"):
            formatter.write_dl([(name, str(facts["means"])) for name, facts in settings.items()])
        super().format_epilog(ctx, formatter)


def _settings() -> Mapping[str, Mapping[str, Any]]:
    """Those of the nearest configuration; without what is wrong there, since help is no place to complain."""
    from recipelint.ruleset.document import RuleError
    from recipelint.ruleset.load import load, load_for
    from recipelint.settings import SettingsError, resolve

    try:
        return load_for(resolve({})).settings
    except (RuleError, SettingsError):
        return load().settings

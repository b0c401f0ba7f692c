"""The files of a command line, standard input among them, run through one step; what could not be read is kept."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from recipelint.cli.options import UserError
from recipelint.discovery import DiscoveredFile, UnreadableFile, discover
from recipelint.discovery.reading import SIZE_CAP, accept
from recipelint.outcome import Outcome, Unreadable
from recipelint.settings import Settings
from recipelint.source import SourceFile

STDIN = "-"
Step = Callable[[Settings, "list[SourceFile | DiscoveredFile]"], Outcome]


def outcome_of(settings: Settings, step: Step) -> Outcome:
    """What STEP makes of the files of the settings. Raises UserError for what a user can put right."""
    found, unread = discover(settings)
    files: list[SourceFile | DiscoveredFile] = list(found)
    if STDIN in settings.paths:
        data = sys.stdin.buffer.read(SIZE_CAP + 1)
        try:
            files.append(SourceFile(settings.stdin_filename, accept(data)))
        except UnreadableFile as error:
            unread.append((settings.stdin_filename, error.reason))
    with user_errors():
        outcome = step(settings, files)
    return outcome._replace(unreadable=(*(Unreadable(*one) for one in unread), *outcome.unreadable))


@contextmanager
def user_errors() -> Iterator[None]:
    """Turns what a user can put right, in settings, selectors and rule files, into a UserError."""
    try:
        yield
    except click.ClickException:
        raise
    except Exception as error:
        from recipelint.ruleset.document import RuleError
        from recipelint.ruleset.load import NoRules
        from recipelint.ruleset.select import SelectError
        from recipelint.settings import SettingsError

        if isinstance(error, RuleError | NoRules | SelectError | SettingsError):
            raise UserError(str(error)) from error
        raise

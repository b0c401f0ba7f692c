"""The files of a command line, standard input among them, run through one step; what could not be read is kept."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, Protocol

from recipelint.cli import IMPLIED
from recipelint.cli.progress import progress
from recipelint.cli.terminal import say
from recipelint.discovery import DiscoveredFile, UnreadableFile, discover
from recipelint.discovery.reading import SIZE_CAP, accept
from recipelint.discovery.walk import MISSING
from recipelint.outcome import Outcome, Unreadable
from recipelint.record import NamedTuple
from recipelint.settings import Settings, suggestion
from recipelint.source import SourceFile
from recipelint.tracking import Track

STDIN = "-"
READ = "recipelint.read"
"""The key, in a context's `meta`, of what a command has read."""


class Step(Protocol):
    """What is done with the files of a command."""

    def __call__(self, settings: Settings, files: list[SourceFile | DiscoveredFile], /, *, track: Track) -> Outcome: ...


class Read(NamedTuple):
    """What a command read: by which settings, which folders it met and walked, and what it came to, if it did."""

    settings: Settings
    folders: Mapping[str, bool] = MappingProxyType({})
    outcome: Outcome | None = None


def outcome_of(settings: Settings, step: Step) -> Outcome:
    """What STEP makes of the files of the settings. Raises UserError for what a user can put right."""
    note(Read(settings))
    with user_errors():
        check_selectors(settings)
    given, refused = _standard_input(settings)
    folders: dict[str, bool] = {}
    with progress("Looking for launchers", quiet=settings.quiet) as track:
        found, unread, excluded = discover(settings, folders.__setitem__)
        if settings.outputs:
            from recipelint.cli.outputs import spare

            spare(settings, [file.path for file in found])
        with user_errors():
            outcome = step(settings, [*found, *given], track=track)
    unread += refused
    first = settings.paths[0] if settings.paths else ""
    missing = (Unreadable(path, _or_command(reason, first) if path == first else reason) for path, reason in unread)
    outcome = outcome._replace(unreadable=(*missing, *outcome.unreadable), excluded=tuple(excluded))
    note(Read(settings, folders, outcome))
    return outcome


def note(read: Read) -> None:
    """Let whoever started this command know what it has read so far."""
    meta = _meta()
    if meta is not None:
        meta[READ] = read


def _meta() -> dict[str, Any] | None:
    """What goes with the command, where click runs it."""
    if "click" not in sys.modules:
        return None
    import click

    ctx = click.get_current_context(silent=True)
    return ctx.meta if ctx is not None else None


def _standard_input(settings: Settings) -> tuple[list[SourceFile], list[tuple[str, str]]]:
    """Standard input as a file, if it was asked for; or what it is called, and why it cannot be one."""
    if STDIN not in settings.paths:
        return [], []
    name = settings.stdin_filename
    try:
        return [SourceFile(name, accept(sys.stdin.buffer.read(SIZE_CAP + 1)))], []
    except UnreadableFile as error:
        return [], [(name, error.reason)]


def check_selectors(settings: Settings) -> None:
    """Raises UserError for the first selector that selects no rule; it says what gave it."""
    from recipelint.ruleset.load import load_for
    from recipelint.ruleset.select import ALL, SelectError, check_selector, names

    for origin, selector in settings.selectors():
        ruleset = load_for(settings)
        try:
            check_selector(ruleset, selector)
        except SelectError as error:
            known = {*names(ruleset), *(rule.family for rule in ruleset.rules.values()), ALL}
            from recipelint.cli.options import UserError

            raise UserError(f"{origin}: there is no rule {selector!r}{suggestion(selector, known)}") from error
    if settings.select or settings.extend_select or any(settings.over_selection):
        from recipelint.ruleset.select import idle

        for selector in idle(load_for(settings), settings):
            say(f"{selector!r} selects nothing: what it means is in preview; name the rule, or give --preview")


def _or_command(reason: str, first: str) -> str:
    """The reason why the FIRST path could not be read; one that is nearly a command was perhaps meant to be it."""
    commands = (_meta() or {}).get(IMPLIED, ())
    if reason != MISSING or not re.fullmatch(r"[a-z]+", first):
        return reason
    near = suggestion(first, commands)
    return f"no such file, folder or command{near}" if near else reason


@contextmanager
def user_errors() -> Iterator[None]:
    """Turns what a user can put right, in settings, selectors and rule files, into a UserError."""
    try:
        yield
    except Exception as error:
        from recipelint.ruleset.document import RuleError
        from recipelint.ruleset.load import NoRules
        from recipelint.ruleset.select import SelectError
        from recipelint.settings import SettingsError

        if isinstance(error, RuleError | NoRules | SelectError | SettingsError):
            from recipelint.cli.options import UserError

            raise UserError(str(error)) from error
        raise

"""What check prints and where, and its exit status.

A report goes to standard output; with --diff, or when standard input is fixed, that is for the patch or for the fixed
text, and the report goes to standard error.
"""

from __future__ import annotations

import re
import sys

from recipelint.cli import ERROR
from recipelint.cli.reading import STDIN
from recipelint.cli.terminal import emit, say, stream_of
from recipelint.outcome import Outcome
from recipelint.settings import Settings

FOUND = 1


def report(outcome: Outcome, settings: Settings) -> None:
    """Print the outcome of check."""
    fixes_stdin = settings.fix and STDIN in settings.paths
    if settings.diff:
        _diff(outcome, settings)
    elif fixes_stdin:
        name = settings.stdin_filename
        sources = (*(one.source for one in outcome.launchers), *outcome.python)
        emit(b"".join(source.data for source in sources if source.path == name))
    emit(_text(outcome, settings, err=settings.diff or fixes_stdin), err=settings.diff or fixes_stdin)
    complain(outcome, settings)


def complain(outcome: Outcome, settings: Settings) -> None:
    """Name on standard error what could not be read, and, for a person, variables that were given for nothing."""
    for one in outcome.unreadable:
        say(f"{one.path}: {one.reason}")
    if outcome.launchers and not outcome.unchanged and not settings.quiet and settings.output_format != "json":
        for name, _ in settings.env:
            if f"env.{name}" in dict(settings.origins) and not _mentioned(name, outcome):
                say(f"--env: no launcher mentions {name}")


def narrowed(outcome: Outcome, settings: Settings) -> None:
    """Say on standard error how many launchers are left out because no change reaches them."""
    if outcome.unchanged is not None and not settings.quiet:
        from recipelint.report.style import plural

        left_out = f"{plural(len(outcome.unchanged), 'launcher')} unchanged since {settings.changed_since}"
        say(left_out if outcome.files else f"no launcher is reached by a change; {left_out}")


def _mentioned(name: str, outcome: Outcome) -> bool:
    """Whether a launcher, a file that it sources, or a setting of its trainer could read a variable."""
    word = re.compile(rb"\b%s\b" % name.encode())
    return any(
        any(word.search(source.data) for source in (launcher.source, *launcher.followed))
        or any(setting.override == name for launch in launcher.launches for setting in launch.settings.values())
        for launcher in outcome.launchers
    )


def status(outcome: Outcome, settings: Settings, *, exit_zero: bool = False, on_fix: bool = False) -> int:
    """The exit status of check."""
    if outcome.unreadable:
        return ERROR
    if exit_zero:
        return 0
    left = any(diagnostic.severity >= settings.fail_level for diagnostic in outcome.diagnostics)
    pending = settings.diff and bool(outcome.changes)
    return FOUND if left or pending or (on_fix and outcome.fixed) else 0


def _diff(outcome: Outcome, settings: Settings) -> None:
    from recipelint.report import diff

    if _to_terminal():
        emit(diff.render(outcome.changes, stream_of(settings.color)))
    else:
        emit(diff.patch(outcome.changes))


def _to_terminal() -> bool:
    return sys.stdout.isatty()


def _text(outcome: Outcome, settings: Settings, *, err: bool) -> str:
    if settings.output_format == "json":
        from recipelint.report import json_

        return json_.check(outcome)
    from recipelint.report import totals

    stream = stream_of(settings.color, err=err)
    text = ""
    if outcome.fixed and not settings.quiet:
        text += totals.fixes(outcome, stream, made=settings.fix) + "\n"
    if settings.output_format == "full":
        from recipelint.report import full

        text += full.render(outcome, stream)
    else:
        from recipelint.report import concise

        text += concise.render(outcome, stream)
    if not settings.quiet:
        text += totals.totals(outcome, stream, made=settings.fix, unsafe=settings.unsafe_fixes)
    return text

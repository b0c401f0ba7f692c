"""What check prints and where, and its exit status.

A report goes to standard output; with --diff, or when standard input is fixed, that is for the patch or for the fixed
text, and the report goes to standard error. The reports of --output go where they are told.
"""

from __future__ import annotations

import os
import re
import sys

from recipelint.cli import ERROR
from recipelint.cli.reading import STDIN
from recipelint.cli.terminal import emit, say, stream_of
from recipelint.discovery.tree import around
from recipelint.outcome import Outcome
from recipelint.report.formats import FORMATS, render
from recipelint.report.report import Report
from recipelint.ruleset.load import load_for
from recipelint.settings import Settings

FOUND = 1


def prepared(settings: Settings) -> Settings:
    """The settings, with what the reports need of a run. Raises UsageError or UserError for reports that cannot be."""
    if settings.outputs:
        from recipelint.cli import outputs

        outputs.check(settings, taken=_taken(settings))
    names = (settings.output_format, *(name for name, _ in settings.outputs))
    return settings._replace(verify_fixes=True) if any(FORMATS[name].fixes for name in names) else settings


def _taken(settings: Settings) -> bool:
    """Whether standard output is for something else than a report."""
    return settings.diff or ((settings.fix or settings.add_ignore) and STDIN in settings.paths)


def report(outcome: Outcome, settings: Settings) -> bool:
    """Print the outcome of check; False where a report could not be written."""
    taken = _taken(settings)
    if settings.diff:
        _diff(outcome, settings)
    elif taken:
        name = settings.stdin_filename
        sources = (*(one.source for one in outcome.launchers), *outcome.python)
        emit(b"".join(source.data for source in sources if source.path == name))
    made = Report(
        outcome,
        around(settings.paths, settings.stdin_filename),
        stream_of(settings.color, err=taken),
        settings.fix,
        settings.unsafe_fixes,
        settings.quiet,
        settings.statistics,
        settings.baseline,
        load_for(settings),
        _unnamed(settings) if outcome.written is not None else None,
    )
    emit(render(settings.output_format, made), err=taken)
    written = True
    if settings.outputs:
        from recipelint.cli import outputs

        written = outputs.write(made, settings)
    complain(outcome, settings)
    return written


def _unnamed(settings: Settings) -> str | None:
    """What the configuration would call the baseline that is written, empty where it cannot; None if it names it."""
    file = os.path.realpath(settings.write_baseline)
    if settings.baseline and os.path.realpath(settings.baseline) == file:
        return None
    inner = os.path.relpath(file, os.path.realpath(settings.root))
    return "" if inner.split(os.sep)[0] == os.pardir else inner


def complain(outcome: Outcome, settings: Settings) -> None:
    """Name on standard error what could not be read, and, for a person, variables that were given for nothing."""
    for one in outcome.unreadable:
        say(f"{one.path}: {one.reason}")
    for_people = settings.output_format not in FORMATS or FORMATS[settings.output_format].mixes
    if outcome.launchers and not outcome.unchanged and not settings.quiet and for_people:
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
    left |= settings.fail_on_stale and bool(outcome.stale)
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

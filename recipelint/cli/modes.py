"""What check does instead of reporting findings: its options that exclude each other, and the two that only show."""

from __future__ import annotations

import os
import re
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from recipelint.cli import ERROR

if TYPE_CHECKING:
    from recipelint.settings import Settings

EXCLUSIVE = ("fix", "diff", "add_ignore", "write_baseline", "show_files", "show_settings")
"""Of these one can be given: each says what the run is for."""
BESIDE = {
    "statistics": ("add_ignore", "write_baseline", "show_files", "show_settings"),
    "baseline": ("no_baseline", "write_baseline"),
}
"""What else cannot be given together."""
COUNTED = ("full", "concise", "grouped", "json")
"""The formats in which --statistics counts."""


def of(ctx: click.Context, given: dict[str, Any]) -> str:
    """What is only to be shown: `files`, `settings` or nothing. What stands for no setting is taken out of GIVEN."""
    asked = [name for name in EXCLUSIVE if given.get(name)]
    if len(asked) > 1:
        raise _excluded(ctx, *asked[:2])
    for name, others in BESIDE.items():
        for other in others:
            if given.get(name) and given.get(other):
                raise _excluded(ctx, name, other)
    if given.get("statistics") and given.get("output_format") not in (None, *COUNTED):
        raise click.UsageError(f"--statistics is for --output-format {', '.join(COUNTED)}", ctx)
    if given.get("reason") and not given.get("add_ignore"):
        raise click.UsageError("--reason is for --add-ignore", ctx)
    if given.get("write_baseline") and "-" in given.get("paths", ()):
        raise click.UsageError("--write-baseline is for files, not for standard input", ctx)
    if given.pop("no_baseline"):
        given["baseline"] = ""
    shown = [name for name in ("files", "settings") if given.pop(f"show_{name}")]
    return shown[0] if shown else ""


def _excluded(ctx: click.Context, one: str, other: str) -> click.UsageError:
    first, second = (f"--{name.replace('_', '-')}" for name in (one, other))
    return click.UsageError(f"{first} and {second} exclude each other", ctx)


def refuse_missing(settings: Settings) -> None:
    """Raises UserError for a path that is not there, where comments or a baseline would be written all the same."""
    if not settings.add_ignore and not settings.write_baseline:
        return
    from recipelint.cli.options import UserError
    from recipelint.discovery.walk import MISSING

    for path in settings.paths:
        if path != "-" and not os.path.exists(path):
            worded = settings.add_ignore and (" " in path or not re.search(r"[/.]", path))
            hint = f"; a reason is given as --add-ignore={quote(path)}" if worded else ""
            raise UserError(f"{path}: {MISSING}; nothing is written{hint}")


def show(what: str, settings: Settings) -> int:
    """Print the files or the settings of a run; the exit status."""
    from recipelint.cli import reading
    from recipelint.cli.terminal import emit, say
    from recipelint.report import listing

    if what == "files":
        from recipelint.discovery import discover

        found, unread, _ = discover(settings)
        names = [file.path for file in found]
        if settings.changed_since:
            from recipelint.run import files

            with reading.user_errors():
                names, unreadable = files(settings, found)
            unread += unreadable
        names += [settings.stdin_filename] if reading.STDIN in settings.paths else []
        emit(listing.files(names, json=settings.output_format == "json"))
        for path, reason in unread:
            say(f"{path}: {reason}")
        return ERROR if unread else 0
    from recipelint.ruleset.load import load_for

    with reading.user_errors():
        reading.check_selectors(settings)
        emit(listing.settings(settings, load_for(settings), json=settings.output_format == "json"))
    return 0

"""`--watch`: check, and check again whenever something changes that the last check looked at, or looked for.

Nothing that changes while a check is under way is missed: what is younger than its start is checked again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection
from typing import Any, NoReturn

import click

from recipelint.cli.interest import Interest, interest_of
from recipelint.cli.options import UserError
from recipelint.cli.reading import READ, STDIN
from recipelint.cli.terminal import say

STEP, LOOK = 50, 500
"""Milliseconds without a further change that end a group of changes; and after which what was missed is looked for."""
MARGIN = 20_000_000
"""Nanoseconds by which the time of a file may lie before that of the clock."""
WRITING = ("fix", "add_ignore", "write_baseline")
"""Options that change what an editor may have open, or would end the watch at once."""
NEEDED = frozenset({"watchfiles", "anyio"})

Check = Callable[[], object]


def keep_checking(ctx: click.Context, given: dict[str, Any], check: Check) -> NoReturn:
    """Check again and again, until the user interrupts. Raises UsageError or UserError for what cannot be watched."""
    for name in WRITING:
        if given.get(name):
            raise click.UsageError(f"--{name.replace('_', '-')} and --watch exclude each other", ctx)
    if STDIN in given["paths"]:
        raise click.UsageError("standard input cannot be watched", ctx)
    try:
        import watchfiles  # noqa: F401
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in NEEDED:
            raise
        raise UserError(
            "--watch needs watchfiles, of recipelint's extra 'watch': pip install 'watchfiles>=1'"
        ) from error
    told: dict[str, int] = {}
    interest = Interest()
    changed: list[str] = []
    while True:
        since = time.time_ns() - MARGIN
        _clear()
        if changed:
            say(_changes(changed))
        _once(check)
        read = ctx.meta.pop(READ, None)
        found = interest_of(read, given)
        interest = found if read is not None and read.outcome is not None else found.joined(interest)
        say("watching for changes; Ctrl-C stops")
        changed = _wait(interest, since, told)


def _once(check: Check) -> None:
    """One check. What a user can put right while this goes on is said, and ends nothing."""
    try:
        check()
    except click.exceptions.Exit:
        pass
    except click.UsageError:
        raise
    except click.ClickException as error:
        say(f"error: {error.format_message()}")


def _wait(interest: Interest, since: int, told: dict[str, int]) -> list[str]:
    """Wait for a change of interest; what has changed. A change that was TOLD already is told no more."""
    from watchfiles import watch

    folders = sorted(interest.folders())
    first = True
    try:
        for changes in watch(
            *folders,
            watch_filter=None,
            recursive=False,
            step=STEP,
            rust_timeout=LOOK,
            yield_on_timeout=True,
            ignore_permission_denied=True,
        ):
            found = named({path for _, path in changes if interest.meets(path)}, interest)
            if first and not found:
                found = sorted({path for path in interest.changed(since) if _news(path, told)})
            first = False
            if found:
                return found
    except FileNotFoundError:
        return [folder for folder in folders if not os.path.isdir(folder)]
    except OSError as error:
        raise UserError(f"cannot watch: {error}") from error
    raise KeyboardInterrupt  # the watch ends by itself only then


def named(paths: Collection[str], interest: Interest) -> list[str]:
    """PATHS without those that came and went, as temporary files do; what the check knows comes first."""
    left = [path for path in paths if os.path.lexists(path) or interest.knows(path)]
    return sorted(left or paths, key=lambda path: (path not in interest.files, path))


def _news(path: str, told: dict[str, int]) -> bool:
    """Whether a change is news; that none is told twice keeps a clock that goes wrong from an endless round."""
    try:
        now = os.lstat(path).st_ctime_ns
    except OSError:
        now = 0
    before, told[path] = told.get(path), now
    return before != now


def _changes(paths: list[str]) -> str:
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"{os.path.relpath(paths[0])}{more} changed"


def _clear() -> None:
    """An empty screen, where standard output is one."""
    if os.environ.get("TERM", "dumb") != "dumb":
        click.clear()

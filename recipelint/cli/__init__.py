"""The command line: options in, an exit status out; nothing is imported before it is needed.

0: nothing is left at or above --fail-level; 1: something is; 2: usage, configuration, unreadable input, internal error.
"""

from __future__ import annotations

import gc
import os
import sys

ERROR = 2
DEBUG = "RECIPELINT_DEBUG"
IMPLIED = "recipelint.commands"
"""The key, in a click context's `meta`, of the names of all commands, where none of them was given."""


def stand_in() -> None:
    """Open what this process was started without, so that no file of a run gets the number of one of the three."""
    sys.stdin = sys.stdin or os.fdopen(os.open(os.devnull, os.O_WRONLY))  # reading fails, as it would without
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def main() -> None:
    """Run the command line of this process, and exit. An internal error is one line; RECIPELINT_DEBUG=1 raises it."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        stand_in()
    if sys.argv[1:] == ["--version"]:
        from recipelint import __version__

        sys.stdout.write(f"recipelint {__version__}\n")
        sys.exit(0)
    # Syntax trees hold no garbage while a file is read: collecting often costs a tenth of a run and frees nothing.
    gc.set_threshold(100_000, 20, 50)
    try:
        from recipelint.cli.plainly import plainly

        status = plainly(sys.argv[1:], os.environ)
        if status is None:
            from recipelint.cli.commands import app
            from recipelint.cli.terminal import run

            status = run(app, sys.argv[1:])
    except Exception as error:
        if os.environ.get(DEBUG):
            raise
        from recipelint.report.plain import neutralise

        what = neutralise(f"{type(error).__name__}: {error}")
        sys.stderr.write(f"recipelint: internal error: {what} ({DEBUG}=1 shows where)\n")
        status = ERROR
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)

"""The plainest check, without click: files and a few flags, as a hook and a person give them most of the time.

click takes as long to load as all of this program. What is more than this module knows goes to click as before: a word
that it does not know, a variable that stands for an option, a first word that could be a command. Both ways come to
the same settings, and run the same functions.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

VARIABLES = ("RECIPELINT_NO_CACHE", "RECIPELINT_CACHE_DIR", "_RECIPELINT_COMPLETE")
FLAGS = {
    "-q": "quiet",
    "--quiet": "quiet",
    "-n": "no_cache",
    "--no-cache": "no_cache",
    "--force-exclude": "force_exclude",
    "--isolated": "isolated",
    "--exit-zero": "exit_zero",
}
FORMAT, FORMATS = "--output-format", ("full", "concise", "grouped", "json", "json-lines", "github")
UNSAID: Mapping[str, Any] = {
    **dict.fromkeys(("quiet", "no_cache", "isolated", "exit_zero", "fix", "diff", "unsafe_fixes", "add_ignore"), False),
    "statistics": False,
    "color": "auto",
}
"""What the options come to that stand for something where they are not given; None and () stand for nothing."""


def plainly(words: Sequence[str], variables: Mapping[str, str]) -> int | None:
    """Run a check; its exit status. None if this is more than a plain check, and nothing was done."""
    given = None if any(name in variables for name in VARIABLES) else asked(words)
    if given is None:
        return None
    from recipelint.cli.terminal import refused, silence

    try:
        return _check(given)
    except BrokenPipeError:
        silence()
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return 130
    except Exception as error:
        return refused(error)


def asked(words: Sequence[str]) -> dict[str, Any] | None:
    """The options that WORDS give; None if they are more than a plain check."""
    given: dict[str, Any] = {}
    paths: list[str] = []
    named = False
    left = iter(words)
    for word in left:
        if word == "--":
            paths += left
        elif word in FLAGS:
            given[FLAGS[word]] = True
        elif word == FORMAT:
            given["output_format"] = next(left, "")
        elif word.startswith("-"):
            return None
        elif word == "check" and not named and not paths:
            named = True
        elif not named and not paths and not {"/", "."} & set(word):
            return None
        else:
            paths.append(word)
    if not paths or "-" in paths or "" in paths or given.get("output_format", "full") not in FORMATS:
        return None
    return {**UNSAID, **given, "paths": tuple(paths)}


def _check(given: dict[str, Any]) -> int:
    from recipelint.cli import ERROR, reading, reporting

    exit_zero, isolated, no_cache = (given.pop(name) for name in ("exit_zero", "isolated", "no_cache"))
    with reading.user_errors():
        from recipelint.cli.settling import settle

        settings = settle(given, config=None, isolated=isolated, pieces=(), no_cache=no_cache)
    from recipelint import run

    settings = reporting.prepared(settings)
    outcome = reading.outcome_of(settings, run.check)
    written = reporting.report(outcome, settings)
    status = reporting.status(outcome, settings, exit_zero=exit_zero)
    return status if written else ERROR

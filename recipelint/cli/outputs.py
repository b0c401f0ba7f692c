"""The reports that --output asks for: what may be asked, looked at before the run, and written after it.

A report is put in place whole or not at all, through no symbolic link, and over no file that is linted.
"""

from __future__ import annotations

import os
from collections.abc import Collection

import click

from recipelint.cli.options import UserError
from recipelint.cli.terminal import emit, say
from recipelint.discovery.tree import enclosing
from recipelint.report.formats import FORMATS, render
from recipelint.report.report import Report
from recipelint.report.style import Stream
from recipelint.settings import Settings

STDOUT = "-"
_DEVICES = ("/dev/", "/proc/")


def check(settings: Settings, *, taken: bool) -> None:
    """Raises UsageError for reports that exclude each other; TAKEN: standard output is for a patch or fixed text."""
    seen: dict[str, str] = {}
    printed = [] if taken else [settings.output_format]
    for name, file in settings.outputs:
        if file == STDOUT:
            if taken:
                raise click.UsageError(f"--output {name}=-: standard output is for what --fix or --diff prints")
            printed.append(name)
            continue
        real = os.path.realpath(file)
        if real in seen and not _special(file):
            raise click.UsageError(f"--output: {seen[real]} and {name} go to one file, {file}")
        seen[real] = name
        if reason := _refused(file):
            raise UserError(f"--output: {file}: {reason}")
    alone = next((name for name in printed if not FORMATS[name].mixes), None)
    if alone is not None and len(printed) > 1:
        other = next(name for name in (*printed[1:], printed[0]) if name != alone or printed.count(alone) > 1)
        raise click.UsageError(
            f"--output: standard output cannot hold both {alone} and {other}; name a file, or use --output-format"
        )


def spare(settings: Settings, paths: Collection[str]) -> None:
    """Raises UserError for a report that would go over one of the PATHS to lint."""
    files = {os.path.realpath(file): file for _, file in settings.outputs if file != STDOUT}
    if files:
        for path in paths:
            if file := files.get(os.path.realpath(path)):
                raise UserError(f"--output: {file}: is a file to check")


def write(report: Report, settings: Settings) -> bool:
    """Write every report; False, with a line on standard error, where one could not be."""
    done = True
    followed = {os.path.realpath(path) for path in report.sources()}
    for name, file in settings.outputs:
        stream = report.stream if file == STDOUT else Stream(settings.color == "always")
        text = render(name, report._replace(stream=stream))
        if file == STDOUT:
            emit(text)
            continue
        if reason := _put(file, text.encode("utf-8", "backslashreplace"), followed):
            say(f"{file}: {reason}")
            done = False
    return done


def _put(file: str, data: bytes, followed: Collection[str]) -> str:
    """Write a report; why it could not be, if it could not."""
    from recipelint.holding import held
    from recipelint.writing import Refused, write_report

    if os.path.realpath(file) in followed:
        return "not written: it is a file that was checked"
    try:
        if _special(file):
            with open(file, "wb") as stream:
                stream.write(data)
            return ""
        with held():
            write_report(file, data, enclosing(os.path.dirname(os.path.abspath(file))))
    except Refused as error:
        return str(error)
    except OSError as error:
        return f"not written: {error.strerror or error}"
    return ""


def _special(file: str) -> bool:
    """Whether a path is a device or a pipe, which is written to as it is: /dev/null, or what `>(gzip)` makes."""
    return os.path.exists(file) and not os.path.isfile(file) and not os.path.isdir(file)


def _refused(file: str) -> str:
    """Why a report cannot go to a path, as far as that can be told before the run."""
    if file.startswith(_DEVICES) and not _special(file):
        return "is no file of its own; use - for standard output"
    if os.path.isdir(file):
        return "is a folder"
    if _special(file):
        return ""
    if os.path.islink(file):
        return "is a symbolic link"
    if not os.path.isdir(os.path.dirname(file) or "."):
        return f"there is no folder {os.path.dirname(file)}"
    return ""

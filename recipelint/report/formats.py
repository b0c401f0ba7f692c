"""The formats of check's report: what each is for, and where it is made. A format is loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from recipelint.record import NamedTuple
from recipelint.report.report import Report


class Format(NamedTuple):
    """Where a format is made: a function, from a Report to text, of a module of this package.

    service  it is for a service that shows findings beside the code: it speaks of the files as they are on disk
    fixes    it holds fixes that others apply: each is to be verified
    mixes    it is for people or logs: other reports may stand before and after it
    """

    module: str
    function: str = "render"
    service: bool = False
    fixes: bool = False
    mixes: bool = False


DEFAULT = "full"
FORMATS: Mapping[str, Format] = {
    "full": Format("people", "full", mixes=True),
    "concise": Format("people", "concise", mixes=True),
    "grouped": Format("people", "grouped", mixes=True),
    "json": Format("json_", "report"),
    "json-lines": Format("json_lines"),
    "github": Format("github", service=True, mixes=True),
    "gitlab": Format("gitlab", service=True),
    "sarif": Format("sarif", service=True, fixes=True),
    "rdjson": Format("rdjson", service=True, fixes=True),
    "junit": Format("junit", service=True),
    "checkstyle": Format("checkstyle", service=True),
    "markdown": Format("summary", mixes=True),
}


def render(name: str, report: Report) -> str:
    """The text of a report in a format; one for a service tells of the files as they are, also with --diff."""
    from importlib import import_module

    kind = FORMATS[name]
    if kind.service and report.outcome.before is not None and not report.made:
        report = report._replace(outcome=report.outcome.before)
    function: Callable[[Report], str] = getattr(import_module(f"recipelint.report.{kind.module}"), kind.function)
    return function(report)

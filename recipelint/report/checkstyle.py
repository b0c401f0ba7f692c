"""Checkstyle's XML: the findings of each file; one that could not be read has an error that says so.

`source` is the code behind `recipelint.`, as readers take the last part for the type and what is before for the group.
"""

from __future__ import annotations

from recipelint.diagnostic import Confidence, Diagnostic
from recipelint.report.plain import neutralise
from recipelint.report.report import Report
from recipelint.report.xml_ import DECLARATION, element

VERSION = "4.3"
"""Of the format: what readers look for since Checkstyle 4.3."""


def render(report: Report) -> str:
    """All files that were looked into, those without findings too."""
    errors: dict[str, list[str]] = {path: [] for path in report.linted()}
    for diagnostic in report.outcome.diagnostics:
        errors.setdefault(diagnostic.location.path, []).append(_error(diagnostic))
    for one in report.outcome.unreadable:
        said = {"line": 1, "severity": "error", "message": neutralise(one.reason), "source": "recipelint.unreadable"}
        errors.setdefault(one.path, []).append(element("error", said))
    files = [element("file", {"name": report.place(path)}, errors[path] or None) for path in sorted(errors)]
    return DECLARATION + element("checkstyle", {"version": VERSION}, files)


def _error(one: Diagnostic) -> str:
    start = one.location.start
    possible = "possible: " if one.confidence is Confidence.POSSIBLE else ""
    return element(
        "error",
        {
            "line": start.line,
            "column": start.column,
            "severity": one.severity.word,
            "message": possible + neutralise(one.message),
            "source": f"recipelint.{one.code}",
        },
    )

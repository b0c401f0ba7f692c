"""Diagnostics as JSON, one a line: the same objects as in `diagnostics` of the JSON of check."""

from __future__ import annotations

from recipelint.report.json_ import diagnostic_json, line
from recipelint.report.report import Report


def render(report: Report) -> str:
    """A line for each finding; nothing where there is none."""
    return "".join(line(diagnostic_json(one)) + "\n" for one in report.outcome.diagnostics)

"""GitLab's code quality report: a JSON list of findings, each with a fingerprint that survives moved lines.

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

from recipelint.diagnostic import Confidence, Diagnostic, Severity
from recipelint.report.json_ import Json, dump
from recipelint.report.plain import neutralise
from recipelint.report.report import Report
from recipelint.report.unicode import decodable

SEVERITIES = {
    (Severity.ERROR, Confidence.CERTAIN): "critical",
    (Severity.ERROR, Confidence.POSSIBLE): "major",
    (Severity.WARNING, Confidence.CERTAIN): "major",
    (Severity.WARNING, Confidence.POSSIBLE): "minor",
    (Severity.INFO, Confidence.CERTAIN): "info",
    (Severity.INFO, Confidence.POSSIBLE): "info",
}


def render(report: Report) -> str:
    """The list; an empty one where nothing was found."""
    names = report.fingerprints()
    return dump([_finding(one, names[id(one)], report) for one in report.outcome.diagnostics])


def _finding(one: Diagnostic, fingerprint: str, report: Report) -> Json:
    return {
        "description": neutralise(one.message),
        "check_name": one.code,
        "fingerprint": fingerprint,
        "severity": SEVERITIES[one.severity, one.confidence],
        "location": {
            "path": decodable(report.place(one.location.path)),
            "lines": {"begin": one.location.start.line, "end": one.location.end.line},
        },
    }

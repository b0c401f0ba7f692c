"""JUnit's XML: a suite for each file, a failed case for each finding, one that passes for a file without any.

There are no times and no host in it: the same input gives the same bytes. Names hold no line numbers, so that a case is
the same one while lines move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from recipelint.diagnostic import Diagnostic
from recipelint.outcome import Unreadable
from recipelint.report.concise import line
from recipelint.report.plain import neutralise
from recipelint.report.report import Report
from recipelint.report.style import Stream
from recipelint.report.xml_ import DECLARATION, element


def render(report: Report) -> str:
    """All suites, in the order of their files."""
    outcome = report.outcome
    found: dict[str, list[Diagnostic]] = {path: [] for path in report.linted()}
    for one in outcome.diagnostics:
        found.setdefault(one.location.path, []).append(one)
    suites = {path: _suite(path, diagnostics, report) for path, diagnostics in found.items()}
    suites.update({one.path: _unread(one, report) for one in outcome.unreadable})
    counts = {
        "tests": sum(max(1, len(diagnostics)) for path, diagnostics in found.items()) + len(outcome.unreadable),
        "failures": len(outcome.diagnostics),
        "errors": len(outcome.unreadable),
    }
    return DECLARATION + element(
        "testsuites", {"name": "recipelint", **counts}, [suites[path] for path in sorted(suites)]
    )


def _suite(path: str, diagnostics: Sequence[Diagnostic], report: Report) -> str:
    place = report.place(path)
    cases = []
    seen: Counter[str] = Counter()
    for one in diagnostics:
        name = f"{one.code} {one.name}"
        seen[name] += 1
        if seen[name] > 1:
            name += f" ({seen[name]})"
        said = "\n".join(
            [line(one, Stream()), *([f"help: {neutralise(one.help.strip())}"] if one.help.strip() else [])]
        )
        failure = element("failure", {"message": neutralise(one.message), "type": one.severity.word}, said)
        cases.append(_case(name, place, [failure], line=one.location.start.line))
    return _counted(place, cases or [_case("no problems", place, None)], failures=len(diagnostics), errors=0)


def _unread(one: Unreadable, report: Report) -> str:
    place = report.place(one.path)
    error = element(
        "error", {"message": neutralise(one.reason), "type": "unreadable"}, neutralise(f"{one.path}: {one.reason}")
    )
    return _counted(place, [_case("can be read", place, [error])], failures=0, errors=1)


def _counted(place: str, cases: Sequence[str], **counts: int) -> str:
    return element("testsuite", {"name": place, "tests": len(cases), **counts}, cases)


def _case(name: str, place: str, inside: Sequence[str] | None, **more: int) -> str:
    return element("testcase", {"name": name, "classname": place, "file": place, **more}, inside)

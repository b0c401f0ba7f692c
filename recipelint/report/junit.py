"""JUnit's XML: a suite for each file, a failed case for each finding, one that passes for a file without any.

There are no times and no host in it: the same input gives the same bytes. Names hold no line numbers, so that a case is
the same one while lines move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

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
    paths = {
        *report.linted(),
        *(one.location.path for one in outcome.diagnostics),
        *(one.path for one in outcome.unreadable),
    }
    suites = {path: list(_cases(path, report)) for path in sorted(paths)}
    counts = {"tests": sum(map(len, suites.values())), **_counts(outcome.diagnostics, outcome.unreadable)}
    return DECLARATION + element(
        "testsuites", {"name": "recipelint", **counts}, [_suite(path, cases, report) for path, cases in suites.items()]
    )


def _suite(path: str, cases: list[str], report: Report) -> str:
    found, unread = _of(path, report)
    return element("testsuite", {"name": report.place(path), "tests": len(cases), **_counts(found, unread)}, cases)


def _counts(found: Collection[object], unread: Collection[object]) -> dict[str, int]:
    return {"failures": len(found), "errors": len(unread)}


def _of(path: str, report: Report) -> tuple[list[Diagnostic], list[Unreadable]]:
    """What there is to say of a file."""
    outcome = report.outcome
    found = [one for one in outcome.diagnostics if one.location.path == path]
    return found, [one for one in outcome.unreadable if one.path == path]


def _cases(path: str, report: Report) -> Iterator[str]:
    place = report.place(path)
    found, unread = _of(path, report)
    for trouble in unread:
        said = {"message": neutralise(trouble.reason), "type": "unreadable"}
        error = element("error", said, neutralise(f"{place}: {trouble.reason}"))
        yield _case("can be checked", place, [error])
    seen: Counter[str] = Counter()
    for one in found:
        name = f"{one.code} {one.name}"
        seen[name] += 1
        number = f" ({seen[name]})" if seen[name] > 1 else ""
        lines = [line(one, Stream(), place), *([f"help: {neutralise(one.help.strip())}"] if one.help.strip() else [])]
        failure = element("failure", {"message": neutralise(one.message), "type": one.severity.word}, "\n".join(lines))
        yield _case(name + number, place, [failure], line=one.location.start.line)
    if not found and not unread:
        yield _case("no problems", place, None)


def _case(name: str, place: str, inside: list[str] | None, **more: int) -> str:
    return element("testcase", {"name": name, "classname": place, "file": place, **more}, inside)

"""JUnit's XML: a suite for each file, a failed case for each finding, one that passes for a file without any.

There are no times and no host in it: the same input gives the same bytes. Names hold no line numbers, so that a case is
the same one while lines move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

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
    files: dict[str, Said] = {path: Said([], []) for path in report.linted()}
    for one in outcome.diagnostics:
        files.setdefault(one.location.path, Said([], [])).found.append(one)
    for trouble in outcome.unreadable:
        files.setdefault(trouble.path, Said([], [])).unread.append(trouble)
    suites = {path: list(_cases(report.place(path), said)) for path, said in sorted(files.items())}
    counts = {"tests": sum(map(len, suites.values())), **_counts(outcome.diagnostics, outcome.unreadable)}
    elements = [
        element("testsuite", {"name": report.place(path), "tests": len(cases), **_counts(*files[path])}, cases)
        for path, cases in suites.items()
    ]
    return DECLARATION + element("testsuites", {"name": "recipelint", **counts}, elements)


class Said(NamedTuple):
    """What there is to say of a file."""

    found: list[Diagnostic]
    unread: list[Unreadable]


def _counts(found: Collection[object], unread: Collection[object]) -> dict[str, int]:
    return {"failures": len(found), "errors": len(unread)}


def _cases(place: str, said: Said) -> Iterator[str]:
    for trouble in said.unread:
        attributes = {"message": neutralise(trouble.reason), "type": "unreadable"}
        error = element("error", attributes, neutralise(f"{place}: {trouble.reason}"))
        yield _case("can be checked", place, [error])
    seen: Counter[str] = Counter()
    for one in said.found:
        name = f"{one.code} {one.name}"
        seen[name] += 1
        number = f" ({seen[name]})" if seen[name] > 1 else ""
        lines = [line(one, Stream(), place), *([f"help: {neutralise(one.help.strip())}"] if one.help.strip() else [])]
        failure = element("failure", {"message": neutralise(one.message), "type": one.severity.word}, "\n".join(lines))
        yield _case(name + number, place, [failure], line=one.location.start.line)
    if not said.found and not said.unread:
        yield _case("no problems", place, None)


def _case(name: str, place: str, inside: list[str] | None, **more: int) -> str:
    return element("testcase", {"name": name, "classname": place, "file": place, **more}, inside)

"""What rules did on their examples and cases, for a person and for a program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from recipelint.report.json_ import VERSION, Json, dump
from recipelint.report.plain import block
from recipelint.report.style import GREEN, RED, Stream, plural
from recipelint.ruleset.cases import Case, Failure
from recipelint.ruleset.document import RuleError
from recipelint.ruleset.own_check import RuleCases


class Tried(NamedTuple):
    """A rule, and the cases that it failed."""

    cases: RuleCases
    failures: tuple[tuple[Case, Failure], ...]


def text(tried: Sequence[Tried], stream: Stream) -> str:
    """A line for each rule, its failures below, and the totals."""
    rows = [row for one in tried for row in _rows(one, stream)]
    failed = [one for one in tried if one.failures]
    if failed:
        count = plural(sum(len(one.failures) for one in failed), "failure")
        rows.append(f"{count} in {len(failed)} of {plural(len(tried), 'rule')}")
    elif tried:
        rows.append(f"{plural(len(tried), 'rule')} tried, and nothing failed")
    return "".join(f"{row}\n" for row in rows)


def _rows(tried: Tried, stream: Stream) -> Iterator[str]:
    rule, examples, cases = tried.cases
    count = len({case.place for case in cases})
    on = f"{plural(len(examples), 'example')}, {plural(count, 'case') if count else 'no cases'}"
    verdict = stream.paint(plural(len(tried.failures), "failure"), RED) if tried.failures else stream.paint("ok", GREEN)
    yield f"{rule.code} {rule.name}: {on}: {verdict}"
    for case, failure in tried.failures:
        said = f"{_name(case)} ({case.place}): {failure.message}"
        yield f"  {stream.paint(failure.word, RED)}: {block(said)}"
        yield from (f"    {block(line)}" for line in failure.lines)


def _name(case: Case) -> str:
    """What a case is called: of a fix and its noop, which."""
    return f"{case.name}, noop" if case.kind == "noop" else case.name


def json(tried: Sequence[Tried], unusable: Sequence[RuleError]) -> str:
    """The same as {"version", "rules": [...], "unusable": [...]}."""
    files = [{"path": one.path, "line": one.line or None, "reason": one.message} for one in unusable]
    return dump({"version": VERSION, "rules": [_json(one) for one in tried], "unusable": files})


def _json(tried: Tried) -> Json:
    rule, examples, cases = tried.cases
    failures = []
    for case, failure in tried.failures:
        path, _, line = case.place.rpartition(":")
        failures.append(
            {
                "kind": failure.word.lower(),
                "case": _name(case),
                "path": path,
                "line": int(line),
                "message": failure.message,
                "difference": list(failure.lines),
            }
        )
    return {
        "code": rule.code,
        "name": rule.name,
        "path": rule.file,
        "examples": len(examples),
        "cases": len({case.place for case in cases}),
        "failures": failures,
    }

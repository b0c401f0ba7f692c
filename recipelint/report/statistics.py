"""How often each rule found something, the most frequent first, and how much of that a fix would cure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from recipelint.diagnostic import Diagnostic
from recipelint.fix import Applicability
from recipelint.outcome import Outcome
from recipelint.report.json_ import Json, check_json
from recipelint.report.plain import inert, neutralise
from recipelint.report.style import CYAN, Stream


class Count(NamedTuple):
    """A rule, how many findings it has, and how many of them the options given would fix."""

    code: str
    name: str
    findings: int
    fixable: int

    @property
    def mark(self) -> str:
        """`[*]` if all of them can be fixed, `[-]` if some can."""
        return "[*]" if self.fixable == self.findings else "[-]" if self.fixable else "[ ]"


def counts(diagnostics: Sequence[Diagnostic], *, unsafe: bool) -> list[Count]:
    """The counts, by frequency and then by code; UNSAFE tells whether unsafe fixes were asked for."""
    least = Applicability.UNSAFE if unsafe else Applicability.SAFE
    by_rule: dict[tuple[str, str], list[Diagnostic]] = {}
    for one in diagnostics:
        by_rule.setdefault((one.code, one.name), []).append(one)
    found = [
        Count(code, name, len(some), sum(d.fix is not None and d.fix.applicability >= least for d in some))
        for (code, name), some in by_rule.items()
    ]
    return sorted(found, key=lambda one: (-one.findings, one.code))


def text(outcome: Outcome, stream: Stream, *, unsafe: bool) -> str:
    """A line for each rule: count, code, whether it can be fixed, name."""
    found = counts(outcome.diagnostics, unsafe=unsafe)
    width = max((len(str(one.findings)) for one in found), default=0)
    longest = max((len(one.code) for one in found), default=0)
    rows = [
        f"{one.findings:>{width}}  {neutralise(one.code):<{longest}}  "
        f"{stream.paint(one.mark, CYAN if one.fixable else '')} {neutralise(one.name)}\n"
        for one in found
    ]
    return inert("".join(rows))


def as_json(outcome: Outcome, *, unsafe: bool) -> Json:
    """The JSON of check with `statistics` in the place of the diagnostics."""
    found = counts(outcome.diagnostics, unsafe=unsafe)
    rows = [{"code": one.code, "name": one.name, "count": one.findings, "fixable": one.fixable} for one in found]
    whole = check_json(outcome)
    return {
        "version": whole.pop("version"),
        "statistics": rows,
        **{k: v for k, v in whole.items() if k != "diagnostics"},
    }

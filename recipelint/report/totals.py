"""What a run came to, in a few lines: what was fixed, and how much is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from recipelint.diagnostic import Severity
from recipelint.fix import Applicability
from recipelint.outcome import Outcome
from recipelint.report.plain import inert, neutralise
from recipelint.report.style import BOLD, GREEN, Stream, plural


def fixes(outcome: Outcome, stream: Stream, *, made: bool) -> str:
    """Each fix that was made, or would be, one a line: file, line, code, title, and what contradicts it."""
    word = stream.paint("fixed" if made else "would fix", GREEN)
    places = (stream.place(f"{neutralise(fix.path)}:{fix.line}", fix.path, fix.line) for fix in outcome.fixed)
    rows = (
        f"{word} {place}: {neutralise(fix.code)} {neutralise(fix.title)}"
        f"{'; ' + neutralise(fix.note) if fix.note else ''}\n"
        for fix, place in zip(outcome.fixed, places, strict=True)
    )
    return inert("".join(rows))


def totals(outcome: Outcome, stream: Stream, *, made: bool, unsafe: bool) -> str:
    """The end of a report; UNSAFE tells whether unsafe fixes were asked for."""
    if not outcome.files:
        return nothing_read(outcome.excluded)
    launches = outcome.judged
    where = f"{plural(outcome.files, 'file')}, {plural(launches, 'launch')}{_undecided(outcome)}"
    pending = bool(outcome.fixed) and not made
    if outcome.diagnostics:
        counts = Counter(diagnostic.severity for diagnostic in outcome.diagnostics)
        found = [plural(counts[severity], severity.word) for severity in reversed(Severity) if counts[severity]]
        what = f"{'Would leave' if pending else 'Found'} {_join(found)}"
        text = f"{stream.paint(what, BOLD)} in {where}{_fixable(outcome, unsafe)}\n"
    else:
        text = f"{stream.paint('Would leave no problems' if pending else 'No problems', GREEN)} in {where}\n"
    return _fixed(outcome, made) + text


def nothing_read(excluded: Sequence[str]) -> str:
    """Why no launcher was read: there was none, or all that there were are EXCLUDED."""
    folders = sum(path.endswith("/") for path in excluded)
    counts = ((len(excluded) - folders, "file"), (folders, "folder"))
    left_out = [plural(count, noun) for count, noun in counts if count]
    return f"{_join(left_out)} excluded\n" if left_out else "No launchers were read\n"


def _undecided(outcome: Outcome) -> str:
    """How many launches a rule could not judge, for want of what a user gives."""
    count = len({key for key, _, _ in outcome.undecided})
    return f", {count} undecided (recipelint show tells what is missing)" if count else ""


def _fixed(outcome: Outcome, made: bool) -> str:
    if not outcome.fixed:
        return ""
    files = len({fix.path for fix in outcome.fixed})
    word = "Fixed" if made else "Would fix"
    return f"{word} {plural(len(outcome.fixed), 'problem')} in {plural(files, 'file')}\n"


def _fixable(outcome: Outcome, unsafe: bool) -> str:
    """How many of the diagnostics which option would fix."""
    by_kind = Counter(one.fix.applicability for one in outcome.diagnostics if one.fix)
    safe, risky = by_kind[Applicability.SAFE], by_kind[Applicability.UNSAFE]
    if unsafe and safe + risky:
        return f"; {safe + risky} fixable with --fix --unsafe-fixes"
    if safe and risky:
        return f"; {safe} fixable with --fix, {risky} more with --fix --unsafe-fixes"
    if safe:
        return f"; {safe} fixable with --fix"
    return f"; {risky} fixable with --fix --unsafe-fixes" if risky else ""


def _join(words: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]

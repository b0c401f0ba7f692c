"""What a run came to, in a few lines: what was fixed, and how much is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from shlex import quote

from recipelint.diagnostic import Severity
from recipelint.fix import Applicability
from recipelint.outcome import Outcome, Written
from recipelint.report.plain import inert, neutralise
from recipelint.report.style import BOLD, GREEN, YELLOW, Stream, plural


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


def ignores(outcome: Outcome, stream: Stream) -> str:
    """Each comment that was written, one a line: file, line, codes."""
    word = stream.paint("ignored", GREEN)
    rows = (
        f"{word} {neutralise(one.path)}:{one.line}: {neutralise(', '.join(one.codes))}\n" for one in outcome.ignored
    )
    return inert("".join(rows))


def stale(outcome: Outcome, baseline: str, stream: Stream) -> str:
    """Each entry of the baseline that is found no more, one a line."""
    word = stream.paint("stale", YELLOW)
    rows = (
        f"{word} {neutralise(one.path)}: {neutralise(one.code)} is in {neutralise(baseline)}, and no longer found: "
        f"{neutralise(one.message)}\n"
        for one in outcome.stale
    )
    hint = ""
    if outcome.moved:
        many = f"{outcome.moved} stale {'entries say' if outcome.moved > 1 else 'entry says'}"
        again = f"--write-baseline {neutralise(quote(baseline))}"
        hint = f"{many} what is new under another path; if files were moved, write the baseline again: {again}\n"
    return inert("".join(rows) + hint)


def totals(outcome: Outcome, stream: Stream, *, made: bool, unsafe: bool) -> str:
    """The end of a report; UNSAFE tells whether unsafe fixes were asked for."""
    if not outcome.files and outcome.unchanged is not None:
        return unreached(outcome, stream)
    if not outcome.files:
        return nothing_read(outcome.excluded)
    launches = outcome.judged
    where = f"{plural(outcome.files, 'file')}, {plural(launches, 'launch')}{_ruleless(outcome)}{_undecided(outcome)}"
    pending = bool(outcome.fixed) and not made
    if outcome.diagnostics:
        counts = Counter(diagnostic.severity for diagnostic in outcome.diagnostics)
        found = [plural(counts[severity], severity.word) for severity in reversed(Severity) if counts[severity]]
        what = f"{'Would leave' if pending else 'Found'} {_join(found)}"
        text = f"{stream.paint(what, BOLD)} in {where}{_fixable(outcome, unsafe)}{_aside(outcome)}\n"
    else:
        kind = "new problems" if outcome.baselined else "problems"
        what = f"Would leave no {kind}" if pending else f"No {kind}"
        text = f"{stream.paint(what, GREEN)} in {where}{_aside(outcome)}\n"
    return _fixed(outcome, made) + _ignored(outcome) + text


def nothing_read(excluded: Sequence[str]) -> str:
    """Why no launcher was read: there was none, or all that there were are EXCLUDED."""
    folders = sum(path.endswith("/") for path in excluded)
    counts = ((len(excluded) - folders, "file"), (folders, "folder"))
    left_out = [plural(count, noun) for count, noun in counts if count]
    return f"{_join(left_out)} excluded\n" if left_out else "No launchers were read\n"


def unreached(outcome: Outcome, stream: Stream) -> str:
    """That no file was looked into, for nothing that changed reaches one."""
    return f"{stream.paint('No launcher is reached by a change', GREEN)}{_unchanged(outcome)}\n"


def _ruleless(outcome: Outcome) -> str:
    """How many launches are judged by none of the rules about settings."""
    count = outcome.ruleless
    return f", {count} of a trainer that no rule is known to hold for" if count else ""


def _undecided(outcome: Outcome) -> str:
    """How many launches a rule could not judge, for want of what a user gives."""
    count = len({key for key, _, _ in outcome.undecided})
    return f", {count} undecided (recipelint show tells what is missing)" if count else ""


def _aside(outcome: Outcome) -> str:
    """What the totals leave out: launchers that no change reaches, and what the baseline keeps quiet."""
    return _unchanged(outcome) + _baselined(outcome)


def _unchanged(outcome: Outcome) -> str:
    """How many launchers no change reaches."""
    return f"; {plural(len(outcome.unchanged), 'launcher')} unchanged" if outcome.unchanged is not None else ""


def _fixed(outcome: Outcome, made: bool) -> str:
    if not outcome.fixed:
        return ""
    files = len({fix.path for fix in outcome.fixed})
    word = "Fixed" if made else "Would fix"
    return f"{word} {plural(len(outcome.fixed), 'problem')} in {plural(files, 'file')}\n"


def _ignored(outcome: Outcome) -> str:
    if not outcome.ignored:
        return ""
    count, files = len(outcome.ignored), len({one.path for one in outcome.ignored})
    return f"Wrote {plural(count, 'comment')} in {plural(files, 'file')}\n"


def written(done: Written) -> str:
    """What a baseline that was written has in it."""
    changes = [f"{count} {word}" for count, word in ((done.added, "new"), (done.removed, "gone")) if count]
    more = f", {_join(changes)}" if changes else ""
    return inert(f"Wrote {plural(done.findings, 'finding')} to {neutralise(done.path)}{more}\n")


def next_step(done: Written, key: str) -> str:
    """How to use a baseline that no configuration names; KEY is what it is called there, if it can be."""
    option = f"--baseline {neutralise(quote(done.path))}"
    if not key:
        return inert(f"next: give {option}\n")
    from json import dumps  # the strings of TOML are written alike

    return inert(f"next: name it in the configuration: baseline = {dumps(key)}; or give {option}\n")


def _baselined(outcome: Outcome) -> str:
    """How many findings the baseline keeps quiet, and how many of it are found no more."""
    where = "stale in it" if outcome.baselined else "stale in the baseline"
    counts = ((len(outcome.baselined), "in the baseline"), (len(outcome.stale), where))
    words = [f"{count} {what}" for count, what in counts if count]
    return f"; {', '.join(words)}" if words else ""


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

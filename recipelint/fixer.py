"""Makes fixes and checks them: apply, evaluate again, and keep the new text only if each recipe differs as declared.

A fix is all or nothing. One that does not verify is withdrawn, and its diagnostic says why.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from recipelint.diagnostic import Diagnostic
from recipelint.fix import Applicability, Edit, Fix, OverlappingEdits, apply, touches
from recipelint.linter import Linter, Result
from recipelint.ruleset.load import Ruleset
from recipelint.verify import Verification

MAX_ROUNDS = 10
Key = tuple[str, tuple[str, int, int]]
"""The code and the place of a diagnostic."""
Lint = Callable[[Mapping[str, bytes]], Result]
"""Lint all files with some of them replaced."""


class Made(NamedTuple):
    """A fix that was made, at its line in the file as it was in that round."""

    diagnostic: Diagnostic
    fix: Fix
    line: int


class Outcome:
    """The changed files, what was fixed, what was withdrawn and why, and the last lint."""

    def __init__(self, result: Result) -> None:
        self.contents: dict[str, bytes] = {}
        self.first = self.result = result
        self.made: list[Made] = []
        self.withdrawn: dict[Key, str] = {}


class Fixer:
    """One run of fixing."""

    def __init__(self, linter: Linter, lint: Lint, originals: Mapping[str, bytes], unsafe: bool) -> None:
        self.linter = linter
        self.lint = lint
        self.originals = originals
        self.least = Applicability.UNSAFE if unsafe else Applicability.SAFE

    def run(self) -> Outcome:
        """Fix until nothing is left to fix; what does not settle in ten rounds keeps its findings."""
        outcome = Outcome(self.lint({}))
        for _ in range(MAX_ROUNDS):
            chosen = self.chosen(outcome)
            if not chosen:
                break
            self.settle(outcome, chosen, dict(outcome.contents))
        return outcome

    def tried(self) -> tuple[Result, dict[Key, str]]:
        """The lint of the files as they are, and which of its fixes would be withdrawn, and why; nothing changes."""
        first = self.lint({})
        withdrawn: dict[Key, str] = {}
        settled: set[Key] = set()
        while True:
            outcome = Outcome(first)
            outcome.withdrawn = dict.fromkeys(settled, "")
            chosen = self.chosen(outcome)
            if not chosen:
                return first, withdrawn
            outcome.withdrawn = {}
            self.settle(outcome, chosen, {})
            withdrawn.update(outcome.withdrawn)
            settled |= {(made.diagnostic.code, made.diagnostic.location.key) for made in outcome.made}
            settled |= set(outcome.withdrawn)

    def settle(self, outcome: Outcome, chosen: list[Diagnostic], seen: Mapping[str, bytes]) -> None:
        """Make the fixes of some diagnostics; where they do not verify together, each half on its own.

        SEEN are the changed files as they were when the diagnostics were made.
        """
        chosen = [one for one in chosen if not self.stale(outcome, one, seen)]
        if not chosen or self.attempt(outcome, chosen) or len(chosen) == 1:
            return
        middle = len(chosen) // 2
        self.settle(outcome, chosen[:middle], seen)
        self.settle(outcome, chosen[middle:], seen)

    def chosen(self, outcome: Outcome) -> list[Diagnostic]:
        """The diagnostics to fix in this round: no two of their edits touch."""
        taken: dict[str, list[Edit]] = {}
        out: list[Diagnostic] = []
        for one in outcome.result.diagnostics:
            fix = one.fix
            if fix is None or fix.applicability < self.least or (one.code, one.location.key) in outcome.withdrawn:
                continue
            if any(edit != other and touches(edit, other) for edit in fix.edits for other in near(taken, edit)):
                continue
            for edit in fix.edits:
                insort(taken.setdefault(edit.path, []), edit)
            out.append(one)
        return out

    def stale(self, outcome: Outcome, diagnostic: Diagnostic, seen: Mapping[str, bytes]) -> bool:
        """Whether a file of the fix has changed since the diagnostic was made."""
        assert diagnostic.fix is not None
        return any(self.content(outcome, path) != seen.get(path, self.originals[path]) for path in diagnostic.fix.paths)

    def content(self, outcome: Outcome, path: str) -> bytes:
        return outcome.contents.get(path, self.originals[path])

    def attempt(self, outcome: Outcome, chosen: Sequence[Diagnostic]) -> bool:
        """Make some fixes together; False, with nothing changed, if they do not verify."""
        fixes = [one.fix for one in chosen if one.fix is not None]
        edits = [edit for fix in fixes for edit in fix.edits]
        contents = dict(outcome.contents)
        try:
            for path in sorted({edit.path for edit in edits}):
                contents[path] = apply(self.content(outcome, path), [edit for edit in edits if edit.path == path])
        except OverlappingEdits as error:
            return self.failed(outcome, chosen, str(error))
        result = self.lint(contents)
        reason = Verification(self.linter, outcome.result, result, chosen, edits, self.least).failure()
        if reason:
            return self.failed(outcome, chosen, reason)
        for one in chosen:
            assert one.fix is not None
            outcome.made.append(Made(one, one.fix, one.location.start.line))
        outcome.contents, outcome.result = contents, result
        return True

    def failed(self, outcome: Outcome, chosen: Sequence[Diagnostic], reason: str) -> bool:
        if len(chosen) == 1:
            outcome.withdrawn[chosen[0].code, chosen[0].location.key] = reason
        return False


def near(taken: Mapping[str, list[Edit]], edit: Edit) -> list[Edit]:
    """The edits of the same file that could touch one: its neighbours, since no two of them overlap."""
    ordered = taken.get(edit.path, [])
    at = bisect_left(ordered, edit)
    return ordered[max(0, at - 2) : at + 3]


def disagreeing(made: Made, left: Sequence[Diagnostic], ruleset: Ruleset) -> str:
    """What still says the opposite of a fix in its files, if anything does; LEFT is found in the files as fixed."""
    rule = ruleset.rules[made.diagnostic.code]
    settings = set(rule.fix.set) if rule.fix is not None else set()
    found = [d for d in left if settings & set(d.disputes) and d.location.path in made.fix.paths]
    if not found:
        return ""
    lines = [str(d.location.start.line) for d in found]
    where = f"lines {', '.join(lines[:-1])} and {lines[-1]}" if len(lines) > 1 else f"line {lines[0]}"
    codes = ", ".join(sorted({d.code for d in found}))
    many = len(lines) > 1
    text = f"the {'comments' if many else 'comment'} at {where} {'say' if many else 'says'} otherwise ({codes})"
    if all(d.fix is not None and d.fix.applicability is Applicability.UNSAFE for d in found):
        text += f"; --unsafe-fixes replaces {'them' if many else 'it'}"
    return text


def with_withdrawn(diagnostics: Sequence[Diagnostic], withdrawn: Mapping[Key, str]) -> tuple[Diagnostic, ...]:
    """The diagnostics, those with a withdrawn fix saying so."""
    out = []
    for one in diagnostics:
        reason = withdrawn.get((one.code, one.location.key))
        out.append(one._replace(fix=None, note=f"fix withdrawn: {reason}") if reason else one)
    return tuple(out)

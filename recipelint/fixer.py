"""Makes fixes and checks them: apply, evaluate again, and keep the new text only if each recipe differs as declared.

A fix is all or nothing. One that does not verify is withdrawn, and its diagnostic says why.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from recipelint.diagnostic import Diagnostic, Severity
from recipelint.fix import Applicability, Edit, Fix, OverlappingEdits, apply, touches
from recipelint.linter import Linter, Result
from recipelint.recipe.build import Recipes, Resolved
from recipelint.shell.text import Text

MAX_ROUNDS = 10
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
        self.result = result
        self.made: list[Made] = []
        self.withdrawn: dict[tuple[str, tuple[str, int, int]], str] = {}


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
            if not self.attempt(outcome, chosen):
                for one in chosen:
                    if len(chosen) > 1 and not self.stale(outcome, one):
                        self.attempt(outcome, [one])
        return outcome

    def chosen(self, outcome: Outcome) -> list[Diagnostic]:
        """The diagnostics to fix in this round: no two of their edits touch."""
        taken: list[Edit] = []
        out: list[Diagnostic] = []
        for one in outcome.result.diagnostics:
            fix = one.fix
            if fix is None or fix.applicability < self.least or (one.code, one.location.key) in outcome.withdrawn:
                continue
            if any(edit != other and touches(edit, other) for edit in fix.edits for other in taken):
                continue
            taken += fix.edits
            out.append(one)
        return out

    def stale(self, outcome: Outcome, diagnostic: Diagnostic) -> bool:
        """Whether a file of the fix has changed since the diagnostic was made."""
        assert diagnostic.fix is not None
        current = {d.location.source.path: d.location.source.data for d in (diagnostic,)}
        return any(self.content(outcome, path) != current.get(path, self.content(outcome, path)) for path in diagnostic.fix.paths)

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
        reason = Verification(self.linter, outcome.result, result, chosen, edits).failure()
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


def with_withdrawn(outcome: Outcome) -> tuple[Diagnostic, ...]:
    """The diagnostics that are left, those with a withdrawn fix saying so."""
    out = []
    for one in outcome.result.diagnostics:
        reason = outcome.withdrawn.get((one.code, one.location.key))
        out.append(one._replace(fix=None, note=f"fix withdrawn: {reason}") if reason else one)
    return tuple(out)


class Verification:
    """Whether fixed text gives the recipes that the fixes declare, and no others."""

    def __init__(
        self, linter: Linter, before: Result, after: Result, chosen: Sequence[Diagnostic], edits: Sequence[Edit]
    ) -> None:
        self.linter = linter
        self.before = before
        self.after = after
        self.chosen = chosen
        self.edits = edits

    def failure(self) -> str:
        """What is wrong; empty if all is as declared."""
        for old, new in zip(self.before.recipes, self.after.recipes, strict=True):
            reason = self.recipes_differ(old, new)
            if reason:
                return f"{new.source.path}: {reason}"
        return self.diagnostics_differ()

    def diagnostics_differ(self) -> str:
        gone = {one.code for one in self.chosen}
        left = {(d.code, d.about) for d in self.after.diagnostics if d.code in gone and d.about}
        for one in self.chosen:
            if any(code == one.code and set(one.about) & set(about) for code, about in left):
                return f"{one.code} would still be there"
        old = [(d.code, d.location.path) for d in self.before.diagnostics if d.severity >= Severity.WARNING]
        new = [(d.code, d.location.path) for d in self.after.diagnostics if d.severity >= Severity.WARNING]
        for key in new:
            if key in old:
                old.remove(key)
            else:
                return f"{key[0]} would be new in {key[1]}"
        return ""

    # --- recipes -----------------------------------------------------------------------------------

    def recipes_differ(self, old: Recipes, new: Recipes) -> str:
        """How the launches of one launcher differ other than as declared."""
        if len(old.evaluation.troubles) < len(new.evaluation.troubles):
            return "a part of it could no longer be read"
        if len(old.resolved) != len(new.resolved):
            return f"{len(old.resolved)} launches would become {len(new.resolved)}"
        for one, other in zip(old.resolved, new.resolved, strict=True):
            reason = self.launch_differs(old, one, other)
            if reason:
                return reason
        return ""

    def launch_differs(self, recipes: Recipes, old: Resolved, new: Resolved) -> str:
        a, b = old.launch, new.launch
        where = f"the launch at line {a.location.start.line}"
        if (a.entry_point, a.wrappers, a.certain) != (b.entry_point, b.wrappers, b.certain):
            return f"{where} would be another one"
        rules = [self.linter.ruleset.rules[one.code] for one in self.chosen if a.key in one.about]
        allowed = {setting: str(value) for rule in rules if rule.fix for setting, value in rule.fix.set.items()}
        if not allowed:
            allowed = self.sharing(recipes, old)
        if not allowed:
            if [(x.text, x.unknown) for x in a.argv] != [(x.text, x.unknown) for x in b.argv]:
                return f"{where} would get other words"
        else:
            reason = self.words_differ(old, new, allowed)
            if reason:
                return f"{where} {reason}"
        return self.environment_differs(old, new, where) or command_line_differs(new)

    def sharing(self, recipes: Recipes, resolved: Resolved) -> dict[str, str]:
        """What an unsafe fix may change in a launch that shares the edited value."""
        out: dict[str, str] = {}
        for one in self.chosen:
            rule = self.linter.ruleset.rules[one.code]
            if one.fix is None or one.fix.applicability is Applicability.SAFE or rule.fix is None:
                continue
            for name, value in rule.fix.set.items():
                setting = resolved.launch.settings.get(name)
                location = (setting.location if setting else None) or resolved.launch.trainer
                if setting is not None and location.key == one.location.key:
                    out[name] = str(value)
        return out

    def words_differ(self, old: Resolved, new: Resolved, allowed: Mapping[str, str]) -> str:
        """How the words differ beyond the declared settings."""
        assert old.entry is not None
        flags = {str(old.entry.settings[name].get("flag")) for name in allowed}
        if rest(old, flags) != rest(new, flags):
            return "would get other words than the fix declares"
        for name, value in allowed.items():
            setting = new.launch.settings[name]
            if str(setting.value) != value:
                return f"would get {name} {setting.value}, not {value}"
        for name, setting in old.launch.settings.items():
            if name not in allowed and new.launch.settings[name].value != setting.value:
                return f"would get another {name}"
        return ""

    def environment_differs(self, old: Resolved, new: Resolved, where: str) -> str:
        a, b = old.launch.env, new.launch.env
        for name in sorted(a.keys() | b.keys()):
            if a.get(name) == b.get(name):
                continue
            text = old.environment.get(name)
            if text is None or not text.s or not self.edited(text):
                return f"{where} would get another {name}"
        return ""

    def edited(self, text: Text) -> bool:
        """Whether a value comes from a stretch that an edit replaces."""
        return any(
            origin.source is not None
            and edit.path == origin.source.path
            and edit.start <= origin.start
            and origin.end <= edit.end
            for _, origin in text.runs
            for edit in self.edits
        )


def rest(resolved: Resolved, flags: set[str]) -> list[tuple[str, bool]]:
    """The words without some flags and their values."""
    assert resolved.entry is not None
    gone: set[int] = set()
    for use in resolved.entry.uses(resolved.words):
        if use.name in flags:
            gone |= set(range(use.at, use.end))
    return [(x.text, x.unknown) for at, x in enumerate(resolved.launch.argv) if at not in gone]


def command_line_differs(resolved: Resolved) -> str:
    """The second opinion: bashlex must split the command line, rendered as one string, into the words we resolved."""
    import bashlex

    words = [word.text if not word.unknown else "unknown" for word in resolved.launch.argv]
    if not words:
        return ""
    try:
        split = list(bashlex.split(shlex.join(["trainer", *words])))
    except Exception as error:  # bashlex raises what it likes; its refusal withdraws the fix
        return f"bashlex cannot read the fixed command line: {error}"
    return "" if split == ["trainer", *words] else "bashlex splits the fixed command line otherwise"



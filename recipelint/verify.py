"""Judges fixed text: its recipes must be those that the fixes declare, and no others.

Every launch of every file is compared, word for word and variable for variable, and bashlex gives a second opinion on
how the command line splits.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from recipelint.diagnostic import Diagnostic, Severity
from recipelint.fix import Applicability, CodeChange, Edit, VariableChange, WordChange
from recipelint.linter import Linter, Result
from recipelint.recipe.build import Recipes, Resolved
from recipelint.recipe.entry_point import EntryPoint
from recipelint.recipe.model import Argument, Setting
from recipelint.remedy import deciding
from recipelint.shell.text import Text


class Verification:
    """Whether fixed text gives the recipes that the fixes declare, and no others."""

    def __init__(
        self,
        linter: Linter,
        before: Result,
        after: Result,
        chosen: Sequence[Diagnostic],
        edits: Sequence[Edit],
        least: Applicability,
    ) -> None:
        """LEAST: what is less applicable is not fixed in this run."""
        self.linter = linter
        self.before = before
        self.after = after
        self.chosen = chosen
        self.edits = edits
        self.least = least
        self.about: dict[tuple[object, ...], list[Diagnostic]] = {}
        """The chosen by the launches that they are about: so each launch is asked for its own alone."""
        self.words: dict[tuple[object, ...], dict[WordChange, None]] = {}
        self.variables: set[VariableChange] = set()
        for one in chosen:
            for key in dict.fromkeys(one.about):
                self.about.setdefault(key, []).append(one)
            for change in one.fix.changes if one.fix is not None else ():
                if isinstance(change, WordChange):
                    self.words.setdefault(change.launch, {})[change] = None
                elif isinstance(change, VariableChange):
                    self.variables.add(change)

    def failure(self) -> str:
        """What is wrong; empty if all is as declared."""
        for old, new in zip(self.before.recipes, self.after.recipes, strict=True):
            reason = self.recipes_differ(old, new)
            if reason:
                return f"{new.source.path}: {reason}"
        return self.programs_differ() or self.diagnostics_differ()

    def programs_differ(self) -> str:
        """How a Python file differs other than as declared."""
        declared = [c for one in self.chosen if one.fix for c in one.fix.changes if isinstance(c, CodeChange)]
        for old, new in zip(self.before.python, self.after.python, strict=True):
            if old.source.data != new.source.data:
                from recipelint.python.verify import difference

                mine = [change for change in declared if change.path == new.source.path]
                reason = difference(old.source.data, new.source.data, mine)
                if reason:
                    return f"{new.source.path}: {reason}"
        return ""

    def diagnostics_differ(self) -> str:
        gone = {one.code for one in self.chosen}
        left = {(d.code, key) for d in self.after.diagnostics if d.code in gone for key in d.about}
        for one in self.chosen:
            if any((one.code, key) in left for key in one.about):
                return f"{one.code} would still be there"
        was, is_, made = (
            Counter((d.code, d.location.path) for d in some)
            for some in (self.before.diagnostics, self.after.diagnostics, self.chosen)
        )
        for key in {(one.code, one.location.path) for one in self.chosen if not one.about}:
            if is_[key] > was[key] - made[key]:
                return f"{key[0]} would still be there"
        old = Counter((d.code, d.location.path) for d in self.before.diagnostics if d.severity >= Severity.WARNING)
        for one in self.after.diagnostics:
            key = one.code, one.location.path
            if one.severity < Severity.WARNING:
                continue
            if old[key]:
                old[key] -= 1
            elif self.least is Applicability.SAFE or one.fix is None or one.fix.applicability < self.least:
                return f"{key[0]} would be new in {key[1]}"  # else the next round fixes what this one uncovers
        return ""

    # --- recipes -----------------------------------------------------------------------------------

    def recipes_differ(self, old: Recipes, new: Recipes) -> str:
        """How the launches of one launcher differ other than as declared."""
        if len(old.evaluation.troubles) < len(new.evaluation.troubles):
            return "a part of it could no longer be read"
        if len(old.resolved) != len(new.resolved):
            return f"{len(old.resolved)} launches would become {len(new.resolved)}"
        for one, other in zip(old.resolved, new.resolved, strict=True):
            reason = self.launch_differs(one, other)
            if reason:
                return reason
        return ""

    def launch_differs(self, old: Resolved, new: Resolved) -> str:
        a, b = old.launch, new.launch
        where = f"the launch at line {a.location.start.line}"
        if (a.entry_point, a.wrappers, a.certain) != (b.entry_point, b.wrappers, b.certain):
            return f"{where} would be another one"
        if shape(old) != shape(new):
            return f"{where} would start other processes"
        rules = [self.linter.ruleset.rules[one.code] for one in self.about.get(a.key, ())]
        fixes = [rule.fix for rule in rules if rule.fix]
        allowed = {name: str(value) for fix in fixes for name, value in fix.set.items() if name in a.settings}
        if not allowed:
            allowed = self.sharing(old, new)
        changed = self.changed(old)
        if not allowed:
            if [(x.text, x.unknown) for x in changed] != [(x.text, x.unknown) for x in b.argv]:
                return f"{where} would get other words"
        else:
            reason = self.words_differ(old, changed, new, allowed)
            if reason:
                return f"{where} {reason}"
        return self.environment_differs(old, new, where) or command_line_differs(new)

    def changed(self, old: Resolved) -> list[Argument]:
        """The words of a launch with the changes that the fixes declare."""
        words = list(old.launch.argv)
        for change in sorted(self.words.get(old.launch.key, ()), key=lambda c: (c.at, c.end), reverse=True):
            words[change.at : change.end] = [
                Argument(word, at in change.unknown, False, Text.of(word)) for at, word in enumerate(change.words)
            ]
        return words

    def sharing(self, old: Resolved, new: Resolved) -> dict[str, str]:
        """What an unsafe fix may change in a launch that shares the edited value."""
        out: dict[str, str] = {}
        for one in self.chosen:
            rule = self.linter.ruleset.rules[one.code]
            if one.fix is None or one.fix.applicability is Applicability.SAFE or rule.fix is None:
                continue
            for name, value in rule.fix.set.items():
                if name not in old.launch.settings:
                    continue
                same_place = deciding(old.launch, name).key == one.location.key
                if same_place or (
                    str(new.launch.settings[name].value) == str(value) != str(old.launch.settings[name].value)
                ):
                    out[name] = str(value)
        return out

    def words_differ(
        self, old: Resolved, changed: Sequence[Argument], new: Resolved, allowed: Mapping[str, str]
    ) -> str:
        """How the words differ beyond the declared settings; CHANGED are the old ones with the declared changes."""
        assert old.entry is not None
        flags = {str(old.entry.settings.get(name, {}).get("flag")) for name in allowed}
        if rest(old.entry, changed, flags) != rest(old.entry, new.launch.argv, flags):
            return "would get other words than the fix declares"
        for name, value in allowed.items():
            setting = new.launch.settings[name]
            if str(setting.value) != value:
                return f"would get {name} {setting.value}, not {value}"
        for name, setting in old.launch.settings.items():
            if name in allowed or follows(setting, allowed):
                continue
            if name not in new.launch.settings or new.launch.settings[name].value != setting.value:
                return f"would get another {name}"
        return ""

    def environment_differs(self, old: Resolved, new: Resolved, where: str) -> str:
        a, b = old.launch.env, new.launch.env
        for name in sorted(a.keys() | b.keys()):
            if a.get(name) == b.get(name) or self.declares(old, name, new):
                continue
            text = old.environment.get(name)
            if text is None or not text.s or not self.edited(text):
                return f"{where} would get another {name}"
        return ""

    def declares(self, old: Resolved, name: str, new: Resolved) -> bool:
        """Whether a fix says that a variable of the launch becomes what it now is."""
        text = new.environment.get(name)
        change = VariableChange(old.launch.key, name, text.s if text is not None else "")
        return change in self.variables

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


def rest(entry: EntryPoint, words: Sequence[Argument], flags: set[str]) -> list[tuple[str, bool]]:
    """The words without some flags and their values."""
    gone: set[int] = set()
    for use in entry.uses([word.value for word in words]):
        if use.name in flags:
            gone |= set(range(use.at, use.end))
    return [(word.text, word.unknown) for at, word in enumerate(words) if at not in gone]


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


def follows(setting: Setting, changed: Collection[str]) -> bool:
    """Whether a derived setting follows from one that changes."""
    return any(one.name in changed or follows(one, changed) for one in setting.operands)


def shape(resolved: Resolved) -> list[tuple[object, ...]]:
    """How many processes a launch starts, and what the scheduler gives."""
    return [(name, one.value, one.choices) for name, one in resolved.geometry.settings.items()]

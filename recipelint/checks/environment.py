"""ENV001: a variable that the trainer reads, set where the trainer does not see it.

Only what is certain: a known value in a shell on the way to the trainer, which no later shell takes back, and which
nothing that cannot be known may have handed on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from recipelint.checks import Context
from recipelint.checks.assignments import Place, exported_edit, place_of
from recipelint.finding import Finding
from recipelint.fix import Applicability, Fix, VariableChange
from recipelint.recipe.build import Recipes, Resolved
from recipelint.recipe.frameworks import decoded, meaning
from recipelint.record import NamedTuple
from recipelint.shell.calls import Border, Call
from recipelint.shell.text import Text

NOT_EXPORTED = "it is not exported"
AFTER_RAY = "Ray was started before it was set, and {who} gets the environment of `ray start`"
NOT_PASSED = "{wrapper} does not pass it on"


class Hidden(NamedTuple):
    """A variable that does not get through: its value, why, and whether an export would let it through."""

    value: Text
    reason: str
    exportable: bool


def check(context: Context) -> Iterable[Finding]:
    """The hidden variables of each launch of a known trainer."""
    cures: dict[tuple[int, str, Text], tuple[Place, Fix | None] | None] = {}
    for recipes in context.recipes:
        for resolved in recipes.resolved:
            if resolved.entry is None:
                continue
            for name in resolved.entry.watched:
                finder = Finder(context, recipes, resolved, name)
                hidden = finder.always_hidden()
                if hidden is None or finder.is_default(hidden.value):
                    continue
                key = (id(recipes), name, hidden.value)
                if key not in cures:
                    cures[key] = finder.cure(hidden)
                found = cures[key]
                if found is not None:
                    yield finder.finding(hidden, *found)


class Finder:
    """One variable of one launch."""

    def __init__(self, context: Context, recipes: Recipes, resolved: Resolved, name: str) -> None:
        assert resolved.entry is not None
        self.context = context
        self.recipes = recipes
        self.resolved = resolved
        self.entry = resolved.entry
        self.name = name

    def always_hidden(self) -> Hidden | None:
        """Why all calls of the launch lack the variable, if all do for the same reason."""
        found = [self.hidden(call) for call in self.resolved.calls]
        first = found[0]
        if first is None or any(one is None or one[1:] != first[1:] or one.value.s != first.value.s for one in found):
            return None
        return first

    def cure(self, hidden: Hidden) -> tuple[Place, Fix | None] | None:
        """Where the value is set and the fix for that; None where the file takes the export away on purpose."""
        place = place_of(self.context.layouts, self.recipes, self.name, hidden.value)
        if place is None or self.is_taken_back(place):
            return None
        return place, self.fix(hidden, place)

    def finding(self, hidden: Hidden, place: Place, fix: Fix | None) -> Finding:
        fix = fix if hidden.exportable else None
        workers = "the workers of " if hidden.reason == AFTER_RAY.format(who="a worker") else ""
        reader = workers + self.resolved.launch.entry_point
        fields = {"variable": self.name, "value": hidden.value.s, "reader": reader, "reason": hidden.reason}
        return Finding(
            "ENV001",
            place.location,
            {key: " ".join(text.split()) for key, text in fields.items()},
            "set here",
            fix=fix,
            note="" if fix is not None else f"not fixed: {by_hand(hidden)}",
            recipes=self.recipes,
            resolved=(self.resolved,),
        )

    # --- why it is hidden --------------------------------------------------------------------------

    def hidden(self, call: Call) -> Hidden | None:
        """Whether a call's trainer, or its workers, lack the variable though a shell on the way has it."""
        if any(step.opaque for one in call.borders for step in one.steps):
            return None
        value = call.environment.get(self.name)
        if value is not None:
            return self.hidden_by_ray(call, value)
        for one in reversed(call.borders):
            variable = one.hidden.get(self.name)
            if variable is not None and variable.value is not None:
                if not (variable.value.known and variable.value.s):
                    return None
                return self.hidden_at(call, one, variable.value, variable.exported)
        return None

    def hidden_at(self, call: Call, border: Border, value: Text, exported: bool) -> Hidden | None:
        """A value that does not get over a border."""
        passed = border.steps[-1].environment
        if self.name in passed:
            return None  # something inside takes away what comes through
        if not exported:
            return Hidden(value, NOT_EXPORTED, not border.filters)
        step = next((one for one in border.steps if self.name not in one.environment), None)
        if step is None or not step.wrapper or self.is_named(call):
            return None
        if step.wrapper != "ray":
            return Hidden(value, NOT_PASSED.format(wrapper=step.wrapper), False)
        if call.ray is None or self.in_some_ray(value):
            return None
        return Hidden(value, AFTER_RAY.format(who="the job"), False)

    def hidden_by_ray(self, call: Call, value: Text) -> Hidden | None:
        """A value that only the driver has, or that the shell has changed since `ray start`."""
        if call.ray is None or self.entry.workers != "ray":
            return None
        border = next((one for one in reversed(call.borders) if one.steps[-1].wrapper == "ray"), None)
        if border is None or self.name not in border.steps[-1].environment:
            return self.unseen(value, "a worker")
        given = border.steps[-1].environment[self.name]
        if given != value:
            return self.unseen(value, "a worker")
        changed = border.hidden.get(self.name)
        if changed is None or changed.value is None or not changed.exported or given != call.ray.get(self.name):
            return None
        return self.unseen(changed.value, "the job")

    def unseen(self, value: Text, who: str) -> Hidden | None:
        """A value that no `ray start` had."""
        if not (value.known and value.s) or self.in_some_ray(value):
            return None
        return Hidden(value, AFTER_RAY.format(who=who), False)

    def in_some_ray(self, value: Text) -> bool:
        """Whether some `ray start` of the launcher had the value: its workers may be meant."""
        environments = self.recipes.evaluation.session.rays
        return any(self.name in one and one[self.name].s == value.s for one in environments)

    # --- on purpose --------------------------------------------------------------------------------

    def is_named(self, call: Call) -> bool:
        """Whether the launcher's command speaks of the variable: it takes it away on purpose, or sets it itself."""
        place = call.command
        return place.source is None or self.name in place.source.text[place.start : place.end]

    def is_taken_back(self, place: Place) -> bool:
        """Whether the file takes the export away with its own words."""
        pattern = rf"(?:export[ \t]+-n|(?:declare|typeset)[ \t]+\+x)\b[^\n;]*\b{re.escape(self.name)}\b"
        return bool(re.search(pattern, place.location.source.text))

    def is_default(self, value: Text) -> bool:
        """Whether the trainer does the same without it."""
        setting = self.entry.watched[self.name]
        if setting is None:
            return self.entry.reads[self.name].get("default") == value.s
        spec = self.entry.settings[setting]
        return "default" in spec and meaning(spec, decoded(value.s)) == spec["default"]

    # --- cures -------------------------------------------------------------------------------------

    def fix(self, hidden: Hidden, place: Place) -> Fix | None:
        """`export` before the assignment; every launch of the launcher that comes after gets the variable."""
        edit = exported_edit(place)
        title = self.context.ruleset.rules["ENV001"].fix
        if edit is None or title is None:
            return None
        changes = tuple(
            VariableChange(one.launch.key, self.name, hidden.value.s)
            for recipes in self.context.recipes
            for one in recipes.resolved
        )
        return Fix(title.title, Applicability.UNSAFE, (edit,), changes)


def by_hand(hidden: Hidden) -> str:
    """What to do by hand."""
    if hidden.reason == NOT_EXPORTED:
        return "export it where it is set" if hidden.exportable else "name it in the command that starts the trainer"
    if hidden.reason.startswith("Ray"):
        return "export it before `ray start`, or name it in the runtime environment of the job"
    return f"name it in the command of {hidden.reason.split()[0]}"

"""Settings that several flags decide together: for the words of one launch, the one flag that each is read from.

The `cases` of a setting are tried in order, and the first whose `when` holds counts. Where that hangs on a value that
nobody knows, nobody knows the setting.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recipelint.recipe.entry_point import EntryPoint, Use
from recipelint.shell.text import Text

Spec = Mapping[str, Any]


def decided(entry: EntryPoint, words: tuple[Text, ...]) -> EntryPoint:
    """The entry point as it reads these words: each setting has one flag."""
    if entry.configuring is not None:
        return entry
    elsewhere = named_elsewhere(entry, words)
    if not elsewhere and not any("cases" in spec for spec in entry.settings.values()):
        return entry
    uses = {use.name: use for use in entry.uses(words)}
    made = {name: case(spec, uses) if "cases" in spec else spec for name, spec in entry.settings.items()}
    if elsewhere:
        made = {name: unread(spec, elsewhere) for name, spec in made.items()}
    return entry.having(made)


def named_elsewhere(entry: EntryPoint, words: tuple[Text, ...]) -> str:
    """What names a file from which the trainer may take whatever no flag gives; empty if nothing does."""
    if words and entry.elsewhere.get("first_word") and words[0].s.endswith((".yaml", ".yml", ".json")):
        return words[0].s.rpartition("/")[2] if words[0].known else "the configuration"
    flags = entry.elsewhere.get("flags", ())
    return next((flag for word in words if (flag := word.s.partition("=")[0]) in flags), "")


def unread(spec: Spec, elsewhere: str) -> Spec:
    """A setting without its default, which something else may replace."""
    return {**{key: value for key, value in spec.items() if key != "default"}, "unread": f"{elsewhere} may give it"}


def case(spec: Spec, uses: Mapping[str, Use]) -> Spec:
    """The spelling of a setting in the case that holds."""
    common = {key: value for key, value in spec.items() if key != "cases"}
    for one in spec["cases"]:
        flag, holds = "", True
        for flag, wanted in one.get("when", {}).items():
            answer = has(uses.get(flag), wanted)
            if answer is None:
                return {**common, "flag": flag, "unclear": True}
            holds = holds and answer
        if holds:
            own = {key: value for key, value in one.items() if key != "when"}
            return {**common, **own} if "value" not in own else fixed(common, flag, one["when"][flag], own["value"])
    raise AssertionError("the last case has no condition")


def has(use: Use | None, wanted: bool | str) -> bool | None:
    """Whether a flag is there (true), or has a value; None where that cannot be known."""
    if wanted is True:
        return use is not None
    if use is None or not use.values:
        return False
    return use.values[-1].s == wanted if use.values[-1].known else None


def fixed(common: Spec, flag: str, wanted: bool | str, value: str | int) -> Spec:
    """A setting that has a value because a flag is there, whatever its own value, or has the value WANTED."""
    own: Spec = {"values": {value: [wanted]}}
    if wanted is True:
        own = {"const": value, "values": {}, "otherwise": value}
    kept = {key: one for key, one in common.items() if key not in ("values", "case", "otherwise")}
    return {**kept, "type": "words", "flag": flag, **own}

"""The checks of how a framework file lets its entry points be found, and of which others they are like."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from recipelint.recipe.naming import Names, head
from recipelint.ruleset.described import Described
from recipelint.ruleset.document import Node, suggestion

NAME = r"[A-Za-z0-9_*][A-Za-z0-9_./*-]*( [a-z-]+)?"
"""A module, a command with its subcommand, or the end of a script's path, where `*` is any text without a slash."""
FLAG = r"--?[A-Za-z0-9][A-Za-z0-9_.-]*"
MAX_LIKE = 20
"""So many entry points can be like one another in turn; putting one together takes a step for each."""


def is_name(name: str) -> bool:
    """Whether an entry point may be called so; only scripts have patterns."""
    return bool(re.fullmatch(NAME, name)) and ("*" not in name or name.endswith(".py"))


def check_names(entry: Node) -> None:
    """The `names` of an entry point, and the flags that tell it."""
    for name in entry["names"].elements() if "names" in entry else ():
        if not is_name(name.text()):
            name.fail(f'"{name.value}" is no name for an entry point')
    for key in ("told_by", "unless"):
        for flag in entry[key].elements() if key in entry else ():
            if not re.fullmatch(FLAG, flag.text()):
                flag.fail(f'"{flag.value}" is no flag')


def check_elsewhere(node: Node) -> None:
    """What names a file from which a trainer takes flags."""
    node.keys(set(), {"flags", "first_word"})
    for flag in node["flags"].elements() if "flags" in node else ():
        if not re.fullmatch(FLAG, flag.text()):
            flag.fail(f'"{flag.value}" is no flag')
    if "first_word" in node and node["first_word"].value is not True:
        node["first_word"].fail("first_word is true or left out")


def check_apart(document: Node, others: Mapping[str, Mapping[str, Any]]) -> None:
    """Each name is one entry point's, or each of those that have it is told by flags of its own. OTHERS are heads."""
    own = document["name"].value
    known = Names({**{name: one for name, one in others.items() if name != own}, own: head(document.value)})
    for name, group in known.same():
        mine = next((one for one in group if one.framework == own), None)
        other = next((one for one in group if one is not mine), None)
        if mine is None or other is None:
            continue
        node = document["entry_points"][mine.entry_point]
        theirs = f" of {other.framework}" if other.framework != own else f", of {other.entry_point},"
        if not all(one.told_by for one in group):
            node.fail(f"{name} is an entry point{theirs} already; told_by could tell them apart")
        for one in group:
            if one is not mine and (flags := set(one.told_by) & set(mine.told_by)):
                node.fail(f"{name} is an entry point{theirs} already, and {min(flags)} tells of both")


def check_like(document: Node, known: Described) -> None:
    """`like` names an entry point, of this file or of another framework, that has settings in the end."""
    for name, entry in document["entry_points"].members():
        at, seen = (str(document["name"].value), name), set[tuple[str, str]]()
        while "like" in (one := known.plain(at[0])["entry_points"][at[1]]):
            at = known.named(at[0], one["like"])
            if at[0] not in known:
                entry["like"].fail(f'unknown framework "{at[0]}"{suggestion(at[0], tuple(known))}')
            entries = known.plain(at[0])["entry_points"]
            if at[1] not in entries:
                entry["like"].fail(f'unknown entry point "{at[1]}"{suggestion(at[1], entries)}')
            if at in seen:
                entry["like"].fail("it is like itself in the end")
            if len(seen) == MAX_LIKE:
                entry["like"].fail(f"more than {MAX_LIKE} entry points are like one another in turn")
            seen.add(at)

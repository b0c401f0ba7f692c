"""A configuration as a tree of values that know where they stand.

Nothing here is changed in place: a tree may be shared, as an anchor's value is by its aliases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from recipelint.shell.text import EMPTY, Text
from recipelint.source import Location

Plain: TypeAlias = "str | int | bool | None"


class Scalar(NamedTuple):
    """A leaf: what YAML or the trainer makes of the text, and the text, whose origin is its place.

    quoted   it is text, whatever it looks like
    """

    value: Plain
    text: Text = EMPTY
    quoted: bool = False

    @property
    def word(self) -> str:
        """The value as one word, as most trainers would spell it."""
        return word_of(self.value)


class Unread(NamedTuple):
    """A value, or a whole part, that cannot be known; `text` is what of it stands in a launcher or a file."""

    reason: str
    text: Text = EMPTY


class Listing(NamedTuple):
    """A list."""

    items: tuple[Node, ...]


class Branch(NamedTuple):
    """A mapping. `rest`: why it may have further keys that nobody knows; empty if it has none."""

    members: Mapping[str, Node]
    rest: str = ""
    override: bool = False
    """It has `_override_: true`: as a part of the whole, it takes the place of the one below it."""

    def at(self, key: str) -> Node | None:
        """What stands at a key; None if nothing does, and Unread where nobody can know."""
        found = self.members.get(key)
        return Unread(self.rest) if found is None and self.rest else found


Node: TypeAlias = Scalar | Unread | Listing | Branch
MISSING = "???"
"""The value of a key that must still be given."""
EMPTY_BRANCH = Branch({})
MAX_STEPS = 100_000
"""Keys that the merging of one configuration may look at."""
MAX_PARTS = 64
"""Keys on the way to one value."""


class TooLarge(Exception):
    """A configuration takes more steps to put together than any that somebody wrote."""


class Merger:
    """Joins trees as OmegaConf does: mappings key by key, anything else is replaced. Raises TooLarge."""

    def __init__(self) -> None:
        self.steps = 0

    def merged(self, below: Node | None, above: Node, depth: int = 0) -> Node:
        """ABOVE laid over BELOW; what must still be given hides nothing."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TooLarge
        if isinstance(above, Scalar) and above.value == MISSING and below is not None:
            return below
        if not isinstance(above, Branch):
            return above
        if above.override and depth == 1:
            return above
        if isinstance(below, Unread):
            # What is set above is known; what else is there is not.
            below = Branch({}, below.reason or "it is not known")
        if not isinstance(below, Branch):
            return above
        members = dict(below.members)
        for key, value in above.members.items():
            members[key] = self.merged(below.at(key), value, depth + 1)
        return Branch(members, above.rest or below.rest)

    def put(self, tree: Node | None, path: Sequence[str], value: Node) -> Node:
        """TREE with VALUE joined in at PATH."""
        for key in reversed(path):
            value = Branch({key: value})
        return self.merged(tree, value)


def replaced(tree: Node | None, path: Sequence[str], value: Node) -> Node:
    """TREE with VALUE in the place of what was at PATH."""
    if not path:
        return value
    if isinstance(tree, Unread):
        tree = Branch({}, tree.reason or "it is not known")
    elif not isinstance(tree, Branch):
        tree = EMPTY_BRANCH
    return tree._replace(members={**tree.members, path[0]: replaced(tree.at(path[0]), path[1:], value)})


def removed(tree: Node, path: Sequence[str]) -> Node:
    """TREE without what was at PATH."""
    if not isinstance(tree, Branch) or not path or path[0] not in tree.members:
        return tree
    members = dict(tree.members)
    if len(path) == 1:
        del members[path[0]]
    else:
        members[path[0]] = removed(members[path[0]], path[1:])
    return tree._replace(members=members)


def at(tree: Node, path: Sequence[str]) -> Node | None:
    """What stands at PATH; None if nothing does, and Unread where nobody can know."""
    for key in path:
        if isinstance(tree, Unread):
            return tree
        if isinstance(tree, Listing):
            if not key.isdigit() or len(key) > 6 or int(key) >= len(tree.items):
                return None
            tree = tree.items[int(key)]
            continue
        if not isinstance(tree, Branch):
            return None
        found = tree.at(key)
        if found is None:
            return None
        tree = found
    return tree


def location_of(node: Node | None) -> Location | None:
    """Where a leaf stands."""
    if not isinstance(node, Scalar | Unread):
        return None
    origin = node.text.first_origin
    return origin.location if origin is not None else None


def word_of(value: Plain) -> str:
    """A value as one word."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)

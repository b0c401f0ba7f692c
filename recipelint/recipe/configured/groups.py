"""Hydra's defaults lists: a configuration composed of files by groups and packages, as `hydra.compose` does it.

`group@package: option`, `/group: option`, `option`, `optional`, `_self_` and `# @package` are followed
(https://hydra.cc/docs/advanced/defaults_list/); what else stands in a list makes what it adds unknown.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from recipelint.recipe.configured.tree import EMPTY_BRANCH, Branch, Listing, Merger, Node, Scalar, Unread
from recipelint.source import SourceFile

MAX_FILES = 200
HEADER = re.compile(rb"\A(?:[ \t]*(?:#[^\n]*)?\r?\n)*?#[ \t]*@package[ \t]+(\S+)")
GLOBAL = "_global_"

Load = Callable[[str], "tuple[SourceFile | None, Branch] | Unread | None"]
"""The configuration of a name without its ending, such as `actor/dp_actor`; None if there is none."""


class Choice(NamedTuple):
    """A word that chooses from a group: `group@package=option`; without an option it removes the group."""

    key: str
    option: str | None
    added: bool = False


class Composer:
    """Composes one configuration; `keys` are the groups of its lists, which words may choose from."""

    def __init__(self, load: Load, choices: Sequence[Choice], merger: Merger) -> None:
        self.load = load
        self.choices = {choice.key: choice for choice in choices}
        self.merger = merger
        self.keys: set[str] = set()
        self.files = 0
        self.tree: Node = EMPTY_BRANCH
        self.running: list[str] = []

    def compose(self, name: str) -> Node:
        """The configuration of a name, its groups by the choices."""
        self.include(name, "", primary=True)
        for choice in self.choices.values():
            if choice.added and choice.option is not None and choice.key not in self.keys:
                group, at, package = choice.key.partition("@")
                if self.load(f"{group}/{choice.option}") is not None:
                    self.keys.add(choice.key)
                    self.include(f"{group}/{choice.option}", package if at else group.replace("/", "."))
        return self.tree

    def put(self, package: str, node: Node) -> None:
        self.tree = self.merger.put(self.tree, [key for key in package.split(".") if key], node)

    def include(self, name: str, package: str, *, primary: bool = False, optional: bool = False) -> None:
        """Lay a configuration of a name over what there is, at a package."""
        self.files += 1
        found = (
            self.load(name)
            if name not in self.running and self.files <= MAX_FILES
            else Unread(f"{name} includes itself")
        )
        if found is None:
            if not optional:
                self.put(package, Unread(f"the configuration {name} cannot be found"))
            return
        if isinstance(found, Unread):
            self.put(package, found)
            return
        source, body = found
        header = HEADER.match(source.data) if source is not None and not primary else None
        if header is not None:
            said = header[1].decode("utf-8", "replace")
            if said == GLOBAL:
                package = ""
            elif said != "_group_":
                package = said
        members = dict(body.members)
        listed = members.pop("defaults", None)
        own = body._replace(members=members)
        self.running.append(name)
        done = False
        if isinstance(listed, Listing):
            for item in listed.items:
                if isinstance(item, Scalar) and item.value == "_self_":
                    self.put(package, own)
                    done = True
                else:
                    self.item(item, name, package)
        elif listed is not None:
            self.put(package, Unread("its list of defaults cannot be read"))
        if not done:
            self.put(package, own)
        self.running.pop()

    def item(self, item: Node, name: str, package: str) -> None:
        """One element of the defaults list of the configuration NAME."""
        folder = posixpath.dirname(name)
        if isinstance(item, Scalar) and isinstance(item.value, str):
            path, at, inner = item.value.partition("@")
            if "${" in path:
                self.put(package, Unread("its list of defaults cannot be read"))
            elif path != "_self_":
                self.include(located(folder, path), joined(package, inner) if at else package)
            return
        if not isinstance(item, Branch) or len(item.members) != 1:
            self.put(package, Unread("its list of defaults cannot be read"))
            return
        key, chosen = next(iter(item.members.items()))
        words = key.split()
        optional = "optional" in words[:-1]
        if not words or "override" in words[:-1]:
            return  # the logging of Hydra itself, or a choice for another file
        group, at, inner = words[-1].partition("@")
        path = located(folder, group)
        package = joined(package, inner if at else group.lstrip("/").replace("/", "."))
        known = path if package == path.replace("/", ".") else f"{path}@{package}"
        self.keys.add(known)
        choice = self.choices.get(known)
        if choice is not None:
            if choice.option is not None:
                self.include(f"{path}/{choice.option}", package, optional=optional)
            return
        for one in chosen.items if isinstance(chosen, Listing) else (chosen,):
            if isinstance(one, Scalar) and one.value is None:
                continue
            if not isinstance(one, Scalar) or "${" in one.word:
                self.put(package, Unread("its list of defaults cannot be read"))
                continue
            self.include(f"{path}/{one.word}", package, optional=optional)


def located(folder: str, path: str) -> str:
    """A path in a defaults list, from the folder of the configurations."""
    path = path[1:] if path.startswith("/") else posixpath.join(folder, path)
    return posixpath.normpath(path.removesuffix(".yaml"))


def joined(package: str, inner: str) -> str:
    """The package INNER of what is included from a configuration at PACKAGE."""
    if inner == GLOBAL:
        return ""
    if inner.startswith(GLOBAL + "."):
        return inner[len(GLOBAL) + 1 :]
    if inner in ("_here_", ""):
        return package
    return f"{package}.{inner}" if package else inner

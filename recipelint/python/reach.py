"""The modules of a tree that a module imports, and theirs, and so on; found by their import statements alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from recipelint.source import SourceFile

MODULES = 400
"""How many modules are looked at, at most."""
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<origin>[.\w]+)[ \t]+import[ \t]+(?P<names>\([^()]*\)|[^\r\n(]*)"
    r"|import[ \t]+(?P<modules>[^\r\n]*))",
    re.MULTILINE,
)
_NAME = re.compile(r"[\w.]+")


class Module(NamedTuple):
    """A module of the tree, by its dotted name."""

    name: str
    source: SourceFile


class Package(NamedTuple):
    """The folder in which the package of an entry point stands, with a slash at its end, and its tree's reader."""

    root: str
    reader: Callable[[str], SourceFile | None]

    def read(self, path: str) -> SourceFile | None:
        """The file at a path from the package's folder."""
        return self.reader(self.root + path)

    def module(self, name: str) -> SourceFile | None:
        """The file of a dotted name."""
        path = self.root + name.replace(".", "/")
        return self.reader(f"{path}.py") or self.reader(f"{path}/__init__.py")


def reached(package: Package, name: str, source: SourceFile) -> list[Module]:
    """A module and those that it reaches inside its own package, nearest first."""
    top = name.partition(".")[0]
    found: dict[str, Module] = {name: Module(name, source)}
    queue = [found[name]]
    looked: set[str] = {name}
    for module in queue:
        for imported in imports(module):
            if imported in looked or imported.partition(".")[0] != top:
                continue
            looked.add(imported)
            file = package.module(imported) if len(found) < MODULES and len(looked) < 10 * MODULES else None
            if file is not None:
                found[imported] = Module(imported, file)
                queue.append(found[imported])
    return queue


def imports(module: Module) -> Iterator[str]:
    """The dotted names that a module may import, wherever in it the import stands."""
    package = module.name.split(".")
    if not module.source.path.endswith("__init__.py"):
        package = package[:-1]
    for found in _IMPORT.finditer(module.source.text):
        if found["modules"] is not None:
            yield from (one.split()[0] for one in found["modules"].split(",") if one.split())
            continue
        origin = found["origin"]
        dots = len(origin) - len(origin.lstrip("."))
        if dots:
            base = package[: len(package) - dots + 1]
            origin = ".".join([*base, *filter(None, [origin[dots:]])])
        yield origin
        yield from (f"{origin}.{name}" for name in _NAME.findall(found["names"]) if name != "as")

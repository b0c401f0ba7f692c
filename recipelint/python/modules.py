"""The Python files of a tree, found by module name or path and parsed; never imported.

A module that two places could be is none: which one Python would take depends on a path that is not known here.
"""

from __future__ import annotations

import ast
import posixpath
import sys
import warnings

from recipelint.python.cost import MARK_CAP, marks
from recipelint.python.schema import Reader
from recipelint.python.values import Module
from recipelint.source import SourceFile

FILE_CAP = 60
BYTE_CAP = 1_500_000
SEARCH_CAP = 20
REACH_CAP = 600
MISS_CAP = 30
PATHS = ("", "src")
"""Where, from the root, packages are looked for."""


class TooMany(Exception):
    """More, or larger, files than are read for one trainer."""


class Modules:
    """The modules of one reading. `first` is the folder that Python searches before others: that of the script."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.left = FILE_CAP
        self.bytes = 0
        self.marks = 0
        self.first: str | None = None
        self.searched: list[str] = []
        self.peeked: dict[str, SourceFile | None] = {}
        self.seen: set[str] = set()
        self.misses: dict[str, int] = {}
        self.files: dict[str, SourceFile | None] = {}
        self.modules: dict[str, Module | None] = {}
        self.broken: dict[str, str] = {}

    def read(self, path: str) -> SourceFile | None:
        """A file; each is read once. Raises TooMany."""
        if path not in self.files:
            if self.left == 0:
                raise TooMany
            self.files[path] = self.reader(path)
            self.left -= self.files[path] is not None
        return self.files[path]

    @property
    def sources(self) -> tuple[SourceFile, ...]:
        return tuple(module.source for module in self.modules.values() if module is not None)

    def find(self, name: str, *, main: bool = False) -> str | None:
        """The path of a module or package; None if it is not in the tree, or at two places."""
        parts = name.split(".")
        if not all(part.isidentifier() for part in parts) or (not main and parts[0] in sys.stdlib_module_names):
            return None
        if self.first is not None:
            found = self._at(self.first, parts, main=main)
            if found:
                others = [path for base in self.searched for path in self._at(base, parts, main=main)]
                return found[0] if set(others) <= set(found) else None
        bases = dict.fromkeys((*PATHS, *self.searched))
        places = [path for base in bases for path in self._at(base, parts, main=main)]
        return places[0] if len(places) == 1 else None

    def reached(self, module: Module) -> list[tuple[str, SourceFile]]:
        """The modules that a module imports, directly or not, by their texts alone; each is named once in a reading."""
        from recipelint.python import reach

        found: list[tuple[str, SourceFile]] = []
        queue = [reach.Module(module.dotted, module.source)]
        for one in queue:
            for name in reach.imports(one):
                if name in self.seen or len(self.seen) > REACH_CAP:
                    continue
                self.seen.add(name)
                source = self._peek(name)
                if source is not None:
                    found.append((name, source))
                    queue.append(reach.Module(name, source))
        return found

    def _peek(self, name: str) -> SourceFile | None:
        """The text of a module, which does not count as read for the trainer."""
        parts = name.split(".")
        if not all(part.isidentifier() for part in parts) or parts[0] in sys.stdlib_module_names:
            return None
        bases = dict.fromkeys((*([self.first] if self.first is not None else []), *PATHS))
        if self.misses.get(parts[0], 0) > MISS_CAP:
            return None
        found = next((text for base in bases if (text := self._text(posixpath.join(base, *parts)))), None)
        if found is None:
            self.misses[parts[0]] = self.misses.get(parts[0], 0) + 1
        return found

    def _text(self, stem: str) -> SourceFile | None:
        for path in (f"{stem}/__init__.py", f"{stem}.py"):
            if path not in self.peeked:
                self.peeked[path] = self.files[path] if path in self.files else self.reader(path)
            if self.peeked[path] is not None:
                return self.peeked[path]
        return None

    def search(self, node: ast.AST) -> None:
        """Take into account that NODE changes where Python looks: any folder that it may be about."""
        near = self.first or ""
        words = [one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        names = [near, posixpath.dirname(near), posixpath.dirname(posixpath.dirname(near)), ""]
        folders = [posixpath.normpath(posixpath.join(name, word)) for name in names for word in words[:10]]
        for folder in (*names, *folders):
            if not folder.startswith(("..", "/")) and "\0" not in folder and len(self.searched) < SEARCH_CAP:
                self.searched.append("" if folder == "." else folder)
        self.searched = list(dict.fromkeys(self.searched))

    def _at(self, base: str, parts: list[str], *, main: bool) -> list[str]:
        stem = posixpath.join(base, *parts)
        ends = ("/__main__.py", ".py") if main else ("/__init__.py", ".py")
        found = [stem + end for end in ends if self.read(stem + end) is not None]
        return found if main else found[:1]

    def load(self, path: str, name: str) -> Module | None:
        """The module in a file, not yet run; None if there is none, or if it cannot be parsed (see `broken`)."""
        if path in self.modules:
            return self.modules[path]
        source = self.read(path)
        self.bytes += len(source.data) if source is not None else 0
        if self.bytes > BYTE_CAP:
            raise TooMany
        self.marks += marks(source.data) if source is not None else 0
        if self.marks > MARK_CAP and self.modules:
            raise TooMany
        tree = self._parse(source, path) if source is not None else None
        module = None
        if source is not None and tree is not None:
            package = posixpath.basename(path) == "__init__.py"
            module = Module(name, path, source, tree, package=package)
            module.names["__name__"] = name
        self.modules[path] = module
        return module

    def _parse(self, source: SourceFile, path: str) -> ast.Module | None:
        if self.marks > MARK_CAP:
            self.broken[path] = "1: there is more to follow than is followed"
            return None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(source.data)
        except SyntaxError as error:
            self.broken[path] = f"{error.lineno or 1}: it is no Python that can be read"
        except (ValueError, LookupError):
            self.broken[path] = "1: it is no Python that can be read"
        except (RecursionError, MemoryError):
            self.broken[path] = "1: it is nested too deeply"
        return None

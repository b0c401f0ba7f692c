"""A file of which something is asked, and the launchers that run it, all of them evaluated.

They are looked for in the file's repository, or below the paths that are given.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from recipelint.discovery import DiscoveredFile, discover
from recipelint.explain.arguments import MOST, NOTHING, Given, marks, reached
from recipelint.explain.parts import site
from recipelint.linter import Linter
from recipelint.python.files import is_python
from recipelint.recipe.build import Recipes
from recipelint.ruleset.load import load_for
from recipelint.run import Run, enclosing
from recipelint.settings import Settings
from recipelint.source import SourceFile

_FURTHER = re.compile(rb"\$\{?[2-9]|shift")
"""What may read another argument than the first."""


class NoSuchPlace(Exception):
    """Why nothing can be said: a file that cannot be read, or a line that it does not have."""


class Users:
    """The users of the file at PATH, itself first. Raises NoSuchPlace."""

    def __init__(self, path: str, settings: Settings, launchers: Sequence[str]) -> None:
        self.path = path
        self.settings = settings
        self.run = Run(Linter(load_for(settings), settings), settings, with_baseline=False)
        self.run.read([DiscoveredFile(path, explicit=True)])
        if self.run.unreadable:
            raise NoSuchPlace(self.run.unreadable[0].reason)
        if path not in self.run.originals or is_python(path, self.run.originals[path].data):
            raise NoSuchPlace("is no launcher")
        self.source = self.run.originals[path]
        self.run.read(self.others(launchers))
        self.recipes = self.using(self.run)
        self.run.originals = {name: one for name, one in self.run.originals.items() if name in self.recipes}
        self.run.by_real_path = {real: name for real, name in self.run.by_real_path.items() if name in self.recipes}
        self.marked = [self.using(self.given(count)) for count in self.counts()]

    def others(self, launchers: Sequence[str]) -> list[DiscoveredFile]:
        """The files that may run this one."""
        here = os.path.realpath(self.path)
        paths = tuple(launchers) or (os.path.relpath(enclosing(os.path.dirname(here))),)
        return [
            one._replace(path=os.path.relpath(one.path))
            for one in discover(self.settings._replace(paths=paths)).files
            if os.path.realpath(one.path) != here and not is_python(one.path, b"")
        ]

    def using(self, run: Run) -> dict[str, Recipes]:
        """The launchers of a run that run the file."""
        out: dict[str, Recipes] = {}
        for file in run.files({}):
            recipes = run.linter.resolve(file)
            followed = any(one is self.source for one in recipes.evaluation.session.followed.values())
            if file.source is self.source or followed:
                out[file.source.path] = recipes
        return out

    def with_text(self, path: str, text: bytes) -> Recipes:
        """What the user at a path does if the file has another text."""
        sources = {**self.run.originals, self.path: SourceFile(self.path, text)}
        return self.run.linter.resolve(self.run.file(sources[path], sources))

    # --- arguments ---------------------------------------------------------------------------------

    def counts(self) -> list[int]:
        """How many more arguments are worth to be given: one, and where a further one is read, some."""
        texts = [self.run.originals[path].data for path, recipes in self.recipes.items() if recipes.resolved]
        if not texts:
            return []
        return [1, MOST] if any(_FURTHER.search(text) for text in (*texts, self.source.data)) else [1]

    def given(self, count: int) -> Run:
        """The same files, with COUNT more arguments given."""
        args = self.settings.args
        settings = self.settings._replace(args=(*args, *marks(len(args), count)))
        run = Run(Linter(self.run.linter.ruleset, settings), settings, with_baseline=False)
        run.originals, run.on_disk = self.run.originals, self.run.on_disk
        run.by_real_path = self.run.by_real_path
        return run

    def arguments(self, path: str, at: int) -> Given:
        """What further arguments do to one launch of a user."""
        before = self.recipes[path].resolved
        others = [marked[path].resolved for marked in self.marked if path in marked]
        same = [one[at] for one in others if [site(two) for two in one] == [site(two) for two in before]]
        return reached(before[at], same) if same else NOTHING

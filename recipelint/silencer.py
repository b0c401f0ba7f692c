"""Writes comments that ignore what is found, and keeps only those with which that, and nothing else, is different.

Each lint is made of the original texts and all comments that are kept so far: every launch must be what it was, the
findings meant must be gone, and none may come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from recipelint.diagnostic import Diagnostic
from recipelint.fix import Applicability, Edit, apply
from recipelint.ignore_places import Places, Spot, edit
from recipelint.linter import Linter, Result
from recipelint.outcome import Ignored
from recipelint.python.comments import encoding_of
from recipelint.python.files import is_python
from recipelint.recipe.build import Recipes
from recipelint.source import SourceFile
from recipelint.verify import Verification

Lint = Callable[[Mapping[str, bytes]], Result]
"""Lint all files with some of them replaced."""
Reported = Callable[[Sequence[Diagnostic]], Sequence[Diagnostic]]
Group = tuple[Spot, tuple[Diagnostic, ...]]


class Silenced(NamedTuple):
    """The changed files, the comments in them, and the last lint."""

    contents: dict[str, bytes]
    ignored: tuple[Ignored, ...]
    result: Result


class Silencer:
    """One run of writing comments."""

    def __init__(
        self, linter: Linter, lint: Lint, sources: Mapping[str, SourceFile], reason: str, reported: Reported
    ) -> None:
        """REPORTED are those of some diagnostics that are to be silenced: not what a baseline keeps quiet."""
        self.linter = linter
        self.reported = reported
        self.lint = lint
        self.sources = sources
        self.reason = reason.encode("utf-8", "surrogateescape")
        self.before = lint({})
        self.after = self.before
        self.kept: list[Group] = []
        self.done: set[Diagnostic] = set()
        self.spots: dict[Diagnostic, list[Spot]] = {}
        """Where a comment for each finding could stand, the best place first."""

    def run(self) -> Silenced:
        """Comments for the findings, as far as there is a place for them that does."""
        places = Places(self.sources)
        wanted = self.reported(self.before.diagnostics)
        self.spots = {one: [spot for spot in places.of(one) if self.takes(spot)] for one in wanted}
        left = {one: list(spots) for one, spots in self.spots.items()}
        while any(left.values()):
            groups: dict[Spot, list[Diagnostic]] = {}
            for one, spots in left.items():
                if spots:
                    groups.setdefault(spots.pop(0), []).append(one)
            self.settle([(spot, tuple(found)) for spot, found in sorted(groups.items(), key=_first)])
            left = {one: spots for one, spots in left.items() if one not in self.done}
        return Silenced(self.contents(self.kept), self.ignored(), self.after)

    def takes(self, spot: Spot) -> bool:
        """Whether the reason can be written in the encoding of the file."""
        data = self.sources[spot.path].data
        return self.reason.isascii() or not is_python(spot.path, data) or encoding_of(data) == "utf-8"

    def settle(self, groups: list[Group]) -> None:
        """Keep the groups that do, together or, where they do not, each half on its own."""
        groups = [
            (spot, left) for spot, found in groups if (left := tuple(one for one in found if one not in self.done))
        ]
        if not groups or self.attempt(groups) or len(groups) == 1:
            return
        middle = len(groups) // 2
        self.settle(groups[:middle])
        self.settle(groups[middle:])

    def attempt(self, groups: list[Group]) -> bool:
        tried = [*self.kept, *groups]
        result = self.lint(self.contents(tried))
        tried += self.besides(result, tried)
        silenced = [one for _, found in tried for one in found]
        if not self.same(result, silenced):
            return False
        self.kept, self.after, self.done = tried, result, set(silenced)
        return True

    def besides(self, after: Result, tried: Sequence[Group]) -> list[Group]:
        """What the comments of some groups hide beyond them: findings of a code that they name, at one of their spots.

        So it is where one finding stands at a launch, and another of that rule, about that launch, in a text that takes
        no comment. Nothing where it is not certain which ones are hidden.
        """
        silenced = {one for _, found in tried for one in found}
        before = _counts(self.reported(self.before.diagnostics)) - _counts(list(silenced))
        hidden = before - _counts(self.reported(after.diagnostics))
        named = {(spot, one.code) for spot, found in tried for one in found}
        more: dict[Diagnostic, Spot] = {}
        for one, spots in self.spots.items():
            there = next((spot for spot in spots if (spot, one.code) in named), None)
            if there is not None and one not in silenced and (one.code, one.location.path) in hidden:
                more[one] = there
        return [(spot, (one,)) for one, spot in more.items()] if _counts(list(more)) == hidden else []

    def same(self, after: Result, silenced: Sequence[Diagnostic]) -> bool:
        """Whether a lint differs from the first in what was silenced, and in nothing else."""
        if list(map(_told, after.recipes)) != list(map(_told, self.before.recipes)):
            return False
        if Verification(self.linter, self.before, after, (), (), Applicability.SAFE).programs_differ():
            return False
        before = _counts(self.reported(self.before.diagnostics))
        return _counts(self.reported(after.diagnostics)) == before - _counts(silenced)

    # --- texts -------------------------------------------------------------------------------------

    def edits(self, groups: Sequence[Group]) -> dict[str, dict[Edit, tuple[str, ...]]]:
        """By file, the edits that write some groups, in order, each with its codes."""
        codes: dict[Spot, set[str]] = {}
        for spot, found in groups:
            codes.setdefault(spot, set()).update(one.code for one in found)
        out: dict[str, dict[Edit, tuple[str, ...]]] = {}
        for spot, named in sorted(codes.items(), key=_first):
            new = tuple(sorted(named.difference(spot.known.codes if spot.known else ())))
            out.setdefault(spot.path, {})[edit(self.sources[spot.path], spot, new, self.reason)] = new
        return out

    def contents(self, groups: Sequence[Group]) -> dict[str, bytes]:
        return {path: apply(self.sources[path].data, edits) for path, edits in self.edits(groups).items()}

    def ignored(self) -> tuple[Ignored, ...]:
        """The comments that are kept, with their lines in the new files."""
        out = []
        for path, edits in self.edits(self.kept).items():
            above = 0
            for one, codes in edits.items():
                out.append(Ignored(path, self.sources[path].line_number(one.start) + above, codes))
                above += one.replacement.count(b"\n")
        return tuple(out)


def _first(item: tuple[Spot, object]) -> tuple[str, int]:
    return item[0].path, item[0].at


def _counts(found: Sequence[Diagnostic]) -> Counter[tuple[str, str]]:
    return Counter((one.code, one.location.path) for one in found)


def _told(recipes: Recipes) -> tuple[object, ...]:
    """What a launcher gives its trainers, without the places of that."""
    launches = tuple(
        (one.entry_point, one.wrappers, one.certain, tuple((w.text, w.unknown, w.many) for w in one.argv), one.env)
        for one in (resolved.launch for resolved in recipes.resolved)
    )
    return len(recipes.evaluation.troubles), recipes.needs, launches

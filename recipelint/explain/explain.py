"""Answers for lines: reads the file and the launchers that run it, and puts together what each line decides.

The launchers of a file that is sourced or called are looked for in its repository, or below the paths that are given.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from recipelint.discovery import DiscoveredFile, discover
from recipelint.explain.parts import argument, decided, differing, given, groups, knobs, paired, site, voided
from recipelint.explain.program import Found, found
from recipelint.explain.remarks import remarks
from recipelint.explain.variants import variants
from recipelint.explanation import ARGUMENT, RUN, SETTING, VARIABLE, Explanation, Explanations, Part, Say
from recipelint.linter import Linter, Result
from recipelint.outcome import Unreadable
from recipelint.python.files import is_python
from recipelint.recipe.build import Recipes, Resolved
from recipelint.ruleset.load import load
from recipelint.run import Run, enclosing
from recipelint.settings import Settings
from recipelint.source import SourceFile, Span

MOST = 600
"""Evaluations for one line; of more, what would be tried out is left out, and that is said."""
MARK = "--recipelint-mark"


class Place(NamedTuple):
    """A line of a file, and a column in it, 0 for all of the line."""

    path: str
    line: int
    column: int = 0


class NoSuchPlace(Exception):
    """Why nothing can be said: a file that cannot be read, or a line that it does not have."""


def explain(places: Sequence[Place], settings: Settings, launchers: Sequence[str] = ()) -> Explanations:
    """What there is to say of each place. LAUNCHERS are files and folders to look for users of its file in."""
    asked: dict[str, Asked] = {}

    def answer(place: Place) -> Explanation | Unreadable:
        try:
            if place.path not in asked:
                asked[place.path] = Asked(place.path, settings, launchers)
            return asked[place.path].at(place)
        except NoSuchPlace as error:
            return Unreadable(place.path, str(error))

    answers = [answer(place) for place in places]
    return Explanations(
        tuple(one for one in answers if isinstance(one, Explanation)),
        tuple(one for one in answers if isinstance(one, Unreadable)),
    )


class Asked:
    """A file of which something is asked, with the launchers that run it, all evaluated."""

    def __init__(self, path: str, settings: Settings, launchers: Sequence[str]) -> None:
        self.path = path
        self.settings = settings
        self.run = Run(Linter(load(), settings), settings)
        self.run.read([DiscoveredFile(path, explicit=True)])
        if self.run.unreadable:
            raise NoSuchPlace(self.run.unreadable[0].reason)
        self.source = self.run.originals[path]
        if is_python(path, self.source.data):
            raise NoSuchPlace("is no launcher")
        others = self.others(launchers)
        self.run.read([other for other in others if not is_python(other.path, b"")])
        self.users = self.using(self.run)
        self.passing = self.using(self.marked()) if any(r.resolved for r in self.users.values()) else {}
        self._result: Result | None = None

    def others(self, launchers: Sequence[str]) -> list[DiscoveredFile]:
        """The files that may run this one."""
        paths = tuple(launchers) or (os.path.relpath(enclosing(os.path.dirname(os.path.realpath(self.path)))),)
        here = os.path.realpath(self.path)
        files = discover(replace(self.settings, paths=paths)).files
        return [replace(one, path=os.path.relpath(one.path)) for one in files if os.path.realpath(one.path) != here]

    def using(self, run: Run) -> dict[str, Recipes]:
        """The launchers that run the file, evaluated; itself first."""
        out: dict[str, Recipes] = {}
        for file in run.files({}):
            recipes = run.linter.resolve(file)
            followed = any(one is self.source for one in recipes.evaluation.session.followed.values())
            if file.source is self.source or followed:
                out[file.source.path] = recipes
        return out

    def marked(self) -> Run:
        """The same files, evaluated with one more argument, by which one sees where it is passed on."""
        marked = replace(self.settings, args=(*self.settings.args, MARK))
        run = Run(Linter(self.run.linter.ruleset, marked), marked)
        run.originals = {path: one for path, one in self.run.originals.items() if path in self.users}
        run.on_disk, run.by_real_path = self.run.on_disk, self.run.by_real_path
        return run

    @property
    def result(self) -> Result:
        """What the linter finds in the file and its users."""
        if self._result is None:
            self.run.originals = {path: one for path, one in self.run.originals.items() if path in self.users}
            self.run.by_real_path = {r: p for r, p in self.run.by_real_path.items() if p in self.users}
            self._result = self.run.lint({})
        return self._result

    # --- one place ---------------------------------------------------------------------------------

    def at(self, place: Place) -> Explanation:
        """What there is to say of one place of the file."""
        line = self.span(place)
        whole = self.source.line_span(place.line)
        programs = [
            (recipes.evaluation.session, list(found(recipes.evaluation.session, self.source)))
            for recipes in self.users.values()
        ]
        nodes = [one for _, nodes in programs for one in nodes]
        says, told = self.says(line, nodes)
        launching = any(recipes.resolved for recipes in self.users.values())
        said = [*remarks(self.source, place.line, whole, programs, effective=bool(says) or bool(told)), *told]
        said += [] if launching else ["nothing is launched through this file"]
        findings = tuple(
            one
            for one in self.result.diagnostics
            if any(
                location.path == self.path
                and location.start.line <= place.line <= max(location.start.line, location.end.line)
                for location in (one.location,)
            )
        )
        text = self.source.line_text(place.line)
        users = tuple(path for path, recipes in self.users.items() if path != self.path or recipes.resolved)
        return Explanation(self.path, place.line, place.column, text, tuple(says), tuple(said), users, findings)

    def span(self, place: Place) -> Span:
        count = len(self.source.line_starts) - (self.source.data.endswith(b"\n") or not self.source.data)
        if not 1 <= place.line <= count:
            raise NoSuchPlace(f"there is no line {place.line}; the last is {count}")
        line = self.source.line_span(place.line)
        if not place.column:
            return line
        text = self.source.line_text(place.line)
        if place.column > len(text):
            raise NoSuchPlace(f"line {place.line} has no column {place.column}; the last is {len(text)}")
        start = line.start + len(text[: place.column - 1].encode("utf-8", "replace"))
        return Span(start, min(line.end, start + len(text[place.column - 1].encode("utf-8", "replace"))))

    def says(self, line: Span, nodes: Iterable[Found]) -> tuple[list[Say], list[str]]:
        """The launches that the line has a say in, and what else was seen when it was tried out otherwise."""
        bodies = variants(nodes, self.source, line)
        room = max(1, MOST // max(1, len(self.users)))
        told = ["more depends on it than was tried out"] if len(bodies) > room else []
        affected: dict[int, set[tuple[str, object]]] = {}
        fresh: set[str] = set()
        for body in bodies[:room]:
            self.try_out(body, affected, fresh)
        told += [f"if it were otherwise, there would be a launch of {name}" for name in sorted(fresh)]
        out: list[Say] = []
        for path, recipes in self.users.items():
            for at, resolved in enumerate(recipes.resolved):
                passed = self.passed(path, at)
                last = voided(resolved)
                parts = decided(resolved, self.source, line, last, passed)
                mine = {key(part) for part in parts}
                also = [
                    part
                    for part in self.parts(resolved, affected.get(id(resolved), set()), last, passed)
                    if key(part) not in mine
                ]
                if parts or also:
                    out.append(Say(path, resolved.launch, tuple(parts), tuple(also)))
        return out, told

    def try_out(self, body: bytes, affected: dict[int, set[tuple[str, object]]], fresh: set[str]) -> None:
        """Note what is different in the launches if the file is BODY."""
        other = SourceFile(self.path, body)
        for path, recipes in self.users.items():
            sources = {**self.run.originals, self.path: other}
            found = self.run.linter.resolve(self.run.file(sources[path], sources))
            before, after = recipes.evaluation.troubles, found.evaluation.troubles
            if sum(one.code == "SH001" for one in after) > sum(one.code == "SH001" for one in before):
                continue  # no program any more
            pairs = list(paired(list(recipes.resolved), list(found.resolved)))
            for one, changed in pairs:
                differences = affected.setdefault(id(one), set())
                differences |= differing(one, changed)
                if changed is not None and conditions(one, recipes) != conditions(changed, found):
                    differences.add((RUN, ""))
            known = {site(one)[1:] for one in recipes.resolved}
            fresh.update(
                f"{one.launch.entry_point} at line {one.launch.location.start.line}"
                for one in found.resolved
                if site(one)[1:] not in known
            )

    def parts(
        self, resolved: Resolved, differences: set[tuple[str, object]], last: dict[int, str], passed: int
    ) -> list[Part]:
        """Differences as parts of a launch, in its order."""
        launch = resolved.launch
        out: list[Part] = []
        if (RUN, "") in differences:
            out.append(Part(RUN, ""))
        out += [
            argument(resolved, group, last, passed) for group in groups(resolved) if (ARGUMENT, group) in differences
        ]
        if (ARGUMENT, ()) in differences:
            out.append(Part(ARGUMENT, ""))
        for kind, name in sorted(differences, key=str):
            if kind == VARIABLE and isinstance(name, str):
                text = resolved.environment.get(name)
                out.append(Part(VARIABLE, name, (), knobs([text]) if text is not None else ()))
        out += [
            Part(SETTING, name, (), given(setting.override))
            for name, setting in launch.settings.items()
            if (SETTING, name) in differences
        ]
        return out

    def passed(self, path: str, at: int) -> int:
        """The index from which on the words of a launch are arguments of the launcher that it passes on."""
        recipes = self.passing.get(path)
        if recipes is None or at >= len(recipes.resolved) or len(recipes.resolved) != len(self.users[path].resolved):
            return 0
        words = [one.text for one in recipes.resolved[at].launch.argv]
        return words.index(MARK) if MARK in words else 0


def conditions(resolved: Resolved, recipes: Recipes) -> frozenset[frozenset[tuple[str, bool]]]:
    """What a launch hangs on, by what the conditions say: their numbers differ between evaluations."""
    decisions = recipes.evaluation.session.decisions
    return frozenset(frozenset((decisions[at], holds) for at, holds in term) for term in resolved.condition)


def key(part: Part) -> tuple[str, str, tuple[int, ...]]:
    return part.kind, part.name, part.words

"""Checks the launchers of a run part by part: those that are remembered, and the others, by several processes if many.

What comes of it is what comes of checking all of them together, in the same order; but no launcher stays in memory.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

from recipelint.files import MANY
from recipelint.linter import File, Result
from recipelint.parts import Checking, Opened, Part, grouped, parts
from recipelint.portable import Plain, joined
from recipelint.remembered import Remembered, of_program
from recipelint.source import SourceFile
from recipelint.store import Store
from recipelint.tracking import Track

CHUNK = 8
"""Launchers that one process checks in a go, at most."""


class Spread:
    """The launchers of one run."""

    def __init__(
        self,
        checking: Checking,
        files: Sequence[File],
        opened: Opened,
        given: Mapping[str, SourceFile],
        store: Store | None,
    ) -> None:
        self.checking = checking
        self.files = {file.source.path: file for file in files}
        self.order = {path: number for number, path in enumerate(self.files)}
        self.store = store if store else None
        linter = checking.linter
        program = of_program(linter.ruleset, linter.settings) if self.store is not None else b""
        self.remembered = Remembered(store or Store("", ""), program, given.get, opened)
        self.opened = opened
        self.names: dict[str, str] = {}

    def result(self, track: Track, stage: str) -> Result:
        """What they come to."""
        found = self.recalled()
        known = {path for part in found for path in part.members}
        left = [path for path in self.files if path not in known]
        found += self.worked_out(left, track, stage)
        return joined(self.settled(found), lambda source: self.order[source.path])

    def settled(self, found: Sequence[Part]) -> Iterator[Result]:
        """The parts; those that turn out to share text are checked again, together."""
        for group in grouped([part.touched for part in found]):
            if len(group) == 1:
                yield found[group[0]].result
                continue
            members = sorted({path for n in group for path in found[n].members}, key=self.order.__getitem__)
            yield from (part.result for part in self.here(members))

    # --- remembering -------------------------------------------------------------------------------

    def name(self, path: str) -> str | None:
        if path not in self.files:
            return None
        if path not in self.names:
            self.names[path] = self.remembered.name(self.files[path], self.checking.root(path))
        return self.names[path]

    def recalled(self) -> list[Part]:
        """The parts that are remembered."""
        if self.store is None:
            return []
        found: dict[str, Part] = {}
        for path in self.files:
            if path not in found:
                part = self.remembered.recall(path, self.name)
                if part is not None:
                    found.update(dict.fromkeys(part.members, part))
        return list({id(part): part for part in found.values()}.values())

    def kept(self, part: Part) -> Plain | None:
        """A part as plain values, remembered if that is asked for."""
        plain = self.remembered.plain(part)
        if plain is not None and self.store is not None:
            names = [self.name(path) for path in part.members]
            self.remembered.keep(plain, [name for name in names if name is not None])
        return plain

    # --- working out -------------------------------------------------------------------------------

    def worked_out(self, paths: Sequence[str], track: Track, stage: str) -> list[Part]:
        """The parts of some launchers."""
        from recipelint.workers import possible, processors

        workers = min(processors(), -(-len(paths) // MANY))
        seen = iter(track(stage, paths))
        if len(paths) <= MANY:
            return self.here(seen)
        chunks = self.chunks(paths, workers)
        if workers < 2 or not possible() or os.environ.get("RECIPELINT_DEBUG"):
            found: list[Part] = []
            for chunk in chunks:
                found += self.light([next(seen) for _ in chunk])
                self.forget(chunk)
            return found
        return self.by_processes(chunks, workers, seen)

    def chunks(self, paths: Sequence[str], workers: int) -> list[Sequence[str]]:
        """Neighbours together: they share trainers, and what they source."""
        from recipelint.workers import MOST

        size = max(1, min(CHUNK, -(-len(paths) // (4 * workers))), -(-len(paths) // MOST))
        return [paths[at : at + size] for at in range(0, len(paths), size)]

    def by_processes(self, chunks: Sequence[Sequence[str]], workers: int, seen: Iterator[str]) -> list[Part]:
        from recipelint.workers import spread

        def work(number: int) -> list[Plain | None]:
            made = [self.kept(part) for part in parts(self.checking, map(self.files.__getitem__, chunks[number]))]
            self.forget(chunks[number])
            return made

        done: dict[int, list[Part]] = {}
        for number, made in spread(work, len(chunks), workers):
            for _ in chunks[number]:
                next(seen, None)
            again = [self.remembered.part(plain) if plain is not None else None for plain in made or (None,)]
            read = [part for part in again if part is not None]
            done[number] = read if len(read) == len(again) else self.here(chunks[number])
        return [part for number in sorted(done) for part in done[number]]

    def forget(self, paths: Sequence[str]) -> None:
        """Give back the memory that launchers took: what refers to itself is not given back on its own for long."""
        for path in paths:
            self.files[path].source.forget()
        gc.collect()

    def here(self, paths: Iterable[str]) -> list[Part]:
        """The parts of some launchers, worked out by this process."""
        found = list(parts(self.checking, map(self.files.__getitem__, paths)))
        if self.store is not None:
            for part in found:
                self.kept(part)
        return found

    def light(self, paths: Sequence[str]) -> Iterator[Part]:
        """The same, without what only fixing needs, where that can be left out."""
        for part in parts(self.checking, map(self.files.__getitem__, paths)):
            plain = self.kept(part)
            yield (self.remembered.part(plain) if plain is not None else None) or part

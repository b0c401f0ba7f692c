"""Parts of a run that an earlier one worked out: taken where every file that they hang on is the same.

A name is made of all that has a say beside these files: the program, its rules, the settings, and the launcher itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from recipelint.linter import File
from recipelint.parts import Opened, Part
from recipelint.portable import NotPortable, Plain, pack, unpack
from recipelint.release import stamp
from recipelint.ruleset.load import INDEX, Ruleset
from recipelint.settings import Settings
from recipelint.source import SourceFile
from recipelint.store import Store, digest

VERSION = 2
WITHOUT_A_SAY = frozenset(
    """
    paths fail_level fail_on_stale fix diff unsafe_fixes add_ignore reason baseline write_baseline statistics
    output_format outputs verify_fixes color quiet exclude force_exclude changed_since consulted cache_dir cache
    configuration severity origins
    """.split()
)
"""The settings that change nothing in what a part comes to: they choose the files, or are for what is done with it."""
Stamp = list[Any]
"""A file that a part hangs on: root, place, path, digest (empty: not there), whether it is of the files of the run."""


def of_program(ruleset: Ruleset, settings: Settings) -> bytes:
    """What has a say in every part."""
    try:
        with open(INDEX, "rb") as file:
            rules = digest(file.read())
    except OSError:  # a checkout whose rules are not compiled
        rules = ""
    chosen = [(name, value) for name, value in settings._asdict().items() if name not in WITHOUT_A_SAY]
    own = repr(sorted(ruleset.rules.items())) if settings.rules else ""
    giver = settings.origin("automodel")
    said = (VERSION, rules, chosen, giver, own)
    return digest(stamp(), repr(said).encode("utf-8", "surrogatepass")).encode()


class Remembered:
    """The parts of a STORE, for one program and its settings. GIVEN has the files of the run by path."""

    def __init__(self, store: Store, program: bytes, given: Callable[[str], SourceFile | None], opened: Opened) -> None:
        self.store = store
        self.program = program
        self.given = given
        self.opened = opened
        self._stamps: dict[tuple[str, str], Stamp] = {}
        self._found: dict[str, dict[str, SourceFile] | None] = {}
        self._kept: set[str] = set()
        self._digests: dict[int, str] = {}

    # --- names and stamps --------------------------------------------------------------------------

    def name(self, file: File, root: str) -> str:
        """The name of a launcher."""
        place = "" if file.place is None else "at " + file.place
        told = (file.source.path, place, file.cwd, root, *file.roots)
        return "launcher-" + digest(
            self.program, *(one.encode("utf-8", "surrogateescape") for one in told), file.source.data
        )

    def digest(self, source: SourceFile) -> str:
        if id(source) not in self._digests:
            self._digests[id(source)] = digest(source.data)
        return self._digests[id(source)]

    def stamp(self, root: str, place: str) -> Stamp:
        """A file as it is now."""
        if (root, place) not in self._stamps:
            source = self.opened(root, place)
            self._stamps[root, place] = (
                [root, place, "", "", False]
                if source is None
                else [root, place, source.path, self.digest(source), self.given(source.path) is source]
            )
        return self._stamps[root, place]

    def found(self, stamps: Sequence[Stamp]) -> dict[str, SourceFile] | None:
        """The files of some stamps by path, if every one of them is as it was."""
        if not all(self.stamp(one[0], one[1]) == one for one in stamps):
            return None
        opened = ((one[2], self.opened(one[0], one[1])) for one in stamps if one[2])
        return {path: source for path, source in opened if source is not None}

    def found_by_name(self, name: str) -> dict[str, SourceFile] | None:
        """The same for the stamps of a name: the launchers of a folder hang on the same files."""
        if name not in self._found:
            stamps = self.store.get(name)
            self._found[name] = self.found(stamps) if isinstance(stamps, list) else None
        return self._found[name]

    # --- parts -------------------------------------------------------------------------------------

    def plain(self, part: Part) -> Plain | None:
        """A part as another process, or run, can read it; None where it cannot be."""
        stamps = [self.stamp(root, place) for root, place in sorted(part.places)]
        there = self.found(stamps) or {}

        def holds(source: SourceFile) -> bool:
            return self.given(source.path) is source or there.get(source.path) is source

        try:
            packed = pack(part.result, holds)
        except NotPortable:
            return None
        return [list(part.members), sorted(part.touched), stamps, packed]

    def part(self, plain: Plain) -> Part | None:
        """The part of plain values; None where a file is no longer what it was."""
        try:
            members, touched, stamps, packed = plain
            there = self.found_by_name(stamps) if isinstance(stamps, str) else self.found(stamps)
            if there is None:
                return None
            result = unpack(packed, lambda path: self.given(path) or there.get(path))
            return Part(tuple(members), frozenset(touched), frozenset(), result)
        except (NotPortable, TypeError, ValueError, IndexError):
            return None

    def keep(self, plain: Plain, names: Sequence[str]) -> None:
        """Keep a part, by the NAMES of its members; and apart from it what it hangs on, as others do too."""
        members, touched, stamps, packed = plain
        hangs_on = "files-" + digest(repr(stamps).encode("utf-8", "surrogatepass"))
        if hangs_on not in self._kept:
            self.store.put(hangs_on, stamps)
            self._kept.add(hangs_on)
        plain = [members, touched, hangs_on, packed]
        if len(names) == 1:
            self.store.put(names[0], plain)
            return
        self.store.put(together(names), plain)
        for name in names:
            self.store.put(name, [members])

    def recall(self, path: str, names: Callable[[str], str | None]) -> Part | None:
        """The part of the launcher at a path; NAMES tells the name of each launcher of the run."""
        name = names(path)
        found = self.store.get(name) if name is not None else None
        if isinstance(found, list) and len(found) == 1 and isinstance(found[0], list):
            members = [names(member) if isinstance(member, str) else None for member in found[0]]
            known = [member for member in members if member is not None]
            found = self.store.get(together(known)) if len(known) == len(members) else None
        part = self.part(found) if isinstance(found, list) else None
        return part if part is not None and path in part.members else None


def together(names: Sequence[str]) -> str:
    """The name of a part of several launchers."""
    return "together-" + digest(*(name.encode() for name in names))

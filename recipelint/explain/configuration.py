"""Answers for the lines of a trainer's configuration: which launches take a setting from there, and what overrides it.

The launches are those whose configuration is put together from the file, as it is named or as a parent of that one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from recipelint.diagnostic import Diagnostic
from recipelint.discovery import DiscoveredFile
from recipelint.explain.parts import given
from recipelint.explain.place import Place, span_of
from recipelint.explain.remarks import NO_SAY
from recipelint.explain.users import NoSuchPlace, others
from recipelint.explanation import SETTING, Explanation, Part, Say
from recipelint.linter import Linter
from recipelint.recipe.build import Recipes, Resolved
from recipelint.recipe.configured.document import NoDocument, document
from recipelint.recipe.configured.tree import Branch, Listing, Node, location_of
from recipelint.recipe.model import Setting
from recipelint.ruleset.load import load_for
from recipelint.run import Run
from recipelint.settings import Settings
from recipelint.source import Location, SourceFile, Span


class AskedConfiguration:
    """The answers for one configuration. Raises NoSuchPlace."""

    def __init__(self, path: str, settings: Settings, launchers: Sequence[str]) -> None:
        linter = Linter(load_for(settings), settings)
        alone = Run(linter, settings, with_baseline=False)
        alone.read([DiscoveredFile(path, explicit=True)])
        if alone.unreadable:
            raise NoSuchPlace(alone.unreadable[0].reason)
        self.source = alone.originals[path]
        self.real = os.path.realpath(path)
        try:
            self.tree = document(self.source)
        except NoDocument as error:
            raise NoSuchPlace(f"is no configuration: {error}") from None
        self.run = Run(linter, settings, with_baseline=False)
        self.run.read(others(path, settings, launchers))
        self.users = dict(self.using())
        self.run.originals = {name: one for name, one in self.run.originals.items() if name in self.users}
        self.run.by_real_path = {real: name for real, name in self.run.by_real_path.items() if name in self.users}
        self._found: tuple[Diagnostic, ...] | None = None

    def using(self) -> Iterator[tuple[str, list[Resolved]]]:
        """The launchers with launches that take the file for their configuration, or a part of it."""
        for file in self.run.files({}):
            recipes: Recipes = self.run.linter.resolve(file)
            launches = [one for one in recipes.resolved if any(map(self.is_here, one.files))]
            if launches:
                yield file.source.path, launches

    def is_here(self, source: SourceFile) -> bool:
        return os.path.realpath(source.path) == self.real

    def within(self, location: Location | None, span: Span) -> bool:
        """Whether something stands in a stretch of the file."""
        return (
            location is not None
            and self.is_here(location.source)
            and location.span.start < max(span.end, span.start + 1)
            and span.start < max(location.span.end, location.span.start + 1)
        )

    def stands(self, setting: Setting, span: Span) -> bool:
        """Whether a setting is read there; of a configuration that no word names, the line alone is known."""
        path, _, line = setting.read_from.rpartition(":")
        if setting.location is not None or not line.isdigit() or os.path.realpath(path) != self.real:
            return self.within(setting.location, span)
        return int(line) == self.source.line_number(span.start)

    @property
    def found(self) -> tuple[Diagnostic, ...]:
        """What the linter finds in the users."""
        if self._found is None:
            self._found = self.run.outcome(self.run.lint({})).diagnostics
        return self._found

    def at(self, place: Place) -> Explanation:
        """What there is to say of one place of the configuration."""
        span = span_of(self.source, place)
        says = tuple(
            Say(path, one.launch, decides, affects)
            for path, launches in self.users.items()
            for one in launches
            for decides, affects in [self.parts(one, span)]
            if decides or affects
        )
        said = list(self.instead(span))
        text = self.source.line_text(place.line)
        if not text.strip():
            said.append("the line is empty")
        elif text.strip().startswith("#"):
            said.append("a comment: no trainer reads it")
        elif not says:
            said += [] if said else [NO_SAY if not self.users else "it decides no setting that recipelint knows"]
        if not self.users:
            said.append("no launch that was found has this configuration")
        found = (one for one in self.found if os.path.realpath(one.location.path) == self.real)
        return Explanation(
            place.path,
            place.line,
            place.column,
            text,
            says,
            tuple(dict.fromkeys(said)),
            tuple(self.users),
            tuple(
                one
                for one in found
                if one.location.start.line <= place.line <= max(one.location.start.line, one.location.end.line)
            ),
        )

    def parts(self, one: Resolved, span: Span) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
        """The settings that stand there, and those that follow from them."""
        decides, affects = [], []
        for setting in one.launch.settings.values():
            if self.stands(setting, span):
                decides.append(Part(SETTING, setting.name, (), (*word(one, setting), *given(setting.override))))
            elif any(self.stands(operand, span) for operand in below(setting)):
                affects.append(Part(SETTING, setting.name, (), given(setting.override)))
        return tuple(decides), tuple(affects)

    def instead(self, span: Span) -> Iterator[str]:
        """Where a launch takes the values of a stretch from another place."""
        keys = {key for key, location in values(self.tree, "") if self.within(location, span)}
        for launches in self.users.values():
            for one in launches:
                for setting in one.launch.settings.values():
                    at = setting.location
                    key = setting.spelled.removeprefix("--")
                    if key in keys and at is not None and not self.within(at, span):
                        yield f"{key} is given at {at.path}:{at.start.line} instead"


def word(one: Resolved, setting: Setting) -> tuple[str, ...]:
    """The word of a launch that overrides a setting of its configuration."""
    configuring = one.entry.configuring if one.entry is not None else None
    if configuring is None or not setting.spelled:
        return ()
    return (f"the word {setting.spelled}=…",)


def below(setting: Setting) -> Iterator[Setting]:
    """What a derived setting follows from."""
    for operand in setting.operands:
        yield operand
        yield from below(operand)


def values(node: Node | None, key: str) -> Iterator[tuple[str, Location]]:
    """The values of a configuration, by their keys."""
    if isinstance(node, Branch):
        for name, one in node.members.items():
            yield from values(one, f"{key}.{name}" if key else name)
    elif node is not None and not isinstance(node, Listing):
        location = location_of(node)
        if location is not None:
            yield key, location

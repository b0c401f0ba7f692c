"""What checking some launchers came to, as plain values: for another process, and for the next run.

What comes back tells every report the same, and is no longer good for fixing. Files are named, not held: whoever reads
it again says what stands at their paths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from recipelint.diagnostic import Confidence, Diagnostic, Label, Severity
from recipelint.fix import Applicability, Edit, Fix
from recipelint.linter import Result
from recipelint.recipe.model import Argument, Launch, Launcher, Setting
from recipelint.shell.text import Text
from recipelint.source import Location, SourceFile, Span
from recipelint.store import digest

Plain = list[Any]
Key = tuple[object, ...]
NOTHING = Text("", ())


class NotPortable(Exception):
    """Something stands in a text that no file holds, or says what this version does not say."""


class Packing:
    """Plain values of one result; what is named more than once is a number."""

    def __init__(self, holds: Callable[[SourceFile], bool]) -> None:
        self.holds = holds
        self.sources: dict[str, int] = {}
        self.keys: dict[Key, int] = {}
        self.found: dict[int, int] = {}
        self.diagnostics: list[Plain] = []

    def source(self, source: SourceFile) -> int:
        if source.path not in self.sources:
            if not self.holds(source):
                raise NotPortable(source.path)
            self.sources[source.path] = len(self.sources)
        return self.sources[source.path]

    def location(self, location: Location) -> Plain:
        return [self.source(location.source), *location.span]

    def key(self, key: Key) -> int:
        return self.keys.setdefault(key, len(self.keys))

    def diagnostic(self, one: Diagnostic) -> int:
        if id(one) not in self.found:
            self.found[id(one)] = len(self.diagnostics)
            self.diagnostics.append(self._diagnostic(one))
        return self.found[id(one)]

    def _diagnostic(self, one: Diagnostic) -> Plain:
        fix = one.fix
        return [
            one.code,
            one.name,
            int(one.severity),
            one.confidence.value,
            self.location(one.location),
            one.message,
            one.label,
            one.help,
            one.url,
            [[self.location(label.location), label.text] for label in one.related],
            fix and [fix.title, int(fix.applicability), [[*edit[:3], edit[3].decode("latin-1")] for edit in fix.edits]],
            one.note,
            [self.key(key) for key in one.about],
            [list(launch) for launch in one.launches],
            list(one.disputes),
        ]

    def launcher(self, one: Launcher) -> Plain:
        return [
            self.source(one.source),
            one.complete,
            [self.diagnostic(diagnostic) for diagnostic in one.diagnostics],
            [self.launch(launch) for launch in one.launches],
            list(one.needs),
            [self.source(source) for source in one.followed],
        ]

    def launch(self, one: Launch) -> Plain:
        overrides = sorted({setting.override for setting in one.settings.values() if setting.override})
        return [
            self.key(one.key),
            one.entry_point,
            one.framework,
            list(one.wrappers),
            self.location(one.location),
            self.location(one.trainer),
            one.certain,
            list(one.when),
            overrides,
            sorted(one.rules),
        ]


def pack(result: Result, holds: Callable[[SourceFile], bool]) -> Plain:
    """A result as JSON can hold it; HOLDS tells whether a file will be found again by its path. Raises NotPortable."""
    packing = Packing(holds)
    launchers = [packing.launcher(one) for one in result.launchers]
    lists = [
        [packing.diagnostic(one) for one in found] for found in (result.diagnostics, result.hidden, result.commented)
    ]
    undecided = [[packing.key(key), code, list(names)] for key, code, names in result.undecided]
    names = [digest(repr(key).encode("utf-8", "surrogatepass")) for key in packing.keys]
    return [list(packing.sources), names, packing.diagnostics, launchers, *lists, undecided]


def unpack(plain: Plain, source: Callable[[str], SourceFile | None]) -> Result:
    """The result again; SOURCE gives the file at a path. Raises NotPortable, also for what never was a result."""
    try:
        return _unpack(plain, source)
    except (TypeError, ValueError, IndexError, KeyError, AttributeError) as error:
        raise NotPortable(str(error)) from error


def _unpack(plain: Plain, source: Callable[[str], SourceFile | None]) -> Result:
    paths, names, made, launchers, diagnostics, hidden, commented, undecided = plain
    sources: list[SourceFile] = []
    for path in paths:
        file = source(path)
        if file is None:
            raise NotPortable(path)
        sources.append(file)

    def at(place: Sequence[int]) -> Location:
        number, start, end = place
        return Location(sources[number], Span(start, end))

    # The key of a launch is made of its places, its conditions, and its words: here of the name for all of these.
    launches = {
        number: (place, trainer, tuple(when))
        for one in launchers
        for number, _, _, _, place, trainer, _, when, *_ in one[3]
    }
    keys: list[Key] = [
        (at(launches[n][0]).key, at(launches[n][1]).key, launches[n][2], (name,)) if n in launches else (name,)
        for n, name in enumerate(names)
    ]
    found = [_diagnostic(one, at, keys) for one in made]
    return Result(
        (),
        tuple(_launcher(one, sources, at, names, found) for one in launchers),
        tuple(found[n] for n in diagnostics),
        tuple(found[n] for n in hidden),
        tuple((keys[n], code, tuple(settings)) for n, code, settings in undecided),
        (),
        tuple(found[n] for n in commented),
    )


def _diagnostic(plain: Plain, at: Callable[[Sequence[int]], Location], keys: Sequence[Key]) -> Diagnostic:
    code, name, severity, confidence, place, message, label, help_, url, *rest = plain
    related, fix, note, about, launches, disputes = rest
    return Diagnostic(
        code,
        name,
        Severity(severity),
        Confidence(confidence),
        at(place),
        message,
        label,
        help_,
        url,
        tuple(Label(at(where), text) for where, text in related),
        _fix(fix) if fix is not None else None,
        note,
        tuple(keys[n] for n in about),
        tuple((path, start) for path, start in launches),
        tuple(disputes),
    )


def _fix(plain: Plain) -> Fix:
    title, applicability, edits = plain
    made = (Edit(path, start, end, text.encode("latin-1")) for path, start, end, text in edits)
    return Fix(title, Applicability(applicability), tuple(made))


def _launcher(
    plain: Plain,
    sources: Sequence[SourceFile],
    at: Callable[[Sequence[int]], Location],
    names: Sequence[str],
    found: Sequence[Diagnostic],
) -> Launcher:
    source, complete, diagnostics, launches, needs, followed = plain
    made = []
    for key, entry_point, framework, wrappers, place, trainer, certain, when, overrides, rules in launches:
        words = (Argument(names[key], False, False, NOTHING),)
        settings = {name: Setting(name, None, "", name) for name in overrides}
        made.append(
            Launch(
                entry_point,
                framework,
                tuple(wrappers),
                at(place),
                at(trainer),
                certain,
                tuple(when),
                words,
                {},
                settings,
                frozenset(rules),
            )
        )
    return Launcher(
        sources[source],
        complete,
        tuple(found[n] for n in diagnostics),
        tuple(made),
        tuple(needs),
        tuple(sources[n] for n in followed),
    )


def joined(results: Iterable[Result], order: Callable[[SourceFile], int]) -> Result:
    """The results of launchers that share no text, as if they had been checked together; ORDER is that of the files."""
    parts = list(results)
    return Result(
        tuple(one for part in parts for one in part.recipes),
        tuple(sorted((one for part in parts for one in part.launchers), key=lambda one: order(one.source))),
        _merged([part.diagnostics for part in parts]),
        _merged([part.hidden for part in parts]),
        tuple(one for part in parts for one in part.undecided),
        tuple(one for part in parts for one in part.python),
        _merged([part.commented for part in parts]),
    )


def _merged(parts: Iterable[Sequence[Diagnostic]]) -> tuple[Diagnostic, ...]:
    """The diagnostics of all parts, sorted. What several find at one place, as in a configuration, is one about all."""
    found: dict[object, Diagnostic] = {}
    rest: list[Diagnostic] = []
    for part in parts:
        mine: set[object] = set()
        for one in part:
            key = one.code, one.location.key
            if key in mine or (key in found and (one.fix or found[key].fix)):
                rest.append(one)
            else:
                mine.add(key)
                found[key] = _together(found[key], one) if key in found else one
    return tuple(sorted((*found.values(), *rest), key=lambda one: one.sort_key))


def _together(one: Diagnostic, other: Diagnostic) -> Diagnostic:
    """Two diagnostics of a rule at a place: the certain, then the graver, leads, and is about the launches of both."""
    first, second = sorted((one, other), key=lambda d: (d.confidence is Confidence.POSSIBLE, -d.severity))
    return first._replace(
        related=tuple(dict.fromkeys((*first.related, *second.related))),
        about=tuple(dict.fromkeys((*first.about, *second.about))),
        launches=tuple(dict.fromkeys((*first.launches, *second.launches))),
    ).bounded()

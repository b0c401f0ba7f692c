"""From what the shell found to recipes: equal calls are one launch, and each is certain or stands under conditions."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from recipelint.packages.installed import Installed
from recipelint.python.schema import Schema
from recipelint.recipe.deciding import decided
from recipelint.recipe.derived import derived
from recipelint.recipe.entry_point import EntryPoint
from recipelint.recipe.frameworks import Resolver, is_knob
from recipelint.recipe.geometry import NONE, Geometry, geometry, reader_of
from recipelint.recipe.implication import implied, told
from recipelint.recipe.launchers import Launchers
from recipelint.recipe.model import Argument, EnvironmentValue, Launch, Setting
from recipelint.recipe.passing import common
from recipelint.recipe.standing import Place, file_stands, stands
from recipelint.recipe.trainers import Trainers
from recipelint.recipe.versions import version_settings
from recipelint.record import NamedTuple
from recipelint.shell.calls import Call
from recipelint.shell.decisions import MAX_TERMS, Condition, simplified
from recipelint.shell.evaluate import Evaluation, evaluate
from recipelint.shell.nodes import Unit
from recipelint.shell.paths import file_name, located
from recipelint.shell.session import Reader
from recipelint.shell.sightings import Sightings
from recipelint.shell.state import Environment
from recipelint.shell.text import EMPTY, Text
from recipelint.shell.unknown import Kind
from recipelint.source import Location, SourceFile, Span

if TYPE_CHECKING:
    from recipelint.recipe.configured.settings import Configured


class Resolved(NamedTuple):
    """A launch with what the rules and the fixer need beyond the model."""

    launch: Launch
    entry: EntryPoint | None
    words: tuple[Text, ...]
    environment: Environment
    program: Text
    condition: Condition
    unread: frozenset[str]
    schema: Callable[[], Schema | None]
    """Reads the command line that the trainer's own source takes; None where that is not there."""
    forwards: bool
    """Words that the user may give, such as `"$@"`, are passed on: as shipped they are none."""
    calls: tuple[Call, ...]
    geometry: Geometry = NONE
    files: frozenset[SourceFile] = frozenset()
    """The files of its configuration, for a trainer that has one."""


class Recipes(NamedTuple):
    """All that one launcher does."""

    source: SourceFile
    evaluation: Evaluation
    resolved: tuple[Resolved, ...]
    needs: tuple[str, ...]

    def always(self, conditions: Sequence[Condition], within: Sequence[Condition]) -> bool:
        """Whether one of CONDITIONS holds wherever one of WITHIN does."""
        return implied(conditions, within)


def resolve(
    source: SourceFile,
    place: str | None,
    launchers: Launchers,
    reader: Reader,
    trainers: Trainers,
    env: Mapping[str, str],
    args: Sequence[str],
    installed: Callable[[str], Installed] | None = None,
    cwd: str = "",
    roots: tuple[str, ...] = (),
    sightings: Sightings | None = None,
) -> Recipes:
    """The recipes of a launcher that stands at PLACE in its tree, started in its folder CWD; ROOTS and SIGHTINGS as for
    evaluate.

    INSTALLED tells of a package by its name.
    """
    evaluation = evaluate(source, place, launchers, reader, env, args, cwd, roots, sightings)
    builder = Builder(source, place, evaluation, trainers, env, installed, launchers, reader)
    return Recipes(source, evaluation, tuple(builder.launches()), tuple(builder.needs()))


def added(calls: Sequence[Call]) -> str:
    """What on the way to a trainer sets variables that nobody knows: `docker --env-file`; empty if nothing does."""
    steps = [step for call in calls for border in call.borders for step in border.steps]
    return next((f"{step.wrapper} {step.opaque}" for step in steps if step.opaque.startswith("-")), "")


def tree_of(call: Call, name: str) -> str | None:
    """The folder from which the script of a call has the path NAME; None for another, or one outside of the tree."""
    script = call.script
    if script is None or not f"/{script}".endswith(f"/{name}"):
        return None
    return script[: -len(name)].rstrip("/")


def is_module(name: str) -> bool:
    """Whether an entry point is named as a module, neither as a script nor as a command with its subcommand."""
    return not name.endswith(".py") and " " not in name


class Builder:
    """Puts the launches of one evaluation together."""

    def __init__(
        self,
        source: SourceFile,
        place: str | None,
        evaluation: Evaluation,
        trainers: Trainers,
        env: Mapping[str, str],
        installed: Callable[[str], Installed] | None,
        launchers: Launchers,
        reader: Reader,
    ) -> None:
        self.source = source
        self.place = place
        self.evaluation = evaluation
        self.unknowns = evaluation.session.unknowns
        self.trainers = trainers
        self.frameworks = trainers.frameworks
        self.env = env
        self.installed = installed
        self.launchers = launchers
        self.data: Mapping[str, Any] = launchers.data
        self.reader = reader
        self.unit = Unit.of(source)
        self.quantities = reader_of(self.data, self.unknowns)
        self.required: dict[str, None] = dict(evaluation.session.needs)

    def needs(self) -> list[str]:
        return list(self.required)

    def entry(self, call: Call, said: str) -> EntryPoint | None:
        """The entry point that a framework file describes; a path that others have as well only in its own tree."""
        known = self.frameworks.entry_point(said, call.trainer.arguments)
        if known is None and call.script is not None and call.script != said:
            known = self.frameworks.entry_point(file_name(call.script), call.trainer.arguments)
        if known is None:
            return None
        mark = known.configuring.file.get("known_by") if known.configuring is not None else None
        if mark is not None and known.name.endswith(".py"):
            tree = tree_of(call, known.name)
            if tree is None or self.reader(file_name(posixpath.join(tree, mark))) is None:
                return None
        if known.name.endswith(".py"):
            source, near = self.script(call, said)
        else:
            source, near = (known.name if is_module(known.name) else None), self.place
        return self.trainers.entry_point(known, source, near)

    # --- equal calls -------------------------------------------------------------------------------

    def launches(self) -> list[Resolved]:
        """One for each distinct call, in the order in which bash comes to them."""
        groups: dict[object, list[Call]] = {}
        found: dict[object, Geometry] = {}
        for call in self.evaluation.calls:
            trainer = call.trainer
            place = trainer.program.first_origin
            site = (place.source.path, place.start) if place and place.source else None
            words = tuple(self.unknowns.path_key(word.s) for word in trainer.arguments)
            read = tuple(
                (n, self.unknowns.path_key(t.s)) for n, t in call.environment.items() if n in self.frameworks.variables
            )
            shape = geometry(call, self.unit, self.quantities)
            key = (site, call.command, self.unknowns.path_key(trainer.entry_point.s), words, read, shape.key)
            groups.setdefault(key, []).append(call)
            found.setdefault(key, shape)
        return [self.one(calls, found[key]) for key, calls in groups.items()]

    def one(self, calls: list[Call], shape: Geometry) -> Resolved:
        """The launch of calls that differ at most in variables that no setting reads."""
        first = calls[0]
        said = self.unknowns.display(first.trainer.entry_point.s)
        entry = self.entry(first, said)
        words = tuple(self.present(first.trainer.arguments, entry))
        entry = decided(entry, words) if entry is not None else None
        environment, differing = common([call.environment for call in calls], self.unknowns)
        terms = frozenset(term for call in calls for term in call.condition)
        condition = simplified(terms) if len(terms) <= MAX_TERMS else terms
        certain = self.certain(first, condition)
        settings: dict[str, Setting] = {}
        files: frozenset[SourceFile] = frozenset()
        if entry is not None:
            known = {name: text for name, text in first.environment.items() if name not in differing}
            configured = partial(self.configured, first, said, entry, words, known)
            resolver = Resolver(self.unknowns, entry, words, first.environment, added(calls), configured)
            settings = resolver.settings()
            if entry.configuring is not None:
                files = resolver.configured.files
            settings |= self.versions(entry, calls)
        settings = self.shaped(entry, settings, shape)
        for word in (*first.trainer.missing, *words):
            self.note_needs(word)
        command = first.command
        end = max(command.end, command.start + 1)
        location = Location(command.source or self.source, Span(command.start, end))
        program = first.trainer.program.origin or first.trainer.program.first_origin
        trainer = program.location if program is not None else None
        launch = Launch(
            said,
            entry.framework if entry is not None else None,
            first.wrappers + first.trainer.wrappers,
            location,
            trainer or location,
            certain,
            () if certain else told(condition, self.evaluation.session.decisions, self.unknowns),
            tuple(self.argument(word) for word in words),
            self.shown(environment, differing, first),
            settings,
            entry.rules if entry is not None else frozenset(),
        )
        unread = frozenset(what for call in calls for what in call.unread)
        schema = partial(self.schema, first, said)
        return Resolved(
            launch,
            entry,
            words,
            first.environment,
            first.trainer.program,
            condition,
            unread,
            schema,
            bool(self.evaluation.session.forwarded),
            tuple(calls),
            shape,
            files,
        )

    def configured(
        self,
        call: Call,
        said: str,
        entry: EntryPoint,
        words: Sequence[Text],
        environment: Environment,
        resolver: Resolver,
    ) -> Configured:
        """The settings that a trainer's configuration gives. What reads it is loaded only here."""
        from recipelint.recipe.configured.launch import configured

        text = (call.command.source or self.source).text
        command = text[call.command.start : call.command.end]
        wrappers = call.wrappers + call.trainer.wrappers
        return configured(
            entry,
            words,
            Place(
                call.folder,
                tree_of(call, entry.name),
                lambda path: located(path, call.folder, self.unknowns, self.evaluation.session.roots),
                lambda name: file_stands(self.data, wrappers, command, text, name),
            ),
            self.reader,
            self.trainers.documents,
            resolver,
            lambda name: None if self.launchers.is_machine_variable(name) else environment.get(name, EMPTY),
        )

    def shaped(self, entry: EntryPoint | None, settings: dict[str, Setting], shape: Geometry) -> dict[str, Setting]:
        """The settings with the geometry of the launch, and what follows from it.

        A trainer whose workers somebody else starts, or that has options for their number, has a world of its own.
        """
        own = entry is not None and (entry.workers or not {"nodes", "processes_per_node"}.isdisjoint(settings))
        launched = {
            n: one
            for n, one in shape.settings.items()
            if not own or n not in ("nodes", "processes_per_node", "world_size")
        }
        settings = {**settings, **{n: one for n, one in launched.items() if n not in settings}}
        return settings | derived(settings, self.frameworks.vocabulary)

    def schema(self, call: Call, said: str) -> Schema | None:
        """The command line of the call's trainer, if its source stands in the tree, and it is known where."""
        source, near = self.script(call, said)
        return self.trainers.schema(source, near) if source is not None else None

    def script(self, call: Call, said: str) -> tuple[str | None, str | None]:
        """The module or the path that a call runs, if that is the one in the tree, and from where it is looked for."""
        text = (call.command.source or self.source).text
        command = text[call.command.start : call.command.end]
        wrappers = call.wrappers + call.trainer.wrappers
        if not stands(self.data, wrappers, command, text, said):
            return None, None
        if not said.endswith(".py"):
            return said, self.place
        if call.script is None:
            return None, None
        return file_name(call.script), None if call.folder else self.place

    def versions(self, entry: EntryPoint, calls: Sequence[Call]) -> dict[str, Setting]:
        """The revisions of the packages that a trainer runs on."""
        if self.installed is None:
            return {}
        replacing = [call.replacing for call in calls]
        found: dict[str, Setting] = {}
        for package in entry.packages:
            found |= version_settings(self.installed(package), replacing, self.unknowns)
        return found

    def present(self, words: Sequence[Text], entry: EntryPoint | None) -> list[Text]:
        """The words that bash passes as shipped: an unquoted knob that is unset is none, unless a flag waits for it."""
        out: list[Text] = []
        for word in words:
            pieces = list(self.unknowns.pieces(word.s))
            gone = len(pieces) == len(word.s) > 0 and all(
                p.kind is Kind.KNOB and p.many and not p.shipped for p in pieces
            )
            if gone and not self.awaited(out, entry):
                continue
            out.append(word)
        return out

    def awaited(self, before: list[Text], entry: EntryPoint | None) -> bool:
        """Whether the last word is a flag that must have a value."""
        if not before or not before[-1].s.startswith("-") or "=" in before[-1].s:
            return False
        if entry is None:
            return True
        last = entry.uses(before)[-1:]
        if not last or last[0].at != len(before) - 1:
            return True
        return entry.flags[last[0].name].least > 0

    def note_needs(self, word: Text) -> None:
        for piece in self.unknowns.pieces(word.s):
            if is_knob(piece) and piece.name not in ("#", "@"):
                self.required.setdefault("$" + piece.name if piece.name.isdigit() else piece.name)

    # --- words and variables -----------------------------------------------------------------------

    def argument(self, word: Text) -> Argument:
        many = not word.known and any(piece.many for piece in self.unknowns.pieces(word.s))
        return Argument(self.unknowns.display(word.s), not word.known, many, word)

    def shown(self, environment: Environment, differing: frozenset[str], call: Call) -> dict[str, EnvironmentValue]:
        """What the launcher itself sets, and what a setting reads; None for what it takes away."""
        out: dict[str, EnvironmentValue] = {}
        for name, text in environment.items():
            untouched = (
                name in self.env and text.runs and all(o.kind == "environment" and o.knob == name for _, o in text.runs)
            )
            if untouched and name not in self.frameworks.variables:
                continue
            if name in differing:
                out[name] = EnvironmentValue("${" + name + "}", True)
            else:
                out[name] = EnvironmentValue(self.unknowns.display(text.s), not text.known)
        for name in sorted(call.removed):
            machine = self.evaluation.session.commands.is_machine_variable(name)
            if name not in out and (name in self.frameworks.variables or (name in self.env and not machine)):
                out[name] = EnvironmentValue(None)
        return out

    # --- certainty ---------------------------------------------------------------------------------

    def certain(self, call: Call, condition: Condition) -> bool:
        """Whether every path that reaches the end, or a good end behind this launch, has it."""
        at = call.command.start
        ends = [end for end, place in self.evaluation.ends if place is None or place > at]
        return implied([condition], ends)

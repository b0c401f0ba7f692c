"""From launchers to diagnostics: resolve each one, match the rules, and group what they say by the place that decides.

The only module that knows the order of the steps. It holds no state between runs and writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from recipelint.certainty import confidence
from recipelint.checks import Context, findings
from recipelint.commenting import Layouts
from recipelint.contested import contested
from recipelint.diagnostic import Confidence, Diagnostic, Label
from recipelint.finding import diagnostic
from recipelint.ignoring import Sources, not_ignored
from recipelint.packages.installed import Installations
from recipelint.python.files import PythonFile, is_python
from recipelint.recipe.build import Recipes, Resolved, resolve
from recipelint.recipe.entry_point import EntryPoint
from recipelint.recipe.frameworks import Frameworks
from recipelint.recipe.launchers import Launchers
from recipelint.recipe.model import Launcher
from recipelint.recipe.trainers import Trainers
from recipelint.record import NamedTuple
from recipelint.remedy import Match, Remedy
from recipelint.ruleset.load import Ruleset
from recipelint.ruleset.match import MAX_TRIED, Patience, Verdict, judge, render, undecided, value_words
from recipelint.ruleset.schema import Rule
from recipelint.ruleset.select import active, fixable
from recipelint.settings import Settings
from recipelint.shell.session import Reader, Trouble
from recipelint.shell.sightings import Sightings
from recipelint.shell.text import Origin
from recipelint.source import Location, SourceFile, Span
from recipelint.suppress import ignored_in_files
from recipelint.tracking import Track, untracked

MOST_MATCHES = 10_000
"""Rules times launches that are told of one launcher."""


class File(NamedTuple):
    """A file to lint: where it stands in its tree (None: outside of any), how the tree's other files are read, and
    its trainers; in which folder of the tree it is started, and the tree's other names (see `evaluate`)."""

    source: SourceFile
    place: str | None
    reader: Reader
    trainers: Trainers
    cwd: str = ""
    roots: tuple[str, ...] = ()


class Result(NamedTuple):
    """What linting some files together comes to."""

    recipes: tuple[Recipes, ...]
    launchers: tuple[Launcher, ...]
    diagnostics: tuple[Diagnostic, ...]
    hidden: tuple[Diagnostic, ...]
    undecided: tuple[tuple[tuple[object, ...], str, tuple[str, ...]], ...]
    python: tuple[PythonFile, ...] = ()
    commented: tuple[Diagnostic, ...] = ()


class Linter:
    """The rules and the settings of a run; `judged` are the codes that are looked for, on or not."""

    def __init__(self, ruleset: Ruleset, settings: Settings, beyond: frozenset[str] = frozenset()) -> None:
        self.ruleset = ruleset
        self.settings = settings
        self.active = active(ruleset, settings)
        self.judged = self.active | beyond
        self.fixable = fixable(ruleset, settings)
        named = {"automodel": (settings.automodel, dict(settings.origins).get("automodel", "automodel"))}
        self.installations = Installations(ruleset.packages, named if settings.automodel else {})
        self.frameworks = Frameworks(ruleset.frameworks, ruleset.settings, ruleset.heads)
        self.launchers = Launchers(ruleset.launchers, self.frameworks.watched, self.installations.replacing)
        self.rules = [rule for code, rule in sorted(ruleset.rules.items()) if code in self.judged and not rule.builtin]
        self.own = frozenset(code for code, rule in ruleset.rules.items() if rule.file and not rule.builtin)
        self.env = dict(settings.env)

    # --- steps -------------------------------------------------------------------------------------

    def resolve(self, file: File, env: Mapping[str, str] | None = None, sightings: Sightings | None = None) -> Recipes:
        """What one launcher does; in an environment ENV other than that of the settings. SIGHTINGS as for evaluate."""
        return resolve(
            file.source,
            file.place,
            self.launchers,
            file.reader,
            file.trainers,
            self.env if env is None else env,
            self.settings.args,
            lambda name: self.installations.of(name, file.place, file.reader),
            file.cwd,
            file.roots,
            sightings,
        )

    def launcher(self, recipes: Recipes, further: Sequence[Trouble] = ()) -> Launcher:
        """A launcher for reports; FURTHER is what kept rules from being judged."""
        troubles = [self.trouble(trouble, recipes.source) for trouble in (*recipes.evaluation.troubles, *further)]
        followed = tuple(s for s in recipes.evaluation.session.followed.values() if s.path != recipes.source.path)
        launches = tuple(resolved.launch for resolved in recipes.resolved)
        if self.own:
            launches = tuple(one._replace(rules=one.rules | self.own) if one.framework else one for one in launches)
        complete = all(trouble.code == "SH004" for trouble in (*recipes.evaluation.troubles, *further))
        return Launcher(recipes.source, complete, tuple(troubles), launches, recipes.needs, followed)

    def lint(
        self,
        files: Sequence[File],
        linted: frozenset[str],
        ignores: Callable[[str], frozenset[str]],
        track: Track = untracked,
        stage: str = "",
        resolve: Callable[[File], Recipes] | None = None,
    ) -> Result:
        """All steps for files that belong together. LINTED are the paths whose text may be changed.

        The files go through TRACK, as the STAGE of the run that this is; RESOLVE stands for the method of that name.
        """
        work = self.resolve if resolve is None else resolve
        python = tuple(
            PythonFile(file.source, file.place, file.reader)
            for file in files
            if is_python(file.source.path, file.source.data)
        )
        known = {id(file.source) for file in python}
        recipes = tuple(work(file) for file in track(stage, files) if id(file.source) not in known)
        return self.report(recipes, python, linted, ignores, track)

    def report(
        self,
        recipes: tuple[Recipes, ...],
        python: tuple[PythonFile, ...],
        linted: frozenset[str],
        ignores: Callable[[str], frozenset[str]],
        track: Track = untracked,
    ) -> Result:
        """Diagnostics for resolved launchers, and for Python files."""
        layouts = Layouts(unit for one in recipes for unit in one.evaluation.session.units)
        matches, short = self.matches(recipes)
        launchers = tuple(self.launcher(one, short.get(id(one), ())) for one in recipes)
        found = [d for launcher in launchers for d in launcher.diagnostics if d.code in self.judged]
        found += self.findings(recipes, matches, linted, layouts, track)
        found += self.checked(recipes, python, linted, layouts)
        found = contested(list({(d.code, d.location.key, d.message): d for d in found}.values()))
        sources = {one.source.path: one.source for one in recipes}
        for one in recipes:
            sources.update({s.path: s for s in one.evaluation.session.followed.values() if s.path in linted})
        kept = not_ignored(found, Sources(sources, layouts, python), self.ruleset, self.active)
        commented = _without(found, kept)
        kept = [d for d in kept if d.code in self.active and not ignored_in_files(d, ignores)]
        hidden = _without(found, kept)
        diagnostics = tuple(sorted(map(self.offered, kept), key=lambda d: d.sort_key))
        return Result(recipes, launchers, diagnostics, hidden, self.undecided(recipes), python, commented)

    def offered(self, diagnostic: Diagnostic) -> Diagnostic:
        """The diagnostic; its fix is only shown where the settings do not want the fixes of its rule."""
        if diagnostic.fix is None or diagnostic.code in self.fixable:
            return diagnostic
        return diagnostic.held(f"the fix is only shown: {diagnostic.code} is not among the rules to fix")

    def undecided(self, recipes: tuple[Recipes, ...]) -> tuple[tuple[tuple[object, ...], str, tuple[str, ...]], ...]:
        """The launches for which an unknown setting keeps a rule from a verdict.

        How many processes there are is often the machine's alone; a rule that needs it is then not spoken of.
        """
        machines = {name for name, facts in self.ruleset.settings.items() if "launch" in facts or "derived" in facts}
        return tuple(
            (resolved.launch.key, rule.code, names)
            for one in recipes
            for patience in (Patience(),)
            for resolved in one.resolved
            for rule in self.rules
            if holds(rule, resolved.entry)
            and (names := undecided(rule, resolved.launch.settings, patience))
            and machines.isdisjoint(names)
        )

    def trouble(self, trouble: Trouble, launcher: SourceFile) -> Diagnostic:
        """SH001, SH002 or SH004; one in a text that no file holds stands at the launcher's start."""
        rule = self.ruleset.rules[trouble.code]
        origin = trouble.origin
        source, start, end = (launcher, 0, 0) if origin.source is None else (origin.source, origin.start, origin.end)
        return Diagnostic(
            rule.code,
            rule.name,
            rule.severity,
            Confidence.CERTAIN,
            Location(source, Span(start, max(start, end))),
            rule.message.format(reason=trouble.reason, budget=trouble.reason),
            help=rule.help,
            url=rule.url,
        ).bounded()

    # --- matching ----------------------------------------------------------------------------------

    def matches(self, recipes: tuple[Recipes, ...]) -> tuple[list[Match], dict[int, list[Trouble]]]:
        """Every launch for which a rule holds, or may hold; and what kept rules from being judged, by launcher."""
        out: list[Match] = []
        short: dict[int, list[Trouble]] = {}
        for one in recipes:
            sites: dict[object, list[Resolved]] = {}
            for resolved in one.resolved:
                sites.setdefault(resolved.launch.trainer.key, []).append(resolved)
            patience = Patience()
            before = len(out)
            for rule in self.rules:
                judged = {id(r): judge(rule, r.launch.settings, patience) for r in one.resolved if holds(rule, r.entry)}
                verdicts = {id(r): judged.get(id(r), (rule, Verdict.NO))[1] for r in one.resolved}
                out += [
                    Match(
                        judged[id(resolved)][0],
                        one,
                        resolved,
                        confidence(one, resolved, sites[resolved.launch.trainer.key], verdicts),
                    )
                    for there in sites.values()
                    for resolved in there
                    if verdicts[id(resolved)] is not Verdict.NO
                ]
            if patience.short:
                short.setdefault(id(one), []).append(budget(f"{MAX_TRIED} values for rules", one))
            if len(out) - before > MOST_MATCHES:
                del out[before + MOST_MATCHES :]
                short.setdefault(id(one), []).append(budget(f"{MOST_MATCHES} findings", one))
        return out, short

    def findings(
        self,
        recipes: tuple[Recipes, ...],
        matches: Sequence[Match],
        linted: frozenset[str],
        layouts: Layouts,
        track: Track = untracked,
    ) -> list[Diagnostic]:
        """One diagnostic for each rule and deciding place."""
        groups: dict[tuple[str, tuple[str, int, int]], list[Match]] = {}
        for one in matches:
            groups.setdefault((one.rule.code, one.place.key), []).append(one)
        remedy = Remedy(recipes, linted, layouts)
        return [self.diagnostic(group, remedy) for group in track("Preparing fixes", list(groups.values()))]

    def diagnostic(self, group: list[Match], remedy: Remedy) -> Diagnostic:
        group.sort(key=lambda m: (m.confidence is Confidence.POSSIBLE, -m.rule.severity))
        first = group[0]
        rule, settings = first.rule, first.resolved.launch.settings
        location = first.place
        related: dict[object, Label] = {}
        said = ""
        for label in rule.labels:
            setting = settings.get(label.setting)
            text = render(label.text, settings) if label.text else f"{label.setting} is decided here"
            if label.setting == first.primary:
                said = text
                if setting is not None and setting.location is None:
                    said = f"{label.setting} is {value_words(setting)} here: {setting.detail}"
                continue
            if setting is not None and setting.location is not None:
                related.setdefault((setting.location.key, text), Label(setting.location, text))
        for one in group:
            launch = one.resolved.launch
            related.setdefault(launch.location.key, Label(launch.location, f"{launch.entry_point} is launched here"))
        fix, note = remedy.fix(group)
        notes = [text for text in (note, render(rule.note, settings)) if text]
        if first.confidence is Confidence.POSSIBLE and first.resolved.launch.when:
            notes.insert(0, first.resolved.launch.condition)
        if first.resolved.unread:
            notes.insert(0, f"unless it is changed by {', '.join(sorted(first.resolved.unread))}, which cannot be read")
        return Diagnostic(
            rule.code,
            rule.name,
            rule.severity,
            first.confidence,
            location,
            render(rule.message, settings),
            said,
            render(rule.help, settings),
            rule.url,
            tuple(related.values()),
            fix,
            "; ".join(notes),
            tuple(one.resolved.launch.key for one in group),
            tuple((one.resolved.launch.location.path, one.resolved.launch.location.span.start) for one in group),
        ).bounded()

    # --- checks ------------------------------------------------------------------------------------

    def checked(
        self,
        recipes: tuple[Recipes, ...],
        python: tuple[PythonFile, ...],
        linted: frozenset[str],
        layouts: Layouts,
    ) -> list[Diagnostic]:
        """What the checks of builtin rules find."""
        context = Context(recipes, self.ruleset, self.judged, linted, layouts, python, self.installations)
        return [diagnostic(one, self.ruleset, linted) for one in findings(context)]


def holds(rule: Rule, entry: EntryPoint | None) -> bool:
    """Whether a rule is known to hold for a trainer: a team's own does for each that a framework file describes."""
    return entry is not None and (bool(rule.file) or rule.code in entry.rules)


def _without(found: Sequence[Diagnostic], kept: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Those of the diagnostics that were not kept."""
    left = {id(d) for d in kept}
    return tuple(d for d in found if id(d) not in left)


def budget(what: str, recipes: Recipes) -> Trouble:
    """The trouble of a launcher of whose launches not all could be judged, at the first of them."""
    location = recipes.resolved[0].launch.location
    return Trouble("SH002", what, Origin(location.source, *location.span))

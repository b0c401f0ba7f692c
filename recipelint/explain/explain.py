"""Answers for lines: what each decides in the launches of the file's users, what it has a say in, and what it is."""

from __future__ import annotations

from collections.abc import Sequence

from recipelint.diagnostic import Diagnostic
from recipelint.explain.configuration import AskedConfiguration
from recipelint.explain.parts import decided, voided
from recipelint.explain.place import Place, span_of
from recipelint.explain.program import found
from recipelint.explain.remarks import remarks
from recipelint.explain.trial import Trial
from recipelint.explain.users import NoSuchPlace, Users
from recipelint.explain.variants import variants
from recipelint.explanation import Explanation, Explanations, Say
from recipelint.outcome import Unreadable
from recipelint.recipe.configured.options import ENDINGS
from recipelint.settings import Settings
from recipelint.source import Span


def explain(places: Sequence[Place], settings: Settings, launchers: Sequence[str] = ()) -> Explanations:
    """What there is to say of each place. LAUNCHERS are files and folders to look for users of its file in."""
    asked: dict[str, Asked | AskedConfiguration] = {}

    def answer(place: Place) -> Explanation | Unreadable:
        try:
            if place.path not in asked:
                kind = AskedConfiguration if place.path.endswith(ENDINGS) else Asked
                asked[place.path] = kind(place.path, settings, launchers)
            return asked[place.path].at(place)
        except NoSuchPlace as error:
            return Unreadable(place.path, str(error))

    answers = [answer(place) for place in places]
    return Explanations(
        tuple(one for one in answers if isinstance(one, Explanation)),
        tuple(one for one in answers if isinstance(one, Unreadable)),
    )


class Asked:
    """The answers for one file. Raises NoSuchPlace."""

    def __init__(self, path: str, settings: Settings, launchers: Sequence[str]) -> None:
        self.users = Users(path, settings, launchers)
        self.source = self.users.source
        self._found: tuple[Diagnostic, ...] | None = None

    @property
    def found(self) -> tuple[Diagnostic, ...]:
        """What the linter finds in the file and its users."""
        if self._found is None:
            run = self.users.run
            self._found = run.outcome(run.lint({})).diagnostics
        return self._found

    def at(self, place: Place) -> Explanation:
        """What there is to say of one place of the file."""
        span = span_of(self.source, place)
        users = self.users.recipes
        programs = [
            (one.evaluation.session, list(found(one.evaluation.session, self.source))) for one in users.values()
        ]
        trial = Trial(self.users, variants((node for _, nodes in programs for node in nodes), self.source, span))
        says = tuple(self.says(span, trial))
        told = [f"if it were otherwise, there would be a launch of {name}" for name in sorted(trial.fresh)]
        line = self.source.line_span(place.line)
        said = remarks(self.source, place.line, line, programs, effective=bool(says or told))
        said += told
        if trial.cut:
            said.append("more depends on it than was tried out")
        if not any(one.resolved for one in users.values()):
            said.append("nothing is launched through this file")
        return Explanation(
            place.path,
            place.line,
            place.column,
            self.source.line_text(place.line),
            says,
            tuple(said),
            tuple(path for path, recipes in users.items() if path != place.path or recipes.resolved),
            tuple(
                one
                for one in self.found
                if one.location.path == place.path
                and one.location.start.line <= place.line <= max(one.location.start.line, one.location.end.line)
            ),
        )

    def says(self, span: Span, trial: Trial) -> list[Say]:
        """The launches that a stretch of the file has a say in."""
        out: list[Say] = []
        for path, recipes in self.users.recipes.items():
            for at, resolved in enumerate(recipes.resolved):
                args, last = self.users.arguments(path, at), voided(resolved)
                parts = decided(resolved, self.source, span, last, args)
                mine = {part[:3] for part in parts}
                also = [part for part in trial.parts(resolved, last, args) if part[:3] not in mine]
                if parts or also:
                    out.append(Say(path, resolved.launch, tuple(parts), tuple(also)))
        return out

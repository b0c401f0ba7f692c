"""What may be changed for a finding: its fix, if the fixed text is what the fix declares, and all safe fixes of a file.

A fix is judged as `recipelint --fix` judges it: made in the mind, linted again, and withdrawn if anything else differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher

from recipelint.diagnostic import Diagnostic
from recipelint.fix import Applicability, Edit
from recipelint.fixer import Fixer, Outcome
from recipelint.ignore_places import Places
from recipelint.server.analysis import Judged
from recipelint.server.live import Live, Pathless
from recipelint.silencer import Silencer


class Verified:
    """The fixes of one lint that were judged, each once."""

    def __init__(self) -> None:
        self._edits: dict[object, tuple[object, tuple[Edit, ...]]] = {}
        self._fixed: dict[object, tuple[object, tuple[Edit, ...]]] = {}

    def edits(self, live: Live, diagnostic: Diagnostic) -> tuple[Edit, ...]:
        """The edits of a diagnostic's fix; none if it has no fix that holds."""
        if diagnostic.fix is None or diagnostic.fix.applicability is Applicability.DISPLAY:
            return ()
        result = live.lint({})
        key = (id(live), diagnostic.code, diagnostic.location.key)
        known = self._edits.get(key)
        if known is None or known[0] is not result:
            known = self._edits[key] = (result, attempt(live, diagnostic))
        return known[1]

    def ignoring(self, live: Live, diagnostic: Diagnostic) -> tuple[Edit, ...]:
        """The edits that write a comment which ignores a finding; none if there is no place for it that does."""
        result = live.lint({})
        key = ("ignore", id(live), diagnostic.code, diagnostic.location.key)
        known = self._edits.get(key)
        if known is None or known[0] is not result:
            known = self._edits[key] = (result, ignored(live, diagnostic))
        return known[1]

    def all_safe(self, one: Judged) -> tuple[Edit, ...]:
        """The edits that `recipelint --fix` would make in a document alone."""
        result = one.live.lint({})
        key = (id(one.live), one.name)
        known = self._fixed.get(key)
        if known is None or known[0] is not result:
            known = self._fixed[key] = (result, fixed(one))
        return known[1]


def originals(live: Live) -> Mapping[str, bytes]:
    return {path: source.data for path, source in live.originals.items()}


def attempt(live: Live, diagnostic: Diagnostic) -> tuple[Edit, ...]:
    """The edits of one fix, if it verifies by itself."""
    assert diagnostic.fix is not None
    unsafe = diagnostic.fix.applicability is Applicability.UNSAFE
    outcome = Outcome(live.lint({}))
    Fixer(live.linter, live.lint, originals(live), unsafe).settle(outcome, [diagnostic], {})
    return diagnostic.fix.edits if outcome.made else ()


def ignored(live: Live, diagnostic: Diagnostic) -> tuple[Edit, ...]:
    """A comment at the first place at which it hides the finding, or with it others of its rule, and nothing else."""
    silencer = Silencer(live.linter, live.lint, live.originals, "", lambda found: found)
    places = Places(live.originals)
    alike = [one for one in live.lint({}).diagnostics if one.code == diagnostic.code]
    mine = [one for one in alike if one.location.key == diagnostic.location.key]
    for spot in places.of(diagnostic):
        together = [one for one in alike if spot in places.of(one)]
        if any(silencer.attempt([(spot, tuple(group))]) for group in (mine, together)):
            return tuple(edit for edits in silencer.edits(silencer.kept).values() for edit in edits)
    return ()


def fixed(one: Judged) -> tuple[Edit, ...]:
    """All safe fixes of one document, as the edits that lead to the text that is left."""
    data = one.document.data
    kind = Pathless if isinstance(one.live, Pathless) else Live
    alone = kind(one.live.linter, one.live.settings)
    alone.update({one.name: data}, one.live.open)
    outcome = Fixer(alone.linter, alone.lint, originals(alone), unsafe=False).run()
    return difference(one.name, data, outcome.contents.get(one.name, data))


def difference(path: str, before: bytes, after: bytes) -> tuple[Edit, ...]:
    """The edits, of whole lines, that make one text another."""
    if before == after:
        return ()
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    return tuple(
        Edit(path, starts[low], starts[high], b"".join(new[start:end]))
        for tag, low, high, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if tag != "equal"
    )

"""Rules tried on their examples and cases: each laid out as a tree of its own, and linted there.

Noisy: fired where nothing is wrong; Missing: silent where something is; Wrong: not at that place, or not that fix.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import unified_diff

from recipelint.diagnostic import Diagnostic
from recipelint.discovery import discover
from recipelint.fix import Applicability
from recipelint.outcome import Outcome, Unreadable
from recipelint.ruleset.cases import Case, Failure
from recipelint.ruleset.load import Ruleset
from recipelint.run import check
from recipelint.settings import Settings

READING = "SH"
"""The rules about what cannot be read are always on: a launcher that is misspelt proves nothing."""


def lay_out(case: Case, tree: str, text: bytes | None = None) -> str:
    """Write the files of a case below TREE, the file at its path with another TEXT if given; the path of that one."""
    for name, content in {**case.files, case.path: case.text if text is None else text}.items():
        path = os.path.join(tree, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
    return os.path.join(tree, case.path)


def tried(case: Case, ruleset: Ruleset) -> Failure | None:
    """How a rule of the ruleset fails a case; None if it does not. The tree is a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="recipelint-") as tree, working_in(tree):
        os.mkdir(".git")  # the tree ends here, wherever temporary folders are
        return Trial(case, ruleset).failure()


@contextmanager
def working_in(folder: str) -> Iterator[None]:
    """With FOLDER as the working directory: paths in messages are relative to it."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


class Trial:
    """A case in the working directory."""

    def __init__(self, case: Case, ruleset: Ruleset) -> None:
        self.case = case
        self.ruleset = ruleset

    def failure(self) -> Failure | None:
        """What is wrong first."""
        lay_out(self.case, ".")
        outcome = self.lint(fix=self.case.quiet)
        for path, reason in outcome.unreadable:
            return Failure("Wrong", f"{path}: {reason}")
        if self.case.quiet:
            return self._noise(outcome)
        return self._missing(outcome) or (self._unfixed() if self.case.after else self._changed())

    def lint(self, *, fix: bool = False, unsafe: bool = False) -> Outcome:
        """What is found now."""
        settings = Settings(
            paths=self.case.paths,
            select=(self.case.rule.code, READING),
            fix=fix,
            unsafe_fixes=unsafe,
            automodel=self.case.automodel,
        )
        files, unreadable, _ = discover(settings)
        outcome = check(settings, files, self.ruleset)
        return outcome._replace(unreadable=(*(Unreadable(*one) for one in unreadable), *outcome.unreadable))

    # --- what is found -----------------------------------------------------------------------------

    def _noise(self, outcome: Outcome) -> Failure | None:
        if outcome.diagnostics:
            return Failure("Noisy", f"{_found(outcome.diagnostics[0])}, and nothing is wrong there")
        if outcome.fixed or self.text() != self.case.text:
            return Failure("Noisy", "--fix changes it, and nothing is wrong there", self.difference(self.case.text))
        return None

    def _missing(self, outcome: Outcome) -> Failure | None:
        code = self.case.rule.code
        mine = [one for one in outcome.diagnostics if one.code == code]
        others = [one for one in outcome.diagnostics if one.code != code]
        if not mine:
            also = f"; but {_found(others[0])}: {others[0].message}" if others else ""
            return Failure("Missing", f"nothing is found{also}")
        if len(outcome.diagnostics) > 1:
            second = (others or mine[1:])[0]
            return Failure("Noisy", f"{_found(second)} as well: {second.message}")
        return self._wrong(mine[0])

    def _wrong(self, found: Diagnostic) -> Failure | None:
        case = self.case
        path, line = found.location.path.removeprefix("./"), found.location.start.line
        lines = " or ".join(map(str, case.lines))
        if path != case.path or line not in case.lines:
            where = f"line {line}" if path == case.path else f"{path}:{line}"
            return Failure("Wrong", f"the finding stands on {where}, not on line {lines}")
        if case.confidence not in (None, found.confidence.value):
            return Failure("Wrong", f"the finding is {found.confidence.value}, not {case.confidence}")
        severity = case.severity or case.rule.severity.word
        if found.severity.word != severity:
            return Failure("Wrong", f"the severity is {found.severity.word}, not {severity}")
        said = "\n".join([found.message, found.note, *(f"{one.location.path}: {one.text}" for one in found.related)])
        unsaid = [text for text in case.says if text not in said]
        if unsaid:
            return Failure("Wrong", f'it does not say "{unsaid[0]}", but: {found.message}')
        if case.note and (found.fix is not None or not found.note):
            return Failure(
                "Wrong", "there is a fix" if found.fix is not None else "there is no word on why it is not fixed"
            )
        return None

    # --- what is fixed -----------------------------------------------------------------------------

    def _changed(self) -> Failure | None:
        """Why a case without a fixed text does not stay as it is."""
        outcome = self.lint(fix=True)
        if self.text() != self.case.text:
            return Failure("Wrong", "--fix changes it, and no fixed text is recorded", self.difference(self.case.text))
        return None if outcome.diagnostics else Failure("Wrong", "the finding is gone after --fix")

    def _unfixed(self) -> Failure | None:
        """Why the fixed text is not the recorded one."""
        case = self.case
        unsafe = case.rule.fix is not None and case.rule.fix.applicability is Applicability.UNSAFE
        if unsafe and self.lint(fix=True).changes:
            return Failure("Wrong", "--fix changes it without --unsafe-fixes", self.difference(case.text))
        outcome = self.lint(fix=True, unsafe=unsafe)
        fixed = self.text()
        if fixed not in case.after:
            why = f" ({outcome.diagnostics[0].note})" if outcome.diagnostics and outcome.diagnostics[0].note else ""
            what = f"leaves it as it is{why}" if fixed == case.text else "makes another text of it"
            return Failure("Wrong", f"--fix {what}", self.difference(case.after[0]))
        if bool(outcome.diagnostics) != (fixed == case.text):
            found = _found(outcome.diagnostics[0]) if outcome.diagnostics else "nothing is found"
            return Failure("Wrong", f"{found} after --fix")
        for name, content in case.files.items():
            if _read(name) != content:
                return Failure("Wrong", f"--fix changes {name}")
        if self.lint(fix=True, unsafe=unsafe).changes:
            return Failure("Wrong", "--fix a second time changes it again", self.difference(fixed))
        return None

    def text(self) -> bytes:
        """The file of the case as it is now."""
        return _read(self.case.path)

    def difference(self, wanted: bytes) -> tuple[str, ...]:
        """From the text that is recorded to the text that there is."""
        old, new = (data.decode("utf-8", "replace").splitlines() for data in (wanted, self.text()))
        return tuple(unified_diff(old, new, "recorded", "made", lineterm=""))


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _found(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.code} is found on line {diagnostic.location.start.line}"

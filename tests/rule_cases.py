"""The cases of `tests/rules/*.yaml`, and the examples of the rules, as the program itself reads a team's."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from recipelint import trying
from recipelint.ruleset.cases import Case, example_cases, file_cases
from recipelint.ruleset.document import read
from recipelint.ruleset.load import load_folder

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "tests" / "rules"
RULES = load_folder(ROOT / "rules")

TRAINER = {
    path.relative_to(ROOT / "tests/fixtures/molt").as_posix(): path.read_bytes()
    for path in sorted((ROOT / "tests/fixtures/molt/molt/cli").glob("*.py"))
}
"""The trainer that stands in the trees of rules about its command line."""


@dataclass(frozen=True)
class Cases:
    """All cases, by what is asked of them. `noops` are right already; `fixes` have an `after`."""

    valid: tuple[Case, ...]
    invalid: tuple[Case, ...]
    fixes: tuple[Case, ...]
    noops: tuple[Case, ...]


def collect() -> Cases:
    """The cases of every file, then the examples of every rule."""
    found: list[Case] = []
    for path in sorted(CASES.glob("*.yaml")):
        found += file_cases(read(path.name, path.read_bytes()), RULES.rules)
    for rule in RULES.rules.values():
        found += example_cases(rule)
    found = [replace(c, files={**TRAINER, **c.files}) if c.rule.family == "arguments" else c for c in found]
    kinds = ("valid", "invalid", "fix", "noop")
    return Cases(*(tuple(case for case in found if case.kind == kind) for kind in kinds))


def lay_out(case: Case, tree: Path, text: bytes | None = None) -> Path:
    """Write the files of a case below TREE; the path of the one that it is about."""
    return Path(trying.lay_out(case, str(tree), text))

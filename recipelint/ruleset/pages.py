"""The folder docs/rules: a page for each rule, and the index by family; written, or checked for drift."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path

from recipelint.ruleset import keys
from recipelint.ruleset.load import Ruleset, load
from recipelint.ruleset.page import page
from recipelint.ruleset.schema import Rule

INDEX = "README.md"


def pages(ruleset: Ruleset) -> dict[str, str]:
    """Every file of docs/rules by its name."""
    found = {f"{rule.code}.md": page(rule, ruleset) for rule in ruleset.rules.values()}
    return {INDEX: "\n".join(_index(ruleset)) + "\n", **found}


def _index(ruleset: Ruleset) -> Iterator[str]:
    yield "# Rules"
    yield ""
    yield "Made from the files in `rules/` by `python -m recipelint.ruleset.page docs/rules`. `recipelint rule CODE`"
    yield "prints a page, `recipelint rule --all --output-format json` all of them for a program. Each can be selected"
    yield "and ignored by its code, its name, a prefix of the code (`EP`) or its family (`moe`). A team can add"
    yield "[rules of its own](../own-rules.md)."
    by_family = sorted(ruleset.rules.values(), key=lambda rule: (rule.family, rule.code))
    for family, rules in groupby(by_family, key=lambda rule: rule.family):
        yield ""
        yield f"## {family}"
        yield ""
        yield "| code | name | severity | status | fix | what |"
        yield "|---|---|---|---|---|---|"
        yield from map(_row, rules)
    for title, words in (
        ("Severity", keys.SEVERITIES),
        ("Status", keys.STATUSES),
        ("Fix", keys.APPLICABILITIES),
    ):
        yield ""
        yield f"## {title}"
        yield ""
        yield from (f"- {word}: {about}" for word, about in words.items())
    yield ""
    yield "What a release may change of all this is in [versioning.md](../versioning.md)."


def _row(rule: Rule) -> str:
    fix = rule.fix.applicability.word if rule.fix else ""
    cells = (f"[{rule.code}]({rule.code}.md)", rule.name, rule.severity.word, rule.standing, fix, rule.summary)
    return f"| {' | '.join(cells)} |"


def drift(folder: Path, wanted: Mapping[str, str]) -> list[str]:
    """The files of a folder that are not as wanted: missing, changed, or left over."""
    present = {path.name: path.read_text("utf-8") for path in folder.glob("*.md")} if folder.is_dir() else {}
    return sorted(name for name in present.keys() | wanted.keys() if present.get(name) != wanted.get(name))


def main(arguments: list[str]) -> int:
    """Write the pages to a folder; with --check only say which are not as they should be, and exit with 1."""
    folder = Path(arguments[-1]) if arguments and not arguments[-1].startswith("-") else None
    if folder is None or arguments[:-1] not in ([], ["--check"]):
        print("usage: python -m recipelint.ruleset.page [--check] FOLDER", file=sys.stderr)
        return 2
    wanted = pages(load())
    stale = drift(folder, wanted)
    if arguments[0] == "--check":
        for name in stale:
            print(f"{folder / name} is not what the rules say; run python -m recipelint.ruleset.page {folder}")
        return 1 if stale else 0
    folder.mkdir(parents=True, exist_ok=True)
    for name in stale:
        if name in wanted:
            (folder / name).write_text(wanted[name], encoding="utf-8", newline="\n")
        else:
            (folder / name).unlink()
    return 0

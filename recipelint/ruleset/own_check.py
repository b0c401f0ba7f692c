"""A team's rules read file by file, so that every file that is wrong is named, and the others can still be tried."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from recipelint.ruleset.cases import Case, example_cases, file_cases
from recipelint.ruleset.document import Node, RuleError
from recipelint.ruleset.heading import CODE
from recipelint.ruleset.load import Ruleset
from recipelint.ruleset.own import MAX_NODES, Joining, parsed
from recipelint.ruleset.own_files import CASES, RULE, OwnFile, contents, named_code
from recipelint.ruleset.schema import Rule


class RuleCases(NamedTuple):
    """A rule of a team, and all that it is tried on."""

    rule: Rule
    examples: tuple[Case, ...]
    cases: tuple[Case, ...]


class Reading(NamedTuple):
    """What the folders of a team hold: the rules that can be used, by code, and what is wrong with the other files."""

    ruleset: Ruleset
    rules: tuple[RuleCases, ...]
    errors: tuple[RuleError, ...]


def read_own(base: Ruleset, paths: Sequence[str], limit: str | None, origin: str = "") -> Reading:
    """The rules of some folders, with their cases.

    Raises RuleError where a folder, given by ORIGIN, is wrong, or what all rules share.
    """
    errors: list[RuleError] = []
    documents: list[tuple[OwnFile, Node]] = []
    left = MAX_NODES
    broken: set[object] = set()
    for file, data in contents(paths, limit, cases=True, origin=origin).files:
        wrong = len(errors)
        with _kept(errors):
            documents += parsed(((file, data),), left)
            left -= len(documents[-1][1].lines)
        if len(errors) > wrong and file.kind == RULE:
            broken.update(_codes(file.path, data))
    joining = Joining(base, documents)
    read: dict[str, Node] = {}
    for document in joining.of(RULE):
        with _kept(errors):
            read[joining.add(document).code] = document
    cases: dict[str, list[Case]] = {code: [] for code in read}
    broken |= {one.value.get("code") for one in joining.of(RULE)} - read.keys()
    for document in joining.of(CASES):
        if document.value.get("rule") in broken:
            continue  # one error for one fault
        with _kept(errors):
            found = file_cases(document, joining.rules)
            cases[found[0].rule.code] += found
    rules = tuple(
        RuleCases(joining.rules[code], tuple(example_cases(joining.rules[code], document)), tuple(cases[code]))
        for code, document in sorted(read.items())
    )
    return Reading(joining.ruleset(), rules, tuple(sorted(errors, key=lambda one: (one.path, one.line))))


def _codes(path: str, data: bytes) -> set[str]:
    """The codes that a rule file which cannot be parsed may be of: as its name says, and its text."""
    found = re.findall(rb"""^code:[ \t]*["']?(%s)\b""" % CODE.encode(), data, re.MULTILINE)
    return {named_code(path), *(code.decode() for code in found)}


@contextmanager
def _kept(errors: list[RuleError]) -> Iterator[None]:
    """What is wrong with one file is kept, and the others are gone on with."""
    try:
        yield
    except RuleError as error:
        errors.append(error)

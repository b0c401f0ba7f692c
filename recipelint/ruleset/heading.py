"""The checks of a rule's head: its code, its name and its file, whoever writes it.

A code of a team is never one that this program has, nor one that a prefix of this program's codes would select.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from recipelint.ruleset.document import Node
from recipelint.ruleset.keys import SEVERITIES, STATUSES

CODE = "[A-Z]{2,5}[0-9]{3}"
NAME = "[a-z][a-z0-9]*(-[a-z0-9]+)+"
FAMILY = "[a-z][a-z0-9_]*"
VERSION = r"[0-9]+\.[0-9]+\.[0-9]+"
NEVER_OURS = "X|TEAM"
"""How a prefix begins that this program never takes for rules of its own."""
SUFFIXES = (".yaml", ".yml")


class Taken(NamedTuple):
    """What a team's rules must leave alone: the codes and the names of this program, by code."""

    names: Mapping[str, str]

    def code_problem(self, code: str) -> str:
        """Why a team cannot have a code; empty if it can."""
        prefix = code.rstrip("0123456789")
        for ours in sorted({one.rstrip("0123456789") for one in self.names}):
            if prefix == ours:
                return f"{code}: codes that begin with {ours} are recipelint's own; take another prefix, as in TEAM001"
            if prefix.startswith(ours) or ours.startswith(prefix):
                return f"{code}: {prefix} and recipelint's own {ours} would be selected together; take another prefix"
        return ""

    def name_problem(self, name: str) -> str:
        """Why a team cannot have a name; empty if it can."""
        code = next((code for code, ours in self.names.items() if ours == name), None)
        return f"{name} is the name of recipelint's {code}" if code else ""


def code_problem(code: str) -> str:
    """Why a word is no code; empty if it is one."""
    return "" if re.fullmatch(CODE, code) else f'"{code}" is no code: two to five capitals and three digits'


def name_problem(name: str) -> str:
    """Why a word is no name of a rule; empty if it is one."""
    return "" if re.fullmatch(NAME, name) else f'"{name}" is no name: two or more lower-case words, joined by hyphens'


def family_problem(family: str) -> str:
    """Why a word is no family; empty if it is one."""
    return "" if re.fullmatch(FAMILY, family) else f'"{family}" is no family: a word in lower case'


def check_head(rule: Node, taken: Taken | None) -> None:
    """Raises RuleError for the first thing that is wrong. TAKEN is given for a rule of a team."""
    code, name, family = rule["code"].text(), rule["name"].text(), rule["family"].text()
    _refuse(rule["code"], code_problem(code) or (taken.code_problem(code) if taken else _ours_never(code)))
    _refuse(rule["name"], name_problem(name) or (taken.name_problem(name) if taken else ""))
    _refuse(rule["family"], family_problem(family))
    wanted = f"{code}-{name}"
    if taken is None and not rule.file.endswith(f"{family}/{wanted}.yaml"):
        rule["code"].fail(f"the file must be {family}/{wanted}.yaml")
    if rule.file.rpartition("/")[2] not in [wanted + suffix for suffix in SUFFIXES]:
        rule["code"].fail(f"the file must be called {wanted}.yaml")
    rule["status"].word(STATUSES)
    if not re.fullmatch(VERSION, rule["since"].text()):
        rule["since"].fail("since must be a version")
    rule["severity"].word(SEVERITIES)
    rule["summary"].one_line()
    rule["why"].text()
    if "default" in rule:
        rule["default"].word({"on", "off"})
    if "url" in rule:
        rule["url"].link()


def _refuse(node: Node, problem: str) -> None:
    if problem:
        node.fail(problem)


def _ours_never(code: str) -> str:
    return f"{code}: such a prefix is left to teams" if re.match(NEVER_OURS, code) else ""

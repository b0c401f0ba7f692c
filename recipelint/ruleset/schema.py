"""A rule: when it holds, what to say, how to fix it, why, and examples.

Made from plain values that `check` has accepted, be they fresh from YAML or from the compiled index. Small parts are
named tuples: a dataclass takes eight times as long to define, on every start.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from recipelint.diagnostic import Severity
from recipelint.fix import Applicability

BUILTIN = "builtin"
"""The `when` of a rule whose finding is made by the program: its file only says what, why and how to go on."""

COMMENT_MARK = "@comment"
"""Stands, indented, for the lines of a fix's comment in an expected result."""

OPERATORS = (
    "equals",
    "one_of",
    "greater_than",
    "less_than",
    "at_least",
    "at_most",
    "divides",
    "present",
    "absent",
)

Operand = int | str | bool | tuple[int | str, ...]


class Reference(NamedTuple):
    """The value of another setting, as an operand."""

    setting: str


class Comparison(NamedTuple):
    """A setting compared to an operand."""

    setting: str
    operator: str
    operand: Operand | Reference


class AllOf(NamedTuple):
    parts: tuple[Condition, ...]


class AnyOf(NamedTuple):
    parts: tuple[Condition, ...]


class Not(NamedTuple):
    part: Condition


Condition = Comparison | AllOf | AnyOf | Not


class RuleLabel(NamedTuple):
    """What to say at the place that decides a setting; empty for the default text."""

    setting: str
    text: str


class RuleFix(NamedTuple):
    """The settings to change, and the comment that explains it, without its `# `.

    A builtin rule's fix sets nothing: the program makes its edits, and the comment is empty where there is none.
    """

    title: str
    applicability: Applicability
    set: Mapping[str, int | str]
    comment: str
    safety: str = ""
    """Why it is as safe as it is, where that is not what the pages say of all fixes."""

    @property
    def comment_lines(self) -> tuple[str, ...]:
        """The comment as a shell has it, a `#` on every line, not indented."""
        return tuple(f"# {line}".rstrip() for line in self.comment.splitlines())


class Example(NamedTuple):
    """A launcher, or another file at `path`.

    `line` is the line of the finding in a bad one; `after` the fixed text, with COMMENT_MARK for its comment.
    """

    code: str
    about: str = ""
    line: int | None = None
    after: str | None = None
    path: str = ""


class Rule(NamedTuple):
    """What one rule file says. `when` is None for what the program itself finds."""

    code: str
    name: str
    family: str
    status: str
    since: str
    severity: Severity
    default: bool
    summary: str
    when: Condition | None
    message: str
    help: str
    url: str
    labels: tuple[RuleLabel, ...]
    fix: RuleFix | None
    why: str
    references: tuple[str, ...]
    bad: tuple[Example, ...]
    good: tuple[Example, ...]
    fires: str = ""
    """When a builtin rule fires, as a sentence."""
    facts: Mapping[str, Any] = MappingProxyType({})
    """What the check of a builtin rule knows: plain values, of a form that is the check's own."""

    @property
    def builtin(self) -> bool:
        return self.when is None

    @property
    def primary(self) -> str | None:
        """The setting at whose place the finding stands: the one that the fix changes, else the first label."""
        if self.fix and self.fix.set:
            return next(iter(self.fix.set))
        return self.labels[0].setting if self.labels else None


def rule_from(plain: Mapping[str, Any]) -> Rule:
    """The rule of a checked mapping."""
    examples = plain.get("examples", {})
    fix = plain.get("fix")
    return Rule(
        code=plain["code"],
        name=plain["name"],
        family=plain["family"],
        status=plain["status"],
        since=plain["since"],
        severity=Severity[plain["severity"].upper()],
        default=plain.get("default", "on") == "on",
        summary=plain["summary"],
        when=None if plain["when"] == BUILTIN else condition_from(plain["when"]),
        message=plain["message"],
        help=plain["help"],
        url=plain.get("url", ""),
        labels=_labels(plain.get("labels", {})),
        fix=_fix(fix) if fix else None,
        why=plain["why"],
        references=tuple(plain.get("references", ())),
        bad=tuple(Example(**example) for example in examples.get("bad", ())),
        good=tuple(Example(**example) for example in examples.get("good", ())),
        fires=plain.get("fires", ""),
        facts=plain.get("facts", {}),
    )


def condition_from(plain: Mapping[str, Any]) -> Condition:
    """The condition of a checked `when`: its members must all hold."""
    parts: list[Condition] = []
    for key, value in plain.items():
        if key == "all":
            parts.extend(condition_from(part) for part in value)
        elif key == "any":
            parts.append(AnyOf(tuple(condition_from(part) for part in value)))
        elif key == "not":
            parts.append(Not(condition_from(value)))
        else:
            parts.append(_tests(key, value))
    return _all(parts)


def _tests(setting: str, plain: Any) -> Condition:
    """What is asked of one setting: a bare value, or operators."""
    if not isinstance(plain, Mapping):
        return Comparison(setting, "equals", plain)
    parts: list[Condition] = []
    for operator, operand in plain.items():
        if operator == "not":
            parts.append(Not(_tests(setting, operand)))
        elif isinstance(operand, Mapping):
            parts.append(Comparison(setting, operator, Reference(operand["setting"])))
        elif isinstance(operand, list):
            parts.append(Comparison(setting, operator, tuple(operand)))
        else:
            parts.append(Comparison(setting, operator, operand))
    return _all(parts)


def _all(parts: Sequence[Condition]) -> Condition:
    return parts[0] if len(parts) == 1 else AllOf(tuple(parts))


def _labels(plain: Sequence[str] | Mapping[str, str]) -> tuple[RuleLabel, ...]:
    if isinstance(plain, Mapping):
        return tuple(RuleLabel(setting, text) for setting, text in plain.items())
    return tuple(RuleLabel(setting, "") for setting in plain)


def _fix(plain: Mapping[str, Any]) -> RuleFix:
    return RuleFix(
        title=plain["title"],
        applicability=Applicability[plain["applicability"].upper()],
        set=MappingProxyType(dict(plain.get("set", {}))),
        comment=plain.get("comment", "").rstrip("\n"),
        safety=plain.get("safety", ""),
    )


def expand_comment(text: str, lines: Sequence[str]) -> str:
    """TEXT with each line that is just COMMENT_MARK replaced by LINES, indented as the mark is."""
    return re.sub(
        rf"^([ \t]*){COMMENT_MARK}(\r?\n)",
        lambda mark: "".join(f"{mark[1]}{line}{mark[2]}" for line in lines),
        text,
        flags=re.MULTILINE,
    )

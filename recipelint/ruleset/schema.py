"""A rule: when it holds, what to say, how to fix it, why, and examples.

Made from plain values that `check` has accepted, be they fresh from YAML or from the compiled index. Small parts are
named tuples: a dataclass takes eight times as long to define, on every start.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from recipelint.diagnostic import Severity
from recipelint.fix import Applicability
from recipelint.record import NamedTuple
from recipelint.ruleset.condition import Condition, condition_from

BUILTIN = "builtin"
"""The `when` of a rule whose finding is made by the program: its file only says what, why and how to go on."""

SILENT = "off"
"""The severity of a variant in which a rule says nothing."""

COMMENT_MARK = "@comment"
"""Stands, indented, for the lines of a fix's comment in an expected result."""


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


class Variant(NamedTuple):
    """What else a rule says where a further condition holds: None leaves a part as the rule has it.

    The first variant that holds counts. `silent`: the rule then says nothing.
    """

    when: Condition
    silent: bool
    severity: Severity | None
    message: str | None
    help: str | None
    note: str | None
    labels: tuple[RuleLabel, ...] | None
    applicability: Applicability | None
    comment: str | None = None

    def of(self, rule: Rule) -> Rule:
        """The rule as this variant has it."""
        fix = rule.fix
        if fix is not None and self.applicability is not None:
            fix = fix._replace(applicability=self.applicability)
        if fix is not None and self.comment is not None:
            fix = fix._replace(comment=self.comment)
        return rule._replace(
            severity=rule.severity if self.severity is None else self.severity,
            message=rule.message if self.message is None else self.message,
            help=rule.help if self.help is None else self.help,
            note=rule.note if self.note is None else self.note,
            labels=rule.labels if self.labels is None else self.labels,
            fix=fix,
        )


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
    note: str
    url: str
    labels: tuple[RuleLabel, ...]
    fix: RuleFix | None
    variants: tuple[Variant, ...]
    why: str
    references: tuple[str, ...]
    bad: tuple[Example, ...]
    good: tuple[Example, ...]
    fires: str = ""
    """When a builtin rule fires, as a sentence."""
    facts: Mapping[str, Any] = MappingProxyType({})
    """What the check of a builtin rule knows: plain values, of a form that is the check's own."""
    file: str = ""
    """The file of a team's own rule, as it is shown; empty for a rule of this program."""
    placeholders: Mapping[str, str] = MappingProxyType({})
    """What stands for what in the texts of a builtin rule."""

    @property
    def builtin(self) -> bool:
        return self.when is None

    @property
    def standing(self) -> str:
        """Its status, and whether it is on at all where nobody selects it."""
        return self.status if self.default else f"{self.status}, off unless selected"

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
        note=plain.get("note", ""),
        url=plain.get("url", ""),
        labels=_labels(plain.get("labels", {})),
        fix=_fix(fix) if fix else None,
        variants=tuple(_variant(variant) for variant in plain.get("variants", ())),
        why=plain["why"],
        references=tuple(plain.get("references", ())),
        bad=tuple(Example(**example) for example in examples.get("bad", ())),
        good=tuple(Example(**example) for example in examples.get("good", ())),
        fires=plain.get("fires", ""),
        facts=plain.get("facts", {}),
        placeholders=plain.get("placeholders", {}),
    )


def _variant(plain: Mapping[str, Any]) -> Variant:
    said = plain.get("severity")
    applicability = plain.get("applicability")
    return Variant(
        when=condition_from(plain["when"]),
        silent=said == SILENT,
        severity=None if said in (None, SILENT) else Severity[said.upper()],
        message=plain.get("message"),
        help=plain.get("help"),
        note=plain.get("note"),
        labels=_labels(plain["labels"]) if "labels" in plain else None,
        applicability=Applicability[applicability.upper()] if applicability else None,
        comment=plain["comment"].rstrip("\n") if "comment" in plain else None,
    )


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

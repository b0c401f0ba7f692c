"""The keys of a rule file and of a case file, and what each says: the checks and the JSON schemas have them from here.

A key is in one list only for each kind of mapping; the order is that of a well-kept file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

STATUSES = {
    "stable": "on unless it is off by default or ignored",
    "preview": "on only where its code or its name is selected",
}
SEVERITIES = {
    "error": "the recipe cannot run, or does not do what it says",
    "warning": "the recipe may run, and should not be left like that",
    "info": "worth knowing; does not fail a run by default",
}
APPLICABILITIES = {
    "safe": "--fix applies it",
    "unsafe": "--fix --unsafe-fixes applies it",
    "display": "it is shown, and never applied",
}
CONFIDENCES = {
    "certain": "every way through the launcher matches",
    "possible": "only some ways through the launcher match",
}


class Keys(NamedTuple):
    """The keys that a mapping must have, and those that it may have, each with what it says."""

    required: Mapping[str, str]
    optional: Mapping[str, str] = {}

    @property
    def all(self) -> dict[str, str]:
        return {**self.required, **self.optional}


_TEMPLATE = (
    "{SETTING} stands for its value, {SETTING_origin} for who gives it, {SETTING_place} for where it stands; "
    "{A*B} and {A/B} for what settings come to"
)
_COMMENT = "the comment that explains the change in the launcher: plain lines, without `#`, quotes, `$` or backslashes"

RULE = Keys(
    {
        "code": "capitals and three digits, as TEAM001; never used again for another rule",
        "name": "two or more words in lower case, joined by hyphens; the file is called CODE-NAME.yaml",
        "family": "what it belongs to: rules of a family can be selected together",
        "status": "stable or preview",
        "since": "the version in which it came",
        "severity": "how bad it is: error, warning or info",
        "summary": "one line that says what it finds, without a full stop",
        "when": "the condition on the settings of a launch; all of its members must hold",
        "message": f"one line: what is wrong, with the values. {_TEMPLATE}",
        "help": "one line: what to do about it",
        "why": "why it is wrong, in Markdown",
    },
    {
        "default": "off: only where it is selected",
        "url": "a link to read on",
        "labels": "settings to point at in the source, each with what to say there; the first is the finding's place",
        "note": "one line to add to the finding",
        "variants": "what else it says where a further condition holds; the first that holds counts",
        "fix": "how it is cured",
        "references": "links",
        "examples": "launchers that show it, run by `recipelint rules check`",
        "placeholders": "of a builtin rule: what its message speaks of",
        "fires": "of a builtin rule: when it fires",
        "facts": "of a builtin rule: what its check knows",
    },
)
VARIANT = Keys(
    {"when": "the condition that makes the difference"},
    {
        "severity": "its severity there; off: it says nothing",
        "message": "its message there",
        "help": "its help there",
        "note": "its note there; '' for none",
        "labels": "its labels there",
        "applicability": "who may apply its fix there",
        "comment": "the comment of its fix there",
    },
)
FIX = Keys(
    {
        "title": "one line, in the imperative: what the fix does",
        "applicability": "who may apply it: safe, unsafe or display",
        "set": "the setting that it changes, and the new value; the finding stands where that setting is decided",
        "comment": _COMMENT,
    },
    {"safety": "why it is as safe as it is"},
)
BUILTIN_FIX = Keys(
    {"title": FIX.required["title"], "applicability": FIX.required["applicability"]},
    {"comment": _COMMENT, "safety": FIX.optional["safety"]},
)
EXAMPLES = Keys(
    {"bad": "launchers in which the rule finds something", "good": "launchers in which it finds nothing"},
)
GOOD = Keys(
    {"code": "the launcher"},
    {"about": "a sentence about it", "path": "where it stands, if not in examples/scripts/launch.sh"},
)
BAD = Keys(
    {"code": "the launcher", "line": "the line on which the finding stands"},
    {**GOOD.optional, "after": "what --fix makes of it; a line @comment stands for the comment of the fix"},
)

_TREE = {
    "path": "where the launcher stands; examples/scripts/launch.sh if not said",
    "run": "the launcher that starts it, if that is another",
    "files": "what else is in the tree, by path",
    "paths": "what is checked, if not the whole tree",
    "newline": "crlf: every line of the launcher ends so",
    "automodel": "the AutoModel that the launchers run with, as with --automodel",
}
_FOUND = {
    "severity": "the severity of the finding, if it is not that of the rule",
    "says": "what its message, its note or a related place must hold",
}
CASES = Keys(
    {"rule": "the code of the rule"},
    {
        "valid": "the rule is silent, and --fix changes nothing",
        "invalid": "a finding that --fix leaves alone",
        "fix": "a finding that --fix cures",
    },
)
VALID = Keys({"name": "what the case shows", "code": "the launcher"}, _TREE)
INVALID = Keys(
    {**VALID.required, "line": "the line on which the finding stands, or a list of lines that will do"},
    {
        "confidence": "how sure the finding is: certain or possible",
        "note": "true: it has no fix, and says why",
        **_FOUND,
        **_TREE,
    },
)
FIXED = Keys(
    {
        "name": "what the case shows",
        "before": "the launcher",
        "line": INVALID.required["line"],
        "after": "what --fix makes of it, or a list of texts that will do; @comment stands for the comment of the fix",
        "noop": "a launcher like it that is right already; --fix must not change it",
    },
    {"or_withheld": "true: leaving it alone will do too", **_FOUND, **_TREE},
)

"""A rule as SARIF describes it: in short, in full, its page as help, and how it is ranked."""

from __future__ import annotations

import re

from recipelint.diagnostic import Diagnostic, Severity
from recipelint.report.json_ import Json
from recipelint.report.plain import block, neutralise
from recipelint.ruleset.explain import in_words
from recipelint.ruleset.load import Ruleset
from recipelint.ruleset.page import page

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
LINK = re.compile(r"\[([^\]]*)\]\(([^)]*)\)")
LONGEST = 1024
"""Characters of a description: GitHub shows no more."""
KINDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}
"""How GitHub names severities in a rule's properties."""


def descriptor(one: Diagnostic, ruleset: Ruleset) -> Json:
    """The rule of a finding; one that the RULESET does not have is described by the finding alone."""
    rule = ruleset.rules.get(one.code)
    if rule is None:
        return {
            "id": one.code,
            "name": one.name,
            "shortDescription": {"text": neutralise(one.name)},
            "defaultConfiguration": {"level": LEVELS[one.severity]},
        }
    link = rule.url or next(iter(rule.references), "")
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": _sentence(rule.summary)},
        "fullDescription": {"text": _shortened(rule.why)},
        "help": {"text": _sentence(in_words(rule, rule.help)), "markdown": block(page(rule, ruleset))},
        **({"helpUri": link} if link else {}),
        "defaultConfiguration": {"level": LEVELS[rule.severity], "enabled": rule.default},
        "properties": {
            "tags": [rule.family, rule.status],
            "precision": "high",
            "problem.severity": KINDS[rule.severity],
        },
    }


def _shortened(text: str) -> str:
    """The first paragraph, as far as GitHub shows it; it is no Markdown, so a link is written out."""
    first = LINK.sub(r"\1 (\2)", neutralise(" ".join(text.strip().partition("\n\n")[0].split())))
    return first if len(first) <= LONGEST else f"{first[: LONGEST - 3].rpartition(' ')[0]}..."


def _sentence(text: str) -> str:
    text = neutralise(" ".join(text.split()))
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"

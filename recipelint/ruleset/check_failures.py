"""The checks of rules/logs.yaml and rules/failures/: what the reader of logs can rely on.

No pattern has an unbounded repetition or a repeated group, so that the time that a line takes is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from recipelint.ruleset.document import Node, suggestion
from recipelint.ruleset.heading import name_problem

CERTAINTIES = ("certain", "likely", "possible")
NARROW, WIDEST = 12, 10_000
"""The most ways in which the repetitions of one pattern may match; those of up to NARROW characters do not count."""
_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{(\d+)(,?)(\d*)\}|(.)", re.DOTALL)


def check_failure(document: Node, facts: Collection[str], names: Collection[str], rules: Collection[str]) -> None:
    """Raises RuleError for the first thing that is wrong; NAMES are those of all failures, RULES the codes of rules."""
    required = {"name", "since", "summary", "found", "certainty", "meaning", "cause", "cures", "references"}
    document.keys(required, {"differs", "signatures", "when", "confirmed_by", "contradicted_by", "yields_to", "rule"})
    name = document["name"].text()
    if name_problem(name):
        document["name"].fail(f'"{name}" is not of the form some-failure')
    if document.file.rpartition("/")[2] != f"{name}.yaml":
        document["name"].fail(f"the file must be {name}.yaml")
    document["since"].one_line()
    for key in ("summary", "meaning", "cause"):
        document[key].one_line()
    document["certainty"].word(CERTAINTIES)
    line = document["found"].word(("recompute", "line")) == "line"
    if line != ("signatures" in document) or line == ("differs" in document):
        document.fail('"signatures" are for what is found in a line, "differs" for a recompute')
    if line:
        for one in document["signatures"].elements():
            check_pattern(one)
    else:
        document["differs"].word(("tokens", "otherwise"))
    if "when" in document:
        document["when"].word(("first_step",))
    for key in ("confirmed_by", "contradicted_by"):
        for fact, values in document[key].members() if key in document else ():
            if fact not in facts:
                values.fail(f"unknown fact {fact}{suggestion(fact, facts)}")
            for value in values.elements():
                value.one_line()
    for key, known in (("yields_to", names), ("cures", None)):
        for one in document[key].elements() if key in document else ():
            one.word(known) if known is not None else one.one_line()
    for one in document["references"].elements():
        one.link()
    if "rule" in document:
        document["rule"].word(rules)


def check_logs(document: Node) -> None:
    """Raises RuleError for the first thing that is wrong."""
    document.keys({"prefixes", "suffixes", "facts", "progress"})
    for key in ("prefixes", "suffixes"):
        for one in document[key].elements():
            check_expression(one)
    for _, fact in document["facts"].members():
        fact.keys({"means", "patterns"})
        fact["means"].one_line()
        for one in fact["patterns"].elements():
            if check_pattern(one).groups != 1:
                one.fail(f"{one.name} must have one group")
    for one in document["progress"].elements():
        check_pattern(one)


def check_pattern(node: Node) -> re.Pattern[str]:
    """A needle, and what follows it."""
    node.keys({"needle", "then"})
    if len(node["needle"].one_line()) < 5 or not node["needle"].value.isascii():
        node["needle"].fail(f"{node.name}.needle must have 5 ASCII characters or more")
    return check_expression(node["then"])


def check_expression(node: Node) -> re.Pattern[str]:
    """A regular expression whose repetitions are bounded, and none inside another."""
    text = node.one_line()
    ways, before = 1, ""
    for token in _TOKEN.finditer(text):
        if token[4] in ("*", "+") or (token[1] and (before == ")" or (token[2] and not token[3]))):
            node.fail(f"{node.name} repeats without a bound, or repeats a group")
        most = int(token[3] or token[1]) if token[1] else 1
        ways *= most if most > NARROW else 1
        before = token[0]
    if ways > WIDEST:
        node.fail(f"{node.name} can match in too many ways")
    try:
        return re.compile(text)
    except re.error as error:
        node.fail(f"{node.name} is no regular expression: {error}")

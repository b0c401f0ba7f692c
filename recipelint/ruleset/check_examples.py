"""The checks of a rule's examples: each stands inside its tree, and shows what the rule can do."""

from __future__ import annotations

import re

from recipelint.ruleset.document import Node
from recipelint.ruleset.keys import BAD, EXAMPLES, GOOD
from recipelint.ruleset.schema import COMMENT_MARK

TREE_PATH = r"(?!(?:.*/)?(?:\.{1,2}|\.git)(?:/|$))[\w.@+=, -]+(?:/[\w.@+=, -]+)*"
"""A path inside a tree: relative, and neither above the tree nor into git's own files."""


def check_examples(rule: Node, builtin: bool) -> None:
    """Raises RuleError for the first thing that is wrong; only a builtin rule may have none."""
    if "examples" not in rule:
        if not builtin:
            rule.fail(f'{rule.name} has no "examples"')
        return
    examples = rule["examples"]
    examples.keys(EXAMPLES.required)
    for good in examples["good"].elements():
        good.keys(GOOD.required, GOOD.optional)
        _example(good)
    for bad in examples["bad"].elements():
        bad.keys(BAD.required, BAD.optional)
        _example(bad)
        if not 1 <= bad["line"].integer() <= bad["code"].text().count("\n"):
            bad["line"].fail("the code has no such line")
        if "after" in bad and "fix" not in rule:
            bad["after"].fail("the rule has no fix")
        if "after" in bad and rule["fix"]["applicability"].value == "display":
            bad["after"].fail("the fix is only shown")
        if "after" in bad and "comment" in rule["fix"] and COMMENT_MARK not in bad["after"].text():
            bad["after"].fail(f"the fixed text has no line {COMMENT_MARK}")


def _example(node: Node) -> None:
    node["code"].text()
    if "about" in node:
        node["about"].one_line()
    if "path" in node:
        check_path(node["path"])


def check_path(node: Node) -> str:
    """A path in the tree of an example or a case, which leads nowhere else."""
    if not re.fullmatch(TREE_PATH, node.one_line()) or len(node.value) > 200:
        node.fail(f'"{node.value}" is no path inside the tree')
    return node.text()

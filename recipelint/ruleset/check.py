"""The checks of a rule file: what `schema` can rely on, and what a reader of its message can."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from string import Formatter
from typing import Any

from recipelint.ruleset.check_examples import check_examples
from recipelint.ruleset.condition import FLAGS, FORMULAS, OPERATORS, ORDER
from recipelint.ruleset.document import Node, suggestion
from recipelint.ruleset.heading import Taken, check_head
from recipelint.ruleset.keys import APPLICABILITIES, BUILTIN_FIX, FIX, RULE, SEVERITIES, VARIANT
from recipelint.ruleset.schema import BUILTIN, SILENT
from recipelint.ruleset.vocabulary import Vocabulary, check_setting, check_value

COMMENT_WIDTH = 96
UNFIT = r"[\"'`$\\\x00-\x09\x0b-\x1f\x7f-\x9f]"
"""What a comment cannot hold, since it may land in a quoted script."""
PLAIN_WORD = "[A-Za-z0-9_.,/:@%+=-]+"
"""What a fix can write: a word that no shell, however deeply quoted, takes for more than a word."""
MAX_PLACEHOLDERS = 20
MAX_COMPARISONS = 100
"""In a rule of a team, variants included: each is asked for every combination of values that a launch may have."""
MAX_FACTORS = 8
"""Settings of a product: what they may be is tried in every combination."""
DIVISORS = ("divisible_by", "not_divisible_by")
_OF_SETTINGS = ("labels", "note", "variants")


@dataclass(frozen=True)
class Checker:
    """What a rule file may speak of: the settings, and those of them that some framework spells."""

    vocabulary: Vocabulary
    spelled: Collection[str]
    taken: Taken | None = None
    """What this program has; None for its own rules."""

    def rule(self, rule: Node) -> None:
        """Raises RuleError for the first thing that is wrong."""
        rule.keys(RULE.required, RULE.optional)
        check_head(rule, self.taken)
        builtin = rule["when"].value == BUILTIN
        if builtin and self.taken is not None:
            rule["when"].fail(
                f'"{BUILTIN}" is for what recipelint itself finds; say on which settings this rule depends'
            )
        if builtin != ("placeholders" in rule) or (builtin and any(key in rule for key in _OF_SETTINGS)):
            rule.fail('a builtin rule, and only that, has "placeholders", and neither "labels" nor "variants"')
        if "fires" in rule:
            if not builtin:
                rule["fires"].fail('"fires" is for builtin rules; others have their "when"')
            rule["fires"].one_line()
        if "facts" in rule:
            if not builtin:
                rule["facts"].fail('"facts" is for builtin rules')
            _facts(rule["facts"])
        if builtin:
            placeholders = {name for name, meaning in rule["placeholders"].members() if meaning.one_line()}
        else:
            self._condition(rule["when"])
            placeholders = {name + ending for name in self.vocabulary for ending in ("", "_origin", "_place", "_name")}
            placeholders |= {f"{name}_arithmetic" for name, facts in self.vocabulary.items() if "derived" in facts}
        if self.taken is not None and _comparisons(rule.value) > MAX_COMPARISONS:
            rule["when"].fail(f"more than {MAX_COMPARISONS} comparisons")
        self._texts(rule, placeholders)
        for variant in rule["variants"].elements() if "variants" in rule else ():
            self._variant(variant, placeholders, "fix" in rule)
        if "fix" in rule:
            self._fix(rule["fix"], placeholders, builtin)
        if "references" in rule:
            for reference in rule["references"].elements():
                reference.link()
        check_examples(rule, builtin)

    def _texts(self, node: Node, placeholders: Collection[str]) -> None:
        """What a rule or a variant says."""
        for key in ("message", "help", "note"):
            if key in node and (key != "note" or node[key].value != ""):
                check_template(node[key], placeholders)
        if "labels" in node:
            self._labels(node["labels"], placeholders)

    def _variant(self, node: Node, placeholders: Collection[str], fix: bool) -> None:
        node.keys(VARIANT.required, VARIANT.optional)
        self._condition(node["when"])
        self._texts(node, placeholders)
        if len(node.value) == 1:
            node.fail(f"{node.name} changes nothing")
        if "severity" in node and node["severity"].word({*SEVERITIES, SILENT}) == SILENT and len(node.value) > 2:
            node.fail(f'{node.name} is "{SILENT}", and has more to say')
        if "applicability" in node:
            node["applicability"].word(APPLICABILITIES)
            if not fix:
                node["applicability"].fail("the rule has no fix")
        if "comment" in node:
            self._comment(node["comment"])
            if not fix:
                node["comment"].fail("the rule has no fix")

    def _condition(self, node: Node) -> None:
        """A `when`, or a part of one."""
        empty = True
        for key, child in node.members():
            empty = False
            if key in ("any", "all"):
                for part in child.elements():
                    self._condition(part)
            elif key == "not":
                self._condition(child)
            else:
                check_setting(child, key, {*self.vocabulary, "any", "all", "not"})
                self._tests(child, key)
        if empty:
            node.fail(f"{node.name} asks for nothing")

    def _tests(self, node: Node, setting: str) -> None:
        if not isinstance(node.value, dict):
            check_value(node, setting, self.vocabulary)
            return
        node.keys(set(), {*OPERATORS, "not"})
        if not node.value:
            node.fail(f"{node.name} asks for nothing")
        for operator, operand in node.members():
            if operator == "not":
                self._tests(operand, setting)
            elif operator in FLAGS:
                if operand.value is not True:
                    operand.fail(f'{operand.name} must be true; for the opposite there is "not"')
            elif operator == "one_of":
                for element in operand.elements():
                    check_value(element, setting, self.vocabulary)
            else:
                self._operand(operand, setting, operator)

    def _operand(self, node: Node, setting: str, operator: str) -> None:
        kind = self.vocabulary[setting]["type"]
        if operator in ORDER and kind != "int":
            node.fail(f'"{operator}" is for numbers, and {setting} is of type {kind}')
        if operator in ORDER and isinstance(node.value, list):
            self._numbers(node)
            return
        if not isinstance(node.value, dict):
            check_value(node, setting, self.vocabulary)
            if operator in DIVISORS and node.value < 1:
                node.fail(f"{node.name} must be 1 or more")
            return
        formula = next((key for key in FORMULAS if key in node), None)
        if formula is not None and kind == "int":
            node.keys({formula})
            self._numbers(node[formula])
            return
        node.keys({"setting"})
        other = check_setting(node["setting"], node["setting"].text(), self.vocabulary)
        if self.vocabulary[other]["type"] != kind:
            node.fail(f"{setting} is of type {kind}, and {other} is not")

    def _numbers(self, node: Node) -> None:
        """The settings of a product or a quotient."""
        for element in node.elements():
            name = check_setting(element, element.text(), self.vocabulary)
            if self.vocabulary[name]["type"] != "int":
                element.fail(f"{name} is of type {self.vocabulary[name]['type']}, and no number")
        if not 2 <= len(node.value) <= MAX_FACTORS:
            node.fail(f"{node.name} must name 2 to {MAX_FACTORS} settings")

    def _labels(self, node: Node, placeholders: Collection[str]) -> None:
        if isinstance(node.value, dict):
            for setting, text in node.members():
                check_setting(text, setting, self.vocabulary)
                check_template(text, placeholders)
        else:
            for element in node.elements():
                check_setting(element, element.text(), self.vocabulary)

    def _fix(self, fix: Node, placeholders: Collection[str], builtin: bool) -> None:
        """A builtin rule's fix sets no setting, and may have no comment."""
        fix.keys(*(BUILTIN_FIX if builtin else FIX))
        if "safety" in fix:
            fix["safety"].text()
        check_template(fix["title"], placeholders)
        fix["applicability"].word(APPLICABILITIES)
        if "set" in fix:
            for setting, value in fix["set"].members():
                check_setting(value, setting, self.vocabulary)
                if setting not in self.spelled:
                    value.fail(f"no framework spells {setting}")
                check_value(value, setting, self.vocabulary)
                if isinstance(value.value, str) and not re.fullmatch(PLAIN_WORD, value.value):
                    value.fail(f'"{value.value}" would have to be quoted in a launcher')
            if not fix["set"].value:
                fix["set"].fail("fix.set changes nothing")
        if "comment" in fix:
            self._comment(fix["comment"])

    def _comment(self, comment: Node) -> None:
        if found := re.search(UNFIT, comment.text()):
            comment.fail(f"a comment may land in a quoted script, and has {found[0]!r}")
        for line in comment.value.splitlines():
            if not line.strip() or len(line) > COMMENT_WIDTH:
                comment.fail(f"a comment's lines are neither blank nor longer than {COMMENT_WIDTH} characters")
            if not line.isprintable():
                comment.fail("a comment has a character that cannot be printed")


def _comparisons(plain: Any) -> int:
    """How many comparisons the conditions of a rule hold."""

    def count(when: Mapping[str, Any]) -> int:
        total = 0
        for key, value in when.items():
            if key in ("any", "all"):
                total += sum(count(part) for part in value)
            elif key == "not" and isinstance(value, Mapping):
                total += count(value)
            else:
                total += len(value) if isinstance(value, Mapping) else 1
        return total

    return sum(count(one["when"]) for one in (plain, *plain.get("variants", ())))


def _facts(node: Node) -> None:
    """What a check of the program reads: names with texts, numbers, or more of the like below them."""
    if isinstance(node.value, dict):
        for _, child in node.members():
            _facts(child)
    elif isinstance(node.value, list):
        for element in node.elements():
            _facts(element)
    elif isinstance(node.value, bool) or not isinstance(node.value, int):
        node.text()


def check_template(node: Node, placeholders: Collection[str]) -> None:
    """One line of text in which `{name}` stands for a known value, and `{name:noun}` for so many of a setting."""
    text = node.one_line()
    try:
        fields = [(name, form, conversion) for _, name, form, conversion in Formatter().parse(text)]
    except ValueError as error:
        node.fail(f"{node.name}: {error}")
    if len(fields) > MAX_PLACEHOLDERS:
        node.fail(f"{node.name} has more than {MAX_PLACEHOLDERS} placeholders")
    for name, form, conversion in fields:
        counted = not form or (form.isalpha() and f"{name}_origin" in placeholders)
        if name is not None and (not counted or conversion or not _fills(name, placeholders)):
            node.fail(f'undefined placeholder "{{{name}}}"{suggestion(name, placeholders)}')


def _fills(name: str, placeholders: Collection[str]) -> bool:
    """Whether something is known for a placeholder: a name, or a product or quotient of names."""
    for sign in FORMULAS.values():
        names = name.split(sign)
        if len(names) > 1:
            return len(names) <= MAX_FACTORS and all(one in placeholders for one in names)
    return name in placeholders

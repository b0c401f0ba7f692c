"""The checks of a rule file: what `schema` can rely on, and what a reader of its message can."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from string import Formatter

from recipelint.ruleset.condition import OPERATORS
from recipelint.ruleset.document import Node, suggestion
from recipelint.ruleset.schema import BUILTIN, COMMENT_MARK, SILENT
from recipelint.ruleset.vocabulary import Vocabulary, check_setting, check_value

CODE = re.compile(r"[A-Z]{2,5}[0-9]{3}")
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)+")
COMMENT_WIDTH = 96
_ORDER = ("greater_than", "less_than", "at_least", "at_most", "divides")
_OF_SETTINGS = ("labels", "note", "variants")
_REQUIRED = {"code", "name", "family", "status", "since", "severity", "summary", "when", "message", "help", "why"}
_OPTIONAL = {
    "default", "url", "labels", "fix", "references", "examples", "placeholders", "note", "variants", "fires", "facts"
}  # fmt: skip
_VARIANT = {"severity", "message", "help", "note", "labels", "applicability", "comment"}
_SEVERITIES = {"error", "warning", "info"}


@dataclass(frozen=True)
class Checker:
    """What a rule file may speak of: the settings, and those of them that some framework spells."""

    vocabulary: Vocabulary
    spelled: Collection[str]

    def rule(self, rule: Node) -> None:
        """Raises RuleError for the first thing that is wrong."""
        rule.keys(_REQUIRED, _OPTIONAL)
        self._head(rule)
        builtin = rule["when"].value == BUILTIN
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
            placeholders = {name + ending for name in self.vocabulary for ending in ("", "_origin", "_place")}
        self._texts(rule, placeholders)
        for variant in rule["variants"].elements() if "variants" in rule else ():
            self._variant(variant, placeholders, "fix" in rule)
        if "fix" in rule:
            self._fix(rule["fix"], placeholders, builtin)
        if "references" in rule:
            for reference in rule["references"].elements():
                reference.link()
        self._examples(rule, builtin)

    def _head(self, rule: Node) -> None:
        code, name, family = rule["code"].text(), rule["name"].text(), rule["family"].text()
        if not CODE.fullmatch(code):
            rule["code"].fail(f'"{code}" is no code: two to five capitals and three digits')
        if not NAME.fullmatch(name):
            rule["name"].fail(f'"{name}" is no name: lower-case words joined by hyphens')
        if not rule.file.endswith(f"{family}/{code}-{name}.yaml"):
            rule["code"].fail(f"the file must be {family}/{code}-{name}.yaml")
        rule["status"].word({"stable", "preview"})
        if not re.fullmatch(r"\d+\.\d+\.\d+", rule["since"].text()):
            rule["since"].fail("since must be a version")
        rule["severity"].word(_SEVERITIES)
        rule["summary"].one_line()
        rule["why"].text()
        if "default" in rule:
            rule["default"].word({"on", "off"})
        if "url" in rule:
            rule["url"].link()

    def _texts(self, node: Node, placeholders: Collection[str]) -> None:
        """What a rule or a variant says."""
        for key in ("message", "help", "note"):
            if key in node and (key != "note" or node[key].value != ""):
                check_template(node[key], placeholders)
        if "labels" in node:
            self._labels(node["labels"], placeholders)

    def _variant(self, node: Node, placeholders: Collection[str], fix: bool) -> None:
        node.keys({"when"}, _VARIANT)
        self._condition(node["when"])
        self._texts(node, placeholders)
        if len(node.value) == 1:
            node.fail(f"{node.name} changes nothing")
        if "severity" in node and node["severity"].word({*_SEVERITIES, SILENT}) == SILENT and len(node.value) > 2:
            node.fail(f'{node.name} is "{SILENT}", and has more to say')
        if "applicability" in node:
            node["applicability"].word({"safe", "unsafe", "display"})
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
            elif operator in ("present", "absent", "overridable"):
                if operand.value is not True:
                    operand.fail(f'{operand.name} must be true; for the opposite there is "not"')
            elif operator == "one_of":
                for element in operand.elements():
                    check_value(element, setting, self.vocabulary)
            else:
                self._operand(operand, setting, operator)

    def _operand(self, node: Node, setting: str, operator: str) -> None:
        kind = self.vocabulary[setting]["type"]
        if operator in _ORDER and kind != "int":
            node.fail(f'"{operator}" is for numbers, and {setting} is of type {kind}')
        if not isinstance(node.value, dict):
            check_value(node, setting, self.vocabulary)
            return
        node.keys({"setting"})
        other = check_setting(node["setting"], node["setting"].text(), self.vocabulary)
        if self.vocabulary[other]["type"] != kind:
            node.fail(f"{setting} is of type {kind}, and {other} is not")

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
        fix.keys(
            {"title", "applicability"} | (set() if builtin else {"set", "comment"}),
            {"comment", "safety"} if builtin else (),
        )
        if "safety" in fix:
            fix["safety"].text()
        check_template(fix["title"], placeholders)
        fix["applicability"].word({"safe", "unsafe", "display"})
        if "set" in fix:
            for setting, value in fix["set"].members():
                check_setting(value, setting, self.vocabulary)
                if setting not in self.spelled:
                    value.fail(f"no framework spells {setting}")
                check_value(value, setting, self.vocabulary)
            if not fix["set"].value:
                fix["set"].fail("fix.set changes nothing")
        if "comment" in fix:
            self._comment(fix["comment"])

    def _comment(self, comment: Node) -> None:
        if found := re.search(r"[\"'`$\\\x00-\x09\x0b-\x1f\x7f-\x9f]", comment.text()):
            comment.fail(f"a comment may land in a quoted script, and has {found[0]!r}")
        for line in comment.value.splitlines():
            if not line.strip() or len(line) > COMMENT_WIDTH:
                comment.fail(f"a comment's lines are neither blank nor longer than {COMMENT_WIDTH} characters")

    def _examples(self, rule: Node, builtin: bool) -> None:
        if "examples" not in rule:
            if not builtin:
                rule.fail(f'{rule.name} has no "examples"')
            return
        examples = rule["examples"]
        examples.keys({"bad", "good"})
        for good in examples["good"].elements():
            good.keys({"code"}, {"about", "path"})
            good["code"].text()
        for bad in examples["bad"].elements():
            bad.keys({"code", "line"}, {"about", "after", "path"})
            if not 1 <= bad["line"].integer() <= bad["code"].text().count("\n"):
                bad["line"].fail("the code has no such line")
            if "after" in bad and "fix" not in rule:
                bad["after"].fail("the rule has no fix")
            if "after" in bad and "comment" in rule["fix"] and COMMENT_MARK not in bad["after"].text():
                bad["after"].fail(f"the fixed text has no line {COMMENT_MARK}")


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
    """One line of text in which `{name}` stands for a known value."""
    text = node.one_line()
    try:
        fields = [(name, form, conversion) for _, name, form, conversion in Formatter().parse(text)]
    except ValueError as error:
        node.fail(f"{node.name}: {error}")
    for name, form, conversion in fields:
        if name is not None and (form or conversion or name not in placeholders):
            node.fail(f'undefined placeholder "{{{name}}}"{suggestion(name, placeholders)}')

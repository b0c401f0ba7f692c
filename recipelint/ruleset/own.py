"""A team's own rules, joined with those of this program: checked alike, and redefining nothing of it."""

from __future__ import annotations

from collections.abc import Sequence

from recipelint.recipe.naming import head
from recipelint.ruleset.check import Checker
from recipelint.ruleset.document import Node, read
from recipelint.ruleset.heading import Taken
from recipelint.ruleset.held import check_held
from recipelint.ruleset.load import Ruleset
from recipelint.ruleset.names import check_apart
from recipelint.ruleset.own_files import FRAMEWORKS, MAX_FILE_BYTES, RULE, SETTINGS, Contents, OwnFile
from recipelint.ruleset.schema import Rule, rule_from
from recipelint.ruleset.vocabulary import check_framework, check_settings, check_spellings, spelled_settings

MAX_NODES = 50_000
"""Keys and values of all files of a team; reading them is what costs, some 20 microseconds each."""


def joined(base: Ruleset, given: Contents) -> Ruleset:
    """The rules of this program and those of a team. Raises RuleError for the first thing that is wrong."""
    made = Joining(base, parsed(given.files))
    for document in made.of(RULE):
        made.add(document)
    return made.ruleset()


def parsed(files: Sequence[tuple[OwnFile, bytes]], left: int = MAX_NODES) -> list[tuple[OwnFile, Node]]:
    """The documents of some files, of which LEFT is how much they may hold together. Raises RuleError."""
    documents = []
    for file, data in files:
        document = read(file.path, data, MAX_FILE_BYTES, left)
        left -= len(document.lines)
        documents.append((file, document))
    return documents


class Joining:
    """A ruleset to which the files of a team are added, one after another."""

    def __init__(self, base: Ruleset, documents: Sequence[tuple[OwnFile, Node]]) -> None:
        """Settings and frameworks are added at once, since every rule may speak of them. Raises RuleError."""
        self.base = base
        self.documents = documents
        self.settings = dict(base.settings)
        self.frameworks = base.frameworks
        self.heads = dict(base.heads)
        self.rules: dict[str, Rule] = {}
        self.used: dict[str, str] = {}
        for document in self.of(SETTINGS):
            for name, setting in check_settings(document).items():
                if name in self.settings:
                    document["settings"][name].fail(f"there is a setting {name} already")
                self.settings[name] = setting
        described = self.of(FRAMEWORKS)
        for document in described:
            self._framework(document)
        for document in described:  # when all are known, for each may be like another
            check_spellings(document, self.frameworks, self.settings)
        taken = Taken({code: rule.name for code, rule in base.rules.items()})
        self.checker = Checker(self.settings, spelled_settings(self.frameworks), taken)

    def of(self, kind: str) -> list[Node]:
        """The documents of a kind."""
        return [document for file, document in self.documents if file.kind == kind]

    def add(self, document: Node) -> Rule:
        """The rule of a document, checked. Raises RuleError."""
        if "rule" in document and "code" not in document:
            document["rule"].fail("this is a file of cases; name that of the rule, or the folder of both")
        self.checker.rule(document)
        for key in ("code", "name"):
            word = document[key].value
            if word in self.used:
                document[key].fail(f"{word} is used by {self.used[word]}")
        for key in ("code", "name"):
            self.used[document[key].value] = document.file
        rule = rule_from(document.value)._replace(file=document.file)
        self.rules[rule.code] = rule
        return rule

    def ruleset(self) -> Ruleset:
        """All rules, this program's first."""
        return self.base._replace(
            rules={**self.base.rules, **dict(sorted(self.rules.items()))},
            settings=self.settings,
            frameworks=self.frameworks,
            heads=self.heads,
        )

    def _framework(self, document: Node) -> None:
        check_framework(document, self.settings, self.base.packages)
        check_held(document, self.base.rules)
        name = document["name"].value
        if name in self.frameworks:
            document["name"].fail(f"there is a framework {name} already")
        check_apart(document, self.heads)
        self.frameworks = self.frameworks.adding(name, {**document.value, "file": document.file})
        self.heads[name] = head(document.value)

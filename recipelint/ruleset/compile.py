"""Rule files to one index: checked, in a fixed order, the same bytes for the same files on every machine.

Run by the build, where only the standard library and ruamel.yaml are there; and by `load` in a source checkout.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from recipelint.recipe.naming import head
from recipelint.ruleset.check import Checker
from recipelint.ruleset.check_failures import check_failure, check_logs
from recipelint.ruleset.comments import check_comments
from recipelint.ruleset.described import Described
from recipelint.ruleset.document import Node, RuleError, read
from recipelint.ruleset.held import check_held
from recipelint.ruleset.index import VERSION, Index, read_files, stamps, write_index
from recipelint.ruleset.names import check_apart
from recipelint.ruleset.package import check_package, package_settings
from recipelint.ruleset.vocabulary import check_framework, check_settings, check_spellings, spelled_settings

SETTINGS, LAUNCHERS, COMMENTS, FRAMEWORKS = "settings.yaml", "launchers.yaml", "comments.yaml", "frameworks/"
LOGS, FAILURES, PACKAGES = "logs.yaml", "failures/", "packages/"


def compile_index(rules_dir: Path, out: Path) -> None:
    """Write the index of a folder of rules; raises RuleError when a file is wrong, and then writes nothing."""
    write_index(build_index(rules_dir), str(out))


def build_index(rules_dir: Path) -> Index:
    """The index of a folder of rules, every file of it checked."""
    contents = read_files(str(rules_dir))
    documents = {path: read(f"rules/{path}", data) for path, data in contents.items()}
    for needed in (SETTINGS, COMMENTS):
        if needed not in documents:
            raise RuleError(f"rules/{needed}", 1, "is missing")
    vocabulary = check_settings(documents.pop(SETTINGS))
    launchers = documents.pop(LAUNCHERS).value if LAUNCHERS in documents else {}
    packages = _packages(documents, vocabulary)
    comments = check_comments(documents.pop(COMMENTS), vocabulary)
    described = [documents.pop(path) for path in [*documents] if path.startswith(FRAMEWORKS)]
    for document in described:
        check_framework(document, vocabulary, packages)
    frameworks = Described({document["name"].value: document.value for document in described})
    heads = {name: head(frameworks.plain(name)) for name in frameworks}
    for document in described:
        check_spellings(document, frameworks, vocabulary)
        check_apart(document, heads)
    logs = documents.pop(LOGS, None)
    failures = [documents.pop(path) for path in [*documents] if path.startswith(FAILURES)]
    rules = _rules(documents, Checker(vocabulary, spelled_settings(frameworks)))
    for document in described:
        check_held(document, rules)
    return {
        "version": VERSION,
        "files": stamps(contents),
        "settings": vocabulary,
        "launchers": launchers,
        "comments": comments,
        "heads": heads,
        "frameworks": frameworks,
        "packages": packages,
        "rules": rules,
        "logs": _logs(logs),
        "failures": _failures(failures, logs, rules),
    }


def _logs(document: Node | None) -> Mapping[str, Any]:
    if document is None:
        return {}
    check_logs(document)
    facts: Mapping[str, Any] = document.value
    return facts


def _failures(documents: list[Node], logs: Node | None, rules: Mapping[str, Any]) -> dict[str, Any]:
    """The failures by name."""
    names = [document["name"].value for document in documents if "name" in document]
    for document in documents:
        check_failure(document, logs["facts"].value if logs else (), names, rules)
    return dict(sorted((document["name"].value, document.value) for document in documents))


def _packages(documents: dict[str, Node], vocabulary: dict[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """The packages by name, taken from the DOCUMENTS; their settings are added to the vocabulary."""
    packages: dict[str, Mapping[str, Any]] = {}
    for path in [path for path in documents if path.startswith(PACKAGES)]:
        document = documents.pop(path)
        check_package(document)
        package = document.value
        packages[package["name"]] = package
        for name, setting in package_settings(package).items():
            if name in vocabulary:
                document["name"].fail(f"the setting {name} is there already")
            vocabulary[name] = setting
    return packages


def _rules(documents: Mapping[str, Node], checker: Checker) -> dict[str, Any]:
    """The rules by code; a code and a name are each used once."""
    rules: dict[str, Any] = {}
    used: dict[str, str] = {}
    for document in documents.values():
        checker.rule(document)
        rule = document.value
        for key in ("code", "name"):
            if rule[key] in used:
                document[key].fail(f"{rule[key]} is used by {used[rule[key]]}")
            used[rule[key]] = document.file
        rules[rule["code"]] = rule
    return dict(sorted(rules.items()))

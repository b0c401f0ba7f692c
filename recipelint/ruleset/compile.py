"""Rule files to one index: checked, in a fixed order, the same bytes for the same files on every machine.

Run by the build, where only the standard library and ruamel.yaml are there; and by `load` in a source checkout.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from recipelint.ruleset.check import Checker
from recipelint.ruleset.comments import check_comments
from recipelint.ruleset.document import Node, RuleError, read
from recipelint.ruleset.index import VERSION, Index, read_files, stamps, write_index
from recipelint.ruleset.vocabulary import check_framework, check_settings, spelled_settings

SETTINGS, LAUNCHERS, COMMENTS, FRAMEWORKS = "settings.yaml", "launchers.yaml", "comments.yaml", "frameworks/"


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
    comments = check_comments(documents.pop(COMMENTS), vocabulary)
    frameworks: dict[str, Mapping[str, Any]] = {}
    for path in [path for path in documents if path.startswith(FRAMEWORKS)]:
        document = documents.pop(path)
        check_framework(document, vocabulary)
        frameworks[document["name"].value] = document.value
    return {
        "version": VERSION,
        "files": stamps(contents),
        "settings": vocabulary,
        "launchers": launchers,
        "comments": comments,
        "frameworks": frameworks,
        "rules": _rules(documents, Checker(vocabulary, spelled_settings(frameworks))),
    }


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

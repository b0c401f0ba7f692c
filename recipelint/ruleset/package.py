"""The check of a file in `rules/packages/`, and the settings that it adds: a package's revision, and each feature."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from recipelint.ruleset.document import Node, suggestion

REVISION = "revision"
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_COMMIT = re.compile(r"[0-9a-f]{7,40}")
_VERSION = re.compile(r"[0-9]+(\.[0-9]+)+")


def check_package(document: Node) -> None:
    """Raises RuleError for the first thing that is wrong."""
    document.keys({"name", "title", "distribution", "repository", "features", "revisions"}, {"replaced_by"})
    name = document["name"].text()
    if not _NAME.fullmatch(name) or document.file != f"rules/packages/{name}.yaml":
        document["name"].fail(f"the file must be packages/{name}.yaml")
    document["title"].one_line()
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", document["distribution"].text()):
        document["distribution"].fail("a distribution is named in lower case, with hyphens between its words")
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", document["repository"].text()):
        document["repository"].fail("a repository is OWNER/NAME")
    for variable in document["replaced_by"].elements() if "replaced_by" in document else ():
        if not re.fullmatch(r"[A-Z_][A-Z0-9_]*", variable.text()):
            variable.fail(f'"{variable.value}" is no name for a variable')
    features = []
    for feature, node in document["features"].members():
        if not _NAME.fullmatch(feature) or feature == REVISION:
            node.fail(f'"{feature}" is no name for a feature')
        node.keys({"means", "link"})
        node["means"].one_line()
        node["link"].link()
        features.append(feature)
    seen: dict[str, str] = {}
    for entry in document["revisions"].elements():
        _check_revision(entry, features, seen)


def _check_revision(entry: Node, features: list[str], seen: dict[str, str]) -> None:
    """One line of the table: its revision is listed once, and no feature is both there and not."""
    entry.keys({"date", "evidence", "confidence"}, {"commit", "version", "has", "lacks"})
    if ("commit" in entry) == ("version" in entry):
        entry.fail(f"{entry.name} needs a commit or a version, one of the two")
    key = entry["commit"] if "commit" in entry else entry["version"]
    if not (_COMMIT if "commit" in entry else _VERSION).fullmatch(key.text()):
        key.fail(f'"{key.value}" is no {key.path[-1]}')
    clash = next((other for other in seen if other.startswith(key.value) or key.value.startswith(other)), None)
    if clash is not None and ("commit" in entry or clash == key.value):
        key.fail(f"{key.value} is listed already, as {clash}")
    seen[key.value] = key.name
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", entry["date"].text()):
        entry["date"].fail("a date is YYYY-MM-DD")
    entry["evidence"].link()
    entry["confidence"].word({"verified", "reported", "inferred"})
    told: set[str] = set()
    for side in ("has", "lacks"):
        for feature in entry[side].elements() if side in entry else ():
            if feature.word(features) in told:
                feature.fail(f"{feature.value} is listed twice")
            told.add(feature.value)
    if not told:
        entry.fail(f"{entry.name} says nothing of any feature")


def package_settings(package: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The settings that a package adds to the vocabulary, by name."""
    name, title = package["name"], package["title"]
    found: dict[str, Mapping[str, Any]] = {
        f"{name}_{REVISION}": {
            "type": "text",
            "means": f"the revision of {title} that the repository asks for: a commit, a version, or what else it says",
        }
    }
    for feature, about in package["features"].items():
        found[f"{name}_{feature}"] = {
            "type": "words",
            "values": ["no", "yes"],
            "means": f"whether in that {title} {about['means']}; absent where that is not known",
        }
    return found


def check_packages(node: Node, packages: Mapping[str, Mapping[str, Any]]) -> None:
    """NODE is a framework's list of the packages that its trainers run on."""
    for element in node.elements():
        if element.text() not in packages:
            element.fail(f'unknown package "{element.value}"{suggestion(element.value, packages)}')

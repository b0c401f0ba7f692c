"""The checks of `rules/settings.yaml` and of the framework files: every rule and framework speaks of known settings."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from recipelint.ruleset.configured import check_configuration, check_keys, check_like
from recipelint.ruleset.document import Node, suggestion
from recipelint.ruleset.package import check_packages

TYPES = ("int", "words", "text")
PLACES = ("flag", "environment", "key", "cases")
"""Where a trainer reads a setting: a flag, a variable, or its configuration, at a key or at that of the first case."""
GROUPS = ("switch", "value", "pair", "optional")
"""How many words a flag takes: none, one, two, or one that may be left out."""

Vocabulary = Mapping[str, Mapping[str, Any]]


def check_settings(document: Node) -> dict[str, Mapping[str, Any]]:
    """The canonical settings by name: type, meaning, and the values of a closed list."""
    document.keys({"settings"})
    for name, setting in document["settings"].members():
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or name in ("any", "all", "not"):
            setting.fail(f'"{name}" is no name for a setting')
        setting.keys({"type", "means"}, {"values", "known"})
        setting["means"].one_line()
        kind = setting["type"].word(TYPES)
        if ("values" in setting) != (kind == "words"):
            setting.fail(f'{setting.name} needs "values" if its type is words, and else has none')
        if "known" in setting and kind != "text":
            setting["known"].fail("only a setting of type text has known values")
        for key in ("values", "known"):
            if key in setting:
                for value in setting[key].elements():
                    value.text()
    return dict(document["settings"].value)


def check_value(node: Node, setting: str, vocabulary: Vocabulary) -> None:
    """NODE is a value that the setting can have."""
    entry = vocabulary[setting]
    if entry["type"] == "int":
        node.integer()
    elif entry["type"] == "words":
        node.word(entry["values"])
    else:
        node.text()


def check_setting(node: Node, name: str, known: Collection[str]) -> str:
    """NAME is a setting of the vocabulary; NODE is where it is named."""
    if name not in known:
        node.fail(f'unknown setting "{name}"{suggestion(name, known)}')
    return name


def check_framework(document: Node, vocabulary: Vocabulary, packages: Vocabulary) -> None:
    """A framework file: where each of its entry points reads each setting, and its flags."""
    document.keys(
        {"name", "title", "source", "argument_style", "entry_points"},
        {"environment", "history", "packages", "rules", "configuration", "configurations"},
    )
    for removed in document["history"].elements() if "history" in document else ():
        removed.keys({"flag", "note", "source"}, {"replacement"})
        removed["note"].one_line()
        removed["source"].link()
        for key in ("flag", "replacement"):
            if key in removed and not re.fullmatch(r"--[A-Za-z0-9][\w.-]*( [\w.-]+)?", removed[key].text()):
                removed[key].fail(f'"{removed[key].value}" is no flag')
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", document["name"].text()):
        document["name"].fail(f'"{document["name"].value}" is no name for a framework')
    if not f"/{document.file}".endswith(f"/frameworks/{document['name'].text()}.yaml"):
        document["name"].fail(f"the file must be frameworks/{document['name'].value}.yaml")
    document["title"].one_line()
    document["source"].link()
    if "packages" in document:
        check_packages(document["packages"], packages)
    check_configuration(document)
    if "environment" in document:
        for name, variable in document["environment"].members():
            _check_variable(variable, name)
            variable.keys({"source"}, {"default"})
            variable["source"].text()
            if "default" in variable:
                variable["default"].text()
    check_like(document)
    for module, entry in document["entry_points"].members():
        if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_./-]*", module):
            entry.fail(f'"{module}" is no name for an entry point')
        own = {"like"} if "like" in entry else {"settings"} if "configuration" in document else {"settings", "flags"}
        entry.keys(own, {"workers", "configuration", "flags", "settings"})
        if "workers" in entry:
            entry["workers"].keys({"started_by", "source"})
            entry["workers"]["started_by"].word({"ray"})
            entry["workers"]["source"].text()
        flags = _check_flags(entry["flags"]) if "flags" in entry else {}
        for name, setting in entry["settings"].members() if "settings" in entry else ():
            check_setting(setting, name, vocabulary)
            _check_spelling(setting, name, flags, vocabulary, "configuration" in document)


def _check_flags(node: Node) -> dict[str, str]:
    """The group of each flag."""
    found: dict[str, str] = {}
    node.keys(set(), GROUPS)
    for group, flags in node.members():
        for flag in flags.elements():
            name = flag.text()
            if not re.fullmatch(r"--[A-Za-z0-9][A-Za-z0-9_.-]*", name):
                flag.fail(f'"{name}" is no flag')
            if name in found:
                flag.fail(f"{name} is listed twice")
            found[name] = group
        if flags.value != sorted(flags.value):
            flags.fail(f"{flags.name} must be sorted")
    return found


def _check_variable(node: Node, name: str) -> None:
    if not re.fullmatch(r"[A-Z_][A-Z0-9_]*", name):
        node.fail(f'"{name}" is no name for a variable')


def _check_spelling(node: Node, name: str, flags: Mapping[str, str], vocabulary: Vocabulary, configured: bool) -> None:
    node.keys({"type", "source"}, {*PLACES, "default", "const", "values", "otherwise", "meant", "case", "strip"})
    node["source"].text()
    if node["type"].word(TYPES) != vocabulary[name]["type"]:
        node["type"].fail(f"{name} is of type {vocabulary[name]['type']} in the vocabulary")
    if sum(place in node for place in PLACES) != 1:
        node.fail(f"{node.name} needs a flag, an environment variable, a key or cases, one of them")
    if "key" in node or "cases" in node:
        check_keys(node, configured)
        for case in node["cases"].elements() if "cases" in node else ():
            for key in ("value", "default"):
                if key in case:
                    check_value(case[key], name, vocabulary)
    if "flag" in node and node["flag"].text() not in flags:
        node["flag"].fail(f"unknown flag {node['flag'].value}{suggestion(node['flag'].value, flags)}")
    if "environment" in node:
        _check_variable(node["environment"], node["environment"].text())
    bare = "flag" in node and flags[node["flag"].value] in ("switch", "optional")
    if bare != ("const" in node):
        node.fail(f'{node.name} needs "const" if its flag can be bare, and else has none')
    for key in ("default", "const", "otherwise"):
        if key in node:
            check_value(node[key], name, vocabulary)
    if "meant" in node and "otherwise" not in node:
        node["meant"].fail('"meant" is about the words that "otherwise" takes in')
    for key in ("values", "meant"):
        for value, words in node[key].members() if key in node else ():
            if value not in vocabulary[name].get("values", ()):
                words.fail(f'"{value}" is no value of {name}')
            for word in words.elements():
                if not isinstance(word.value, str):
                    word.fail(f"{word.name} must be text; put it in quotes")
    if "case" in node:
        node["case"].word({"insensitive"})
    if "strip" in node and node["strip"].value is not True:
        node["strip"].fail("strip is true or left out")


def spelled_settings(frameworks: Mapping[str, Mapping[str, Any]]) -> frozenset[str]:
    """The settings that some framework spells, by a flag or a variable."""
    return frozenset(
        name
        for framework in frameworks.values()
        for entry in framework["entry_points"].values()
        for name in entry["settings"]
    )

"""The checks of `rules/settings.yaml` and of the framework files: every rule and framework speaks of known settings."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from recipelint.ruleset.configured import check_configuration, check_keys
from recipelint.ruleset.described import GROUPS, Described
from recipelint.ruleset.document import Node, suggestion
from recipelint.ruleset.names import NAME, check_elsewhere, check_like, check_names
from recipelint.ruleset.package import check_packages

TYPES = ("int", "words", "text")
PLACES = ("flag", "environment", "key", "cases")
"""Where a trainer reads a setting: a flag, a variable, or its configuration, at a key or at that of the first case."""
SPELLING = (*PLACES, "default", "default_setting", "const", "values", "otherwise", "meant", "case", "strip")

Vocabulary = Mapping[str, Mapping[str, Any]]


def check_settings(document: Node) -> dict[str, Mapping[str, Any]]:
    """The canonical settings by name: type, meaning, and the values of a closed list."""
    document.keys({"settings"})
    for name, setting in document["settings"].members():
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or name in ("any", "all", "not"):
            setting.fail(f'"{name}" is no name for a setting')
        setting.keys({"type", "means"}, {"values", "known", "derived", "launch"})
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
        if "launch" in setting and setting["launch"].value is not True:
            setting["launch"].fail("launch is true or left out")
        if "derived" in setting:
            _check_derived(setting, document["settings"].value)
    return dict(document["settings"].value)


def _check_derived(setting: Node, vocabulary: Vocabulary) -> None:
    """What a setting follows from: numbers that are declared before it."""
    formula = setting["derived"]
    formula.keys(set(), {"product", "quotient"})
    if setting["type"].value != "int" or len(formula.value) != 1:
        formula.fail("a derived setting is a number, and has one formula")
    before = list(vocabulary)[: list(vocabulary).index(str(setting.path[-1]))]
    for _, operands in formula.members():
        for operand in operands.elements():
            if check_setting(operand, operand.text(), before) and vocabulary[operand.value]["type"] != "int":
                operand.fail(f"{operand.value} is no number")
        if len(operands.value) < 2:
            operands.fail("a formula has two operands or more")


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
        {"environment", "history", "packages", "rules", "configuration", "configurations", "elsewhere"},
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
    if "elsewhere" in document:
        check_elsewhere(document["elsewhere"])
    for name, entry in document["entry_points"].members():
        if not re.fullmatch(NAME, name):
            entry.fail(f'"{name}" is no name for an entry point')
        own = {"like"} if "like" in entry else {"settings"} if "configuration" in document else {"settings", "flags"}
        entry.keys(own, {"workers", "configuration", "flags", "settings", "names", "told_by", "unless", "elsewhere"})
        check_names(entry)
        if "like" in entry:
            entry["like"].text()
        if "elsewhere" in entry:
            check_elsewhere(entry["elsewhere"])
        if "workers" in entry:
            entry["workers"].keys({"started_by", "source"})
            entry["workers"]["started_by"].word({"ray"})
            entry["workers"]["source"].text()
        if "flags" in entry:
            _check_flags(entry["flags"])
        for setting, spec in entry["settings"].members() if "settings" in entry else ():
            check_setting(spec, setting, vocabulary)
            spec.keys({"type", "source"}, SPELLING)
            spec["source"].text()


def check_spellings(document: Node, known: Described, vocabulary: Vocabulary) -> None:
    """How the entry points of a framework file spell the settings. KNOWN are all frameworks, it included."""
    check_like(document, known)
    for name, entry in document["entry_points"].members():
        whole = known[document["name"].value]["entry_points"][name]
        flags = {flag: group for group, listed in whole.get("flags", {}).items() for flag in listed}
        for setting, spec in entry["settings"].members() if "settings" in entry else ():
            _check_spelling(spec, setting, flags, vocabulary, "configuration" in document)


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
    if node["type"].word(TYPES) != vocabulary[name]["type"]:
        node["type"].fail(f"{name} is of type {vocabulary[name]['type']} in the vocabulary")
    if sum(place in node for place in PLACES) != 1:
        node.fail(f"{node.name} needs a flag, an environment variable, a key or cases, one of them")
    if "cases" in node and not configured:
        _check_cases(node["cases"], name, flags, vocabulary)
    elif "key" in node or "cases" in node:
        check_keys(node, configured)
        for case in node["cases"].elements() if "cases" in node else ():
            for key in ("value", "default"):
                if key in case:
                    check_value(case[key], name, vocabulary)
    if "flag" in node:
        _check_flag(node["flag"], node["flag"].text(), flags)
    if "environment" in node:
        _check_variable(node["environment"], node["environment"].text())
    if "cases" not in node or configured:
        _check_const(node, flags)
    for key in ("default", "const", "otherwise"):
        if key in node:
            check_value(node[key], name, vocabulary)
    if "default_setting" in node:
        other = check_setting(node["default_setting"], node["default_setting"].text(), vocabulary)
        if vocabulary[other]["type"] != vocabulary[name]["type"] or "default" in node:
            node["default_setting"].fail(f"{other} is of another type than {name}, or there is a default already")
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


def _check_flag(node: Node, flag: str, flags: Mapping[str, str]) -> None:
    if flag not in flags:
        node.fail(f"unknown flag {flag}{suggestion(flag, flags)}")


def _check_const(node: Node, flags: Mapping[str, str]) -> None:
    bare = "flag" in node and flags[node["flag"].value] in ("switch", "optional")
    if bare != ("const" in node):
        node.fail(f'{node.name} needs "const" if its flag can be bare, and else has none')


def _check_cases(node: Node, name: str, flags: Mapping[str, str], vocabulary: Vocabulary) -> None:
    """The cases of a setting that several flags decide: each but the last has a `when`, which asks for flags."""
    elements = list(node.elements())
    for at, case in enumerate(elements):
        case.keys(set(), {"when", "flag", "value", "default", "const"})
        if ("flag" in case) == ("value" in case):
            case.fail(f"{case.name} needs a flag or a value, one of the two")
        if ("when" in case) != (at < len(elements) - 1):
            case.fail(f'{case.name} needs a "when"' if "when" not in case else 'the last case has no "when"')
        for flag, wanted in case["when"].members() if "when" in case else ():
            _check_flag(wanted, flag, flags)
            if wanted.value is not True:
                wanted.text()
        if "when" in case and not case["when"].value:
            case["when"].fail(f"{case.name} asks for nothing")
        if "value" in case and "when" not in case:
            case.fail(f"{case.name} has a value for no reason")
        if "flag" in case:
            _check_flag(case["flag"], case["flag"].text(), flags)
            _check_const(case, flags)
        for key in ("value", "default", "const"):
            if key in case:
                check_value(case[key], name, vocabulary)


def spelled_settings(frameworks: Mapping[str, Mapping[str, Any]]) -> frozenset[str]:
    """The settings that some framework spells, by a flag or a variable."""
    return frozenset(
        name
        for framework in frameworks.values()
        for entry in framework["entry_points"].values()
        for name in entry["settings"]
    )

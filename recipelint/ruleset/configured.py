"""The checks of what a framework file says of its trainers' configurations: the file, its keys, known contents."""

from __future__ import annotations

import re
from collections.abc import Collection

from recipelint.ruleset.document import Node

FLAGS = ("argparse", "exact", "transformers")
"""Styles of words that are flags alone."""
STYLES = (*FLAGS, "hydra", "dotted")
CHAINS = ("none", "paths", "groups")
OPTIONS = ("file", "name", "folder", "also", "value")
KEY = r"[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*)*"
PATH = r"(?!/)(?!(.*/)?\.\.(/|\Z))[\w./-]+\.ya?ml"
FOLDER = r"(?!/)(?!(.*/)?\.\.(/|\Z))[\w./-]+"
_PARTS = {*OPTIONS, "first_word", "default", "relative_to", "beside", "braces", "known_by"}


def check_configuration(document: Node) -> None:
    """The `configuration` of a framework file, those of its entry points, and the `configurations` that it lists."""
    style = document["argument_style"].word(STYLES)
    if ("configuration" in document) == (style in FLAGS):
        document["argument_style"].fail('"configuration" is for the styles hydra and dotted, and they need it')
    if "configuration" in document:
        _check(document["configuration"], {"chain"})
    for _, entry in document["entry_points"].members():
        if isinstance(entry.value, dict) and "configuration" in entry:
            if "configuration" not in document:
                entry["configuration"].fail("the framework has no configuration")
            _check(entry["configuration"], set())
    if "configurations" in document:
        if "configuration" not in document:
            document["configurations"].fail("the framework has no configuration")
        for _, known in document["configurations"].members():
            known.keys({"source", "values"})
            known["source"].text()
            for key, value in known["values"].members():
                if not re.fullmatch(KEY, key):
                    value.fail(f'"{key}" is no key')
                if isinstance(value.value, dict | list):
                    value.fail(f"{value.name} must be one value")


def _check(node: Node, required: Collection[str]) -> None:
    node.keys(required, _PARTS | {"chain"})
    if "chain" in node:
        node["chain"].word(CHAINS)
    for kind in OPTIONS:
        for option in node[kind].elements() if kind in node else ():
            if not re.fullmatch(r"--?[A-Za-z][\w-]*", option.text()):
                option.fail(f'"{option.value}" is no option')
    if "first_word" in node and node["first_word"].value is not True:
        node["first_word"].fail("first_word is true or left out")
    if "default" in node and not re.fullmatch(PATH, node["default"].text()):
        node["default"].fail(f'"{node["default"].value}" is no path of a YAML file')
    if "relative_to" in node:
        node["relative_to"].word({"root", "folder", "tree"})
    if "known_by" in node and not re.fullmatch(FOLDER, node["known_by"].text()):
        node["known_by"].fail(f'"{node["known_by"].value}" is no path')
    if "beside" in node and not re.fullmatch(FOLDER, node["beside"].text()):
        node["beside"].fail(f'"{node["beside"].value}" is no folder')
    if "braces" in node:
        node["braces"].word({"keys", "environment"})


def check_keys(node: Node, configured: bool) -> None:
    """The `key` of a setting, or its `cases`."""
    if not configured:
        node.fail(f"{node.name} reads a configuration, and the framework has none")
    if "key" in node:
        _key(node["key"])
        return
    for case in node["cases"].elements():
        case.keys(set(), {"when", "key", "value", "default"})
        if ("key" in case) == ("value" in case):
            case.fail(f"{case.name} needs a key or a value, one of the two")
        if "value" in case and "when" not in case:
            case.fail(f"{case.name} has a value for no reason")
        if "key" in case:
            _key(case["key"])
        if "when" in case:
            for key, wanted in case["when"].members():
                if not re.fullmatch(KEY, key):
                    wanted.fail(f'"{key}" is no key')
                if isinstance(wanted.value, dict | list):
                    wanted.fail(f"{wanted.name} must be one value")
            if not case["when"].value:
                case["when"].fail(f"{case.name} asks for nothing")


def _key(node: Node) -> None:
    if not re.fullmatch(KEY, node.text()):
        node.fail(f'"{node.value}" is no key')

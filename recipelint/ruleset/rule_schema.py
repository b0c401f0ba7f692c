"""The JSON Schemas of rule files and of case files, for editors; made of the facts that the checks have.

`python -m recipelint.ruleset.rule_schema schema` writes both files; with `--check` it says which are not up to date.
What hangs on two places of a file at once, as a placeholder on the settings, is left to `recipelint rules check`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from recipelint.ruleset import keys as says
from recipelint.ruleset.cases import MAX_CASES, MAX_TREE
from recipelint.ruleset.check import PLAIN_WORD
from recipelint.ruleset.heading import CODE, FAMILY, NAME, VERSION
from recipelint.ruleset.load import Ruleset, load
from recipelint.ruleset.schema import BUILTIN, SILENT
from recipelint.ruleset.schema_parts import Json, array, conditions, mapping, pattern, ref, texts, value, words
from recipelint.ruleset.vocabulary import spelled_settings

RULE_FILE, CASES_FILE = "rule.schema.json", "cases.schema.json"
DIALECT = "http://json-schema.org/draft-07/schema#"
"""The dialect that every editor's YAML support knows."""


def rule_schema(ruleset: Ruleset) -> Json:
    """The schema of a rule file that speaks of the settings of a ruleset."""
    parts = {
        "code": pattern(CODE),
        "name": pattern(NAME),
        "family": pattern(FAMILY),
        "status": words(says.STATUSES),
        "since": pattern(VERSION),
        "severity": words(says.SEVERITIES),
        "default": {"enum": ["on", "off"]},
        "summary": ref("line"),
        "when": {"anyOf": [ref("condition"), {"const": BUILTIN}]},
        "message": ref("line"),
        "help": ref("line"),
        "note": _NOTE,
        "url": ref("link"),
        "labels": ref("labels"),
        "variants": array(ref("variant")),
        "fix": {"type": "object"},
        "why": ref("text"),
        "references": array(ref("link")),
        "examples": ref("examples"),
        "placeholders": {"type": "object", "additionalProperties": ref("line")},
        "fires": ref("line"),
        "facts": ref("facts"),
    }
    of_builtin = ["placeholders", "fires", "facts"]
    return {
        "$schema": DIALECT,
        "title": "A rule of recipelint",
        "description": "Made by `recipelint rules schema`; docs/own-rules.md explains it.",
        **mapping(says.RULE, parts),
        "if": {"properties": {"when": {"const": BUILTIN}}},
        "then": {
            "required": ["placeholders"],
            "properties": {"fix": ref("builtin_fix"), "labels": False, "note": False, "variants": False},
        },
        "else": {
            "required": ["examples"],
            "properties": {"fix": ref("fix"), **dict.fromkeys(of_builtin, False)},
        },
        "allOf": [_needs_fix(*where) for where in _NEEDS_FIX],
        "definitions": {
            **texts(),
            **conditions(ruleset.settings),
            "labels": _labels(ruleset.settings),
            "variant": _variant(),
            "fix": mapping(says.FIX, _fix_parts(ruleset)),
            "builtin_fix": mapping(says.BUILTIN_FIX, _fix_parts(ruleset)),
            "examples": mapping(says.EXAMPLES, {"bad": array(ref("bad")), "good": array(ref("good"))}),
            "bad": mapping(says.BAD, {**_EXAMPLE, "line": {"type": "integer", "minimum": 1}, "after": ref("text")}),
            "good": mapping(says.GOOD, _EXAMPLE),
            "facts": {
                "anyOf": [
                    {"type": "object", "additionalProperties": ref("facts")},
                    array(ref("facts")),
                    {"type": "integer"},
                    ref("text"),
                ]
            },
        },
    }


def cases_schema() -> Json:
    """The schema of a case file."""
    lines = {"anyOf": [{"type": "integer", "minimum": 1}, array({"type": "integer", "minimum": 1})]}
    parts: Json = {
        "name": ref("line"),
        "code": ref("text"),
        "before": ref("text"),
        "noop": ref("text"),
        "after": {"anyOf": [ref("text"), array(ref("text"))]},
        "line": lines,
        "or_withheld": {"const": True},
        "note": {"const": True},
        "confidence": words(says.CONFIDENCES),
        "severity": words(says.SEVERITIES),
        "says": array(ref("line")),
        "path": ref("path"),
        "run": ref("path"),
        "paths": array({"anyOf": [{"const": "."}, ref("path")]}),
        "files": {
            "type": "object",
            "propertyNames": ref("path"),
            "maxProperties": MAX_TREE,
            "additionalProperties": {"type": "string"},
        },
        "newline": {"enum": ["crlf", "lf"]},
        "automodel": ref("line"),
    }
    kinds = {"valid": says.VALID, "invalid": says.INVALID, "fix": says.FIXED}
    known_texts = texts()
    return {
        "$schema": DIALECT,
        "title": "Cases of a rule of recipelint",
        "description": "Made by `recipelint rules schema --cases`; docs/own-rules.md explains it.",
        **mapping(
            says.CASES,
            {"rule": pattern(CODE), **{kind: {**array(ref(kind)), "maxItems": MAX_CASES} for kind in kinds}},
        ),
        "minProperties": 2,
        "definitions": {
            **{name: known_texts[name] for name in ("line", "text", "path")},
            **{kind: mapping(known, parts) for kind, known in kinds.items()},
        },
    }


# --- parts -----------------------------------------------------------------------------------------

_NOTE: Json = {"anyOf": [{"const": ""}, ref("line")]}
_EXAMPLE: Json = {"about": ref("line"), "code": ref("text")}
_EXAMPLE["path"] = ref("path")
_NEEDS_FIX = (
    ("variants", {"anyOf": [{"required": ["applicability"]}, {"required": ["comment"]}]}),
    ("examples", {"required": ["after"]}),
)


def _labels(settings: Mapping[str, Any]) -> Json:
    labels = {name: {"description": facts["means"], "allOf": [ref("line")]} for name, facts in settings.items()}
    pairs = {"type": "object", "properties": labels, "additionalProperties": False}
    return {"anyOf": [pairs, array({"enum": list(settings)})]}


def _variant() -> Json:
    severities = {**says.SEVERITIES, SILENT: "the rule says nothing"}
    parts = {
        "when": ref("condition"),
        "severity": words(severities),
        "message": ref("line"),
        "help": ref("line"),
        "note": _NOTE,
        "labels": ref("labels"),
        "applicability": words(says.APPLICABILITIES),
        "comment": ref("comment"),
    }
    silent = {"properties": {"severity": {"const": SILENT}}, "required": ["severity"]}
    return {**mapping(says.VARIANT, parts), "minProperties": 2, "if": silent, "then": {"maxProperties": 2}}


def _fix_parts(ruleset: Ruleset) -> Json:
    spelled = spelled_settings(ruleset.frameworks)
    settings = {
        name: {
            "description": facts["means"],
            "allOf": [pattern(PLAIN_WORD) if facts["type"] == "text" else value(facts)],
        }
        for name, facts in ruleset.settings.items()
        if name in spelled
    }
    changes = {"type": "object", "minProperties": 1, "properties": settings, "additionalProperties": False}
    return {
        "title": ref("line"),
        "applicability": words(says.APPLICABILITIES),
        "set": changes,
        "comment": ref("comment"),
        "safety": ref("text"),
    }


def _needs_fix(key: str, has: Json) -> Json:
    """A rule in which something of KEY is about a fix has one."""
    some = {"properties": {"bad": {"contains": has}}, "required": ["bad"]} if key == "examples" else {"contains": has}
    return {"if": {"properties": {key: some}, "required": [key]}, "then": {"required": ["fix"]}}


# --- files -----------------------------------------------------------------------------------------


def dump(schema: Json) -> str:
    """A schema as its file has it."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> int:
    """Write the schemas to a folder; with --check only say which are not as they should be, and exit with 1."""
    if not arguments or arguments[-1].startswith("-") or arguments[:-1] not in ([], ["--check"]):
        print("usage: python -m recipelint.ruleset.rule_schema [--check] FOLDER", file=sys.stderr)
        return 2
    folder = Path(arguments[-1])
    wanted = {RULE_FILE: dump(rule_schema(load())), CASES_FILE: dump(cases_schema())}
    stale = [n for n, text in wanted.items() if not (folder / n).is_file() or (folder / n).read_text("utf-8") != text]
    for name in stale:
        if arguments[0] == "--check":
            print(f"{folder / name} is not what the checks say; run python -m recipelint.ruleset.rule_schema {folder}")
        else:
            (folder / name).write_text(wanted[name], encoding="utf-8", newline="\n")
    return int(bool(stale) and arguments[0] == "--check")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Parts of the JSON Schemas of rule files: texts, lists, mappings, and the conditions on settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recipelint.ruleset.check import COMMENT_WIDTH, DIVISORS, MAX_FACTORS, UNFIT
from recipelint.ruleset.check_examples import TREE_PATH
from recipelint.ruleset.condition import FLAGS, FORMULAS, OPERATORS, ORDER
from recipelint.ruleset.document import LINK, MAX_LINE
from recipelint.ruleset.keys import Keys

Json = dict[str, Any]


def ref(name: str) -> Json:
    return {"$ref": f"#/definitions/{name}"}


def array(element: Json) -> Json:
    return {"type": "array", "minItems": 1, "items": element}


def pattern(regex: str) -> Json:
    return {"type": "string", "pattern": f"^(?:{regex})$"}


def words(known: Mapping[str, str]) -> Json:
    return {"anyOf": [{"const": word, "description": about} for word, about in known.items()]}


def mapping(known: Keys, parts: Mapping[str, Any]) -> Json:
    """A mapping with these keys and no others, each with what it says."""
    return {
        "type": "object",
        "required": list(known.required),
        "properties": {key: {"description": about, "allOf": [parts[key]]} for key, about in known.all.items()},
        "additionalProperties": False,
    }


def texts() -> Json:
    text = f"(?![^\\n]*(?:{UNFIT}))(?=[^\\n]*\\S)[^\\n]{{1,{COMMENT_WIDTH}}}"
    return {
        "text": {"type": "string", "pattern": r"\S"},
        "line": {"type": "string", "pattern": r"^[^\n]*\S[^\n]*$", "maxLength": MAX_LINE},
        "link": {**pattern(LINK), "maxLength": MAX_LINE},
        "path": {**pattern(TREE_PATH), "maxLength": 200},
        "comment": {"type": "string", "pattern": f"^(?:{text}\\n)*{text}\\n?$"},
    }


def value(setting: Mapping[str, Any]) -> Json:
    """A value that a setting can have."""
    if setting["type"] == "int":
        return {"type": "integer"}
    if setting["type"] == "words":
        return {"enum": list(setting["values"])}
    return {"anyOf": [{"enum": list(setting["known"])}, ref("text")]} if "known" in setting else ref("text")


def conditions(settings: Mapping[str, Mapping[str, Any]]) -> Json:
    """Conditions, and what can be asked of a setting: of a number or a text, and of each with words of its own."""
    members: Json = {
        "all": {"description": "all of these hold", **array(ref("condition"))},
        "any": {"description": "one of these holds", **array(ref("condition"))},
        "not": {"description": "this does not hold", "allOf": [ref("condition")]},
    }
    found: Json = {}
    for name, facts in settings.items():
        plain = "values" not in facts and "known" not in facts
        test = f"{facts['type']}.test" if plain else f"{name}.test"
        members[name] = {"description": facts["means"], "allOf": [ref(test)]}
        found[test] = {"anyOf": [value(facts), _tests(test, facts)]}
        alike = found.setdefault(f"{facts['type']}.setting", {"enum": []})
        alike["enum"].append(name)
    condition = {"type": "object", "minProperties": 1, "properties": members, "additionalProperties": False}
    return {"condition": condition, **found}


def _tests(test: str, facts: Mapping[str, Any]) -> Json:
    other = {
        "type": "object",
        "required": ["setting"],
        "properties": {"setting": {"description": "another setting", "allOf": [ref(f"{facts['type']}.setting")]}},
        "additionalProperties": False,
    }
    factors: Json = {"type": "array", "minItems": 2, "maxItems": MAX_FACTORS, "items": ref("int.setting")}
    several: list[Json] = [
        {"type": "object", "required": [kind], "properties": {kind: factors}, "additionalProperties": False}
        for kind in (FORMULAS if facts["type"] == "int" else ())
    ]
    operators: Json = {}
    for operator, words in OPERATORS.items():
        if operator in ORDER and facts["type"] != "int":
            continue
        if operator in FLAGS:
            operators[operator] = {"description": f"it {words}", "const": True}
        elif operator == "one_of":
            operators[operator] = {"description": f"it {words} one of these", **array(value(facts))}
        else:
            one: Json = {"type": "integer", "minimum": 1} if operator in DIVISORS else value(facts)
            product = [factors] if operator in ORDER else []
            operators[operator] = {"description": f"it {words} this", "anyOf": [one, other, *several, *product]}
    operators["not"] = {"description": "the opposite holds", "allOf": [ref(test)]}
    return {"type": "object", "minProperties": 1, "properties": operators, "additionalProperties": False}

"""The JSON Schema of rule files takes what the checks take, and refuses what they refuse for the form of a file."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator  # type: ignore[import-untyped]

from recipelint.ruleset import keys
from recipelint.ruleset.check import Checker
from recipelint.ruleset.document import Node, RuleError, read
from recipelint.ruleset.load import load
from recipelint.ruleset.rule_schema import CASES_FILE, RULE_FILE, cases_schema, main, rule_schema
from recipelint.ruleset.template import new_files
from recipelint.ruleset.vocabulary import spelled_settings
from tests.own_rules import CODE, NAME
from tests.rule_cases import CASES, ROOT
from tests.test_ruleset_check import EP001, SH001, WRONG_FILES

SCHEMA = Draft7Validator(rule_schema(load()))
CASES_SCHEMA = Draft7Validator(cases_schema())
CHECKER = Checker(load().settings, spelled_settings(load().frameworks))
FILES = sorted(path for path in (ROOT / "rules").glob("*/*.yaml") if path.read_bytes().startswith(b"code:"))

BEYOND_FORM = (
    "duplicate key",  # no value of JSON has one
    "the file must be",
    "undefined placeholder",
    "message: ",
    "the code has no such line",
    "the fixed text has no line",
)
"""What only the checks know: it hangs on two places at once, or on the file's name."""


def plain(path: Path) -> Any:
    return read(path.name, path.read_bytes()).value


def test_they_are_schemas() -> None:
    for name, validator in ((RULE_FILE, SCHEMA), (CASES_FILE, CASES_SCHEMA)):
        Draft7Validator.check_schema(validator.schema)
        assert json.loads((ROOT / "schema" / name).read_text("utf-8")) == validator.schema


def test_drift(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check", str(ROOT / "schema")]) == 0
    assert main(["--check", str(tmp_path)]) == 1
    assert main([str(tmp_path)]) == 0
    assert main(["--check", str(tmp_path)]) == 0
    (tmp_path / RULE_FILE).write_text("{}\n")
    capsys.readouterr()
    assert main(["--check", str(tmp_path)]) == 1
    assert capsys.readouterr().out.startswith(f"{tmp_path / RULE_FILE} is not what the checks say")
    assert [main(arguments) for arguments in ([], ["--check"], ["a", "b"])] == [2, 2, 2]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name[:6])
def test_every_rule_is_taken(path: Path) -> None:
    SCHEMA.validate(plain(path))


@pytest.mark.parametrize("path", sorted(CASES.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_case_file_is_taken(path: Path) -> None:
    CASES_SCHEMA.validate(plain(path))


def test_the_template_is_taken() -> None:
    rule, cases = new_files(CODE, NAME, "team").values()
    SCHEMA.validate(read("x", rule.encode()).value)
    CASES_SCHEMA.validate(read("x", cases.encode()).value)


RULES = [one for one in WRONG_FILES if one[0] in (EP001, SH001)]


@pytest.mark.parametrize(("file", "old", "new", "message"), RULES, ids=[one[3][:40] for one in RULES])
def test_what_the_checks_refuse(file: str, old: str, new: str, message: str) -> None:
    text = (ROOT / "rules" / file).read_text("utf-8").replace(old, new, 1)
    try:
        value = read(file, text.encode()).value
    except RuleError:
        assert any(words in message for words in BEYOND_FORM)
        return
    assert SCHEMA.is_valid(value) == any(words in message for words in BEYOND_FORM)


DROP = object()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        *[((key,), DROP) for key in keys.RULE.required],
        (("since",), 1),
        (("summary",), "a\nb"),
        (("summary",), " "),
        (("summary",), "x" * 1001),
        (("default",), True),
        (("url",), "https://a b"),
        (("references",), []),
        (("placeholders",), {"a": "b"}),
        (("fires",), "always"),
        (("facts",), {"a": 1}),
        (("when",), {}),
        (("when", "not"), {"packing": {}}),
        (("when", "any"), []),
        (("when", "any"), [{}]),
        (("when", "packing"), {"equals": "maybe"}),
        (("when", "packing"), {"one_of": ["on", "maybe"]}),
        (("when", "packing"), {"at_least": 1}),
        (("when", "packing"), {"equals": {"setting": "cpu_offload", "of": 1}}),
        (("when", "micro_batch_size"), {"equals": {"setting": "packing"}}),
        (("when", "micro_batch_size"), "8"),
        (("when", "micro_batch_size"), True),
        (("when", "model"), 8),
        (("when", "model"), {"absent": False}),
        (("labels",), []),
        (("labels",), ["nothing"]),
        (("labels", "nothing"), "x"),
        (("variants", 0, "when"), DROP),
        (("variants", 1), {"when": {"packing": "on"}}),
        (("variants", 0), {"when": {"packing": "on"}, "severity": "off", "message": "x"}),
        (("variants", 0), {"when": {"packing": "on"}, "severity": "fatal"}),
        (("variants",), []),
        (("fix",), DROP),
        (("fix", "title"), DROP),
        (("fix", "set"), DROP),
        (("fix", "comment"), DROP),
        (("fix", "comment"), "a\n\nb\n"),
        (("fix", "comment"), "it's\n"),
        (("fix", "set"), {"attention_backend": "a b"}),
        (("fix", "set"), {"automodel_revision": "x"}),
        (("fix", "sets"), {}),
        (("examples",), DROP),
        (("examples", "good"), DROP),
        (("examples", "bad"), []),
        (("examples", "bad", 0, "line"), DROP),
        (("examples", "bad", 0, "line"), 0),
        (("examples", "bad", 0, "code"), DROP),
        (("examples", "bad", 0, "path"), "../x.sh"),
        (("examples", "good", 0, "line"), 1),
        (("when",), "builtin"),
    ],
    ids=lambda part: "without" if part is DROP else str(part),
)
def test_both_refuse(path: tuple[str | int, ...], value: object) -> None:
    """A rule with one value changed: the checks and the schema say the same."""
    document = changed(path, value)
    assert not _accepts(document)
    assert not SCHEMA.is_valid(document.value)


def changed(path: tuple[str | int, ...], value: object) -> Node:
    """EP001, which both take, with one value changed or dropped."""
    file = f"rules/{EP001}"
    document = read(file, (ROOT / file).read_bytes())
    assert _accepts(document)
    assert SCHEMA.is_valid(document.value)
    at = document.value
    for key in path[:-1]:
        at = at[key]
    if value is DROP:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return document


def _accepts(document: Node) -> bool:
    lines: dict[Any, int] = defaultdict(int)
    try:
        CHECKER.rule(Node(document.file, (), document.value, lines))
    except RuleError:
        return False
    return True


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("note",), ""),
        (("labels",), ["packing", "model"]),
        (("default",), "off"),
        (("when", "any"), [{"packing": "on"}, {"not": {"model": {"present": True}}}]),
        (("when", "micro_batch_size"), {"divides": {"setting": "global_batch_size"}, "not": {"equals": 3}}),
        (("when", "moe_dispatcher"), "a name that nobody knows"),
        (("fix", "set"), {"micro_batch_size": 1, "packing": "on", "attention_backend": "te"}),
        (("fix", "safety"), "it is"),
        (("variants",), DROP),
        (("examples", "bad", 0, "path"), "a/b.py"),
    ],
    ids=lambda part: "without" if part is DROP else str(part),
)
def test_both_take(path: tuple[str | int, ...], value: object) -> None:
    document = changed(path, value)
    assert _accepts(document)
    SCHEMA.validate(document.value)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rule: TEAM001", "rule: team"),
        ("note: true", "note: false"),
        ("note: true", "notes: true"),
        ("note: true", "confidence: sure"),
        ("note: true", "newline: cr"),
        ("note: true", "files: {../a: x}"),
        ("note: true", "files: {a: [x]}"),
        ("note: true", "path: ../a.sh"),
        ("note: true", "paths: []"),
        ("    line: 1\n    note", "    line: one\n    note"),
        ("    line: 1\n    note", "    line: []\n    note"),
        ("    line: 1\n    note", "    note"),
        ("    noop: |", "    nop: |"),
        ("\nvalid:\n", "\nvlid:\n"),
    ],
)
def test_case_files_that_are_refused(old: str, new: str) -> None:
    text = new_files(CODE, NAME, "team")[f"tests/{CODE}.yaml"]
    assert old in text
    assert not CASES_SCHEMA.is_valid(read("x", text.replace(old, new).encode()).value)


def test_every_key_says_what_it_is() -> None:
    def described(schema: Any) -> None:
        for known in schema["properties"].values():
            assert known.get("description"), known

    definitions = SCHEMA.schema["definitions"]
    for schema in (SCHEMA.schema, *(definitions[name] for name in ("condition", "fix", "variant", "bad", "good"))):
        described(schema)
    described(definitions["int.test"]["anyOf"][1])

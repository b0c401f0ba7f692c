"""The commands rules check, rules new and rules schema: what they print, what they write, and how they exit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from recipelint.cli.commands import app
from recipelint.ruleset.load import load
from recipelint.ruleset.rule_schema import CASES_FILE, RULE_FILE, cases_schema, dump, rule_schema
from tests.own_rules import CODE, NAME, RULE, tree, write_rule

OK = f"{CODE} {NAME}: 2 examples, 3 cases: ok\n1 rule tried, and nothing failed\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tree(tmp_path)


def invoke(*args: str) -> Result:
    return CliRunner().invoke(app, ["rules", *args], catch_exceptions=False)


def test_check(root: Path) -> None:
    for arguments in ([], ["ci/rules"], ["ci/rules", f"ci/rules/{RULE}"], [f"ci/rules/{RULE}", "ci/rules"]):
        result = invoke("check", *arguments)
        assert (result.exit_code, result.stdout, result.stderr) == (0, OK, "")
    assert invoke("check", "-q", "ci/rules").stdout == ""


def test_a_rule_named_by_its_file_is_tried_on_the_cases_of_its_code(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = root / "ci" / "rules"
    write_rule(folder, code="TEAM002", name="another-one")
    tests = folder / "tests"
    (tests / f"{CODE}.yaml").rename(tests / "sizes.yaml")
    (folder / "more.cases.yaml").write_text(f"{{rule: '{CODE}', valid: [{{name: nothing, code: echo}}]}}\n")
    (tests / "other.yaml").write_text("rule: [\n")  # is of another rule, for all that is known
    one = invoke("check", f"ci/rules/{RULE}")
    assert (one.exit_code, one.stdout.splitlines()[0]) == (0, f"{CODE} {NAME}: 2 examples, 4 cases: ok")
    (root / "recipelint.toml").write_text(f'rules = ["ci/rules/{RULE}"]\n')
    assert invoke("check").stdout == one.stdout
    monkeypatch.chdir(folder)
    assert invoke("check", RULE).stdout == one.stdout


def test_a_rule_named_by_its_file_fails_its_cases(root: Path) -> None:
    cases = root / "ci" / "rules" / "tests" / f"{CODE}.yaml"
    cases.write_text(f"rule: {CODE}\ninvalid: [{{name: nothing, code: echo, line: 1}}]\n")
    result = invoke("check", f"ci/rules/{RULE}")
    assert (result.exit_code, result.stdout.splitlines()[0]) == (1, f"{CODE} {NAME}: 2 examples, 1 case: 1 failure")
    cases.write_text("rule: [\n")
    assert f"ci/rules/tests/{CODE}.yaml:2: " in invoke("check", f"ci/rules/{RULE}").stderr
    cases.unlink()
    result = invoke("check", f"ci/rules/{RULE}")
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, f"{CODE} {NAME}: 2 examples, no cases: ok")


def test_a_file_of_cases_is_no_rule(root: Path) -> None:
    result = invoke("check", f"ci/rules/tests/{CODE}.yaml")
    assert result.exit_code == 2
    assert f"ci/rules/tests/{CODE}.yaml:2: this is a file of cases; name that of the rule" in result.stderr


@pytest.mark.parametrize("paths", [["ci/rules"], [f"ci/rules/{RULE}"]], ids=["folder", "file"])
def test_cases_of_a_rule_that_cannot_be_parsed_are_not_blamed(root: Path, paths: list[str]) -> None:
    rule = root / "ci" / "rules" / RULE
    rule.write_text(rule.read_text() + "examples: [\n")
    result = invoke("check", *paths)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"recipelint: error: ci/rules/{RULE}:")


def test_cases_of_a_rule_that_there_is_not_are_wrong(root: Path) -> None:
    (root / "ci" / "rules" / RULE).unlink()
    result = invoke("check", "ci/rules")
    assert result.exit_code == 2
    assert f"ci/rules/tests/{CODE}.yaml:2: there is no rule here that it could be of" in result.stderr


def test_check_of_a_rule_that_fails(root: Path) -> None:
    path = write_rule(root / "ci" / "rules", ("greater_than: 4", "greater_than: 8"))
    result = invoke("check", "ci/rules")
    line = path.read_text().splitlines().index("    - about: The flag says so.") + 1
    assert result.exit_code == 1
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert lines[0] == f"{CODE} {NAME}: 2 examples, 3 cases: 3 failures"
    assert lines[1] == f"  Missing: bad example 1 (ci/rules/{RULE}:{line}): nothing is found"
    assert lines[-1] == "3 failures in 1 of 1 rule"
    assert invoke("check", "-q", "ci/rules").stdout.splitlines()[:-1] == lines[:-1]
    failures = json.loads(invoke("check", "--output-format", "json").stdout)["rules"][0]["failures"]
    assert [(one["kind"], one["path"], one["line"]) for one in failures] == [
        ("missing", f"ci/rules/{RULE}", line),
        ("missing", f"ci/rules/tests/{CODE}.yaml", 12),
        ("missing", f"ci/rules/tests/{CODE}.yaml", 22),
    ]


def test_check_names_every_file_that_cannot_be_used_and_tries_the_others(root: Path) -> None:
    folder = root / "ci" / "rules"
    write_rule(folder, ("severity: warning", "severity: warn"), code="OPS001", name="wrong-severity")
    write_rule(folder, code="OPS002", name="another-one", cases=False)
    (folder / "x.yaml").write_text("a: [\n")
    (folder / "tests" / "y.yaml").write_text("rule: OPS009\n")
    result = invoke("check", "ci/rules")
    assert result.exit_code == 2
    assert result.stdout == (
        f"OPS002 another-one: 2 examples, no cases: ok\n{OK.splitlines()[0]}\n2 rules tried, and nothing failed\n"
    )
    said = result.stderr.splitlines()
    assert [line.partition(": ")[2].rpartition(":")[0].partition("yaml:")[0] + "yaml" for line in said] == [
        "error: ci/rules/OPS001-wrong-severity.yaml",
        "error: ci/rules/tests/y.yaml",
        "error: ci/rules/x.yaml",
    ]
    unusable = json.loads(invoke("check", "ci/rules", "--output-format", "json").stdout)["unusable"]
    assert [(one["path"], one["line"]) for one in unusable] == [
        ("ci/rules/OPS001-wrong-severity.yaml", 7),
        ("ci/rules/tests/y.yaml", 1),
        ("ci/rules/x.yaml", 2),
    ]


def test_check_of_a_file_that_is_no_file(root: Path) -> None:
    (root / "ci" / "rules" / "huge.yaml").write_text("#" * 70000)
    result = invoke("check", "--output-format", "json", "ci/rules")
    assert result.exit_code == 2
    assert "ci/rules/huge.yaml: more than 65536 bytes" in result.stderr


def test_check_of_nothing(root: Path) -> None:
    (root / "empty").mkdir()
    assert "empty: there is no rule file" in invoke("check", "empty").stderr
    assert invoke("check", "gone").stderr == "Error: gone: no such file or folder\n"
    (root / "recipelint.toml").write_text('rules = ["none"]\n')
    assert invoke("check").stderr == "Error: recipelint.toml: rules: none: no such file or folder\n"
    result = invoke("check", "--isolated")
    assert (result.exit_code, "name a folder of rules" in result.stderr) == (2, True)


def test_check_of_hostile_text(root: Path) -> None:
    """Names and texts of a stranger are harmless on the way out."""
    path = write_rule(root / "ci" / "rules", ("The flag says so.", "::error::x"), cases=False)
    path.write_text(path.read_text().replace("greater_than: 4", "greater_than: 8").replace("base", "b::error::y"))
    tests = root / "ci" / "rules" / "tests"
    (tests / "x ##[error].yaml").write_text(f'rule: {CODE}\ninvalid:\n- {{name: "::error::z", code: x, line: 1}}\n')
    result = invoke("check", "ci/rules")
    assert result.exit_code == 1
    assert "Missing" in result.stdout
    assert "::" not in result.stdout
    assert "##[" not in result.stdout
    assert "::" not in invoke("check", "--output-format", "json", "ci/rules").stdout


def test_a_new_rule_holds(root: Path) -> None:
    result = invoke("new", "OPS001", "other-name", "made here/rules", "--family", "memory")
    assert result.exit_code == 0
    assert result.stdout == (
        "wrote made here/rules/OPS001-other-name.yaml\n"
        "wrote made here/rules/tests/OPS001.yaml\n"
        "wrote made here/rules/rule.schema.json\n"
        "wrote made here/rules/cases.schema.json\n"
        "next:\n"
        "  1. say in the rule what it is to find, and in its examples and cases where\n"
        "  2. recipelint rules check 'made here/rules'\n"
        '  3. name the folder in the configuration: rules = ["made here/rules"]\n'
    )
    text = (root / "made here/rules/OPS001-other-name.yaml").read_text()
    assert text.startswith(
        "# yaml-language-server: $schema=rule.schema.json\ncode: OPS001\nname: other-name\nfamily: memory\n"
    )
    assert (root / "made here/rules" / RULE_FILE).read_text("utf-8") == dump(rule_schema(load()))
    assert (root / "made here/rules" / CASES_FILE).read_text("utf-8") == dump(cases_schema())
    checked = invoke("check", "made here/rules")
    assert (checked.exit_code, checked.stdout.splitlines()[0]) == (0, "OPS001 other-name: 2 examples, 3 cases: ok")


def test_a_new_rule_in_the_folder_of_the_configuration(root: Path) -> None:
    result = invoke("new", "TEAM002", "other-name")
    assert result.exit_code == 0
    assert "wrote ci/rules/TEAM002-other-name.yaml" in result.stdout
    assert "configuration" not in result.stdout
    assert "family: team\n" in (root / "ci/rules/TEAM002-other-name.yaml").read_text()
    assert invoke("check").stdout.splitlines()[-1] == "2 rules tried, and nothing failed"
    again = invoke("new", "TEAM003", "third-name")
    assert "schema" not in again.stdout
    result = invoke("new", "TEAM004", "other-one", "--isolated")
    assert (result.exit_code, "say into which folder" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    ("code", "name", "options", "message"),
    [
        (CODE, "other-name", [], f"{CODE} is used by ci/rules/{RULE}"),
        ("TEAM002", NAME, [], f"{NAME} is used by ci/rules/{RULE}"),
        ("team002", "other-name", [], '"team002" is no code'),
        ("TEAM002", "../../x", [], '"../../x" is no name'),
        ("TEAM002", "other", [], '"other" is no name: two or more lower-case words, joined by hyphens'),
        ("TEAM002", "other-name", ["--family", "A B"], '"A B" is no family'),
        ("SH009", "other-name", [], "codes that begin with SH are recipelint's own"),
    ],
)
def test_a_new_rule_that_cannot_be(root: Path, code: str, name: str, options: list[str], message: str) -> None:
    before = sorted(root.rglob("*"))
    result = invoke("new", code, name, *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert sorted(root.rglob("*")) == before


def test_nothing_is_overwritten(root: Path) -> None:
    for name in ("TEAM002-other-name.yaml", "tests/TEAM002.yaml"):
        path = root / "ci" / "rules" / name
        path.write_text("code: x\n")
        before = sorted(root.rglob("*"))
        result = invoke("new", "TEAM002", "other-name")
        assert (result.exit_code, f"ci/rules/{name} is there already" in result.stderr) == (2, True)
        assert sorted(root.rglob("*")) == before
        path.unlink()
    (root / "file").write_text("")
    result = invoke("new", "TEAM002", "other-name", "file/in")
    assert (result.exit_code, result.stderr) == (2, "Error: file/in/TEAM002-other-name.yaml: Not a directory\n")


def test_schema(root: Path) -> None:
    assert invoke("schema").stdout == dump(rule_schema(load()))
    assert invoke("schema", "--cases").stdout == dump(cases_schema())


def test_without_a_command(root: Path) -> None:
    result = invoke()
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.endswith("Error: name a command: check, new or schema; a folder of this name is ./rules\n")

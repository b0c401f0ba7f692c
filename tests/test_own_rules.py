"""A team's own rules are rules like any others: found, selected, ignored, fixed, explained; and add, never redefine."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from recipelint.cli.commands import app
from recipelint.ruleset.load import load, load_for
from recipelint.settings import Settings, resolve
from tests.own_rules import CODE, NAME, RIGHT, RULE, WRONG, tree, write_rule

CONCISE = ("--output-format", "concise")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tree(tmp_path)


def invoke(*args: str) -> Result:
    return CliRunner().invoke(app, list(args), catch_exceptions=False)


def found(*args: str) -> list[str]:
    """The codes of what is found, each with its file."""
    result = invoke(*args, "--output-format", "json")
    return [f"{one['path']}:{one['start']['line']} {one['code']}" for one in json.loads(result.stdout)["diagnostics"]]


def test_it_is_found(root: Path) -> None:
    assert found(".") == [f"wrong.sh:2 {CODE}"]
    result = invoke(*CONCISE, ".")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[0] == (
        f"wrong.sh:2:28: {CODE} [warning] micro_batch_size 8 (set at line 2): more than 4 do not fit into memory"
    )
    assert found("--isolated", ".") == []
    (root / "recipelint.toml").unlink()
    assert found(".") == []
    assert found("--rules", "ci/rules", ".") == [f"wrong.sh:2 {CODE}"]
    assert found("--rules", f"ci/rules/{RULE}", "wrong.sh") == [f"wrong.sh:2 {CODE}"]


@pytest.mark.parametrize(
    ("options", "on"),
    [
        (["--select", "TEAM"], True),
        (["--select", CODE], True),
        (["--select", NAME], True),
        (["--select", "team"], True),
        (["--select", "ALL"], True),
        (["--select", "EP"], False),
        (["--ignore", "TEAM"], False),
        (["--ignore", "TEAM001"], False),
        (["--select", "TEAM", "--ignore", NAME], False),
    ],
)
def test_it_is_selected(root: Path, options: list[str], on: bool) -> None:
    assert bool(found(*options, ".")) == on


def test_a_selector_that_selects_nothing(root: Path) -> None:
    result = invoke("--select", "TEAM002", ".")
    assert (result.exit_code, result.stderr) == (
        2,
        "Error: --select: there is no rule 'TEAM002'; did you mean 'TEAM001'?\n",
    )
    assert invoke("--isolated", "--select", "TEAM001", ".").exit_code == 2


@pytest.mark.parametrize(
    ("config", "on"),
    [
        ('select = ["TEAM"]', True),
        ('ignore = ["team"]', False),
        ('per-file-ignores = {"wrong.sh" = ["TEAM"]}', False),
        ('per-file-ignores = {"right.sh" = ["TEAM"]}', True),
    ],
)
def test_the_configuration_speaks_of_it(root: Path, config: str, on: bool) -> None:
    (root / "recipelint.toml").write_text(f'rules = ["ci/rules"]\n{config}\n')
    assert bool(found(".")) == on


def test_a_comment_ignores_it(root: Path) -> None:
    (root / "wrong.sh").write_text(f"# recipelint: ignore[{CODE}] fits on these\n{WRONG}")
    assert found(".") == []
    (root / "right.sh").write_text(f"# recipelint: ignore[{CODE}] fits on these\n{RIGHT}")
    assert found(".") == ["right.sh:1 RL001"]


def test_preview_and_off(root: Path) -> None:
    write_rule(root / "ci" / "rules", ("status: stable", "status: preview"))
    assert (found("."), found("--select", "TEAM", "."), found("--select", CODE, ".")) == (
        [],
        [],
        [f"wrong.sh:2 {CODE}"],
    )
    write_rule(root / "ci" / "rules", ("status: stable", "status: stable\ndefault: off"))
    assert (found("."), found("--select", "TEAM", ".")) == ([], [f"wrong.sh:2 {CODE}"])
    assert "off by default, and on only where it is selected" in invoke("rule", CODE).stdout


def test_it_is_fixed(root: Path) -> None:
    right = (root / "right.sh").read_bytes()
    assert invoke("--fix", ".").exit_code == 1
    assert (root / "wrong.sh").read_text() == WRONG
    assert invoke("--fix", "--unsafe-fixes", ".").exit_code == 0
    assert (root / "wrong.sh").read_text() == (
        "# More than 4 samples in a micro batch do not fit into memory.\n" + WRONG.replace("8", "4")
    )
    assert (root / "right.sh").read_bytes() == right


def test_a_comment_of_other_letters(root: Path) -> None:
    """The text of launchers is bytes."""
    write_rule(root / "ci" / "rules", ("More than 4 samples", "Größer als 4 — 大き過ぎる"))
    (root / "array.sh").write_text(
        'A=(\n  --train.batch_size 64\n  --train.micro_batch_size 8\n)\ntorchrun -m molt.cli.train_sft "${A[@]}"\n'
    )
    assert invoke("--fix", "--unsafe-fixes", ".").exit_code == 0
    comment = "# Größer als 4 — 大き過ぎる in a micro batch do not fit into memory.\n"
    assert (root / "wrong.sh").read_text("utf-8").startswith(comment)
    assert f"  {comment}  --train.micro_batch_size 4\n" in (root / "array.sh").read_text("utf-8")


def test_table_and_command_line(root: Path) -> None:
    table = invoke("table", "--columns", "recipe,verdict", ".").stdout
    assert f"wrong.sh  {CODE} warning" in table
    assert "right.sh  ok" in table
    words = ["torchrun", "-m", "molt.cli.train_sft", "--train.micro_batch_size"]
    judged = invoke("check-command", *CONCISE, "--", *words, "8")
    assert (judged.exit_code, CODE in judged.stdout) == (1, True)
    assert invoke("check-command", *CONCISE, "--", *words, "4").exit_code == 0
    assert invoke("check-command", "--isolated", *CONCISE, "--", *words, "8").exit_code == 0


@pytest.mark.parametrize("family", ["claims", "lint", "arguments", "moe"])
def test_a_family_is_called_as_it_likes(root: Path, family: str) -> None:
    write_rule(root / "ci" / "rules", ("family: team", f"family: {family}"))
    assert found("--select", family, ".") == [f"wrong.sh:2 {CODE}"]
    words = ["torchrun", "-m", "molt.cli.train_sft", "--train.micro_batch_size", "8"]
    assert invoke("check-command", "--", *words).exit_code == 1


def test_it_is_explained(root: Path) -> None:
    page = invoke("rule", CODE)
    assert page.exit_code == 0
    assert page.stdout.startswith(f"# {CODE}: {NAME}\n\nwarning · stable · family `team`")
    assert f"from `ci/rules/{RULE}`" in page.stdout
    assert invoke("rule", NAME).stdout == page.stdout
    assert f"{CODE}   warning  {NAME}" in invoke("rule").stdout
    assert f"# {CODE}: {NAME}\n" in invoke("rule", "--all").stdout
    (mine,) = json.loads(invoke("rule", CODE, "--output-format", "json").stdout)["rules"]
    assert (mine["file"], mine["page"]) == (f"ci/rules/{RULE}", None)
    assert mine["fires"] == ["`micro_batch_size` is greater than `4`"]
    assert mine["when"] == {"micro_batch_size": {"greater_than": 4}}
    assert mine["fix"]["set"] == {"micro_batch_size": 4}
    assert "@comment" not in mine["examples"]["bad"][0]["after"]
    assert CODE not in invoke("rule", "--isolated").stdout
    every = json.loads(invoke("rule", "--all", "--output-format", "json").stdout)["rules"]
    assert [one["code"] for one in every] == [*load().rules, CODE]
    result = invoke("rule", "TEAM009")
    assert (result.exit_code, "did you mean 'TEAM001'?" in result.stderr) == (2, True)
    assert invoke("rule", CODE, "--all").exit_code == 2


@pytest.mark.parametrize(
    "command",
    [["wrong.sh"], ["show", "wrong.sh"], ["table", "wrong.sh"], ["rule"], ["check-command", "--", "torchrun", "x"]],
    ids=lambda command: command[0],
)
def test_a_wrong_file_ends_every_command(root: Path, command: list[str]) -> None:
    path = write_rule(root / "ci" / "rules", ("micro_batch_size: {greater_than", "micro_bach_size: {greater_than"))
    line = path.read_text().splitlines().index("  micro_bach_size: {greater_than: 4}") + 1
    result = invoke(*command)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f'Error: ci/rules/{RULE}:{line}: unknown setting "micro_bach_size"; did you mean "micro_batch_size"?\n'
    )


@pytest.mark.parametrize(
    ("code", "name", "message"),
    [
        ("EP009", "a-b", "EP009: codes that begin with EP are recipelint's own; take another prefix, as in TEAM001"),
        ("ENVY001", "a-b", "ENVY001: ENVY and recipelint's own ENV would be selected together; take another prefix"),
        ("AR001", "a-b", "AR001: AR and recipelint's own ARG would be selected together; take another prefix"),
        ("TEAM1", "a-b", '"TEAM1" is no code: two to five capitals and three digits'),
        ("TEAM001", "a", '"a" is no name: two or more lower-case words, joined by hyphens'),
        ("TEAM001", "unused-ignore", "unused-ignore is the name of recipelint's RL001"),
    ],
)
def test_codes_and_names_are_a_teams_own(root: Path, code: str, name: str, message: str) -> None:
    (root / "ci" / "rules" / RULE).unlink()
    write_rule(root / "ci" / "rules", code=code, name=name)
    result = invoke(".")
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.startswith(f"Error: ci/rules/{code}-{name}.yaml:")
    new = invoke("rules", "new", code, name, "elsewhere")
    assert (new.exit_code, new.stderr) == (2, f"Error: {message}\n")
    assert not (root / "elsewhere").exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\n  micro_batch_size: {greater_than: 4}", " 4", "when must be a mapping"),
        (
            "when:\n  micro_batch_size: {greater_than: 4}",
            "when: builtin",
            '"builtin" is for what recipelint itself finds',
        ),
        ("family: team", "family: Our-team", '"Our-team" is no family'),
        ("name: big-micro-batch", "name: big-batch", "the file must be called TEAM001-big-batch.yaml"),
        ("set: {micro_batch_size: 4}", "set: {attention_backend: te; reboot}", "would have to be quoted"),
        ("set: {micro_batch_size: 4}", "set: {attention_backend: $(x)}", "would have to be quoted"),
        ("do not fit into memory.", "do not fit \u202e into memory.", "a character that cannot be printed"),
        ('"micro_batch_size {micro_batch_size} ', '"\\e[31m {micro_batch_size} ', "a character that cannot be printed"),
        ("more than 4 do not fit into memory", "x" * 1000, "is longer than 1000 characters"),
        ("more than 4 do not fit into memory", "{micro_batch_size}" * 20, "has more than 20 placeholders"),
        (
            "greater_than: 4}",
            "greater_than: 4}\n  any: [" + "{packing: 'on'}, " * 100 + "]",
            "more than 100 comparisons",
        ),
    ],
)
def test_what_a_rule_of_a_team_cannot_be(root: Path, old: str, new: str, message: str) -> None:
    write_rule(root / "ci" / "rules", (old, new))
    result = invoke(".")
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_code_and_a_name_are_used_once(root: Path) -> None:
    write_rule(root / "ci" / "rules" / "inner", name="other-name", cases=False)
    assert f"TEAM001 is used by ci/rules/{RULE}" in invoke(".").stderr
    (root / "ci" / "rules" / "inner" / "TEAM001-other-name.yaml").unlink()
    write_rule(root / "ci" / "rules" / "inner", code="TEAM002", cases=False)
    assert f"{NAME} is used by ci/rules/{RULE}" in invoke(".").stderr


def test_files_that_are_not_read_when_linting(root: Path) -> None:
    """Cases, schemas, and what is no YAML."""
    folder = root / "ci" / "rules"
    for name in ("tests/broken.yaml", "TEAM001.cases.yaml", "notes.md", ".hidden.yaml", "rule.schema.json"):
        (folder / name).write_text("a: [\n")
    assert found(".") == [f"wrong.sh:2 {CODE}"]
    (folder / "broken.yml").write_text("a: [\n")
    assert invoke(".").exit_code == 2


def test_the_rules_of_several_places(root: Path) -> None:
    write_rule(root / "more", ("{greater_than: 4}", "{less_than: 5}"), code="OPS001", name="few-samples", cases=False)
    (root / "recipelint.toml").write_text(f'rules = ["ci/rules/{RULE}", "more", "ci/rules"]\n')
    assert found(".") == ["right.sh:2 OPS001", f"wrong.sh:2 {CODE}"]


def test_yaml_is_read_only_where_rules_are_named(root: Path) -> None:
    code = (
        "import sys; from recipelint.ruleset.load import load_for; from recipelint.settings import resolve; "
        "load_for(resolve({'paths': ('.',)})); print('ruamel' in sys.modules)"
    )

    def imported() -> str:
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert imported() == "True\n"
    (root / "recipelint.toml").write_text("")
    assert imported() == "False\n"


def test_rules_are_parsed_again_only_when_they_change(root: Path) -> None:
    settings = resolve({})
    first = load_for(settings)
    assert load_for(settings) is first
    assert load_for(Settings()) is load()
    write_rule(root / "ci" / "rules", ("severity: warning", "severity: error"))
    assert load_for(settings).rules[CODE].severity.word == "error"


SETTINGS = """\
settings:
  curriculum:
    type: words
    values: ['off', 'on']
    means: whether samples are ordered by difficulty
"""
FRAMEWORK = """\
name: acme
title: acme
source: https://git.example.org/acme/trainer
argument_style: argparse
entry_points:
  acme.train:
    settings:
      expert_parallel_size: {flag: --ep, type: int, default: 1, source: acme/train.py}
      micro_batch_size: {flag: --micro, type: int, default: 6, source: acme/train.py}
      curriculum: {flag: --curriculum, type: words, default: 'off', const: 'on', source: acme/train.py}
    flags:
      switch: [--curriculum]
      value: [--ep, --micro, --out]
"""


def acme(root: Path, settings: str = SETTINGS, framework: str = FRAMEWORK) -> None:
    folder = root / "ci" / "rules"
    (folder / "frameworks").mkdir(exist_ok=True)
    (folder / "settings.yaml").write_text(settings)
    (folder / "frameworks" / "acme.yaml").write_text(framework)


def test_settings_and_trainers_of_a_team(root: Path) -> None:
    acme(root)
    write_rule(
        root / "ci" / "rules",
        ("  micro_batch_size: {greater_than: 4}", "  curriculum: 'off'\n  micro_batch_size: {greater_than: 4}"),
        ("set: {micro_batch_size: 4}", "set: {curriculum: 'on'}"),
        ("labels:\n  micro_batch_size: more than 4 do not fit", "labels: [curriculum]"),
        ("molt.cli.train_sft", "acme.train"),
        ("          --train.micro_batch_size 4\n", "          --micro 4\n"),
        ("          --train.micro_batch_size 8\n", "          --micro 8\n"),
    )
    (root / "wrong.sh").write_text("python3 -m acme.train --ep 2 --out /x\n")
    (root / "right.sh").write_text("python3 -m acme.train --ep 2 --curriculum\n")
    assert found(".") == [f"wrong.sh:1 {CODE}"]
    shown = json.loads(invoke("show", "--output-format", "json", "wrong.sh").stdout)["files"][0]["launches"][0]
    assert shown["framework"] == "acme"
    assert shown["settings"]["micro_batch_size"]["value"] == 6
    assert shown["settings"]["micro_batch_size"]["read_from"] == "ci/rules/frameworks/acme.yaml"
    assert "curriculum" in invoke("table", "--help").stdout
    assert invoke("table", "--columns", "recipe,curriculum", ".").exit_code == 0
    assert invoke("table", "--isolated", "--columns", "recipe,curriculum", ".").exit_code == 2
    assert invoke("--fix", "--unsafe-fixes", ".").exit_code == 0
    assert (root / "wrong.sh").read_text().endswith("\npython3 -m acme.train --ep 2 --curriculum --out /x\n")
    assert '"curriculum"' in invoke("rules", "schema").stdout
    assert '"curriculum"' not in invoke("rules", "schema", "--isolated").stdout


HELD = "  EP001: {source: https://git.example.org/acme/trainer/issues/7}\n"


@pytest.mark.parametrize(
    ("rules", "codes"),
    [
        ("", []),
        ("rules:\n  EP004: {source: acme/train.py#L3}\n", []),
        (f"rules:\n{HELD}", ["wrong.sh:1 EP001"]),
        (f"rules:\n{HELD}".replace("/7}", "/7, entry_points: [acme.train]}"), ["wrong.sh:1 EP001"]),
        (f"rules:\n{HELD}".replace("/7}", "/7, entry_points: [acme.other]}"), []),
    ],
)
def test_a_rule_of_recipelint_judges_a_trainer_for_which_it_is_known_to_hold(
    root: Path, rules: str, codes: list[str]
) -> None:
    entry = FRAMEWORK[FRAMEWORK.index("  acme.train:") :]
    entry = entry.replace(
        "      micro_batch_size",
        "      moe_dispatcher: {environment: ACME_DISPATCHER, type: text, default: deepep, source: acme/x.py}\n"
        "      activation_checkpointing: {flag: --checkpoint, type: words, default: full, source: acme/x.py}\n"
        "      micro_batch_size",
    ).replace("[--ep", "[--checkpoint, --ep")
    head = FRAMEWORK[: FRAMEWORK.index("entry_points:")]
    acme(root, framework=f"{head}{rules}entry_points:\n{entry}{entry.replace('acme.train:', 'acme.other:')}")
    (root / "wrong.sh").write_text("python3 -m acme.train --micro 2 --ep 8\n")
    (root / "right.sh").write_text("python3 -m acme.train --micro 2 --ep 8 --checkpoint none\n")
    assert found(".") == codes


@pytest.mark.parametrize(
    ("settings", "framework", "message"),
    [
        (("curriculum:", "packing:"), ("", ""), "settings.yaml:2: there is a setting packing already"),
        (("", ""), ("name: acme", "name: molt"), "the file must be frameworks/molt.yaml"),
        (("", ""), ("  acme.train:", "  molt.cli.train_sft:"), "molt.cli.train_sft is an entry point of molt already"),
        (("", ""), ("  acme.train:", "  'a b c':"), '"a b c" is no name for an entry point'),
        (("", ""), ("  acme.train:", "  train.py:"), "train.py is an entry point of slime already; told_by could"),
        (("", ""), ("curriculum: {flag", "curiculum: {flag"), 'unknown setting "curiculum"'),
        (("type: words", "type: regex"), ("", ""), 'type is "regex", not one of int, text, words'),
        (("", ""), ("--ep,", "--ep;reboot,"), '"--ep;reboot" is no flag'),
        (("", ""), ("entry_points:", "rules: {EP1: {source: a.py}}\nentry_points:"), 'acme.yaml:5: unknown rule "EP1"'),
    ],
)
def test_a_team_redefines_nothing(
    root: Path, settings: tuple[str, str], framework: tuple[str, str], message: str
) -> None:
    acme(root, SETTINGS.replace(*settings), FRAMEWORK.replace(*framework))
    result = invoke(".")
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_trainer_that_is_like_one_of_recipelint(root: Path) -> None:
    """It has the settings and flags of that one, with its own above them, and is told from others by its flags."""
    acme(
        root,
        framework=f"""{FRAMEWORK[: FRAMEWORK.index("entry_points:")].replace("argparse", "exact")}entry_points:
  train.py:
    told_by: [--acme-cluster]
    like: megatron-lm pretrain_gpt.py
    settings:
      micro_batch_size: {{flag: --micro-batch-size, type: int, default: 6, source: acme/train.py}}
""",
    )
    (root / "wrong.sh").write_text("torchrun train.py --acme-cluster a --tensor-model-parallel-size 2\n")
    (root / "right.sh").write_text("torchrun train.py --tensor-model-parallel-size 2\n")
    shown = json.loads(invoke("show", "--output-format", "json", ".").stdout)["files"]
    (right,), (wrong,) = (one["launches"] for one in sorted(shown, key=lambda one: str(one["path"])))
    assert (wrong["framework"], right["framework"]) == ("acme", None)
    settings = wrong["settings"]
    assert settings["tensor_parallel_size"]["value"] == 2
    assert (settings["micro_batch_size"]["value"], settings["activation_checkpointing"]["value"]) == (6, "none")
    assert settings["micro_batch_size"]["read_from"] == "ci/rules/frameworks/acme.yaml"
    assert settings["context_parallel_size"]["read_from"] == "rules/frameworks/megatron-lm.yaml"
    assert found(".") == [f"wrong.sh:1 {CODE}"]


def test_a_framework_has_a_name_of_its_own(root: Path) -> None:
    acme(root)
    text = FRAMEWORK.replace("name: acme", "name: molt").replace("acme.train:", "acme.other:")
    (root / "ci" / "rules" / "frameworks" / "molt.yaml").write_text(text)
    assert "there is a framework molt already" in invoke(".").stderr


def test_a_rule_of_a_setting_that_a_trainer_does_not_have(root: Path) -> None:
    """The finding stands; the fix cannot be made, and says so."""
    acme(root)
    write_rule(
        root / "ci" / "rules",
        ("labels:\n  micro_batch_size: more than 4 do not fit", "labels: [micro_batch_size]"),
        ("set: {micro_batch_size: 4}", "set: {packing: 'on'}"),
    )
    (root / "wrong.sh").write_text("python3 -m acme.train --micro 8\n")
    (one,) = json.loads(invoke("--output-format", "json", "wrong.sh").stdout)["diagnostics"]
    assert (one["fix"], one["note"]) == (None, "not fixed: acme.train has no packing")


HEAD = FRAMEWORK[: FRAMEWORK.index("  acme.train:")]
ROOT_ENTRY = FRAMEWORK[FRAMEWORK.index("  acme.train:") :].replace("acme.train", "acme.base")


@pytest.mark.parametrize(
    ("entries", "wrong"),
    [
        ("  acme.train: {like: acme.train}\n", "it is like itself in the end"),
        ("  acme.train: {like: acme acme.train}\n", "it is like itself in the end"),
        ("  acme.train: {like: acme.b}\n  acme.b: {like: acme.train}\n", "it is like itself in the end"),
        ("  acme.train: {like: acme.b}\n  acme.b: {like: acme.b}\n", "it is like itself in the end"),
        ("  acme.train: {like: acme acme.trai}\n", 'unknown entry point "acme.trai"; did you mean "acme.train"?'),
        ("  acme.train: {like: acne acme.train}\n", 'unknown framework "acne"; did you mean "acme"?'),
        (
            "  acme.train: {like: molt molt.cli.train}\n",
            'unknown entry point "molt.cli.train"; did you mean "molt.cli.train_',
        ),
    ],
)
@pytest.mark.parametrize("command", [["."], ["show", "."], ["rules", "check"]], ids=lambda words: words[0])
def test_like_ends_at_an_entry_point_with_settings(root: Path, entries: str, wrong: str, command: list[str]) -> None:
    acme(root, framework=HEAD + entries)
    result = invoke(*command)
    assert result.exit_code == 2
    assert f"ci/rules/frameworks/acme.yaml:6: {wrong}" in result.stderr


def test_like_another_trainer_of_the_team(root: Path) -> None:
    """Of whichever file, that of a later name included."""
    beta = FRAMEWORK.replace("acme", "beta")
    acme(root, framework=HEAD + "  acme.train: {like: beta beta.train}\n")
    folder = root / "ci" / "rules" / "frameworks"
    (folder / "beta.yaml").write_text(beta)
    (root / "wrong.sh").write_text("python3 -m acme.train --ep 2\n")
    assert found(".") == [f"wrong.sh:1 {CODE}"]
    (folder / "beta.yaml").write_text(beta.replace("--micro, type: int, default: 6", "--micro, type: int, default: 4"))
    assert found(".") == []
    (folder / "beta.yaml").write_text(HEAD.replace("acme", "beta") + "  beta.train: {like: acme acme.train}\n")
    assert "acme.yaml:6: it is like itself in the end" in invoke(".").stderr


def test_a_long_way_of_likes(root: Path) -> None:
    """Two thousand entry points, each like the next, are refused, and do not use up the stack."""
    for steps, status in ((20, 1), (21, 2), (2000, 2)):
        chain = "".join(f"  acme.e{at}: {{like: acme.e{at + 1}}}\n" for at in range(steps - 1))
        chain += f"  acme.e{steps - 1}: {{like: acme.base}}\n"
        acme(root, framework=HEAD + chain + ROOT_ENTRY)
        result = invoke(".")
        assert result.exit_code == status
        assert ("acme.yaml:6: more than 20 entry points are like one another in turn" in result.stderr) == (status == 2)

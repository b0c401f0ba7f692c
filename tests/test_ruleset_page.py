"""The pages in docs/rules are those that the rules make."""

from __future__ import annotations

import json
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

from recipelint.report import rules
from recipelint.report.sarif_rules import descriptor
from recipelint.ruleset.condition import condition_from, plain_of
from recipelint.ruleset.explain import explain, in_words
from recipelint.ruleset.load import Ruleset, load
from recipelint.ruleset.page import main, page
from recipelint.ruleset.pages import pages
from tests.outcomes import at, diagnostic, source

tomllib = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
DOCS = Path(__file__).resolve().parent.parent / "docs" / "rules"


def test_no_drift(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check", str(DOCS)]) == 0
    assert capsys.readouterr().out == ""


def test_headings() -> None:
    headings = [line[3:] for line in page(load().rules["EP001"]).splitlines() if line.startswith("## ")]
    assert headings == [
        "What it does",
        "When it fires",
        "Why this is wrong",
        "Bad",
        "Good",
        "What to do",
        "Fix safety",
        "How to ignore it",
        "Options",
        "References",
    ]


PLACEHOLDER = re.compile(r"(?<!\$)\{[a-z_]+\}")


@pytest.fixture(scope="module")
def with_own() -> Ruleset:
    """The rules, and one of a team that has placeholders wherever a rule may."""
    known = load()
    rule = known.rules["EP001"]
    assert rule.fix is not None
    own = rule._replace(
        code="TEAM001",
        help="less than {expert_parallel_size}, {expert_parallel_size_origin} ({expert_parallel_size_place})",
        fix=rule.fix._replace(title="set it to {expert_parallel_size}"),
    )
    return known._replace(rules={**known.rules, own.code: own})


def test_no_text_for_people_holds_a_placeholder(with_own: Ruleset) -> None:
    """Of the pages, of what SARIF says of a rule, and of help and title in JSON; messages are templates there."""
    shown = {one["code"]: one for one in json.loads(rules.json(list(with_own.rules.values())))["rules"]}
    for code, rule in with_own.rules.items():
        finding = diagnostic(at(source(), "full"), code=code)
        told = descriptor(finding, with_own)
        texts = [page(rule, with_own), shown[code]["help"], (shown[code]["fix"] or {"title": ""})["title"]]
        texts += [
            told["help"]["text"],
            told["help"]["markdown"],
            *(told[f"{n}Description"]["text"] for n in ("short", "full")),
        ]
        for text in texts:
            assert not PLACEHOLDER.search(text), code
        assert not re.search(r"\]\(|\[[^\]]*#\d+\]", told["fullDescription"]["text"]), code


def test_placeholders_are_said_in_words(with_own: Ruleset) -> None:
    known = with_own.rules
    assert in_words(known["ARG005"], known["ARG005"].help) == "give the flag; argparse exits with status 2"
    assert in_words(known["TEAM001"], known["TEAM001"].help) == (
        "less than the value of expert_parallel_size, where expert_parallel_size comes from "
        "(the place of expert_parallel_size)"
    )


def test_formulas_are_said_in_words(with_own: Ruleset) -> None:
    known = with_own.rules
    assert in_words(known["PAR002"], known["PAR002"].help) == (
        "make the global batch a multiple of micro_batch_size times data_parallel_size, or the micro batch smaller"
    )
    assert in_words(known["PAR003"], known["PAR003"].help) == (
        "set the expert-parallel size to a divisor of world_size divided by pipeline_parallel_size, "
        "or start more processes"
    )
    assert in_words(known["PAR001"], "give {nodes:node}") == "give as many nodes as the value of nodes"


def test_a_page_says_what_to_do() -> None:
    for code, text in pages(load()).items():
        cure = text.partition("## What to do\n")[2].partition("##")[0]
        assert not re.search("what to do|the value of [a-z_]+[*/]", cure, re.IGNORECASE), code
    assert "\nStart torchrun or accelerate once on each node, and" in pages(load())["LCH001.md"]


def test_variables_count_one_or_several() -> None:
    assert "; `NPROC_PER_NODE` and `NNODES` count here\n" in pages(load())["PAR001.md"]
    assert "; `MOLT_MOE_DISPATCHER` counts here\n" in pages(load())["EP001.md"]


def test_the_fixed_example_shows_the_comment() -> None:
    text = page(load().rules["EP001"])
    assert "@comment" not in text
    assert "  # are parallel under the hybridep or deepep dispatcher: NVIDIA-NeMo/Automodel#3325. none costs" in text


def test_write_and_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "rules"
    assert main(["--check", str(folder)]) == 1
    assert main([str(folder)]) == 0
    assert main(["--check", str(folder)]) == 0
    capsys.readouterr()
    (folder / "EP001.md").write_text("other\n")
    (folder / "XX001.md").write_text("left over\n")
    assert main(["--check", str(folder)]) == 1
    said = capsys.readouterr().out
    assert "EP001.md is not" in said
    assert "XX001.md is not" in said
    assert main([str(folder)]) == 0
    assert {path.name: path.read_text("utf-8") for path in folder.iterdir()} == pages(load())


@pytest.mark.parametrize("arguments", [[], ["--check"], ["--chek", "x"], ["a", "b"]])
def test_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ({"a": 1}, "`a` is `1`"),
        ({"a": {"one_of": ["x", "y"]}, "b": {"at_least": 2}}, "`a` is `x` or `y` and `b` is at least `2`"),
        ({"any": [{"a": {"present": True}}, {"b": {"absent": True}}]}, "`a` is given or `b` is not given"),
        ({"any": [{"a": 1, "b": 2}, {"c": 3}]}, "(`a` is `1` and `b` is `2`) or `c` is `3`"),
        ({"a": {"not": {"divides": {"setting": "b"}}}}, "not: `a` divides `b`"),
    ],
)
def test_explain(when: dict[str, object], words: str) -> None:
    assert explain(condition_from(when)) == words


def test_a_rule_that_is_off_by_default_says_so() -> None:
    assert "off unless selected" in page(load().rules["EP001"]._replace(default=False))


def test_conditions_as_plain_values_and_back() -> None:
    for rule in load().rules.values():
        for condition in (rule.when, *(variant.when for variant in rule.variants)):
            if condition is not None:
                assert condition_from(plain_of(condition)) == condition


@pytest.mark.parametrize("code", sorted(load().rules))
def test_every_page_is_whole(code: str) -> None:
    """What, when, why, what to do, how to ignore it in three places, and options; examples where no launch decides."""
    rule = load().rules[code]
    text = page(rule)
    wanted = ["## What it does", "## When it fires", "## What to do", "## How to ignore it", "## Options"]
    wanted.append("## Why this is wrong" if rule.when else "## Why it is reported")
    wanted += ["## Fix safety"] if rule.fix else []
    wanted += ["## Bad", "## Good"] if rule.when else []
    assert [heading for heading in wanted if f"\n{heading}\n" not in text] == []
    here = "ignore[EP001, RL001]" if code == "RL001" else f"ignore[{code}]"  # its comment names what it is about
    for way in (here, f"ignore-file[{code}]", f"--ignore {code}", "per-file-ignores]"):
        assert way in text
    (whole, files) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert tomllib.loads(whole)["tool"]["recipelint"] == {"ignore": [code]}
    assert tomllib.loads(files)["tool"]["recipelint"] == {"per-file-ignores": {"examples/debug/*": [code]}}


def test_options_are_those_that_the_rule_depends_on() -> None:
    def options(code: str) -> list[str]:
        return re.findall(r"^- (.*?):", page(load().rules[code]).partition("## Options")[2], re.MULTILINE)

    assert options("EP001")[:3] == [
        "`select`, `ignore`, `per-file-ignores`",
        "`env` (`--env NAME=VALUE`)",
        "`automodel` (`--automodel REV`)",
    ]
    assert options("EP003")[0] == "`select` (`--select EP003`)"
    assert options("SH001") == ["`select`, `ignore`, `per-file-ignores`"]


def test_the_index_has_every_rule_in_its_family() -> None:
    text = pages(load())["README.md"]
    for rule in load().rules.values():
        section = text.partition(f"\n## {rule.family}\n")[2].partition("\n## ")[0]
        assert f"| [{rule.code}]({rule.code}.md) | {rule.name} | {rule.severity.word} | {rule.status}" in section

"""A wrong file in rules/packages is an error with its place, and a right one adds its settings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from recipelint.ruleset.document import RuleError
from recipelint.ruleset.load import load, load_folder
from recipelint.ruleset.page import page

AUTOMODEL, MOLT = "packages/automodel.yaml", "frameworks/molt.yaml"
EP001 = "moe/EP001-full-checkpointing-under-ep-dispatcher.yaml"
SILENT = "moe_dispatcher: deepep, automodel_reuses_deepep_handle: 'yes'"


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (AUTOMODEL, "name: automodel", "name: autmodel", "the file must be packages/autmodel.yaml"),
        (AUTOMODEL, "distribution: nemo-automodel", "distribution: nemo_automodel", "lower case, with hyphens"),
        (AUTOMODEL, "repository: NVIDIA-NeMo/", "repository: https://x/", "a repository is OWNER/NAME"),
        (AUTOMODEL, "[EXTRA_PYTHONPATH]", "[extra-path]", '"extra-path" is no name for a variable'),
        (AUTOMODEL, "  saves_topk:\n", "  revision:\n", '"revision" is no name for a feature'),
        (AUTOMODEL, "pull/3140", "pull/3140\n    since: x", 'unknown key "since"'),
        (AUTOMODEL, "has: [saves_router_projection]", "has: [saves_router]", "did you mean"),
        (
            AUTOMODEL,
            "lacks: [saves_topk,",
            "lacks: [saves_router_projection,",
            "saves_router_projection is listed twice",
        ),
        (AUTOMODEL, "version: '0.5.0'", "version: '0.4.0'", "0.4.0 is listed already, as 0.4.0"),
        (AUTOMODEL, "commit: '67393519'", "commit: a3aa09bc", "a3aa09bc is listed already"),
        (AUTOMODEL, "commit: '67393519'", "commit: '673935'", '"673935" is no commit'),
        (AUTOMODEL, "version: '0.5.0'", "version: '>=0.5.0'", '">=0.5.0" is no version'),
        (AUTOMODEL, "commit: '67393519'", "version: '1.0'\n    commit: '67393519'", "needs a commit or a version"),
        (AUTOMODEL, "date: '2026-06-29'", "date: June", "a date is YYYY-MM-DD"),
        (AUTOMODEL, "confidence: reported", "confidence: sure", "not one of inferred, reported, verified"),
        (
            MOLT,
            "packages: [automodel]",
            "packages: [automodl]",
            'unknown package "automodl"; did you mean "automodel"?',
        ),
        # Variants of rules.
        (EP001, SILENT, "moe_dispacher: deepep", 'unknown setting "moe_dispacher"'),
        (EP001, SILENT, "automodel_reuses_deepep_handle: maybe", 'is "maybe", not one of no, yes'),
        (EP001, "severity: off", "severity: none", 'is "none", not one of error, info, off, warning'),
        (EP001, "severity: off", "severity: off\n    message: x", 'is "off", and has more to say'),
        (EP001, "    severity: off\n", "", "variants.0 changes nothing"),
        (EP001, "applicability: unsafe", "applicability: risky", "not one of display, safe, unsafe"),
        (EP001, "AutoModel {automodel_revision} (", "AutoModel {revision} (", 'undefined placeholder "{revision}"'),
        ("moe/EP002-selective-checkpointing-under-hybridep.yaml", "severity: off", "applicability: safe", "has no fix"),
        ("lint/RL001-unused-ignore.yaml", "when: builtin", "when: builtin\nnote: x", 'neither "labels"'),
    ],
)
def test_what_is_wrong(rules: Path, file: str, old: str, new: str, message: str) -> None:
    path = rules / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(RuleError, match=re.escape(message)) as caught:
        load_folder(rules)
    assert caught.value.path == f"rules/{file}"


def test_a_revision_says_something(rules: Path) -> None:
    text = (rules / AUTOMODEL).read_text("utf-8")
    (rules / AUTOMODEL).write_text(re.sub(r"\n    (has|lacks): .*", "", text), "utf-8")
    with pytest.raises(RuleError, match="says nothing of any feature"):
        load_folder(rules)


def test_a_setting_of_its_name(rules: Path) -> None:
    text = (rules / "settings.yaml").read_text("utf-8")
    other = "settings:\n  automodel_revision: {type: int, means: x}\n"
    (rules / "settings.yaml").write_text(text.replace("settings:\n", other, 1), "utf-8")
    with pytest.raises(RuleError, match="the setting automodel_revision is there already"):
        load_folder(rules)


def test_its_settings() -> None:
    settings = load().settings
    assert settings["automodel_revision"]["type"] == "text"
    for feature in load().packages["automodel"]["features"]:
        assert settings[f"automodel_{feature}"]["values"] == ["no", "yes"]


def test_the_page_tells_the_variants_and_where_a_revision_is_read() -> None:
    text = page(load().rules["EP001"])
    assert "- `moe_dispatcher` is `deepep` and `automodel_reuses_deepep_handle` is `yes`: silent\n" in text
    assert "`automodel_equalizes_token_counts` is `yes`: warning, the fix is unsafe\n" in text
    assert "| the requirement for `nemo-automodel` |" in text
    assert "`moe_dispatcher` is a default that the environment overrides" in page(load().rules["EP003"])

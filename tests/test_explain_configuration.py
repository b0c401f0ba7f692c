"""`recipelint explain` of a configuration: which launches take a setting from a line, and what overrides it."""

from __future__ import annotations

from pathlib import Path

import pytest

from recipelint.explain.explain import explain
from recipelint.explain.place import Place
from recipelint.explanation import Explanation
from recipelint.settings import resolve

MOE = """\
model: {backend: {dispatcher: hybridep}}
distributed:
  ep_size: 8
  activation_checkpointing: true
# a remark
other: 3
"""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf/moe.yaml").write_text(MOE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ask(path: str, line: int, *launchers: str) -> Explanation:
    answers = explain([Place(path, line)], resolve({"paths": (path,)}), launchers)
    assert not answers.unreadable
    return answers.lines[0]


def decided(explanation: Explanation) -> dict[str, list[tuple[str, object, tuple[str, ...]]]]:
    """By launcher, the settings that the line decides, their values and what overrides them."""
    return {
        say.path: [(part.name, say.launch.settings[part.name].value, part.overrides) for part in say.decides]
        for say in explanation.says
    }


def test_line_decides_a_setting(tree: Path) -> None:
    (tree / "run.sh").write_text("automodel conf/moe.yaml\n")
    found = ask("conf/moe.yaml", 4)
    override = "the word --distributed.activation_checkpointing=…"
    assert decided(found) == {"run.sh": [("activation_checkpointing", "full", (override,))]}
    assert found.remarks == ()
    assert found.users == ("run.sh",)
    assert [one.code for one in found.findings] == ["EP001"]


def test_launchers_elsewhere(tree: Path) -> None:
    (tree / "jobs").mkdir()
    (tree / "jobs/run.sh").write_text("automodel conf/moe.yaml\n")
    (tree / "run.sh").write_text("automodel conf/moe.yaml\n")
    assert list(decided(ask("conf/moe.yaml", 3, "jobs"))) == ["jobs/run.sh"]


def test_word_that_overrides(tree: Path) -> None:
    (tree / "run.sh").write_text("automodel conf/moe.yaml --distributed.ep_size 4\n")
    found = ask("conf/moe.yaml", 3)
    assert decided(found) == {}
    assert "distributed.ep_size is given at run.sh:1 instead" in found.remarks


@pytest.mark.parametrize(
    ("config", "words"),
    [("child", "--config examples/configs/child.yaml"), ("sft", "")],
)
def test_parent_of_the_named_one(tree: Path, config: str, words: str) -> None:
    for path in ("nemo_rl/utils/config.py", "examples/run_sft.py"):
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text("")
    (tree / "examples/configs").mkdir()
    (tree / "examples/configs/base.yaml").write_text(
        "policy:\n  megatron_cfg: {enabled: true}\n  dtensor_cfg: {enabled: false}\n  max_total_sequence_length: 512\n"
    )
    (tree / f"examples/configs/{config}.yaml").write_text("defaults: base.yaml\n")
    (tree / "run.sh").write_text(f"uv run examples/run_sft.py {words}\n")
    found = decided(ask("examples/configs/base.yaml", 4))
    assert found == {"run.sh": [("max_seq_len", 512, ("the word policy.max_total_sequence_length=…",))]}


def test_noop_comment_and_unknown_key(tree: Path) -> None:
    (tree / "run.sh").write_text("automodel conf/moe.yaml\n")
    for line, said in ((5, "a comment: no trainer reads it"), (6, "it decides no setting that recipelint knows")):
        found = ask("conf/moe.yaml", line)
        assert (found.says, found.remarks) == ((), (said,))


def test_noop_configuration_of_nothing(tree: Path) -> None:
    (tree / "run.sh").write_text("automodel conf/another.yaml\n")
    found = ask("conf/moe.yaml", 4)
    assert found.says == ()
    assert "no launch that was found has this configuration" in found.remarks


def test_no_yaml(tree: Path) -> None:
    (tree / "conf/broken.yaml").write_text("a: [\n")
    answers = explain([Place("conf/broken.yaml", 1)], resolve({"paths": ("conf/broken.yaml",)}))
    assert answers.unreadable[0].reason.startswith("is no configuration: ")

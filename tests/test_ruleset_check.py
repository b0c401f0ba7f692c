"""A wrong file of the rules is an error with its file and line, whatever is wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from recipelint.ruleset.document import RuleError
from recipelint.ruleset.load import load_folder

EP001 = "moe/EP001-full-checkpointing-under-ep-dispatcher.yaml"
SH001 = "shell/SH001-unreadable-stretch.yaml"
MOLT = "frameworks/molt.yaml"
MEGATRON, SLIME, PAI = "frameworks/megatron-lm.yaml", "frameworks/slime.yaml", "frameworks/pai-megatron-patch.yaml"
FLAT = "frameworks/openrlhf-flat.yaml"
COMMENTS = "comments.yaml"
TRUTH = """truth: >-
  Full checkpointing with parallel experts ends in CheckpointError under {failing}
  (NVIDIA-NeMo/Automodel#3325); torch is not affected.
"""


WRONG_FILES = [
    # Keys.
    (EP001, "severity: error", "severitty: error", 'unknown key "severitty"; did you mean "severity"?'),
    (EP001, "severity: error\n", "", 'the file has no "severity"'),
    (EP001, "since: 0.1.0", "since: 0.1.0\nsince: 0.1.0", 'duplicate key "since"'),
    (EP001, "status: stable", "status: stabel", 'status is "stabel", not one of preview, stable; did you mean'),
    (EP001, "since: 0.1.0", "since: soon", "since must be a version"),
    (EP001, "code: EP001", "code: E1", '"E1" is no code'),
    (EP001, "code: EP001", "code: EP002", "the file must be moe/EP002-full-checkpointing-under-ep-dispatcher.yaml"),
    (EP001, "family: moe", "family: shell", "the file must be shell/EP001-"),
    (EP001, "name: full-ch", "name: Full-ch", "is no name"),
    (EP001, "url: https://", "url: http://", "url must be an https link"),
    (EP001, "severity: error", "severity: error\ndefault: maybe", 'default is "maybe", not one of off, on'),
    (EP001, "  - https://github.com/NVIDIA-NeMo/labs-molt/issues/60", "  - molt#60", "must be an https link"),
    # Conditions.
    (
        EP001,
        "  moe_dispatcher: {one_of",
        "  moe_dispacher: {one_of",
        'unknown setting "moe_dispacher"; did you mean',
    ),
    (EP001, "{greater_than: 1}", "{greater_then: 1}", 'unknown key "greater_then"; did you mean "greater_than"?'),
    (EP001, "{greater_than: 1}", "{greater_than: one}", "must be a whole number"),
    (EP001, "{greater_than: 1}", "{}", "when.expert_parallel_size asks for nothing"),
    (EP001, "{greater_than: 1}", "{greater_than: {setting: model}}", "is of type int, and model is not"),
    (EP001, "{greater_than: 1}", "{divides: {setting: modle}}", 'unknown setting "modle"; did you mean "model"?'),
    (EP001, "{greater_than: 1}", "{present: false}", "must be true"),
    (EP001, "{greater_than: 1}", "{one_of: []}", "must be a list that is not empty"),
    (
        EP001,
        "  activation_checkpointing: full",
        "  activation_checkpointing: ful",
        'is "ful", not one of full, none,',
    ),
    (EP001, "  activation_checkpointing: full", "  activation_checkpointing: {less_than: 2}", "is for numbers"),
    (
        EP001,
        "  not: {any: [{training_backend: megatron}, {moe_router: balanced}]}",
        "  not: {}",
        "when.not asks for nothing",
    ),
    (EP001, "  activation_checkpointing: full", "  any: [{moedl: x}]", 'unknown setting "moedl"'),
    # Messages.
    (
        EP001,
        "expert_parallel_size {expert_parallel_size} with",
        "is {expert_size} and",
        'undefined placeholder "{expert_size}"',
    ),
    (
        EP001,
        "expert_parallel_size {expert_parallel_size} with",
        "is {expert_parallel_size!r} and",
        "undefined placeholder",
    ),
    (
        EP001,
        "expert_parallel_size {expert_parallel_size} with",
        "is {expert_parallel_size.real} and",
        "undefined placeholder",
    ),
    (
        EP001,
        "expert_parallel_size {expert_parallel_size} with",
        "is {expert_parallel_size:>3} and",
        "undefined placeholder",
    ),
    (EP001, "expert_parallel_size {expert_parallel_size} with", "is {} and", "undefined placeholder"),
    (EP001, "expert_parallel_size {expert_parallel_size} with", "is { and", "message: "),
    (EP001, "message: >-", "message: |", "message must be one line"),
    (EP001, "ranks\n", "{rank}\n", 'undefined placeholder "{rank}"'),
    (EP001, "  moe_dispatcher: the tokens", "  dispatcher: the tokens", 'unknown setting "dispatcher"'),
    # Fixes.
    (EP001, "set: {activation_checkpointing: none}", "set: {}", "fix.set changes nothing"),
    (
        EP001,
        "set: {activation_checkpointing: none}",
        "set: {activation_checkpointing: off}",
        'is "off", not one of',
    ),
    (EP001, "set: {activation_checkpointing: none}", "set: {ac: none}", 'unknown setting "ac"'),
    (EP001, "applicability: safe", "applicability: always", 'applicability is "always"'),
    (EP001, "memory. To get", "memory. Don't get", "a comment may land in a quoted script"),
    (EP001, "memory. To get", "memory. $To get", "a comment may land in a quoted script"),
    (EP001, "memory. To get", "memory. " + "To " * 40, "nor longer than 96 characters"),
    # Examples.
    (EP001, "      line: 5", "      line: 9", "the code has no such line"),
    (EP001, "        @comment\n        torchrun", "        torchrun", "the fixed text has no line @comment"),
    (EP001, "  good:\n", "  fine:\n", 'unknown key "fine"'),
    # Builtin rules.
    (SH001, "{reason}", "{raeson}", 'undefined placeholder "{raeson}"; did you mean "reason"?'),
    (SH001, "when: builtin", "when: {model: x}", "a builtin rule, and only that, has"),
    # Settings and frameworks.
    ("settings.yaml", "    type: int\n", "    type: integer\n", 'type is "integer", not one of int, text, words'),
    ("settings.yaml", "    values: ['off', 'on']\n", "", 'needs "values"'),
    (MOLT, "      packing:", "      paking:", 'unknown setting "paking"; did you mean "packing"?'),
    (MOLT, "flag: --fsdp.ep_size", "flag: --fsdp.epsize", "unknown flag --fsdp.epsize; did you mean"),
    (MOLT, "default: 8", "default: eight", "must be a whole number"),
    (MOLT, "        const: full\n", "", 'needs "const"'),
    (MOLT, "'0'], selective", "0], selective", "must be text; put it in quotes"),
    (MOLT, "otherwise: full", "otherwise: fool", 'is "fool", not one of'),
    (MOLT, "--adam.eps, --adam.lr", "--adam.lr, --adam.eps", "must be sorted"),
    (MOLT, "--adam.eps, --adam.lr", "--adam.eps, --adam.eps, --adam.lr", "--adam.eps is listed twice"),
    (MOLT, "environment: MOLT_MOE_EXPERTS", "variable: MOLT_MOE_EXPERTS", 'unknown key "variable"'),
    # What comments claim.
    (COMMENTS, "  deepep: [deepep,", "  deeep: [deepep,", "no dispatcher is called deeep"),
    (COMMENTS, "ambiguous: [torch]", "ambiguous: [tortch]", 'did you mean "torch"?'),
    (COMMENTS, "  noun: [dispatcher,", "  noun: [Dispatcher,", "words are in lower case"),
    (COMMENTS, "  noun: [", "  nouns: [", "words has no noun"),
    (COMMENTS, "  - kind: safe", "  - kind: save", 'did you mean "safe"?'),
    (COMMENTS, "    of: [hybridep, deepep]", "    of: [hybridep, deeep]", 'did you mean "deepep"?'),
    (COMMENTS, "    of: other", "    of: others", 'did you mean "other"?'),
    (COMMENTS, "safe under {claimed}", "safe under {name}", 'undefined placeholder "{name}"'),
    (COMMENTS, "    topic: checkpointing", "    topic: checkpoint", 'did you mean "checkpointing"?'),
    (COMMENTS, "setting: activation_checkpointing", "setting: checkpointing", 'unknown setting "checkpointing"'),
    (COMMENTS, "    alone: sentence", "    alone: sentences", 'did you mean "sentence"?'),
    (COMMENTS, "<noun> <is> <name>", "<noun> <are> <name>", "no group of words is called <are>"),
    (COMMENTS, "<noun> <is> <name>", "<noun> <is>", "needs one <name>"),
    (COMMENTS, "<noun> <is> <name>", "<noun> <is> <name> ~", "has a gap at an end, or two in a row"),
    (COMMENTS, "<noun> <is> <name>", "<noun> ~ ... <name>", "has a gap at an end, or two in a row"),
    (COMMENTS, "~ <variable> =", "~ <variable> = <name>", "has no use for a <name>"),
    (
        COMMENTS,
        "here: The dispatcher here",
        "here: The $dispatcher here",
        "a comment of plain ASCII, without quotes",
    ),
    (COMMENTS, "  hybridep: [automodel_e", "  hybriep: [automodel_e", "no dispatcher is called hybriep"),
    (COMMENTS, "automodel_saves_topk,", "automodel_save_topk,", 'did you mean "automodel_saves_topk"?'),
    (COMMENTS, TRUTH, "truth: Full checkpointing is safe under deepep.\n", "the truth is taken for a false claim"),
    # Trainers that are like others, and what tells them.
    (SLIME, "like: megatron-lm pretrain_gpt.py", "like: megatron pretrain_gpt.py", 'unknown framework "megatron"; did'),
    (SLIME, "like: megatron-lm pretrain_gpt.py", "like: megatron-lm pretrain.py", 'unknown entry point "pretrain.py"'),
    (SLIME, "like: megatron-lm pretrain_gpt.py", "like: train_async.py", "it is like itself in the end"),
    (SLIME, "    like: megatron-lm pretrain_gpt.py\n", "", "unknown flag --moe-token-dispatcher-type"),
    (SLIME, "flag: --hf-checkpoint,", "flag: --hf-chekpoint,", "unknown flag --hf-chekpoint; did you mean"),
    (SLIME, "told_by: [--actor-num-gpus", "told_by: [actor-num-gpus", '"actor-num-gpus-per-node" is no flag'),
    (SLIME, "[--yaml-cfg, --", "[yaml, --", '"yaml" is no flag'),
    (SLIME, "argument_style: exact", "argument_style: exakt", "did you mean"),
    (MEGATRON, "  pretrain_vlm.py:", "  train_async.py:", "train_async.py is an entry point of slime already; told_by"),
    (
        FLAT,
        "told_by: [--dataset,",
        "told_by: [--data.dataset,",
        "of openrlhf already, and --data.dataset tells of both",
    ),
    (PAI, "  pretrain_*.py:", "  pretrain_*:", '"pretrain_*" is no name for an entry point'),
    # Cases of flags.
    (
        MEGATRON,
        "{flag: --moe-token-dispatcher-type, default: allgather}",
        "{when: {--moe-enable-deepep: true}, value: deepep}",
        'the last case has no "when"',
    ),
    (MEGATRON, "{when: {--rampup-batch-size: true}, value: 'on'}", "{value: 'on'}", 'needs a "when"'),
    (MEGATRON, "{when: {--rampup-batch-size: true}, value: 'on'}", "{when: {}, value: 'on'}", "asks for nothing"),
    (
        MEGATRON,
        "{when: {--rampup-batch-size: true}, value: 'on'}",
        "{when: {--rampup: true}, value: 'on'}",
        "unknown flag --rampup",
    ),
    (
        MEGATRON,
        "{when: {--rampup-batch-size: true}, value: 'on'}",
        "{when: {--rampup-batch-size: 1}, value: 'on'}",
        "must be text",
    ),
    (
        MEGATRON,
        "{when: {--rampup-batch-size: true}, value: 'on'}",
        "{when: {--rampup-batch-size: true}}",
        "needs a flag or a value",
    ),
    (MEGATRON, "value: selective}", "value: some}", 'is "some", not one of full, none, selective'),
    (
        MEGATRON,
        "{flag: --decrease-batch-size-if-needed, default: 'off', const: 'on'}",
        "{flag: --decrease-batch-size-if-needed, default: 'off'}",
        'needs "const" if its flag can be bare',
    ),
    # Rules that hold for a framework.
    (MOLT, "  EP002: {", "  EP02: {", 'unknown rule "EP02"; did you mean "EP002"?'),
    (MOLT, "  EP002: {source: https://github.com/NVIDIA-NeMo/Automodel/pull/3683}", "  EP002: {}", 'has no "source"'),
    (MOLT, "{source: molt/models/base.py#L377}\n  DOC", "{source: see base.py}\n  DOC", "must be an https link"),
    (
        MOLT,
        "pull/3683}",
        "pull/3683, entry_points: [molt.cli.train_stf]}",
        'unknown entry point "molt.cli.train_stf"; did you mean "molt.cli.train_sft"?',
    ),
    (MOLT, "name: molt", "name: mollt", "the file must be frameworks/mollt.yaml"),
    (MOLT, "  LOAD_MODEL_ONLY:", "  load-model-only:", '"load-model-only" is no name for a variable'),
    (MOLT, "default: '1', source: molt/trainer/sft", "preset: '1', source: molt/trainer/sft", "unknown key"),
    (MOLT, "started_by: ray", "started_by: dask", 'workers.started_by is "dask"'),
]


@pytest.mark.parametrize(("file", "old", "new", "message"), WRONG_FILES)
def test_wrong_files(rules: Path, file: str, old: str, new: str, message: str) -> None:
    text = (rules / file).read_text("utf-8")
    assert old in text
    (rules / file).write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(RuleError) as caught:
        load_folder(rules)
    assert message in caught.value.message
    assert caught.value.path == f"rules/{file}"


def test_the_line_of_an_error(rules: Path) -> None:
    file = rules / EP001
    text = file.read_text("utf-8").replace("  moe_dispatcher: {one_of", "  moe_dispacher: {one_of", 1)
    file.write_text(text, "utf-8")
    line = text.splitlines().index("  moe_dispacher: {one_of: [hybridep, deepep]}") + 1
    with pytest.raises(RuleError, match=f"^rules/{EP001}:{line}: unknown setting"):
        load_folder(rules)


def test_a_fix_that_no_framework_spells(rules: Path) -> None:
    entry = re.compile(r"^      activation_checkpointing:.*\n(        .*\n)*", re.MULTILINE)
    for file in (rules / MOLT).parent.glob("*.yaml"):
        file.write_text(entry.sub("", file.read_text("utf-8")), "utf-8")
    with pytest.raises(RuleError, match="no framework spells activation_checkpointing"):
        load_folder(rules)


def test_a_code_is_used_once(rules: Path) -> None:
    text = (rules / EP001).read_text("utf-8").replace("name: full-", "name: half-", 1)
    (rules / EP001.replace("full-", "half-")).write_text(text, "utf-8")
    with pytest.raises(RuleError, match=f"EP001 is used by rules/{EP001}"):
        load_folder(rules)


@pytest.mark.parametrize("file", ["settings.yaml", "comments.yaml"])
def test_settings_and_comments_are_needed(rules: Path, file: str) -> None:
    (rules / file).unlink()
    with pytest.raises(RuleError, match=rf"rules/{file}:1: is missing"):
        load_folder(rules)

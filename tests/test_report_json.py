"""The JSON contracts of check and show."""

from __future__ import annotations

import json

from recipelint.diagnostic import Confidence, Label, Severity
from recipelint.outcome import Outcome, Unreadable
from recipelint.recipe.model import EnvironmentValue, Setting
from recipelint.report import json_
from tests.outcomes import argument, at, diagnostic, launch, launcher, repaired, safe_fix, settings, source, wrong


def test_check() -> None:
    assert json.loads(json_.check(wrong())) == {
        "version": 1,
        "diagnostics": [
            {
                "code": "EP001",
                "name": "full-checkpointing-under-ep-dispatcher",
                "severity": "error",
                "confidence": "certain",
                "path": "slurm/sft.sh",
                "start": {"line": 6, "column": 31},
                "end": {"line": 6, "column": 35},
                "message": "full under hybridep",
                "help": "",
                "url": "",
                "related": [
                    {
                        "path": "slurm/sft.sh",
                        "start": {"line": 4, "column": 1},
                        "end": {"line": 6, "column": 35},
                        "label": "this launch",
                    }
                ],
                "fix": {
                    "title": "set activation_checkpointing to none",
                    "applicability": "safe",
                    "edits": [{"path": "slurm/sft.sh", "start": 149, "end": 153, "replacement": "none"}],
                },
            }
        ],
        "fixes": [],
        "unreadable": [],
        "summary": {"files": 1, "launches": 1, "fixed": 0, "errors": 1, "warnings": 0, "infos": 0},
    }


def test_check_without_a_fix_has_null_and_the_note() -> None:
    file = source()
    found = diagnostic(
        at(file, "full"),
        severity=Severity.INFO,
        confidence=Confidence.POSSIBLE,
        note="a loop variable",
        label="recomputes",
        help="h",
        url="https://u",
    )
    shown = json.loads(json_.check(Outcome((), (found,))))
    one = shown["diagnostics"][0]
    assert one["fix"] is None
    assert [one[key] for key in ("severity", "confidence", "note", "label", "help", "url")] == [
        "info",
        "possible",
        "a loop variable",
        "recomputes",
        "h",
        "https://u",
    ]
    assert shown["summary"]["infos"] == 1


def test_check_after_fix_says_what_was_fixed_and_what_could_not_be_read() -> None:
    shown = json.loads(json_.check(repaired()._replace(unreadable=(Unreadable("x.sh", "is binary"),))))
    assert shown["summary"] == {"files": 1, "launches": 1, "fixed": 1, "errors": 0, "warnings": 0, "infos": 0}
    assert shown["fixes"] == [
        {"path": "slurm/sft.sh", "line": 6, "code": "EP001", "title": "set activation_checkpointing to none"}
    ]
    assert shown["unreadable"] == [{"path": "x.sh", "reason": "is binary"}]
    outcome = repaired()
    noted = outcome._replace(fixed=(outcome.fixed[0]._replace(note="line 3 says otherwise"),))
    assert json.loads(json_.check(noted))["fixes"] == [{**shown["fixes"][0], "note": "line 3 says otherwise"}]


def test_columns_are_characters_and_offsets_bytes() -> None:
    file = source("训练=1 full\n")
    found = diagnostic(at(file, "full"), fix=safe_fix(at(file, "full"), b"\xffnone\xe8\xae\xad"))
    one = json.loads(json_.check(Outcome((), (found,))))["diagnostics"][0]
    assert one["start"] == {"line": 1, "column": 6}
    assert one["fix"]["edits"][0] == {"path": file.path, "start": 9, "end": 13, "replacement": "\udcffnone训"}


def test_hostile_text_is_kept_but_no_log_obeys_it() -> None:
    hostile = "\x1b[31m::error::\u202e##[group]\\::x"
    file = source("full\n", "::warning::\udcff.sh")
    text = json_.check(Outcome((), (diagnostic(at(file, "full"), Label(at(file, "full"), hostile), message=hostile),)))
    assert text.isascii()
    assert "\x1b" not in text
    assert "::" not in text
    assert "##" not in text
    one = json.loads(text)["diagnostics"][0]
    assert (one["message"], one["related"][0]["label"], one["path"]) == (hostile, hostile, file.path)


def test_show() -> None:
    file = source()
    one = launch(
        file,
        argv=(argument("--out"), argument("/x/${SLURM_JOB_ID}", unknown=True), argument("$@", unknown=True, many=True)),
        env={"A": EnvironmentValue("1"), "B": EnvironmentValue(None), "C": EnvironmentValue("${HOME}/c", True)},
        certain=False,
        when=('[ "$1" = x ]',),
        settings={
            **settings(file),
            "packing": Setting("packing", None, "literal", choices=("on", "off")),
            "model": Setting("model", None, "unknown"),
        },
    )
    held = launcher(file, one, complete=False, needs=("$1",), diagnostics=(diagnostic(at(file, "8")),))
    shown = json.loads(json_.show(Outcome((held,))))
    assert shown["version"] == 1
    (entry,) = shown["files"]
    assert [found["code"] for found in entry.pop("diagnostics")] == ["EP001"]
    assert entry == {
        "path": "slurm/sft.sh",
        "complete": False,
        "needs": ["$1"],
        "launches": [
            {
                "entry_point": "molt.cli.train_sft",
                "framework": "molt",
                "wrappers": ["torchrun"],
                "path": "slurm/sft.sh",
                "start": {"line": 4, "column": 1},
                "end": {"line": 6, "column": 35},
                "certain": False,
                "when": ['[ "$1" = x ]'],
                "argv": [
                    {"text": "--out"},
                    {"text": "/x/${SLURM_JOB_ID}", "unknown": True},
                    {"text": "$@", "unknown": True, "many": True},
                ],
                "env": {"A": {"text": "1"}, "B": None, "C": {"text": "${HOME}/c", "unknown": True}},
                "settings": {
                    "expert_parallel_size": {
                        "value": 8,
                        "source": "default",
                        "override": "EP_SIZE",
                        "path": "slurm/sft.sh",
                        "start": {"line": 2, "column": 21},
                        "end": {"line": 2, "column": 22},
                    },
                    "activation_checkpointing": {
                        "value": "full",
                        "source": "literal",
                        "override": None,
                        "path": "slurm/sft.sh",
                        "start": {"line": 6, "column": 31},
                        "end": {"line": 6, "column": 35},
                    },
                    "moe_dispatcher": {
                        "value": "hybridep",
                        "source": "trainer-default",
                        "override": "MOLT_MOE_DISPATCHER",
                        "detail": "molt's default when MOLT_MOE_DISPATCHER is unset",
                    },
                    "packing": {"value": None, "source": "literal", "override": None, "choices": ["on", "off"]},
                    "model": {"value": None, "source": "unknown", "override": None},
                },
            }
        ],
    }

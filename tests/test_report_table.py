"""`recipelint table` in its formats."""

from __future__ import annotations

import csv
import json
from io import StringIO

from recipelint.diagnostic import Confidence, Label, Severity
from recipelint.outcome import Outcome
from recipelint.recipe.model import Setting
from recipelint.report import table_format
from recipelint.report.style import Stream, cells
from recipelint.report.table import DEFAULT_COLUMNS, table
from tests.outcomes import at, diagnostic, launch, launcher, settings, source, wrong

PLAIN = Stream()


def rows(outcome: Outcome, *columns: str) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table(outcome, columns or DEFAULT_COLUMNS).rows]


def test_terminal() -> None:
    outcome = Outcome((*wrong().launchers, launcher(source("echo\n", "docker_run.sh"))), wrong().diagnostics)
    assert table_format.terminal(table(outcome), PLAIN) == (
        "recipe        expert_parallel_size  activation_checkpointing  moe_dispatcher             verdict\n"
        "slurm/sft.sh  8 (line 2)            full (line 6)             hybridep (molt's default)  EP001 error\n"
        "\n"
        "Nothing is launched by docker_run.sh\n"
    )


def test_a_narrow_terminal_wraps_the_widest_columns() -> None:
    text = table_format.terminal(table(wrong()), Stream(width=60))
    assert max(map(cells, text.splitlines())) <= 60
    assert text.splitlines()[1].split() == ["parallel_", "_checkpoin", "dispatcher"]
    for word in ("slurm/", "sft.sh", "8 (line", "hybridep", "EP001"):
        assert word in text


def test_a_terminal_narrower_than_any_column_still_shows_everything() -> None:
    text = table_format.terminal(table(wrong(), ["recipe", "verdict"]), Stream(width=1))
    assert text.split() == ["recipe", "verdict", "slurm/", "EP001", "sft.sh", "error"]


def test_wide_characters_are_aligned() -> None:
    first, second = source(path="训练.sh"), source(path="sft.sh")
    outcome = Outcome((launcher(first, launch(first)), launcher(second, launch(second))))
    lines = table_format.terminal(table(outcome, ["recipe", "verdict"]), PLAIN).splitlines()
    assert lines == ["recipe   verdict", "训练.sh  ok", "sft.sh   ok"]


def test_colour_marks_the_verdict() -> None:
    assert "\x1b[1;31mEP001 error\x1b[0m" in table_format.terminal(table(wrong()), Stream(colour=True))


def test_an_empty_table() -> None:
    assert table_format.terminal(table(Outcome()), PLAIN) == "No launchers were read\n"
    only = Outcome((launcher(source("echo\n")),))
    assert table_format.terminal(table(only), PLAIN) == "Nothing is launched by slurm/sft.sh\n"
    assert table_format.csv(table(only, ["recipe", "verdict"])) == "recipe,verdict\n"
    assert table_format.markdown(table(only, ["recipe"])) == "| recipe |\n| --- |\n"


def test_several_launches_of_a_file_are_told_apart_by_line() -> None:
    file = source("torchrun a\ntorchrun b\n")
    first = launch(file, location=at(file, "torchrun a"))
    second = launch(file, location=at(file, "torchrun b"))
    found = diagnostic(at(file, "b"), Label(second.location, "this launch"), confidence=Confidence.POSSIBLE, about=(second.key,))
    outcome = Outcome((launcher(file, first, second),), (found,))
    assert rows(outcome, "recipe", "verdict") == [
        ["slurm/sft.sh:1", "ok"],
        ["slurm/sft.sh:2", "EP001 possible error"],
    ]


def test_verdicts() -> None:
    file = source()
    one = launch(file)
    label = Label(one.location, "this launch")
    twice = diagnostic(at(file, "8"), label, code="XX001", severity=Severity.WARNING, about=(one.key,))
    found = (diagnostic(at(file, "full"), label, about=(one.key,)), twice, twice)
    assert rows(Outcome((launcher(file, one),), found), "verdict") == [["EP001 error, XX001 warning"]]
    assert rows(Outcome((launcher(file, one, complete=False),)), "verdict") == [["incomplete"]]
    assert rows(Outcome((launcher(file, launch(file, framework=None)),)), "verdict") == []


def test_cells_of_settings() -> None:
    file, common = source(), source("EP=4\n", "common.sh")
    one = launch(
        file,
        settings={
            "expert_parallel_size": Setting("expert_parallel_size", 4, "assigned", None, at(common, "4")),
            "packing": Setting("packing", None, "literal", None, at(file, "8"), ("on", "off")),
            "model": Setting("model", None, "unknown"),
            "cpu_offload": Setting("cpu_offload", "none", "environment"),
        },
    )
    columns = ("expert_parallel_size", "packing", "model", "cpu_offload", "micro_batch_size", "wrappers", "entry_point")
    assert rows(Outcome((launcher(file, one),)), *columns) == [
        [
            "4 (common.sh:1)",
            "on or off (line 2)",
            "unknown",
            "none (the environment)",
            "-",
            "torchrun",
            "molt.cli.train_sft",
        ]
    ]


def test_markdown_is_well_formed_whatever_a_file_is_called() -> None:
    file = source(path="a|b[x](y)`<img>\x1b::z.sh")
    text = table_format.markdown(table(Outcome((launcher(file, launch(file)),)), ["recipe", "framework"]))
    assert text == (
        "| recipe | framework |\n| --- | --- |\n| a\\|b\\[x\\](y)\\`\\<img\\>\\\\x1b:\\\\x3az.sh | molt |\n"
    )


def test_csv_has_the_whole_origin() -> None:
    file = source(path='a,"b".sh')
    outcome = Outcome((launcher(file, launch(file, settings=settings(file))),))
    read = list(csv.DictReader(StringIO(table_format.csv(table(outcome)))))
    assert read == [
        {
            "recipe": 'a,"b".sh',
            "recipe_line": "4",
            "expert_parallel_size": "8",
            "expert_parallel_size_line": "2",
            "expert_parallel_size_origin": 'default of EP_SIZE, a,"b".sh:2',
            "activation_checkpointing": "full",
            "activation_checkpointing_line": "6",
            "activation_checkpointing_origin": 'literal, a,"b".sh:6',
            "moe_dispatcher": "hybridep",
            "moe_dispatcher_line": "",
            "moe_dispatcher_origin": "molt's default when MOLT_MOE_DISPATCHER is unset",
            "verdict": "ok",
        }
    ]


def test_json() -> None:
    shown = json.loads(table_format.json(table(wrong(), ["recipe", "expert_parallel_size", "packing", "verdict"])))
    assert shown == {
        "version": 1,
        "columns": ["recipe", "expert_parallel_size", "packing", "verdict"],
        "rows": [
            {
                "recipe": {"path": "slurm/sft.sh", "line": 4},
                "expert_parallel_size": {
                    "value": 8,
                    "source": "default",
                    "override": "EP_SIZE",
                    "path": "slurm/sft.sh",
                    "start": {"line": 2, "column": 21},
                    "end": {"line": 2, "column": 22},
                },
                "packing": None,
                "verdict": {
                    "text": "EP001 error",
                    "diagnostics": [{"code": "EP001", "severity": "error", "confidence": "certain"}],
                },
            }
        ],
    }

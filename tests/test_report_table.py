"""`recipelint table` in its formats."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from recipelint import run
from recipelint.cli.commands import app
from recipelint.diagnostic import Confidence, Label, Severity
from recipelint.discovery import discover
from recipelint.outcome import Outcome
from recipelint.recipe.model import Setting
from recipelint.report import table_format
from recipelint.report.style import Stream
from recipelint.report.table import DEFAULT_COLUMNS, table
from recipelint.settings import resolve
from tests.outcomes import argument, at, diagnostic, launch, launcher, settings, source, wrong

PLAIN = Stream()


def rows(outcome: Outcome, *columns: str) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in table(outcome, columns or DEFAULT_COLUMNS).rows]


def test_terminal() -> None:
    outcome = Outcome((*wrong().launchers, launcher(source("echo\n", "docker_run.sh"))), wrong().diagnostics)
    assert table_format.terminal(table(outcome), PLAIN) == (
        "in slurm/\n"
        "recipe  expert_parallel_size  activation_checkpointing  moe_dispatcher      verdict\n"
        "sft.sh  8 (line 2)            full (line 6)             hybridep (default)  EP001 error\n"
        "\n"
        "No trainer that recipelint knows is launched by docker_run.sh\n"
    )


def test_a_launch_that_no_rule_judges_is_not_ok(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules hold for some entry points of ms-swift; and where each of them needs the world, it must be known."""
    monkeypatch.chdir(tmp_path)
    sizes = "--tensor_model_parallel_size 2 --expert_model_parallel_size 2 --global_batch_size 8 --micro_batch_size 2"
    commands = (
        "swift sft --model x",
        "NPROC_PER_NODE=8 megatron sft --tensor_model_parallel_size 2",
        f'NPROC_PER_NODE="$X" megatron sft {sizes}',
    )
    (tmp_path / "a.sh").write_text("".join(f"{one}\n" for one in commands))
    done = CliRunner().invoke(app, ["table", "--output-format", "json", "--columns", "verdict", "a.sh"])
    verdicts = [row["verdict"]["text"] for row in json.loads(done.stdout)["rows"]]
    assert verdicts == ["no rule", "ok", "undecided"]


def test_of_many_launchers_without_a_launch_the_first_are_named() -> None:
    files = [launcher(source("echo\n", f"{name}.sh")) for name in "abcdefg"]
    said = "No trainer that recipelint knows is launched by a.sh, b.sh, c.sh, d.sh, e.sh"
    assert table_format.terminal(table(Outcome(tuple(files[:5]))), PLAIN) == f"{said}\n"
    assert table_format.terminal(table(Outcome(tuple(files))), PLAIN) == f"{said} and 2 more\n"


def test_the_folder_that_all_recipes_share_is_said_once() -> None:
    files = [source(path=path) for path in ("a/b/c/x.sh", "a/b/y.sh", "a/b/cc/z.sh")]
    several = Outcome(tuple(launcher(file, launch(file)) for file in files))
    assert table_format.terminal(table(several, ["recipe"]), PLAIN) == "in a/b/\nrecipe\nc/x.sh\ny.sh\ncc/z.sh\n"
    assert table_format.terminal(table(several, ["framework"]), PLAIN) == "framework\nmolt\nmolt\nmolt\n"
    for path in ("z.sh", "/z.sh"):
        other = source(path=path)
        more = several._replace(launchers=(*several.launchers, launcher(other, launch(other))))
        assert table_format.terminal(table(more, ["recipe"]), PLAIN).startswith("recipe\na/b/c/x.sh\n")


@pytest.mark.parametrize(
    ("width", "rows"),
    [
        (
            84,
            [
                "in slurm/",
                "recipe  expert_parallel_size  activation_checkpointing  moe_dispatcher      verdict",
                "sft.sh  8 (line 2)            full (line 6)             hybridep (default)  EP001 error",
            ],
        ),
        (
            66,
            [
                "in slurm/",
                "recipe  ep          ckpt           dispatcher          verdict",
                "sft.sh  8 (line 2)  full (line 6)  hybridep (default)  EP001 error",
            ],
        ),
        (
            55,
            [
                "in slurm/; :9 is line 9 of the recipe",
                "recipe  ep    ckpt     dispatcher          verdict",
                "sft.sh  8 :2  full :6  hybridep (default)  EP001 error",
            ],
        ),
        (
            46,
            [
                "in slurm/; :9 is line 9 of the recipe",
                "recipe  ep    ckpt     dispatcher  verdict",
                "sft.sh  8 :2  full :6  hybridep    EP001 error",
                "                       (default)",
            ],
        ),
    ],
)
def test_a_narrow_terminal_gets_short_heads_and_places_and_then_more_lines(width: int, rows: list[str]) -> None:
    width = max(width, max(map(len, rows)))
    assert table_format.terminal(table(wrong()), Stream(width=width)).splitlines() == rows


def test_a_terminal_narrower_than_any_column_still_shows_everything() -> None:
    text = table_format.terminal(table(wrong(), ["recipe", "verdict"]), Stream(width=1))
    assert text.split()[-5:] == ["recipe", "verdict", "sft.sh", "EP001", "error"]


def test_a_text_longer_than_anyone_reads_is_cut_in_its_middle() -> None:
    file = source()
    one = launch(file, settings={"model": Setting("model", "/m" * 4_000_000, "literal", None, at(file, "8"))})
    text = table_format.terminal(table(Outcome((launcher(file, one),)), ["recipe", "model"]), Stream(width=80))
    assert len(text) < 1000
    assert text.endswith("/m :2\n")
    assert "..." in text


def test_the_turns_of_a_loop_are_one_row_for_a_person() -> None:
    file = source()
    turns = [launch(file, argv=(argument("--lr"), argument(str(turn)))) for turn in range(4)]
    made = table(Outcome((launcher(file, *turns),)), ["recipe", "verdict"])
    assert table_format.terminal(made, PLAIN) == "in slurm/\nrecipe     verdict\nsft.sh ×4  ok\n"
    assert table_format.markdown(made).splitlines()[2:] == ["| slurm/sft.sh ×4 | ok |"]
    assert len(table_format.csv(made).splitlines()) == 5
    assert len(json.loads(table_format.json(made))["rows"]) == 4


def test_launches_of_one_place_are_told_apart_by_their_conditions() -> None:
    file = source("torchrun a\ntorchrun b\n")
    first, second = at(file, "torchrun a"), at(file, "torchrun b")
    outcome = Outcome(
        (
            launcher(
                file,
                launch(file, location=first, trainer=first, when=("A", "B")),
                launch(file, location=first, trainer=first, when=("A", "not: B")),
                launch(file, location=first, trainer=first, when=("A",)),
                launch(file, location=second, trainer=second, when=("C",)),
            ),
        )
    )
    made = table(outcome, ["recipe", "verdict"])
    assert table_format.markdown(made).splitlines() == [
        "| recipe | verdict | when |",
        "| --- | --- | --- |",
        "| slurm/sft.sh:1 | ok | B |",
        "| slurm/sft.sh:1 | ok | not: B |",
        "| slurm/sft.sh:1 | ok | - |",
        "| slurm/sft.sh:2 | ok | - |",
    ]
    assert [row["when"] for row in json.loads(table_format.json(made))["rows"]] == [
        ["A", "B"],
        ["A", "not: B"],
        ["A"],
        ["C"],
    ]
    assert rows(outcome, "when") == [["A; B"], ["A; not: B"], ["A"], ["C"]]
    assert table_format.markdown(table(outcome, ["when"])).splitlines()[2:] == [
        "| A; B |",
        "| A; not: B |",
        "| A |",
        "| C |",
    ]


def test_wide_characters_are_aligned() -> None:
    first, second = source(path="训练.sh"), source(path="sft.sh")
    outcome = Outcome((launcher(first, launch(first)), launcher(second, launch(second))))
    lines = table_format.terminal(table(outcome, ["recipe", "verdict"]), PLAIN).splitlines()
    assert lines == ["recipe   verdict", "训练.sh  ok", "sft.sh   ok"]
    narrow = table_format.terminal(table(outcome, ["entry_point", "recipe"]), Stream(width=10))
    assert "训练.sh" in narrow


def test_colour_marks_the_verdict() -> None:
    assert "\x1b[1;31mEP001 error\x1b[0m" in table_format.terminal(table(wrong()), Stream(colour=True))
    file = source()
    unread = Outcome((launcher(file, launch(file), complete=False),))
    assert "\x1b[1;33mincomplete\x1b[0m" in table_format.terminal(table(unread), Stream(colour=True))


def test_an_empty_table() -> None:
    assert table_format.terminal(table(Outcome()), PLAIN) == "No launchers were read\n"
    only = Outcome((launcher(source("echo\n")),))
    silent = "No trainer that recipelint knows is launched by slurm/sft.sh\n"
    assert table_format.terminal(table(only), PLAIN) == silent
    assert table_format.terminal(table(only), Stream(width=40)).splitlines() == [
        "No trainer that recipelint knows is",
        "launched by slurm/sft.sh",
    ]
    out = table(Outcome(excluded=("a.sh", "b.sh", "old/")))
    assert table_format.terminal(out, PLAIN) == "2 files and 1 folder excluded\n"
    assert table_format.csv(table(only, ["recipe", "verdict"])) == "recipe,verdict\n"
    assert table_format.markdown(table(only, ["recipe"])) == "| recipe |\n| --- |\n"


def test_several_launches_of_a_file_are_told_apart_by_line() -> None:
    file = source("torchrun a\ntorchrun b\n")
    first = launch(file, location=at(file, "torchrun a"))
    second = launch(file, location=at(file, "torchrun b"))
    label = Label(second.location, "this launch")
    found = diagnostic(at(file, "b"), label, confidence=Confidence.POSSIBLE, about=(second.key,))
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
    ignored = Outcome((launcher(file, one),), hidden=found)
    assert rows(ignored, "verdict") == [["EP001 ignored, XX001 ignored"]]
    unknown = Outcome((launcher(file, one),), undecided=((one.key, "EP001", ("moe_dispatcher",)),))
    assert rows(unknown, "verdict") == [["EP001 undecided"]]
    assert json.loads(table_format.json(table(unknown, ["verdict"])))["rows"][0]["verdict"] == {
        "text": "EP001 undecided",
        "diagnostics": [],
        "ignored": [],
        "undecided": [{"code": "EP001", "settings": ["moe_dispatcher"]}],
    }


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
    assert text == ("| recipe | framework |\n| --- | --- |\n| ``a\\|b[x](y)`<img>\\x1b:\\x3az.sh`` | molt |\n")


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
                    "ignored": [],
                    "undecided": [],
                },
                "when": [],
            }
        ],
    }


def test_a_spreadsheet_finds_no_formula(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names and values may start as formulas do; a number with its sign stays a number."""
    monkeypatch.chdir(tmp_path)
    values = {"=1+1.sh": "@SUM", "-1.sh": "-1", "+2;=3.sh": "a;=1;b", "plain.sh": "a=b"}
    for name, value in values.items():
        (tmp_path / name).write_text(
            f"torchrun -m molt.cli.train_sft --model.model_name_or_path='{value}' --fsdp.ep_size 8\n"
        )
    given = resolve({})
    outcome = run.check(given, discover(given).files)
    read = csv.DictReader(StringIO(table_format.csv(table(outcome, ["recipe", "model"]))))
    assert {row["recipe"]: row["model"] for row in read} == {
        "'=1+1.sh": "'@SUM",
        "'-1.sh": "-1",
        "'+2;'=3.sh": "'a;'=1;b'",  # quoted as a shell needs it
        "plain.sh": "a=b",
    }


def test_the_totals_say_how_many_launches_no_rule_judges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where what a file came to is kept from an earlier run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.sh").write_text("swift sft --model x\nswift rlhf --model x\nNPROC_PER_NODE=8 megatron sft\n")
    said = "No problems in 1 file, 3 launches, 2 of a trainer that no rule is known to hold for\n"
    for _ in range(2):
        assert CliRunner().invoke(app, ["check", "a.sh"]).output == said


def test_long_origins_are_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """How a value is derived stands in the fields; why several are unknown is said once a row."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.sh").write_text(
        'automodel "$CONFIG"\ntorchrun --nnodes=1 --nproc_per_node=8 -m molt.cli.train_sft --fsdp.tp_size 2\n'
    )
    columns = "expert_parallel_size,tensor_parallel_size,world_size,data_parallel_size"
    done = CliRunner().invoke(app, ["table", "--output-format", "markdown", "--columns", columns, "a.sh"])
    assert done.output.splitlines()[2:] == [
        "| unknown (the file of an unknown name is not in the repository) | unknown | - | - |",
        "| 1 (default) | 2 (line 2) | 8 (derived) | 4 (derived) |",
    ]
    done = CliRunner().invoke(app, ["table", "--output-format", "csv", "--columns", columns, "a.sh"])
    assert "8,,nodes × processes_per_node,4,,world_size / (tensor_parallel_size" in done.output

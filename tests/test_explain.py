"""`recipelint explain`: what a line decides in each launch, what would override it, and why a line has no say.

That the claims are those of bash is tests/oracle/test_explained.py.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from recipelint.explain.explain import Asked, explain
from recipelint.explain.place import Place
from recipelint.explain.users import NoSuchPlace
from recipelint.explanation import Explanation, Part
from recipelint.settings import Settings, resolve

SFT = "torchrun -m molt.cli.train_sft"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ask(line: int, *, column: int = 0, path: str = "run.sh", **settings: object) -> Explanation:
    made = resolve({"paths": (path,), **settings})
    return Asked(path, made, ()).at(Place(path, line, column))


def of(parts: tuple[Part, ...], kind: str) -> list[str]:
    return [part.name for part in parts if part.kind == kind]


def both(explanation: Explanation, kind: str = "argument") -> tuple[list[str], list[str]]:
    """What of the one launch is decided, and what is affected."""
    (say,) = explanation.says
    return of(say.decides, kind), of(say.affects, kind)


LAUNCHER = f"""\
#!/bin/bash
#SBATCH --nodes=2
NODES=2
SEED=$((NODES * 100))
TAG=sft-$NODES
if [ "$NODES" -gt 1 ]; then
  EXTRA="--data.input_key big"
else
  EXTRA="--data.input_key small"
fi

export LR=1e-6
{SFT} --fsdp.ep_size "${{EP:-8}}" \\
  --train.seed $SEED --logger.wandb.group "$TAG" $EXTRA
"""


def test_what_is_written_is_decided_and_what_is_computed_is_affected(tree: Path) -> None:
    (tree / "run.sh").write_text(LAUNCHER)
    # A condition and a number hang on line 3, and part of a word is written there.
    assert both(ask(3)) == (["--logger.wandb.group"], ["--train.seed", "--data.input_key"])
    assert both(ask(4)) == (["--train.seed"], [])
    assert both(ask(5)) == (["--logger.wandb.group"], [])
    assert both(ask(6)) == ([], ["--data.input_key"])
    assert both(ask(7)) == (["--data.input_key"], [])
    assert both(ask(12), "environment") == (["LR"], [])
    assert both(ask(13)) == (["--fsdp.ep_size"], [])
    assert both(ask(14)) == (["--train.seed", "--logger.wandb.group"], ["--data.input_key"])


def test_the_setting_and_its_knob(tree: Path) -> None:
    (tree / "run.sh").write_text(LAUNCHER)
    (say,) = ask(13).says
    (setting,) = (part for part in say.decides if part.kind == "setting")
    assert (setting.name, setting.overrides) == ("expert_parallel_size", ("EP in the environment (--env)",))
    (say,) = ask(13, env=(("EP", "4"),)).says
    assert of(say.decides, "setting") == []
    assert [say.launch.argv[at].text for part in say.decides for at in part.words] == ["--fsdp.ep_size", "4"]


def test_a_column_is_narrower_than_its_line(tree: Path) -> None:
    (tree / "run.sh").write_text(f"{SFT} --fsdp.ep_size 8 --train.seed 3\n")
    line = (tree / "run.sh").read_text()
    (say,) = ask(1, column=line.index("8") + 1).says
    assert of(say.decides, "argument") == ["--fsdp.ep_size"]
    assert of(say.decides, "setting") == ["expert_parallel_size"]
    (say,) = ask(1, column=line.index("3") + 1).says
    assert (of(say.decides, "argument"), of(say.decides, "setting")) == (["--train.seed"], [])
    (say,) = ask(1, column=1).says
    assert {part.kind for part in say.decides} == {"launch"}


def test_columns_are_characters(tree: Path) -> None:
    (tree / "run.sh").write_text(f"{SFT} --logger.wandb.group 'ü☃' --fsdp.ep_size 8\n")
    (say,) = ask(1, column=(tree / "run.sh").read_text().index("8") + 1).says
    assert of(say.decides, "argument") == ["--fsdp.ep_size"]


@pytest.mark.parametrize(
    ("text", "line", "remarks"),
    [
        ("#!/bin/bash\n" + SFT, 1, ["it names the program that runs the file; bash itself reads it as a comment"]),
        ("#SBATCH --job-name=sft\n" + SFT, 1, ["a comment for bash; sbatch reads it when the file is submitted"]),
        (f"# EP=8\n{SFT}", 1, ["a comment: bash does not read it"]),
        (f"\n{SFT}", 1, ["the line is empty"]),
        (f"A=1\nA=2\n{SFT} $A", 1, ["A is set again at line 2"]),
        (f"A=1\n{SFT}", 1, ["nothing in this file reads A"]),
        (f"A=1\necho $A\n{SFT}", 1, ["A is read at line 2, and reaches no trainer"]),
        (f"A=1\n{SFT} $A\nA=2", 3, ["A is read at line 2, above it"]),
        (f"if false; then\n  A=1\nfi\n{SFT} $A", 2, ["it is not run: the `if` at line 1 goes another way"]),
        (f"if true; then\n  :\nelse\n  A=1\nfi\n{SFT} $A", 4, ["it is not run: the `if` at line 1 goes another way"]),
        (f"case x in\n y)\n  A=1 ;;\nesac\n{SFT} $A", 3, ["it is not run: the `case` at line 1 goes another way"]),
        (f"while false; do\n  A=1\ndone\n{SFT} $A", 2, ["it is not run: the loop at line 1 has no turn"]),
        (f"for x in; do\n  A=1\ndone\n{SFT} $A", 2, ["it is not run: the loop at line 1 has no turn"]),
        (f"{SFT}\nexit\nA=1", 3, ["no way through the script comes to it: it ends, or goes elsewhere, at line 2"]),
        (f"f() {{\nA=1\n}}\n{SFT}", 2, ["it is not run: nothing calls the function f on any way through the script"]),
        (f"false &&\n  A=1\n{SFT} $A", 2, ["it is not run: what stands before it at line 1 decides so"]),
        (f"cat <<EOF\nA=1\nEOF\n{SFT}", 2, ["text of a here-document"]),
        (f"cat <<EOF\n# A\nEOF\n{SFT}", 2, ["text of a here-document"]),
        (f"cat <<EOF\nA\n\nEOF\n{SFT}", 3, ["text of a here-document"]),
    ],
)  # fmt: skip
def test_why_a_line_has_no_say(tree: Path, text: str, line: int, remarks: list[str]) -> None:
    (tree / "run.sh").write_text(text + "\n")
    found = ask(line)
    assert found.says == ()
    assert [one for one in found.remarks if one != "it has no say in what a trainer gets"] == remarks


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"A=1\nA=2$A\n{SFT} $A", 1),
        (f"if true; then\n  A=1\nfi\n{SFT} $A", 2),
        (f"case y in\n y)\n  A=1 ;;\nesac\n{SFT} $A", 3),
        (f"for x in 1; do\n  A=1\ndone\n{SFT} $A", 2),
        (f"f() {{\n  A=1\n}}\nf\n{SFT} $A", 2),
        (f"true &&\n  A=1\n{SFT} $A", 2),
        (f"A=$(cat <<EOF\n1\nEOF\n)\n{SFT} $A", 2),
        (f"bash <<EOF\n{SFT} 1\nEOF", 2),
        (f'bash -c "\n{SFT} 1"', 2),
        (f"[ -d x ] && A=1\n{SFT} $A", 1),
    ],
)
def test_the_same_with_a_say(tree: Path, text: str, line: int) -> None:
    (tree / "run.sh").write_text(text + "\n")
    found = ask(line)
    assert any(part.kind == "argument" for say in found.says for part in say.decides)
    assert "it has no say in what a trainer gets" not in found.remarks


@pytest.mark.parametrize("line", ["fi", "done", "esac", ";;", "EOF", "}"])
def test_a_line_of_the_grammar_is_told_as_one(tree: Path, line: str) -> None:
    text = "f() {\n:\n}\nif true; then\n:\nfi\nfor x in 1; do\n:\ndone\ncase x in\nx)\n:\n;;\nesac\ncat <<EOF\nEOF\n"
    (tree / "run.sh").write_text(f"{text}{SFT}\n")
    found = ask(text.split("\n").index(line) + 1)
    assert found.says == ()
    (remark,) = found.remarks
    assert remark.startswith(("it belongs to the ", "it ends what stands above it"))


def test_without_the_line_there_would_be_a_launch(tree: Path) -> None:
    (tree / "run.sh").write_text(f"{SFT} 1\nexit\n{SFT} 2\n")
    assert ask(2).remarks == ("if it were otherwise, there would be a launch of molt.cli.train_sft at line 3",)


def test_a_later_flag_makes_it_void(tree: Path) -> None:
    (tree / "run.sh").write_text(f"{SFT} --fsdp.ep_size 4 \\\n  --fsdp.ep_size 8\n")
    (say,) = ask(1).says
    assert [part.void for part in say.decides if part.kind == "argument"] == ["a later --fsdp.ep_size counts, line 2"]
    assert of(say.decides, "setting") == []
    (say,) = ask(2).says
    assert [part.void for part in say.decides if part.kind == "argument"] == [""]


@pytest.mark.parametrize(
    ("words", "overrides"),
    [
        ('--fsdp.ep_size 4 "$@"', ("the same flag as an argument of the launcher (--arg)",)),
        ('"$@" --fsdp.ep_size 4', ()),
        ("--fsdp.ep_size 4", ()),
        ("--fsdp.ep_size ${1:-4}", ("argument 1 of the launcher (--arg)",)),
        ("--fsdp.ep_size ${2:-4} --train.seed ${1:-3}", ("argument 2 of the launcher (--arg)",)),
        ("--fsdp.ep_size ${EP:-${RANKS:-4}}", ("EP in the environment (--env)",)),
    ],
)
def test_what_would_override_it(tree: Path, words: str, overrides: tuple[str, ...]) -> None:
    (tree / "run.sh").write_text(f"{SFT} {words}\n")
    (say,) = ask(1).says
    assert [part.overrides for part in say.decides if part.name == "--fsdp.ep_size"] == [overrides]


def test_two_launches_each_with_its_condition(tree: Path) -> None:
    (tree / "run.sh").write_text(f"EP=8\nif [ -d data ]; then\n  {SFT} --fsdp.ep_size $EP\nfi\n{SFT} --train.seed 1\n")
    (say,) = ask(1).says
    assert say.launch.location.start.line == 3
    assert say.launch.when == ("[ -d data ]",)
    (say,) = ask(2).says
    assert (say.launch.location.start.line, of(say.affects, "run"), say.decides) == (3, [""], ())
    (say,) = ask(5).says
    assert say.launch.when == ()


def test_a_sourced_file_is_asked_through_its_users(tree: Path) -> None:
    (tree / "lib").mkdir()
    (tree / "lib/common.sh").write_text('EP="${EP:-8}"\nUNUSED=1\n')
    (tree / "a.sh").write_text(f"source lib/common.sh\n{SFT} --fsdp.ep_size $EP\n")
    (tree / "b.sh").write_text(f"EP=2\nsource lib/common.sh\n{SFT} --fsdp.ep_size $EP\n")
    (tree / "c.sh").write_text(f"{SFT} --fsdp.ep_size 1\n")
    found = ask(1, path="lib/common.sh")
    assert found.users == ("a.sh", "b.sh")
    assert [say.path for say in found.says] == ["a.sh", "b.sh"]
    assert of(found.says[0].decides, "setting") == ["expert_parallel_size"]
    # b.sh sets it before, so the default is not taken; but its value passes through this line.
    assert (found.says[1].decides, of(found.says[1].affects, "setting")) == ((), ["expert_parallel_size"])
    found = Asked("lib/common.sh", Settings(), ("a.sh",)).at(Place("lib/common.sh", 1))
    assert found.users == ("a.sh",)
    found = Asked("lib/common.sh", Settings(), ("c.sh",)).at(Place("lib/common.sh", 1))
    assert (found.users, found.says) == ((), ())
    assert found.remarks[-1] == "nothing is launched through this file"


def test_findings_of_the_line(tree: Path) -> None:
    (tree / "run.sh").write_text(f"AC=full\n{SFT} --fsdp.ep_size 8 --model.gradient_checkpoint $AC\n")
    assert [(one.code, one.fix is not None) for one in ask(1).findings] == [("EP001", True)]
    assert ask(2).findings == ()


def test_what_cannot_be_asked(tree: Path) -> None:
    (tree / "run.sh").write_text(f"{SFT}\n")
    (tree / "train.py").write_text("1\n")
    (tree / "empty.sh").write_text("")
    (tree / "binary.sh").write_bytes(b"\0")
    places = [
        Place("run.sh", 2), Place("run.sh", 0), Place("run.sh", 1, 99), Place("train.py", 1), Place("empty.sh", 1),
        Place("gone.sh", 1), Place("binary.sh", 1), Place("run.sh", 1),
    ]  # fmt: skip
    answers = explain(places, Settings())
    assert [one.line for one in answers.lines] == [1]
    assert [one.reason for one in answers.unreadable] == [
        "there is no line 2; the last is 1",
        "there is no line 0; the last is 1",
        "line 1 has no column 99; the last is 30",
        "is no launcher",
        "there is no line 1; the last is 0",
        "no such file or folder",
        "is binary",
    ]
    with pytest.raises(NoSuchPlace):
        Asked("gone.sh", Settings(), ())


def run(folder: Path, *words: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "recipelint", "explain", *words],
        cwd=folder, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_the_command(tree: Path) -> None:
    (tree / "a:1.sh").write_text(f"EP=8\n{SFT} --fsdp.ep_size $EP\n")
    status, out, err = run(tree, "a:1.sh:1", "a:1.sh:9")
    assert (status, err) == (2, "recipelint: a:1.sh: there is no line 9; the last is 2\n")
    assert out == (
        "a:1.sh:1\n"
        "  | EP=8\n"
        "\n"
        "  molt.cli.train_sft (molt), line 2, through torchrun\n"
        "    decides\n"
        "      --fsdp.ep_size 8\n"
        "      setting expert_parallel_size 8\n"
    )
    (tree / "b:3").write_text(f"#!/bin/bash\n{SFT} --fsdp.ep_size 2\n")
    status, out, _ = run(tree, "--output-format", "json", "b:3:2")
    (line,) = json.loads(out)["lines"]
    assert (status, line["path"], line["line"], line["column"]) == (0, "b:3", 2, None)
    assert [part["words"] for part in line["launches"][0]["decides"] if part["kind"] == "argument"] == [
        ["--fsdp.ep_size", "2"]
    ]
    status, out, err = run(tree, "b")
    assert (status, out) == (2, "")
    assert "'b' is not of the form FILE:LINE" in err


def test_what_a_launcher_holds_comes_out_inert(tree: Path) -> None:
    (tree / "run.sh").write_text(f"A='\x1b[31m::error::x'\n{SFT} --logger.wandb.group \"$A\"\n")
    _, out, _ = run(tree, "run.sh:1", "run.sh:2")
    assert "\x1b" not in out
    assert "::" not in out
    _, out, _ = run(tree, "--output-format", "json", "run.sh:1")
    assert "::" not in out
    assert json.loads(out)["lines"][0]["text"] == "A='\x1b[31m::error::x'"


def test_findings_are_those_of_the_configuration(tree: Path) -> None:
    """What a baseline keeps quiet is still told of the line; a severity is that of the configuration."""
    (tree / "run.sh").write_text(f"AC=full\n{SFT} --fsdp.ep_size 8 --model.gradient_checkpoint $AC\n")
    (tree / "recipelint.toml").write_text('baseline = "known.json"\n[severity]\nEP001 = "info"\n')
    command = [sys.executable, "-m", "recipelint", "--write-baseline", "known.json", "run.sh"]
    subprocess.run(command, cwd=tree, check=False, capture_output=True)
    assert (tree / "known.json").exists()
    assert [(one.code, one.severity.word) for one in ask(1).findings] == [("EP001", "info")]


@pytest.mark.parametrize("values", ["1 2", "0 1"])
def test_list_of_an_inner_loop_has_no_say_in_the_outer_one(values: str, tree: Path) -> None:
    (tree / "run.sh").write_text(
        f"for lr in 1e-5 2e-5; do\n  for tp in {values}; do\n    {SFT} --fsdp.tp_size $tp --adam.lr $lr\n  done\ndone\n"
    )
    said = ask(2)
    assert len(said.says) == 4
    for say in said.says:
        assert of(say.decides, "argument") == ["--fsdp.tp_size"]
        assert of(say.affects, "argument") == of(say.affects, "run") == []


def test_noop_list_of_a_loop_that_has_a_say_in_two_flags(tree: Path) -> None:
    (tree / "run.sh").write_text(f"for n in 1 2; do\n  {SFT} --fsdp.tp_size $n --train.seed $((n * 7))\ndone\n")
    for say in ask(1).says:
        assert of(say.decides, "argument") == ["--fsdp.tp_size"]
        assert of(say.affects, "argument") == ["--train.seed"]

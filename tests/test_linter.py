"""The order of the steps: troubles, confidence, places, ignores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from recipelint import run
from recipelint.diagnostic import Diagnostic
from recipelint.discovery import DiscoveredFile
from recipelint.outcome import Outcome
from recipelint.settings import Settings
from recipelint.source import SourceFile

TRAIN = "torchrun -m molt.cli.train_sft --model.model_name_or_path /m --fsdp.ep_size 8 --model.gradient_checkpoint full"


NO_REVISION = "AutoModel's revision is unknown: no requirement for nemo-automodel was found"


def check(text: str, **settings: object) -> Outcome:
    return run.check(Settings(**settings), [SourceFile("a.sh", text.encode())])  # type: ignore[arg-type]


def said(diagnostics: Sequence[Diagnostic]) -> list[tuple[str, int, str]]:
    return [(one.code, one.location.start.line, one.confidence.value) for one in diagnostics]


def test_what_stands_before_a_syntax_error_is_still_judged() -> None:
    outcome = check(f"{TRAIN}\nif true; then\n  echo )\n{TRAIN} --train.seed 2\n")
    assert said(outcome.diagnostics)[:2] == [("EP001", 1, "certain"), ("SH001", 3, "certain")]
    (launcher,) = outcome.launchers
    assert not launcher.complete
    assert launcher.launches[0].certain


def test_what_stands_after_a_syntax_error_is_judged_as_possible() -> None:
    """Bash comes to it only once the error is mended, and what the broken statement was to set is not known."""
    outcome = check(f"MODE=<mode>\n{TRAIN}\n")
    assert said(outcome.diagnostics) == [("SH001", 1, "certain"), ("EP001", 2, "possible")]
    (launch,) = outcome.launchers[0].launches
    assert launch.when == ("bash can read line 1",)


def test_a_text_that_cannot_be_read_inside_a_string_is_named_where_it_stands() -> None:
    outcome = check('#!/bin/bash\nsrun bash -lc "cd /x &&\n  echo $((1 + ) && torchrun"\n')
    assert [one.code for one in outcome.diagnostics] == ["SH001"]


def test_a_loop_without_end_is_a_budget() -> None:
    outcome = check(f"i=0\nwhile [ $i -lt 100000 ]; do\n  i=$((i + 1))\ndone\n{TRAIN}\n")
    assert said(outcome.diagnostics) == [("SH002", 2, "certain")]
    assert "turns" in outcome.diagnostics[0].message


def test_a_loop_that_ends_is_none() -> None:
    outcome = check(f"i=0\nwhile [ $i -lt 100 ]; do\n  i=$((i + 1))\ndone\n{TRAIN}\n")
    assert said(outcome.diagnostics) == [("EP001", 5, "certain")]


@pytest.mark.parametrize(
    ("before", "confidence"),
    [
        ("if [ -d /data ]; then :; fi", "certain"),
        ("[ -d /data ] || exit 1", "certain"),
        ("if [ -d /data ]; then set -- --model.gradient_checkpoint none; fi", "possible"),
        ("set -- $(cat more.txt)", "possible"),
        ("set -- --train.seed $(cat seed.txt)", "certain"),
    ],
)
def test_confidence(before: str, confidence: str) -> None:
    (found,) = check(f'{before}\n{TRAIN} "$@"\n').diagnostics
    assert (found.code, found.confidence.value) == ("EP001", confidence)


def test_a_launch_that_is_made_only_sometimes_is_wrong_for_certain_when_it_is_made() -> None:
    outcome = check(f"if [ -d /data ]; then\n  {TRAIN}\nfi\n")
    assert said(outcome.diagnostics) == [("EP001", 2, "certain")]
    assert not outcome.launchers[0].launches[0].certain
    assert outcome.launchers[0].launches[0].when == ("[ -d /data ]",)


def test_one_finding_for_a_place_with_all_its_launches() -> None:
    outcome = check(f'for seed in 1 2 3; do\n  {TRAIN} --train.seed "$seed"\ndone\n')
    (found,) = outcome.diagnostics
    assert len(found.about) == 3
    assert [label.location.start.line for label in found.related if "launched" in label.text] == [2]


def test_the_message_names_what_decides() -> None:
    (found,) = check(f'export MOLT_MOE_DISPATCHER="${{MOLT_MOE_DISPATCHER:-deepep}}"\n{TRAIN}\n').diagnostics
    assert found.message == (
        "expert_parallel_size 8 with activation_checkpointing full under deepep (the default of MOLT_MOE_DISPATCHER): "
        "the first backward pass fails with CheckpointError"
    )
    assert found.url.endswith("/issues/3325")
    assert [label.location.start.line for label in found.related] == [2, 1, 2]


ARRAY = """ARGS=(
  # recipelint: ignore[EP001] padded
  --model.gradient_checkpoint full
  --fsdp.ep_size 8
)
torchrun -m molt.cli.train_sft --model.model_name_or_path /m "${{ARGS[@]}}\""""


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        ("# recipelint: ignore[EP001] padded to one length\n{wrong}", []),
        ("# recipelint: ignore[EP001] for all of it\ntrue &&\n  {wrong}", []),
        ("{wrong} # recipelint: ignore[EP001] padded", []),
        ("# recipelint: ignore-file[EP001] padded\necho\n{wrong}", []),
        ("# recipelint: ignore[full-checkpointing-under-ep-dispatcher] padded\n{wrong}", []),
        ("# recipelint: ignore[EP001] too far\necho\n{wrong}", [("RL001", 1), ("EP001", 3)]),
        ('echo "# recipelint: ignore[EP001]"\n{wrong}', [("EP001", 2)]),
        (ARRAY, []),
    ],
)  # fmt: skip
def test_ignores(lines: str, left: list[tuple[str, int]]) -> None:
    outcome = check(lines.format(wrong=TRAIN) + "\n")
    assert [(one.code, one.location.start.line) for one in outcome.diagnostics] == left


@pytest.mark.parametrize(
    "before",
    [
        'source "$HOME/cluster/env.sh"',
        "source /etc/cluster/env.sh",
        "set -a; source missing.env",
        'eval "$(python settings.py)"',
        "export $(cat .env | xargs)",
        "[ -f .env ] && source .env",
        "if [ -f .env ]; then . ./.env; fi",
    ],
)
def test_what_cannot_be_read_makes_a_finding_possible(before: str) -> None:
    outcome = check(f"{before}\n{TRAIN}\n")
    told, found = sorted(outcome.diagnostics, key=lambda one: one.severity)
    assert (told.code, told.severity.word, told.location.start.line) == ("SH004", "info", 1)
    assert (found.code, found.confidence.value) == ("EP001", "possible")
    assert found.note.startswith("unless it is changed by ")
    assert found.fix is not None
    assert found.fix.applicability.word == "unsafe"
    assert outcome.launchers[0].complete


@pytest.mark.parametrize(
    "before",
    [
        "source /opt/venv/bin/activate",
        "source ~/.bashrc",
        'eval "$(conda shell.bash hook)"',
        "source $EXTRA_ENV",
        "( source /etc/cluster/env.sh )",
        "bash /etc/cluster/env.sh",
        "export PATH=/opt/bin:$PATH",
        "module load cuda",
    ],
)
def test_what_sets_paths_only_does_not(before: str) -> None:
    (found,) = (one for one in check(f"{before}\n{TRAIN}\n").diagnostics if one.code == "EP001")
    assert (found.confidence.value, found.note) == ("certain", NO_REVISION)


def test_what_is_read_after_the_launch_does_not_matter() -> None:
    (found,) = (one for one in check(f"{TRAIN}\nsource /etc/cluster/env.sh\n").diagnostics if one.code == "EP001")
    assert found.confidence.value == "certain"


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("sed s/@EP@/8/ job.in | sbatch -N 2", "the text $(sed s/@EP@/8/ job.in)"),
        ("{ echo '#!/bin/bash'; sed s/8/4/ job.in; } | sbatch", "the text $(sed s/8/4/ job.in)"),
        ("envsubst < job.in | ssh node", "the text $(envsubst < job.in)"),
        ("ssh node bash -s < ~/job.sh", "the text $(< ~/job.sh)"),
        ("sbatch <<EOF\n#!/bin/bash\n$(head -n 9 job.in)\nEOF", "the text $(head -n 9 job.in)"),
        ("cat /etc/job.sh | bash", "the text $(cat /etc/job.sh)"),
    ],
)
def test_a_script_on_standard_input_that_cannot_be_known_is_named(command: str, text: str) -> None:
    outcome = check(f"{command}\n{TRAIN}\n")
    told, found = sorted(outcome.diagnostics, key=lambda one: one.severity)
    assert (told.code, told.message.partition(" cannot be read")[0]) == ("SH004", text)
    assert (found.code, found.confidence.value) == ("EP001", "certain")  # it runs in a process of its own


@pytest.mark.parametrize(
    "command",
    [
        "curl -LsSf https://example.org/install.sh | sh",
        "wget -qO- https://example.org/install.sh | sudo bash",
        "sed s/a/b/ job.in > job.sh",
        "sbatch",
        "ssh node",
        "ssh -n node < ~/job.sh",
        "docker exec c bash < ~/job.sh",
        'sbatch <<< "$JOB"',
        "sed s/a/b/ hosts | ssh node hostname",
        "sbatch <<EOF\n#!/bin/bash\npython \\\\\n  $(hostname) \\\\\n  x\n$(git rev-parse --show-toplevel)/x\nEOF",
    ],
)
def test_what_is_no_script_on_standard_input_is_not(command: str) -> None:
    (found,) = check(f"{command}\n{TRAIN}\n").diagnostics
    assert (found.code, found.confidence.value) == ("EP001", "certain")


def test_a_launch_after_an_unknown_part_of_its_script_is_possible() -> None:
    text = f"{{ echo '#!/bin/bash'; sed s/8/4/ setup.in; echo; echo '{TRAIN}'; }} | sbatch\n"
    told, found = sorted(check(text).diagnostics, key=lambda one: one.severity)
    assert (told.code, found.code, found.confidence.value) == ("SH004", "EP001", "possible")


ELSEWHERE = 'AC="${AC:-full}"\ntrue\n{comment}\n' + TRAIN.replace("full", '"$AC"') + "\n"


def test_an_ignore_at_the_launch_covers_what_is_decided_elsewhere() -> None:
    assert not check(ELSEWHERE.replace("{comment}", "# recipelint: ignore[EP001] padded")).diagnostics
    both = (
        ELSEWHERE.replace("{comment}", "# recipelint: ignore[EP001] padded")
        + TRAIN.replace("full", '"$AC"')
        + " --train.seed 2\n"
    )
    assert [one.code for one in check(both).diagnostics] == ["EP001", "RL001"]


def test_a_misspelt_ignore_is_kept() -> None:
    text = f"# recipelint: ignore[EP01] the reason\n{TRAIN.replace('full', 'none')}\n"
    outcome = check(text, fix=True)
    assert outcome.launchers[0].source.data.decode() == text
    (found,) = outcome.diagnostics
    assert (found.code, found.fix) == ("RL001", None)
    assert "EP001" in found.message


def test_a_setting_that_is_unknown_leaves_the_launch_undecided() -> None:
    outcome = check(TRAIN.replace("size 8", 'size "${EP_SIZE:?}"') + "\n")
    assert not outcome.diagnostics
    assert [(code, names) for _, code, names in outcome.undecided] == [("EP001", ("expert_parallel_size",))]
    decided = check(TRAIN.replace("size 8", 'size "${EP_SIZE:?}"').replace("full", "none") + "\n")
    assert not decided.undecided


def test_a_possible_finding_tells_its_condition() -> None:
    (found,) = check(f"AC=none\nif [ -d /data ]; then AC=full; fi\n{TRAIN.replace('full', '$AC')}\n").diagnostics
    assert (found.confidence.value, found.note) == ("possible", f"only if [ -d /data ]; {NO_REVISION}")


def test_the_place_of_an_absent_flag_says_what_is_absent() -> None:
    (found,) = check(TRAIN.replace(" --model.gradient_checkpoint full", "") + "\n").diagnostics
    assert found.label == "activation_checkpointing is full here: molt's default without --model.gradient_checkpoint"


INNER = """#!/bin/bash
torchrun -m molt.cli.train_sft --model.model_name_or_path /m "$@"
"""


def test_a_place_that_a_right_launch_shares_is_known_before_fixing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inner.sh").write_text(INNER)
    (tmp_path / "outer.sh").write_text("#!/bin/bash\nbash inner.sh --fsdp.ep_size 8\n")
    files = [DiscoveredFile("inner.sh", True), DiscoveredFile("outer.sh", True)]
    (found,) = run.check(Settings(), files).diagnostics
    assert found.fix is not None
    assert found.fix.applicability.word == "unsafe"
    assert not run.check(Settings(fix=True, unsafe_fixes=True), files).diagnostics


def test_an_idle_ignore_is_removed_by_fix() -> None:
    text = TRAIN.replace("full", "none")
    outcome = check(f"# recipelint: ignore[EP001] once needed\n{text}\n", fix=True)
    assert outcome.launchers[0].source.data.decode() == f"{text}\n"
    assert not outcome.diagnostics


def test_per_file_ignores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = f"{TRAIN}\n"
    assert check(text, per_file_ignores=(("*.sh", ("EP",)),), root=str(tmp_path)).diagnostics == ()
    assert len(check(text, per_file_ignores=(("*.slurm", ("EP",)),), root=str(tmp_path)).diagnostics) == 1


def test_a_rule_that_is_not_selected_is_silent() -> None:
    assert check(f"{TRAIN}\n", ignore=("EP001",)).diagnostics == ()
    assert check(f"{TRAIN}\n", select=("RL001",)).diagnostics == ()

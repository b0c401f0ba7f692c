"""diagnose: logs of runs that failed in known ways, and of runs that did not, in the shapes in which logs come."""

from __future__ import annotations

import gzip
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from recipelint.logs.diagnose import Diagnoser
from recipelint.logs.diagnosis import Diagnosis, Found
from recipelint.logs.lines import CHUNK, LONGEST, Line, wanted
from recipelint.logs.prefixes import Prefixes, Process
from recipelint.logs.scan import MOST_TENSORS, Scan
from recipelint.logs.unpacking import opened
from recipelint.logs.widths import explain
from recipelint.ruleset.failures import logs_from
from recipelint.ruleset.load import load

ROOT = Path(__file__).parent.parent
DRIFT, MISMATCH, UNALIGNED, TIMEOUT = (
    "expert-token-drift",
    "recompute-mismatch",
    "hybridep-unaligned-tokens",
    "first-step-timeout",
)
HEADER = (
    "torch.utils.checkpoint.CheckpointError: torch.utils.checkpoint: Recomputed values for the following tensors have "
    "different metadata than during the forward pass."
)
STUCK = "Train step of epoch 0:   0%|          | 0/32 [00:00<?, ?it/s]\n"
WATCHDOG = (
    "[rank1]:[E1201 08:00:00.123456789 ProcessGroupNCCL.cpp:685] [Rank 1] Watchdog caught collective operation "
    "timeout: WorkNCCL(SeqNum=41, OpType=ALLGATHER, NumelIn=8, NumelOut=64, Timeout(ms)=600000) ran for 600050 "
    "milliseconds before timing out.\n"
)
ABORT = (
    "python3: /build/csrc/hybrid_ep/extension/allgather.cu:97: void CustomAllgather::launch(at::Tensor, int, "
    "cudaStream_t): Assertion `bytes_per_rank % 16 == 0' failed.\n"
)


def tensor(position: int, saved: str, recomputed: str, dtypes: Sequence[str] = ("bfloat16", "bfloat16")) -> str:
    """What PyTorch says of one tensor."""
    device = "'device': device(type='cuda', index=2)"
    return (
        f"tensor at position {position}:\n"
        f"saved metadata: {{'shape': torch.Size([{saved}]), 'dtype': torch.{dtypes[0]}, {device}}}\n"
        f"recomputed metadata: {{'shape': torch.Size([{recomputed}]), 'dtype': torch.{dtypes[1]}, {device}}}\n"
    )


def message(forward: int, recompute: int, widths: Sequence[int] = (2048, 16, 1024)) -> str:
    """A message in which the token counts differ."""
    return f"{HEADER}\n" + "".join(
        tensor(position, f"{forward}, {width}", f"{recompute}, {width}")
        for position, width in zip((91, 94, 95, 97, 99), widths, strict=False)
    )


def prefixed(prefix: str, text: str) -> str:
    return "".join(prefix + line for line in text.splitlines(keepends=True))


def diagnose(log: str | bytes) -> Diagnosis:
    data = log.encode() if isinstance(log, str) else log
    return Diagnoser(load()).diagnose("train.log", io.BytesIO(data).read)


def only(log: str | bytes, name: str) -> Found:
    """The one failure of a log, which must have this name."""
    found = diagnose(log).found
    assert [one.failure.name for one in found] == [name]
    return found[0]


def counts(found: Found) -> list[tuple[int | None, int, int, int]]:
    return [(one.process.rank, one.forward, one.recompute, one.drift) for one in found.readings]


# --- the drift of an expert dispatch ---------------------------------------------------------------------------------

RANK2 = prefixed("[rank2]: ", message(246, 248))


def test_the_log_of_the_report() -> None:
    broken = RANK2.replace("Recomputed values", "Recomputed\n[rank2]: values").replace(
        "during the ", "during\n[rank2]: the "
    )
    assert broken.count("\n") == 12
    log = "[LoRA] rank=16 alpha=32: trainable 1.0M\n" + STUCK + "\n" + broken + "rc=1\n"
    found = only(log, DRIFT)
    assert counts(found) == [(2, 246, 248, 2)]
    assert found.certainty == "likely"
    assert {width: (one.meaning, one.certainty) for width, one in found.widths.items()} == {
        2048: ("hidden", "likely"),
        16: ("lora_rank", "known"),
        1024: ("gate_up", "likely"),
    }
    assert "2 x moe_intermediate_size 512" in found.widths[1024].words
    assert [line.number for line in found.lines] == list(range(4, 16))
    assert found.failure.rule == "EP001"


def test_each_rank_has_its_own_drift() -> None:
    one, other = prefixed("[rank0]: ", message(271, 268)).splitlines(True), prefixed("[rank3]: ", message(151, 150))
    mixed = "".join(a + b for a, b in zip(one, other.splitlines(True), strict=True))
    assert counts(only(mixed, DRIFT)) == [(0, 271, 268, -3), (3, 151, 150, -1)]


@pytest.mark.parametrize(
    ("prefix", "process"),
    [
        ("", Process()),
        ("[rank12]: ", Process(12)),
        ("[rank12]:", Process(12)),
        ("[default3]:[rank7]: ", Process(7, "default3")),
        ("(TrainActor pid=71, ip=10.0.0.7) ", Process(None, "TrainActor pid=71, ip=10.0.0.7")),
        ("\x1b[36m(PolicyWorker[rank=1] pid=9)\x1b[0m [rank1]: ", Process(1, "PolicyWorker[rank=1] pid=9")),
        ("(PolicyWorker[rank=4] pid=9) ", Process(4, "PolicyWorker[rank=4] pid=9")),
        ("5: ", Process(None, "5")),
        (" 3: [rank24]: ", Process(24, "3")),
        ("2026-01-01 10:00:00,001 ", Process()),
        ("2026-01-01T10:00:00.5Z [rank1]: ", Process(1)),
        ("[2026-01-01 10:00:00] - ERROR - ", Process()),
        ("[1,6]<stderr>: ", Process(6)),
        ("\x1b[31m", Process()),
    ],
)
def test_what_launchers_put_before_each_line(prefix: str, process: Process) -> None:
    found = only("starting\n" + prefixed(prefix, message(10, 12)) + prefixed(prefix, "ended\n"), DRIFT)
    assert [(one.process, one.forward, one.recompute) for one in found.readings] == [(process, 10, 12)]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("broken", range(40, 140, 7))
def test_lines_that_a_terminal_broke(broken: int, end: str) -> None:
    lines = message(246, 248).splitlines()
    text = "".join(line[at : at + broken] + end for line in lines for at in range(0, len(line), broken))
    found = only(prefixed("[rank2]: ", text), DRIFT)
    assert counts(found) == [(2, 246, 248, 2)]
    assert len(found.tensors) == 3


def test_what_ray_puts_after_a_line() -> None:
    lines = message(246, 248).splitlines()
    mark = "\x1b[32m [repeated 3x across cluster]\x1b[0m"
    log = "".join(
        f"\x1b[36m(TrainActor pid=7)\x1b[0m {line}{mark if at % 2 else ''}\n" for at, line in enumerate(lines)
    )
    found = only(log, DRIFT)
    assert (found.readings[0].drift, len(found.tensors)) == (2, 3)


def test_an_exception_that_is_printed_twice_is_one() -> None:
    assert counts(only(RANK2 + "Traceback:\n" + RANK2, DRIFT)) == [(2, 246, 248, 2)]


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("Dispatcher: hybridep", "certain"),
        ("  dispatcher: deepep", "certain"),
        ("{'dispatcher': 'hybridep', 'experts': 'torch_mm'}", "certain"),
        ("+ export MOLT_MOE_DISPATCHER=hybridep", "certain"),
        ("(mlp): GroupedExpertsDeepEPLoRA(", "certain"),
        ("Dispatcher: torch", "possible"),
        ("# MOLT_MOE_DISPATCHER=torch would be slower", "likely"),
        ("dispatcher: unheard_of", "likely"),
        ("nothing of that kind", "likely"),
    ],
)
def test_what_the_log_says_of_the_dispatcher(line: str, certainty: str) -> None:
    assert only(f"{line}\n{RANK2}", DRIFT).certainty == certainty


def test_bytes_that_are_no_text() -> None:
    assert counts(only(b"\0\xff\xfe\n" + RANK2.encode() + b"\x80\0\n", DRIFT)) == [(2, 246, 248, 2)]


def test_a_message_at_the_end_of_the_log_without_a_line_end() -> None:
    assert counts(only(RANK2.rstrip("\n"), DRIFT)) == [(2, 246, 248, 2)]


# --- what is another failure, or none --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tensors", "differs"),
    [
        ([tensor(3, "246, 2048", "246, 2048", ("bfloat16", "float32"))], "dtype"),
        ([tensor(3, "246, 2048", "246, 1024")], "trailing"),
        ([tensor(3, "246, 2048", "1, 246, 2048")], "dimensions"),
        ([tensor(3, "4, 12, 2048, 64", "8, 12, 2048, 64")], "leading"),
        ([tensor(3, "4096", "0")], "leading"),
        ([tensor(3, "246, 2048", "0, 2048")], "leading"),
        ([tensor(3, "246", "248")], "leading"),
        ([tensor(3, "246, 2048", "248, 2048"), tensor(4, "246, 16", "250, 16")], "leading"),
        ([tensor(3, "246, 2048", "248, 2048"), tensor(4, "246, 16", "248, 16", ("half", "float"))], "leading"),
    ],
)
def test_another_mismatch_is_not_taken_for_the_drift(tensors: list[str], differs: str) -> None:
    found = only(f"{HEADER}\n" + "".join(tensors), MISMATCH)
    assert (found.readings, found.failure.rule) == ((), "")
    assert found.tensors[0][1].differs == differs


@pytest.mark.parametrize(
    "log",
    [
        "",
        "step 1 | epoch 0 | loss 0.5\n",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n",
        "known_failures: [CheckpointError, OutOfMemoryError]\nretry_on: CheckpointError\nvalues: 3\n",
        "    raise CheckpointError(\n        f'torch.utils.checkpoint: Recomputed values for the following tensors '\n",
        f"# {HEADER}\n" + prefixed("# ", message(1, 2)),
        STUCK + WATCHDOG.replace("Watchdog caught", "Watchdog never caught"),
        "# the known SIGABRT at hybrid_ep/extension/allgather.cu:97\n",
        "see csrc/hybrid_ep/extension/allgather.cu:97 for the alignment\n",
        "csrc/hybrid_ep/extension/allgather.cu:97: Assertion `rank_num <= MAX' passed".replace("97", "95") + "\n",
    ],
)
def test_logs_without_a_known_failure(log: str) -> None:
    assert diagnose(log).found == ()


@pytest.mark.parametrize(
    "tail", ["", "tensor at position 3:\n", "tensor at position 3:\nsaved metadata: {'shape': torch.Si"]
)
def test_a_message_that_is_cut_off_is_named_and_not_judged(tail: str) -> None:
    made = diagnose(f"one\n{HEADER}\n{tail}")
    assert (made.found, made.cut) == ((), (2,))


def test_lines_of_ranks_that_cannot_be_told_apart_are_not_paired() -> None:
    one, other = message(10, 12), message(30, 50)
    made = diagnose("".join(a + b for a, b in zip(one.splitlines(True), other.splitlines(True), strict=True)))
    assert made.found == ()


# --- lines -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "log",
    [
        ABORT,
        "[rank3]: " + ABORT,
        ABORT.replace("Assertion", "\nAssertion"),
        ABORT.replace("void", "\nvoid").replace("Assertion", "\nAssertion"),
        "SIGABRT at csrc/hybrid_ep/extension/allgather.cu:97\n",
    ],
)
def test_the_abort_of_the_all_gather(log: str) -> None:
    found = only(log, UNALIGNED)
    assert (found.certainty, found.places) == ("certain", 1)


def test_a_timeout_before_the_first_step_is_possible() -> None:
    found = only(STUCK + WATCHDOG, TIMEOUT)
    assert found.certainty == "possible"
    assert found.details == {"sequence": "41", "operation": "ALLGATHER", "timeout_ms": "600000"}
    assert found.processes == (Process(1),)
    assert only(STUCK + WATCHDOG.replace("timeout: Work", "timeout:\n[rank1]: Work"), TIMEOUT).places == 1


@pytest.mark.parametrize(
    "before",
    [
        STUCK.replace("0/32", "500/10000"),
        STUCK + STUCK.replace("0/32", "1/32") + STUCK,
        "Train step of epoch 0: 0%| | 0/32 [00:00<?]\rTrain step of epoch 0: 3%| | 1/32 [00:09<?]\n",
        STUCK.replace("epoch 0", "epoch 3"),
        STUCK + "2026-01-01 10:00:00 | INFO | step 0 | epoch 0 | loss 1.2 | grad_norm 0.1\n",
        STUCK + "{'loss': 1.9, 'epoch': 0.1}\n",
        STUCK + "Dispatcher: torch\n",
        "",
        "Loading shards: 0%| | 0/4\n",
    ],
)
def test_a_timeout_after_a_step_or_in_a_log_that_tells_no_steps_is_not_named(before: str) -> None:
    assert diagnose(before + WATCHDOG).found == ()


def test_a_timeout_that_another_failure_explains_is_left_out() -> None:
    assert [one.failure.name for one in diagnose(STUCK + RANK2 + WATCHDOG).found] == [DRIFT]
    assert [one.failure.name for one in diagnose(STUCK + WATCHDOG + ABORT).found] == [UNALIGNED]


# --- widths ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("widths", "facts", "meanings"),
    [
        ([2048, 1024], {}, ["hidden likely", "gate_up likely"]),
        ([2048, 1536, 768], {}, ["hidden likely", "gate_up likely", "intermediate likely"]),
        ([2048, 1536, 640], {}, ["hidden likely", " unknown", " unknown"]),
        ([2048, 16, 1024], {}, ["hidden likely", " unknown", " unknown"]),
        ([2048, 1025], {}, ["hidden likely", " unknown"]),
        ([2048, 16], {"lora_rank": ["16"]}, ["hidden likely", "lora_rank known"]),
        ([2048, 1024, 16], {"moe_intermediate_size": ["512"]}, ["hidden likely", "gate_up known", " unknown"]),
        ([2048, 512], {"hidden_size": ["512", "2048"]}, ["hidden known", "gate_up likely"]),
        ([16, 2048], {"lora_rank": ["16"]}, ["lora_rank known", "gate_up likely"]),
        ([2048, 4096, 2048], {"moe_intermediate_size": ["2048"]}, ["intermediate known", "gate_up known"]),
    ],
)
def test_what_widths_are(widths: list[int], facts: dict[str, list[str]], meanings: list[str]) -> None:
    found = explain(enumerate(widths), facts)
    assert [f"{one.meaning} {one.certainty}" for one in found.values()] == meanings


# --- reading ---------------------------------------------------------------------------------------------------------


def reader(data: bytes, step: int) -> Callable[[int], bytes]:
    """Reads a few bytes at a time, whatever is asked for."""
    file = io.BytesIO(data)
    return lambda size: file.read(min(size, step))


@pytest.mark.parametrize("step", [1, 2, 3, 7, 64, CHUNK])
@pytest.mark.parametrize("every", [False, True])
def test_lines_are_the_same_however_they_are_read(step: int, every: bool) -> None:
    data = b"a needle\nno\n\r\nb needle\r\nc\rd needle\n\nneedle at the end"
    found = list(wanted(reader(data, step), lambda: [b"needle"], lambda: every))
    texts = [(line.number, line.text) for line in found if line.text in ("no", "c") or "needle" in line.text]
    others = [(2, "no"), (5, "c")] if every else []
    assert texts == sorted([(1, "a needle"), (4, "b needle"), (5, "d needle"), (7, "needle at the end"), *others])


def test_a_line_of_any_length_is_cut_and_the_next_one_is_read() -> None:
    data = b"needle" + b"x" * (3 * CHUNK) + b"\nshort needle\n"
    first, second = wanted(io.BytesIO(data).read, lambda: [b"needle"], lambda: False)
    assert (first.number, len(first.text)) == (1, LONGEST)
    assert second == (2, "short needle")


def test_a_failure_behind_much_else_is_found_at_its_line() -> None:
    other = "".join(f"[rank{at % 8}]: loss 0.1 and other words\n" for at in range(100_000))
    assert counts(only(other + RANK2 + other, DRIFT)) == [(2, 246, 248, 2)]
    assert diagnose(other + RANK2).found[0].lines[0].number == 100_001


def test_prefixes_are_taken_off_a_bounded_number_of_times() -> None:
    prefixes = Prefixes(logs_from(load().logs))
    process, text = prefixes.split("[rank1]: " * 100 + "x")
    assert process == Process(1)
    assert text.endswith("x")
    assert text.startswith("[rank1]")


# --- bounds ----------------------------------------------------------------------------------------------------------


def test_of_an_error_with_many_tensors_the_first_ones_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[int] = []
    look = Scan.line

    def line(scan: Scan, one: Line, at: int) -> None:
        looked_at.append(one.number)
        look(scan, one, at)

    monkeypatch.setattr(Scan, "line", line)
    many = "".join(tensor(position, "246, 2048", "248, 2048") for position in range(8000))
    found = only(f"{HEADER}\n{many}", DRIFT)
    assert [one.position for _, one in found.tensors] == list(range(MOST_TENSORS))
    assert len(looked_at) < 8000 < many.count("\n")


def test_after_an_error_with_many_tensors_the_next_one_is_found() -> None:
    many = "".join(tensor(position, "246, 2048", "248, 2048") for position in range(4000))
    assert counts(only(f"{HEADER}\n{many}{message(300, 304)}", DRIFT)) == [(None, 246, 248, 2), (None, 300, 304, 4)]


def test_lines_that_may_matter_are_looked_at_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recipelint.logs.scan.WORK_CAP", 3000)
    flood = "SIGABRT\n" * 5000
    read = diagnose(RANK2 + flood + ABORT)
    assert [one.failure.name for one in read.found] == [DRIFT]
    assert re.fullmatch(r"only the first [0-9]{3,4} lines were read: .*", read.partial)
    whole = diagnose(RANK2 + "other\n" * 5000 + ABORT)
    assert [one.failure.name for one in whole.found] == [DRIFT, UNALIGNED]
    assert whole.partial == ""


@pytest.mark.parametrize("filler", [b"\n", b"x\n", b"x\r", b"SIGABRT\n" + b"xx\n" * 9000], ids=repr)
def test_little_that_unpacks_to_much_is_read_up_to_a_bound(filler: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recipelint.logs.unpacking.LEAST", 2 << 20)
    data = RANK2.encode() + filler * ((8 << 20) // len(filler))
    bomb = opened(io.BufferedReader(io.BytesIO(gzip.compress(data))))
    read = Diagnoser(load()).diagnose("train.log.gz", bomb.read)
    assert [one.failure.name for one in read.found] == [DRIFT]
    assert re.match(r"only the first [2-6] MiB were read", bomb.partial)


def test_a_packed_log_that_ends_before_the_bound_is_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recipelint.logs.unpacking.LEAST", 1000)
    data = b"".join(b"%d\n" % (at * at) for at in range(100_000)) + RANK2.encode()
    log = opened(io.BufferedReader(io.BytesIO(gzip.compress(data))))
    assert counts(Diagnoser(load()).diagnose("train.log.gz", log.read).found[0]) == [(2, 246, 248, 2)]
    assert log.partial == ""


# --- the command -----------------------------------------------------------------------------------------------------


def command(*args: str, cwd: Path, stdin: bytes = b"") -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "recipelint", "diagnose", *args],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env={"PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"},
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_the_command_names_cause_and_cure(tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text("[LoRA] rank=16 alpha=32\n" + RANK2)
    status, out, err = command("train.log", cwd=tmp_path)
    assert (status, err) == (1, "")
    for words in (
        "--> train.log:2\n",
        "rank 2: 246 tokens in the forward pass, 248 in the recomputation: a drift of +2",
        "2048 wide: likely the hidden width",
        "16 wide: the LoRA rank, as the log says",
        "1024 wide: likely the fused gate/up projection: 2 x moe_intermediate_size 512",
        "gradient_checkpoint none",
        "https://github.com/NVIDIA-NeMo/Automodel/issues/3325",
        "Found 1 known failure in 1 log",
    ):
        assert words in out


def test_standard_input_gzip_and_several_logs(tmp_path: Path) -> None:
    (tmp_path / "a.log.gz").write_bytes(gzip.compress(RANK2.encode()))
    (tmp_path / "b.log").write_text(ABORT)
    (tmp_path / "c.log").write_text("all is well\n")
    status, out, _ = command("a.log.gz", "b.log", "c.log", "-", "--output-format", "json", cwd=tmp_path, stdin=b"x\n")
    logs = json.loads(out)["logs"]
    assert status == 1
    assert [(log["path"], [one["name"] for one in log["failures"]]) for log in logs] == [
        ("a.log.gz", [DRIFT]), ("b.log", [UNALIGNED]), ("c.log", []), ("<stdin>", []),
    ]  # fmt: skip
    for data in (RANK2.encode(), gzip.compress(RANK2.encode())):
        assert command("-q", cwd=tmp_path, stdin=data)[0] == 1


def test_of_a_log_that_is_read_in_part_that_is_said_and_the_status_stays(tmp_path: Path) -> None:
    filler = b"x\n" * (40 << 20)
    (tmp_path / "a.gz").write_bytes(gzip.compress(RANK2.encode() + filler, 6))
    (tmp_path / "b.gz").write_bytes(gzip.compress(filler, 6))
    for name, expected in (("a.gz", 1), ("b.gz", 0)):
        status, _, err = command(name, cwd=tmp_path)
        assert status == expected
        assert re.fullmatch(rf"recipelint: {name}: only the first [0-9]+ MiB were read: .*\n", err)


def test_nothing_known_is_said_and_is_status_0(tmp_path: Path) -> None:
    assert command("-", cwd=tmp_path, stdin=b"fine\n") == (0, "No known failure in 1 log\n", "")


def test_the_json_of_a_drift(tmp_path: Path) -> None:
    status, out, _ = command("-", "--output-format", "json", cwd=tmp_path, stdin=RANK2.encode())
    made = json.loads(out)
    (failure,) = made["logs"][0]["failures"]
    assert (status, made["version"], made["unreadable"]) == (1, 1, [])
    assert failure["ranks"] == [
        {"rank": 2, "process": "", "line": 1, "forward_tokens": 246, "recompute_tokens": 248, "drift": 2}
    ]
    assert [one["position"] for one in failure["tensors"]] == [91, 94, 95]
    assert failure["rule"] == "EP001"


def test_what_cannot_be_read_is_status_2(tmp_path: Path) -> None:
    whole = gzip.compress(RANK2.encode() + bytes(range(256)) * 4096)
    (tmp_path / "cut.gz").write_bytes(whole[: len(whole) - 9])
    status, out, err = command("cut.gz", "gone.log", ".", cwd=tmp_path)
    assert status == 2
    assert DRIFT in out
    assert "recipelint: cut.gz: Compressed file ended" in err
    assert "recipelint: gone.log: No such file or directory\n" in err
    assert "recipelint: .: Is a directory\n" in err


def test_what_a_log_holds_is_inert_in_the_output(tmp_path: Path) -> None:
    hostile = HEADER + " \x1b]0;x\x07\x1b[2J::error::x\n" + message(1, 3)
    for log in (prefixed("(\u202e::warning::A pid=1) ", message(1, 3)), hostile, "::error::" + ABORT):
        for shape in ("text", "json"):
            _, out, _ = command("-", "--output-format", shape, cwd=tmp_path, stdin=log.encode())
            assert all(char.isprintable() or char == "\n" for char in out)
            assert "::error" not in out
            assert "::warning" not in out

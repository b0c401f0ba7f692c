"""Hostile bytes of each kind, led by coverage (atheris): no crash, no hang, little memory, and nothing done beside.

The inputs that reached something new are kept in the part's folder, and the next run begins with them.
"""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
import sys
import time
from pathlib import Path

from tests.fuzz.budget import Budget, Failure, Outcome
from tests.fuzz.kinds import KINDS, seeds, text

MEMORY_MB, HANG_S = 512, 600
"""Seconds by the clock, long enough on a busy machine; what is slow by its own doing, the verdict says."""
LONGEST = 1 << 16


def fuzz(budget: Budget) -> Outcome:
    """Search for an equal time in each kind."""
    failures: list[Failure] = []
    tried = 0
    for kind in KINDS:
        folder = budget.folder / kind
        count, found = search(kind, folder, budget.seconds / len(KINDS), budget.seed)
        tried += count
        failures += [Failure(data, f"{kind}: {reason}") for data, reason in found]
    return Outcome(tried, tuple(failures))


def search(kind: str, folder: Path, seconds: float, seed: int) -> tuple[int, list[tuple[bytes, str]]]:
    """Search in one kind, and go on after what ended the search before its time."""
    corpus, until = prepared(kind, folder), time.monotonic() + seconds
    tried, found = 0, []
    while (left := int(until - time.monotonic())) > 0:
        options = [
            str(corpus),
            f"-dict={folder / 'words'}",
            f"-artifact_prefix={folder}/ended-",
            f"-max_total_time={left}",
            f"-max_len={LONGEST}",
            f"-rss_limit_mb={MEMORY_MB}",
            f"-timeout={HANG_S}",
            f"-report_slow_units={HANG_S}",
            f"-seed={seed + 1}",
            "-print_final_stats=1",
        ]
        words = [sys.executable, "-m", "tests.fuzz.target", kind, str(folder), *options]
        done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        tried += counted(done.stderr)
        ended = sorted(folder.glob("ended-*"))
        if done.returncode and not ended:
            raise RuntimeError(f"{kind}: {done.stderr[-2000:]}")
        for path in ended:
            found.append((text(kind, path.read_bytes()), path.name.rpartition("-")[0]))
            path.unlink()
        if not done.returncode:
            break
    return tried, found + told(kind, folder)


def prepared(kind: str, folder: Path) -> Path:
    """The folder of a kind's corpus, with the first inputs in it and the words of its language beside it."""
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for data in seeds(kind):
        (corpus / hashlib.sha1(data, usedforsecurity=False).hexdigest()).write_bytes(data)
    lines = ("".join(f"\\x{byte:02x}" for byte in word) for word in KINDS[kind].words)
    (folder / "words").write_text("".join(f'"{line}"\n' for line in lines))
    (folder / "found.jsonl").unlink(missing_ok=True)
    return corpus


def told(kind: str, folder: Path) -> list[tuple[bytes, str]]:
    """What a search wrote of its failures."""
    path = folder / "found.jsonl"
    made = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return [(text(kind, base64.b64decode(one["input"])), one["reason"]) for one in made]


def counted(log: str) -> int:
    """How many inputs a search says that it tried."""
    lines = [line for line in log.splitlines() if line.startswith("stat::number_of_executed_units:")]
    return int(lines[-1].split()[-1]) if lines else 0

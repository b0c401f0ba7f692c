"""`python -m tests.fuzz.child KIND COUNT`: some inputs, always the same, in a process of little memory; prints JSON."""

from __future__ import annotations

import base64
import json
import resource
import sys

from hypothesis import HealthCheck, given, settings

from tests.fuzz.mutation import hostile
from tests.fuzz.verdict import Taster

MEMORY = 512 << 20


def main(kind: str, count: int) -> int:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    taster = Taster()
    tried = 0

    @settings(
        max_examples=count, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(hostile(kind))
    def taste(data: bytes) -> None:
        nonlocal tried
        tried += 1
        reason = taster.verdict(kind, data)
        if reason:
            print(json.dumps({"reason": reason, "input": base64.b64encode(data).decode()}), flush=True)

    taste()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"tried": tried, "peak": peak}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))

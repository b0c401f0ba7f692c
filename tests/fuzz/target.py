"""`python -m tests.fuzz.target KIND FOLDER [libFuzzer options]`: bytes led by what they reach in recipelint's code.

A failure is written into FOLDER as a line of JSON, each reason once, and the search goes on; what takes too much memory
or hangs in C ends the process, and its input is left there.
"""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["recipelint"]):
    import recipelint.cli.commands
    import recipelint.cli.flags
    import recipelint.cli.logs
    import recipelint.fixer
    import recipelint.logs.diagnose
    import recipelint.python.trainer
    import recipelint.report.show
    import recipelint.report.table
    import recipelint.run
    import recipelint.silencer
    import recipelint.trying  # noqa: F401

from tests.fuzz.verdict import Taster


def main() -> None:
    kind, folder, *options = sys.argv[1:]
    taster = Taster()
    told: set[str] = set()

    def taste(data: bytes) -> None:
        reason = taster.verdict(kind, data)
        if reason and reason not in told:
            told.add(reason)
            with (Path(folder) / "found.jsonl").open("a") as stream:
                stream.write(json.dumps({"reason": reason, "input": base64.b64encode(data).decode()}) + "\n")

    atheris.Setup([sys.argv[0], *options], taste)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

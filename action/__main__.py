"""Checks what the workflow asks for, and tells the runner: annotations, outputs, a summary, files for later steps.

The exit status is that of recipelint; outputs and files are there whatever it is, unless recipelint did not
get to report.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from action.base import Base, base
from action.inputs import InputError, Inputs, read
from action.runner import output, say, summary

ERROR = 2
RECIPELINT = (sys.executable, "-I", "-m", "recipelint")
FILES = {"json": "report.json", "github": "annotations.txt", "markdown": "report.md"}
SARIF, RDJSON = "recipelint.sarif", "recipelint.rdjson"
FOR_TABLE = ("--env", "--arg", "--automodel", "--exclude", "--force-exclude", "--isolated")
"""Options of `check` that `table` takes as well, for the same reading of the launchers."""


NOT_UPLOADED = "the SARIF file is not uploaded: "
PARTIAL = "only changed recipes were checked, and code scanning would close the alerts of all others"
READ_ONLY = "the token of this run may only read"


def main() -> int:
    event_name = os.environ["GITHUB_EVENT_NAME"]
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text("utf-8"))
    try:
        inputs = read(os.environ)
        folder = Path(os.environ["GITHUB_WORKSPACE"], inputs.working_directory)
        if leads_out(folder):
            raise InputError("working-directory: a symbolic link leads out of the workspace")
        os.chdir(folder)
    except InputError as error:
        say("error", str(error))
        return ERROR
    except OSError as error:
        say("error", f"working-directory: {error.strerror}")
        return ERROR
    if led := [path for path in (*inputs.paths, inputs.config) if path and leads_out(path)]:
        say("error", f"{led[0]}: a symbolic link leads out of the workspace")
        return ERROR
    compared = base(event_name, event)
    folder = Path(tempfile.mkdtemp(prefix="recipelint.", dir=os.environ["RUNNER_TEMP"]))
    if inputs.changed_only and compared.commit is None:
        say("warning", f"changed-only: everything is checked: {compared.reason}")
    status = subprocess.run(check(inputs, compared, folder), stdin=subprocess.DEVNULL, check=False).returncode
    try:
        counts = json.loads((folder / FILES["json"]).read_text("utf-8"))["summary"]
    except FileNotFoundError:
        say("error", "recipelint did not report; the log says why")
        return status or ERROR
    print((folder / FILES["github"]).read_text("utf-8"), end="", flush=True)
    tell(inputs, counts, folder, not_uploaded(inputs, compared, read_only(event_name, event)))
    summary((folder / FILES["markdown"]).read_text("utf-8"), recipes(inputs, compared))
    return status


def leads_out(path: str | Path) -> bool:
    """Whether a path of the workspace is one of elsewhere: a pull request can put a symbolic link in its place.

    A path that is written as one outside of the workspace is the workflow's own choice.
    """
    workspace = os.path.abspath(os.environ["GITHUB_WORKSPACE"])
    real = os.path.realpath(workspace)
    full = os.path.abspath(path)
    written = any(f"{full}/".startswith(f"{root}/") for root in (workspace, real))
    return written and not f"{os.path.realpath(path)}/".startswith(f"{real}/")


def check(inputs: Inputs, compared: Base, folder: Path) -> list[str]:
    """The command that checks, and writes the reports into FOLDER."""
    reports = dict(FILES)
    if inputs.upload_sarif:
        reports["sarif"] = SARIF
    if inputs.fix_suggestions:
        reports["rdjson"] = RDJSON
    return [
        *RECIPELINT,
        "check",
        *inputs.args,
        *(f"--output={name}={folder / file}" for name, file in reports.items()),
        *([f"--fail-level={inputs.fail_level}"] if inputs.fail_level else []),
        *([f"--changed-since={compared.commit}"] if inputs.changed_only and compared.commit else []),
        *_where(inputs),
    ]


def not_uploaded(inputs: Inputs, compared: Base, read_only: bool) -> str:
    """Why the findings cannot go to code scanning; nothing where they can."""
    if (inputs.changed_only and compared.commit) or any(one.startswith("--changed-since") for one in inputs.args):
        return PARTIAL
    return READ_ONLY if read_only else ""


def tell(inputs: Inputs, counts: dict[str, int], folder: Path, reason: str) -> None:
    """The outputs of the step. REASON: why there is no upload."""
    by_severity = {name: counts[name] for name in ("errors", "warnings", "infos")}
    output(findings=sum(by_severity.values()), fixed=counts["fixed"], **by_severity)
    if inputs.upload_sarif:
        output(sarif_file=str(folder / SARIF))
        if reason:
            say("notice", NOT_UPLOADED + reason)
        else:
            output(upload_sarif="true")
    if inputs.fix_suggestions:
        output(suggestions_file=str(folder / RDJSON))


def recipes(inputs: Inputs, compared: Base) -> str:
    """Markdown: the settings of every recipe that the change reaches; without a commit to compare with, of all."""
    words = [
        *RECIPELINT,
        "table",
        "--format=markdown",
        *(option for option in inputs.args if option.partition("=")[0] in FOR_TABLE),
        *([f"--changed-since={compared.commit}"] if compared.commit else []),
        *_where(inputs),
    ]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False)
    title = "Recipes that the change reaches" if compared.commit else "Recipes"
    rows = done.stdout.count("\n") - 2
    return f"### {title}\n\n" + (done.stdout if rows > 0 else "None.\n")


def _where(inputs: Inputs) -> list[str]:
    return [*([f"--config={inputs.config}"] if inputs.config else []), "--", *inputs.paths]


def read_only(event_name: str, event: dict[str, Any]) -> bool:
    """Whether GitHub gives this run a token that may only read: from a fork, or for Dependabot."""
    if os.environ["GITHUB_ACTOR"] == "dependabot[bot]":
        return True
    head = ((event.get("pull_request") or {}).get("head") or {}).get("repo") or {}
    return event_name == "pull_request" and head.get("full_name") != os.environ["GITHUB_REPOSITORY"]


if __name__ == "__main__":
    sys.exit(main())

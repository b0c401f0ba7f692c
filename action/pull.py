"""Finds the pull request of the run that ended, from what GitHub says of that run, never from what the run left behind.

The event names no pull request where it came from a fork, and a number in an artifact could be that of another one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from action.base import COMMIT
from action.runner import output, say


def main() -> int:
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text("utf-8"))
    run = event.get("workflow_run")
    if os.environ["GITHUB_EVENT_NAME"] != "workflow_run" or not run:
        say("error", "this action is for workflows that run on workflow_run")
        return 2
    commit = run["head_sha"]
    if not COMMIT.fullmatch(commit):
        say("error", "the event names no commit")
        return 2
    number = of_run(run)
    if number is None:
        say("notice", "there is no open pull request at the commit that was checked")
    else:
        output(number=number, commit=commit)
    return 0


def of_run(run: dict[str, Any]) -> int | None:
    """The number of the open pull request from the branch of a run, if its head is still the commit of the run."""
    repository = run.get("head_repository") or {}
    if run["event"] != "pull_request" or not repository:
        return None
    head = f"{repository['owner']['login']}:{run['head_branch']}"
    where = f"repos/{os.environ['GITHUB_REPOSITORY']}/pulls"
    fields = ("state=open", "per_page=100", f"head={head}")
    asked = ["gh", "api", "--method=GET", where, *(f"--raw-field={field}" for field in fields)]
    done = subprocess.run(asked, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
    pulls = [one for one in json.loads(done.stdout) if one["head"]["sha"] == run["head_sha"]]
    return int(pulls[0]["number"]) if pulls else None


if __name__ == "__main__":
    sys.exit(main())

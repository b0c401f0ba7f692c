"""The commit that a push or a pull request is compared with, and whether the repository here has it.

git is run as recipelint runs it: what a pull request puts into a folder is never taken for a repository, and nothing
that a repository configures is run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from recipelint.report.plain import neutralise

COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
DEEPER = "set fetch-depth: 0 for actions/checkout (2 is enough for a pull request)"


class Base(NamedTuple):
    """A commit, or none and why there is none."""

    commit: str | None
    reason: str = ""


def base(event_name: str, event: Mapping[str, Any]) -> Base:
    """What to compare HEAD of the working directory with: the commit before the change of the event."""
    if event_name.startswith("pull_request"):
        return _of_pull_request(event)
    if event_name == "merge_group":
        return _present(_get(event, "merge_group", "base_sha"))
    if event_name == "push":
        before = _get(event, "before")
        return (
            Base(None, "the branch is new") if isinstance(before, str) and not before.strip("0") else _present(before)
        )
    return Base(None, f"the event {neutralise(event_name)} has no commit before it")


def _of_pull_request(event: Mapping[str, Any]) -> Base:
    """The first parent of the merge that GitHub checks out; where HEAD is no such merge, where the branches parted."""
    head = _get(event, "pull_request", "head", "sha")
    parents = _git("rev-list", "--parents", "--max-count=1", "HEAD").split()[1:]
    if len(parents) == 2 and parents[1] == head:
        return Base(parents[0])
    target = _present(_get(event, "pull_request", "base", "sha"))
    if target.commit is None:
        return target
    parted = _git("merge-base", target.commit, "HEAD").strip()
    return Base(parted) if parted else Base(None, f"the history up to the base branch is not here; {DEEPER}")


def _present(commit: object) -> Base:
    if not isinstance(commit, str) or not COMMIT.fullmatch(commit):
        return Base(None, "the event names no commit")
    if _git("cat-file", "-t", commit).strip() != "commit":
        return Base(None, f"commit {commit[:12]} is not here; {DEEPER}")
    return Base(commit)


def _get(event: object, *keys: str) -> object:
    for key in keys:
        event = event.get(key) if isinstance(event, Mapping) else None
    return event


def _git(*words: str) -> str:
    """What git prints of the repository around the working directory; nothing where it fails."""
    from recipelint.discovery.tree import enclosing
    from recipelint.git import Repository
    from recipelint.settings import SettingsError

    try:
        done = Repository(enclosing(os.path.realpath(os.getcwd()))).run(*words)
    except SettingsError:
        return ""
    return done.text if done.ok else ""

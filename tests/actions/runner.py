"""Runs the steps of a composite action, or of a job, as the runner of GitHub Actions does.

Bash steps are run by bash, with the files and variables that the runner gives them, and from the same workspace.
Actions of others are not run: what they are asked for is recorded, and a stub tells what they give back. The files that
a step writes (GITHUB_OUTPUT, GITHUB_ENV, GITHUB_PATH) are read by the runner's rules.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from tests.actions.expressions import as_text, holds, interpolate

BASH = ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail")
Stub = Callable[[Mapping[str, str]], Mapping[str, str]]


class RunnerError(Exception):
    """What the runner would refuse, or what is not imitated here."""


@dataclass
class Job:
    """A machine with a workspace, an event, and what happened on it.

    stubs    what an action of others gives back, by its name without the commit; or a step of this project, by its id
    used     the actions that were used, with what they were given
    """

    workspace: Path
    temp: Path
    event_name: str = "push"
    event: Mapping[str, Any] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    stubs: Mapping[str, Stub] = field(default_factory=dict)
    log: str = ""
    summary: str = ""
    used: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)
    path: list[str] = field(default_factory=list)

    @property
    def github(self) -> dict[str, Any]:
        """The context `github`."""
        return {
            "event_name": self.event_name,
            "event": self.event,
            "repository": "team/recipes",
            "workspace": str(self.workspace),
            "token": "ghs_secret",
            "actor": "someone",
            "job": "recipes",
            "run_id": "1234",
            "ref": "refs/heads/main",
        }

    def given(self, name: str) -> list[dict[str, str]]:
        """What an action of others was given, each time that it was used."""
        return [inputs for used, inputs in self.used if used == name]


@dataclass
class Result:
    """How an action or a job ended: whether all its steps succeeded, and what it puts out."""

    success: bool
    outputs: dict[str, str]
    steps: dict[str, Any]


def document(path: Path) -> Any:
    """A YAML file as data."""
    return YAML(typ="safe").load(path.read_text("utf-8"))


def run_action(job: Job, folder: Path, given: Mapping[str, str]) -> Result:
    """Run the composite action in FOLDER with these inputs."""
    action = document(folder / "action.yml")
    if unknown := set(given) - set(action["inputs"]):
        raise RunnerError(f"there are no inputs {unknown}")
    github = job.github
    inputs = {
        name: given.get(name, interpolate(as_text(one.get("default")), {"github": github}))
        for name, one in action["inputs"].items()
    }
    if missing := [name for name, one in action["inputs"].items() if one.get("required") and not given.get(name)]:
        raise RunnerError(f"inputs are missing: {missing}")
    if action["runs"]["using"] != "composite":
        raise RunnerError("is no composite action")
    github["action_path"] = str(folder)
    contexts = {"inputs": inputs, "github": github}
    result = _steps(job, action["runs"]["steps"], contexts, composite=folder)
    outputs = {
        name: interpolate(one["value"], {**contexts, "steps": result.steps})
        for name, one in action.get("outputs", {}).items()
    }
    return Result(result.success, outputs, result.steps)


def run_job(job: Job, workflow: Path, name: str, matrix: Mapping[str, str] | None = None) -> Result:
    """Run one job of a workflow."""
    made = document(workflow)
    wanted = made["jobs"][name]
    contexts = {"github": job.github, "matrix": matrix or {}}
    if not holds(str(wanted.get("if", "true")), {**contexts, "functions": _status(True)}):
        raise RunnerError("the job would not run")
    return _steps(job, wanted["steps"], contexts, env={**made.get("env", {}), **wanted.get("env", {})})


def _steps(
    job: Job,
    steps: list[dict[str, Any]],
    contexts: Mapping[str, Any],
    *,
    composite: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> Result:
    done: dict[str, Any] = {}
    success = True
    for step in steps:
        known = {
            **contexts,
            "steps": done,
            "runner": {"temp": str(job.temp), "os": "Linux"},
            "functions": _status(success),
            "secrets": {"GITHUB_TOKEN": "ghs_secret"},
        }
        known["env"] = {**(env or {}), **job.environment}
        if not holds(str(step.get("if", "true")), known):
            done[step.get("id", uuid.uuid4().hex)] = {"outcome": "skipped", "conclusion": "skipped", "outputs": {}}
            continue
        asked = {**(env or {}), **step.get("env", {})}
        variables = {key: interpolate(as_text(value), known) for key, value in asked.items()}
        if "uses" in step:
            passed, outputs = _use(job, step, known)
        elif step.get("id") in job.stubs:
            passed, outputs = True, dict(job.stubs[step["id"]](variables))
        else:
            passed, outputs = _bash(job, step, known, variables, composite)
        go_on = as_text(step.get("continue-on-error", False)) == "true"
        success = success and (passed or go_on)
        done[step.get("id", uuid.uuid4().hex)] = {
            "outcome": "success" if passed else "failure",
            "conclusion": "success" if passed or go_on else "failure",
            "outputs": outputs,
        }
    return Result(success, {}, done)


def _status(success: bool) -> dict[str, Callable[[], bool]]:
    return {
        "always": lambda: True,
        "success": lambda: success,
        "failure": lambda: not success,
        "cancelled": lambda: False,
    }


def _use(job: Job, step: Mapping[str, Any], contexts: Mapping[str, Any]) -> tuple[bool, dict[str, str]]:
    given = {key: interpolate(as_text(value), contexts) for key, value in step.get("with", {}).items()}
    name, _, commit = step["uses"].partition("@")
    if name.startswith("./"):
        result = run_action(job, (job.workspace / name).resolve(), given)
        return result.success, result.outputs
    if not re.fullmatch("[0-9a-f]{40}", commit):
        raise RunnerError(f"{step['uses']} names no commit")
    if name not in job.stubs:
        raise RunnerError(f"no stub for {name}")
    job.used.append((name, given))
    return True, dict(job.stubs[name](given))


def _bash(
    job: Job, step: Mapping[str, Any], contexts: Mapping[str, Any], env: Mapping[str, str], composite: Path | None
) -> tuple[bool, dict[str, str]]:
    if composite and step.get("shell") != "bash":
        raise RunnerError("a step of a composite action must name its shell, here bash")
    folder = job.temp / "_runner" / uuid.uuid4().hex
    folder.mkdir(parents=True)
    files = {name: folder / name.lower() for name in ("OUTPUT", "ENV", "PATH", "STEP_SUMMARY", "STATE")}
    for file in files.values():
        file.touch()
    script, event = folder / "script.sh", folder / "event.json"
    script.write_text(interpolate(step["run"], contexts), "utf-8")
    event.write_text(json.dumps(job.event), "utf-8")
    kept = {name: os.environ[name] for name in ("HOME", "TMPDIR", "LANG", "LC_ALL") if name in os.environ}
    path = os.pathsep.join([*reversed(job.path), job.variables.get("PATH", os.environ["PATH"])])
    github = {
        "ACTIONS": "true",
        "ACTOR": "someone",
        "EVENT_NAME": job.event_name,
        "EVENT_PATH": str(event),
        "REPOSITORY": "team/recipes",
        "SERVER_URL": "https://github.example",
        "WORKSPACE": str(job.workspace),
        **({"ACTION_PATH": str(composite)} if composite else {}),
        **{name: str(file) for name, file in files.items()},
    }
    done = subprocess.run(
        [*BASH, str(script)],
        cwd=job.workspace / interpolate(step.get("working-directory", "."), contexts),
        env={
            **kept,
            "CI": "true",
            "RUNNER_TEMP": str(job.temp),
            "RUNNER_OS": "Linux",
            **{f"GITHUB_{name}": value for name, value in github.items()},
            **job.variables,
            **job.environment,
            **env,
            "PATH": path,
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    job.log += done.stdout.decode("utf-8", "replace")
    job.summary += files["STEP_SUMMARY"].read_text("utf-8")
    job.environment.update(pairs(files["ENV"].read_text("utf-8")))
    job.path.extend(files["PATH"].read_text("utf-8").split())
    return done.returncode == 0, pairs(files["OUTPUT"].read_text("utf-8"))


def pairs(text: str) -> dict[str, str]:
    """What a file of outputs says: `name=value`, or `name<<END`, lines, and `END`."""
    found: dict[str, str] = {}
    lines = iter(text.splitlines())
    for line in lines:
        if not line:
            continue
        plain, heredoc = line.find("="), line.find("<<")
        if heredoc >= 0 and (plain < 0 or heredoc < plain):
            name, end = line.split("<<", 1)
            value = []
            for inner in lines:
                if inner == end:
                    break
                value.append(inner)
            else:
                raise RunnerError(f"{end} is missing")
            found[name] = "\n".join(value)
        elif plain > 0:
            name, value_text = line.split("=", 1)
            found[name] = value_text
        else:
            raise RunnerError(f"invalid format {line!r}")
    return found

"""What actionlint and zizmor, at its strictest, have against workflows and actions."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from ruamel.yaml import YAML

BIN = Path(sys.executable).parent
ROOT = Path(__file__).parent.parent.parent
OURS = re.compile(r"your-org/recipelint(?P<folder>/[\w/-]+)?@[0-9a-f]{40}\Z")


def faults(folder: Path) -> str:
    """What they say of a repository; nothing where all is well. Its shell is read by shellcheck."""
    if not (folder / ".git").exists():
        subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    said = ""
    for words in (
        ["actionlint", "-no-color", "-shellcheck", str(BIN / "shellcheck"), "-pyflakes", ""],
        ["zizmor", "--offline", "--no-progress", "--quiet", "--pedantic", "--strict-collection", "--color=never", "."],
    ):
        done = subprocess.run(
            [BIN / words[0], *words[1:]], cwd=folder, capture_output=True, encoding="utf-8", check=False
        )
        if done.returncode:
            said += done.stdout + done.stderr
    return said


def workflow(body: str, folder: Path) -> None:
    """A workflow of the documentation is well, and gives this project's actions only inputs that they have."""
    place = folder / ".github" / "workflows"
    place.mkdir(parents=True)
    (place / "workflow.yml").write_text(body, "utf-8")
    assert faults(folder) == ""
    for job in YAML(typ="safe").load(body)["jobs"].values():
        for step in job["steps"]:
            if match := OURS.match(step.get("uses", "")):
                action = YAML(typ="safe").load((ROOT / f".{match['folder'] or ''}" / "action.yml").read_text("utf-8"))
                assert set(step.get("with", {})) <= set(action["inputs"])
            else:
                assert "recipelint@" not in step.get("uses", "")


def of_schema(name: str, body: str, folder: Path) -> None:
    """A pipeline of another service is one by the schema of that service."""
    file = folder / "pipeline.yml"
    file.write_text(body, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", name, str(file)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout

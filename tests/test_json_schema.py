"""schema/output.json holds for what is printed as JSON and names every key of it; docs/json.md explains each."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from recipelint.diagnostic import Confidence
from recipelint.fix import Applicability, Fix
from recipelint.outcome import Outcome, Unreadable
from recipelint.recipe.model import EnvironmentValue, Setting
from recipelint.report import json_
from recipelint.ruleset.template import new_files
from tests.outcomes import argument, at, diagnostic, launch, launcher, repaired, settings, source, wrong
from tests.readme_blocks import FIXTURES, ROOT, blocks, run, steps

JSON = ROOT / "docs" / "json.md"
SCHEMA: dict[str, Any] = json.loads((ROOT / "schema" / "output.json").read_text("utf-8"))
TRAINERS = ROOT / "tests" / "fixtures" / "trainers"
COMMANDS = [
    step.command
    for block in blocks(JSON.read_text("utf-8"), "console")
    for step in steps(block.body)
    if "rules" not in step.command
]


def closed(schema: Any) -> Any:
    """The schema, but that no object may have a key that it does not name."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "type" in schema:
        inner.setdefault("additionalProperties", False)
    return inner


def valid(text: str, kind: str) -> None:
    """Raises ValidationError unless TEXT is the JSON of a command, without a key that the schema does not name."""
    schema = {"$defs": closed(SCHEMA["$defs"]), "$ref": f"#/$defs/{kind}"}
    Draft202012Validator(schema).validate(json.loads(text))


def keys(schema: Any) -> Iterator[str]:
    """Every key that the schema names."""
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            yield from schema["properties"]
        for value in schema.values():
            yield from keys(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from keys(value)


@pytest.fixture
def launchers(tmp_path: Path) -> Path:
    """A copy of the fixture launchers."""
    return Path(shutil.copytree(FIXTURES, tmp_path / "molt"))


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_the_page_names_every_key() -> None:
    named = set(re.findall(r"[`\"](\w+)[`\"]", JSON.read_text("utf-8")))
    assert set(keys(SCHEMA)) - named == set()


@pytest.mark.parametrize(
    "command",
    [
        *COMMANDS,
        "recipelint --output-format json .",
        "recipelint --output-format json --fix .",
        "recipelint --output-format json --diff . 2>&1 >/dev/null",
        "recipelint --output-format json gone.sh",
        "recipelint --output-format json --add-ignore .",
        "recipelint --output-format json --write-baseline known.json .",
        "recipelint --write-baseline b . >/dev/null; rm molt/cli/*ft.py; recipelint --baseline b --output-format json",
        "recipelint --output-format json --statistics .",
        "recipelint --output-format json --show-files .",
        "recipelint --output-format json --show-settings --extend-select EP003 --config severity.EP001='\"info\"' .",
        "recipelint show --output-format json .",
        "recipelint flags --output-format json molt.cli.train_rl_ray",
        f"recipelint flags --output-format json {TRAINERS}/actions.py",
        f"recipelint flags --output-format json {TRAINERS}/subcommands.py",
        "recipelint check-command --output-format json -- torchrun -m molt.cli.train_sft --fsdp.ep_size 1",
        "recipelint check-command --output-format json -- bash examples/scripts/slurm/sft_omni3_30b.sh",
        "recipelint rule --all --output-format json",
        "recipelint rules check --output-format json own",
        "recipelint explain --output-format json gone.sh:1 examples/scripts/slurm/sft_omni3_30b.sh:{34,98:3,69}",
        "recipelint diagnose --output-format json gone.log train.log examples/scripts/slurm/sft_omni3_30b.sh",
    ],
)
def test_what_is_printed_is_valid(command: str, launchers: Path) -> None:
    own_rules(launchers / "own")
    valid(run(f"{{ {command}; }} 2>/dev/null" if "2>" not in command else command, launchers), _kind(command))


def _kind(command: str) -> str:
    kinds = {"show": "show", "flags": "flags", "check-command": "command", "diagnose": "diagnose"}
    kinds |= {"explain": "explain", "rule": "rules", "rules": "tried"}
    modes = {f"--{mode}": mode.removeprefix("show-") for mode in ("statistics", "show-files", "show-settings")}
    shown = [kind for mode, kind in modes.items() if mode in command.split()]
    return shown[0] if shown else kinds.get(command.split()[1], "check")


def own_rules(folder: Path) -> None:
    """A rule that fails a case, and a file that is no rule."""
    files = new_files("TEAM001", "big-micro-batch", "team")
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text.replace("BATCH:-4", "BATCH:-3"), "utf-8")
    (folder / "other.yaml").write_text("code: TEAM002\n")


def test_what_is_seldom_printed_is_valid() -> None:
    file = source()
    note = diagnostic(
        at(file, "full"), confidence=Confidence.POSSIBLE, note="n", label="l", fix=Fix("t", Applicability.DISPLAY, ())
    )
    one = launch(
        file,
        framework=None,
        certain=False,
        when=("A",),
        argv=(argument("a"), argument("$@", unknown=True, many=True)),
        env={"A": EnvironmentValue(None), "B": EnvironmentValue("${HOME}", True)},
        settings={**settings(file), "packing": Setting("packing", None, "assigned", "P", at(file, "8"), ("on", None))},
    )
    made = launcher(file, one, complete=False, diagnostics=(note,), needs=("$1",))
    outcome = Outcome((made,), (note,), unreadable=(Unreadable("x", "is binary"),))
    valid(json_.show(outcome), "show")
    valid(json_.check(outcome), "check")
    valid(json_.check(wrong()), "check")
    valid(json_.check(repaired()), "check")

"""README.md and the pages in docs say what the program does: each command is run, each configuration used."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest
from jsonschema import Draft7Validator, Draft202012Validator  # type: ignore[import-untyped]
from ruamel.yaml import YAML

from recipelint.ruleset.document import read
from recipelint.ruleset.load import load
from recipelint.ruleset.rule_schema import rule_schema
from tests import own_rules_page
from tests.actions import linting, machine
from tests.proofs import proved_by
from tests.readme_blocks import FIXTURES, README, ROOT, blocks, run, steps

PAGE = README.read_text("utf-8")


@pytest.fixture
def launchers(tmp_path: Path) -> Path:
    """A copy of the fixture launchers."""
    return Path(shutil.copytree(FIXTURES, tmp_path / "molt"))


def of(test: str) -> list[object]:
    """The texts of the blocks that a test proves, each named for its page and its place there."""
    return [pytest.param(block.body, id=f"{page.name}-{number}") for page, number, block in proved_by(test)]


CONSOLE = proved_by("tests/test_readme.py::test_every_command_prints_what_the_page_shows")


@pytest.mark.parametrize("page", sorted({page for page, _, _ in CONSOLE}), ids=lambda page: page.name)
def test_every_command_prints_what_the_page_shows(page: Path, launchers: Path) -> None:
    for block in [block for its_page, _, block in CONSOLE if its_page == page]:
        for step in steps(block.body):
            real = run(step.command, launchers)
            assert step.fits(real), f"$ {step.command}\n{real}"


@pytest.mark.parametrize("body", of("tests/test_readme.py::test_configuration_is_accepted"))
def test_configuration_is_accepted(body: str, launchers: Path) -> None:
    name = "pyproject.toml" if "[tool.recipelint" in body else "recipelint.toml"
    (launchers / name).write_text(body, "utf-8")
    for baseline in re.findall(r'^baseline = "(.*)"', body, re.MULTILINE):
        assert run(f"recipelint --write-baseline {baseline}", launchers).startswith("Wrote ")
    assert run("recipelint check >/dev/null; (($? < 2)) && echo accepted", launchers) == "accepted\n"


def pre_commit_configuration(body: str, folder: Path) -> None:
    """It is valid, and asks for hooks that there are."""
    config = folder / ".pre-commit-config.yaml"
    config.write_text(body, "utf-8")
    subprocess.run([sys.executable, "-m", "pre_commit", "validate-config", str(config)], check=True)
    offered = {hook["id"] for hook in YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
    used = {hook["id"] for repository in YAML(typ="safe").load(body)["repos"] for hook in repository["hooks"]}
    assert used
    assert used <= offered


def gitlab_job(body: str, folder: Path) -> None:
    """It is a job of GitLab; its script writes the reports that it hands on, which are of GitLab's kinds."""
    linting.of_schema("vendor.gitlab-ci", body, folder)
    job = YAML(typ="safe").load(body)["recipelint"]
    launchers = Path(shutil.copytree(FIXTURES, folder / "molt"))
    machine.git(launchers, "init", "--quiet")
    machine.git(launchers, "commit", "--quiet", "--allow-empty", "--message=Base")
    base = machine.git(launchers, "rev-parse", "HEAD")
    for command in job["script"]:
        if command.startswith("recipelint"):
            run(f"CI_MERGE_REQUEST_DIFF_BASE_SHA={base}; {command}", launchers)
    reports = job["artifacts"]["reports"]
    assert set(reports) <= {"codequality", "junit"}
    assert all((launchers / file).stat().st_size > 1000 for file in reports.values())
    assert job["artifacts"]["when"] == "always"  # findings make the job fail


def workflow(body: str, folder: Path) -> None:
    """It is a workflow of GitHub Actions; what it uploads is what its commands write."""
    linting.workflow(body, folder)
    launchers = Path(shutil.copytree(FIXTURES, folder / "molt"))
    for job in YAML(typ="safe").load(body)["jobs"].values():
        for step in job["steps"]:
            if "recipelint --" in step.get("run", ""):
                run(step["run"], launchers)
            if "sarif_file" in step.get("with", {}):
                assert (launchers / step["with"]["sarif_file"]).stat().st_size > 1000


def rule_file(body: str, folder: Path) -> None:
    """It holds on its examples, and its schema takes it."""
    plain = read("page", body.encode()).value
    (folder / f"{plain['code']}-{plain['name']}.yaml").write_text(body, "utf-8")
    assert run("recipelint rules check . >/dev/null && echo holds", folder) == "holds\n"
    Draft7Validator(rule_schema(load())).validate(plain)


def own_settings(body: str, folder: Path) -> None:
    """It can be read beside the rules."""
    (folder / "settings.yaml").write_text(body, "utf-8")
    assert run("recipelint rules check . 2>&1", folder) == "recipelint: error: .: there is no rule file\n"


def own_framework(body: str, folder: Path) -> None:
    """It can be read beside the rules and the settings of the page before it, and its trainer is known."""
    page = (ROOT / "docs" / "own-rules.md").read_text("utf-8")
    (settings,) = [one.body for one in blocks(page, "yaml") if "settings" in YAML(typ="safe").load(one.body)]
    name = YAML(typ="safe").load(body)["name"]
    (folder / "own" / "frameworks").mkdir(parents=True)
    (folder / "own" / "settings.yaml").write_text(settings, "utf-8")
    (folder / "own" / "frameworks" / f"{name}.yaml").write_text(body, "utf-8")
    if "configuration" in YAML(typ="safe").load(body):
        (folder / "c.yaml").write_text("experts: {parallel_size: 8}\n", "utf-8")
        (folder / "a.sh").write_text("torchrun -m acme.train --config c.yaml\n", "utf-8")
        shown = run("recipelint table --rules own --columns framework,expert_parallel_size a.sh", folder)
        assert shown.splitlines()[-1].split() == ["acme", "8", "(c.yaml:1)"]
        return
    (folder / "a.sh").write_text("torchrun -m acme.train --ep 8 --curriculum\n", "utf-8")
    shown = run("recipelint table --rules own --columns framework,expert_parallel_size,curriculum a.sh", folder)
    assert shown.splitlines()[-1].split() == ["acme", "8", "(line", "1)", "on", "(line", "1)"]


YAML_KINDS: Mapping[str, Callable[[str, Path], None]] = {
    "repos": pre_commit_configuration,
    "recipelint": gitlab_job,
    "jobs": workflow,
    "steps": partial(linting.of_schema, "vendor.azure-pipelines"),
    "code": rule_file,
    "settings": own_settings,
    "entry_points": own_framework,
}
"""By a key that only this kind of document has: how a block of YAML is proved."""


@pytest.mark.parametrize("body", of("tests/test_readme.py::test_yaml_is_what_its_reader_takes"))
def test_yaml_is_what_its_reader_takes(body: str, tmp_path: Path) -> None:
    keys = set(YAML(typ="safe").load(body)) & set(YAML_KINDS)
    assert keys, "a kind of document that no test knows"
    for key in keys:
        YAML_KINDS[key](body, tmp_path)


@pytest.mark.parametrize("body", of("tests/test_readme.py::test_launchers_on_the_page_are_silenced_by_their_ignores"))
def test_launchers_on_the_page_are_silenced_by_their_ignores(body: str, tmp_path: Path) -> None:
    (tmp_path / "with.sh").write_text(body, "utf-8")
    (tmp_path / "without.sh").write_text(
        "".join(line for line in body.splitlines(True) if "recipelint:" not in line), "utf-8"
    )
    assert run("recipelint with.sh >/dev/null; echo $?", tmp_path) == "0\n"
    assert run("recipelint without.sh >/dev/null; echo $?", tmp_path) == "1\n"


def test_the_keys_on_the_page_are_those_of_the_configuration() -> None:
    from recipelint.settings import KEYS

    page = (ROOT / "docs" / "configuration.md").read_text("utf-8")
    section = page.partition("\n## Keys\n")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `([\w-]+)` \|", section, re.MULTILINE) == list(KEYS)


def test_the_tables_of_own_rules_are_those_of_the_checks() -> None:
    page = own_rules_page.PAGE.read_text("utf-8")
    assert own_rules_page.filled(page) == page
    assert page.count("<!-- ") == len(own_rules_page.tables())


@pytest.mark.parametrize("body", of("tests/test_readme.py::test_commands_without_output_run"))
def test_commands_without_output_run(body: str, launchers: Path) -> None:
    """A make target is one of the Makefile, as test_packaging.py runs one; another command is run here."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for command in body.splitlines():
        if target := re.match(r"make (\w+)", command):
            assert f"\n{target[1]}:" in makefile
        else:
            assert run(f"{command} >/dev/null; (($? < 2)) && echo run", launchers) == "run\n"


@pytest.mark.parametrize("body", of("tests/test_readme.py::test_messages_are_ones_that_diagnose_knows"))
def test_messages_are_ones_that_diagnose_knows(body: str, tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text(body, "utf-8")
    assert run("recipelint diagnose train.log >/dev/null; echo $?", tmp_path) == "1\n"


@pytest.mark.parametrize("body", of("tests/test_readme.py::test_reviewdog_is_given_what_it_reads"))
def test_reviewdog_is_given_what_it_reads(body: str, launchers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for it takes the words and the input; the input is what its schema allows, and has suggestions."""
    stand_in = launchers / "bin" / "reviewdog"
    stand_in.parent.mkdir()
    stand_in.write_text('#!/bin/sh\necho "$@"\ncat > given.json\n', "utf-8")
    stand_in.chmod(0o755)
    monkeypatch.setenv("PATH", f"{stand_in.parent}{os.pathsep}{os.environ['PATH']}")
    assert "-f=rdjson " in run(body, launchers)
    given = json.loads((launchers / "given.json").read_text("utf-8"))
    Draft202012Validator(json.loads((ROOT / "tests/schemas/rdjson.json").read_text("utf-8"))).validate(given)
    assert any(one.get("suggestions") for one in given["diagnostics"])

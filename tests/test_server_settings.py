"""The settings of an editor's files: the nearest configuration, what the client gives, what is wrong with either."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types

from recipelint.ruleset.template import new_files
from recipelint.server.configuration import asked
from tests.editor import Editor, able, editor

pytestmark = pytest.mark.asyncio
BROKEN = "torchrun -m molt.cli.train_sft --fsdp.ep_size 8 --model.gradient_checkpoint full\n"


def errors(at: Editor) -> list[str]:
    return [one.message for one in at.client.messages if one.type is types.MessageType.Error]


async def test_the_nearest_configuration_counts_for_each_file(tree: Path) -> None:
    (tree / "near").mkdir()
    (tree / "recipelint.toml").write_text('ignore = ["EP001"]\n', "utf-8")
    (tree / "near" / "pyproject.toml").write_text('[tool.recipelint]\nselect = ["EP001"]\n', "utf-8")
    async with editor(tree) as at:
        far, near = at.open("run.sh", BROKEN), at.open("near/run.sh", BROKEN)
        assert await at.codes(far) == []
        assert await at.codes(near) == ["EP001"]


async def test_a_saved_configuration_is_taken_up(tree: Path) -> None:
    config = tree / "recipelint.toml"
    config.write_text('ignore = ["EP001"]\n', "utf-8")
    async with editor(tree) as at:
        uri = at.open("run.sh", BROKEN)
        assert await at.codes(uri) == []
        config.write_text("", "utf-8")
        at.changed_on_disk("recipelint.toml")
        await at.until(lambda: at.published[uri].diagnostics)
        config.write_text('exclude = ["run.sh"]\n', "utf-8")
        at.changed_on_disk("recipelint.toml")
        await at.until(lambda: not at.published[uri].diagnostics)
        config.write_text('[per-file-ignores]\n"*.sh" = ["EP"]\n', "utf-8")
        at.changed_on_disk("recipelint.toml")
        assert await at.codes(uri) == []


async def test_a_wrong_configuration_is_told_once_and_ends_nothing(tree: Path) -> None:
    config = tree / "recipelint.toml"
    config.write_text('selekt = ["EP001"]\n', "utf-8")
    async with editor(tree) as at:
        uri = at.open("run.sh", BROKEN)
        assert await at.codes(uri) == ["EP001"], "as without a configuration"
        at.change(uri, "ep_size 8", "ep_size 16")
        assert await at.codes(uri) == ["EP001"]
        assert errors(at) == ["recipelint: recipelint.toml: there is no key 'selekt'; did you mean 'select'?"]
        config.write_text('select = ["NOPE"]\n', "utf-8")
        at.changed_on_disk("recipelint.toml")
        await at.until(lambda: len(errors(at)) == 2)
        assert errors(at)[1].startswith('recipelint: recipelint.toml: select: unknown rule selector "NOPE"')
        config.write_text("= \x1b]\n", "utf-8")
        at.changed_on_disk("recipelint.toml")
        await at.until(lambda: len(errors(at)) == 3)
        assert "\x1b" not in errors(at)[2]
        config.write_text('ignore = ["EP001"]\n', "utf-8")
        at.changed_on_disk("recipelint.toml")
        await at.until(lambda: not at.published[uri].diagnostics)


async def test_the_client_asks_for_other_rules_and_another_environment(tree: Path) -> None:
    text = BROKEN.replace("ep_size 8", 'ep_size "${EP:-1}"')
    (tree / "recipelint.toml").write_text('ignore = ["EP001"]\n', "utf-8")
    async with editor(tree, options={"select": ["EP001"], "env": {"EP": "8"}}) as at:
        uri = at.open("run.sh", text)
        (one,) = await at.diagnostics(uri)
        assert one.message.startswith("expert_parallel_size 8 ")
        settings: object = {"recipelint": {"select": ["EP001"], "env": {"EP": 4}}}
        at.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
        await at.until(lambda: at.published[uri].diagnostics[0].message.startswith("expert_parallel_size 4 "))
        at.client.workspace_did_change_configuration(types.DidChangeConfigurationParams({"args": ["a"]}))
        await at.until(lambda: not at.published[uri].diagnostics)


async def test_a_client_that_wants_to_be_asked_for_its_settings(tree: Path) -> None:
    async with editor(tree, able(configuration=True)) as at:
        uri = at.open("run.sh", BROKEN)
        assert await at.codes(uri) == ["EP001"]
        at.client.set_configuration({"ignore": ["EP001"]}, section="recipelint")
        at.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
        await at.until(lambda: not at.published[uri].diagnostics)


async def test_a_baseline_and_severities_count_as_they_do_on_the_command_line(tree: Path) -> None:
    config = tree / "recipelint.toml"
    (tree / "run.sh").write_text(BROKEN, "utf-8")
    config.write_text('baseline = "old.json"\nseverity.EP001 = "info"\n', "utf-8")
    async with editor(tree) as at:
        uri = at.open("run.sh")
        (one,) = await at.diagnostics(uri)
        assert one.severity is types.DiagnosticSeverity.Information
        await at.until(lambda: errors(at))
        assert "there is no such baseline" in errors(at)[0]
        command = [sys.executable, "-m", "recipelint", "--write-baseline", "old.json", "run.sh"]
        subprocess.run(command, cwd=tree, capture_output=True, check=False)
        at.changed_on_disk("old.json")
        await at.until(lambda: not at.published[uri].diagnostics)
        at.change(uri, BROKEN, BROKEN + BROKEN.replace("8", "16"))
        assert len(await at.diagnostics(uri)) == 1, "the new one"


async def test_the_rules_of_a_team_count(tree: Path) -> None:
    for name, text in new_files("TEAM001", "big-micro-batch", "team").items():
        (tree / "own" / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / "own" / name).write_text(text, "utf-8")
    (tree / "recipelint.toml").write_text('rules = ["own"]\nselect = ["TEAM"]\n', "utf-8")
    big = BROKEN.replace("--fsdp.ep_size 8", "--fsdp.ep_size 8 --train.micro_batch_size 64")
    async with editor(tree) as at:
        uri = at.open("run.sh", big)
        assert await at.codes(uri) == ["TEAM001"]
        at.change(uri, "micro_batch_size 64", "micro_batch_size 1")
        assert await at.codes(uri) == []
        (rule,) = (tree / "own").rglob("TEAM001-*.yaml")
        rule.write_text("code: TEAM001\n", "utf-8")
        at.changed_on_disk(rule.relative_to(tree).as_posix())
        await at.until(lambda: errors(at))
        assert f"{rule.name}:1: " in errors(at)[0]


async def test_wrong_settings_of_the_client_are_told_and_the_others_count(tree: Path) -> None:
    options: object = {"selekt": [], "select": ["NOPE"], "ignore": ["EP001"], "env": {"EP": []}, "args": None}
    async with editor(tree, options=options) as at:
        uri = at.open("run.sh", BROKEN)
        assert await at.codes(uri) == []
        await at.until(lambda: len(errors(at)) == 3)
        assert [one.removeprefix("recipelint: the client's settings: ").partition(";")[0] for one in errors(at)] == [
            "there is no key 'selekt'",
            'select: unknown rule selector "NOPE"',
            "env.EP: must be a string",
        ]


@pytest.mark.parametrize("options", [[], "x", 3, {"recipelint": {"select": {}}}, {"ignore": [1]}, {"": {}}])
async def test_no_settings_of_a_client_are_too_strange(options: object) -> None:
    found = asked(options)
    assert found.problems
    assert not found.values


async def test_files_are_watched_where_the_client_can(tree: Path) -> None:
    watched = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
    told = types.DidChangeConfigurationClientCapabilities(dynamic_registration=True)
    registered: list[types.Registration] = []
    async with editor(
        tree, able(did_change_watched_files=watched, did_change_configuration=told), registered=registered
    ) as at:
        await at.until(lambda: registered)
        methods = [one.method for one in registered]
        assert methods == ["workspace/didChangeWatchedFiles", "workspace/didChangeConfiguration"]
        options = registered[0].register_options
        assert "recipelint.toml" in str(options)
        assert "py" in str(options)


async def test_a_client_that_refuses_to_watch_is_served(tree: Path) -> None:
    watched = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
    async with editor(tree, able(did_change_watched_files=watched)) as at:
        uri = at.open("run.sh", BROKEN)
        assert await at.codes(uri) == ["EP001"]
        await at.until(lambda: at.client.log_messages)
        assert "does not tell of changed files" in at.client.log_messages[0].message


async def test_a_crash_is_told_and_the_server_lives_on(tree: Path) -> None:
    crashing = (
        "import sys; from recipelint.server import hover; from recipelint.server.live import Live; take = Live.take\n"
        "def crash(self, path, data):\n    assert b'CRASH' not in data, '::error::'\n    take(self, path, data)\n"
        "def fail(*_): raise RuntimeError('hover')\n"
        "Live.take = crash; hover.text = fail\n"
        "from recipelint.server.features import serve; sys.exit(serve())"
    )
    async with editor(tree, command=(sys.executable, "-c", crashing)) as at:
        uri = at.open("run.sh", BROKEN)
        assert await at.codes(uri) == ["EP001"]
        at.change(uri, "ep_size 8", "ep_size 8 # CRASH")
        await at.until(lambda: errors(at))
        assert errors(at) == [r"recipelint: internal error: AssertionError: :\x3aerror:\x3a"]
        at.change(uri, " # CRASH", "")
        assert await at.codes(uri) == ["EP001"]
        with pytest.raises(Exception, match="hover"):
            await at.hover(uri, "--fsdp.ep_size")
        await at.until(lambda: len(errors(at)) == 2)
        assert await at.actions(uri, (await at.diagnostics(uri))[0].range)

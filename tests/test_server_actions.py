"""Quick fixes in a real client: what they write is what `recipelint --fix` writes, and nothing that does not hold."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types

from tests.editor import Editor, able, editor
from tests.readme_blocks import FIXTURES

pytestmark = pytest.mark.asyncio
SCRIPTS = Path("examples", "scripts")
LAUNCHERS = sorted(str(path.relative_to(FIXTURES)) for path in (FIXTURES / SCRIPTS).rglob("*.sh"))
BROKEN = "torchrun -m molt.cli.train_sft --fsdp.ep_size 8 --model.gradient_checkpoint full\n"
FIX_ALL = "source.fixAll.recipelint"


def fixed(root: Path, path: str, *options: str) -> str:
    """The file as the command line fixes it."""
    command = [sys.executable, "-m", "recipelint", "--fix", *options, path]
    subprocess.run(command, cwd=root, check=False, capture_output=True)
    return (root / path).read_bytes().decode("utf-8")


def whole(at: Editor, uri: str) -> types.Range:
    return types.Range(types.Position(0, 0), types.Position(at.texts[uri].count("\n") + 1, 0))


async def test_all_safe_fixes_are_those_of_the_command_line(molt: Path) -> None:
    changed = 0
    async with editor(molt) as at:
        for path in (*LAUNCHERS, "molt/trainer/fsdp/strategy.py"):
            uri = at.open(path, language="python" if path.endswith(".py") else "shellscript")
            before = at.texts[uri]
            actions = await at.actions(uri, whole(at, uri), ["source.fixAll"])
            at.close(uri)
            after = before
            if actions:
                (one,) = actions
                assert (one.kind, one.title) == (FIX_ALL, "Fix all that recipelint can fix safely")
                assert one.edit is not None
                after = at.applied(one.edit)[uri]
                changed += 1
            assert after == fixed(molt, path), path
    assert changed == 8, "one for each fix that the README shows"


async def test_a_quick_fix_is_that_of_the_command_line(molt: Path) -> None:
    path = "examples/scripts/slurm/sft_omni3_30b.sh"
    async with editor(molt) as at:
        uri = at.open(path)
        (finding,) = await at.diagnostics(uri)
        one, *_ = await at.actions(uri, finding.range)
        assert one.title == "EP001: set activation_checkpointing to none"
        assert one.kind == "quickfix"
        assert one.is_preferred
        assert one.diagnostics == (finding,)
        assert one.edit is not None
        text = at.applied(one.edit)[uri]
        assert text == fixed(molt, path)
        at.replace(uri, text)
        assert await at.codes(uri) == []
        assert await at.actions(uri, whole(at, uri), ["source"]) == []


async def test_only_what_is_asked_for(molt: Path) -> None:
    async with editor(molt) as at:
        uri = at.open("examples/scripts/slurm/sft_omni3_30b.sh")
        (finding,) = await at.diagnostics(uri)
        elsewhere = types.Range(types.Position(0, 0), types.Position(1, 0))
        assert await at.actions(uri, elsewhere) == []
        assert [one.kind for one in await at.actions(uri, finding.range, ["quickfix"])] == ["quickfix"] * 2
        for only in ("source", "source.fixAll", FIX_ALL):
            assert [one.kind for one in await at.actions(uri, elsewhere, [only])] == [FIX_ALL]
        for only in ("refactor", "source.organizeImports", "source.fixAll.other"):
            assert await at.actions(uri, finding.range, [only]) == []


async def test_an_unsafe_fix_says_so_and_is_not_preferred(tree: Path) -> None:
    text = "if [ -d /data ]; then E=8; else E=1; fi\n" + BROKEN.replace("ep_size 8", 'ep_size "$E"')
    (tree / "run.sh").write_text(text, "utf-8")
    async with editor(tree) as at:
        uri = at.open("run.sh")
        (finding,) = await at.diagnostics(uri)
        assert finding.message.startswith("possible: ")
        one, *_ = await at.actions(uri, finding.range)
        assert one.title.endswith("(unsafe: may change more than the finding)")
        assert not one.is_preferred
        assert one.edit is not None
        assert await at.actions(uri, finding.range, [FIX_ALL]) == []
        assert at.applied(one.edit)[uri] == fixed(tree, "run.sh", "--unsafe-fixes") != text


async def test_a_fix_that_does_not_hold_is_not_offered(tree: Path) -> None:
    unverified = (
        "import sys; from recipelint.verify import Verification; Verification.failure = lambda self: 'no';"
        "from recipelint.server.features import serve; sys.exit(serve())"
    )
    async with editor(tree, command=(sys.executable, "-c", unverified)) as at:
        uri = at.open("run.sh", BROKEN)
        (finding,) = await at.diagnostics(uri)
        assert isinstance(finding.data, dict)
        assert finding.data["fixable"]
        assert [one.title for one in await at.actions(uri, finding.range)] == ["Ignore EP001 here"]
        assert await at.actions(uri, finding.range, [FIX_ALL]) == []


async def test_a_finding_is_ignored_where_it_is(tree: Path) -> None:
    text = "if true; then\n  torchrun \\\n    -m molt.cli.train_sft --fsdp.ep_size 8 \\\n"
    text += "    --model.gradient_checkpoint full\nfi\n" + BROKEN
    async with editor(tree) as at:
        uri = at.open("run.sh", text)
        first, second = await at.diagnostics(uri)
        assert (first.range.start.line, second.range.start.line) == (3, 5)
        (one,) = (one for one in await at.actions(uri, first.range) if one.title == "Ignore EP001 here")
        assert (one.kind, one.is_preferred) == ("quickfix", None)
        assert one.edit is not None
        comment = "  # recipelint: ignore[EP001]\n"
        assert at.applied(one.edit)[uri] == text.replace("  torchrun", f"{comment}  torchrun")
        at.replace(uri, at.applied(one.edit)[uri])
        (left,) = await at.diagnostics(uri)
        assert left.range.start.line == 6
        (one,) = (one for one in await at.actions(uri, left.range) if one.title == "Ignore EP001 here")
        assert one.edit is not None
        at.replace(uri, at.applied(one.edit)[uri])
        assert await at.codes(uri) == []


async def test_a_fix_of_a_sourced_file_is_made_where_that_is_open(tree: Path) -> None:
    run = 'source "$(dirname "$0")/common.sh"\n' + BROKEN.replace("full", '"$AC"')
    (tree / "run.sh").write_text(run, "utf-8")
    (tree / "common.sh").write_text("AC=full\n", "utf-8")
    async with editor(tree) as at:
        at.open("run.sh")
        common = at.uri("common.sh")
        await at.until(lambda: common in at.published)
        (finding,) = at.published[common].diagnostics
        assert "outside the given paths" in finding.message
        at.open("common.sh")
        (finding,) = await at.diagnostics(common)
        one, *_ = await at.actions(common, finding.range)
        assert one.edit is not None
        assert at.applied(one.edit)[common].endswith("\nAC=none\n")


async def test_windows_line_ends_and_rockets_are_kept(tree: Path) -> None:
    text = 'echo "🚀"\r\n' + "if true; then\r\n" + BROKEN.rstrip("\n") + " --adam.lr 1\r\nfi # 🚀\r\n"
    (tree / "run.sh").write_bytes(text.encode())
    async with editor(tree) as at:
        uri = at.open("run.sh")
        actions = await at.actions(uri, whole(at, uri), [FIX_ALL])
        after = at.applied(actions[0].edit)[uri] if actions and actions[0].edit else text
        assert after == fixed(tree, "run.sh")


async def test_a_client_without_versions_gets_plain_changes(tree: Path) -> None:
    async with editor(tree, types.ClientCapabilities()) as at:
        uri = at.open("run.sh", BROKEN)
        (finding,) = await at.diagnostics(uri)
        one, *_ = await at.actions(uri, finding.range)
        assert one.edit is not None
        assert one.edit.document_changes is None
        assert at.applied(one.edit)[uri].endswith("gradient_checkpoint none\n")


async def test_a_comment_that_ignores_nothing_is_faded_and_taken_away(tree: Path) -> None:
    async with editor(tree, able()) as at:
        uri = at.open("run.sh", "# recipelint: ignore[EP001] not needed\necho\n")
        (finding,) = await at.diagnostics(uri)
        assert (finding.code, finding.tags) == ("RL001", (types.DiagnosticTag.Unnecessary,))
        one, *_ = await at.actions(uri, finding.range)
        assert one.edit is not None
        assert at.applied(one.edit)[uri] == "echo\n"

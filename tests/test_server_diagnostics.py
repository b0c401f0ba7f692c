"""Diagnostics in a real client: of the text in the editor, for every document that a change reaches."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from tests.editor import able, editor, position

pytestmark = pytest.mark.asyncio
OMNI = "examples/scripts/slurm/sft_omni3_30b.sh"
BROKEN = "torchrun -m molt.cli.train_sft --fsdp.ep_size 8 --model.gradient_checkpoint full\n"
SHARED = 'source "$(dirname "$0")/common.sh"\ntorchrun -m molt.cli.train_sft --fsdp.ep_size "$EP"'
SHARED += ' --model.gradient_checkpoint "$AC"\n'
COMMON = "EP=8\nAC=full\n"


async def test_a_launcher_is_linted_as_it_is_typed(molt: Path) -> None:
    async with editor(molt) as at:
        uri = at.open(OMNI)
        (one,) = await at.diagnostics(uri)
        assert one.code == "EP001"
        assert one.source == "recipelint"
        assert one.severity is types.DiagnosticSeverity.Error
        assert one.code_description is not None
        assert one.code_description.href.startswith("https://")
        assert at.marked(types.Location(uri, one.range)) == "full"
        assert one.range.start == at.at(uri, 'GRAD_CHECKPOINT="${GRAD_CHECKPOINT-full}"', 35)
        related = {at.marked(place.location): place.message for place in one.related_information or ()}
        assert related["8"] == "the experts are spread over 8 ranks"
        assert related["hybridep"] == "the tokens go through hybridep"

        at.change(uri, "${GRAD_CHECKPOINT-full}", "${GRAD_CHECKPOINT-none}")
        assert await at.codes(uri) == []
        at.change(uri, "${GRAD_CHECKPOINT-none}", "${GRAD_CHECKPOINT-full}")
        at.change(uri, "${EP_SIZE:-8}", "${EP_SIZE:-1}")
        assert await at.codes(uri) == []
        at.change(uri, "${EP_SIZE:-1}", "${EP_SIZE:-16}")
        (one,) = await at.diagnostics(uri)
        assert one.message.startswith("expert_parallel_size 16 with activation_checkpointing full")
        assert (molt / OMNI).read_text("utf-8") != at.texts[uri], "the disk has another text"


async def test_what_is_closed_has_no_diagnostics(tree: Path) -> None:
    async with editor(tree) as at:
        uri = at.open("run.sh", BROKEN)
        assert await at.codes(uri) == ["EP001"]
        at.close(uri)
        await at.until(lambda: not at.published[uri].diagnostics)
        assert at.published[uri].version is None


async def test_a_sourced_file_is_linted_with_what_sources_it(tree: Path) -> None:
    (tree / "run.sh").write_text(SHARED, "utf-8")
    (tree / "common.sh").write_text(COMMON, "utf-8")
    async with editor(tree) as at:
        run = at.open("run.sh")
        assert await at.codes(run) == []
        common = at.uri("common.sh")
        await at.until(lambda: common in at.published)
        (one,) = at.published[common].diagnostics
        assert (one.code, at.marked(types.Location(common, one.range))) == ("EP001", "full")
        assert at.published[common].version is None, "it is not open"
        assert any(place.location.uri == run for place in one.related_information or ())

        assert at.open("common.sh") == common
        assert await at.codes(common) == ["EP001"]
        at.change(common, "AC=full", "AC=none")
        assert await at.codes(common) == []
        at.change(common, "AC=none", "AC=full")
        assert await at.codes(common) == ["EP001"]

        at.change(run, '"$EP"', "1")
        assert await at.codes(run) == []
        await at.until(lambda: not at.published[common].diagnostics)
        at.change(run, "ep_size 1", 'ep_size "$EP"')
        await at.until(lambda: at.published[common].diagnostics)
        at.close(run)
        await at.until(lambda: not at.published[common].diagnostics)


async def test_a_buffer_counts_before_the_disk_for_who_sources_it(tree: Path) -> None:
    (tree / "run.sh").write_text(SHARED, "utf-8")
    async with editor(tree) as at:
        common = at.open("common.sh", COMMON)  # not saved: there is no such file
        at.open("run.sh")
        await at.until(lambda: common in at.published and at.published[common].diagnostics)
        at.close(common)
        await at.until(lambda: not at.published[common].diagnostics)


async def test_a_buffer_of_requirements_counts_however_it_is_included(tree: Path) -> None:
    (tree / "run.sh").write_text(BROKEN, "utf-8")
    (tree / "requirements.txt").write_text("-r more.txt\n", "utf-8")
    async with editor(tree) as at:
        run, more = at.open("run.sh"), at.open("more.txt", "nemo-automodel==0.4.0\n", language="plaintext")

        def told(what: str) -> bool:
            related = [one for found in at.published[run].diagnostics for one in found.related_information or ()]
            return any(what in one.message for one in related)

        await at.until(lambda: run in at.published and told("AutoModel 0.4.0"))
        for version in ("0.3.0", "0.2.0", "0.4.0"):
            at.replace(more, f"nemo-automodel=={version}\n")
            await at.until(lambda version=version: told(f"AutoModel {version}"))  # type: ignore[misc]


async def test_changes_on_the_disk_are_taken_up(tree: Path) -> None:
    (tree / "run.sh").write_text(SHARED, "utf-8")
    (tree / "common.sh").write_text(COMMON, "utf-8")
    async with editor(tree) as at:
        at.open("run.sh")
        common = at.uri("common.sh")
        await at.until(lambda: common in at.published)
        (tree / "common.sh").write_text("EP=8\nAC=none\n", "utf-8")
        at.changed_on_disk("common.sh")
        await at.until(lambda: not at.published[common].diagnostics)


async def test_lines_that_are_typed_after_characters_beyond_the_bmp(tree: Path) -> None:
    async with editor(tree) as at:
        text = 'echo "🚀🚀"; ' + BROKEN
        uri = at.open("run.sh", text)
        (one,) = await at.diagnostics(uri)
        assert at.marked(types.Location(uri, one.range)) == "full"
        assert one.range.start.character == len(text) - len("full\n") + 2, "two units for each rocket"
        at.change(uri, "🚀🚀", "🚀é")
        at.change(uri, "full", "none")
        assert await at.codes(uri) == []
        at.change(uri, "none", "full")
        (one,) = await at.diagnostics(uri)
        assert at.marked(types.Location(uri, one.range)) == "full"


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 8), ("utf-16", 4), ("utf-32", 2)])
async def test_the_encoding_that_the_client_asks_for(tree: Path, encoding: str, column: int) -> None:
    general = types.GeneralClientCapabilities(position_encodings=[encoding])
    async with editor(tree, types.ClientCapabilities(general=general)) as at:
        uri = at.open("run.sh", f': "🚀🚀"; {BROKEN}')
        (one,) = await at.diagnostics(uri)
        assert one.range.start.character == len(f': ""; {BROKEN}') - len("full\n") + column


async def test_line_ends_of_windows_and_form_feeds(tree: Path) -> None:
    async with editor(tree) as at:
        text = "#!/bin/bash\r\n# a\x0cb\x1cc\u2028d\r\n: ${AC:=full}\r\n" + BROKEN.replace("full", '"$AC"')
        uri = at.open("run.sh", text)
        for _ in range(2):
            (one,) = (one for one in await at.diagnostics(uri) if one.code == "EP001")
            assert one.range == types.Range(types.Position(2, 8), types.Position(2, 12))
            at.change(uri, "full", "none")  # pygls would count the form feed as the end of a line
            assert await at.codes(uri) == []
            at.replace(uri, text.replace("\r\n", "\n"))


async def test_python_is_linted_too(molt: Path) -> None:
    async with editor(molt) as at:
        uri = at.open("molt/trainer/fsdp/strategy.py", language="python")
        assert await at.codes(uri) == ["DOC001"]
        guarded = at.open("molt/cli/train_sft.py", language="python")
        assert await at.codes(guarded) == ["GUARD001"]


async def test_a_text_without_a_file_is_linted_and_follows_nothing(tree: Path) -> None:
    (tree / "common.sh").write_text(COMMON, "utf-8")
    async with editor(tree) as at:
        uri = at.open("", BROKEN, uri="untitled:Untitled-1")
        assert await at.codes(uri) == ["EP001"]
        other = at.open("", f"source ./common.sh\n{SHARED.partition(chr(10))[2]}", uri="untitled:Untitled-2")
        assert "EP001" not in await at.codes(other)


async def test_a_path_with_blanks_and_signs(tree: Path) -> None:
    folder = tree / "a b %41"
    folder.mkdir()
    (folder / "run é.sh").write_text(SHARED, "utf-8")
    (folder / "common.sh").write_text(COMMON, "utf-8")
    async with editor(tree) as at:
        uri = at.open("a b %41/run é.sh")
        assert "%20b%20%2541" in uri
        await at.diagnostics(uri)
        common = at.uri("a b %41/common.sh")
        await at.until(lambda: common in at.published)
        assert [one.code for one in at.published[common].diagnostics] == ["EP001"]


async def test_a_file_outside_of_the_workspace_is_linted(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "else" / ".git").mkdir(parents=True)
    (tmp_path / "else" / "common.sh").write_text(COMMON, "utf-8")
    async with editor(tree) as at:
        uri = at.open("../else/run.sh", SHARED, uri=(tmp_path / "else" / "run.sh").as_uri())
        await at.diagnostics(uri)
        common = (tmp_path / "else" / "common.sh").as_uri()
        await at.until(lambda: common in at.published)


async def test_no_file_outside_of_the_repository_is_read(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "common.sh").write_text(COMMON, "utf-8")
    async with editor(tree) as at:
        uri = at.open("run.sh", SHARED.replace("/common.sh", "/../common.sh"))
        assert "EP001" not in await at.codes(uri)
        assert (tmp_path / "common.sh").as_uri() not in at.published


async def test_what_is_binary_or_huge_is_passed_over_with_a_word_in_the_log(tree: Path) -> None:
    async with editor(tree) as at:
        binary = at.open("a.sh", "#!/bin/bash\n\0\0")
        huge = at.open("b.sh", "# " + "x" * (2 << 20) + "\n")
        fine = at.open("c.sh", BROKEN)
        assert await at.codes(binary) == []
        assert await at.codes(huge) == []
        assert await at.codes(fine) == ["EP001"]
        logged = sorted(one.message for one in at.client.log_messages)
        assert logged == [
            "recipelint: a.sh: is binary; it is not linted",
            "recipelint: b.sh: is larger than 2 MiB; it is not linted",
        ]
        at.replace(binary, BROKEN)
        assert await at.codes(binary) == ["EP001"]


async def test_a_document_of_another_language_is_left_alone(tree: Path) -> None:
    async with editor(tree) as at:
        other = at.open("notes.md", BROKEN, language="markdown")
        slurm = at.open("job.slurm", BROKEN, language="plaintext")
        bare = at.open("job", "#!/bin/bash\n" + BROKEN, language="plaintext")
        assert await at.codes(slurm) == ["EP001"]
        assert await at.codes(bare) == ["EP001"]
        assert other not in at.published


async def test_what_is_quick_to_change_is_linted_once(tree: Path) -> None:
    async with editor(tree) as at:
        uri = at.open("run.sh", BROKEN)
        await at.diagnostics(uri)
        before = at.times[uri]
        for _ in range(20):
            at.send(uri, [types.TextDocumentContentChangePartial(types.Range(position("", 0), position("", 0)), "#\n")])
            at.texts[uri] = "#\n" + at.texts[uri]
        (one,) = await at.diagnostics(uri)
        assert one.range.start.line == 20
        assert at.times[uri] - before <= 3


async def test_a_client_that_asks_for_diagnostics_is_not_sent_them(tree: Path) -> None:
    capabilities = able(diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True))
    capabilities.text_document = types.TextDocumentClientCapabilities(diagnostic=types.DiagnosticClientCapabilities())
    (tree / "run.sh").write_text(SHARED, "utf-8")
    async with editor(tree, capabilities) as at:
        (tree / "common.sh").write_text(COMMON, "utf-8")
        run = at.open("run.sh")
        common = at.uri("common.sh")
        await at.until(lambda: common in at.published and at.published[common].diagnostics)
        at.open("common.sh")
        await at.until(lambda: not at.published[common].diagnostics)

        async def pulled(uri: str) -> list[object]:
            report = await at.client.text_document_diagnostic_async(types.DocumentDiagnosticParams(at.document(uri)))
            assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
            return [one.code for one in report.items]

        assert await pulled(common) == ["EP001"]
        assert await pulled(run) == []
        at.change(run, '"$EP"', "1")
        await at.until(lambda: at.client.diagnostic_refresh_count)
        assert await pulled(common) == []
        assert not at.published[common].diagnostics
        assert run not in at.published

"""Hover, definition, declaration, references and inlay hints in a real client, on the fixture launchers."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from tests.editor import Editor, editor

pytestmark = pytest.mark.asyncio
OMNI = "examples/scripts/slurm/sft_omni3_30b.sh"
GLM = "examples/scripts/slurm/rl_glm5_2_753b.sh"


async def definition(at: Editor, uri: str, text: str, after: int = 0) -> list[types.Location]:
    found = await at.client.text_document_definition_async(
        types.DefinitionParams(at.document(uri), at.at(uri, text, after))
    )
    assert found is None or not isinstance(found, types.Location)
    return [one for one in found or () if isinstance(one, types.Location)]


async def declaration(at: Editor, uri: str, text: str, after: int = 0) -> list[types.Location]:
    found = await at.client.text_document_declaration_async(
        types.DeclarationParams(at.document(uri), at.at(uri, text, after))
    )
    assert found is None or not isinstance(found, types.Location)
    return [one for one in found or () if isinstance(one, types.Location)]


# --- hover ---------------------------------------------------------------------------------------------------


async def test_hover_on_a_flag_its_value_and_its_variable(molt: Path) -> None:
    async with editor(molt) as at:
        uri = at.open(OMNI)
        origin = "default of EP_SIZE, sft_omni3_30b.sh:29"
        launch = "`molt.cli.train_sft`, line 93"
        flag = await at.hover(uri, '--fsdp.ep_size "$EP_SIZE"', 4)
        assert flag == f"`--fsdp.ep_size` = `8`  \n{origin}\n\nthe setting `expert_parallel_size`\n\n- {launch}"
        assert await at.hover(uri, "${EP_SIZE:-8}", 11) == flag, "the text that decides it"
        used = await at.hover(uri, '--fsdp.ep_size "$EP_SIZE"', 17)
        assert used == f"`$EP_SIZE` = `8`  \n{origin}\n\nreaches\n\n- `--fsdp.ep_size` of {launch}"
        assert await at.hover(uri, 'EP_SIZE="${EP_SIZE:-8}"') == used, "the name where it is assigned"
        assert await at.hover(uri, "# The 30B omni mixture") == ""


async def test_hover_inside_of_quotes_in_quotes(molt: Path) -> None:
    async with editor(molt) as at:
        uri = at.open(OMNI)
        name = await at.hover(uri, "MOLT_MOE_DISPATCHER=${MOLT_MOE_DISPATCHER:-hybridep}", 3)
        assert name.startswith(
            "`$MOLT_MOE_DISPATCHER` = `hybridep`  \ndefault of MOLT_MOE_DISPATCHER, sft_omni3_30b.sh:98"
        )
        assert name.endswith("- `MOLT_MOE_DISPATCHER` of `molt.cli.train_sft`, line 93")
        assert "the setting `moe_dispatcher`" in await at.hover(uri, "${MOLT_MOE_DISPATCHER:-hybridep}", 25)
        escaped = await at.hover(uri, r"--node-rank=\$SLURM_NODEID", 15)
        assert escaped == "`$SLURM_NODEID` = `${SLURM_NODEID}`  \nthe machine sets SLURM_NODEID"
        assert (await at.hover(uri, "--master-port=$PORT", 15)).startswith("`$PORT` = `29702`  \ndefault of PORT")


async def test_hover_where_several_launches_differ(tree: Path) -> None:
    text = "for e in 1 8; do\n  torchrun -m molt.cli.train_sft --fsdp.ep_size $e\ndone\n"
    async with editor(tree) as at:
        uri = at.open("run.sh", text)
        used = await at.hover(uri, "$e")
        assert "`$e` = `1`  \na turn of a loop, run.sh:1" in used
        assert "`$e` = `8`  \na turn of a loop, run.sh:1" in used
        flag = await at.hover(uri, "--fsdp.ep_size", 2)
        assert flag.count("`--fsdp.ep_size` = ") == 2


async def test_hover_on_an_ignore_comment_tells_the_rule(tree: Path) -> None:
    async with editor(tree) as at:
        uri = at.open("run.sh", "# recipelint: ignore[EP001, NONE] because\necho\n")
        said = await at.hover(uri, "EP001")
        assert said.startswith("**EP001** [full-checkpointing-under-ep-dispatcher](https://")
        assert said.endswith("`NONE` is no rule")
        assert await at.hover(uri, "echo") == ""


async def test_hover_on_what_nobody_can_know(tree: Path) -> None:
    async with editor(tree) as at:
        uri = at.open("run.sh", 'torchrun train.py --a "$MODEL" --b "$(nvidia-smi -L)" --c "$HOME/x"\n')
        assert await at.hover(uri, "--a", 1) == (
            "`--a` = `${MODEL}`  \nMODEL is for the user to set\n\n- `train.py`, line 1"
        )
        assert "the machine sets HOME" in await at.hover(uri, "--c", 1)
        assert "it is what \\$(nvidia-smi -L) prints" in await at.hover(uri, "--b", 1)


async def test_hostile_text_comes_out_inert(tree: Path) -> None:
    value = "``` [x](http://evil) <img src=x onerror=y> ![z](command:w) \x1b[31m\u202e ::error:: *b*"
    async with editor(tree) as at:
        uri = at.open("run.sh", f"A='{value}'\ntorchrun train.py --run \"$A\" --`x` '[a](http://evil)'\n")
        said = await at.hover(uri, "--run", 2)
        assert "\x1b" not in said
        assert "\u202e" not in said
        assert "::error" not in said
        fence = "````"
        assert said.startswith(f"`--run` = {fence}")
        inside = said.split(fence)[1]
        assert "[x](http://evil)" in inside, "as code, between the fences"
        assert "evil" not in said.replace(inside, "")


async def test_a_client_without_markdown_gets_plain_text(molt: Path) -> None:
    hover = types.HoverClientCapabilities(content_format=[types.MarkupKind.PlainText])
    capabilities = types.ClientCapabilities(text_document=types.TextDocumentClientCapabilities(hover=hover))
    async with editor(molt, capabilities) as at:
        uri = at.open(OMNI)
        assert await at.hover(uri, '--fsdp.ep_size "$EP_SIZE"', 4) == (
            "--fsdp.ep_size = 8\ndefault of EP_SIZE, sft_omni3_30b.sh:29\n\n"
            "the setting expert_parallel_size\n\n- molt.cli.train_sft, line 93"
        )


# --- navigation ----------------------------------------------------------------------------------------------


async def test_from_a_flag_or_a_variable_to_the_text_that_decides_it(molt: Path) -> None:
    async with editor(molt) as at:
        uri = at.open(OMNI)
        for text, after in (('--fsdp.ep_size "$EP_SIZE"', 4), ('--fsdp.ep_size "$EP_SIZE"', 17)):
            (place,) = await definition(at, uri, text, after)
            assert place.uri == uri
            assert place.range.start == at.at(uri, "${EP_SIZE:-8}", 11)
            assert at.marked(place) == "8"
        (place,) = await definition(at, uri, "--fsdp.param_dtype bf16", 4)
        assert at.marked(place) == "bf16"


async def test_from_a_flag_to_its_declaration_in_the_trainer(molt: Path) -> None:
    async with editor(molt) as at:
        uri = at.open("examples/scripts/quick_start/sft_qwen3_4b.sh")
        (place,) = await declaration(at, uri, '--fsdp.ep_size "$EP"', 4)
        assert place.uri == at.uri("molt/cli/common_args.py")
        assert '"--fsdp.ep_size"' in at.marked(place)
        assert await declaration(at, uri, "#!/bin/bash") == []


async def test_from_a_launcher_to_a_sourced_file_and_back(tree: Path) -> None:
    run = 'source "$(dirname "$0")/common.sh"\ntorchrun -m molt.cli.train_sft --fsdp.ep_size "$EP"\n'
    (tree / "run.sh").write_text(run, "utf-8")
    (tree / "common.sh").write_text("# 🚀\nEP=4\n", "utf-8")
    async with editor(tree) as at:
        uri = at.open("run.sh")
        (place,) = await definition(at, uri, "--fsdp.ep_size", 3)
        assert (place.uri, at.marked(place)) == (at.uri("common.sh"), "4")
        common = at.open("common.sh")
        found = await at.client.text_document_references_async(
            types.ReferenceParams(types.ReferenceContext(False), at.document(common), at.at(common, "EP=4", 3))
        )
        marked = {(one.uri, at.marked(one)) for one in found or ()}
        assert {(uri, "torchrun"), (uri, "--fsdp.ep_size"), (uri, "$EP"), (common, "EP=4")} <= marked


# --- inlay hints ---------------------------------------------------------------------------------------------


async def test_hints_say_what_the_text_does_not(molt: Path) -> None:
    async with editor(molt) as at:
        uri = at.open(OMNI)
        assert await at.hints(uri) == [
            (69, '  --data.max_len "$CONTEXT"', "= 40960 (default of CONTEXT)"),
            (71, '  --train.batch_size "$GLOBAL_BATCH"', "= 16 (default of GLOBAL_BATCH)"),
            (74, '  --fsdp.attn_implementation "$ATTENTION"', "= te (default of ATTENTION)"),
            (75, '  --fsdp.tp_size "$TENSOR_RANKS"', "= 1 (default of TENSOR_RANKS)"),
            (76, '  --fsdp.ep_size "$EP_SIZE"', "= 8 (default of EP_SIZE)"),
            (77, '  --fsdp.cp_size "$SEQUENCE_RANKS"', "= 8 (default of SEQUENCE_RANKS)"),
            (85, 'SFT+=(--model.gradient_checkpoint "$GRAD_CHECKPOINT"', "= full (default of GRAD_CHECKPOINT)"),
        ]
        assert [line for line, _, _ in await at.hints(uri, lines(75, 76))] == [75, 76]
        assert await at.hints(uri, lines(1, 20)) == []
        at.change(uri, "${EP_SIZE:-8}", "${EP_SIZE:-32}")
        assert await at.hints(uri, lines(76, 76)) == [(76, '  --fsdp.ep_size "$EP_SIZE"', "= 32 (default of EP_SIZE)")]


def lines(first: int, last: int) -> types.Range:
    return types.Range(types.Position(first - 1, 0), types.Position(last, 0))


async def test_hints_tell_of_another_value_than_the_default_that_stands_there(tree: Path) -> None:
    text = 'EP=4\nEP="${EP:-8}"\necho "$EP"\nif [ "$EP" = 4 ]; then torchrun train.py --ep "$EP" --lr "${LR:-1}"; fi\n'
    async with editor(tree) as at:
        uri = at.open("run.sh", text)
        assert await at.hints(uri) == [
            (2, 'EP="${EP:-8}"', "= 4"),
            (4, 'if [ "$EP" = 4 ]; then torchrun train.py --ep "$EP"', "= 4"),
        ]


async def test_a_hint_has_a_tooltip(molt: Path) -> None:
    async with editor(molt) as at:
        uri = at.open(OMNI)
        found = await at.client.text_document_inlay_hint_async(types.InlayHintParams(at.document(uri), lines(76, 76)))
        assert found
        tooltip = found[0].tooltip
        assert isinstance(tooltip, types.MarkupContent)
        assert "default of EP_SIZE, sft_omni3_30b.sh:29" in tooltip.value

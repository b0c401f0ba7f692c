"""docs/editors.md holds for what it configures: the command starts, the matcher matches, and Neovim shows a finding."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from importlib import import_module
from importlib.metadata import metadata, requires
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from tests.proofs import proved_by
from tests.readme_blocks import EVERY_PAGE, ROOT, run
from tests.shipped import TAG, URL

JSON = [
    json.loads(block.body) for _, _, block in proved_by("tests/test_editors_page.py::test_json_is_what_other_tests_try")
]
NVIM = shutil.which("nvim")
OMNI = "examples/scripts/slurm/sft_omni3_30b.sh"


def starts(command: list[str]) -> None:
    """The command is a server: it answers a client, and leaves when it is told."""
    spoken = b""
    for number, method in enumerate(("initialize", "shutdown", "exit"), 1):
        request: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        if method == "initialize":
            request["params"] = {"processId": None, "rootUri": None, "capabilities": {}}
        if method != "exit":
            request["id"] = number
        body = json.dumps(request).encode()
        spoken += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    program, *words = command
    found = shutil.which(program, path=str(Path(sys.executable).parent))
    assert found is not None
    done = subprocess.run([found, *words], input=spoken, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0
    assert b'"name": "recipelint"' in done.stdout


def the_block(test: str) -> str:
    """The one block of the page that a test of this file proves."""
    ((_, _, block),) = proved_by(test)
    return block.body


def test_the_extra_is_there() -> None:
    """In this project, and in no package of its name that an index may have."""
    body = the_block("tests/test_editors_page.py::test_the_extra_is_there")
    here, there = (shlex.split(line) for line in body.splitlines())
    assert here == ["pip", "install", ".[server]"]
    asked = Requirement(there[2])
    assert (there[:2], asked.name, asked.extras) == (["pip", "install"], "recipelint", {"server"})
    assert asked.url == f"git+{URL}@{TAG}"
    assert "server" in (metadata("recipelint").get_all("Provides-Extra") or ())


def test_pages_and_messages_ask_no_index_for_a_package_of_the_projects_name() -> None:
    asked = re.compile(r"pip install [^`\n]*(?<![/\w(])recipelint(?!\[\w+\] @ )")
    assert asked.search("pip install 'recipelint[server]'")
    assert asked.search("pip install recipelint==0.1.0")
    assert not asked.search("pip install --quiet git+https://git.example.org/recipelint@v0.1.0 pre-commit")
    files = [*EVERY_PAGE, ROOT / "action.yml", *(ROOT / "recipelint").rglob("*.py")]
    assert [found[0] for file in files for found in asked.finditer(file.read_text("utf-8"))] == []


@pytest.mark.parametrize(("extra", "said"), [("server", "pygls>=2"), ("watch", "watchfiles>=1")])
def test_what_messages_and_pages_say_to_install_is_what_the_extra_asks_for(extra: str, said: str) -> None:
    asked = [Requirement(one) for one in requires("recipelint") or ()]
    (needed,) = [
        one for one in asked if one.marker and one.marker.evaluate({"extra": extra}) and not one.marker.evaluate()
    ]
    told = Requirement(said)
    assert (told.name, SpecifierSet(f"{told.specifier}.0")) == (needed.name, needed.specifier)
    pages = "".join(page.read_text("utf-8") for page in EVERY_PAGE)
    assert f"`pip install '{said}'`" in pages


def test_json_is_what_other_tests_try() -> None:
    assert [one for one in JSON if ("glspc.server.command" in one) == ("tasks" in one)] == []


def test_helix_starts_it_for_languages_that_it_has() -> None:
    body = the_block("tests/test_editors_page.py::test_helix_starts_it_for_languages_that_it_has")
    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli").loads(body)
    (server,) = toml["language-server"].items()
    starts([server[1]["command"], *server[1]["args"]])
    assert {one["name"] for one in toml["language"]} == {"bash", "python"}
    assert all(one["language-servers"][-1] == server[0] for one in toml["language"])


def test_vscode_starts_a_server_for_the_languages_that_it_looks_at() -> None:
    from recipelint.discovery.walk import EXTENSIONS
    from recipelint.server.actions import FIX_ALL
    from recipelint.server.documents import PYTHON_LANGUAGE, SHELL

    (settings,) = (one for one in JSON if "glspc.server.command" in one)
    starts([settings["glspc.server.command"], *settings["glspc.server.commandArguments"]])
    assert set(settings["glspc.server.languageId"]) <= {*SHELL, PYTHON_LANGUAGE}
    associated = {pattern.removeprefix("*") for pattern in settings["files.associations"]}
    assert associated == set(EXTENSIONS) - {".sh", ".bash"}, "VS Code knows these two"
    assert list(settings["editor.codeActionsOnSave"]) == [FIX_ALL]


def test_the_problem_matcher_matches_what_the_task_prints(molt: Path) -> None:
    (tasks,) = (one for one in JSON if "tasks" in one)
    (task,) = tasks["tasks"]
    pattern = task["problemMatcher"]["pattern"]
    printed = run(" ".join([task["command"], *task["args"]]), molt).splitlines()
    assert len(printed) > 5
    for line in printed:
        found = re.match(pattern["regexp"], line)
        assert found, line
        assert (molt / found[pattern["file"]]).is_file()
        assert found[pattern["severity"]] in ("error", "warning", "info")
        assert int(found[pattern["line"]]) > 0
        assert found[pattern["code"]] == line.split(": ")[1].split(" ")[0]
    assert re.match(pattern["regexp"], "a.sh:1:2: EP001 [possible warning] x")


def test_emacs_starts_the_command_of_the_others() -> None:
    body = the_block("tests/test_editors_page.py::test_emacs_starts_the_command_of_the_others")
    assert body.count("(") == body.count(")")
    found = re.search(r'\. \(((?:"\w+" ?)+)\)', body)
    assert found
    starts(re.findall(r'"(\w+)"', found[1]))


NEOVIM = the_block("tests/test_editors_page.py::test_neovim_starts_the_command_of_the_others")


def test_neovim_starts_the_command_of_the_others() -> None:
    found = re.search(r"cmd = \{ (.+?) \}", NEOVIM)
    assert found
    starts(re.findall(r'"(\w+)"', found[1]))


LUA = """
local command = { "recipelint", "server" }
%s
local start = vim.lsp.start_client{ cmd = command, root_dir = vim.fn.getcwd(), name = "recipelint" }
vim.cmd("edit %s")
vim.bo.filetype = "sh"
vim.lsp.buf_attach_client(0, start)
local function wait() vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 20) end
wait()
local found = vim.diagnostic.get(0)[1]
print(string.format("%%s %%d %%d", found.code or found.user_data.lsp.code, found.lnum + 1, found.col))
local lines = vim.lsp.buf_request_sync(0, "textDocument/hover", {
  textDocument = vim.lsp.util.make_text_document_params(), position = { line = 75, character = 6 } }, 20000)
print((lines[start].result.contents.value:gsub("\\n", " ")))
vim.api.nvim_buf_set_lines(0, 33, 34, false, { 'GRAD_CHECKPOINT="${GRAD_CHECKPOINT-none}"' })
vim.wait(20000, function() return #vim.diagnostic.get(0) == 0 end, 20)
print(#vim.diagnostic.get(0))
vim.cmd("qall!")
"""


@pytest.mark.skipif(NVIM is None, reason="Neovim is not installed")
def test_the_block_for_neovim_is_lua(tmp_path: Path) -> None:
    (tmp_path / "init.lua").write_text(NEOVIM, "utf-8")
    check = "lua local ok, why = loadfile('init.lua'); io.stdout:write(ok and 'fine' or why)"
    done = subprocess.run(
        [str(NVIM), "--headless", "--clean", "-c", check, "-c", "qall!"],
        cwd=tmp_path,
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert done.stdout == b"fine"


@pytest.mark.skipif(NVIM is None, reason="Neovim is not installed")
def test_neovim_shows_a_finding_and_a_hover(molt: Path, tmp_path: Path) -> None:
    script = tmp_path / "run.lua"
    command = json.dumps([sys.executable, "-m", "recipelint", "server"])[1:-1]
    script.write_text(LUA % (f"command = {{ {command} }}", OMNI), "utf-8")
    done = subprocess.run(
        [str(NVIM), "--headless", "--clean", "-n", "-c", f"luafile {script}"],
        cwd=molt,
        capture_output=True,
        check=False,
        timeout=120,
    )
    said = (done.stdout + done.stderr).decode().replace("\r\n", "\n").splitlines()
    assert said[-3:] == [
        "EP001 34 35",
        (
            "`--fsdp.ep_size` = `8`   default of EP_SIZE, sft_omni3_30b.sh:29  the setting `expert_parallel_size`  "
            "- `molt.cli.train_sft`, line 93"
        ),
        "0",
    ]

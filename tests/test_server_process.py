"""The server as a process: how it starts, how it ends, and what the command says where pygls is not installed."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

COMMAND = (sys.executable, "-m", "recipelint", "server")


def message(method: str, number: int | None = None, **params: Any) -> bytes:
    request = {"jsonrpc": "2.0", "method": method, "params": params or None}
    body = json.dumps(request | ({"id": number} if number else {}))
    return f"Content-Length: {len(body)}\r\n\r\n{body}".encode()


def spoken(*messages: bytes, command: tuple[str, ...] = COMMAND) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, input=b"".join(messages), capture_output=True, check=False, timeout=60)


INITIALIZE = message("initialize", 1, processId=None, rootUri=None, capabilities={})


@pytest.mark.parametrize("option", [(), ("--stdio",)])
def test_a_server_that_was_shut_down_leaves_with_0(option: tuple[str, ...]) -> None:
    done = spoken(INITIALIZE, message("shutdown", 2), message("exit"), command=(*COMMAND, *option))
    assert done.returncode == 0
    assert b'"serverInfo"' in done.stdout
    assert done.stderr == b""


def test_a_server_that_was_not_shut_down_leaves_with_1() -> None:
    assert spoken(INITIALIZE, message("exit")).returncode == 1


def test_a_server_whose_client_is_gone_leaves() -> None:
    done = spoken(INITIALIZE)
    assert done.returncode == 1
    assert done.stdout.startswith(b"Content-Length: ")


def test_what_is_no_message_is_survived() -> None:
    nonsense = b"Content-Length: 3\r\n\r\n{x}"
    done = spoken(nonsense, INITIALIZE, message("shutdown", 2), message("exit"))
    assert done.returncode == 0
    assert b'"serverInfo"' in done.stdout


def test_without_pygls_the_command_says_what_to_install() -> None:
    blocked = "import sys; sys.modules['pygls'] = None; sys.argv = ['recipelint', 'server', '--stdio']"
    done = subprocess.run(
        [sys.executable, "-c", f"{blocked}; from recipelint.cli import main; main()"], capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == (
        b"recipelint: error: the server needs pygls, of recipelint's extra 'server': pip install 'pygls>=2'\n"
    )


def test_what_is_no_missing_package_is_no_advice() -> None:
    blocked = "import sys; sys.modules['recipelint.server.live'] = None; sys.argv = ['recipelint', 'server']"
    done = subprocess.run(
        [sys.executable, "-c", f"{blocked}; from recipelint.cli import main; main()"], capture_output=True, check=False
    )
    assert done.returncode == 2
    assert b"internal error" in done.stderr
    assert b"pip install" not in done.stderr


def test_nothing_of_the_server_is_loaded_by_other_commands() -> None:
    listed = "import sys; import recipelint.cli.commands; print('pygls' in sys.modules, 'asyncio' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", listed], capture_output=True, check=True)
    assert done.stdout == b"False False\n"

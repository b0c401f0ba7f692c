"""DOC001 beyond its cases: other words for the claim, the bytes that stay, and files that mean harm."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from recipelint import run
from recipelint.outcome import Outcome
from recipelint.settings import Settings
from recipelint.source import SourceFile

FIXTURE = Path(__file__).parent / "fixtures" / "molt" / "molt" / "trainer" / "fsdp" / "strategy.py"


def check(data: bytes | str, *, fix: bool = False, unsafe: bool = False, path: str = "pkg/a.py") -> Outcome:
    data = data if isinstance(data, bytes) else data.encode()
    settings = Settings(fix=fix, unsafe_fixes=unsafe, select=("DOC001",))
    return run.check(settings, [SourceFile(path, data)])


def fixed(data: bytes, *, unsafe: bool = False) -> bytes:
    """What --fix makes of a text, which is stable."""
    outcome = check(data, fix=True, unsafe=unsafe)
    text = outcome.python[0].data
    assert not check(text).diagnostics
    return text


CLAIMS = [
    "ignore_router_for_ac=True prevents the CheckpointError.",
    "ignore_router_for_ac: avoids torch.utils.checkpoint.CheckpointError",
    "With `ignore_router_for_ac` there is no CheckpointError in the backward pass.",
    "ignore_router_for_ac=True keeps the routing. Without it, the backward raises CheckpointError.",
    "ignore_router_for_ac=True saves the router, so that tensors with different metadata can't occur.",
    "ignore_router_for_ac guards against shape drift between forward and recompute",
    "a recompute mismatch does not happen with ignore_router_for_ac",
    "ignore_router_for_ac fixes the CheckpointError of EP.",
    "Set ignore_router_for_ac, or else CheckpointError.",
    "IGNORE_ROUTER_FOR_AC=TRUE RULES OUT A CHECKPOINTERROR",
]
TRUTHS = [
    "ignore_router_for_ac=True doesn't prevent the CheckpointError.",
    "ignore_router_for_ac=True alone is not enough to avoid a CheckpointError.",
    "ignore_router_for_ac cannot reach the dispatch, so CheckpointError is not prevented; see Automodel#3325.",
    "Even with ignore_router_for_ac=True the run still raises CheckpointError, which only torch avoids.",
    "ignore_router_for_ac=True may avoid a CheckpointError on tied tokens.",
    "ignore_router_for_ac avoids a CheckpointError caused by tied top-k values.",
    "Is CheckpointError prevented by ignore_router_for_ac?",
    "ignore_router_for_ac=False: routing runs again and can end in CheckpointError.",
    "ignore_router_for_ac is supposed to prevent CheckpointError.",
    "ignore_router_for_ac=True keeps the router's output.",
]


@pytest.mark.parametrize("text", CLAIMS)
def test_a_claim_in_other_words(text: str) -> None:
    outcome = check(f"# {text}\nconfig = Config(ignore_router_for_ac=True)\n")
    assert [one.code for one in outcome.diagnostics] == ["DOC001"]


@pytest.mark.parametrize("text", TRUTHS)
def test_what_is_true_is_left_alone(text: str) -> None:
    assert not check(f"# {text}\nconfig = Config(ignore_router_for_ac=True)\n").diagnostics


@pytest.mark.parametrize(
    "switch",
    [
        "Config(ignore_router_for_ac=True)",
        '{"ignore_router_for_ac": True}',
        "def f(model, ignore_router_for_ac: bool = True): pass",
        "def f(model, *, ignore_router_for_ac=True): pass",
        "config.ignore_router_for_ac = True",
        'config["moe"]["ignore_router_for_ac"] = True',
        "ignore_router_for_ac: bool = True",
        "wrap(lambda ignore_router_for_ac=True: None)",
    ],
)
def test_the_ways_to_switch_the_option_on(switch: str) -> None:
    found = check(f"# Avoids CheckpointError.\n{switch}\n").diagnostics
    assert [one.location.start.line for one in found] == [1]
    assert [label.location.start.line for label in found[0].related] == [2]
    off = switch.replace("True", "False")
    assert not check(f"# Avoids CheckpointError.\n{off}\n").diagnostics


def test_only_the_comment_changes() -> None:
    before = FIXTURE.read_bytes()
    after = fixed(before)
    old, new = before.splitlines(), after.splitlines()
    assert (old[:23], old[26:]) == (new[:23], new[27:])
    assert all(line.startswith(b"        # ") for line in new[23:27])
    assert ast.dump(ast.parse(before)) == ast.dump(ast.parse(after))
    assert b"NVIDIA-NeMo/Automodel#3325" in b"".join(new[23:27])


TABBED = (
    "class A:\n\t# é ☃ kept. ignore_router_for_ac=True prevents CheckpointError. é too\n\tignore_router_for_ac = True\n"
)


@pytest.mark.parametrize(
    ("head", "encoding", "end"),
    [
        ("", "utf-8", "\n"),
        ("", "utf-8-sig", "\r\n"),
        ("#!/usr/bin/env python\n# -*- coding: latin-1 -*-\n", "latin-1", "\n"),
        ("# vim: set fileencoding=utf-8 :\n", "utf-8", "\r\n"),
    ],
)
def test_encodings_tabs_and_line_ends_are_kept(head: str, encoding: str, end: str) -> None:
    text = (head + TABBED.replace("☃", "ü")).replace("\n", end)
    after = fixed(text.encode(encoding)).decode(encoding)
    assert after.startswith(text[: text.index("ignore_router") - 1] + end + "\t# ignore_router_for_ac=True keeps")
    assert after.endswith(end + "\t# é too" + end + "\tignore_router_for_ac = True" + end)
    assert after.encode(encoding).count(b"\n") == after.encode(encoding).count(end.encode())


def test_a_missing_last_newline_is_kept() -> None:
    after = fixed(b"c = Config(ignore_router_for_ac=True)  # prevents CheckpointError")
    assert after.endswith(b"\nc = Config(ignore_router_for_ac=True)")


DOCSTRING = b'''class Config:
    """Parallel experts.

    ignore_router_for_ac: Saves the router's output. This prevents the CheckpointError that
        would come of another routing. On by default.
    wrap: Whether it is wrapped.
    """

    ignore_router_for_ac: bool = True
'''


def test_a_docstring_is_changed_by_an_unsafe_fix_alone() -> None:
    assert check(DOCSTRING, fix=True).python[0].data == DOCSTRING
    after = fixed(DOCSTRING, unsafe=True)
    assert after.startswith(DOCSTRING[: DOCSTRING.index(b" This")] + b"\n        ignore_router_for_ac=True keeps what")
    assert b"(NVIDIA-NeMo/Automodel#3325).\n        On by default.\n    wrap: Whether it is wrapped.\n" in after
    assert after.endswith(DOCSTRING[DOCSTRING.index(b"    wrap") :])


def test_a_fix_that_would_break_the_program_is_withdrawn() -> None:
    """A comment may not come between a backslash and the line that it goes on in."""
    before = b"x = \\\n    Config(ignore_router_for_ac=True)  # prevents CheckpointError\n"
    outcome = check(before, fix=True)
    assert outcome.python[0].data == before
    assert [one.note.partition(":")[0] for one in outcome.diagnostics] == ["fix withdrawn"]


@pytest.mark.parametrize(
    "data",
    [
        b"# ignore_router_for_ac=True prevents CheckpointError\n" + b"(" * 100_000,
        b"# ignore_router_for_ac=True prevents CheckpointError\nx = " + b"-" * 50_000 + b"1\n",
        b"# coding: rot13\n# ignore_router_for_ac=True prevents CheckpointError\n",
        b"# ignore_router_for_ac=True prevents CheckpointError\rx = 1\n",
        b"# ignore_router_for_ac=True prevents CheckpointError\n\0\n",
        b"# ignore_router_for_ac " + b"CheckpointError. " * 60_000,
        b"# ignore_router_for_ac CheckpointError " + b"#" * 1_000_000,
        b"# ignore_router_for_ac CheckpointError " + b"# noqa " * 100_000 + b"#" + b" " * 1_000_000,
        b"# ignore_router_for_ac " + b"a_" * 500_000 + b" CheckpointError",
        b"# ignore_router_for_ac " + b"prevents " * 100_000 + b" CheckpointError" * 2000,
        b'"""' + b"ignore_router_for_ac CheckpointError\n" * 20_000,
        b"\xff\xfe# ignore_router_for_ac=True prevents CheckpointError\n",
        b"# ignore_router_for_ac=True prevents CheckpointError \xff\n",
    ],
)
def test_files_that_mean_harm(data: bytes) -> None:
    assert all(one.code == "DOC001" for one in check(data, fix=True).diagnostics)


def test_any_damage_to_a_file_is_borne() -> None:
    original = FIXTURE.read_bytes()
    chance = random.Random(1)
    for _ in range(60):
        at, size = chance.randrange(len(original)), chance.randrange(1, 40)
        damaged = original[:at] + chance.randbytes(chance.randrange(3)) + original[at + size :]
        outcome = check(damaged, fix=True, unsafe=True)
        if outcome.python[0].data != damaged:
            assert ast.dump(ast.parse(damaged)) == ast.dump(ast.parse(outcome.python[0].data))


CLAIM = "ignore_router_for_ac=True prevents the CheckpointError"
SWITCH = "config = Config(ignore_router_for_ac=True)"
TOOLS = [
    "#!/usr/bin/env python3",
    "# -*- coding: utf-8 -*-",
    "# vim: set ts=4 sw=4:",
    "# SPDX-License-Identifier: Apache-2.0",
    "# flake8: noqa",
    "# mypy: ignore-errors",
    "# pylint: disable=invalid-name",
    "# isort: skip_file",
    "# fmt: off",
    "# yapf: disable",
    "# ruff: noqa: E501",
    "# type: ignore",
    "# nosec",
    "# recipelint: ignore[EP001]",
    "# %% the first cell",
    "# /// script",
]


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("end", ["", "."])
def test_what_speaks_to_a_tool_is_no_part_of_a_sentence(tool: str, end: str) -> None:
    code = f"{SWITCH}\n" + "x = 1\n" * 2
    after = fixed(f"{tool}\n# {CLAIM}{end}\n{code}".encode()).decode()
    assert after.startswith(f"{tool}\n# ignore_router_for_ac=True keeps")
    assert after.endswith(f"#3325).\n{code}")
    below = fixed(f"x = 1\n# {CLAIM}\n{tool}\n{code}".encode()).decode()
    assert below.startswith("x = 1\n# ignore_router_for_ac=True keeps")
    assert below.endswith(f"#3325).\n{tool}\n{code}")


@pytest.mark.parametrize(
    "tool", ["pragma: no cover", "type: ignore[arg-type]", "isort: skip  # noqa: F401", "nosec B101"]
)
def test_what_speaks_to_a_tool_behind_code_stays_behind_it(tool: str) -> None:
    for comment in (f"{tool}  # {CLAIM}.", f"{CLAIM}  # {tool}"):
        after = fixed(f"import os\n\n\n{SWITCH}  # {comment}\n".encode()).decode()
        assert after.startswith("import os\n\n\n# ignore_router_for_ac=True keeps")
        assert after.endswith(f"#3325).\n{SWITCH}  # {tool}\n")


@pytest.mark.parametrize(
    "text",
    [
        f"# Copyright 2024 Some Body\n# Licensed under the Apache License\n# {CLAIM}.\n{SWITCH}\n",
        f"{SWITCH}  # noqa: E501 {CLAIM}\n",
        f"{SWITCH}  # {CLAIM}, pylint: disable=invalid-name\n",
        f"# coding: utf-8, and {CLAIM}\n{SWITCH}\n",
    ],
)
def test_what_is_one_with_a_licence_or_a_pragma_is_left_alone(text: str) -> None:
    assert not check(text).diagnostics


def test_what_stands_on_the_second_line_for_python_is_not_moved_from_there() -> None:
    for cookie in ("# -*- coding: latin-1 -*-", "# coding=utf-8"):
        before = f"# {CLAIM}\n{cookie}\n{SWITCH}\n".encode()
        outcome = check(before, fix=True)
        assert outcome.python[0].data == before
        assert [one.note.partition(":")[0] for one in outcome.diagnostics] == ["fix withdrawn"]


def test_a_comment_goes_above_what_speaks_of_the_next_line() -> None:
    tool = "# pylint: disable-next=invalid-name"
    after = fixed(f"x = 1\n{tool}\n{SWITCH}  # {CLAIM}\n".encode()).decode()
    assert after.endswith(f"#3325).\n{tool}\n{SWITCH}\n")


def test_a_licence_ends_at_a_line_without_words() -> None:
    head = "# Copyright 2024 Some Body\n# and others\n#\n"
    assert (
        fixed(f"{head}# {CLAIM}\n{SWITCH}\n".encode()).decode().startswith(f"{head}# ignore_router_for_ac=True keeps")
    )

"""TOML that means harm is refused in little time, and any other is what the parser makes of it."""

from __future__ import annotations

import pytest

from recipelint import toml

LONG = ".".join(["a"] * 50_000)
"""The parser would take gigabytes for this key."""


@pytest.mark.parametrize(
    "text",
    [
        f"{LONG} = 1",
        f"[{LONG}]",
        f"[[{LONG}]]",
        f"[x]\n {LONG.replace('.', ' . ')}=1",
        f"x = {{{LONG} = 1}}",
        f"x = [1, {{b = 2, {LONG} = 1}}]",
        LONG.replace("a", '"b.\\"c"') + " = 1",
        LONG.replace("a", "'#'") + " = 1",
        f'x = """\n"""\n{LONG} = 1',
        f'x = {{a = """\n""", {LONG} = 1}}',
        f'x = {{a = """\\"""\n"""", {LONG} = 1}}',
        f"x = {{a = '''\n'''', {LONG} = 1}}",
        f"x = 1 # \"\"\"\n{LONG} = 1 # '''",
        f'"\'" = 1\n{LONG} = 1',
    ],
    ids=lambda text: text.replace(LONG, "LONG")[:40],
)
def test_a_key_of_very_many_parts_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^a key has more than 32 parts$"):
        toml.loads(text)


@pytest.mark.parametrize(
    ("text", "table"),
    [
        (".".join("a" * 8) + " = 1", {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": 1}}}}}}}}),
        (f'x = "{LONG}"', {"x": LONG}),
        (f"x = '{LONG}'", {"x": LONG}),
        (f'x = """\n{LONG} "" \\" {LONG}"""', {"x": f'{LONG} "" " {LONG}'}),
        (f"x = '''\n{LONG}\n'''", {"x": f"{LONG}\n"}),
        (f"# {LONG}\nx = 1 # {LONG}", {"x": 1}),
        (f"x = [{'1.5, ' * 100}]", {"x": [1.5] * 100}),
        (f"x = [{'1979-05-27T07:32:00.5, ' * 2}1]", None),
        ("x = [" + '"a.b", ' * 100 + "]", {"x": ["a.b"] * 100}),
    ],
    ids=lambda given: str(given)[:40],
)
def test_other_documents_are_read(text: str, table: dict[str, object] | None) -> None:
    assert toml.loads(text) == table if table is not None else toml.loads(text)["x"][2] == 1


def test_what_is_no_document() -> None:
    for data, said in (
        (b"x = [", "Invalid value"),
        (b"\xff", "codec can't decode"),
        (b"x = " + b"[" * 5000, "nested too deeply"),
        (b'x = """' + b'\\"""' * 5000, "Unterminated string"),
    ):
        with pytest.raises(ValueError, match=said):
            toml.loads(data)

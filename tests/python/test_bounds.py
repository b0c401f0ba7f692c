"""Trainers that are hostile, broken or endless: an open schema or none, never a crash."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest

from recipelint.discovery.tree import reader as tree_reader
from recipelint.python.schema import Schema
from recipelint.python.trainer import schema_of
from tests.python.comparing import read

HEAD = "import argparse\nparser = argparse.ArgumentParser()\n"
TAIL = "\nparser.parse_args()\n"

ENDLESS = {
    "a loop of 10^9 turns": "for i in range(10**9):\n    parser.add_argument(f'--{i}')",
    "loops in loops": "for a in range(900):\n    for b in range(900):\n        parser.add_argument(f'--{a}.{b}')",
    "a function that calls itself": "def add(n):\n    parser.add_argument(f'--{n}')\n    add(n + 1)\nadd(0)",
    "two that call each other": "def a(p):\n    b(p)\ndef b(p):\n    a(p)\na(parser)",
    "a lambda that calls itself": "f = lambda p, f: f(p, f)\nf(parser, f)",
    "a property that asks itself": "class A:\n    @property\n    def x(self):\n        return self.x\nA().x",
    "a class that makes itself": "class A:\n    def __init__(self):\n        self.a = A()\nA()",
    "deep brackets": "x = " + "(" * 90 + "1" + ")" * 90 + "\nx = " + "-" * 500 + "1",
    "a long sum": "x = " + " + ".join(["1"] * 3000),
    "deep attributes": "x = parser" + ".a" * 3000,
    "deep calls": "x = " + "str(" * 90 + "1" + ")" * 90 + "\nx = " + "f(" * 150 + ")" * 150,
    "a parser that is in itself": "x = [parser]\nx.append(x)\nparser.add_argument('--x', choices=x)\nunknown(x)",
}
HARMLESS = {
    "a long text": "x = 'ab' * 10**9\nx = 'a' * 2000\nfor i in range(900):\n    x = x + x",
    "a large number": "x = 10 ** 10 ** 10\nx = 1 << 10**9\nx = 7\nfor i in range(900):\n    x = x * x",
    "a wide format": "x = f'{1:1000000000}'\nx = '%1000000000d' % 1\nx = '%*d' % (10**9, 1)",
    "a wide field": "x = '{:1000000000}'.format(1)\nx = '{:{}}'.format(1, 10**9)",
    "a long list": "x = [1] * 10**9\nx = list(range(10**9))\nx = sum(range(10**12))",
    "a list that doubles": "x = [1]\nfor i in range(900):\n    x = x + x",
    "doubled lists": "x = [1]\nfor i in range(60):\n    x = [x, x]\nparser.add_argument('--x', default=x)\ny = str(x)",
    "doubled tuples": "x = (1,)\ny = (1,)\nfor i in range(60):\n    x, y = (x, x), (y, y)\nz = x if unknown else y",
    "replacing": "x = 'a' * 2000\nx = x.replace('a', x)\nx = x.replace('a', x)\nx = x.replace('a', x)",
    "a list in itself": "x = []\nx.append(x)\ny = str(x)\nz = x == x\nfor one in x:\n    pass",
    "escapes that Python warns of": "x = '\\d'\nassert (1, 'always true')\nx = 1 is 1",
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_what_has_no_end_is_open(kind: str, tmp_path: Path) -> None:
    (tmp_path / "t.py").write_text(HEAD + ENDLESS[kind] + TAIL, "utf-8")
    schema = read(tmp_path, "t.py")
    assert kind in ("deep brackets", "deep attributes", "deep calls", "a long sum") or not schema.complete
    assert schema.complete or schema.reasons


@pytest.mark.parametrize("kind", HARMLESS)
def test_what_grows_is_not_computed(kind: str, tmp_path: Path) -> None:
    (tmp_path / "t.py").write_text(HEAD + HARMLESS[kind] + TAIL, "utf-8")
    assert read(tmp_path, "t.py").complete


BROKEN = {
    "NUL bytes": b"import argparse\0\n",
    "no UTF-8": b"x = '\xff\xfe'\n",
    "an encoding that there is not": b"# coding: nonsense\n",
    "a syntax error": b"def f(:\n",
    "deep indentation": b"".join(b" " * i + b"if x:\n" for i in range(200)) + b" " * 200 + b"pass\n",
    "deep brackets": b"(" * 5000 + b")" * 5000,
    "deep signs": b"x = " + b"-" * 50000 + b"1\n",
    "nothing": b"",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_is_no_program_is_open(kind: str, tmp_path: Path) -> None:
    (tmp_path / "t.py").write_bytes(BROKEN[kind])
    schema = read(tmp_path, "t.py")
    assert not schema.complete
    assert schema.flags == ()
    (reason,) = schema.reasons
    assert re.match(r"t\.py:[0-9]+: it is ", reason) or kind == "nothing"


def test_a_fault_of_the_reading_opens_the_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr("recipelint.python.trainer.UNFORESEEN", (Exception,))
    monkeypatch.setattr("recipelint.python.statements.Statements.run_module", fails)
    (tmp_path / "t.py").write_text(HEAD + TAIL)
    assert read(tmp_path, "t.py").reasons == ("t.py:1: an internal error, KeyError: 'x'",)


def test_imports_in_a_circle_end(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "import argparse\nfrom b import add\ndef make():\n    return argparse.ArgumentParser()\n"
    )
    (tmp_path / "b.py").write_text("from a import make\ndef add(parser):\n    parser.add_argument('--b')\n")
    (tmp_path / "t.py").write_text("import b\nimport a\np = a.make()\nb.add(p)\np.parse_args()\n")
    schema = read(tmp_path, "t.py")
    assert schema.complete
    assert [flag.dest for flag in schema.flags] == ["help", "b"]


def test_a_star_in_a_circle_ends(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from t import *\nfrom a import *\n")
    (tmp_path / "t.py").write_text("from a import *\n" + HEAD + TAIL)
    assert read(tmp_path, "t.py").complete


def test_subcommands_in_subcommands_end(tmp_path: Path) -> None:
    body = "p = parser\nfor i in range(900):\n    p = p.add_subparsers().add_parser('x', aliases=['y'])"
    (tmp_path / "t.py").write_text(HEAD + body + TAIL, "utf-8")
    schema = read(tmp_path, "t.py")
    while schema.subcommands:
        schema = schema.subcommands["x"]
    assert not schema.complete


def test_too_many_files_are_not_read(tmp_path: Path) -> None:
    for at in range(300):
        (tmp_path / f"m{at}.py").write_text("import argparse\n")
    (tmp_path / "t.py").write_text("".join(f"import m{at}\n" for at in range(300)) + HEAD + TAIL)
    schema = read(tmp_path, "t.py")
    assert "t.py:1: it imports more files than are read" in schema.reasons


def test_a_link_out_of_the_tree_is_not_followed(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    (outside / "common.py").write_text("def add(parser):\n    parser.add_argument('--out')\n")
    (inside / "common.py").symlink_to(outside / "common.py")
    (inside / "t.py").write_text("from common import add\n" + HEAD + "add(parser)" + TAIL)
    schema = schema_of("t.py", tree_reader(str(inside.resolve())))
    assert schema is not None
    assert not schema.complete
    assert [flag.dest for flag in schema.flags] == ["help"]


def found(tmp_path: Path, entry_point: str, near: str | None = None) -> str | None:
    schema: Schema | None = schema_of(entry_point, tree_reader(str(tmp_path.resolve())), near)
    return None if schema is None else schema.path


@pytest.mark.parametrize(
    ("files", "entry_point", "near", "expected"),
    [
        ("a/b/c.py", "a.b.c", None, "a/b/c.py"),
        ("src/a/b.py", "a.b", None, "src/a/b.py"),
        ("a/__main__.py a/__init__.py", "a", None, "a/__main__.py"),
        ("a.py", "a", None, "a.py"),
        ("a/b.py src/a/b.py", "a.b", None, None),
        ("a/__init__.py", "a", None, None),
        ("a/b.py", "a.c", None, None),
        ("train.py", "train.py", "scripts/run.sh", "train.py"),
        ("scripts/train.py", "train.py", "scripts/run.sh", "scripts/train.py"),
        ("scripts/train.py", "train.py", None, None),
        ("x/train.py", "train.py", "x/scripts/deep/run.sh", "x/train.py"),
        ("x/train.py", "../train.py", "x/scripts/run.sh", "x/train.py"),
        ("train.py scripts/train.py", "train.py", "scripts/run.sh", None),
        ("train.py", "../train.py", None, None),
        ("train.py", "/train.py", None, None),
        ("train.py", "./train.py", "run.sh", "train.py"),
        ("train.py", "tr\0ain.py", None, None),
        ("train.py", "a b", None, None),
        ("train.py", "", None, None),
        ("a/b.py", "a..b", None, None),
    ],
)
def test_where_an_entry_point_is(
    files: str, entry_point: str, near: str | None, expected: str | None, tmp_path: Path
) -> None:
    for name in files.split():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("print(1)\n")
    assert found(tmp_path, entry_point, near) == expected


OBJECT = """
class Registry:
    def __init__(self):
        self.known = {}

    def names(self):
        return list(self.known)

KINDS = Registry()
"""
REGISTRY = {
    "filled elsewhere": ("KINDS = {}\n", "KINDS.keys()"),
    "filled by a function": (
        "KINDS = {'a': 1}\ndef register(name):\n    KINDS[name] = 2\n",
        "sorted(KINDS)",
    ),
    "an object": (OBJECT, "KINDS.names()"),
    "filled while it is imported": ("KINDS = ['a']\nfor one in 'bc':\n    KINDS.append(one)\n", "KINDS"),
}


@pytest.mark.parametrize("kind", REGISTRY)
def test_a_registry_of_another_module_is_not_known(kind: str, tmp_path: Path) -> None:
    body, choices = REGISTRY[kind]
    (tmp_path / "kinds.py").write_text(body)
    text = dedent(f"""
        from kinds import KINDS
        parser.add_argument("--kind", choices={choices})
    """)
    (tmp_path / "t.py").write_text(HEAD + text + TAIL)
    flag = read(tmp_path, "t.py").flags[-1]
    assert repr(flag.choices) == "UNKNOWN"


def test_choices_of_another_module_are_known_where_nothing_changes_them(tmp_path: Path) -> None:
    (tmp_path / "kinds.py").write_text("KINDS = ['a', 'b']\n")
    (tmp_path / "t.py").write_text(HEAD + "from kinds import KINDS\nparser.add_argument('--k', choices=KINDS)" + TAIL)
    assert read(tmp_path, "t.py").flags[-1].choices == ("a", "b")


def test_a_parser_that_other_modules_can_reach_is_open(tmp_path: Path) -> None:
    (tmp_path / "options.py").write_text("import argparse\nparser = argparse.ArgumentParser()\n")
    (tmp_path / "t.py").write_text("from options import parser\nparser.parse_args()\n")
    assert read(tmp_path, "t.py").reasons == ("t.py:2: other modules may add to the parser of options",)


def test_a_module_that_parses_while_it_is_imported_is_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "options.py").write_text(HEAD + "parser.add_argument('--there')\nargs = parser.parse_args()\n")
    (tmp_path / "t.py").write_text("import options\n" + HEAD + "parser.add_argument('--here')" + TAIL)
    schema = read(tmp_path, "t.py")
    assert schema.complete
    assert [flag.dest for flag in schema.flags] == ["help", "there"]

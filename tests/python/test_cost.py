"""Trainers whose every step is large: what would take long, or much memory, is not done, and the schema is open."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tests.properties.test_hostile import guarded
from tests.python.comparing import read
from tests.python.test_bounds import HEAD, TAIL

TWICE = "for a in range(900):\n    for b in range(900):\n        "
ENTRIES = ", ".join(f"'k{at}': 1" for at in range(9000))
COSTLY = {
    "a template of many fields": "x = ['a' * 1500] * 1500\ny = ('{0}' * 500).format(x)",
    "such a template again and again": "x = 'a' * 1500\nfor i in range(900):\n    y = ('{0}' * 500).format(x)",
    "a template of names": "x = ['a' * 90] * 1500\ny = ('%(n)s' * 300) % {'n': x}",
    "lists of one list": "x = ['x']\n" + "x = [x] * 1500\n" * 6 + "for i in range(900):\n    y = x == x",
    "texts of lists": "x = [['a' * 1500] * 1500]\nfor a in range(900):\n    for b in range(90):\n        y = str(x)",
    "comparing": "x = [[1] * 1500]\nfor a in range(900):\n    for b in range(90):\n        y = x == x",
    "sorting": "x = list(range(1500))\nfor a in range(900):\n    for b in range(900):\n        y = sorted(x)",
    "splitting": "x = ' a' * 900\nfor a in range(900):\n    for b in range(900):\n        y = x.split()",
    "replacing": "x = 'a' * 900\nfor a in range(900):\n    for b in range(900):\n        y = x.replace('a', x)",
    "joining": "x = 'a' * 900\ny = [x] * 900\nfor a in range(900):\n    z = x.join(y)",
    "copies": "x = [1] * 1900\nfor a in range(900):\n    for b in range(900):\n        y = x + x",
    "attributes of a long line of classes": "class C0:\n    pass\n"
    + "".join(f"class C{at + 1}(C{at}):\n    pass\n" for at in range(3000))
    + "for a in range(900):\n    for b in range(90):\n        C3000().x",
    "parents": "parser = argparse.ArgumentParser(add_help=False)\n"
    + "".join(f"parser.add_argument('--f{at}')\n" for at in range(900))
    + "for a in range(900):\n    for b in range(90):\n        argparse.ArgumentParser(parents=[parser])",
    "subcommands": "def grow(p):\n    made = p.add_subparsers()\n    for at in range(9):\n"
    "        grow(made.add_parser(f'x{at}'))\ngrow(parser)",
    "long types": "for at in range(900):\n    parser.add_argument(f'--{at}', type=(" + " + ".join(["x"] * 1900) + "))",
    "long choices": "x = list(range(1900))\nfor at in range(900):\n    parser.add_argument(f'--{at}', choices=x)",
    "handlers": "def f0():\n    pass\n"
    + "".join(
        f"def f{at + 1}():\n    try:\n        f{at}()\n    except A:\n        f{at}()\n    except B:\n        f{at}()\n"
        for at in range(24)
    )
    + "f24()",
    "fields of deep types": "from dataclasses import dataclass\nfrom typing import Optional\n"
    "from transformers import HfArgumentParser\n@dataclass\nclass A:\n"
    + "".join(f"    f{at}: {'Optional[' * 80 + 'int' + ']' * 80} = None\n" for at in range(200))
    + "for at in range(900):\n    HfArgumentParser(A)",
    "a module in a module": f"import other\nx = other\n{TWICE}x = x.a",
    "modules that are not there": "".join(f"import other{at}\n" for at in range(40_000)),
    "keywords": f"d = {{{ENTRIES}}}\ndef f(**given):\n    pass\n{TWICE}f(**d)",
    "defaults": f"d = {{{ENTRIES}}}\n{TWICE}parser.set_defaults(**d)",
    "one of two tuples": f"x, y = tuple(range(1900)), tuple(range(1900))\n{TWICE}z = x if unknown else y",
    "members": "import enum\nclass E(enum.Enum):\n"
    + "".join(f"    a{at} = 1\n" for at in range(9000))
    + f"{TWICE}list(E)",
    "deleting": f"x = [1] * 1900\n{TWICE}del x[0]",
    "an object that is given away": "class A:\n    pass\nx = A()\n"
    + "".join(f"x.a{at} = 1\n" for at in range(5000))
    + f"{TWICE}unknown(x)",
    "many global names": f"{TWICE}global " + ", ".join(f"x{at}" for at in range(9000)),
    "many parameters": f"def f({', '.join(f'x{at}' for at in range(9000))}):\n    pass\n{TWICE}f()",
    "a literal of many parts": "x = [" + "1," * 600_000 + "]",
    "many short statements": "x\n" * 400_000,
    "many words": "x = " + "1 or " * 250_000 + "1",
}


@pytest.mark.parametrize("kind", COSTLY)
def test_what_costs_too_much_is_not_done(kind: str, tmp_path: Path) -> None:
    """The guard is no measure of speed: without a bound each takes minutes, or gigabytes."""
    (tmp_path / "t.py").write_text(HEAD + COSTLY[kind] + TAIL, "utf-8")
    with guarded():
        schema = read(tmp_path, "t.py")
    assert any(reason.endswith("there is more to follow than is followed") for reason in schema.reasons)


def test_what_costs_little_is_done(tmp_path: Path) -> None:
    """The work on a parser of the size of the largest known trainers is a small part of what is allowed."""
    body = """
        names = [f"kind{at}" for at in range(50)]
        for at in range(1000):
            parser.add_argument("--{}-{}".format("flag", at), choices=names, help="one of " + ", ".join(names))
    """
    (tmp_path / "t.py").write_text(HEAD + dedent(body) + TAIL, "utf-8")
    schema = read(tmp_path, "t.py")
    assert schema.complete
    assert len(schema.flags) == 1001


def test_a_class_with_more_bases_than_are_followed_is_not_known(tmp_path: Path) -> None:
    classes = "".join(f"class C{at + 1}(C{at}):\n    pass\n" for at in range(300))
    text = "class C0:\n    def add(self):\n        parser.add_argument('--deep')\n" + classes
    (tmp_path / "t.py").write_text(HEAD + text + "made = C300()\nmade.parser = parser\nmade.add()" + TAIL, "utf-8")
    assert not read(tmp_path, "t.py").complete

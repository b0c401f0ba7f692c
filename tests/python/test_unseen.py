"""Ways in which a trainer changes its parser, or its command line, out of sight: the schema is open, or right."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from recipelint.python.schema import UNKNOWN, Schema
from tests.python.comparing import assert_equal, built, read

HEAD = "import argparse, functools, os, sys\nparser = argparse.ArgumentParser()\nparser.add_argument('--seen')\n"

OPENED = {
    "a word is taken out of a copy of the command line": """
        words = sys.argv[1:]
        words.remove("--gone")
        parser.parse_args(words)
    """,
    "a copy of the command line is given to a function outside": """
        import somewhere
        words = sys.argv[1:]
        somewhere.tidy(words)
        parser.parse_args(words)
    """,
    "an item of a copy is set": """
        words = sys.argv[1:]
        for at, word in enumerate(words):
            words[at] = word.lower()
        parser.parse_args(words)
    """,
    "sys.argv is set by name": "setattr(sys, 'argv', [])",
    "sys.argv is patched": """
        from unittest.mock import patch
        with patch.object(sys, "argv", []):
            parser.parse_args()
    """,
    "argparse is patched by name": "setattr(argparse.ArgumentParser, 'parse_args', print)",
    "the class of the parser is patched": "type(parser).error = print",
    "a class with a context adds a flag": """
        class Adding:
            def __enter__(self):
                parser.add_argument("--more")
            def __exit__(self, *error):
                pass
        with Adding():
            pass
    """,
    "a class with items adds a flag": """
        class Adding:
            def __setitem__(self, name, value):
                parser.add_argument(name)
        Adding()["--more"] = 1
    """,
    "a property adds a flag when it is set": """
        class Adding:
            @property
            def flag(self):
                return ""
            @flag.setter
            def flag(self, name):
                parser.add_argument(name)
        Adding().flag = "--more"
    """,
    "a descriptor adds a flag": """
        class Adding:
            def __set_name__(self, owner, name):
                parser.add_argument("--" + name)
        class Holding:
            more = Adding()
    """,
    "subclasses are collected": """
        names = []
        class Base:
            def __init_subclass__(cls):
                names.append(cls.name)
        class Below(Base):
            name = "--more"
        for name in names:
            parser.add_argument(name)
    """,
    "a metaclass collects": """
        names = []
        class Meta(type):
            def __init__(cls, name, bases, body):
                names.append(body.get("name"))
        class Base(metaclass=Meta):
            pass
        for name in names:
            parser.add_argument(name)
    """,
    "a function is found by a default": """
        class Plugin:
            def setup():
                parser.add_argument("--more")
        getattr(Plugin, "setup", None)()
    """,
    "a function is found among the modules": "getattr(sys.modules[__name__], 'add')()",
    "a list of functions is given away": """
        functools.reduce(lambda none, each: each(), [lambda: parser.add_argument("--more")], None)
    """,
    "an object that reaches the parser is visited": """
        import ast
        class Visitor(ast.NodeVisitor):
            def visit_Name(self, node):
                parser.add_argument("--" + node.id)
        Visitor().visit(ast.parse("more"))
    """,
    "attributes come from a file": """
        import json
        class Config:
            names = ["--more"]
        config = Config()
        config.__dict__.update(json.load(open("config.json")))
        for name in config.names:
            parser.add_argument(name)
    """,
    "a handler adds before it returns": """
        def add():
            try:
                import missing_module
            except ImportError:
                if os.environ.get("MORE"):
                    parser.add_argument("--more")
                    return
                raise
        add()
    """,
    "a handler adds before it raises": """
        def add():
            try:
                import missing_module
            except ImportError:
                parser.add_argument("--more")
                raise
        add()
    """,
    "a parser is kept by a cache": """
        @functools.lru_cache
        def made():
            return argparse.ArgumentParser()
        made().add_argument("--more")
        made().parse_args()
    """,
    "an action changes the parser": """
        class Changing(argparse.Action):
            def __call__(self, parser, namespace, value, option=None):
                parser.add_argument("--more")
        parser.add_argument("--changing", action=Changing)
    """,
    "an action ends the trainer": """
        class Listing(argparse.Action):
            def __call__(self, parser, namespace, value, option=None):
                sys.exit(0)
        parser.add_argument("--list", action=Listing)
    """,
    "a type changes a flag": """
        def kind(word):
            later.required = False
            return word
        parser.add_argument("--kind", type=kind)
        later = parser.add_argument("--later", required=True)
    """,
    "whether a subcommand is required depends": """
        commands = parser.add_subparsers(dest="command")
        if os.environ.get("STRICT"):
            commands.required = True
    """,
    "positionals between flags": "parser.parse_intermixed_args()",
    "a type is registered": "parser.register('type', int, lambda word: int(float(word)))",
    "a list grows in its own loop": """
        names = ["--more"]
        for name in names:
            parser.add_argument(name)
            if name == "--more":
                names.append("--most")
    """,
    "the process becomes another": "os.execvp('true', ['true'])",
    "nothing ends the trainer any more": "sys.exit = print",
    "a base is not known": """
        from somewhere import Lenient
        class Own(Lenient, argparse.ArgumentParser):
            pass
        parser = Own()
    """,
    "a context goes on after an error": """
        class Going:
            def __enter__(self):
                return self
            def __exit__(self, *error):
                return True
        with Going():
            parser.add_argument("--more", required=True)
    """,
    "what is run depends on a word": """
        if "--other" in sys.argv:
            sys.exit(0)
    """,
}


def written(folder: Path, body: str, **files: str) -> Schema:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_init", "__init__")
        path = path.with_suffix(".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(dedent(text))
    (folder / "train.py").write_text(f"{HEAD}{dedent(body)}\nparser.parse_args()\n")
    return read(folder, "train.py")


@pytest.mark.parametrize("body", OPENED.values(), ids=OPENED)
def test_what_is_not_followed_opens(body: str, tmp_path: Path) -> None:
    assert not written(tmp_path, body).complete


def test_nothing_else_opens_it(tmp_path: Path) -> None:
    assert written(tmp_path, "").complete


FOLLOWED = {
    "methods in the order of the bases": """
        class Base:
            def add(self, to):
                pass
        class One(Base):
            def add(self, to):
                super().add(to)
                to.add_argument("--one")
        class Two(Base):
            def add(self, to):
                super().add(to)
                to.add_argument("--two")
        class Both(One, Two):
            pass
        Both().add(parser)
    """,
    "the nearest base of the first": """
        class First:
            def add(self):
                parser.add_argument("--first")
        class Left(First):
            pass
        class Right:
            def add(self):
                parser.add_argument("--right")
        class Both(Left, Right):
            pass
        Both().add()
    """,
    "decorators of classes": """
        known = {"adam": 1}
        def register(name):
            def inner(cls):
                known[name] = cls
                return cls
            return inner
        @register("lion")
        class Lion:
            pass
        parser.add_argument("--optimizer", choices=list(known))
    """,
    "a property with a setter": """
        class Config:
            def __init__(self):
                self._simple = False
            @property
            def simple(self):
                return self._simple
            @simple.setter
            def simple(self, value):
                self._simple = value
        if not Config().simple:
            parser.add_argument("--more")
    """,
    "what a dataclass does after its init": """
        from dataclasses import dataclass
        @dataclass
        class Config:
            names: tuple = ("--one",)
            def __post_init__(self):
                self.names = self.names + ("--two",)
        for name in Config().names:
            parser.add_argument(name)
    """,
    "a name that is bound in a comprehension": """
        last = "--none"
        [last := name for name in ("--one", "--two")]
        parser.add_argument(last)
    """,
    "a global beside a local of the same name": """
        CHOICES = ("one",)
        def outer():
            CHOICES = "local"
            def inner():
                global CHOICES
                CHOICES = ("one", "two")
            inner()
        outer()
        parser.add_argument("--choice", choices=CHOICES)
    """,
    "a view of a dictionary": """
        known = {"one": 1}
        parser.add_argument("--choice", choices=list(known.keys()))
        later = known.keys()
        known["two"] = 2
        parser.add_argument("--later", choices=list(later))
    """,
    "an attribute of a class that is set by name": """
        class Config:
            names = ("--one",)
        setattr(Config, "names", ("--one", "--two"))
        for name in Config.names:
            parser.add_argument(name)
    """,
    "choices of a flag that grow": """
        flag = parser.add_argument("--choice", choices=["one"])
        flag.choices.append("two")
    """,
    "lists that are one": """
        lists = [["--one"]] * 2
        lists[0].append("--two")
        for name in lists[1]:
            parser.add_argument(name)
    """,
}


@pytest.mark.parametrize("body", FOLLOWED.values(), ids=FOLLOWED)
def test_what_is_followed_is_as_it_is_built(body: str, tmp_path: Path) -> None:
    assert_equal(written(tmp_path, body), built(tmp_path, "train.py"))


FILLED = {
    "in a module": {"registry": "NAMES = ['one']", "extra": "from registry import NAMES\nNAMES.append('two')"},
    "by another name": {"registry": "NAMES = ['one']", "extra": "from registry import NAMES as N\nN.append('two')"},
    "as an attribute": {"registry": "NAMES = ('one',)", "extra": "import registry\nregistry.NAMES += ('two',)"},
    "by an attribute's name": {
        "registry": "NAMES = ('one',)",
        "extra": "import registry\nsetattr(registry, 'NAMES', ('one', 'two'))",
    },
    "two imports away": {
        "registry": "NAMES = ['one']",
        "extra": "import further",
        "further": "from registry import NAMES\nNAMES.append('two')",
    },
}


@pytest.mark.parametrize("files", FILLED.values(), ids=FILLED)
@pytest.mark.parametrize("importing", ["import extra", "import importlib\nimportlib.import_module('extra')"])
def test_choices_that_another_module_fills_are_not_known(files: dict[str, str], importing: str, tmp_path: Path) -> None:
    body = f"import registry\n{importing}\nparser.add_argument('--name', choices=registry.NAMES)"
    (flag,) = [flag for flag in written(tmp_path, body, **files).flags if flag.dest == "name"]
    assert flag.choices is UNKNOWN


def test_choices_that_nobody_fills_are_known(tmp_path: Path) -> None:
    body = "import registry\nimport extra\nparser.add_argument('--name', choices=registry.NAMES)"
    files = {"registry": "NAMES = ['one']", "extra": "from registry import NAMES\nprint(NAMES)"}
    (flag,) = [flag for flag in written(tmp_path, body, **files).flags if flag.dest == "name"]
    assert flag.choices == ("one",)


MEDDLING = "import sys\nsys.argv = [word.lower() for word in sys.argv]\n"


@pytest.mark.parametrize("files", [{"compat": MEDDLING}, {"compat": "import deeper", "deeper": MEDDLING}])
def test_a_module_that_changes_the_command_line_is_run(files: dict[str, str], tmp_path: Path) -> None:
    assert not written(tmp_path, "import compat", **files).complete


def test_the_package_of_a_module_is_run(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text(MEDDLING)
    (tmp_path / "package" / "train.py").write_text(f"{HEAD}parser.parse_args()\n")
    assert not read(tmp_path, "package.train").complete


def test_a_folder_that_is_searched_first_makes_a_module_unknown(tmp_path: Path) -> None:
    body = "sys.path.insert(0, os.path.join(os.path.dirname(__file__), 'vendored'))\nimport common\ncommon.add(parser)"
    files = {"common": "def add(to): to.add_argument('--old')", "vendored__common": "def add(to): pass"}
    assert not written(tmp_path, body, **files).complete


TYPES = {
    "a function": "def int(word): return float(word)",
    "a class": "class int(int): pass",
}


@pytest.mark.parametrize("body", TYPES.values(), ids=TYPES)
def test_a_type_of_the_tree_is_not_that_of_python(body: str, tmp_path: Path) -> None:
    schema = written(tmp_path, f"{body}\nparser.add_argument('--number', type=int)")
    assert schema.flags[-1].type == "unknown"


def test_an_action_may_drop_the_type(tmp_path: Path) -> None:
    body = """
        class Own(argparse.Action):
            def __init__(self, option_strings, dest, type=None, **options):
                super().__init__(option_strings, dest, **options)
            def __call__(self, parser, namespace, value, option=None):
                setattr(namespace, self.dest, value)
        parser.add_argument("--number", action=Own, type=int)
    """
    assert written(tmp_path, body).flags[-1].type == "unknown"


def test_choices_of_the_rest_are_not_checked(tmp_path: Path) -> None:
    schema = written(tmp_path, "parser.add_argument('--rest', nargs=argparse.REMAINDER, choices=['one'])")
    assert schema.flags[-1].choices is None

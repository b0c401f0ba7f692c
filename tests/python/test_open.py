"""What cannot be read makes the schema open and says why, and what could be read beside it stays."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from recipelint.python.schema import UNKNOWN, Schema
from tests.python.comparing import read

HEAD = "import argparse\nimport os\nparser = argparse.ArgumentParser()\nparser.add_argument('--seen', type=int)\n"
TAIL = "\nparser.parse_args()\n"

BODIES = {
    "whether there is --maybe is not known": """
        if os.environ.get("X"):
            parser.add_argument("--maybe")
    """,
    "whether there is --x is not known": """
        for name in os.listdir("."):
            parser.add_argument("--x")
    """,
    "whether there is --tried is not known": """
        try:
            parser.add_argument("--tried")
        except Exception:
            pass
    """,
    "whether there is --matched is not known": """
        match os.name:
            case "posix":
                parser.add_argument("--matched")
    """,
    "whether there is --suppressed is not known": """
        import contextlib
        with contextlib.suppress(Exception):
            parser.add_argument("--suppressed")
    """,
    "whether there is --after is not known": """
        def add():
            if os.name == "nt":
                return
            parser.add_argument("--after")
        add()
    """,
    "whether there is --rest is not known": """
        for name in ["a", "b"]:
            if os.environ.get(name):
                break
            parser.add_argument("--rest") if name == "b" else None
    """,
    "whether there is --while is not known": """
        while os.getpid() > 1:
            parser.add_argument("--while")
    """,
    "whether there is --either is not known": """
        parser.add_argument("--either") if os.name == "nt" else None
    """,
    "whether there is --and is not known": """
        os.getpid() and parser.add_argument("--and")
    """,
    "whether there is --decorated is not known": """
        import somewhere
        @somewhere.decorator
        def add():
            parser.add_argument("--decorated")
        add()
    """,
    "the name of a flag is not known": """
        parser.add_argument("--" + os.environ["NAME"])
    """,
    "the arguments of add_argument are not known": """
        parser.add_argument("--given", **os.environ)
    """,
    "the action of a flag is not known": """
        import somewhere
        parser.add_argument("--action", action=somewhere.Action)
    """,
    "the action Renaming is not known": """
        class Renaming(argparse.Action):
            def __init__(self, option_strings, dest, **options):
                option_strings = [*option_strings, "--another"]
                super().__init__(option_strings, dest, **options)
        parser.add_argument("--action", action=Renaming)
    """,
    "the parser is given to deepspeed.add_config_arguments that is not in the tree": """
        import deepspeed
        parser = deepspeed.add_config_arguments(parser)
    """,
    "the parser is given to somewhere.add that is not in the tree": """
        import somewhere
        somewhere.add([{"nested": (parser,)}])
    """,
    "the parser is given to a function that is not in the tree": """
        functions = [globals()["add"]]
        for add in functions:
            add(parser)
    """,
    "the parser is given to somewhere that is not known": """
        box = object()
        box.parser = parser
    """,
    "argparse would refuse this: --seen is there already": """
        parser.add_argument("--seen")
    """,
    "argparse would refuse this: dest is given twice for a positional": """
        parser.add_argument("word", dest="other")
    """,
    "argparse would refuse this: nargs is 0": """
        parser.add_argument("--none", nargs=0)
    """,
    "it uses argparse's inner _actions": """
        for action in parser._actions:
            action.default = 1
    """,
    "parse_args of the parser is set": """
        parser.parse_args = lambda: None
        parser = parser
    """,
    "which defaults are set is not known": """
        parser.set_defaults(**os.environ)
    """,
    "handle does what is not known here": """
        getattr(parser, "add_argument")("--fine")
        parser.add_argument_group("x").handle()
    """,
    "the trainer changes its command line": """
        import sys
        sys.argv.append("--extra")
    """,
    "the trainer changes sys.argv": """
        import sys
        sys.argv = ["x"]
    """,
    "the trainer changes argparse.ArgumentParser.parse_args": """
        argparse.ArgumentParser.parse_args = None
    """,
    "more calls itself, or too many others": """
        def more(at):
            if os.getpid() > at:
                more(at + 1)
                more(at + 2)
        more(0)
    """,
    "a subcommand is not known": """
        commands = parser.add_subparsers()
        commands.add_parser(os.name)
    """,
    "a flag is given to somewhere.complete that is not in the tree": """
        import somewhere
        somewhere.complete(parser.add_argument("--completed"))
    """,
    "there is more to follow than is followed": """
        for a in range(900):
            for b in range(900):
                str(a + b)
    """,
}

WHOLE = {
    "no parser is seen to read the command line": "print(1)\n",
    "it parses words that are not known to be the command line": """
        import argparse, shlex, os
        parser = argparse.ArgumentParser()
        parser.parse_args(shlex.split(os.environ["ARGS"]))
    """,
    "it parses into a namespace that may hold other defaults": """
        import argparse
        argparse.ArgumentParser().parse_args(None, argparse.Namespace(a=1))
    """,
    "whether the command line is parsed here is not known": """
        import argparse, os
        parser = argparse.ArgumentParser()
        if os.getpid() > 1:
            parser.parse_args()
    """,
    "several parsers read the command line": """
        import argparse
        one, other = argparse.ArgumentParser(), argparse.ArgumentParser()
        one.parse_known_args()
        other.parse_known_args()
    """,
    "arguments may come from files (fromfile_prefix_chars)": """
        import argparse
        argparse.ArgumentParser(fromfile_prefix_chars="@").parse_args()
    """,
    "prefix_chars is not known": """
        import argparse, os
        argparse.ArgumentParser(prefix_chars=os.sep).parse_args()
    """,
    "the arguments of the parser are not known": """
        import argparse, os
        argparse.ArgumentParser(**os.environ).parse_args()
    """,
    "a parent of the parser is not known": """
        import argparse, somewhere
        argparse.ArgumentParser(parents=[somewhere.parser]).parse_args()
    """,
    "Strict has its own error": """
        import argparse
        class Strict(argparse.ArgumentParser):
            def error(self, message):
                print(message)
        Strict().parse_args()
    """,
    "the command line is read by click, which is not read here": """
        import click
        @click.command()
        @click.option("--x")
        def main(x):
            pass
        if __name__ == "__main__":
            main()
    """,
    "a dataclass that it parses is not in the tree": """
        from transformers import HfArgumentParser, TrainingArguments
        HfArgumentParser((TrainingArguments,)).parse_args_into_dataclasses()
    """,
    "it is no Python that can be read": "def (:\n",
}


def reasons(schema: Schema) -> list[str]:
    return [reason.split(": ", 1)[1] for reason in schema.reasons]


@pytest.mark.parametrize("reason", BODIES)
def test_what_cannot_be_read_opens_the_schema(reason: str, tmp_path: Path) -> None:
    (tmp_path / "t.py").write_text(HEAD + dedent(BODIES[reason]) + TAIL, "utf-8")
    schema = read(tmp_path, "t.py")
    assert not schema.complete
    assert reason in reasons(schema)
    assert "--seen" in [name for flag in schema.flags for name in flag.names]


@pytest.mark.parametrize("reason", WHOLE)
def test_a_trainer_that_is_not_understood_is_open(reason: str, tmp_path: Path) -> None:
    (tmp_path / "t.py").write_text(dedent(WHOLE[reason]), "utf-8")
    schema = read(tmp_path, "t.py")
    assert not schema.complete
    assert any(reason in one for one in reasons(schema))


def test_a_reason_has_its_place(tmp_path: Path) -> None:
    (tmp_path / "t.py").write_text(HEAD + "\nparser.add_argument('--' + os.name)\nparser.parse_args()\n", "utf-8")
    assert read(tmp_path, "t.py").reasons == ("t.py:6: the name of a flag is not known",)


def test_nothing_in_these_opens_a_schema_by_itself(tmp_path: Path) -> None:
    (tmp_path / "t.py").write_text(HEAD + TAIL, "utf-8")
    assert read(tmp_path, "t.py").complete


def test_a_value_that_is_not_known_is_unknown_and_the_schema_complete(tmp_path: Path) -> None:
    body = """
        import somewhere
        parser.add_argument("--env", default=os.environ.get("X", "y"), choices=somewhere.CHOICES)
        parser.add_argument("--count", nargs=somewhere.COUNT)
    """
    (tmp_path / "t.py").write_text(HEAD + dedent(body) + TAIL, "utf-8")
    schema = read(tmp_path, "t.py")
    env, count = schema.flags[-2:]
    assert schema.complete
    assert (env.default, env.choices, env.open) == (UNKNOWN, UNKNOWN, False)
    assert (count.open, count.least, count.most) == (True, 0, None)


def test_a_list_that_may_have_changed_is_not_known(tmp_path: Path) -> None:
    body = """
        names = ["a"]
        if os.name == "nt":
            names.append("b")
        parser.add_argument("--of", choices=names, default=names)
    """
    (tmp_path / "t.py").write_text(HEAD + dedent(body) + TAIL, "utf-8")
    flag = read(tmp_path, "t.py").flags[-1]
    assert (flag.choices, flag.default) == (UNKNOWN, UNKNOWN)


def test_a_custom_action_keeps_its_names(tmp_path: Path) -> None:
    body = """
        class Loud(argparse.Action):
            def __init__(self, option_strings, dest, nargs=None, **options):
                super().__init__(option_strings, dest, nargs=2, **options)
        parser.add_argument("--loud", action=Loud, default="x")
    """
    (tmp_path / "t.py").write_text(HEAD + dedent(body) + TAIL, "utf-8")
    schema = read(tmp_path, "t.py")
    flag = schema.flags[-1]
    assert schema.complete
    assert (flag.action, flag.open, flag.default, flag.most) == ("custom", True, UNKNOWN, None)


def test_words_that_are_no_command_line_are_not_read_as_one(tmp_path: Path) -> None:
    (tmp_path / "t.py").write_text(HEAD + "parser.parse_args([])\nparser.add_argument('--b')" + TAIL, "utf-8")
    schema = read(tmp_path, "t.py")
    assert schema.complete
    assert schema.flags[-1].names == ("--b",)

"""The flags of dataclasses, as HfArgumentParser makes them.

transformers is not there to be asked. The table is worked out by hand from its source:
https://github.com/huggingface/transformers/blob/002496228f0c34cb032547b6ed7293d538e1c521/src/transformers/hf_argparser.py
"""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from recipelint.python.schema import UNKNOWN
from tests.python.comparing import read

HEAD = """
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, Dict, List, Literal, Optional, Union
from transformers import HfArgumentParser

class Mode(Enum):
    FAST = "fast"
    SLOW = "slow"

@dataclass
class Arguments:
"""
TAIL = "\nHfArgumentParser(Arguments).parse_args_into_dataclasses()\n"
Row = tuple[str, "str | None", Any, Any, Any, bool]

# the field, and for each flag: its names, type, nargs, const and default, and whether it is required
TABLE: dict[str, list[Row]] = {
    "model: str": [("--model", "str", None, None, None, True)],
    "lr: float = 1e-5": [("--lr", "float", None, None, 1e-5, False)],
    "max_len: int = field(default=8, metadata={'help': 'h'})": [("--max_len --max-len", "int", None, None, 8, False)],
    "seed: Optional[int] = None": [("--seed", "int", None, None, None, False)],
    "seed: int | None = 3": [("--seed", "int", None, None, 3, False)],
    "seed: 'Union[None, int]' = 3": [("--seed", "int", None, None, 3, False)],
    "on: bool": [("--on", "bool", "?", True, False, False)],
    "on: bool = False": [("--on", "bool", "?", True, False, False)],
    "is_on: bool = True": [
        ("--is_on --is-on", "bool", "?", True, True, False),
        ("--no_is_on --no-is-on", None, 0, False, False, False),
    ],
    "on: Optional[bool] = None": [("--on", "bool", None, None, None, False)],
    "on: Optional[bool] = True": [
        ("--on", "bool", "?", True, True, False),
        ("--no_on --no-on", None, 0, False, False, False),
    ],
    "names: List[str]": [("--names", "str", "+", None, None, True)],
    "sizes: list[int] = field(default_factory=lambda: [1, 2])": [("--sizes", "int", "+", None, (1, 2), False)],
    "sizes: list[int] = field(default_factory=list)": [("--sizes", "int", "+", None, (), False)],
    "kind: Literal['a', 'b'] = 'a'": [("--kind", None, None, None, "a", False)],
    "mode: Mode = Mode.FAST": [("--mode", None, None, None, "fast", False)],
    "sizes: Optional[List[int]] = (1, 2)": [("--sizes", "int", "+", None, None, False)],
    "kind: Literal[1, 2] = 2": [("--kind", "int", None, None, 2, False)],
    "data: str = field(metadata={'aliases': '-d'})": [("--data -d", "str", None, None, None, True)],
    "data: str = field(metadata={'aliases': ['-d']})": [("--data -d", "str", None, None, None, True)],
    "hidden: int = field(default=1, init=False)": [],
    "shared: ClassVar[int] = 1": [],
}


@pytest.mark.parametrize("field", TABLE)
def test_a_field_makes_its_flags(field: str, tmp_path: Path) -> None:
    (tmp_path / "t.py").write_text(f"{HEAD}    {field}\n{TAIL}", "utf-8")
    schema = read(tmp_path, "t.py")
    made = [
        (" ".join(one.names), one.type, one.nargs, one.const, one.default, one.required) for one in schema.flags[1:]
    ]
    assert schema.complete, schema.reasons
    assert made == TABLE[field]


def test_choices_are_those_of_the_annotation(tmp_path: Path) -> None:
    body = "    kind: Literal['a', 'b']\n    mode: Mode = Mode.SLOW\n"
    (tmp_path / "t.py").write_text(HEAD + body + TAIL, "utf-8")
    assert [flag.choices for flag in read(tmp_path, "t.py").flags[1:]] == [("a", "b"), ("fast", "slow")]


@pytest.mark.parametrize(
    "field",
    [
        "table: Dict[str, int] = field(default_factory=dict)",
        "mixed: Union[int, float] = 1",
        "odd: int = somewhere()",
        "given: int = field(**options)",
        "kept: int = field(default=1, metadata=somewhere)",
    ],
)
def test_what_is_not_known_opens_the_schema(field: str, tmp_path: Path) -> None:
    (tmp_path / "t.py").write_text(f"{HEAD}    {field}\n{TAIL}", "utf-8")
    assert not read(tmp_path, "t.py").complete


def test_fields_are_inherited_and_classes_come_in_their_order(tmp_path: Path) -> None:
    text = dedent("""
        from dataclasses import dataclass
        from transformers.hf_argparser import HfArgumentParser

        @dataclass
        class Base:
            first: int = 1
            second: int = 2

        @dataclass
        class More(Base):
            third: int = 3
            first: str = "own"

        @dataclass
        class Other:
            fourth: float

        def main():
            parser = HfArgumentParser((More, Other))
            more, other, rest = parser.parse_args_into_dataclasses(return_remaining_strings=True)

        main()
    """)
    (tmp_path / "t.py").write_text(text, "utf-8")
    schema = read(tmp_path, "t.py")
    assert (schema.complete, schema.known_only) == (True, True)
    expected = [("first", "own"), ("second", 2), ("third", 3), ("fourth", None)]
    assert [(flag.dest, flag.default) for flag in schema.flags[1:]] == expected


def test_a_base_outside_of_the_tree_has_fields_that_are_not_known(tmp_path: Path) -> None:
    text = HEAD.replace("class Arguments:", "class Arguments(TrainingArguments):").replace(
        "import HfArgumentParser", "import HfArgumentParser, TrainingArguments"
    )
    (tmp_path / "t.py").write_text(f"{text}    own: int = 1\n{TAIL}", "utf-8")
    schema = read(tmp_path, "t.py")
    assert not schema.complete
    assert [flag.dest for flag in schema.flags] == ["help", "own"]


def test_choices_of_several_kinds_are_not_known(tmp_path: Path) -> None:
    (tmp_path / "t.py").write_text(f"{HEAD}    kind: Literal[1, 'a']\n{TAIL}", "utf-8")
    assert read(tmp_path, "t.py").flags[1].choices is UNKNOWN


def test_a_file_of_arguments_beside_the_script_leaves_it_open(tmp_path: Path) -> None:
    (tmp_path / "t.py").write_text(f"{HEAD}    own: int\n{TAIL}", "utf-8")
    assert read(tmp_path, "t.py").complete
    (tmp_path / "t.args").write_text("--own 1")
    assert not read(tmp_path, "t.py").complete


def test_json_beside_the_command_line_leaves_it_open(tmp_path: Path) -> None:
    text = HEAD + dedent("""
            own: int = 1

        import sys
        parser = HfArgumentParser(Arguments)
        if len(sys.argv) == 2 and sys.argv[1].endswith(".json"):
            parser.parse_json_file(sys.argv[1])
        else:
            parser.parse_args_into_dataclasses()
    """).replace("\n    own", "\n    own")
    text = text.replace("class Arguments:\n\n    own: int = 1\n", "class Arguments:\n    own: int = 1\n")
    (tmp_path / "t.py").write_text(text, "utf-8")
    assert not read(tmp_path, "t.py").complete

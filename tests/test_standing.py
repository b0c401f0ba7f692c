"""Whether the trainer in the tree is the one that runs: what a launcher does to it before, told in linear time."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recipelint.recipe.standing import stands

WORDS = [
    "git", "checkout", "-C", "x", "cp", "*", " ", "\t", ".", "./", ";", "\n", "|", "&", "#", "echo", ">", "tee", "sed",
    "-i", "-ni", "mv", "train.py", "atrain.py", "train.pyc", "patch", "-p1", "#SBATCH", "-D", "cpu", "perl",
]  # fmt: skip
REVISION = re.compile(
    r"\bgit[ \t]+(?:-C[ \t]+[^\s;&|]+[ \t]+)?(?:checkout|switch)\b|\bpatch[ \t]+-"
    r"|\bcp\b[^\n;|&]*\*[^\n;|&]*[ \t]\.(?:/)?(?:[ \t;&|]|$)",
    re.MULTILINE,
)
WRITES = re.compile(
    r"(?:>|\btee\b|\bcp\b|\bmv\b|\bsed[ \t]+-[a-zA-Z]*i|\bperl\b)[^\n;|&]*(?<![\w.-])train\.py(?![\w.-])"
)


def alone(text: str, entry_point: str = "molt.cli.train") -> bool:
    return stands({}, (), "torchrun", text, entry_point)


@given(st.lists(st.sampled_from(WORDS), max_size=14).map("".join) | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_it_is_what_the_expressions_say(text: str) -> None:
    """The whole text matched at once, which takes time with the cube of a line."""
    code = re.sub(r"^[ \t]*#.*$", "", text, flags=re.MULTILINE)
    moved = re.search(r"^#SBATCH[ \t]+-D\b", text, re.MULTILINE) or REVISION.search(code)
    assert alone(text) is not bool(moved or WRITES.search(code))


@pytest.mark.parametrize(
    ("text", "stood"),
    [
        ("echo " + "cp * " * 400_000, True),
        ("echo " + "cp * " * 400_000 + ".", False),
        ("echo train.py; : " + ">a " * 600_000, True),
        ("echo train.py; : " + ">a " * 600_000 + "train.py", False),
        ("sed " * 400_000 + "train.py", True),
        ("git -C " * 250_000, True),
        ("#" + " cp * ." * 200_000, True),
        ("\n".join("cp a train.pyc" for _ in range(100_000)), True),
    ],
    ids=lambda one: str(one)[:20],
)
def test_a_hostile_line_takes_no_time(text: str, stood: bool) -> None:
    assert alone(text) is stood


def test_where_else_it_runs() -> None:
    data = {"elsewhere": ["docker"], "folder_options": ["--chdir"]}
    assert stands(data, (), "torchrun -m a.train", "", "a.train")
    assert not stands(data, ("docker",), "torchrun", "", "a.train")
    assert not stands(data, (), "srun --chdir=/x torchrun", "", "a.train")
    assert not alone("echo > 'a;b.py'", "x/a;b.py")

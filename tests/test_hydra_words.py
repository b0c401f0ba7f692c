"""Hydra's words against Hydra: its own parser says what each is, and OmegaConf what files come to together."""

from __future__ import annotations

from typing import Any

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override, QuotedString
from hydra.errors import HydraException
from hypothesis import given, settings
from hypothesis import strategies as st
from omegaconf import OmegaConf

from recipelint.recipe.configured.document import document
from recipelint.recipe.configured.hydra_words import override
from recipelint.recipe.configured.interpolation import Values
from recipelint.recipe.configured.tree import Branch, Listing, Merger, Node, Scalar, Unread
from recipelint.shell.text import Text
from recipelint.source import SourceFile

PARSER = OverridesParser.create()
KINDS = {"CHANGE": "set", "ADD": "add", "FORCE_ADD": "force", "DEL": "remove"}
WORDS = [
    "a.b=c", "+a.b=c", "++a=1", "~a", "~a=3", "k=[a,b]", "k={a:1,b: [c]}", "a=b=c", "a=x y", "a='x y'", "a=1,2", "a=",
    "a=null", "a=True", "a=on", "a=010", "a=1_000", "a=${x.y}", "a@b=c", "a.b=file:///x/y", "a=-1", "a.0=1", "a[0]=1",
    "a=x(3)", 'a="x\\"y"', "a=\\,b", "+a=''", "a=a:b", "a= b ", "a.b-c=1", "a.$x=1", "a=[]", "a={}", "a=*", "a=~b",
    "a=#b", "a=[1,[2]]", 'a=x"y"', "k=[\"a\",'b']", "a=${oc.env:X,y}/z", "a=+3", "a=?", "$a=1", "a:b=1", "a =1", "~a@b",
    "~a=", "a=[x y, z]", "a=\\\\x", "a=x\\ ", "a='it\\'s'", "a='x\\\\'", "a='a\\b'", "a=[a,]", "a=,", "a=a,", "a={a:}",
    "a=[", "a/b=c", "a/b@c=d", "a.b@c=d", "a=[[[[]]]]", 'a={"x":1}', "a=x\\", 'a="', "plain", "--flag", "",
]  # fmt: skip


def plain(value: Any) -> Any:
    """A value of Hydra; a number that is not whole is its text here."""
    if isinstance(value, QuotedString):
        return value.text
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {str(plain(key)): plain(one) for key, one in value.items()}
    return "a number" if isinstance(value, float) else value


def ours(node: Node | None) -> Any:
    if isinstance(node, Listing):
        return [ours(one) for one in node.items]
    if isinstance(node, Branch):
        return {key: ours(one) for key, one in node.members.items()}
    if isinstance(node, Scalar):
        return "a number" if is_float(node) else node.value
    return node


def is_float(node: Scalar) -> bool:
    """Whether a text that is not quoted is a number of Python, which Hydra makes of it."""
    if node.quoted or not isinstance(node.value, str):
        return False
    try:
        float(node.value)
    except ValueError:
        return False
    lower = node.value.lower().lstrip("+-")
    return lower in ("nan", "inf") or (any(c.isdigit() for c in lower) and ("." in lower or "e" in lower))


def judged(word: str) -> Override | None:
    try:
        return PARSER.parse_override(word)
    except (HydraException, RecursionError):
        return None


def agree(word: str) -> None:
    theirs, mine = judged(word), override(Text.of(word))
    if theirs is None:
        assert mine is None or isinstance(mine.value, Unread) or word == "", (word, mine)
        return
    assert mine is not None, word
    assert theirs.type is not None
    assert (mine.kind, mine.key, mine.package) == (KINDS[theirs.type.name], theirs.key_or_group, theirs.package), word
    if theirs.is_sweep_override():
        assert isinstance(mine.value, Unread), word
    elif not isinstance(mine.value, Unread):  # a function may be left unknown
        assert ours(mine.value) == plain(theirs._value), word
    else:
        assert "(" in word, (word, mine.value)


@pytest.mark.parametrize("word", WORDS)
def test_a_word_is_what_hydra_makes_of_it(word: str) -> None:
    agree(word)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(["a=", "+a.b=", "++x=", "~k="]), st.text(alphabet="ab1.,:[]{}'\"\\ -_/$", max_size=8))
def test_values_are_what_hydra_makes_of_them(start: str, value: str) -> None:
    agree(start + value)


LEAF = st.sampled_from(
    ["1", "true", "off", "null", "'1'", "x", "0x10", "010", "1_0", "${a}", "${b.c}", "1e3", "''", "???"]
)
TREE = st.recursive(LEAF, lambda inner: st.dictionaries(st.sampled_from(list("abc")), inner, max_size=3), max_leaves=8)
MAPPING = st.dictionaries(st.sampled_from(list("abc")), TREE, max_size=3)


def yaml(tree: Any) -> str:
    return "{" + ", ".join(f"{key}: {yaml(one)}" for key, one in tree.items()) + "}" if isinstance(tree, dict) else tree


def leaves(config: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    """The values of a configuration of OmegaConf by their paths; those that it cannot resolve are left out."""
    found: dict[tuple[str, ...], Any] = {}
    for key in config:
        here = (*path, str(key))
        try:
            value = config[key]
        except Exception:  # interpolations that lead nowhere, and missing values
            continue
        if OmegaConf.is_dict(value):
            if not OmegaConf.is_interpolation(config, key):
                found |= leaves(value, here)
        else:
            found[here] = value
    return found


@settings(max_examples=200, deadline=None)
@given(MAPPING, MAPPING)
def test_files_come_to_what_omegaconf_makes_of_them(below: Any, above: Any) -> None:
    try:
        real = leaves(OmegaConf.merge(*(OmegaConf.create(yaml(one)) for one in (below, above))))
    except Exception:
        return  # OmegaConf refuses them
    trees = [document(SourceFile("x.yaml", yaml(one).encode())) for one in (below, above)]
    merger = Merger()
    values = Values(merger.merged(merger.merged(Branch({}), trees[0]), trees[1]), lambda name, default: Unread(name))
    for path, value in real.items():
        mine = values.value(path)
        if isinstance(value, float):
            assert isinstance(mine, Scalar)
            assert float(str(mine.value)) == value
        elif not isinstance(mine, Unread):
            assert isinstance(mine, Scalar), (path, mine)
            assert (mine.value, type(mine.value)) == (value, type(value)), path


def test_a_value_knows_its_place() -> None:
    source = SourceFile("x.yaml", "# ä\na: {b: 'ö', c: &x off}\r\nd: *x\n".encode())
    found = Values(document(source), lambda name, default: Unread(name))
    for path, text in (("a.b", "'ö'"), ("a.c", "off"), ("d", "off")):
        node = found.value(path.split("."))
        assert isinstance(node, Scalar)
        origin = node.text.first_origin
        assert origin is not None
        assert source.data[origin.start : origin.end].decode() == text

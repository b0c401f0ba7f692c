"""A failing launcher made smaller while it still fails: parts of its tree are left out, or made plain."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.properties.grammar import HOLE, Tree, phrases

PLAIN = {"statement": ":", "block": ":", "launch": ":", "assignment": ":", "call": ":", "test": "true"}
"""What stands for a symbol that is no matter; a word otherwise, or nothing."""
KEPT = ("launcher", "start", "arguments", "list")
"""What a launcher begins with: without it other things would be unknown."""


TRIES = 400


def shrunk(tree: Tree, fails: Callable[[str], bool]) -> Tree:
    """The smallest tree that was found; TREE itself fails."""
    tried: set[str] = set()
    while True:
        for one in simpler(tree):
            text = one.text
            if text in tried:
                continue
            if len(tried) == TRIES:
                return tree
            tried.add(text)
            if fails(text):
                tree = one
                break
        else:
            return tree


def simpler(tree: Tree) -> Iterator[Tree]:
    """Trees with one part less, those with the largest part left out first."""
    for one in replacements(tree):
        if len(one.text) < len(tree.text):
            yield one
    for at, hole in enumerate(tree.holes):
        for one in simpler(hole):
            yield tree._replace(holes=(*tree.holes[:at], one, *tree.holes[at + 1 :]))


def replacements(tree: Tree) -> Iterator[Tree]:
    """What may stand in the place of a tree: something plain, or a part of it of the same kind."""
    if tree.symbol in KEPT:
        return
    yield Tree(tree.symbol, "", ())
    yield Tree(tree.symbol, PLAIN.get(tree.symbol, "x"), ())
    yield from below(tree, tree.symbol)
    if tree.symbol == "block":
        lines = tree.phrase.split("\n")
        for at in range(len(lines)):
            start = len(HOLE.findall("\n".join(lines[:at])))
            count = len(HOLE.findall(lines[at]))
            left = "\n".join(lines[:at] + lines[at + 1 :])
            yield Tree(tree.symbol, left, tree.holes[:start] + tree.holes[start + count :])
    for phrase in phrases(tree.symbol):
        if not HOLE.search(phrase):
            yield Tree(tree.symbol, phrase, ())


def below(tree: Tree, symbol: str) -> Iterator[Tree]:
    """The nearest trees of a symbol that stand in a tree."""
    for hole in tree.holes:
        if hole.symbol == symbol:
            yield hole
        else:
            yield from below(hole, symbol)

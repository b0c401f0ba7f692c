"""AutoModel's words: `--a.b.c value`, `--a.b.c=value`, and a bare `--a.b.c` for true; any other word is passed over.

They are those of `parse_cli_argv` (nemo_automodel/components/config/_arg_parser.py), which knows no abbreviations; a
value is what `ast.literal_eval` makes of it, and else text.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Sequence

from recipelint.recipe.configured.hydra_words import SET, Override
from recipelint.recipe.configured.tree import MAX_PARTS, Branch, Listing, Node, Plain, Scalar, Unread
from recipelint.shell.text import Text

WORDS: dict[str, Plain] = {
    "none": None, "None": None, "true": True, "True": True, "false": False, "False": False,
}  # fmt: skip
LONGEST = 1000
"""Characters of a value past which the trainer takes it as text."""


def overrides(words: Sequence[Text], passed: frozenset[int]) -> list[Override]:
    """The overrides among the words, in order; those at the indices PASSED are something else."""
    found: list[Override] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if at - 1 in passed or not word.s.startswith("--"):
            continue
        start = len(word.s) - len(word.s.lstrip("-"))
        key, equals, _ = word.s[start:].partition("=")
        if not key or max(key) > "\xff" or key.count(".") >= MAX_PARTS:
            continue
        if equals:
            begin = start + len(key) + 1
            given = word.slice(begin, len(word.s)) if begin < len(word.s) else Text.of("")
            found.append(Override(SET, key, None, value(given), word))
        elif at < len(words) and at not in passed and not words[at].s.startswith("--"):
            found.append(Override(SET, key, None, value(words[at]), word))
            at += 1
        else:
            place = word.first_origin
            text = Text.of("true", place) if place is not None else Text.of("true")
            found.append(Override(SET, key, None, Scalar(True, text), word))
    return found


def value(text: Text) -> Node:
    """What the trainer makes of a text."""
    s = text.s
    if not text.known:
        return Unread("", text)
    if s in WORDS:
        return Scalar(WORDS[s], text)
    if len(s) > LONGEST:
        return Scalar(s, text, True)
    if re.fullmatch(r"[-+]?[0-9](?:_?[0-9]){0,24}", s):
        return Scalar(int(s) if not re.match(r"[-+]?0[0-9_]*[1-9]", s) else s, text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            warnings.simplefilter("ignore", DeprecationWarning)
            found = ast.literal_eval(s)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return Scalar(s, text, True)
    return literal(found, text)


def literal(found: object, text: Text) -> Node:
    """A literal of Python as a value, all of it at one place."""
    if isinstance(found, dict):
        return Branch({str(key): literal(one, text) for key, one in found.items()})
    if isinstance(found, list | tuple):
        return Listing(tuple(literal(one, text) for one in found))
    if found is None or isinstance(found, bool | int | str):
        return Scalar(found, text, isinstance(found, str))
    return Scalar(text.s, text)

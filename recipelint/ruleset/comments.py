"""The checks of `rules/comments.yaml`: what comments claim, and how that is recognised."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from recipelint.prose.blocks import Sentence
from recipelint.prose.claims import Phrases
from recipelint.ruleset.check import check_template
from recipelint.ruleset.document import Node
from recipelint.ruleset.vocabulary import Vocabulary, check_setting
from recipelint.source import Span

KINDS = ("safe", "broken", "used", "default")
GAPS = ("~", "...")
DISPATCHER = "moe_dispatcher"
_PLAIN = re.compile(r"[ -~]+")


def check_comments(document: Node, vocabulary: Vocabulary) -> Mapping[str, Any]:
    """The phrases; raises RuleError for the first thing that is wrong."""
    document.keys({"dispatchers", "ambiguous", "truth", "here", "silencing", "silencing_patterns", "words", "claims"})
    check_setting(document["dispatchers"], DISPATCHER, vocabulary)
    for name, words in document["dispatchers"].members():
        if name not in vocabulary[DISPATCHER]["known"]:
            words.fail(f"no dispatcher is called {name}")
        _words(words)
    for ambiguous in document["ambiguous"].elements():
        ambiguous.word(document["dispatchers"].value)
    _words(document["silencing"])
    for group in ("noun", "variable", "is", "filler", "breaks", "sizes"):
        if group not in document["words"]:
            document["words"].fail(f"words has no {group}")
    for _, words in document["words"].members():
        _words(words)
    groups = frozenset(document["words"].value)
    for pattern in document["silencing_patterns"].elements():
        _pattern(pattern, groups, named=False)
    for claim in document["claims"].elements():
        _claim(claim, document["dispatchers"].value, groups, vocabulary)
    _truth(document)
    return dict(document.value)


def _words(node: Node) -> None:
    """Words in lower case, in a list, or in lists of it."""
    for element in node.elements():
        if isinstance(element.value, list):
            _words(element)
        elif element.one_line() != element.value.lower():
            element.fail("words are in lower case")


def _claim(claim: Node, names: Collection[str], groups: Collection[str], vocabulary: Vocabulary) -> None:
    claim.keys({"kind", "of", "says", "topic", "patterns"}, {"unless", "alone", "setting"})
    claim["kind"].word(KINDS)
    if isinstance(claim["of"].value, list):
        for name in claim["of"].elements():
            name.word(names)
    else:
        claim["of"].word({"other"})
    check_template(claim["says"], {"claimed"})
    claim["topic"].word(groups)
    if "unless" in claim:
        claim["unless"].word(groups)
    if "alone" in claim:
        claim["alone"].word({"comment", "sentence"})
    if "setting" in claim:
        check_setting(claim["setting"], claim["setting"].text(), vocabulary)
    for pattern in claim["patterns"].elements():
        _pattern(pattern, groups, named=True)


def _pattern(pattern: Node, groups: Collection[str], named: bool) -> None:
    """It begins and ends with a token, has no two gaps in a row, known groups, and a claim's has one name."""
    elements = pattern.one_line().split()
    tokens = elements[1:] if elements[0] == "^" else elements
    gaps = [at for at, element in enumerate(tokens) if element in GAPS]
    if not tokens or tokens[0] in GAPS or tokens[-1] in GAPS or any(at + 1 in gaps for at in gaps):
        pattern.fail(f"{pattern.name} has a gap at an end, or two in a row")
    if elements.count("<name>") != int(named):
        pattern.fail(f"{pattern.name} needs one <name>" if named else f"{pattern.name} has no use for a <name>")
    for element in elements:
        if re.fullmatch(r"<\w+>", element) and element not in ("<name>", "<size>") and element[1:-1] not in groups:
            pattern.fail(f"no group of words is called {element}")


def _truth(document: Node) -> None:
    """What is written in place of a claim is plain text, and claims nothing that would be found again."""
    check_template(document["truth"], ())
    check_template(document["here"], {DISPATCHER})
    for key in ("truth", "here"):
        if not _PLAIN.fullmatch(document[key].value) or re.search(r"[\"'`$\\]", document[key].value):
            document[key].fail(f"{key} is a comment of plain ASCII, without quotes")
    text = document["truth"].value
    if Phrases(document.value).claims(Sentence(text, Span(0, len(text)), ((0, 0),))):
        document["truth"].fail("the truth is taken for a false claim")

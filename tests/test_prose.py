"""Comments as sentences that know their bytes, and what is put in the place of one."""

from __future__ import annotations

import re
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recipelint.commenting import Layouts
from recipelint.fix import apply
from recipelint.prose.blocks import Block, Sentence, blocks, comments_of
from recipelint.prose.claims import MAX_TOKENS, Phrases
from recipelint.prose.rewrite import replace
from recipelint.source import SourceFile, Span
from tests.properties.examples import examples
from tests.rule_cases import RULES

PHRASES = Phrases(RULES.comments)


def read(text: str, foreign: tuple[str, ...] = ()) -> list[Block]:
    source = SourceFile("a.sh", text.encode())
    return list(blocks(source, comments_of(source, Layouts().of(source).is_comment), foreign))


def said(text: str) -> list[list[str]]:
    """The sentences of each paragraph."""
    return [[one.text for one in paragraph.sentences] for block in read(text) for paragraph in block]


def claims(text: str) -> list[tuple[str, str]]:
    found = PHRASES.claims(Sentence(text, Span(0, len(text)), ((0, 0),)))
    return [(claim.form.kind, claim.name) for claim in found]


def test_sentences() -> None:
    assert said("# One, e.g. this. Two (with. a dot)!\n# And three: `a. b` ends ... here? Four\n") == [
        ["One, e.g. this.", "Two (with. a dot)!", "And three: `a. b` ends ... here?", "Four"]
    ]


def test_paragraphs() -> None:
    text = "#!/bin/bash\n#SBATCH --x\n# a\n#\n# --- title ---\n# b\n#   - c\n#     d\n#   2. e\n"
    text += "# shellcheck disable=all\n# f\n"
    assert said(text) == [["a"], ["b"], ["c d"], ["e"], ["f"]]


@pytest.mark.parametrize(
    "line",
    [
        *("#SBATCH --nodes=2", "#PBS -l nodes=2", "#BSUB -n 8", "#$ -pe mpi 8", "#@ node = 2", "#FLUX: -N 2"),
        *("# shellcheck disable=SC2086", "# recipelint: ignore[EP001]", "# vim: set ft=bash:", "# -*- mode: sh -*-"),
        *("# SPDX-License-Identifier: MIT", "# Copyright 2024 Some Body", "# Local Variables:"),
    ],
)
def test_what_speaks_to_others_is_no_part_of_a_sentence(line: str) -> None:
    assert said(f"#!/bin/bash\n# One thing\n{line}\n#\n# another\n") == [["One thing"], ["another"]]


def test_what_speaks_to_a_tool_behind_a_comment_is_no_part_of_it() -> None:
    assert said("echo 1 # One thing  # shellcheck disable=SC2086\n# Two\n# things # noqa\n# three\n") == [
        ["One thing"],
        ["Two things"],
        ["three"],
    ]


def test_a_licence_ends_at_a_line_without_words() -> None:
    assert said("# a\n# Licensed under this,\n# or that\n#\n# b\n") == [["a"], ["b"]]


def test_a_line_that_ends_early_before_a_capital_ends_a_sentence() -> None:
    assert said("# A first thing\n# Another thing, that goes on for a good while\n# Very long it was not\n") == [
        ["A first thing", "Another thing, that goes on for a good while Very long it was not"]
    ]


def test_blocks_end_where_the_indentation_changes_and_behind_commands() -> None:
    found = read("# a\n  # b\necho 1 # c\n# d\necho '# e' # f #g\n")
    assert [(block[0].sentences[0].text, block[0].lines[0].behind) for block in found] == [
        ("a", False),
        ("b", False),
        ("c", True),
        ("d", False),
        ("f #g", True),
    ]


def test_lines_of_fixes_divide() -> None:
    (block,) = read("# it is so\n# written\n# Where it is\n", foreign=("written",))
    assert [[one.text for one in paragraph.sentences] for paragraph in block] == [["it is so"], ["Where it is"]]


def test_a_sentence_without_any_name_or_with_too_many_words_claims_nothing() -> None:
    assert claims("Activation checkpointing is safe.") == []
    assert claims("Activation checkpointing is safe under hybridep.") == [("safe", "hybridep")]
    assert claims("Activation checkpointing is safe under hybridep " + "and so on " * MAX_TOKENS) == []


def test_claims_of_one_sentence() -> None:
    text = "The DeepEP dispatcher (the default) makes the recompute deterministic; "
    text += "the torch dispatcher raises CheckpointError."
    assert claims(text) == [("safe", "deepep"), ("broken", "torch"), ("default", "deepep")]


WORDS = st.lists(
    st.sampled_from(["a", "bc", "déf", "Ghi.", "(j", "k)", "lm!", "`n", "x" * 30, "2.5"]), min_size=1, max_size=9
)


@examples(100)
@given(
    lines=st.lists(WORDS, min_size=1, max_size=6),
    indent=st.sampled_from(["", "  ", "\t"]),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_sentences_have_all_the_words_and_one_can_be_replaced(lines: list[list[str]], indent: str, end: str) -> None:
    text = "".join(f"{indent}# {' '.join(words)}{end}" for words in lines) + f"echo 1{end}"
    source = SourceFile("a.sh", text.encode())
    words = [word.encode().decode("latin-1") for line in lines for word in line]
    for block in blocks(source, comments_of(source, Layouts().of(source).is_comment)):
        for paragraph in block:
            sentences = [one.text.split() for one in paragraph.sentences]
            assert [word for sentence in sentences for word in sentence] == words
            for at, sentence in enumerate(paragraph.sentences):
                span = source.text[sentence.span.start : sentence.span.end]
                assert re.sub(r"\r?\n[ \t]*# ", " ", span) == sentence.text
                for new in ("It is\nso and so.", "") if len(sentences) > 1 else ("Other words.",):
                    after = apply(source.data, [replace(source, paragraph, sentence, new)]).decode("latin-1")
                    *comment, rest = after.split(end)[:-1]
                    assert rest == "echo 1"
                    assert all(line.startswith(f"{indent}# ") and line == line.rstrip() for line in comment)
                    expected = [*sentences[:at], new.split(), *sentences[at + 1 :]]
                    assert " ".join(line[len(indent) + 2 :] for line in comment).split() == list(chain(*expected))


def test_hostile_comments_are_read_in_time_and_without_a_crash() -> None:
    for text in (
        "deepep " * 60_000,
        "(" * 200_000 + " deepep",
        "`deepep. " * 30_000,
        "deepep ~ " + "=" * 100_000,
        "a." * 90_000,
        "deepep " + "#" * 200_000,
        "deepep " + "# shellcheck " * 10_000 + " " * 100_000,
    ):
        for block in read(f"# {text}\n" + f"echo # {text}\n"):
            for paragraph in block:
                for sentence in paragraph.sentences:
                    assert not PHRASES.claims(sentence)
    many = "# Activation checkpointing and the deepep dispatcher. " * 300
    assert all(not PHRASES.claims(one) for block in read(many + "\n") for p in block for one in p.sentences)

"""Puts other words in the place of some sentences of a comment or docstring; what stands around them stays."""

from __future__ import annotations

import re
from collections.abc import Sequence

from recipelint.fix import Edit
from recipelint.python.prose import Block, Sentence
from recipelint.source import SourceFile

_NEXT = re.compile(r"#.*(?:next|noinspection)", re.IGNORECASE)
"""A comment of a tool that speaks of the line below it."""


def restated(source: SourceFile, block: Block, sentences: Sequence[Sentence], lines: Sequence[str]) -> tuple[Edit, ...]:
    """The edits that put LINES, without their opening, in the place of neighbouring sentences."""
    if not block.own:
        return _above(source, block, sentences, lines)
    first, last = sentences[0], sentences[-1]
    line = block.lines[first.lines[0]]
    newline = source.newline.decode()
    continued = _continued(block, first)
    start, end = first.start, last.end
    text = f"{newline}{continued}".join(lines)
    if start > line.start:
        kept = source.data[line.start : start].rstrip(b" \t")
        start = line.start + len(kept)
        text = f"{newline}{continued}{text}"
    ending = block.lines[last.lines[1]]
    rest = ending.text.encode(errors="surrogateescape")[end - ending.start :]
    if rest.strip():
        end += len(rest) - len(rest.lstrip())
        text += f"{newline}{continued}"
    return (Edit(source.path, start, end, text.encode(errors="surrogateescape")),)


def _continued(block: Block, sentence: Sentence) -> str:
    """What opens a further line: that of the line after the sentence's first, if it has one, else as wide a blank."""
    number = sentence.lines[0]
    if sentence.lines[1] > number:
        return block.lines[number + 1].opening
    opening = block.lines[number].opening
    indent = opening[: len(opening) - len(opening.lstrip())]
    own = opening[len(indent) :]
    if block.docstring:
        return indent + " " * min(len(own), 4)
    marks = own[: len(own) - len(own.lstrip("#:"))]
    return indent + marks + " " * (len(own) - len(marks))


def _above(source: SourceFile, block: Block, sentences: Sequence[Sentence], lines: Sequence[str]) -> tuple[Edit, ...]:
    """For a comment behind code: LINES go above that line, and the sentences, or all of the comment, go away."""
    mark, end = block.lines[0].mark, block.span.end
    number = source.line_number(mark)
    start = source.line_starts[number - 1]
    code = source.data[start:mark].rstrip()
    indent = code[: len(code) - len(code.lstrip())]
    above = b"".join(indent + b"# " + line.encode() + source.newline for line in lines)
    while number > 1 and _NEXT.match(source.line_text(number - 1).lstrip()):
        number -= 1
    place = source.line_starts[number - 1]
    if len(sentences) < sum(len(paragraph) for paragraph in block.paragraphs):
        rest = source.data[sentences[-1].end : end].lstrip()
        kept = source.data[mark : sentences[0].start] + rest
        return Edit(source.path, place, place, above), Edit(source.path, mark, end, kept.rstrip())
    return Edit(source.path, place, place, above), Edit(source.path, start + len(code), end, b"")

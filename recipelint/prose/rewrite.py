"""Other words in the place of a sentence. The lines keep their width and indentation; other sentences keep their words,
and lines that the sentence does not touch their bytes."""

from __future__ import annotations

from collections.abc import Sequence

from recipelint.fix import Edit
from recipelint.prose.blocks import Paragraph, Sentence
from recipelint.source import SourceFile

NARROWEST, WIDEST = 72, 96


def replace(source: SourceFile, paragraph: Paragraph, sentence: Sentence, text: str) -> Edit:
    """The sentence of an own line, or lines, becomes TEXT; without any it is taken out."""
    lines = paragraph.lines
    first = next(at for at, line in enumerate(lines) if line.end >= sentence.span.start)
    last = next(at for at, line in enumerate(lines) if line.end >= sentence.span.end)
    here = source.text[_line_start(source, lines[first].hash) : sentence.span.start]
    lead = source.text[_line_start(source, lines[first].hash) : lines[first].text]
    following = lines[first + 1] if first + 1 < len(lines) else None
    hanging = (
        source.text[_line_start(source, following.hash) : following.text]
        if following is not None
        else lead + " " * (paragraph.sentences[0].span.start - lines[0].text if first == 0 else 0)
    )
    tail = source.text[sentence.span.end : lines[last].end]
    words = [*text.encode().decode("latin-1").split(), *tail.split()]
    if not words:
        return _without(source, paragraph, sentence, first, last, here[len(lead) :])
    kept = here.rstrip(" \t")
    filled = source.newline.decode().join(fill(words, here, hanging, _width(source, paragraph)))
    start = sentence.span.start - (len(here) - len(kept))
    return Edit(source.path, start, lines[last].end, filled[len(kept) :].encode("latin-1"))


def _without(source: SourceFile, paragraph: Paragraph, sentence: Sentence, first: int, last: int, before: str) -> Edit:
    """Take a sentence out behind which its last line has no more: with its lines, but for what stands before it."""
    lines = paragraph.lines
    if before.strip():
        start = sentence.span.start - (len(before) - len(before.rstrip(" \t")))
        return Edit(source.path, start, lines[last].end, b"")
    after = source.line_number(lines[last].hash)
    end = source.line_starts[after] if after < len(source.line_starts) else len(source.data)
    return Edit(source.path, _line_start(source, lines[first].hash), end, b"")


def fill(words: Sequence[str], first: str, hanging: str, width: int) -> list[str]:
    """WORDS in lines of WIDTH characters: the first goes on after FIRST, the others after HANGING."""
    out, line = [], first
    for word in words:
        gap = "" if line[-1:] in (" ", "\t") else " "
        if characters(line + gap + word) > width and line.strip(" \t#"):
            out.append(line.rstrip(" \t"))
            line, gap = hanging, ""
        line += gap + word
    return [*out, line]


def characters(text: str) -> int:
    """How wide a text of one character a byte really is."""
    return len(text.encode("latin-1").decode("utf-8", "replace").expandtabs(8))


def _width(source: SourceFile, paragraph: Paragraph) -> int:
    """That of the widest line there is, within reason."""
    widths = (characters(source.text[_line_start(source, line.hash) : line.end]) for line in paragraph.lines)
    return min(max(NARROWEST, *widths), WIDEST)


def _line_start(source: SourceFile, offset: int) -> int:
    return source.line_starts[source.line_number(offset) - 1]


def drop(source: SourceFile, paragraph: Paragraph, sentence: Sentence) -> Edit:
    """Take a sentence out of the comment behind a command; with it the comment, if that says nothing else."""
    line = paragraph.lines[0]
    kept = source.text[line.text : sentence.span.start] + source.text[sentence.span.end : line.end].lstrip(" \t")
    if kept.strip():
        return Edit(source.path, line.text, line.end, kept.strip(" \t").encode("latin-1"))
    start = _line_start(source, line.hash)
    code = source.text[start : line.hash].rstrip(" \t")
    return Edit(source.path, start + len(code), line.end, b"")

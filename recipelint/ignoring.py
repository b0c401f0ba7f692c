"""What the comments that ignore findings leave, in files of either language, and which of them ignore nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from recipelint.commenting import Layouts
from recipelint.diagnostic import Diagnostic
from recipelint.python.comments import layout as python_layout
from recipelint.python.files import PythonFile
from recipelint.record import NamedTuple
from recipelint.ruleset.load import Ruleset
from recipelint.source import SourceFile
from recipelint.suppress import MENTION, UNUSED, Extent, apply, find, unused


class Sources(NamedTuple):
    """The files whose comments count: shell with their layouts, and Python."""

    shell: Mapping[str, SourceFile]
    layouts: Layouts
    python: tuple[PythonFile, ...]

    def comments(self) -> Iterator[tuple[SourceFile, Callable[[int], bool], Extent]]:
        """Each file that may hold such a comment, where its comments are, and how far its commands go."""
        for source in self.shell.values():
            if MENTION.search(source.data):
                yield source, self.layouts.of(source).is_comment, shell_extent(source, self.layouts)
        for file in self.python:
            if MENTION.search(file.source.data):
                found = python_layout(file.source)
                yield file.source, found.comment_at, found.statement(file.source)


def not_ignored(
    found: Sequence[Diagnostic], sources: Sources, ruleset: Ruleset, active: Collection[str]
) -> list[Diagnostic]:
    """What is left, and RL001 for the comments that hide nothing, though they are meant to."""
    kept: tuple[Diagnostic, ...] = tuple(found)
    extra: list[Diagnostic] = []
    for source, is_comment, extent in sources.comments():
        from recipelint.mistyped import finding, mistyped

        comments = find(source, is_comment)
        wrong = list(mistyped(source, is_comment, ruleset)) if UNUSED in active else []
        kept = (*kept, *(finding(source, one, ruleset) for one in wrong))
        if not comments:
            continue
        kept, idle = apply(kept, source, comments, extent, ruleset, active)
        if UNUSED in active:
            told = {one.span.start for one in wrong}
            extra += [unused(source, one, ruleset) for one in idle if one.span.start not in told]
    return [*kept, *extra]


def shell_extent(source: SourceFile, layouts: Layouts) -> Extent:
    """The lines of the logical command that a line belongs to."""

    def extent(line: int) -> tuple[int, int]:
        span = source.line_span(line)
        start, end = layouts.of(source).extent(span.start, span.end)
        return source.line_number(start), source.line_number(max(start, end - 1))

    return extent

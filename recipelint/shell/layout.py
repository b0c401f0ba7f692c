"""Where things stand in a launcher's text: the word at an offset, its statement, and the lines that may take a comment.

A comment is only put where bash reads it as one.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from recipelint.shell.spans import Spanned, Spans
from recipelint.shell.stretches import Slot, Stretches


class Layout(Stretches):
    """The layout of one parsed unit."""

    @cached_property
    def line_starts(self) -> list[int]:
        """The offset at which each line starts."""
        starts, at = [0], self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def line_start(self, offset: int) -> int:
        """The start of the line of OFFSET."""
        return self.line_starts[bisect_right(self.line_starts, offset) - 1]

    def comment_place(self, offset: int) -> int:
        """The start of the nearest line, at or above the one of OFFSET, above which a comment may stand."""
        at = self.line_start(offset)
        while at > 0 and not self.takes_comment(at):
            at = self.line_start(at - 1)
        return at

    def takes_comment(self, at: int) -> bool:
        """Whether a comment line may be put before the line that starts at AT."""
        before = self.text[max(0, at - 64) : at].removesuffix("\n")
        if at and before.endswith("\\") and (len(before) - len(before.rstrip("\\"))) % 2:
            return False
        narrowest = min((end - start for start, end in self.closed_spans.around(at)), default=0)
        return not narrowest or any(end - start < narrowest for start, end in self.open_spans.around(at))

    def is_comment(self, offset: int) -> bool:
        """Whether a `#` at OFFSET starts a comment."""
        spans = self.quoted_spans.touching(offset, offset + 1)
        narrowest = min((end - start for start, end in spans), default=0)
        if not narrowest:
            return True
        return any(end - start < narrowest for start, end in self.open_spans.touching(offset, offset + 1))

    def extent(self, start: int, end: int) -> Spanned:
        """The narrowest statement that touches the line [start, end); the line itself if there is none."""
        touching = list(self.statement_spans.touching(start, max(end, start + 1)))
        starting = [span for span in touching if span[0] >= start] or touching
        if not starting:
            return start, end
        return min(starting, key=lambda span: span[1] - span[0] if span[0] < start else -(span[1] - span[0]))

    def slot(self, offset: int) -> Slot | None:
        """The innermost word that covers OFFSET."""
        innermost = min(self.word_spans.touching(offset, offset + 1), key=lambda span: span[1] - span[0], default=None)
        return self.slots[innermost] if innermost is not None else None

    @cached_property
    def slots(self) -> dict[Spanned, Slot]:
        """The words by where they stand."""
        return {(slot.word.start, slot.word.end): slot for slot in self.words}

    @cached_property
    def word_spans(self) -> Spans:
        return Spans(list(self.slots))

    @cached_property
    def closed_spans(self) -> Spans:
        return Spans(self.closed)

    @cached_property
    def open_spans(self) -> Spans:
        return Spans(self.open)

    @cached_property
    def quoted_spans(self) -> Spans:
        return Spans(self.quoted)

    @cached_property
    def statement_spans(self) -> Spans:
        return Spans(self.statements)

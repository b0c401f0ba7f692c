"""Where things stand in a launcher's text: the word at an offset, its statement, and the lines that may take a comment.

A comment is only put where bash reads it as one.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from recipelint.shell.stretches import Slot, Spanned, Stretches


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
        before = self.text[:at].removesuffix("\n")
        if at and before.endswith("\\") and (len(before) - len(before.rstrip("\\"))) % 2:
            return False
        inside = [span for span in self.closed if span[0] < at < span[1]]
        if not inside:
            return True
        narrowest = min(end - start for start, end in inside)
        return any(start < at < end and end - start < narrowest for start, end in self.open)

    def is_comment(self, offset: int) -> bool:
        """Whether a `#` at OFFSET starts a comment."""
        inside = [span for span in self.quoted if span[0] <= offset < span[1]]
        if not inside:
            return True
        narrowest = min(end - start for start, end in inside)
        return any(start <= offset < end and end - start < narrowest for start, end in self.open)

    def extent(self, start: int, end: int) -> Spanned:
        """The narrowest statement that touches the line [start, end); the line itself if there is none."""
        touching = [span for span in self.statements if span[0] < end and span[1] > start]
        starting = [span for span in touching if span[0] >= start] or touching
        if not starting:
            return start, end
        return min(starting, key=lambda span: span[1] - span[0] if span[0] < start else -(span[1] - span[0]))

    def slot(self, offset: int) -> Slot | None:
        """The innermost word that covers OFFSET."""
        found = None
        for slot in self.words:
            if slot.word.start > offset:
                break
            if offset < slot.word.end:
                found = slot
        return found

"""Suggestions: put in place of their lines, they give what the edits give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recipelint.fix import Edit, apply
from recipelint.report.suggestion import Suggestion, suggestion
from recipelint.source import SourceFile
from tests.reports import as_lines

PIECES = st.lists(
    st.sampled_from([b"a", b"b c", b"\n", b"\n", b"\r\n", "训".encode(), "🚀".encode(), b""]), max_size=12
)


def made(data: bytes, *edits: tuple[int, int, bytes]) -> Suggestion | None:
    return suggestion(SourceFile("a.sh", data), [Edit("a.sh", *edit) for edit in edits])


@pytest.mark.parametrize(
    ("data", "edits", "expected"),
    [
        pytest.param(b"one\ntwo\nthree\n", [(4, 7, b"2")], (2, 2, "2"), id="a word"),
        pytest.param(b"one\ntwo\nthree\n", [(4, 4, b"# c\n")], (2, 2, "# c\ntwo"), id="a line above"),
        pytest.param(b"one\ntwo\nthree\n", [(0, 0, b"# c\n"), (8, 13, b"3")], (1, 3, "# c\none\ntwo\n3"), id="both"),
        pytest.param(b"one\ntwo\nthree\n", [(4, 8, b"")], (2, 2, ""), id="a line that goes"),
        pytest.param(b"one\ntwo\nthree\n", [(4, 7, b"")], (2, 3, "\nthree"), id="a line that becomes empty"),
        pytest.param(b"one\ntwo\n", [(4, 7, b"")], (1, 2, "one\n"), id="the last line becomes empty"),
        pytest.param(b"one\ntwo\n", [(8, 8, b"three\n")], (2, 2, "two\nthree"), id="a line below the last"),
        pytest.param(b"one\ntwo", [(3, 7, b"")], (2, 2, ""), id="the last line, which has no end, goes"),
        pytest.param(b"one\r\ntwo\r\n", [(5, 8, b"2")], (2, 2, "2"), id="crlf"),
        pytest.param(b"one\r\ntwo\r\n", [(5, 5, b"# c\r\n")], (2, 2, "# c\r\ntwo"), id="a line above in crlf"),
        pytest.param(b"\xff\none\n", [(2, 5, b"1")], (2, 2, "1"), id="other lines may be any bytes"),
        pytest.param("训 one\n".encode(), [(4, 7, b"1")], (1, 1, "训 1"), id="no ASCII before it"),
    ],
)
def test_whole_lines_as_few_as_hold_the_edits(
    data: bytes, edits: list[tuple[int, int, bytes]], expected: tuple[int, int, str]
) -> None:
    found = made(data, *edits)
    assert found == expected
    assert found is not None
    assert as_lines(data, *found) == apply(data, [Edit("a.sh", *edit) for edit in edits])


@pytest.mark.parametrize(
    ("data", "edits"),
    [
        pytest.param(b"\xff one\n", [(2, 5, b"1")], id="the line is no UTF-8"),
        pytest.param(b"one\n", [(0, 3, b"\xff")], id="the new text is no UTF-8"),
        pytest.param(b"one", [(3, 3, b"\n")], id="the last line end comes"),
        pytest.param(b"one\n", [(3, 4, b"")], id="the last line end goes"),
        pytest.param(b"one\n", [(0, 3, b"one")], id="nothing changes"),
        pytest.param(b"one\n", [(0, 3, b"")], id="the only line becomes empty, which would read as a removal"),
    ],
)
def test_what_cannot_be_said_in_lines_is_no_suggestion(data: bytes, edits: list[tuple[int, int, bytes]]) -> None:
    assert made(data, *edits) is None


@given(PIECES, st.data())
def test_put_in_place_it_gives_what_the_edits_give(pieces: list[bytes], data: st.DataObject) -> None:
    text = b"".join(pieces)
    cuts = sorted(
        data.draw(
            st.lists(st.integers(0, len(text)), min_size=2, max_size=4, unique=True) if len(text) > 3 else st.just([])
        )
    )
    edits = [
        (start, end, data.draw(st.sampled_from([b"", b"x", b"# c\n", b"# c\r\n", b"\n"])))
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    found = made(text, *edits)
    if found is None:
        return
    assert as_lines(text, *found) == apply(text, [Edit("a.sh", *edit) for edit in edits])
    assert 1 <= found.first <= found.last <= text.count(b"\n") + (not text.endswith(b"\n"))

"""Bytes and positions: what one makes of the other, for every way of counting and every line end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from recipelint.server.documents import changed, opened, path_of, uri_of
from recipelint.server.positions import Lines, encoded
from recipelint.source import Span

WIDTHS = {
    "utf-8": lambda char: len(char.encode("utf-8")),
    "utf-16": lambda char: len(char.encode("utf-16-le")) // 2,
    "utf-32": lambda char: 1,
}
TEXTS = st.text(st.sampled_from("ab$\n\r é🚀\u2028\x0c"), max_size=30)


@pytest.mark.parametrize(
    ("encoding", "columns"),
    [("utf-8", [0, 1, 5, 7, 8]), ("utf-16", [0, 1, 3, 4, 5]), ("utf-32", [0, 1, 2, 3, 4])],
)
def test_columns_in_each_encoding(encoding: str, columns: list[int]) -> None:
    lines = Lines("x\na🚀éb".encode(), encoding)
    offsets = [2, 3, 7, 9, 10]
    assert [lines.position(at) for at in offsets] == [types.Position(1, column) for column in columns]
    assert [lines.offset(types.Position(1, column)) for column in columns] == offsets


def test_lines_end_as_the_protocol_has_it() -> None:
    lines = Lines(b"a\r\nb\rc\x0cd\n", "utf-16")
    assert [lines.position(at) for at in (0, 1, 2, 3, 4, 5, 8, 9)] == [
        types.Position(*at) for at in ((0, 0), (0, 1), (0, 1), (1, 0), (1, 1), (2, 0), (2, 3), (3, 0))
    ]


def test_what_is_behind_the_end_is_the_end() -> None:
    lines = Lines("é\nb".encode(), "utf-16")
    assert lines.offset(types.Position(0, 99)) == 2
    assert lines.offset(types.Position(1, 99)) == 4
    assert lines.offset(types.Position(99, 0)) == 4
    assert lines.position(99) == types.Position(1, 1)
    assert lines.span(types.Range(types.Position(1, 1), types.Position(0, 0))) == Span(4, 4)


def test_the_middle_of_a_character_is_its_start() -> None:
    lines = Lines("🚀x".encode(), "utf-16")
    assert lines.offset(types.Position(0, 1)) == 0
    assert Lines("éx".encode(), "utf-8").offset(types.Position(0, 1)) == 0


def test_bytes_that_are_no_text_count_one_each() -> None:
    lines = Lines(b"\xff\xfex", "utf-16")
    assert lines.position(2) == types.Position(0, 2)
    assert lines.offset(types.Position(0, 2)) == 2


@given(TEXTS, st.sampled_from(sorted(WIDTHS)), st.data())
def test_a_position_leads_back_to_its_byte(text: str, encoding: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    if text[at - 1 : at + 1] == "\r\n":
        at -= 1  # inside of a line end
    lines = Lines(text.encode(), encoding)
    where = lines.position(len(text[:at].encode()))
    parts = text[:at].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert where == types.Position(len(parts) - 1, sum(map(WIDTHS[encoding], parts[-1])))
    assert lines.offset(where) == len(text[:at].encode())


@given(TEXTS, TEXTS, st.sampled_from(sorted(WIDTHS)), st.data())
def test_a_change_leaves_what_the_editor_has(text: str, new: str, encoding: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    lines = Lines(text.encode(), encoding)
    where = lines.range(Span(len(text[:start].encode()), len(text[:end].encode())))
    span = lines.span(where)  # a place inside of \r\n is before it
    document = opened(types.TextDocumentItem("file:///a.sh", "shellscript", 1, text))
    made = changed(document, 2, [types.TextDocumentContentChangePartial(where, new)], encoding)
    assert made.data == text.encode()[: span.start] + new.encode() + text.encode()[span.end :]
    assert made.version == 2


def test_changes_count_in_the_text_that_the_one_before_left() -> None:
    document = opened(types.TextDocumentItem("file:///a.sh", "shellscript", 1, "🚀b"))

    def insert(column: int, text: str) -> types.TextDocumentContentChangePartial:
        at = types.Position(0, column)
        return types.TextDocumentContentChangePartial(types.Range(at, at), text)

    made = changed(document, 2, [insert(2, "é"), insert(3, "c"), insert(0, "\n")], "utf-16")
    assert made.data == "\n🚀écb".encode()
    assert changed(made, 3, [types.TextDocumentContentChangeWholeDocument("x")], "utf-16").data == b"x"


def test_half_of_a_surrogate_pair_is_replaced() -> None:
    assert encoded("a\ud83db") == b"a?b"


@pytest.mark.parametrize("path", ["/a b/é%41.sh", "/a#b?c;d&e:f.sh", "/x/[y]{z}~.sh", "/tmp/\udcff.sh"])
def test_a_path_comes_back_from_its_uri(path: str) -> None:
    assert path_of(uri_of(path)) == path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a%20b/../c.sh", "/c.sh"),
        ("FILE://localhost/a.sh", "/a.sh"),
        ("file://host/share/a.sh", None),
        ("file:///a%00b", None),
        ("untitled:Untitled-1", None),
        ("file:relative.sh", None),
        ("http://[", None),
        ("", None),
    ],
)
def test_uris_that_are_paths_and_others(uri: str, path: str | None) -> None:
    assert path_of(uri) == path

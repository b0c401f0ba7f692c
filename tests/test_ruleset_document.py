"""YAML becomes plain values with their lines, and nothing else of YAML gets in."""

from __future__ import annotations

import pytest

from recipelint.ruleset.document import MAX_BYTES, MAX_DEPTH, RuleError, read

TEXT = b"""\
# a comment
a: 1
b:
  - x
  - {c: off, d: 'true', e: "1"}
f: |
  two
    lines
g: >-
  folded
  text
h: [true, null, ~, -3, 1.5, '', no]
"""


def test_plain_values() -> None:
    assert read("x.yaml", TEXT).value == {
        "a": 1,
        "b": ["x", {"c": "off", "d": "true", "e": "1"}],
        "f": "two\n  lines\n",
        "g": "folded text",
        "h": [True, None, None, -3, "1.5", "", "no"],
    }


def test_lines_are_those_of_the_keys() -> None:
    document = read("x.yaml", TEXT)
    assert document["b"].line == 3
    assert document["b"][1]["d"].line == 5
    assert document["f"].line == 6
    assert document["h"][0].line == 12


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (b"a: 1\nb: 2\na: 3\n", 3, 'duplicate key "a"'),
        (b"a: {b: 1, b: 2}\n", 1, 'duplicate key "b"'),
        (b"a: 1\nb: &here 2\n", 2, "anchors and aliases are not allowed"),
        (b"a: 1\nb: *here\n", 2, "anchors and aliases are not allowed"),
        (b"a: !!python/object:os.system x\n", 1, "tags are not allowed"),
        (b"a: !mine x\n", 1, "tags are not allowed"),
        (b"a: 1\n---\nb: 2\n", 3, "more than one document"),
        (b"? [a]\n: 1\n", 1, "a key must be text"),
        (b"1: 2\n", 1, "a key must be text"),
        (b"- a\n", 1, "must be a mapping"),
        (b"", 1, "must be a mapping"),
        (b"a: 1\nb: [\n", 3, "expected the node content, but found '<stream end>'"),
        (b"a: 1\nb: \xff\n", 2, "not UTF-8"),
        (b"a: " + b"[" * (MAX_DEPTH + 2), 1, f"nested deeper than {MAX_DEPTH}"),
    ],
)
def test_errors_have_a_line(text: bytes, line: int, message: str) -> None:
    with pytest.raises(RuleError) as caught:
        read("x.yaml", text)
    assert str(caught.value) == f"x.yaml:{line}: {message}"


def test_a_control_character() -> None:
    with pytest.raises(RuleError, match=r"x\.yaml:1: unacceptable character"):
        read("x.yaml", b"a: \x01")


def test_a_long_number_stays_text() -> None:
    assert read("x.yaml", b"a: " + b"9" * 5000).value == {"a": "9" * 5000}


def test_a_file_that_is_too_large_has_no_line() -> None:
    with pytest.raises(RuleError, match=rf"^x\.yaml: more than {MAX_BYTES} bytes$"):
        read("x.yaml", b"#" * (MAX_BYTES + 1))


def test_keys_and_values_are_counted() -> None:
    assert read("x.yaml", b"a: [b, c, d]\n", max_nodes=6).value == {"a": ["b", "c", "d"]}
    with pytest.raises(RuleError, match=r"^x\.yaml:1: too many keys and values$"):
        read("x.yaml", b"a: [b, c, d]\n", max_nodes=4)

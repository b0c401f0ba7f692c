"""A regular expression that is compiled late does what one does that is compiled at once."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from recipelint.lazily import regex


def test_it_is_the_pattern() -> None:
    late, at_once = regex(r"(?P<a>\d)|B", re.I), re.compile(r"(?P<a>\d)|B", re.I)
    for name in ("match", "search", "fullmatch", "findall", "split"):
        for _ in range(2):
            assert str(getattr(late, name)("b1")) == str(getattr(at_once, name)("b1")), name
    assert (late.sub("x", "1"), late.pattern, late.flags) == ("x", at_once.pattern, at_once.flags)
    assert regex(rb"a+").findall(b"aab") == [b"aa"]


def test_a_wrong_one_is_an_error_when_it_is_used() -> None:
    with pytest.raises(re.error):
        regex("(").match("x")


def test_nothing_is_compiled_before_it_is_used() -> None:
    code = "import re; re.compile = None; from recipelint.lazily import regex; regex('a')"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert subprocess.run([sys.executable, "-c", f"{code}.match"], check=False, stderr=-3).returncode == 1

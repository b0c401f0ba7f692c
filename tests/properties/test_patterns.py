"""Patterns that Python's matcher would try for ages are told from those it matches at once."""

from __future__ import annotations

import pytest

from recipelint.shell.pattern import is_hard, is_hard_regex


@pytest.mark.parametrize("regex", ["(a|a)*b", "^((a|aa|aaa)*)c$", "(.*)" * 10 + "b", "^(a?){30}a{30}$", "a?" * 30])
def test_hard_regexes(regex: str) -> None:
    assert is_hard_regex(regex, "a" * 40)


@pytest.mark.parametrize("regex", ["^[0-9]+$", "^([^=]+)=(.*)$", "^([0-9]+,)*[0-9]+$", "^v?([0-9]+)(\\.[0-9]+)?$"])
def test_easy_regexes(regex: str) -> None:
    assert not is_hard_regex(regex, "12,13")


def test_groups() -> None:
    assert is_hard("+(a|aa)b", "a" * 40)
    assert not is_hard("+(a|b)c", "a" * 40)

"""Fixtures that several test files share."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

RULES = Path(__file__).resolve().parent.parent / "rules"

_seen: list[str] | None = None
_watched: frozenset[str] = frozenset()
_hooked = False


def _hook(event: str, _: tuple[object, ...]) -> None:
    if _seen is not None and event in _watched:
        _seen.append(event)


@pytest.fixture(autouse=True)
def _nothing_is_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the evaluator, or of the reading of trainers, fails the test that meets it."""
    monkeypatch.setattr("recipelint.python.trainer.UNFORESEEN", ())
    monkeypatch.setattr("recipelint.shell.evaluate.UNFORESEEN", ())


@pytest.fixture(scope="session", autouse=True)
def _rules_are_read_once() -> Iterator[None]:
    """Many tests compile the rules with one file changed; the others are read from YAML once. No Node changes."""
    from recipelint.ruleset import compile as compiling
    from recipelint.ruleset import document

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiling, "read", cache(document.read))
        yield


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A copy of the rules, to change a file in."""
    return Path(shutil.copytree(RULES, tmp_path / "rules"))


@pytest.fixture
def audit(request: pytest.FixtureRequest) -> Callable[[str], list[str]]:
    """Start to watch for audit events, named in one text; the list that comes back fills with those that happen."""

    def watch(events: str) -> list[str]:
        global _seen, _watched, _hooked
        if not _hooked:  # an audit hook cannot be taken away again
            sys.addaudithook(_hook)
            _hooked = True
        _seen, _watched = [], frozenset(events.split())
        request.addfinalizer(stop)
        return _seen

    def stop() -> None:
        global _seen
        _seen = None

    return watch

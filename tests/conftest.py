"""Fixtures that several test files share."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests import shipped

# What the tests check is to be worked out, and nothing of it is to be found by others.
os.environ["RECIPELINT_NO_CACHE"] = "1"

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


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of one test run have in common."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def checkout(shared: Path) -> Path:
    """The sources as a fresh clone would have them, committed and tagged. Not to be changed."""
    return shipped.once(shared, "checkout", shipped.check_out)


@pytest.fixture(scope="session")
def distributions(checkout: Path, shared: Path) -> tuple[Path, Path]:
    """The sdist, and the wheel that is built from it."""
    out = shipped.once(shared, "dist", lambda folder: shipped.build(checkout, folder))
    return next(out.glob("*.tar.gz")), next(out.glob("*.whl"))


@pytest.fixture(scope="session")
def installed(distributions: tuple[Path, Path], shared: Path) -> Path:
    """The programs of an environment that has nothing but the wheel and what it asks for."""
    return shipped.once(shared, "installed", lambda folder: shipped.install(folder, distributions[1])) / "bin"


@pytest.fixture
def molt(tmp_path: Path) -> Path:
    """A copy of the fixture launchers, in a repository."""
    root = Path(shutil.copytree(RULES.parent / "tests" / "fixtures" / "molt", tmp_path / "molt"))
    (root / ".git").mkdir()
    return root


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """An empty repository."""
    (tmp_path / "tree" / ".git").mkdir(parents=True)
    return tmp_path / "tree"

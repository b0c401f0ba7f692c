"""What docs/tutorial.md promises to somebody who has nothing yet: each command prints what the page shows."""

from __future__ import annotations

from pathlib import Path

from tests.proofs import proved_by
from tests.readme_blocks import TUTORIAL
from tests.tutorial import ground, session

MINE = proved_by("tests/test_new_user.py::test_a_new_user_sees_what_the_page_shows")


def test_a_new_user_sees_what_the_page_shows(checkout: Path, tmp_path: Path) -> None:
    assert {page for page, _, _ in MINE} == {TUTORIAL}
    folder, env = ground(tmp_path, checkout)
    for step, real in session(TUTORIAL.read_text("utf-8"), folder, env):
        assert step.fits(real), f"$ {step.command}\n{real}"

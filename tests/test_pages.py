"""No block of README.md or docs is there that no test would miss."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.proofs import PROOFS, proof_of, proved_by
from tests.readme_blocks import EVERY_PAGE, FENCE, README, ROOT, every_block


@pytest.mark.parametrize("page", EVERY_PAGE, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_block_has_a_proof(page: Path) -> None:
    blocks = every_block(page.read_text("utf-8"))
    assert [f"{block.language}: {block.body[:60]!r}" for block in blocks if not proof_of(page, block)] == []


@pytest.mark.parametrize("page", EVERY_PAGE, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_block_is_seen(page: Path) -> None:
    """Nothing is left that a reader takes for a block: a fence without a language, of tildes, or in a list."""
    assert re.findall(r"^\s*(?:```|~~~|    ).*", FENCE.sub("", page.read_text("utf-8")), re.MULTILINE) == []


def links(page: Path) -> set[Path]:
    """The files that a page leads to."""
    prose = FENCE.sub("", page.read_text("utf-8"))
    found = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", prose)
    return {(page.parent / link).resolve() for link in found}


def test_every_page_leads_somewhere_and_the_readme_to_every_page() -> None:
    assert [link for page in EVERY_PAGE for link in links(page) if not link.exists()] == []
    reached, new = {README}, {README}
    while new:
        new = {link for page in new for link in links(page) if link in EVERY_PAGE or link / "README.md" in EVERY_PAGE}
        new = {link / "README.md" if link.is_dir() else link for link in new} - reached
        reached |= new
    assert set(EVERY_PAGE) - reached == set()


@pytest.mark.parametrize("test", sorted({proof.test for proof in PROOFS}))
def test_every_proof_is_a_test_that_takes_its_blocks(test: str) -> None:
    file, _, name = test.partition("::")
    source = (ROOT / file).read_text("utf-8")
    assert f"\ndef {name}(" in source
    assert f'"{test}"' in source
    assert proved_by(test)

"""Which test proves which blocks of README.md and docs: every block is one test's, found by its language and its page.

A test asks `proved_by` for its blocks, so that a line of the table is no promise but the test's own input.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from tests.readme_blocks import EVERY_PAGE, ROOT, Block, every_block


@dataclass(frozen=True)
class Proof:
    """The blocks of a language, on the pages that a glob names, and the test that takes them."""

    language: str
    pages: str
    test: str

    def takes(self, page: Path, block: Block) -> bool:
        return block.language == self.language and fnmatchcase(page.relative_to(ROOT).as_posix(), self.pages)


PROOFS = (
    Proof("console", "docs/tutorial.md", "tests/test_new_user.py::test_a_new_user_sees_what_the_page_shows"),
    Proof("toml", "docs/tutorial.md", "tests/test_new_user.py::test_a_new_user_sees_what_the_page_shows"),
    Proof("console", "*", "tests/test_readme.py::test_every_command_prints_what_the_page_shows"),
    Proof("toml", "docs/rules/*", "tests/test_rule_pages.py::test_configuration_ignores"),
    Proof("sh", "docs/terminal.md", "tests/test_completion.py::test_the_page_puts_scripts_where_shells_look"),
    Proof("sh", "docs/editors.md", "tests/test_editors_page.py::test_the_extra_is_there"),
    Proof("json", "docs/editors.md", "tests/test_editors_page.py::test_json_is_what_other_tests_try"),
    Proof("toml", "docs/editors.md", "tests/test_editors_page.py::test_helix_starts_it_for_languages_that_it_has"),
    Proof("lua", "docs/editors.md", "tests/test_editors_page.py::test_neovim_starts_the_command_of_the_others"),
    Proof("elisp", "docs/editors.md", "tests/test_editors_page.py::test_emacs_starts_the_command_of_the_others"),
    Proof("toml", "*", "tests/test_readme.py::test_configuration_is_accepted"),
    Proof("yaml", "*", "tests/test_readme.py::test_yaml_is_what_its_reader_takes"),
    Proof("bash", "docs/rules/*", "tests/test_rule_pages.py::test_code_is_tried_or_ignores"),
    Proof("python", "docs/rules/*", "tests/test_rule_pages.py::test_code_is_tried_or_ignores"),
    Proof("bash", "README.md", "tests/test_readme.py::test_launchers_on_the_page_are_silenced_by_their_ignores"),
    Proof("sh", "README.md", "tests/test_readme.py::test_commands_without_output_run"),
    Proof("sh", "docs/formats.md", "tests/test_readme.py::test_reviewdog_is_given_what_it_reads"),
    Proof("text", "README.md", "tests/test_readme.py::test_messages_are_ones_that_diagnose_knows"),
)
"""The first that takes a block is its proof."""


def proof_of(page: Path, block: Block) -> str:
    """The test that proves a block; "" if there is none."""
    return next((proof.test for proof in PROOFS if proof.takes(page, block)), "")


def proved_by(test: str) -> list[tuple[Path, int, Block]]:
    """The blocks that a test proves, each with its page and its number among the blocks of the page."""
    return [
        (page, number, block)
        for page in EVERY_PAGE
        for number, block in enumerate(every_block(page.read_text("utf-8")), 1)
        if proof_of(page, block) == test
    ]

"""The tables of docs/own-rules.md that are made of the facts of the checks.

`python tests/own_rules_page.py` writes them where the page has the comment that names one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from recipelint.ruleset import check, document, keys, own, own_files
from recipelint.ruleset.cases import MAX_CASES, MAX_TREE
from recipelint.ruleset.condition import FLAGS, OPERATORS, ORDER

PAGE = Path(__file__).parent.parent / "docs" / "own-rules.md"
MARK = re.compile(r"<!-- (\w+) -->\n(?:\n(?:\|.*\n)+)?")
_NEEDED = "required"


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "".join(f"|{'|'.join(f' {cell} ' if cell != '---' else cell for cell in row)}|\n" for row in lines)


def _keys(known: keys.Keys, left_out: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    return [
        (f"`{key}`", _NEEDED if key in known.required else "", about.replace("|", "\\|"))
        for key, about in known.all.items()
        if key not in left_out
    ]


def _words(known: Mapping[str, str]) -> str:
    return "; ".join(f"`{word}`: {about}" for word, about in known.items())


def _answer(operator: str) -> str:
    if operator in FLAGS:
        return "`true`"
    if operator == "one_of":
        return "a list of values"
    if operator in check.DIVISORS:
        return "a number, or a list of settings"
    return "a number" if operator in ORDER else "a value"


def tables() -> dict[str, str]:
    """The tables by their marks."""
    rule = _keys(keys.RULE, ("placeholders", "fires", "facts"))
    where = {"fix": keys.FIX, "examples": keys.EXAMPLES, "variants": keys.VARIANT}
    rows = []
    for row in rule:
        rows.append(row)
        inner = where.get(row[0].strip("`"))
        if inner:
            rows += [(f"`{row[0].strip('`')}.{key.strip('`')}`", needed, about) for key, needed, about in _keys(inner)]
    cases: dict[str, tuple[str, ...]] = {}
    for known in (keys.CASES, keys.VALID, keys.INVALID, keys.FIXED):
        cases.update({row[0]: (row[0], row[2]) for row in _keys(known)})
    limits = [
        ("a file", f"{own_files.MAX_FILE_BYTES // 1024} KiB, folders and values nested {document.MAX_DEPTH} deep"),
        ("all files", f"{own_files.MAX_FILES}, {own_files.MAX_BYTES // 1024} KiB, {own.MAX_NODES:,} keys and values"),
        ("a folder", f"{own_files.MAX_ENTRIES:,} entries, nested {own_files.MAX_DEPTH} deep"),
        ("a text that is one line", f"{document.MAX_LINE:,} characters, {check.MAX_PLACEHOLDERS} placeholders"),
        ("a rule", f"{check.MAX_COMPARISONS} comparisons, its variants included"),
        ("a case file", f"{MAX_CASES} cases, {MAX_TREE} files beside each launcher"),
    ]
    return {
        "keys": table(("key", "", "what it says"), rows),
        "operators": table(
            ("question", "answer", "holds if the setting"),
            [(f"`{name}`", _answer(name), words) for name, words in OPERATORS.items()],
        ),
        "cases": table(("key of a case file", "what it says"), list(cases.values())),
        "limits": table(("of", "at most"), limits),
    }


def filled(page: str) -> str:
    """The page with its tables."""
    made = tables()
    return MARK.sub(lambda mark: f"<!-- {mark[1]} -->\n\n{made[mark[1]]}", page)


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text("utf-8")), "utf-8")

"""What in a comment is no prose, but speaks to a tool, an editor, a batch system or a lawyer: it is never restated.

The kinds are data. Too much may count as one, too little not: what is none by mistake is only left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from recipelint.lazily import regex

TOOLS = tuple(
    "autoflake autopep8 bandit black codespell coverage cspell cython distutils doctest flake8 fmt isort lgtm lint "
    "monkeytype mypy pragma pycln pydocstyle pylint pyre pyright pytype recipelint reuse ruff semgrep shfmt sourcery "
    "sphinx ty type yapf".split()
)
"""Those whose words are `name: …` or `name=…`."""
WORDS = (
    *("noqa", "nosec", "nosemgrep", "nosonar", "nopep8", "nopycln", "noinspection", "noreorder", "nocover"),
    *("no-cython-lint", "pyre-(?:ignore|fixme|strict|unsafe)", "recipelint", "shellcheck", "(?:end)?region"),
    r"spdx-[\w-]*",
)
"""What alone makes the comment that it starts one."""
MARKS = ("%%", "///", "language=")
BATCH = ("SBATCH", "PBS", "BSUB", "COBALT", "FLUX", "HQ", "JSV", "MSUB", "OAR", "PJM", "QSUB", "SLURM", "BB", "DW")
"""What batch systems read, in capitals; SGE and LoadLeveler read `$` and `@`."""
EDITORS = (r"-\*-", r"(?<![^\s#])vim?(?:[<>=]?\d+)?:", r"(?<![^\s#])ex:[ \t]*set?\b", r"kate:", r"sublime:")
"""Anywhere in a comment."""
LICENCES = (
    *("copyright", r"\(c\)", "\xc2?\xa9", r"licen[cs]", "all rights reserved", "permission is hereby"),
    *("redistribution and use", "this (?:program|software|file) is", "distributed under", "dual.licen[cs]ed"),
    *("you may (?:not use|obtain)", "unless required by", "without warrant", "limitations under", "local variables:"),
)
"""What starts a line that is, with the lines below it, a licence or alike."""

_HASH = r"(?<!#)#+[ \t]*"
_NAMED = rf"(?:{'|'.join(TOOLS)})(?:[ \t]*:|=)"
_START = regex(
    rf"{_HASH}(?:{_NAMED}|(?:{'|'.join(WORDS)})(?![\w.])|{'|'.join(MARKS)}|(?-i:(?:{'|'.join(BATCH)})\b|(?<=#)[!$@]))"
    rf"|#[^#\n]*?(?:{'|'.join(EDITORS)})|(?<![\w.])(?:pylint|shellcheck|nosec)[ \t]*[:=]",
    re.IGNORECASE,
)
_LICENCE = regex(rf"{_HASH}(?:{'|'.join(LICENCES)})", re.IGNORECASE)
MODELINE = regex("|".join(EDITORS[1:3]))
"""Of vim, which reads it in the first and last lines of a file alone."""
_NEXT = regex(r"(?:^|(?<=[ \t]))#")
_TEXT = regex(r"\w")
COOKIE = regex(r"[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+")
"""What declares a file's encoding (PEP 263), on one of its first two lines."""


def plain(text: str, start: int, end: int, *, head: bool = False) -> tuple[int, int] | None:
    """The first stretch of the comment at [start, end) of TEXT that is prose, from its `#`; None for none.

    HEAD: the comment is on one of the first two lines, where an encoding may be declared.
    """
    if head and COOKIE.match(text, start, end):
        return None
    at = start
    while at < end:
        found = _START.search(text, at, end)
        if found is None:
            return at, end
        if text[found.start()] == "#" and _TEXT.search(text, at, found.start()):
            return at, at + len(text[at : found.start()].rstrip())
        following = _NEXT.search(text, found.end(), end)
        if following is None:
            return None
        at = following.start()
    return None


def directives(text: str) -> Iterable[str]:
    """What of a comment speaks to others, piece by piece."""
    at = 0
    while found := _START.search(text, at):
        following = _NEXT.search(text, found.end())
        at = following.start() if following is not None else len(text)
        yield text[found.start() : at].strip()
    if _LICENCE.match(text):
        yield text.strip()


def is_licence(text: str, start: int, end: int) -> bool:
    """Whether the comment at [start, end) of TEXT starts a licence."""
    return _LICENCE.match(text, start, end) is not None

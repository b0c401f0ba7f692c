"""Whether the file in the tree is the one that a launch runs: not elsewhere, in another folder, or rewritten before.

A launcher is taken apart into commands once, and each is looked at once, so that the time is linear in its length.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from recipelint.lazily import regex
from recipelint.record import NamedTuple
from recipelint.shell.text import Text

REVISION = regex(
    r"\bgit[ \t]+(?:-C[ \t]+\S+[ \t]+)?(?:checkout|switch|reset|pull|apply|stash|am|merge|rebase|restore|cherry-pick)\b"
    r"|\bpatch[ \t]+-"
)
"""Commands that put another revision of the files in place; so does `cp overlay/* .`."""
COPY = regex(r"\bcp\b")
HERE = regex(r"[ \t]\./?(?:[ \t]|\Z)")
WRITER = regex(r">|\btee\b|\bcp\b|\bmv\b|\bsed[ \t]+-[a-zA-Z]*i|\bln\b|\brsync\b|\binstall\b|\bperl\b")
"""What may write a file that is named behind it."""
COMMENT = regex(r"^[ \t]*#.*$", re.MULTILINE)
SBATCH_FOLDER = regex(r"^#SBATCH[ \t]+(?:-D|--chdir)\b", re.MULTILINE)
ENDS = regex(r"[\n;|&]")
"""What ends a command, near enough."""


class Place(NamedTuple):
    """How the files that a launch reads are found in its tree.

    folder   where it is started, from the tree's root; None where that is not known
    tree     the folder of the trainer's own tree, if its entry point is a file of this one
    path     the place of a text that names a file; None for one that is not in the tree
    stands   whether a file of the tree is the one that the launch reads, by its name
    """

    folder: str | None
    tree: str | None
    path: Callable[[Text], str | None]
    stands: Callable[[str], bool]


def stands(data: Mapping[str, Any], wrappers: Sequence[str], command: str, text: str, entry_point: str) -> bool:
    """DATA is `rules/launchers.yaml`, COMMAND the launch and TEXT the launcher."""
    name = posixpath.basename(entry_point) if entry_point.endswith(".py") else entry_point.rpartition(".")[2] + ".py"
    return file_stands(data, wrappers, command, text, name)


def file_stands(data: Mapping[str, Any], wrappers: Sequence[str], command: str, text: str, name: str) -> bool:
    """The same of any file that the launch reads, by its name."""
    if not set(data.get("elsewhere", ())).isdisjoint(wrappers):
        return False
    if any(re.search(rf"(?<!\S){re.escape(option)}(?=[=\s])", command) for option in data.get("folder_options", ())):
        return False
    return not _moves(text) and not _writes(text, name)


@lru_cache(maxsize=16)
def _commands(text: str) -> tuple[str, ...]:
    return tuple(ENDS.split(COMMENT.sub("", text)))


@lru_cache(maxsize=16)
def _moves(text: str) -> bool:
    """Whether a launcher puts other files in place, or runs in another folder."""
    return bool(SBATCH_FOLDER.search(text)) or any(map(_replaces, _commands(text)))


def _replaces(command: str) -> bool:
    if REVISION.search(command):
        return True
    copy = COPY.search(command)
    star = command.find("*", copy.end()) if copy else -1
    return star >= 0 and bool(HERE.search(command, star + 1))


@lru_cache(maxsize=64)
def _writes(text: str, name: str) -> bool:
    """Whether a launcher may write a file of this name."""
    if name not in text:
        return False
    if ENDS.search(name):
        return True
    named = re.compile(r"(?<![\w.-])" + re.escape(name) + r"(?![\w.-])")
    return any(
        bool(named.search(command, writer.end()))
        for command in _commands(text)
        if name in command and (writer := WRITER.search(command))
    )

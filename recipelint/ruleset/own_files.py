"""The files of a team's own rules, found and read within bounds; nothing in them is parsed here.

The folders belong to the repository that is linted, so nothing in them is trusted: they are small and shallow, only
regular files are read, and no link leads out of them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from recipelint.discovery.reading import UnreadableFile, read
from recipelint.ruleset.document import RuleError
from recipelint.ruleset.heading import CODE, SUFFIXES

MAX_FILE_BYTES = 64 * 1024
MAX_BYTES = 1024 * 1024
MAX_FILES = 500
MAX_ENTRIES = 4000
MAX_DEPTH = 4
RULE, SETTINGS, FRAMEWORKS, CASES = "rule", "settings", "frameworks", "tests"
CASES_ENDING = ".cases"


class OwnFile(NamedTuple):
    """A file of a team: its path as it is shown, and its kind: RULE, SETTINGS, FRAMEWORKS or CASES."""

    path: str
    kind: str


class Contents(NamedTuple):
    """The files with their bytes. Equal contents have equal rules."""

    files: tuple[tuple[OwnFile, bytes], ...]


def own_files(path: str, limit: str | None) -> tuple[OwnFile, ...]:
    """The files of a folder, or the one file that PATH is, sorted; no link leads out of LIMIT, else of the folder.

    Raises RuleError for what a team's rules cannot be.
    """
    if not os.path.exists(path):
        raise RuleError(path, 0, "no such file or folder")
    if not os.path.isdir(path):
        if not path.endswith(SUFFIXES):
            raise RuleError(path, 0, "a rule file ends in .yaml")
        return (OwnFile(path, RULE),)
    found = tuple(sorted(_walk(path, "", os.path.realpath(limit or path), [0]), key=lambda one: one.path))
    if len(found) > MAX_FILES:
        raise RuleError(path, 0, f"more than {MAX_FILES} files")
    return found


def _walk(folder: str, inner: str, limit: str, seen: list[int]) -> Iterator[OwnFile]:
    """The files below FOLDER/INNER. SEEN counts the entries of all folders."""
    here = os.path.join(folder, inner) if inner else folder
    try:
        with os.scandir(here) as entries:
            for entry in entries:
                seen[0] += 1
                if seen[0] > MAX_ENTRIES:
                    raise RuleError(folder, 0, f"more than {MAX_ENTRIES} files and folders")
                name = f"{inner}/{entry.name}" if inner else entry.name
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    if name.count("/") + 1 > MAX_DEPTH:
                        raise RuleError(entry.path, 0, f"folders are nested deeper than {MAX_DEPTH}")
                    yield from _walk(folder, name, limit, seen)
                elif entry.is_symlink() and entry.is_dir():
                    raise RuleError(entry.path, 0, "is a symbolic link to a folder; name that folder itself")
                elif name.endswith(SUFFIXES):
                    if entry.is_symlink() and not _inside(os.path.realpath(entry.path), limit):
                        raise RuleError(entry.path, 0, f"is a symbolic link that leads out of {os.path.relpath(limit)}")
                    yield OwnFile(entry.path, _kind(name))
    except OSError as error:
        raise RuleError(str(error.filename or here), 0, error.strerror or str(error)) from None


def _inside(real: str, limit: str) -> bool:
    return real == limit or real.startswith(limit.rstrip(os.sep) + os.sep)


def _kind(name: str) -> str:
    """What a file is, by its path inside the folder."""
    folders, stem = name.split("/")[:-1], name.rpartition("/")[2].rpartition(".")[0]
    if CASES in folders or stem.endswith(CASES_ENDING):
        return CASES
    if folders == [FRAMEWORKS]:
        return FRAMEWORKS
    return SETTINGS if not folders and stem == SETTINGS else RULE


def contents(paths: Sequence[str], limit: str | None, *, cases: bool = False, origin: str = "") -> Contents:
    """The bytes of a team's files, with CASES those of its case files as well.

    Raises RuleError, which says what gave a path that cannot be used: ORIGIN.
    """
    found: dict[str, tuple[OwnFile, bytes]] = {}
    total = 0
    for path in paths:
        with _given_by(origin, path):
            named = own_files(path, limit)
        for file in (*named, *(_beside(path, limit) if cases else ())):
            if (file.kind == CASES and not cases) or os.path.abspath(file.path) in found:
                continue
            data = _bytes(file.path)
            total += len(data)
            if total > MAX_BYTES:
                raise RuleError(file.path, 0, f"the files of the rules come to more than {MAX_BYTES} bytes")
            found[os.path.abspath(file.path)] = (file, data)
    if len(found) > MAX_FILES:
        raise RuleError(paths[-1], 0, f"more than {MAX_FILES} files")
    return Contents(tuple(found.values()))


@contextmanager
def _given_by(origin: str, path: str) -> Iterator[None]:
    try:
        yield
    except RuleError as error:
        if origin and error.path == path and not error.line:
            raise RuleError(f"{origin}: {path}", 0, error.message) from None
        raise


def named_code(name: str) -> str:
    """The code that the name of a rule's file begins with; empty if there is none."""
    found = re.match(CODE, os.path.basename(name))
    return found[0] if found else ""


def _beside(path: str, limit: str | None) -> Iterator[OwnFile]:
    """The case files of a rule that is named by its file: those of its code, beside it and in `tests` there."""
    code = named_code(path)
    if not code or os.path.isdir(path):
        return
    here = os.path.dirname(path)
    tests = os.path.join(here, CASES)
    found = [os.path.join(here, name) for name in sorted(os.listdir(here or ".")) if _kind(name) == CASES]
    found = [file for file in found if file.endswith(SUFFIXES) and not os.path.islink(file)]
    if os.path.isdir(tests) and not os.path.islink(tests):
        found += [file for file, _ in own_files(tests, limit)]
    names = re.compile(rb"""^\W*rule["']?\s*:\s*["']?%s\b""" % code.encode(), re.MULTILINE)
    for file in found:
        if named_code(file) == code or names.search(_bytes(file)):
            yield OwnFile(file, CASES)


def _bytes(path: str) -> bytes:
    try:
        data = read(path)
    except UnreadableFile as error:
        raise RuleError(path, 0, error.reason) from None
    except OSError as error:
        raise RuleError(path, 0, error.strerror or str(error)) from None
    if len(data) > MAX_FILE_BYTES:
        raise RuleError(path, 0, f"more than {MAX_FILE_BYTES} bytes")
    return data

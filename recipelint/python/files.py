"""Which files are Python, and in which of them a rule has something to look for; decided on bytes, before parsing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from recipelint.discovery.reading import is_shell_shebang
from recipelint.discovery.walk import PYTHON
from recipelint.record import NamedTuple
from recipelint.source import SourceFile

IGNORES = b"recipelint:"
MENTIONS = (IGNORES, b"# recipelint", b"#recipelint", b"# Recipelint")
"""In comments that ignore, and in those that are meant to."""


class PythonFile(NamedTuple):
    """A Python file: where it stands in its tree (None: outside of any), and how the tree's other files are read."""

    source: SourceFile
    place: str | None
    reader: Callable[[str], SourceFile | None]


def is_python(path: str, data: bytes) -> bool:
    """By its extension, unless it has the shebang of a shell."""
    return path.lower().endswith(PYTHON) and not is_shell_shebang(data)


class Interest(NamedTuple):
    """What makes a file worth parsing: a word in it, or its folder."""

    words: tuple[bytes, ...]
    folders: tuple[str, ...]

    def holds(self, path: str, data: bytes) -> bool:
        folder = "/" + path.rpartition("/")[0]
        return any(word in data for word in self.words) or folder.endswith(self.folders)


def interest(rules: Iterable[Mapping[str, Any]], frameworks: Mapping[str, Mapping[str, Any]]) -> Interest:
    """What rules look for, as their facts say: `words` of the file, or the entry points of frameworks (`guards`)."""
    words, folders = {*MENTIONS}, set()
    for facts in rules:
        words |= {word.encode() for word in facts.get("words", ())}
        for framework in facts.get("guards", {}):
            for name in frameworks[framework]["entry_points"]:
                folders.add("/" + name.rpartition(".")[0].replace(".", "/"))
    return Interest(tuple(sorted(words)), tuple(sorted(folders)))

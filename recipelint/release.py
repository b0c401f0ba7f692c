"""Which program this is, as far as what it works out hangs on that: what one release kept, no other one takes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache

from recipelint import __version__
from recipelint.store import digest

PACKAGE = os.path.dirname(os.path.abspath(__file__))


@cache
def stamp() -> bytes:
    """This program, its Python, and the working directory, from which paths are shown.

    A checkout changes without a new version, so there the times and sizes of its files count.
    """
    above = os.path.dirname(PACKAGE)
    code: list[bytes] = []
    if os.path.isfile(os.path.join(above, "pyproject.toml")):
        code = [*_files(PACKAGE, ".py"), *_files(os.path.join(above, "rules"), ".yaml")]
    said = repr((__version__, sys.version_info[:3], os.getcwd()))
    return digest(said.encode("utf-8", "surrogateescape"), *code).encode()


def _files(folder: str, suffix: str) -> Iterator[bytes]:
    """What tells whether the files of a folder have changed, without reading them."""
    for at, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith(suffix):
                state = os.stat(os.path.join(at, name))
                yield f"{at}/{name} {state.st_mtime_ns} {state.st_size}".encode("utf-8", "surrogateescape")

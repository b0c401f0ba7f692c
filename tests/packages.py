"""The package that the tests ask about, and trees of files to find it in."""

from __future__ import annotations

from collections.abc import Mapping

from recipelint.packages.model import Package, Reader
from recipelint.ruleset.load import load
from recipelint.source import SourceFile

PACKAGE = Package(load().packages["automodel"])


def reader(files: Mapping[str, str | bytes]) -> Reader:
    """Opens the files of a tree by their paths."""
    sources = {
        path: SourceFile(path, text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text)
        for path, text in files.items()
    }
    return sources.get

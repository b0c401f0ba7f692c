"""The documents that are open in the editor, as values: a change makes a new one, so that a snapshot stays what it was.

pygls keeps them too, but splits their lines as Python does, at form feeds and the like, where the protocol does not.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from lsprotocol import types

from recipelint.discovery.reading import is_shell_shebang
from recipelint.discovery.walk import EXTENSIONS, PYTHON
from recipelint.server.positions import Encoding, Lines, encoded

SHELL, PYTHON_LANGUAGE = ("shellscript", "sh", "bash"), "python"


class Document(NamedTuple):
    """One open document. `path` is where its file is, absolute; None for one that has none, such as `untitled:`."""

    uri: str
    path: str | None
    language: str
    version: int
    data: bytes

    @property
    def name(self) -> str:
        """What messages call it: its path from the working directory, else its URI; Python by its extension."""
        if self.path is not None:
            return shown(self.path)
        suffix = PYTHON if self.language == PYTHON_LANGUAGE and not self.uri.endswith(PYTHON) else ""
        return self.uri + suffix

    @property
    def linted(self) -> bool:
        """Whether it is a launcher or Python: by its language, its extension, or its shebang."""
        if self.language in (*SHELL, PYTHON_LANGUAGE):
            return True
        return self.name.lower().endswith((*EXTENSIONS, PYTHON)) or is_shell_shebang(self.data[:128])


def opened(item: types.TextDocumentItem) -> Document:
    """The document of an open notification."""
    return Document(item.uri, path_of(item.uri), item.language_id, item.version, encoded(item.text))


def changed(
    document: Document, version: int, changes: Sequence[types.TextDocumentContentChangeEvent], encoding: Encoding
) -> Document:
    """The document after some changes, each of which counts in the text that the one before has left."""
    data = document.data
    for change in changes:
        text = encoded(change.text)
        if isinstance(change, types.TextDocumentContentChangePartial):
            span = Lines(data, encoding).span(change.range)
            text = data[: span.start] + text + data[span.end :]
        data = text
    return document._replace(version=version, data=data)


class Snapshot(NamedTuple):
    """The open documents at one time, by URI, in the order in which they were opened."""

    documents: Mapping[str, Document]

    @property
    def buffers(self) -> dict[str, bytes]:
        """The texts that count in the place of files, by real path."""
        return {os.path.realpath(one.path): one.data for one in self.documents.values() if one.path is not None}

    @property
    def uris(self) -> dict[str, str]:
        """The URI of each open file, by real path."""
        return {os.path.realpath(one.path): uri for uri, one in self.documents.items() if one.path is not None}


def path_of(uri: str) -> str | None:
    """The absolute path of a file's URI; None for another scheme, or one that no path can have."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    path = unquote(parts.path, errors="surrogateescape")
    if parts.scheme.lower() != "file" or parts.netloc not in ("", "localhost") or "\0" in path:
        return None
    return os.path.normpath(path) if os.path.isabs(path) else None


def uri_of(path: str) -> str:
    """The URI of a path, which may be relative to the working directory."""
    return "file://" + quote(os.fsencode(os.path.abspath(path)), safe="/~")


def shown(path: str) -> str:
    """A path from the working directory if it is below it."""
    below = os.path.relpath(path)
    return path if below.startswith(os.pardir + os.sep) or below == os.pardir else below

"""File names for readers that know no bytes: JSON of strict Unicode, and percent-encoded URIs."""

from __future__ import annotations

import os

from recipelint.report.plain import escape


def decodable(path: str) -> str:
    r"""A path without lone surrogates, which strict readers refuse: a byte that is no UTF-8 is shown as `\xff`."""
    if path.isascii():
        return path
    return "".join(escape(char) if "\ud800" <= char <= "\udfff" else char for char in path)


def uri(path: str) -> str:
    """A relative path as a URI reference: its bytes percent-encoded, so that every name comes back exactly."""
    from urllib.parse import quote_from_bytes

    # A colon in the first segment would make a scheme of what stands before it; quoted, it is no worse elsewhere.
    return quote_from_bytes(os.fsencode(path), safe="/~")

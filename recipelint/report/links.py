"""Hyperlinks in terminals (OSC 8): a text that leads to an address, and takes no more cells than the text.

Addresses hold printable ASCII alone, what is special in them percent-encoded, whatever is in a path or in a rule: none
can end the sequence that it stands in.

See https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda.
"""

from __future__ import annotations

import os
from urllib.parse import quote, quote_from_bytes

LONGEST = 2000
"""Terminals refuse longer addresses; VTE's limit is 2083."""
_WEB = ("https://", "http://")
_KEPT = ":/?#[]@!$&'()*+,;=%"


def linked(text: str, address: str) -> str:
    """TEXT, harmless already, that leads to an address; as it is if that is empty or too long."""
    if not text or not address or len(address) > LONGEST:
        return text
    return f"\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\"


def web(url: str) -> str:
    """The address of a page on the web; empty for what is none. It holds no marker that `inert` would break."""
    if not url.startswith(_WEB):
        return ""
    encoded = quote(url, safe=_KEPT, errors="replace")
    return encoded.replace("::", ":%3A").replace("##", "#%23")


def file(path: str, line: int, host: str) -> str:
    """The address of a line of a file on HOST; empty for what is none, as `<stdin>`."""
    if path.startswith("<"):
        return ""
    return f"file://{host}{quote_from_bytes(os.fsencode(os.path.abspath(path)), safe='/')}#{line}"

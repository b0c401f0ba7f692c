"""Fixes as a unified diff that `git apply` and `patch -p1` take.

A patch holds the bytes of the files as they are. For a terminal it is decoded, coloured and neutralised instead.
"""

from __future__ import annotations

import os.path
from collections.abc import Iterator

from recipelint.outcome import Change
from recipelint.report.cellline import lay_out
from recipelint.report.plain import inert
from recipelint.report.style import BOLD, CYAN, GREEN, RED, Stream

_NO_NEWLINE = b"\\ No newline at end of file\n"
_COLOURS = {"-": RED, "+": GREEN, "@": CYAN}


def patch(changes: tuple[Change, ...]) -> bytes:
    """The exact patch of all changes."""
    return b"".join(line for change in changes for line in _lines(change))


def render(changes: tuple[Change, ...], stream: Stream) -> str:
    """The patch for a person's eyes."""
    rows = []
    for line in patch(changes).decode("utf-8", "replace").split("\n")[:-1]:
        code = BOLD if line.startswith(("--- ", "+++ ")) else _COLOURS.get(line[:1], "")
        rows.append(stream.paint("".join(lay_out(line.rstrip("\r")).pieces), code))
    return inert("".join(f"{row}\n" for row in rows))


def _lines(change: Change) -> Iterator[bytes]:
    from difflib import unified_diff

    before, after = (data.decode("latin-1") for data in (change.before, change.after))
    name = _relative(change.path)
    hunks = unified_diff(_split(before), _split(after), lineterm="\n")
    for number, line in enumerate(hunks):
        if number < 2:
            yield b"%s %s\n" % ((b"---", b"+++")[number], _name(("a/", "b/")[number] + name))
            continue
        data = line.encode("latin-1")
        yield data if data.endswith(b"\n") else data + b"\n" + _NO_NEWLINE


def _relative(path: str) -> str:
    """PATH from the working directory, where it is inside: git takes no absolute names."""
    relative = os.path.relpath(path)
    return os.path.normpath(path).lstrip("/") if relative.startswith("..") else relative


def _split(text: str) -> list[str]:
    """Lines with their `\\n`; a carriage return or a form feed ends none."""
    lines = text.split("\n")
    last = lines.pop()
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def _name(path: str) -> bytes:
    """A path as git writes it: quoted as in C where it must be, a tab after one that has a space."""
    data = os.fsencode(path)
    if all(0x20 <= byte < 0x7F and byte not in b'"\\' for byte in data):
        return data + b"\t" if b" " in data else data
    special = {0x22: '\\"', 0x5C: "\\\\", 0x0A: "\\n", 0x09: "\\t", 0x0D: "\\r"}
    return b'"%s"' % "".join(
        special.get(byte) or (chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}") for byte in data
    ).encode("ascii")

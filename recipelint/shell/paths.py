"""Paths inside the linted tree.

A path is followed only where it is known from the root of the tree, and never out of it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from recipelint.shell.input import Input
from recipelint.shell.state import World
from recipelint.shell.text import Text
from recipelint.shell.unknown import Kind, Unknown, Unknowns


class Paths(Input):
    """Texts as paths."""

    def path_text(self, text: Text, world: World) -> str | None:
        """A path inside the linted tree, from its root: of a place with a known rest, or relative to the folder."""
        return located(text, world.cwd, self.unknowns, self.roots)

    def dirname(self, text: Text, label: str) -> Text | None:
        """What `dirname` prints, without the line end; None where it cannot be known. LABEL names a place."""
        if len(text.s) == 1 and not text.known:
            place = self.unknowns[text.s].place
            return self.place(label, posixpath.dirname(place) if place else "") if place is not None else None
        if not text.known and "/" not in re.split("[\U00010000-\U0010ffff]", text.s)[-1]:
            return None
        head = text.s.rstrip("/").rpartition("/")[0]
        if not head:
            return Text.of("/" if text.s.startswith("/") else ".")
        return text.slice(0, len(head.rstrip("/")) or 1)

    def basename(self, words: list[Text], label: str = "") -> Text | None:
        """What `basename PATH SUFFIX` prints, without the line end; None where it cannot be known. LABEL names what it
        prints of a place."""
        text, suffix = words[0], words[1].s if len(words) > 1 else ""
        place = self.unknowns[text.s].place if len(text.s) == 1 and not text.known else None
        if place and label and max(suffix, default="") <= "\xff":
            name = posixpath.basename(place)
            name = name.removesuffix(suffix) if name != suffix else name
            return self.unknown(Unknown(label, Kind.MACHINE, named=name), text.first_origin)
        s = text.s.rstrip("/")
        start = s.rfind("/") + 1
        if max(s[start:], default="") > "\xff":
            return None
        end = len(s)
        if suffix and s.endswith(suffix) and end - len(suffix) > start:
            end -= len(suffix)
        return text.slice(start, end)


def located(text: Text, folder: str | None, unknowns: Unknowns, roots: Sequence[str]) -> str | None:
    """The path of a text inside the linted tree, from its root, for a command that is started in a FOLDER of it."""
    s = text.s
    if s and s[0] > "\xff":
        place = unknowns[s[0]].place
        rest = said(s[1:], unknowns)
        if place is None or rest is None:
            return None
        return normal(place + rest) if not rest or rest[0] == "/" else None
    known = said(s, unknowns)
    if known is None or not known:
        return None
    if known.startswith("/"):
        return next((normal(known[len(root) :]) for root in roots if known.startswith(root + "/")), None)
    return normal(posixpath.join(folder, known)) if folder is not None else None


def said(s: str, unknowns: Unknowns) -> str | None:
    """S as a part of a path, in which a script's own name is what the tree calls it; None where it is not known."""
    if s.isascii() or max(s, default="") <= "\xff":
        return s
    parts = [unknowns[c].named if c > "\xff" else c for c in s]
    return "".join(parts) if all(parts) else None


def file_name(path: str) -> str:
    """A path of the shell, whose characters are bytes, as the name of a file."""
    return path.encode("latin-1", "replace").decode("utf-8", "surrogateescape")


def normal(path: str) -> str | None:
    """A path from the tree's root, normalised; None where it leaves the tree."""
    path = posixpath.normpath(path.lstrip("/") or ".")
    return None if path.startswith("..") else "" if path == "." else path

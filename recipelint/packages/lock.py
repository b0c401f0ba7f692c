"""uv.lock: the revision that uv resolved. Read by its fixed layout: a parser of TOML would take a second."""

from __future__ import annotations

import re

from recipelint.lazily import regex
from recipelint.packages.model import COMMIT, PLACE, Package, Pin, Requirement
from recipelint.packages.requirement import normal, version
from recipelint.source import Location, SourceFile, Span

_PACKAGE = regex(rb"^\[\[package\]\][ \t]*\r?$", re.MULTILINE)
_TABLE = regex(rb"^\[", re.MULTILINE)
_NAME = regex(rb'^name = "([^"\r\n]{1,200})"', re.MULTILINE)
_VERSION = regex(rb'^version = "([^"\r\n]{1,60})"', re.MULTILINE)
_SOURCE = regex(rb'^source = \{ (\w+) = "([^"\r\n]{1,2000})"', re.MULTILINE)
_RESOLVED = regex(rb"#([0-9a-f]{40})\Z")


def requirements(source: SourceFile, package: Package) -> list[Requirement]:
    """Every entry of the package in the lock; several if it is resolved otherwise for other platforms."""
    if not package.names(source):
        return []
    found: list[Requirement] = []
    for head in _PACKAGE.finditer(source.data):
        following = _TABLE.search(source.data, head.end())
        end = following.start() if following else len(source.data)
        name = _NAME.search(source.data, head.end(), end)
        if name is not None and normal(name[1].decode("latin-1")) == package.distribution:
            found.append(entry(source, head.end(), end))
    return found


def entry(source: SourceFile, start: int, end: int) -> Requirement:
    """What one entry of the lock is resolved to."""
    origin = _SOURCE.search(source.data, start, end)
    number = _VERSION.search(source.data, start, end)
    if origin is not None and origin[1] == b"git":
        resolved = _RESOLVED.search(origin[2])
        if resolved is not None:
            span = Span(origin.start(2) + resolved.start(1), origin.start(2) + resolved.end(1))
            return Requirement(Pin(COMMIT, resolved[1].decode()), Location(source, span))
    if origin is not None and origin[1] in (b"registry", b"url") and number is not None:
        return Requirement(version(number[1].decode("latin-1")), Location(source, Span(*number.span(1))))
    at = origin.span(2) if origin is not None else source.line_span(source.line_number(start))
    text = origin[2].decode("utf-8", "replace") if origin is not None else "no source"
    return Requirement(Pin(PLACE, text), Location(source, Span(*at)))

"""Names for findings that stay the same when lines move: for baselines, and for services that follow a finding.

A name depends on the rule, the file, and the text of the line that decides; not on line numbers, severity or wording.
Equal findings are told apart by their order, so one that is added above its equals takes the name of the first.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

from recipelint.diagnostic import Diagnostic
from recipelint.source import Location

VERSION = "v1"
"""To be raised when what a name depends on changes."""
LENGTH = 32
"""Hexadecimal digits of a name: 128 bits."""


def fingerprints(diagnostics: Sequence[Diagnostic], root: str) -> list[str]:
    """The name of each diagnostic of a run, in order; paths count from ROOT, wherever the run was started.

    The diagnostics must be all of a file, in their order.
    """
    from hashlib import sha256

    seen: Counter[tuple[str, ...]] = Counter()
    names = []
    real_root = os.path.realpath(root)
    for one in diagnostics:
        key = (VERSION, one.code, place(one.location.path, real_root), *_text(one.location))
        names.append(sha256("\0".join((*key, str(seen[key]))).encode("utf-8", "surrogateescape")).hexdigest()[:LENGTH])
        seen[key] += 1
    return names


def place(path: str, root: str) -> str:
    """A path from ROOT, an absolute real path, with slashes; one outside of it as it was written."""
    real = os.path.realpath(path)
    inside = real.startswith(root.rstrip(os.sep) + os.sep)
    return (os.path.relpath(real, root) if inside else path).replace(os.sep, "/")


def _text(location: Location) -> tuple[str, str]:
    """The first line of a place without its blanks, and what of it the place covers."""
    source, span = location
    line = source.line_span(source.line_number(span.start))
    whole, covered = source.text[line.start : line.end], source.text[span.start : min(span.end, line.end)]
    return " ".join(whole.split()), " ".join(covered.split())

"""Messages, places and fixes as SARIF has them: percent-encoded URIs, columns in UTF-16 code units, no byte order mark.

A region gives its bytes as well. An edit whose text is no UTF-8 is given in bytes alone.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Mapping

from recipelint.fix import Edit, Fix
from recipelint.report.json_ import Json
from recipelint.report.plain import neutralise
from recipelint.report.report import Report
from recipelint.report.unicode import uri
from recipelint.source import Location, SourceFile, Span

ROOT = "%SRCROOT%"
BOM = b"\xef\xbb\xbf"


def said(text: str) -> Json:
    """A message that is text and nothing else: SARIF reads `[text](place)` as a link."""
    return {"text": neutralise(text).replace("](", "]\\x28")}


def location(place: Location, report: Report, label: str = "") -> Json:
    """A place in a file, with what is said of it."""
    physical = {
        "artifactLocation": artifact(place.path, report),
        "region": {**region(place.source, place.span), **_bytes(place.span)},
    }
    return {"physicalLocation": physical, **({"message": said(label)} if label else {})}


def artifact(path: str, report: Report) -> Json:
    """Where a file is: from the root; one that is outside by its absolute URI."""
    place = report.place(path)
    if os.path.isabs(place) or place.startswith("../"):
        return {"uri": "file://" + uri(os.path.abspath(path))}
    return {"uri": uri(place), "uriBaseId": ROOT}


def region(source: SourceFile, span: Span) -> Json:
    """The text region of a span; one that ends after the last line end ends in that line, as SARIF asks."""
    return {
        **dict(zip(("startLine", "startColumn"), _position(source, span.start), strict=True)),
        **dict(zip(("endLine", "endColumn"), _position(source, span.end), strict=True)),
    }


def _position(source: SourceFile, offset: int) -> tuple[int, int]:
    number = source.line_number(offset)
    if number > 1 and source.line_starts[number - 1] == len(source.data):
        number -= 1
    start = source.line_starts[number - 1]
    if number == 1 and source.data.startswith(BOM):
        start = min(len(BOM), offset)
    text = source.data[start:offset].decode("utf-8", "replace")
    return number, len(text.encode("utf-16-le")) // 2 + 1


def _bytes(span: Span) -> Json:
    return {"byteOffset": span.start, "byteLength": span.end - span.start}


def fix_json(fix: Fix, report: Report, sources: Mapping[str, SourceFile]) -> Json | None:
    """A fix with the changes of each file; None where a file is not among the SOURCES."""
    if not all(path in sources for path in fix.paths):
        return None
    return {
        "description": said(f"{fix.title} ({fix.applicability.word})"),
        "artifactChanges": [
            {
                "artifactLocation": artifact(path, report),
                "replacements": [
                    _replacement(edit, sources[path]) for edit in sorted(set(fix.edits)) if edit.path == path
                ],
            }
            for path in fix.paths
        ],
    }


def _replacement(edit: Edit, source: SourceFile) -> Json:
    span = Span(edit.start, edit.end)
    try:
        text = edit.replacement.decode("utf-8")
        source.data[edit.start : edit.end].decode("utf-8")
    except UnicodeDecodeError:
        binary = b64encode(edit.replacement).decode("ascii")
        return {"deletedRegion": _bytes(span), "insertedContent": {"binary": binary}}
    return {"deletedRegion": region(source, span), "insertedContent": {"text": text}}

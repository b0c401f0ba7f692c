"""Diagnostics as the protocol has them: in one document each, with other places under the URIs that the editor uses."""

from __future__ import annotations

import os
from collections.abc import Mapping

from lsprotocol import types

from recipelint.diagnostic import Confidence, Diagnostic, Severity
from recipelint.report.plain import neutralise
from recipelint.server.analysis import Judged, by_uri
from recipelint.server.documents import Snapshot, uri_of
from recipelint.server.live import Pathless
from recipelint.server.positions import Positions
from recipelint.source import Location
from recipelint.suppress import UNUSED

SOURCE = "recipelint"
SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
UNNECESSARY = frozenset({UNUSED})
"""Rules that find text which may go: an editor fades it."""


class Writer:
    """Writes diagnostics and places for one snapshot."""

    def __init__(self, judged: Mapping[str, Judged], snapshot: Snapshot, positions: Positions) -> None:
        self.positions = positions
        self.names = {one.name: uri for uri, one in judged.items()}
        self.uris: Mapping[str, str] = snapshot.uris

    def uri(self, path: str) -> str:
        """The URI of a file, as the editor spells it if it is open."""
        return self.names.get(path) or self.uris.get(os.path.realpath(path)) or uri_of(path)

    def location(self, location: Location) -> types.Location:
        return types.Location(self.uri(location.path), self.positions.range(location))

    def diagnostic(self, one: Diagnostic) -> types.Diagnostic:
        related = [
            types.DiagnosticRelatedInformation(self.location(label.location), neutralise(label.text))
            for label in one.related
        ]
        return types.Diagnostic(
            range=self.positions.range(one.location),
            message=message(one),
            severity=SEVERITIES[one.severity],
            code=one.code,
            code_description=types.CodeDescription(one.url) if one.url else None,
            source=SOURCE,
            tags=[types.DiagnosticTag.Unnecessary] if one.code in UNNECESSARY else None,
            related_information=related,
            data={"name": one.name, "confidence": one.confidence.value, "fixable": one.fix is not None},
        )


def message(one: Diagnostic) -> str:
    """What is wrong, and below it what helps, and why there is no fix."""
    possible = "possible: " if one.confidence is Confidence.POSSIBLE else ""
    lines = [possible + one.message, f"help: {one.help}" if one.help else "", f"note: {one.note}" if one.note else ""]
    return "\n".join(neutralise(line) for line in lines if line)


def written(judged: dict[str, Judged], snapshot: Snapshot, positions: Positions) -> dict[str, list[types.Diagnostic]]:
    """The diagnostics of every document that is linted, and of files that are not open, by URI."""
    writer = Writer(judged, snapshot, positions)
    found: dict[str, list[types.Diagnostic]] = {uri: [] for uri in judged}
    for uri, path, diagnostic in by_uri(judged, snapshot):
        found.setdefault(uri or writer.uri(path or ""), []).append(writer.diagnostic(diagnostic))
    return found


def own(one: Judged, diagnostic: Diagnostic) -> bool:
    """Whether a diagnostic stands in the document itself."""
    if isinstance(one.live, Pathless):
        return diagnostic.location.path == one.name
    return diagnostic.location.path == one.name or (
        one.document.path is not None
        and os.path.realpath(diagnostic.location.path) == os.path.realpath(one.document.path)
    )

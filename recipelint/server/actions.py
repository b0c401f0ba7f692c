"""Code actions: a quick fix for each finding whose fix holds, and `source.fixAll.recipelint` for all safe ones.

An edit names the version of the document that it was made for, where the client can take that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from recipelint.diagnostic import Diagnostic
from recipelint.fix import Applicability, Edit
from recipelint.report.plain import neutralise
from recipelint.server.analysis import Judged
from recipelint.server.diagnostics import Writer, own
from recipelint.server.documents import Snapshot
from recipelint.server.fixes import Verified
from recipelint.server.live import Live
from recipelint.source import Location, Span

FIX_ALL = "source.fixAll.recipelint"
KINDS: list[types.CodeActionKind | str] = [types.CodeActionKind.QuickFix, FIX_ALL]


class Actions:
    """The code actions of one snapshot."""

    def __init__(self, snapshot: Snapshot, writer: Writer, verified: Verified, versions: bool) -> None:
        """VERSIONS: the client takes edits of documents with their versions."""
        self.snapshot = snapshot
        self.writer = writer
        self.verified = verified
        self.versions = versions

    def at(self, one: Judged, span: Span, only: Sequence[str] | None) -> Iterator[types.CodeAction]:
        """The actions for a stretch of a document, of the kinds that are asked for."""
        if wanted(types.CodeActionKind.QuickFix.value, only):
            for diagnostic in one.diagnostics:
                place = diagnostic.location.span
                if own(one, diagnostic) and place.start <= span.end and span.start <= place.end:
                    yield from self.quick(one, diagnostic)
        if only and wanted(FIX_ALL, only):
            yield from self.fix_all(one)

    def quick(self, one: Judged, diagnostic: Diagnostic) -> Iterator[types.CodeAction]:
        """The fix of a finding, if it holds, and a comment that ignores it."""
        yield from self.fix(one, diagnostic)
        edits = self.verified.ignoring(one.live, diagnostic)
        if edits:
            yield types.CodeAction(
                title=f"Ignore {diagnostic.code} here",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[self.writer.diagnostic(diagnostic)],
                edit=self.edit(one.live, edits),
            )

    def fix(self, one: Judged, diagnostic: Diagnostic) -> Iterator[types.CodeAction]:
        """The fix of a finding, if it holds."""
        edits = self.verified.edits(one.live, diagnostic)
        if not edits or diagnostic.fix is None:
            return
        safe = diagnostic.fix.applicability is Applicability.SAFE
        title = f"{diagnostic.code}: {neutralise(diagnostic.fix.title)}"
        yield types.CodeAction(
            title=title if safe else f"{title} (unsafe: may change more than the finding)",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[self.writer.diagnostic(diagnostic)],
            is_preferred=True if safe else None,
            edit=self.edit(one.live, edits),
        )

    def fix_all(self, one: Judged) -> Iterator[types.CodeAction]:
        """All safe fixes of the document."""
        edits = self.verified.all_safe(one)
        if edits:
            yield types.CodeAction(
                title="Fix all that recipelint can fix safely", kind=FIX_ALL, edit=self.edit(one.live, edits)
            )

    def edit(self, live: Live, edits: Sequence[Edit]) -> types.WorkspaceEdit:
        """Edits of one or several documents as the protocol has them."""
        changes: dict[str, list[types.TextEdit]] = {}
        for edit in sorted(set(edits)):
            source = live.originals[edit.path]
            where = self.writer.positions.range(Location(source, Span(edit.start, edit.end)))
            text = edit.replacement.decode("utf-8", "replace")
            changes.setdefault(self.writer.uri(edit.path), []).append(types.TextEdit(where, text))
        if not self.versions:
            return types.WorkspaceEdit(changes={uri: list(made) for uri, made in changes.items()})
        documents = self.snapshot.documents
        return types.WorkspaceEdit(
            document_changes=[
                types.TextDocumentEdit(
                    types.OptionalVersionedTextDocumentIdentifier(
                        uri=uri, version=documents[uri].version if uri in documents else None
                    ),
                    list(made),
                )
                for uri, made in changes.items()
            ]
        )


def wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Whether a kind is among those that are asked for: itself, or one that it is below."""
    return not only or any(kind == one or kind.startswith(f"{one}.") for one in only)

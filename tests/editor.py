"""An editor as a test drives it: a real client of the language server, which runs as a process of its own.

Texts are kept and edited here by code that has nothing in common with the server's: a line at a time, in UTF-16.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, LanguageClient, register_lsp_features

SERVER = (sys.executable, "-m", "recipelint", "server", "--stdio")
PATIENCE = 20.0
START = types.Range(types.Position(0, 0), types.Position(0, 0))


class Editor:
    """The open documents of a client, and what the server said of them."""

    def __init__(self, client: LanguageClient, root: Path) -> None:
        self.client = client
        self.root = root
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.published: dict[str, types.PublishDiagnosticsParams] = {}
        self.times: dict[str, int] = {}

    # --- documents ---------------------------------------------------------------------------------

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def open(self, path: str, text: str | None = None, language: str = "shellscript", uri: str = "") -> str:
        """Open a file of the workspace, with the text on the disk if none is given."""
        uri = uri or self.uri(path)
        self.texts[uri] = (self.root / path).read_bytes().decode("utf-8") if text is None else text
        self.versions[uri] = 1
        item = types.TextDocumentItem(uri, language, 1, self.texts[uri])
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, old: str, new: str) -> None:
        """Replace the only place where OLD stands, as an editor does it: a range, and a text."""
        text = self.texts[uri]
        assert text.count(old) == 1, old
        at = text.index(old)
        where = types.Range(position(text, at), position(text, at + len(old)))
        self.texts[uri] = text[:at] + new + text[at + len(old) :]
        self.send(uri, [types.TextDocumentContentChangePartial(where, new)])

    def replace(self, uri: str, text: str) -> None:
        """Replace the whole text."""
        self.texts[uri] = text
        self.send(uri, [types.TextDocumentContentChangeWholeDocument(text)])

    def send(self, uri: str, changes: Sequence[types.TextDocumentContentChangeEvent]) -> None:
        self.versions[uri] += 1
        known = types.VersionedTextDocumentIdentifier(uri=uri, version=self.versions[uri])
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(known, changes))

    def save(self, uri: str, path: str) -> None:
        (self.root / path).write_bytes(self.texts[uri].encode())
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(self.document(uri)))

    def close(self, uri: str) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(self.document(uri)))

    def changed_on_disk(self, path: str) -> None:
        event = types.FileEvent(self.uri(path), types.FileChangeType.Changed)
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))

    def document(self, uri: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(uri)

    # --- what the server says ----------------------------------------------------------------------

    async def until(self, condition: Callable[[], Any]) -> None:
        """Wait until something holds."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, "the server does not say what is waited for"
            await asyncio.sleep(0.005)

    async def diagnostics(self, uri: str) -> Sequence[types.Diagnostic]:
        """What is said of the text as it is now."""
        await self.until(lambda: uri in self.published and self.published[uri].version == self.versions[uri])
        return self.published[uri].diagnostics

    async def codes(self, uri: str) -> list[str]:
        return [str(one.code) for one in await self.diagnostics(uri)]

    def at(self, uri: str, text: str, after: int = 0) -> types.Position:
        """The position AFTER characters behind the only place where TEXT stands."""
        assert self.texts[uri].count(text) == 1, text
        return position(self.texts[uri], self.texts[uri].index(text) + after)

    async def hover(self, uri: str, text: str, after: int = 0) -> str:
        """The hover of a place; empty for none."""
        found = await self.client.text_document_hover_async(
            types.HoverParams(self.document(uri), self.at(uri, text, after))
        )
        if found is None:
            return ""
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    async def actions(self, uri: str, where: types.Range, only: list[str] | None = None) -> Sequence[types.CodeAction]:
        context = types.CodeActionContext([], only=only)
        found = await self.client.text_document_code_action_async(
            types.CodeActionParams(self.document(uri), where, context)
        )
        return [one for one in found or () if isinstance(one, types.CodeAction)]

    async def hints(self, uri: str, where: types.Range | None = None) -> list[tuple[int, str, str]]:
        """Line (from 1), the text of the line before the hint, and the hint."""
        text = self.texts[uri]
        whole = types.Range(types.Position(0, 0), types.Position(text.count("\n") + 1, 0))
        found = await self.client.text_document_inlay_hint_async(
            types.InlayHintParams(self.document(uri), where or whole)
        )
        return [(one.position.line + 1, before(text, one.position), str(one.label)) for one in found or ()]

    def marked(self, place: types.Location) -> str:
        """The text of a place in an open document or in a file of the workspace."""
        text = self.texts.get(place.uri)
        if text is None:
            text = Path(place.uri.removeprefix("file://")).read_text("utf-8")
        return text[offset(text, place.range.start) : offset(text, place.range.end)]

    def applied(self, edit: types.WorkspaceEdit) -> dict[str, str]:
        """The texts of the documents that an edit changes."""
        changes: dict[str, list[types.TextEdit]] = {}
        for one in edit.document_changes or ():
            assert isinstance(one, types.TextDocumentEdit)
            assert one.text_document.version == self.versions[one.text_document.uri]
            edits = changes.setdefault(one.text_document.uri, [])
            edits += [made for made in one.edits if isinstance(made, types.TextEdit)]
        for uri, plain in (edit.changes or {}).items():
            changes.setdefault(uri, []).extend(plain)
        return {uri: applied(self.texts[uri], edits) for uri, edits in changes.items()}


@asynccontextmanager
async def editor(
    root: Path,
    capabilities: types.ClientCapabilities | None = None,
    options: object = None,
    command: Sequence[str] = SERVER,
    registered: list[types.Registration] | None = None,
) -> AsyncIterator[Editor]:
    """An editor with ROOT as its workspace; in the end the server must leave as the protocol has it.

    REGISTERED takes what the server asks to be told of; without it the client refuses that.
    """
    client = LanguageClient(converter_factory=default_converter)
    made = Editor(client, root)

    def publish(params: types.PublishDiagnosticsParams) -> None:
        made.published[params.uri] = params
        made.times[params.uri] = made.times.get(params.uri, 0) + 1

    def register(params: types.RegistrationParams) -> None:
        if registered is not None:
            registered.extend(params.registrations)

    features = {**DEFAULT_CLIENT_FEATURES, types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: publish}
    features.pop(types.CLIENT_REGISTER_CAPABILITY, None)
    if registered is not None:
        features[types.CLIENT_REGISTER_CAPABILITY] = register
    register_lsp_features(client, features)
    await client.start_io(*command, cwd=str(root.parent))
    try:
        await client.initialize_session(
            types.InitializeParams(
                capabilities or able(),
                workspace_folders=[types.WorkspaceFolder(root.as_uri(), root.name)],
                root_uri=root.as_uri(),
                initialization_options=options,
            )
        )
        yield made
        await client.shutdown_session()
        assert client._server is not None
        assert client._server.returncode == 0
    finally:
        if client._server is not None and client._server.returncode is None:
            client._server.kill()  # the test failed
        await client.stop()  # type: ignore[no-untyped-call]


def able(**changed: Any) -> types.ClientCapabilities:
    """What a client can that takes edits with versions; CHANGED are other capabilities of its workspace."""
    edits = types.WorkspaceEditClientCapabilities(document_changes=True)
    return types.ClientCapabilities(workspace=types.WorkspaceClientCapabilities(workspace_edit=edits, **changed))


# --- texts ---------------------------------------------------------------------------------------------------


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def position(text: str, at: int) -> types.Position:
    """The position of an index, for texts whose lines end in LF or CRLF."""
    lines = text[:at].split("\n")
    return types.Position(len(lines) - 1, units(lines[-1]))


def offset(text: str, at: types.Position) -> int:
    """The index of a position."""
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[: at.line])
    line = lines[at.line] if at.line < len(lines) else ""
    return start + len(line.encode("utf-16-le")[: at.character * 2].decode("utf-16-le"))


def before(text: str, at: types.Position) -> str:
    """What stands in the line before a position."""
    return text[offset(text, types.Position(at.line, 0)) : offset(text, at)]


def applied(text: str, edits: Sequence[types.TextEdit]) -> str:
    """A text after edits that all count in it as it is."""
    for edit in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
        text = text[: offset(text, edit.range.start)] + edit.new_text + text[offset(text, edit.range.end) :]
    return text

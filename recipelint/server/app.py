"""The server: requests and notifications to what answers them. Nothing that goes wrong in one ends the others.

The event loop keeps the documents; everything else happens in one worker thread, so that the loop can always read on.
A request that the client takes back while it waits for its turn is not begun.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from recipelint import __version__
from recipelint.report.plain import neutralise
from recipelint.server.actions import Actions
from recipelint.server.analysis import Analysis, Judged
from recipelint.server.client import Client
from recipelint.server.configuration import SECTION, Asked, asked
from recipelint.server.diagnostics import Writer, written
from recipelint.server.documents import Document, Snapshot, changed, opened, path_of
from recipelint.server.fixes import Verified
from recipelint.server.positions import Positions
from recipelint.server.protocol import Protocol

DELAY = 0.05
"""Seconds for which the next key is waited for before a text is linted."""
STACK = 16 << 20
"""Bytes of the worker's stack: deep launchers recurse, and some systems give a thread little."""
T = TypeVar("T")


class Context(NamedTuple):
    """What an answer needs beside the document."""

    snapshot: Snapshot
    positions: Positions
    writer: Writer


class Linted(NamedTuple):
    """What a lint of everything that is open comes to."""

    snapshot: Snapshot
    diagnostics: dict[str, list[types.Diagnostic]]
    problems: tuple[str, ...]
    unreadable: tuple[str, ...]


class Server(LanguageServer):
    """The open documents, and what was last said of them."""

    def __init__(self) -> None:
        super().__init__(
            "recipelint", __version__, protocol_cls=Protocol, converter_factory=get_converter, max_workers=2
        )
        threading.stack_size(STACK)
        self.worker = ThreadPoolExecutor(1, "recipelint")
        self.documents: dict[str, Document] = {}
        self.analysis = Analysis()
        self.verified = Verified()
        self.client = Client(types.ClientCapabilities())
        self.told: frozenset[str] = frozenset()
        self.published: dict[str, tuple[int | None, list[types.Diagnostic]]] = {}
        self.pulled: dict[str, tuple[int, list[types.Diagnostic]]] = {}
        self.dirty = False
        self.linting: asyncio.Task[None] | None = None

    # --- work --------------------------------------------------------------------------------------

    @property
    def encoding(self) -> types.PositionEncodingKind | str:
        return self.workspace.position_encoding or types.PositionEncodingKind.Utf16

    def snapshot(self) -> Snapshot:
        """The documents as they are now."""
        return Snapshot(dict(self.documents))

    async def work(self, step: Callable[[], T]) -> T:
        """Do something in the worker, after what it has to do before."""
        return await asyncio.get_running_loop().run_in_executor(self.worker, step)

    async def ask(self, uri: str, answer: Callable[[Judged, Context], T]) -> T | None:
        """What there is to answer of an open document; None for one that is not open, or not linted."""
        snapshot, encoding = self.snapshot(), self.encoding

        def step() -> T | None:
            judged = self.analysis.judge(snapshot)
            one = judged.get(uri)
            if one is None:
                return None
            positions = Positions(encoding)
            return answer(one, Context(snapshot, positions, Writer(judged, snapshot, positions)))

        return await self.work(step)

    def lint(self, snapshot: Snapshot) -> Linted:
        """Lint everything that is open."""
        judged = self.analysis.judge(snapshot)
        found = written(judged, snapshot, Positions(self.encoding))
        return Linted(snapshot, found, self.analysis.problems, self.analysis.unreadable)

    def touch(self) -> None:
        """Something changed: lint soon, once for all that changes until then."""
        self.dirty = True
        if self.linting is None or self.linting.done():
            self.linting = asyncio.get_running_loop().create_task(self.lint_until_clean())

    async def lint_until_clean(self) -> None:
        """Lint until nothing has changed meanwhile."""
        while self.dirty:
            await asyncio.sleep(DELAY)
            self.dirty = False
            snapshot = self.snapshot()
            try:
                linted = await self.work(lambda snapshot=snapshot: self.lint(snapshot))  # type: ignore[misc]
            except Exception as error:
                self.crashed(error)
            else:
                self.tell(linted)

    # --- saying it ---------------------------------------------------------------------------------

    def tell(self, linted: Linted) -> None:
        """Publish what is new, and only for texts that are still what they were."""
        documents = linted.snapshot.documents
        stale = False
        for uri, found in linted.diagnostics.items():
            document = documents.get(uri)
            if document is None:
                self.publish(uri, None, found if uri not in self.documents else [])
            elif self.documents.get(uri) is document:
                if not self.client.pulls:
                    self.publish(uri, document.version, found)
                    continue
                self.publish(uri, None, [])  # it was not open before, and what was found there was sent
                if uri in self.pulled and self.pulled[uri] != (document.version, found):
                    stale = stale or self.pulled[uri][0] == document.version
        for uri in self.published.keys() - linted.diagnostics.keys():
            self.publish(uri, None, [])
        if stale:
            self.workspace_diagnostic_refresh(None)
        self.complain(linted)

    def publish(self, uri: str, version: int | None, found: list[types.Diagnostic]) -> None:
        """Say what is wrong with a document, unless that was the last that was said."""
        if self.published.get(uri) == (version, found) or (not found and version is None and uri not in self.published):
            return
        if found or version is not None:
            self.published[uri] = version, found
        else:
            self.published.pop(uri, None)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))

    def complain(self, linted: Linted) -> None:
        """Tell what is wrong with a configuration or a file when it is new."""
        for text in linted.problems:
            if text not in self.told:
                self.say(text, types.MessageType.Error)
        for text in linted.unreadable:
            if text not in self.told:
                self.log(f"{text}; it is not linted", types.MessageType.Warning)
        self.told = frozenset((*linted.problems, *linted.unreadable))

    def say(self, text: str, kind: types.MessageType) -> None:
        self.window_show_message(types.ShowMessageParams(kind, f"recipelint: {neutralise(text)}"))

    def log(self, text: str, kind: types.MessageType) -> None:
        self.window_log_message(types.LogMessageParams(kind, f"recipelint: {neutralise(text)}"))

    def crashed(self, error: BaseException) -> None:
        """An internal error: the server lives on, and starts afresh with what it has read."""
        self.say(f"internal error: {type(error).__name__}: {error}", types.MessageType.Error)
        self.worker.submit(self.analysis.forget)

    def report_server_error(self, error: Exception, source: object) -> None:
        """What pygls catches."""
        self.crashed(error)

    # --- what the client asks for ------------------------------------------------------------------

    def initialize(self, params: types.InitializeParams) -> None:
        """Learn what the client can, and where its workspace is: messages name files from there."""
        self.client = Client(params.capabilities)
        folders = [folder.uri for folder in params.workspace_folders or ()] or [params.root_uri or ""]
        path = path_of(folders[0])
        if path is not None and os.path.isdir(path):
            os.chdir(path)
        self.analysis.ask(asked(params.initialization_options))

    async def register(self, wanted: list[types.Registration]) -> None:
        """Ask the client to tell of files and settings; one that said it can and refuses is no reason to stop."""
        try:
            await self.client_register_capability_async(types.RegistrationParams(wanted))
        except JsonRpcException as error:
            self.log(f"the client does not tell of changed files or settings: {error}", types.MessageType.Warning)

    def ask_for(self, options: object) -> None:
        """Take settings of the client, and lint with them."""
        found: Asked = asked(options)
        self.worker.submit(self.analysis.ask, found)
        self.touch()

    def refresh(self) -> None:
        """Something on the disk changed."""
        self.worker.submit(self.analysis.forget)
        self.touch()

    # --- documents ---------------------------------------------------------------------------------

    def open(self, item: types.TextDocumentItem) -> None:
        self.documents[item.uri] = opened(item)
        self.refresh()

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        document = self.documents.get(uri)
        if document is not None:
            version = params.text_document.version
            self.documents[uri] = changed(document, version, params.content_changes, self.encoding)
            self.touch()

    def close(self, uri: str) -> None:
        self.documents.pop(uri, None)
        self.pulled.pop(uri, None)
        self.publish(uri, None, [])
        self.refresh()

    def actions(self, context: Context) -> Actions:
        return Actions(context.snapshot, context.writer, self.verified, self.client.versions)


async def configured(server: Server) -> None:
    """Ask the client for its settings, if it wants to be asked."""
    if not server.client.configurable:
        return
    item = types.ConfigurationItem(section=SECTION)
    try:
        answer = await server.workspace_configuration_async(types.ConfigurationParams([item]))
    except JsonRpcException as error:
        server.log(f"the client does not tell its settings: {error}", types.MessageType.Warning)
        return
    if answer and answer[0]:
        server.ask_for(answer[0])

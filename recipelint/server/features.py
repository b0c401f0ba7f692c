"""What the server does for each request and notification; `serve` runs it on standard input and output."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lsprotocol import types

from recipelint.server import hints as inlay
from recipelint.server import hover as hovering
from recipelint.server import navigation, places
from recipelint.server.actions import KINDS
from recipelint.server.analysis import Judged
from recipelint.server.app import Context, Server, configured
from recipelint.server.markdown import unmarked
from recipelint.source import Location, Span

WATCHED = (
    "**/{recipelint.toml,pyproject.toml,uv.lock,setup.py,requirements*.txt,requirements/*.txt}",
    "**/*.{sh,bash,slurm,sbatch,job,pbs,py,yaml,yml}",
)
AtPosition = types.DefinitionParams | types.DeclarationParams | types.TypeDefinitionParams | types.ReferenceParams


def serve() -> int:
    """Speak with a client on standard input and output until it goes; the exit status that the protocol asks for."""
    server = made()
    try:
        server.start_io()
    finally:
        server.worker.shutdown(wait=False, cancel_futures=True)
    return int(getattr(server.protocol, "status", 1))


def made() -> Server:
    """A server with all that it can do."""
    server = Server()
    lifecycle(server)
    documents(server)
    reading(server)
    changing(server)
    return server


def lifecycle(server: Server) -> None:
    """How a client begins, and what it says of settings and files."""

    @server.feature(types.INITIALIZE)
    def _(params: types.InitializeParams) -> None:
        server.initialize(params)
        if server.client.pulls:
            pulling(server)

    @server.feature(types.INITIALIZED)
    async def _(params: types.InitializedParams) -> None:
        wanted = []
        if server.client.watches:
            watchers = [types.FileSystemWatcher(pattern) for pattern in WATCHED]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            wanted.append(types.Registration("watch", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
        if server.client.told_settings:
            wanted.append(types.Registration("settings", types.WORKSPACE_DID_CHANGE_CONFIGURATION))
        if wanted:
            await server.register(wanted)
        await configured(server)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def _(params: types.DidChangeConfigurationParams) -> None:
        if params.settings:
            server.ask_for(params.settings)
        else:
            await configured(server)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def _(params: types.DidChangeWatchedFilesParams) -> None:
        server.refresh()


def documents(server: Server) -> None:
    """Documents that open, change and close."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def _(params: types.DidOpenTextDocumentParams) -> None:
        server.open(params.text_document)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def _(params: types.DidChangeTextDocumentParams) -> None:
        server.change(params)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE, types.SaveOptions(include_text=False))
    def _(params: types.DidSaveTextDocumentParams) -> None:
        server.refresh()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def _(params: types.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)


def pulling(server: Server) -> None:
    """Diagnostics for a client that asks for them."""

    @server.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier="recipelint"),
    )
    async def _(params: types.DocumentDiagnosticParams) -> types.RelatedFullDocumentDiagnosticReport:
        uri = params.text_document.uri
        snapshot = server.snapshot()
        linted = await server.work(lambda: server.lint(snapshot))
        server.complain(linted)
        items = linted.diagnostics.get(uri, [])
        if uri in snapshot.documents and uri in server.documents:
            server.pulled[uri] = snapshot.documents[uri].version, items
        return types.RelatedFullDocumentDiagnosticReport(items)


def reading(server: Server) -> None:
    """What there is to know of a place."""

    def kind() -> types.MarkupKind:
        return types.MarkupKind.Markdown if server.client.markdown else types.MarkupKind.PlainText

    def content(markdown: str) -> types.MarkupContent:
        return types.MarkupContent(kind(), markdown if server.client.markdown else unmarked(markdown))

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def _(params: types.HoverParams) -> types.Hover | None:
        def answer(one: Judged, context: Context) -> types.Hover | None:
            if one.source is None:
                return None
            lines = context.positions.of(one.source)
            offset = lines.offset(params.position)
            ignore = hovering.ignore_at(one.live, one.source, offset)
            if ignore is not None:
                return types.Hover(content(hovering.ignored(ignore, one.live.linter.ruleset)), lines.range(ignore.span))
            things = places.at(one.live, one.name, offset)
            if not things:
                return None
            return types.Hover(content(hovering.text(things, one.name)), lines.range(things[0].span))

        return await server.ask(params.text_document.uri, answer)

    async def located(
        params: AtPosition,
        find: Callable[[Judged, Sequence[places.Thing]], list[Location]],
    ) -> list[types.Location]:
        def answer(one: Judged, context: Context) -> list[types.Location]:
            if one.source is None:
                return []
            offset = context.positions.of(one.source).offset(params.position)
            things = places.at(one.live, one.name, offset)
            return [context.writer.location(place) for place in find(one, things)]

        return await server.ask(params.text_document.uri, answer) or []

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def _(params: types.DefinitionParams) -> list[types.Location]:
        return await located(params, lambda one, things: navigation.definitions(things, one.name))

    @server.feature(types.TEXT_DOCUMENT_DECLARATION)
    async def _(params: types.DeclarationParams) -> list[types.Location]:
        return await located(params, lambda _, things: navigation.declarations(things))

    @server.feature(types.TEXT_DOCUMENT_TYPE_DEFINITION)
    async def _(params: types.TypeDefinitionParams) -> list[types.Location]:
        return await located(params, lambda _, things: navigation.declarations(things))

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def _(params: types.ReferenceParams) -> list[types.Location]:
        return await located(params, lambda one, things: navigation.references(one.live, things))

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def _(params: types.InlayHintParams) -> list[types.InlayHint]:
        def answer(one: Judged, context: Context) -> list[types.InlayHint]:
            if one.source is None:
                return []
            lines = context.positions.of(one.source)
            return [
                types.InlayHint(
                    lines.position(hint.offset), hint.label, padding_left=True, tooltip=content(hint.tooltip)
                )
                for hint in inlay.hints(one.live, one.source, lines.span(params.range))
            ]

        return await server.ask(params.text_document.uri, answer) or []


def changing(server: Server) -> None:
    """What may be done about a finding."""

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=KINDS))
    async def _(params: types.CodeActionParams) -> list[types.CodeAction]:
        def answer(one: Judged, context: Context) -> list[types.CodeAction]:
            if one.source is None:
                return []
            span: Span = context.positions.of(one.source).span(params.range)
            only = params.context.only
            return list(server.actions(context).at(one, span, None if only is None else [*map(str, only)]))

        return await server.ask(params.text_document.uri, answer) or []
